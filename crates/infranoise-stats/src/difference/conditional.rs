//! The distribution of all hits in B given each task's margins: a sum of hypergeometric variables.

use crate::cell::Pair;
use crate::root::find_root;
use crate::special::hypergeometric::Hypergeometric;

/// Where the distribution is cut off at both ends, so that only the part that matters is convolved; and how probable the
/// observed sum must be for that part to reach some nine standard deviations beyond it. The second line is for
/// differences far out, the third for those beyond all doubt.
const REACHES: [(f64, f64); 3] = [(1e-40, 1e-6), (1e-90, 1e-25), (1e-290, 1e-150)];
/// Log odds ratios are sought within this distance of zero.
pub(super) const FARTHEST: f64 = 600.0;

/// The exact conditional distribution of the hits in B at a common odds ratio.
#[derive(Debug, Clone)]
pub(super) struct Conditional {
    /// Log odds ratio at which `pmf` holds.
    base: f64,
    /// The sum that the first probability belongs to.
    low: u64,
    /// Probabilities from `low` on.
    pmf: Vec<f64>,
    /// Whether the ends of `pmf` are those of the support (nothing was cut off).
    whole: [bool; 2],
    /// The observed sum.
    pub observed: u64,
}

impl Conditional {
    /// The distribution if arms do not differ, as far out as the observed sum asks for.
    pub fn null(pairs: &[Pair]) -> Self {
        let [(first, near), rest @ ..] = REACHES;
        let mut all = Self::new(pairs, 0.0, first);
        let mut near = near;
        for (cut, next) in rest {
            if all.reaches(near) {
                break;
            }
            (all, near) = (Self::new(pairs, 0.0, cut), next);
        }
        all
    }

    /// A distribution that reaches well beyond the observed sum: this one, or one around that sum.
    pub fn around_observed(self, pairs: &[Pair]) -> Self {
        let [(cut, _), .., (_, deepest)] = REACHES;
        if self.reaches(deepest) {
            return self;
        }
        let observed = self.observed as f64;
        let excess =
            |log_odds: f64| informative(pairs).map(|pair| mean_at(pair, log_odds)).sum::<f64>() - observed;
        find_root(excess, -FARTHEST, FARTHEST).map_or(self, |log_odds| Self::new(pairs, log_odds, cut))
    }

    /// Convolves the tasks' distributions, two by two. All terms are positive, so every probability keeps its relative
    /// accuracy.
    fn new(pairs: &[Pair], base: f64, cut: f64) -> Self {
        let mut parts: Vec<Part> = informative(pairs).map(|pair| Part::of(task(pair, base))).collect();
        while parts.len() > 1 {
            parts = parts.chunks(2).map(|two| Part::sum(two, cut)).collect();
        }
        let Part { low, pmf, whole } =
            parts.pop().unwrap_or(Part { low: 0, pmf: vec![1.0], whole: [true; 2] });
        let observed = informative(pairs).map(|pair| u64::from(pair.b.hits())).sum();
        Self { base, low, pmf, whole, observed }
    }

    /// Whether the distribution holds enough beyond the observed sum, on both sides.
    fn reaches(&self, near: f64) -> bool {
        self.whole == [true; 2] || self.probability(self.observed) > near
    }

    fn probability(&self, sum: u64) -> f64 {
        sum.checked_sub(self.low).and_then(|at| self.pmf.get(at as usize)).copied().unwrap_or(0.0)
    }

    /// Whether more than one sum is possible.
    pub fn is_informative(&self) -> bool {
        self.pmf.len() > 1
    }

    /// Whether no smaller sum than the observed one is possible.
    pub fn at_lowest(&self) -> bool {
        self.whole[0] && self.observed == self.low
    }

    /// Whether no larger sum than the observed one is possible.
    pub fn at_highest(&self) -> bool {
        self.whole[1] && self.observed + 1 == self.low + self.pmf.len() as u64
    }

    /// Two-sided p: all sums that are at most as probable as the observed one.
    pub fn two_sided(&self) -> f64 {
        const TIE: f64 = 1.0 + 1e-7;
        let limit = self.probability(self.observed) * TIE;
        self.pmf.iter().filter(|&&p| p <= limit).sum::<f64>().clamp(f64::MIN_POSITIVE, 1.0)
    }

    /// The probabilities (observed or less, observed or more) under "no difference"; too small ones count as the
    /// smallest positive number, never as zero.
    pub fn null_tails(&self) -> (f64, f64) {
        let (less, more) = self.tails(0.0);
        (less.clamp(f64::MIN_POSITIVE, 1.0), more.clamp(f64::MIN_POSITIVE, 1.0))
    }

    /// The probabilities (observed or less, observed or more) at a common log odds ratio.
    pub fn tails(&self, log_odds: f64) -> (f64, f64) {
        let (mut less, mut more, mut total) = (0.0, 0.0, 0.0);
        self.for_each(log_odds, |sum, weight| {
            total += weight;
            if sum <= self.observed {
                less += weight;
            }
            if sum >= self.observed {
                more += weight;
            }
        });
        (less / total, more / total)
    }

    /// Mean of the sum less the observed one, and variance, at a common log odds ratio.
    pub fn shift_and_variance(&self, log_odds: f64) -> (f64, f64) {
        let (mut total, mut first, mut second) = (0.0, 0.0, 0.0);
        self.for_each(log_odds, |sum, weight| {
            let distance = sum as f64 - self.observed as f64;
            total += weight;
            first += weight * distance;
            second += weight * distance * distance;
        });
        let mean = first / total;
        (mean, second / total - mean * mean)
    }

    /// Sums with their weights pmf(s) odds^s in units of the largest, from that one outwards until they no longer
    /// count: the distribution is log-concave.
    fn for_each(&self, log_odds: f64, mut use_weight: impl FnMut(u64, f64)) {
        const NEGLIGIBLE: f64 = 1e-25;
        let odds = (log_odds - self.base).exp();
        let rises = |at: usize| self.pmf[at + 1] * odds > self.pmf[at];
        let mode = partition_point(self.pmf.len() - 1, rises);
        use_weight(self.low + mode as u64, 1.0);
        let mut weight = 1.0;
        for at in mode + 1..self.pmf.len() {
            weight *= self.pmf[at] / self.pmf[at - 1] * odds;
            if weight < NEGLIGIBLE {
                break;
            }
            use_weight(self.low + at as u64, weight);
        }
        weight = 1.0;
        for at in (0..mode).rev() {
            weight *= self.pmf[at] / self.pmf[at + 1] / odds;
            if weight < NEGLIGIBLE {
                break;
            }
            use_weight(self.low + at as u64, weight);
        }
    }
}

/// The distribution of the hits of some tasks.
struct Part {
    low: u64,
    pmf: Vec<f64>,
    whole: [bool; 2],
}

impl Part {
    fn of(task: Hypergeometric) -> Self {
        Self { low: task.low.into(), pmf: task.pmf, whole: [true; 2] }
    }

    /// The sum of one or two parts, cut off where it no longer matters.
    fn sum(parts: &[Self], cut: f64) -> Self {
        let (left, right) = (&parts[0], &parts[parts.len() - 1]);
        if parts.len() == 1 {
            return Self { low: left.low, pmf: left.pmf.clone(), whole: left.whole };
        }
        let (short, long) = if left.pmf.len() < right.pmf.len() { (left, right) } else { (right, left) };
        let mut pmf = vec![0.0; short.pmf.len() + long.pmf.len() - 1];
        for (shift, &weight) in short.pmf.iter().enumerate() {
            let range = above(&long.pmf, cut / weight * 1e-6);
            let to = &mut pmf[shift + range.start..];
            to.iter_mut().zip(&long.pmf[range]).for_each(|(to, &p)| *to += weight * p);
        }
        let before = pmf.iter().take_while(|&&p| p < cut).count();
        let after = pmf.iter().rev().take_while(|&&p| p < cut).count();
        pmf.truncate(pmf.len() - after);
        pmf.drain(..before);
        let cut_off = [before > 0, after > 0];
        let whole = [0, 1].map(|end| left.whole[end] && right.whole[end] && !cut_off[end]);
        Self { low: left.low + right.low + before as u64, pmf, whole }
    }
}

/// Where a log-concave list is at least `limit`.
fn above(pmf: &[f64], limit: f64) -> std::ops::Range<usize> {
    let mode = partition_point(pmf.len() - 1, |at| pmf[at + 1] > pmf[at]);
    let start = partition_point(mode, |at| pmf[at] < limit);
    let end = mode + partition_point(pmf.len() - mode, |past| pmf[mode + past] >= limit);
    start..end.max(start)
}

/// The first of `0..end` for which a monotone condition fails.
fn partition_point(end: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, end);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// Tasks with trials in both arms.
pub(super) fn informative(pairs: &[Pair]) -> impl Iterator<Item = &Pair> {
    pairs.iter().filter(|pair| pair.difference().is_some())
}

/// One task's distribution at a log odds ratio.
fn task(pair: &Pair, log_odds: f64) -> Hypergeometric {
    let mut task = Hypergeometric::new(pair.a.trials(), pair.b.trials(), pair.a.hits() + pair.b.hits());
    if log_odds != 0.0 {
        let logs: Vec<f64> = task.pmf.iter().enumerate().map(|(x, p)| p.ln() + x as f64 * log_odds).collect();
        let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        task.pmf.iter_mut().zip(logs).for_each(|(p, log)| *p = (log - largest).exp());
        let total: f64 = task.pmf.iter().sum();
        task.pmf.iter_mut().for_each(|p| *p /= total);
    }
    task
}

/// Mean hits in B of one task at a log odds ratio.
fn mean_at(pair: &Pair, log_odds: f64) -> f64 {
    let task = task(pair, log_odds);
    task.pmf.iter().enumerate().map(|(x, p)| (x as f64 + f64::from(task.low)) * p).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::Cell;

    fn pairs(tasks: usize, a: u32, b: u32, trials: u32) -> Vec<Pair> {
        let cell = |hits| Cell::try_new(hits, trials).unwrap();
        vec![Pair { a: cell(a), b: cell(b) }; tasks]
    }

    #[test]
    fn cutting_off_changes_nothing_that_counts() {
        let pairs = pairs(100, 4, 5, 10);
        let (cut, deep) = (Conditional::new(&pairs, 0.0, 1e-60), Conditional::new(&pairs, 0.0, 0.0));
        assert!(cut.pmf.len() < deep.pmf.len() / 2);
        assert!((cut.two_sided() / deep.two_sided() - 1.0).abs() < 1e-14);
        for log_odds in [-0.5, 0.0, 0.4, 0.7] {
            assert!((cut.tails(log_odds).1 / deep.tails(log_odds).1 - 1.0).abs() < 1e-12, "{log_odds}");
            let (left, right) = (cut.shift_and_variance(log_odds), deep.shift_and_variance(log_odds));
            assert!((left.0 - right.0).abs() < 1e-9 && (left.1 / right.1 - 1.0).abs() < 1e-11, "{log_odds}");
        }
    }

    #[test]
    fn sums_far_out_are_reached_from_nearby() {
        // 300 tasks at 1 of 20 against 19 of 20: beyond 1e-290 under "no difference".
        let pairs = pairs(300, 1, 19, 20);
        let null = Conditional::null(&pairs);
        assert_eq!(null.probability(null.observed), 0.0);
        assert_eq!(null.two_sided(), f64::MIN_POSITIVE);
        let near = null.around_observed(&pairs);
        let log_odds =
            find_root(|log_odds| near.shift_and_variance(log_odds).0, -FARTHEST, FARTHEST).unwrap();
        // The sum over equal tasks has the mean of one task: its root is that of a single task.
        let single = Conditional::new(&pairs[..1], 0.0, 0.0);
        assert!(single.shift_and_variance(log_odds).0.abs() < 1e-9);
    }
}

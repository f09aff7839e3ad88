//! Rates over strata that were sampled at different rates.
//!
//! Each stratum has its own exact interval (Clopper and Pearson) at a level so much higher that all of them hold at once (Bonferroni); a rate
//! over several strata takes the worst and the best that they allow. Such an interval covers at least as often as it says, and it is wide
//! where little was judged: ten judged failures of 2,000 do not show that no fault hides among them. Trials are taken as independent.

use infranoise_stats::rate::{Side, clopper_pearson};
use infranoise_stats::{Estimate, Method};

use super::Rate;

/// The confidence level of every interval.
const LEVEL: f64 = 0.95;

/// One stratum: how many trials it has, how many were judged, and in how many of those the judge said what is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counted {
    pub(super) trials: u64,
    pub(super) judged: u64,
    pub(super) hits: u64,
}

/// A number with the least and the most that it may be.
#[derive(Clone, Copy, Debug)]
struct Range {
    value: f64,
    low: f64,
    high: f64,
}

/// The share of hits in strata taken together.
pub(super) fn share(strata: &[Counted]) -> Rate {
    let trials: u64 = strata.iter().map(|stratum| stratum.trials).sum();
    if trials == 0 {
        return absent("the classifier puts no trial there");
    }
    match hits(strata, strata.len()) {
        Ok(hits) => {
            let all = trials as f64;
            known(Range { value: hits.value / all, low: hits.low / all, high: hits.high / all }, strata)
        }
        Err(absent) => absent,
    }
}

/// Of all hits, the share that lies in the strata `inside`: recall, if hits are the trials that belong to a class and `inside` are the
/// verdicts that say so.
pub(super) fn share_inside(inside: &[Counted], outside: &[Counted]) -> Rate {
    let strata = inside.len() + outside.len();
    let (found, missed) = match (hits(inside, strata), hits(outside, strata)) {
        (Ok(found), Ok(missed)) => (found, missed),
        (Err(absent), _) | (_, Err(absent)) => return absent,
    };
    if found.value + missed.value == 0.0 {
        return absent("the judges put no trial there");
    }
    let part = |found: f64, missed: f64| if found > 0.0 { found / (found + missed) } else { 0.0 };
    let range = Range {
        value: part(found.value, missed.value),
        low: part(found.low, missed.high),
        high: part(found.high, missed.low),
    };
    let all: Vec<Counted> = inside.iter().chain(outside).copied().collect();
    known(range, &all)
}

/// How many hits the strata have in all, at a level at which `at_once` intervals hold together.
fn hits(strata: &[Counted], at_once: usize) -> Result<Range, Rate> {
    let level = 1.0 - (1.0 - LEVEL) / at_once.max(1) as f64;
    let mut sum = Range { value: 0.0, low: 0.0, high: 0.0 };
    for stratum in strata.iter().filter(|stratum| stratum.trials > 0) {
        let rate = clopper_pearson(stratum.hits, stratum.judged, level, Side::Two)
            .map_err(|_| absent("of some verdict no trial was judged"))?;
        let trials = stratum.trials as f64;
        sum.value += trials * rate.value;
        sum.low += trials * rate.low;
        sum.high += trials * rate.high;
    }
    Ok(sum)
}

fn known(range: Range, strata: &[Counted]) -> Rate {
    let n = strata.iter().map(|stratum| stratum.judged).sum();
    let Range { value, low, high } = range;
    Rate::Known(Estimate { value, low, high, level: LEVEL, method: Method::ClopperPearson, n, clusters: n })
}

fn absent(why: &str) -> Rate {
    Rate::Absent { why: why.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(rate: Rate) -> Estimate {
        match rate {
            Rate::Known(estimate) => estimate,
            Rate::Absent { why } => panic!("{why}"),
        }
    }

    const fn counted(trials: u64, judged: u64, hits: u64) -> Counted {
        Counted { trials, judged, hits }
    }

    #[test]
    fn one_stratum_has_the_exact_interval() {
        let found = estimate(share(&[counted(50, 20, 18)]));
        let exact = clopper_pearson(18, 20, 0.95, Side::Two).expect("an interval");
        assert_eq!((found.value, found.n), (0.9, 20));
        assert!((found.low - exact.low).abs() < 1e-12 && (found.high - exact.high).abs() < 1e-12);
    }

    #[test]
    fn recall_weighs_by_how_often_a_verdict_occurs() {
        // 10 faults, all right; 1 of 10 judged failures is a fault, and there are 100 failures: 10 of 20 faults were found.
        let found = estimate(share_inside(&[counted(10, 10, 10)], &[counted(100, 10, 1)]));
        assert!((found.value - 0.5).abs() < 1e-12);
        assert!(found.low < 0.25 && found.high > 0.9, "{found:?}");
        let nothing_missed = estimate(share_inside(&[counted(10, 10, 10)], &[counted(2_000, 10, 0)]));
        assert_eq!((nothing_missed.value, nothing_missed.high), (1.0, 1.0));
        assert!(nothing_missed.low < 0.02, "ten of 2,000 show next to nothing: {nothing_missed:?}");
    }

    #[test]
    fn what_nobody_judged_is_absent() {
        assert!(matches!(share(&[]), Rate::Absent { .. }));
        assert!(matches!(share(&[counted(5, 0, 0)]), Rate::Absent { .. }));
        assert!(matches!(share_inside(&[counted(5, 5, 5)], &[counted(5, 0, 0)]), Rate::Absent { .. }));
        assert!(matches!(share_inside(&[counted(5, 5, 0)], &[counted(5, 5, 0)]), Rate::Absent { .. }));
    }

    #[test]
    fn the_interval_covers() {
        // 40 faults of which 36 are; 400 failures of which 20 are faults: recall 36/56. Every sample of 12 and 40 is a hypergeometric draw.
        let choose = infranoise_stats::special::gamma::ln_choose;
        let chance = |all: f64, hits: f64, drawn: f64, found: f64| {
            (choose(hits, found) + choose(all - hits, drawn - found) - choose(all, drawn)).exp()
        };
        let (mut covered, mut total) = (0.0, 0.0);
        for found in 8..=12_u32 {
            for missed in 0..=20_u32 {
                let p =
                    chance(40.0, 36.0, 12.0, f64::from(found)) * chance(400.0, 20.0, 40.0, f64::from(missed));
                let rate = estimate(share_inside(
                    &[counted(40, 12, found.into())],
                    &[counted(400, 40, missed.into())],
                ));
                total += p;
                covered += if rate.contains(36.0 / 56.0) { p } else { 0.0 };
            }
        }
        assert!((total - 1.0).abs() < 1e-9, "{total}");
        assert!(covered >= 0.95, "{covered}");
    }
}

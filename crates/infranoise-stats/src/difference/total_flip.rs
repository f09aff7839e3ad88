//! The difference where every task flipped whole: all trials pass in one arm and none in the other.

use crate::cell::Pair;
use crate::check;
use crate::error::{Result, StatError};
use crate::estimate::Estimate;
use crate::method::Method;

/// An exact interval for the mean difference of *these tasks* where each of them passes always in one arm and never in the other.
///
/// There nothing varies within a task, and no standard error exists ([`mh_rd`](super::mh_rd)). If the trials of an arm pass with
/// probabilities of mean p, all n of them pass with a probability of at most p^n (the geometric mean is never above the
/// arithmetic one), so that p >= a^(1/n) is the lower limit of Clopper and Pearson whatever the tasks' own rates are. With
/// a = (1 - level) / 4 for each arm (Bonferroni over arms and sides) the limits of the difference are +-1 and +-(a^(1/n_A) + a^(1/n_B) - 1),
/// and they cover at least as often as they say. The mean is over trials. Source: Clopper and Pearson 1934; Hoeffding 1956. Complexity: O(T).
///
/// # Errors
/// No task with trials in both arms; a task that did not flip whole, or the other way than the rest.
pub fn total_flip(pairs: &[Pair], level: f64) -> Result<Estimate> {
    check::open_unit("level", level)?;
    let used: Vec<&Pair> = pairs.iter().filter(|pair| pair.difference().is_some()).collect();
    check::at_least("tasks with trials in both arms", 1, used.len())?;
    let differences: Vec<f64> = used.iter().filter_map(|pair| pair.difference()).collect();
    let value = differences[0];
    if value.abs() != 1.0 || differences.iter().any(|difference| *difference != value) {
        return Err(StatError::NoInformation { what: "a task that did not flip whole" });
    }
    let (n_a, n_b) = used
        .iter()
        .fold((0.0, 0.0), |(a, b), pair| (a + f64::from(pair.a.trials()), b + f64::from(pair.b.trials())));
    let tail = (1.0 - level) / 4.0;
    let near = tail.powf(1.0 / n_a) + tail.powf(1.0 / n_b) - 1.0;
    let (low, high) = if value > 0.0 { (near, 1.0) } else { (-1.0, -near) };
    let n = used.iter().map(|pair| pair.trials()).sum();
    Ok(Estimate { value, low, high, level, method: Method::TotalFlip, n, clusters: used.len() as u64 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::Cell;

    fn pair(a: (u32, u32), b: (u32, u32)) -> Pair {
        let cell = |(hits, trials)| Cell::try_new(hits, trials).unwrap();
        Pair { a: cell(a), b: cell(b) }
    }

    #[test]
    fn limits_by_hand() {
        let up =
            total_flip(&[pair((0, 2), (2, 2)), pair((0, 1), (1, 1)), pair((3, 3), (0, 0))], 0.95).unwrap();
        // 0.0125^(1/3) = 0.232079…
        assert!(
            (up.low - (2.0 * 0.012_5_f64.cbrt() - 1.0)).abs() < 1e-12 && up.high == 1.0 && up.value == 1.0
        );
        assert_eq!((up.n, up.clusters), (6, 2));
        let down = total_flip(&[pair((5, 5), (0, 5)); 20], 0.95).unwrap();
        assert!(down.low == -1.0 && down.high < -0.9, "{down:?}");
        // One trial in each arm says nothing.
        assert!(total_flip(&[pair((1, 1), (0, 1))], 0.95).unwrap().contains(0.0));
    }

    #[test]
    fn what_is_no_total_flip_is_refused() {
        for pairs in [
            vec![],
            vec![pair((1, 2), (2, 2))],
            vec![pair((0, 2), (2, 2)), pair((2, 2), (0, 2))],
            vec![pair((0, 2), (2, 2)), pair((2, 2), (2, 2))],
        ] {
            assert!(total_flip(&pairs, 0.95).is_err(), "{pairs:?}");
        }
    }
}

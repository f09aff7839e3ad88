//! What the demonstration is composed to show.

use infranoise_core::{Ceiling, Factor, KillScope, Shown};

use crate::{BUNDLED, BundledTask};

/// The designed outcome of one arm of the demonstration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Designed {
    /// How many tasks there are.
    pub tasks: usize,
    /// How many of them pass.
    pub passes: usize,
    /// How many are ended by their own ceiling.
    pub ceiling_kills: usize,
    /// How many have no designed outcome in this arm.
    pub open: usize,
}

/// The tasks of the demonstration.
pub fn demo() -> impl Iterator<Item = &'static BundledTask> {
    BUNDLED.iter().filter(|task| task.in_demo)
}

/// Counts the truth tables of the demonstration for one arm.
#[must_use]
pub fn designed(scope: KillScope, ceiling: Ceiling<Factor>) -> Designed {
    let mut designed = Designed { tasks: 0, passes: 0, ceiling_kills: 0, open: 0 };
    for task in demo() {
        designed.tasks += 1;
        match task.expected(scope, ceiling).map(|expected| expected.shown) {
            Some(Shown::Pass) => designed.passes += 1,
            Some(Shown::Ceiling) => designed.ceiling_kills += 1,
            Some(Shown::Fail | Shown::Fault | Shown::Undetermined | Shown::NotStarted) => {}
            None => designed.open += 1,
        }
    }
    designed
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARMS: [Ceiling<Factor>; 6] = [
        Ceiling::At(Factor(1000)),
        Ceiling::At(Factor(1500)),
        Ceiling::At(Factor(2000)),
        Ceiling::At(Factor(3000)),
        Ceiling::At(Factor(5000)),
        Ceiling::Uncapped,
    ];

    fn shown(task: &BundledTask, arm: usize) -> Shown {
        task.expected(KillScope::Trial, ARMS[arm]).expect("a designed outcome").shown
    }

    #[test]
    fn success_is_flat_up_to_3x_and_rises_after_it() {
        let arms = ARMS.map(|arm| designed(KillScope::Trial, arm));
        assert!(arms[0].tasks >= 12, "{arms:?}");
        assert!(arms.iter().all(|arm| arm.open == 0), "{arms:?}");
        let passes = arms.map(|arm| arm.passes);
        assert_eq!(passes, [4, 5, 5, 5, 8, 8]);
        let flat = &passes[..4];
        assert!(flat.iter().max() <= flat.iter().min().map(|least| least + 1).as_ref());
        assert!(passes[4] >= passes[3] + 3 && passes[5] >= passes[4]);
    }

    #[test]
    fn ceiling_kills_fall_with_headroom() {
        let kills = ARMS.map(|arm| designed(KillScope::Trial, arm).ceiling_kills);
        assert_eq!(kills, [7, 4, 2, 1, 0, 0]);
        let by_process = ARMS.map(|arm| designed(KillScope::Process, arm).ceiling_kills);
        assert!(by_process.is_sorted_by(|a, b| a >= b), "{by_process:?}");
        assert!(by_process[0] < kills[0], "a kill of one process is survived by some");
    }

    #[test]
    fn most_kills_hit_what_was_doomed() {
        let killed: Vec<&BundledTask> = demo().filter(|task| shown(task, 0) == Shown::Ceiling).collect();
        let hides_a_pass = killed.iter().filter(|task| shown(task, 5) == Shown::Pass).count();
        assert!(hides_a_pass * 4 <= killed.len(), "{hides_a_pass} of {}", killed.len());
        let gains =
            demo().filter(|task| shown(task, 3) == Shown::Fail && shown(task, 4) == Shown::Pass).count();
        assert!(gains >= 3, "{gains}");
    }
}

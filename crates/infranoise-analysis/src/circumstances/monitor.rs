//! What was known of the widest comparison after each round?

use infranoise_core::Shown;
use infranoise_stats::difference::mh_rd;
use infranoise_stats::sequential::gs_bounds;
use infranoise_stats::{Cell, Pair};

use crate::arms::LEVEL;
use crate::doc::MonitorPoint;
use crate::table::{Table, cell};

/// At most so many looks, evenly spaced, since each costs an integration.
const LOOKS: u32 = 20;

/// The difference of the loosest arm and the first after each round; rounds without any record end it.
pub(crate) fn monitor(table: &Table<'_>) -> Vec<MonitorPoint> {
    let plan = table.plan;
    let (Some(first), Some(last)) = (plan.arms.first(), plan.arms.last()) else { return Vec::new() };
    if first.arm.name == last.arm.name || plan.imported.is_some() || plan.repeats < 2 {
        return Vec::new();
    }
    let every = plan.repeats.div_ceil(LOOKS);
    let looks: Vec<u32> = (1..=plan.repeats).filter(|r| r % every == 0 || *r == plan.repeats).collect();
    let information: Vec<f64> = looks.iter().map(|r| f64::from(*r) / f64::from(plan.repeats)).collect();
    let bounds = gs_bounds(&information, 1.0 - LEVEL).ok();
    let mut points = Vec::new();
    for (look, rounds) in looks.iter().enumerate() {
        let count = |arm, task: usize| -> Cell {
            let seen = (0..*rounds).filter_map(|repeat| table.get(arm, task, repeat));
            let (passed, all) = seen.fold((0, 0), |(passed, all), chosen| {
                (passed + u64::from(chosen.shown() == Shown::Pass), all + 1)
            });
            cell(passed, all)
        };
        let pairs: Vec<Pair> = (0..plan.tasks.len())
            .map(|task| Pair { a: count(&first.arm.name, task), b: count(&last.arm.name, task) })
            .collect();
        let trials: u64 =
            pairs.iter().map(|pair| u64::from(pair.a.trials()) + u64::from(pair.b.trials())).sum();
        if points.last().is_some_and(|known: &MonitorPoint| known.trials == trials) {
            break;
        }
        let Ok(test) = mh_rd(&pairs, LEVEL) else { continue };
        let critical = bounds.as_ref().and_then(|bounds| bounds.critical.get(look).copied());
        let looked = critical
            .filter(|critical| critical.is_finite())
            .map(|critical| (test.effect.value - critical * test.se, test.effect.value + critical * test.se));
        points.push(MonitorPoint { rounds: *rounds, trials, effect: test.effect, looked });
    }
    points
}

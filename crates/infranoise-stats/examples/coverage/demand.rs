//! Ceilings.

use crate::table;
use infranoise_stats::demand::{CeilingTrial, Peak, direct, kaplan_meier, smallest_ceiling};
use infranoise_stats::totals::Total;

const CEILINGS: [f64; 6] = [1.0, 1.5, 2.0, 3.0, 5.0, f64::INFINITY];
const TARGET: f64 = 0.02;

/// Peaks of tasks that differ: log-normal with a median of its own, so that 1x is exceeded by about 6 %.
fn median(dice: &mut crate::simulation::Dice) -> f64 {
    (-1.3 + 0.7 * dice.normal()).exp()
}

const WITHIN: f64 = 0.35;

pub fn print(experiments: u32) {
    let title = "**Six arms (1x to uncapped), peaks of tasks log-normal, about 6 % beyond 1x**: coverage for these tasks, in percent, of the one-sided 95 % bound and the two-sided 95 % interval at 2x; certified ceilings whose true rate exceeds 2 %";
    let columns = ["direct at 2x", "kaplan_meier at 2x", "smallest_ceiling, wrong"];
    table::print(title, columns, experiments, 40, |dice, tasks, repeats, tallies| {
        let medians: Vec<f64> = (0..tasks).map(|_| median(dice)).collect();
        let (mut trials, mut peaks) = (Vec::new(), Vec::new());
        for &median in &medians {
            for ceiling in CEILINGS {
                for _ in 0..repeats {
                    let peak = median * (WITHIN * dice.normal()).exp();
                    let killed = peak > ceiling;
                    let seen = peak.min(ceiling);
                    trials.push(CeilingTrial { ceiling, peak: seen, infra_error: killed, passed: !killed });
                    peaks.push(Peak { multiple: seen, killed });
                }
            }
        }
        let truth = |ceiling: f64| {
            let beyond =
                |median: f64| infranoise_stats::special::normal::sf((ceiling / median).ln() / WITHIN);
            medians.iter().map(|&median| beyond(median)).sum::<f64>() / tasks as f64
        };
        tallies[0].count(direct(&trials, 2.0, 0.95).is_ok_and(|estimate| truth(2.0) <= estimate.high));
        let interval = kaplan_meier(&peaks, &[2.0], 0.95).ok().and_then(|points| points[0].interval);
        if let Some((low, high)) = interval {
            tallies[1].count(low <= truth(2.0) && truth(2.0) <= high);
        }
        let totals = CEILINGS.map(|ceiling| {
            let usable = || trials.iter().filter(move |trial| trial.ceiling >= ceiling);
            let ended = usable().filter(|trial| trial.infra_error || trial.peak > ceiling).count();
            Total { hits: ended as u32, trials: usable().count() as u32 }
        });
        let chosen = smallest_ceiling(&CEILINGS, &totals, TARGET, 0.95).ok().and_then(|found| found.chosen);
        tallies[2].count(chosen.is_some_and(|position| truth(CEILINGS[position]) > TARGET));
    });
}

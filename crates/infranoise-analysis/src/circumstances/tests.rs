//! Circumstances of small sweeps whose answer can be counted by hand.

use infranoise_core::testing::{Ending, plan, record};
use infranoise_core::{Bytes, Observed, Phase, Plan, Reward, TrialRecord};

use crate::doc::VerdictWord;
use crate::{Analysis, Effort, analyse};

const HOUR_MS: u64 = 3_600_000;

/// Ten tasks, two arms, four repeats; the first arm kills half of the tasks, of which all pass in the second.
fn world(mut change: impl FnMut(usize, &mut TrialRecord)) -> (Plan, Analysis) {
    let plan = plan(10, 2, 4);
    let records: Vec<TrialRecord> = plan
        .keys()
        .enumerate()
        .map(|(i, key)| {
            let task: usize = key.task.as_str().trim_start_matches("task-").parse().expect("a number");
            let killed = key.arm.as_str() == "1x" && task < 5;
            let mut record = record(&plan, key, if killed { Ending::CeilingKill } else { Ending::Pass });
            change(i, &mut record);
            record
        })
        .collect();
    let analysis = analyse(&plan, &records, "test", Effort { draws: 50 });
    (plan, analysis)
}

#[test]
fn rounds_and_pairs_agree_with_the_comparison() {
    let (plan, analysis) = world(|_, _| {});
    let effect = analysis.comparisons[0].scores[0].these_tasks.test.as_ref().map(|test| test.effect.value);
    let last = analysis.monitor.last().expect("a look");
    assert_eq!((last.rounds, last.trials), (plan.repeats, plan.planned()));
    assert_eq!(Some(last.effect.value), effect);
    assert!(analysis.monitor.is_sorted_by_key(|point| point.trials));
    let looked = last.looked.expect("the last look");
    assert!(looked.0 <= last.effect.low && looked.1 >= last.effect.high, "looking costs something");
    let [pair] = analysis.apart.as_slice() else { panic!("one pair") };
    assert_eq!((pair.word, pair.p_holm.is_some_and(|p| p < 0.05)), (VerdictWord::Different, true));
}

#[test]
fn hours_and_density_are_counted_where_they_are_known() {
    let (_, analysis) = world(|i, record| {
        record.facts.started_at_ms = 100 * 24 * HOUR_MS + (i as u64 % 2) * 5 * HOUR_MS;
        record.facts.host.concurrent_trials = if i < 40 { 3 } else { 0 };
    });
    let hours: Vec<(u32, u64)> = analysis.hours.iter().map(|row| (row.at, row.trials)).collect();
    assert_eq!(hours, [(0, 40), (5, 40)]);
    assert_eq!(analysis.concurrency.iter().map(|row| (row.at, row.trials)).collect::<Vec<_>>(), [(3, 40)]);
    assert!(world(|_, _| {}).1.hours.is_empty(), "a trial without a date has no hour");
}

#[test]
fn demand_counts_kills_as_censored() {
    let (_, analysis) = world(|_, _| {});
    // 20 of 80 trials were killed at the spec; the others took 40 of 64 MiB.
    let at =
        |multiple: f64| analysis.demand.iter().find(|point| point.multiple >= multiple).expect("a point");
    assert!((at(0.25).exceeds - 1.0).abs() < 1e-9);
    assert!((at(0.7).exceeds - 0.25).abs() < 1e-9, "{:?}", at(0.7));
    let killed = analysis.needs.iter().find(|row| row.task.as_str() == "task-0").expect("a row");
    assert_eq!((killed.killed, killed.ceiling_bytes, killed.under_provisioned), (4, None, true));
    let calm = analysis.needs.iter().find(|row| row.task.as_str() == "task-9").expect("a row");
    assert_eq!((calm.killed, calm.floor_bytes, calm.ceiling_bytes), (0, Some(40 << 20), Some(50 << 20)));
}

#[test]
fn time_money_and_verifiers_are_absent_where_they_are_not_known() {
    let (_, analysis) = world(|i, record| {
        if i == 79 {
            record.facts.outcome.reward = Reward::Missing;
            record.facts.usage.cost_usd = Observed::Observed(1.5);
        }
    });
    assert_eq!(analysis.clocks.len(), 2);
    assert_eq!(analysis.clocks[1].phases_ms.get(&Phase::Agent), Some(&1000.0));
    assert_eq!(analysis.clocks[1].agent_idle_ms, None, "one command is the agent itself");
    assert!(analysis.throttling.is_empty() && analysis.received.is_empty(), "not observed is not zero");
    assert_eq!((analysis.verified, analysis.verifiers.len()), (60, 1));
    assert_eq!(analysis.verifiers[0].broken, 1);
    let dollars: Vec<_> = analysis.costs.iter().map(|row| row.dollars).collect();
    assert!(dollars.contains(&Some((1.5, 1))) && dollars.contains(&None));
    assert_eq!(analysis.costs[0].cpu_hours, None);
    assert_eq!(analysis.durations.iter().map(|bin| bin.phases + bin.at_deadline).sum::<u64>(), 80);
}

#[test]
fn settings_say_what_differs_and_what_was_held() {
    let (_, analysis) = world(|_, _| {});
    let row = |what: &str| analysis.settings.iter().find(|row| row.what == what).expect("a setting");
    assert!(!row("memory ceiling").same && row("memory floor").same);
    assert!(
        row("memory ceiling").arms.iter().all(|cell| cell.held.as_deref() == Some("not held") && !cell.firm)
    );
}

#[test]
fn throttling_has_quartiles_and_an_interval_of_the_median() {
    let (_, analysis) = world(|i, record| {
        record.facts.telemetry.agent_throttled_us = Observed::Observed(10_000 * (i as u64 % 10));
        record.facts.telemetry.memory_peak_bytes = Observed::Observed(Bytes::mib(40));
    });
    let passed = analysis.throttling.iter().find(|row| row.arm.as_str() == "2x" && row.passed == Some(true));
    let row = passed.expect("a row");
    let five = row.five.expect("numbers");
    assert!(row.n == 40 && five.is_sorted() && five[4] <= 0.09 + 1e-9, "{row:?}");
    let (low, high) = row.median_interval.expect("an interval");
    assert!(low <= five[2] && five[2] <= high);
}

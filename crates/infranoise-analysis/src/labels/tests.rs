//! A sample is drawn, judged and scored.

use std::collections::BTreeSet;

use infranoise_core::testing::{Ending, plan, record};
use infranoise_core::{Plan, Shown, TrialRecord};

use super::{LabelClass, LabelReport, LabelSheet, Rate, draw, score};

/// 40 tasks, twice, in one arm: 40 passes, 30 failures, 6 ceiling kills, 4 faults.
fn sweep() -> (Plan, Vec<TrialRecord>) {
    let plan = plan(40, 1, 2);
    let ending = |place: usize| match place {
        0..40 => Ending::Pass,
        40..70 => Ending::Fail,
        70..76 => Ending::CeilingKill,
        _ => Ending::Fault,
    };
    let records = plan.keys().enumerate().map(|(place, key)| record(&plan, key, ending(place))).collect();
    (plan, records)
}

fn verdict(records: &[TrialRecord], trial: &str) -> Shown {
    Shown::of(records.iter().find(|record| record.facts.key.folder() == trial).expect("a trial"))
}

/// Judges as the classifier does, but for the first so many failures, which are faults.
fn judged(records: &[TrialRecord], mut sheet: LabelSheet, mut wrong: u64) -> LabelSheet {
    for item in &mut sheet.items {
        let verdict = verdict(records, &item.trial);
        let fault = verdict == Shown::Fail && wrong > 0;
        wrong -= u64::from(fault);
        item.truth = Some(if fault { Shown::Fault } else { verdict });
    }
    sheet
}

fn rates(report: &LabelReport, class: LabelClass) -> (f64, f64) {
    let found = report.classes.iter().find(|row| row.class == class).expect("a class");
    match (&found.precision, &found.recall) {
        (Rate::Known(precision), Rate::Known(recall)) => (precision.value, recall.value),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_sheet_is_blind_reproducible_and_holds_every_verdict() {
    let (plan, records) = sweep();
    let sheet = draw(&plan, &records, 30, 7);
    let mut reversed = records.clone();
    reversed.reverse();
    assert_eq!(sheet, draw(&plan, &reversed, 30, 7), "the order of the records does not matter");
    assert_ne!(sheet.items, draw(&plan, &records, 30, 8).items);
    assert_eq!(sheet.items.len(), 30);
    let names: BTreeSet<&str> = sheet.items.iter().map(|item| item.trial.as_str()).collect();
    assert_eq!(names.len(), 30, "nothing is drawn twice");
    let of = |shown| sheet.items.iter().filter(|item| verdict(&records, &item.trial) == shown).count();
    assert_eq!([Shown::Ceiling, Shown::Fault].map(of), [6, 4], "rare verdicts are drawn whole");
    let line = serde_json::to_string(&sheet.items).expect("JSON");
    assert!(["\"verdict\"", "\"blame\"", "ceiling", "fault", "rule"].iter().all(|word| !line.contains(word)));
    let grouped = sheet
        .items
        .windows(2)
        .filter(|pair| verdict(&records, &pair[0].trial) == verdict(&records, &pair[1].trial));
    assert!(grouped.count() < 20, "the order does not tell the verdict");
}

#[test]
fn agreement_gives_ones_and_a_missed_fault_costs_recall() {
    let (plan, records) = sweep();
    let sheet = draw(&plan, &records, 30, 7);
    let report = score(&plan, &records, &judged(&records, sheet.clone(), 0));
    for class in
        [LabelClass::Infra, LabelClass::Pass, LabelClass::Fail, LabelClass::Ceiling, LabelClass::Fault]
    {
        assert_eq!(rates(&report, class), (1.0, 1.0), "{class:?}");
    }
    assert_eq!((report.unjudged, report.disagreements.len(), report.warnings.len()), (0, 0, 0));
    assert!(report.classes.iter().all(|row| row.class != LabelClass::NotStarted), "nobody uses it");

    let report = score(&plan, &records, &judged(&records, sheet.clone(), 1));
    let drawn = sheet.strata.iter().find(|stratum| stratum.verdict == Shown::Fail).expect("failures").sampled;
    let missed = 30.0 / drawn as f64;
    let (precision, recall) = rates(&report, LabelClass::Fault);
    assert_eq!(precision, 1.0);
    assert!((recall - 4.0 / (4.0 + missed)).abs() < 1e-12);
    assert!((rates(&report, LabelClass::Fail).0 - (drawn - 1) as f64 / drawn as f64).abs() < 1e-12);
    assert_eq!(report.disagreements.len(), 1);
    assert_eq!(report.disagreements[0].rule, "wrong-answer");
    let Rate::Known(agreement) = report.agreement else { panic!("known") };
    assert!((agreement.value - (80.0 - missed) / 80.0).abs() < 1e-12);
}

#[test]
fn what_is_missing_is_said() {
    let (plan, records) = sweep();
    let sheet = draw(&plan, &records, 30, 7);
    let report = score(&plan, &records, &sheet);
    assert_eq!(report.unjudged, 30);
    assert!(report.classes.iter().all(|row| matches!(row.recall, Rate::Absent { .. })));
    let strangers = score(&plan, &records[..10], &judged(&records, sheet.clone(), 0));
    assert!(
        strangers.warnings.iter().any(|says| says.contains("not in the records")),
        "{:?}",
        strangers.warnings
    );
    let mut changed = records.clone();
    for record in &mut changed {
        if Shown::of(record) == Shown::Ceiling {
            record.classification.blame = infranoise_core::Blame::Fault;
        }
    }
    let changed = score(&plan, &changed, &judged(&records, sheet, 0));
    assert!(changed.warnings.iter().any(|says| says.contains("changed since")), "{:?}", changed.warnings);
}

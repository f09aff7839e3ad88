//! The Terminal-Bench 1 leaderboard: counts of three whole submissions, and hand-checked trials with their evidence.

use std::collections::BTreeMap;

use infranoise_core::{Blame, TrialRecord};

use crate::reference::{imported, reference, words};

/// The fields of one line, with quotes undone.
fn fields(line: &str) -> Vec<String> {
    line.split('\t')
        .map(|field| {
            let inner = field.strip_prefix('"').and_then(|field| field.strip_suffix('"')).unwrap_or(field);
            inner.replace("\"\"", "\"")
        })
        .collect()
}

/// Whether a verdict agrees with a label of people. A defect of the verifier is labelled as infrastructure there; here it is the task's.
fn agrees(label: &str, blame: Blame) -> bool {
    match label {
        "success" => blame == Blame::Nobody,
        "agent-failure" | "timeout" => blame == Blame::Agent,
        _ => matches!(blame, Blame::Fault | Blame::NotStarted | Blame::Task),
    }
}

fn infra(blame: Blame) -> bool {
    matches!(blame, Blame::Fault | Blame::NotStarted)
}

#[test]
fn hand_checked_trials_are_judged_as_people_judged_them() {
    let Some(root) = reference("tb1") else { return };
    let records = imported(&root.join("trials")).records;
    let table = std::fs::read_to_string(root.join("labelled.tsv")).expect("labels");
    let mut lines = table.lines();
    let head = fields(lines.next().expect("a head"));
    let (mut right, mut all, mut wrong) = (0, 0, Vec::new());
    for line in lines {
        let row: BTreeMap<&str, String> = head.iter().map(String::as_str).zip(fields(line)).collect();
        let submission = row["path"].split('/').nth(1).expect("a submission");
        let of_row = |record: &&TrialRecord| {
            let source = record.facts.source.as_ref().expect("a source");
            source.trial == row["trial"] && source.file.contains(&format!("/{submission}/"))
        };
        let record = records.iter().find(of_row).unwrap_or_else(|| panic!("{}: not imported", row["trial"]));
        let blame = record.classification.blame;
        assert!(
            !(row["note"].contains("TRAP") && infra(blame)),
            "a trap: {} {}",
            row["trial"],
            words(record)
        );
        if row["confidence"] == "high" {
            all += 1;
            right += u32::from(agrees(&row["label"], blame));
        }
        if !agrees(&row["label"], blame) {
            wrong.push(format!("{} {}: {} {}", row["confidence"], row["label"], row["trial"], words(record)));
        }
    }
    assert!(f64::from(right) >= 0.95 * f64::from(all), "{right} of {all}\n{}", wrong.join("\n"));
    assert_eq!(right, all, "{}", wrong.join("\n"));
}

#[test]
fn whole_submissions_in_three_layouts_are_counted_as_the_leaderboard_does() {
    let Some(root) = reference("tb1/submissions") else { return };
    let imported = imported(&root);
    assert_eq!(imported.records.len(), 1200);
    assert_eq!(imported.plan.planned(), 1200);
    assert_eq!(imported.losses.total, 0, "{:?}", imported.losses.kept);
    for (arm, passed, none) in [("droid-gpt5", 210, 16), ("goose-opus4", 181, 5), ("ob1", 227, 38)] {
        let of_arm: Vec<&TrialRecord> =
            imported.records.iter().filter(|record| record.facts.key.arm.as_str() == arm).collect();
        assert_eq!(of_arm.len(), 400, "{arm}");
        let solved = of_arm.iter().filter(|record| record.facts.outcome.reward.passed()).count();
        let silent = of_arm.iter().filter(|record| record.facts.outcome.reward.main().is_none()).count();
        assert_eq!((solved, silent), (passed, none), "{arm}");
        assert!(of_arm.iter().all(|record| record.facts.key.repeat < 5));
    }
}

#[test]
fn a_test_file_that_nobody_can_pass_is_the_tasks_fault() {
    let Some(root) = reference("tb1/submissions") else { return };
    let imported = imported(&root);
    let defects = imported.records.iter().filter(|record| record.classification.blame == Blame::Task);
    let tasks: Vec<&str> = defects.map(|record| record.facts.key.task.as_str()).collect();
    assert_eq!(tasks.len(), 15, "five repeats in three submissions");
    assert!(tasks.iter().all(|task| *task == "build-linux-kernel-qemu"), "{tasks:?}");
}

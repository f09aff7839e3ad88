//! The Terminal-Bench 1 leaderboard: counts of three whole submissions, and hand-checked trials with their evidence.

use std::collections::BTreeMap;
use std::path::Path;

use infranoise_core::{Blame, Phase, TrialRecord};

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

/// The rows of the leaderboard: what others read of the same trials.
fn rows(path: &Path) -> Vec<BTreeMap<String, String>> {
    let table = std::fs::read_to_string(path).expect("the rows");
    let mut lines = table.lines();
    let head: Vec<&str> = lines.next().expect("a head").split(',').collect();
    let row = |line: &str| head.iter().map(|name| (*name).to_owned()).zip(split(line)).collect();
    lines.map(row).collect()
}

/// The fields of a line of CSV; a quoted one may hold commas.
fn split(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => fields.last_mut().expect("a field").push(c),
        }
    }
    fields
}

/// How long a phase took, in seconds.
fn seconds(record: &TrialRecord, phase: Phase) -> Option<f64> {
    let phase = record.facts.outcome.phase(phase)?;
    Some((phase.ended_ms - phase.started_ms) as f64 / 1000.0)
}

/// Every real trial at hand against its row: verdict, mode, tests, tokens, times, concurrency.
#[test]
fn every_real_trial_is_read_as_its_row_says() {
    let Some(root) = reference("tb1") else { return };
    let rows = rows(&root.join("trials.csv"));
    assert_eq!(rows.len(), 5200);
    let mut known: BTreeMap<(&str, &str, &str), &BTreeMap<String, String>> = BTreeMap::new();
    for row in &rows {
        // The folder of a run is called after it, and where one run has five attempts the trial's own name numbers them.
        let place = if row["submission"].starts_with("orch") { &row["attempt"] } else { &row["run"] };
        known.insert((&row["submission"], place, &row["task"]), row);
    }
    let (mut compared, mut wrong) = (0, Vec::new());
    for folder in ["submissions", "trials"] {
        for record in imported(&root.join(folder)).records {
            let source = record.facts.source.as_ref().expect("a source");
            if source.trial.contains('?') {
                // The harness's log names the task alone.
                continue;
            }
            let parts: Vec<&str> = source.file.split('/').collect();
            let submission = submission(&source.file);
            let attempt = source.trial.rsplit('.').next().and_then(|last| last.split("-of-").next());
            let run = parts.iter().map(|part| part.trim_end_matches("_results.json").trim_end_matches('_'));
            let places = run.chain(attempt.map(|number| number));
            let task = record.facts.key.task.as_str();
            let of = |place: &str| known.get(&(submission, place, task)).copied();
            let float = places.filter_map(|place| of(place).or_else(|| of(&format!("{place}.0")))).next();
            let Some(row) = float else {
                wrong.push(format!("{submission} {}: no row", source.trial));
                continue;
            };
            compared += 1;
            wrong.extend(differences(&record, row));
        }
    }
    assert!(compared >= 1200 + 40, "{compared} were compared\n{}", wrong.join("\n"));
    assert!(wrong.is_empty(), "{} of {compared}\n{}", wrong.len(), wrong.join("\n"));
}

/// The short name of the submission that a file belongs to.
fn submission(file: &str) -> &'static str {
    const NAMES: [(&str, &str); 8] = [
        ("droid-gpt5", "droid-gpt5"),
        ("goose-opus4", "goose-opus4"),
        ("ob1", "ob1"),
        ("openhands", "openhands-s4"),
        ("swe-agent-mini", "miniswe-s4"),
        ("orchestrator_claude-4-sonnet", "orch-s4"),
        ("orchestrator_claude-4.1-opus", "orch-opus41"),
        ("orchestrator_qwen", "orch-qwen3"),
    ];
    NAMES.iter().find(|(part, _)| file.contains(part)).map_or("?", |(_, name)| name)
}

fn differences(record: &TrialRecord, row: &BTreeMap<String, String>) -> Vec<String> {
    let facts = &record.facts;
    let source = facts.source.as_ref().expect("a source");
    let mut wrong = Vec::new();
    let mut check = |what: &str, found: Option<f64>, expected: &str, tolerance: f64| {
        let expected: Option<f64> = expected.parse().ok();
        let near = |(a, b): (f64, f64)| (a - b).abs() <= tolerance;
        if !found.zip(expected).map_or(found.is_none() && expected.is_none(), near) {
            wrong.push(format!("{}: {what} is {found:?}, the row has {expected:?}", source.trial));
        }
    };
    // A verdict that was taken back because the agent never ran is still in the row.
    let taken_back = record.classification.blame == Blame::NotStarted;
    if !taken_back {
        let verdict = match row["is_resolved"].as_str() {
            "True" => "1",
            "False" => "0",
            _ => "",
        };
        check("the reward", facts.outcome.reward.main(), verdict, 0.0);
        for (phase, column) in [(Phase::Agent, "agent_sec"), (Phase::Verify, "test_sec")] {
            // Times of recordings stand in a column of their own.
            if !row[column].is_empty() {
                check(column, seconds(record, phase), &row[column], 0.002);
            }
        }
    }
    // Of a trial that only the harness's log tells of, no time is known.
    if !row["total_sec"].is_empty() && !source.file.ends_with("run.log") {
        check("total_sec", Some(facts.wall_ms as f64 / 1000.0), &row["total_sec"], 0.002);
    }
    // The lock of some runs is not at hand.
    if let Some(concurrency) = source.concurrency {
        check("n_concurrent", Some(f64::from(concurrency)), &row["n_concurrent"], 0.0);
    }
    // 0 for both means that nobody counted.
    let counted = |column: &str| row[column].parse::<f64>().is_ok_and(|tokens| tokens > 0.0);
    if counted("input_tokens") || counted("output_tokens") {
        check("input_tokens", facts.usage.tokens_in.value().map(|n| *n as f64), &row["input_tokens"], 0.0);
        check("output_tokens", facts.usage.tokens_out.value().map(|n| *n as f64), &row["output_tokens"], 0.0);
    }
    let said = source.failure.as_ref().map_or("unset", |failure| failure.class.as_str());
    let mode = row["failure_mode"].as_str();
    if said != mode && said != "harness exception" {
        wrong.push(format!("{}: failure mode {said}, the row has {mode}", source.trial));
    }
    wrong
}

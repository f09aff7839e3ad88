//! The demonstration: the measured pattern is the designed one.

use infranoise_core::{Ceiling, Factor, KillScope, Shown};
use infranoise_probes::{demo, designed};
use serde_json::Value;

use crate::program::{Done, Place, can_sweep};

const ARMS: [(&str, Ceiling<Factor>); 6] = [
    ("1x", Ceiling::At(Factor(1000))),
    ("1.5x", Ceiling::At(Factor(1500))),
    ("2x", Ceiling::At(Factor(2000))),
    ("3x", Ceiling::At(Factor(3000))),
    ("5x", Ceiling::At(Factor(5000))),
    ("uncapped", Ceiling::Uncapped),
];

#[test]
fn the_measured_pattern_is_the_designed_one() {
    if !can_sweep("demo") {
        return;
    }
    measured_is_designed(&["demo", "-k", "1", "--json"], &[]);
}

/// Runs the demonstration with each kill scope, and compares what came of every trial with what it was made for.
pub fn measured_is_designed(args: &[&str], env: &[(&str, &str)]) {
    for (scope, word) in [(KillScope::Trial, "trial"), (KillScope::Process, "process")] {
        let place = Place::new();
        let mut command = place.command(args);
        let output = command.args(["--kill-scope", word]).envs(env.iter().copied()).output();
        let done = Done(output.expect("the program starts")).ok();
        let analysis: Value = serde_json::from_str(&done.out()).expect("JSON");
        assert_eq!(analysis["about"]["staged"], true, "the report says that it is staged");
        let records = place.records(&place.sweep());
        let mut wrong = Vec::new();
        for record in &records {
            let key = &record.facts.key;
            let task = demo().find(|task| task.name == key.task.as_str()).expect("a demo task");
            let (_, ceiling) = ARMS.iter().find(|(name, _)| *name == key.arm.as_str()).expect("an arm");
            let Some(expected) = task.expected(scope, *ceiling) else { continue };
            let got = &record.classification;
            let right = expected.shown == Shown::of(record)
                && expected.cause.is_none_or(|cause| cause == got.cause)
                && expected.phase.is_none_or(|phase| Some(phase) == got.phase);
            if !right {
                wrong.push(format!("{key} ({word}): designed {expected:?}, found {got:?}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert_eq!(records.len(), demo().count() * ARMS.len());
        if scope == KillScope::Trial {
            for (name, ceiling) in ARMS {
                let design = designed(scope, ceiling);
                let count = |shown| {
                    records
                        .iter()
                        .filter(|record| record.facts.key.arm.as_str() == name && Shown::of(record) == shown)
                        .count()
                };
                assert_eq!(
                    (count(Shown::Pass), count(Shown::Ceiling)),
                    (design.passes, design.ceiling_kills),
                    "{name}"
                );
            }
        }
        let page = std::fs::read_to_string(place.sweep().join("report.html")).expect("a report");
        assert!(page.contains("taged"), "the page says that it is staged");
        assert!(!page.contains("src=\"http") && !page.contains("href=\"http"), "no request leaves the file");
    }
}

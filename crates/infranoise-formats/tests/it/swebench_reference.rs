//! Reports, logs and predictions by the SWE-bench code, found side by side and put together.

use crate::reference::{imported, reference, words};

#[test]
fn errors_are_split_into_the_models_and_the_machines() {
    let Some(root) = reference("swebench") else { return };
    let imported = imported(&root);
    let said: Vec<(String, String)> =
        imported.records.iter().map(|record| (record.facts.key.task.to_string(), words(record))).collect();
    let expected = [
        ("psf__requests-1", "nobody/solved/passed"),
        ("psf__requests-2", "agent/wrong answer/wrong-answer"),
        // The suite was killed: the report's `unresolved` is no verdict, and nothing counted a kill.
        ("psf__requests-3", "undetermined/out of memory/foreign-killed"),
        ("psf__requests-4", "undetermined/verifier time-out/no-verdict"),
        ("psf__requests-5", "fault/host disk full/fault"),
        ("psf__requests-6", "agent/wrong answer/wrong-answer"),
    ];
    assert_eq!(said, expected.map(|(task, words)| (task.to_owned(), words.to_owned())));
    assert_eq!(imported.plan.planned(), 7, "one instance is incomplete");
    assert_eq!(imported.plan.arms.len(), 1, "report, logs and both files of predictions are one evaluation");
}

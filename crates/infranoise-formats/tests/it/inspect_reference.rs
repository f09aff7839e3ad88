//! A real log of Inspect with errors, a time limit spent waiting, and nothing scored but two samples.

use infranoise_core::Attempt;

use crate::reference::{imported, reference, words};

#[test]
fn errors_and_limits_of_a_real_log() {
    let Some(root) = reference("inspect") else { return };
    let imported = imported(&root);
    assert_eq!((imported.records.len(), imported.plan.planned(), imported.losses.total), (8, 8, 0));
    for record in &imported.records {
        let expected = match record.facts.key.task.as_str() {
            "tiny/ok" | "tiny/oom" => "fault/name resolution/fault",
            "tiny/err" => "undetermined/unknown/fault",
            _ => "undetermined/time-out/foreign-infra",
        };
        assert_eq!(words(record), expected, "{}", record.facts.key.task);
        let retried = record.facts.key.task.as_str() != "tiny/slow";
        assert_eq!(record.facts.attempt, Attempt(u32::from(retried)));
        let counted = record.facts.source.as_ref().and_then(|source| source.counted);
        assert_eq!(counted, Some(!retried), "samples with an error leave the source's denominator");
    }
}

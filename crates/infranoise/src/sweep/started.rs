//! Whether anything started at all: a sweep of which nothing did has measured nothing, and must not end as if it had.

use infranoise_core::{Blame, Stop, TrialRecord};

/// What to say if not one of the recorded trials started; `None` if one did, or nothing is recorded.
pub fn none(records: &[TrialRecord]) -> Option<String> {
    let started = |record: &TrialRecord| record.classification.blame != Blame::NotStarted;
    let first = records.first()?;
    if records.iter().any(started) {
        return None;
    }
    let why = first.facts.outcome.phases.iter().find_map(|phase| match &phase.stop {
        Stop::Failed { message, .. } => Some(message.as_str()),
        _ => None,
    });
    let why = why.unwrap_or("see its record");
    Some(format!("none of the {} attempts started, so nothing was measured; the first: {why}", records.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use infranoise_core::testing::{Ending, plan, record};

    #[test]
    fn one_that_started_is_enough() {
        let plan = plan(1, 2, 1);
        let keys: Vec<_> = plan.keys().collect();
        let of = |endings: &[Ending]| -> Vec<TrialRecord> {
            endings.iter().zip(&keys).map(|(ending, key)| record(&plan, key.clone(), *ending)).collect()
        };
        assert_eq!(none(&[]), None);
        assert_eq!(none(&of(&[Ending::NotStarted, Ending::Fail])), None);
        let says = none(&of(&[Ending::NotStarted, Ending::NotStarted])).expect("nothing started");
        assert!(says.contains("none of the 2 attempts"), "{says}");
    }
}

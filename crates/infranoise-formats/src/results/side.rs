//! What lies beside the results of a trial and completes it.

use infranoise_core::{Phase, Stop, Usage};

use super::draft::{Draft, Effective};

/// What another file of the same import tells of a trial: tokens, how the agent ended, what it was given.
#[derive(Clone, Debug)]
pub(in crate::results) struct Side {
    pub(in crate::results) usage: Usage,
    pub(in crate::results) agent_stop: Option<Stop>,
    pub(in crate::results) effective: Option<Effective>,
    pub(in crate::results) notes: Vec<String>,
}

impl Side {
    /// Adds it to the trial.
    pub(in crate::results) fn apply(&self, draft: &mut Draft) {
        draft.usage = self.usage.clone();
        draft.notes.extend(self.notes.iter().cloned());
        if let Some(effective) = &self.effective {
            draft.effective = effective.clone();
        }
        if let (Some(stop), Some(record)) = (&self.agent_stop, draft.phase_mut(Phase::Agent)) {
            record.stop = stop.clone();
        }
    }
}

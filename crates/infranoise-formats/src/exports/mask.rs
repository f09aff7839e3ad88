//! Which rollouts to train on: keep what the policy can have caused, drop what it cannot, and say where that is not known.
//!
//! A fault turned into a reward of 0 teaches a policy that it was wrong. Dropped are faults, broken tasks and what never started. A
//! ceiling kill is kept, since the policy chose to use that much, unless [`ExportOptions::drop_ceiling`] says otherwise.

use std::io::Write;

use infranoise_core::{Blame, Classification, Reward, TrialRecord};
use serde::Serialize;

use super::error::ExportError;
use super::exporter::{Exporter, Target};
use super::options::ExportOptions;
use super::sweep::{Row, Sweep};
use super::word::word;

pub(super) const EXPORTER: Exporter = Exporter {
    id: "mask",
    what: "one line per rollout for RL training: keep, drop or uncertain, and why",
    extension: "mask.jsonl",
    to: Target::Stream(write),
};

/// What to do with a rollout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mask {
    /// Train on it: the policy can have caused how it ended.
    Keep,
    /// Leave it out: the policy cannot have caused how it ended.
    Drop,
    /// It cannot be known.
    Uncertain,
}

/// A decision with its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Masked {
    /// What to do.
    pub mask: Mask,
    /// Why, in one sentence.
    pub why: String,
}

/// Decides about one rollout.
#[must_use]
pub fn mask(verdict: &Classification, options: ExportOptions) -> Masked {
    let cause = verdict.cause;
    let (mask, why) = match verdict.blame {
        Blame::Nobody if verdict.survived.is_empty() => (Mask::Keep, "solved".to_owned()),
        Blame::Nobody => (Mask::Keep, format!("solved, although: {}", verdict.survived.join("; "))),
        Blame::Agent => (Mask::Keep, format!("the policy's own doing: {cause}")),
        Blame::Ceiling { resource } if options.drop_ceiling => {
            (Mask::Drop, format!("ended by its own {resource} ceiling: {cause} (ceiling kills are dropped)"))
        }
        Blame::Ceiling { resource } => {
            (Mask::Keep, format!("ended by its own {resource} ceiling, which the policy ran into: {cause}"))
        }
        Blame::Fault => (Mask::Drop, format!("a fault that the policy cannot have caused: {cause}")),
        Blame::Task => (Mask::Drop, format!("the task itself is broken, for every policy: {cause}")),
        Blame::NotStarted => (Mask::Drop, format!("the policy never acted: {cause}")),
        Blame::Undetermined => (Mask::Uncertain, format!("it cannot be known whose doing it was: {cause}")),
    };
    Masked { mask, why }
}

/// How many rollouts are kept, dropped and uncertain; the rate of faults belongs beside every mask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MaskSummary {
    /// Kept.
    pub keep: u64,
    /// Dropped.
    pub drop: u64,
    /// Not known.
    pub uncertain: u64,
}

impl MaskSummary {
    /// All rollouts.
    #[must_use]
    pub fn total(self) -> u64 {
        self.keep + self.drop + self.uncertain
    }

    /// Counts one more.
    pub fn add(&mut self, mask: Mask) {
        *match mask {
            Mask::Keep => &mut self.keep,
            Mask::Drop => &mut self.drop,
            Mask::Uncertain => &mut self.uncertain,
        } += 1;
    }
}

/// Sums up the masks of all attempts.
#[must_use]
pub fn mask_summary(records: &[TrialRecord], options: ExportOptions) -> MaskSummary {
    let mut summary = MaskSummary::default();
    for record in records {
        summary.add(mask(&record.classification, options).mask);
    }
    summary
}

/// One line of the export.
#[derive(Serialize)]
struct Line<'r> {
    rollout: String,
    task: &'r str,
    arm: &'r str,
    repeat: u32,
    attempt: u32,
    mask: Mask,
    why: String,
    reward: Option<f64>,
    blame: String,
    cause: String,
    rule: &'r str,
    evidence_state: String,
}

impl<'r> Line<'r> {
    fn new(row: &Row<'r>, options: ExportOptions) -> Self {
        let (facts, verdict) = (&row.record.facts, &row.record.classification);
        let Masked { mask, why } = mask(verdict, options);
        Self {
            rollout: row.name(),
            task: facts.key.task.as_str(),
            arm: facts.key.arm.as_str(),
            repeat: facts.key.repeat,
            attempt: facts.attempt.0,
            mask,
            why,
            reward: Reward::main(&facts.outcome.reward),
            blame: word(&verdict.blame),
            cause: word(&verdict.cause),
            rule: &verdict.rule.0,
            evidence_state: word(&verdict.weakest_evidence()),
        }
    }
}

fn write(sweep: &Sweep<'_>, options: ExportOptions, out: &mut (dyn Write + Send)) -> Result<(), ExportError> {
    for row in sweep.rows() {
        let line = serde_json::to_vec(&Line::new(row, options)).map_err(std::io::Error::from)?;
        out.write_all(&line)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

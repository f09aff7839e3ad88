//! Results by path: a sweep of our own, or what another harness left. `PATH@ARM` names one arm of several.

use std::path::Path;

use infranoise_analysis::compare::Side;
use infranoise_core::{ArmId, Plan, TrialRecord};
use infranoise_runner::dispatch::progress;
use infranoise_store::{PlanFile, SweepFolder};

use crate::console;
use crate::error::CommandError;

/// A result in memory.
pub struct Source {
    /// What it is called in tables.
    pub label: ArmId,
    /// Its plan.
    pub plan: Plan,
    /// Its records.
    pub records: Vec<TrialRecord>,
    /// Which arm of it.
    pub arm: ArmId,
    /// What the journal lost, one sentence each.
    pub damage: Vec<String>,
}

/// What is at a path.
struct Found {
    plan: Plan,
    records: Vec<TrialRecord>,
    damage: Vec<String>,
}

impl Source {
    /// The same, borrowed.
    #[must_use]
    pub fn side(&self) -> Side<'_> {
        Side { label: self.label.clone(), plan: &self.plan, records: &self.records, arm: self.arm.clone() }
    }
}

/// Loads a result; one with several arms needs `@ARM`.
///
/// # Errors
/// If there is none at the path, or the arm is not named.
pub fn load(text: &str) -> Result<Source, CommandError> {
    let (path, named) = split(text);
    let Found { plan, records, damage } = find(Path::new(path))?;
    let arm = match (named, plan.arms.as_slice()) {
        (Some(name), _) => ArmId::try_new(name).map_err(CommandError::usage)?,
        (None, [only]) => only.arm.name.clone(),
        (None, arms) => {
            let names: Vec<&str> = arms.iter().map(|arm| arm.arm.name.as_str()).collect();
            return Err(CommandError::usage(format!("`{path}` has several arms: {}", names.join(", ")))
                .hint(format!("name one, as in `{path}@{}`", names.first().unwrap_or(&"ARM"))));
        }
    };
    let label = label(path, named);
    Ok(Source { label, plan, records, arm, damage })
}

/// Path and arm. A path that exists as it stands is never split.
fn split(text: &str) -> (&str, Option<&str>) {
    match text.rsplit_once('@') {
        Some((path, arm)) if !Path::new(text).exists() && !arm.contains('/') => (path, Some(arm)),
        Some(_) | None => (text, None),
    }
}

/// Reads a sweep of our own, or imports what another harness left. What a journal lost is said.
///
/// # Errors
/// If it is neither.
pub fn read(path: &Path) -> Result<(Plan, Vec<TrialRecord>), CommandError> {
    let found = find(path)?;
    Ok((found.plan, found.records))
}

fn find(path: &Path) -> Result<Found, CommandError> {
    if path.join(PlanFile::NAME).exists() {
        let (folder, plan) = SweepFolder::open(path)?;
        let journal = folder.journal(&plan)?;
        let lost = journal.damage.iter().filter(|damage| !damage.torn_tail);
        let damage: Vec<String> = lost
            .map(|damage| format!("journal line {}: {}; what it held is missing", damage.line, damage.why))
            .collect();
        console::warnings(damage.clone());
        let known = progress(&plan.plan, &journal);
        return Ok(Found { plan: plan.plan, records: known.records, damage });
    }
    if !path.exists() {
        return Err(CommandError::new(
            crate::exit::Exit::NothingMatched,
            format!("`{}` does not exist", path.display()),
        ));
    }
    let imported = crate::commands::import::import(&[path], None)?;
    console::warnings(crate::commands::import::losses_words(&imported));
    Ok(Found { plan: imported.plan, records: imported.records, damage: Vec::new() })
}

/// The last part of the path, with the arm if one is named, made fit to be a name.
fn label(path: &str, arm: Option<&str>) -> ArmId {
    let name = Path::new(path)
        .file_name()
        .map_or_else(|| path.to_owned(), |name| name.to_string_lossy().into_owned());
    let whole = arm.map_or(name.clone(), |arm| format!("{name}@{arm}"));
    let fit: String = whole
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || "._-+@".contains(c) { c } else { '-' })
        .take(100)
        .collect();
    let fit = fit.trim_start_matches(['.', '-']).to_owned();
    ArmId::try_new(fit)
        .or_else(|_| ArmId::try_new("result"))
        .unwrap_or_else(|_| unreachable!("`result` is a name"))
}

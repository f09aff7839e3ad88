//! Import: paths in, a plan and records out.

use std::path::{Path, PathBuf};

use infranoise_core::{Plan, SweepId, TrialRecord};

use super::collect::Collector;
use super::defects::TaskDefects;
use super::importer::{Found, IMPORTERS, detect_any};
use super::loss::Losses;
use super::name;
use super::planned::{About, Finished};
use super::unpacked::unpack;

/// Something that happened while importing.
#[derive(Debug)]
pub enum ImportEvent {
    /// A folder or file is being read.
    Reading {
        /// Which.
        path: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// A trial was read and judged.
    Trial(Box<TrialRecord>),
}

/// What was imported.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The plan that the trials would have come from: arms, tasks and repeats as the source distinguishes them.
    pub plan: Plan,
    /// The trials, in the order of reading; empty if they were handed on one by one.
    pub records: Vec<TrialRecord>,
    /// What could not be read.
    pub losses: Losses,
    /// Tasks that nobody can pass, as only all trials together show.
    pub defects: TaskDefects,
}

/// What an import may be told besides its paths.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// The sweep's name; by default after the first path.
    pub name: Option<SweepId>,
    /// Now, in milliseconds since 1970.
    pub now_ms: u64,
    /// Folders with the tasks' files, for results that do not have them beside them.
    pub tasks: Vec<PathBuf>,
}

/// Why nothing could be imported at all. A bad trial is a loss, not an error.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The system refused.
    #[error("read `{}`: {source}", path.display())]
    Unreadable {
        /// What was given.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Nobody knows what this is.
    #[error("`{}` holds no results that are known here; looked for:{looked_for}", path.display())]
    NothingRecognised {
        /// What was given.
        path: PathBuf,
        /// One line for each importer.
        looked_for: String,
    },
    /// Two importers claim it: a mistake of ours.
    #[error("`{}` looks like results of `{first}` and of `{second}`", path.display())]
    Ambiguous {
        /// The path.
        path: PathBuf,
        /// One importer.
        first: &'static str,
        /// The other.
        second: &'static str,
    },
    /// A tree without end.
    #[error("`{}` holds more than {most} files and folders without results; give a folder nearer to them", path.display())]
    TooMany {
        /// What was given.
        path: PathBuf,
        /// The limit.
        most: usize,
    },
    /// Recognised, and yet no trial could be read.
    #[error("`{}` is {what}, but not one trial in it could be read; the first reason: {reason}", path.display())]
    NoTrials {
        /// What was given.
        path: PathBuf,
        /// What it is.
        what: &'static str,
        /// The first loss.
        reason: String,
    },
    /// Nothing was given.
    #[error("nothing to import: name a folder or a file with results")]
    Nothing,
}

impl ImportError {
    /// The same error about the archive instead of the folder that stands for it.
    fn of_archive(self, archive: &Path) -> Self {
        match self {
            Self::NothingRecognised { looked_for, .. } => {
                Self::NothingRecognised { path: archive.to_owned(), looked_for }
            }
            other => other,
        }
    }

    pub(in crate::results) fn nothing_recognised(path: &Path) -> Self {
        let looked_for =
            IMPORTERS.iter().map(|i| format!("\n  {:<12} {} ({})", i.id, i.looks_for, i.what)).collect();
        Self::NothingRecognised { path: path.to_owned(), looked_for }
    }
}

/// Reads results of other harnesses, all at once.
///
/// # Errors
/// If a path cannot be read, nothing is recognised, or not one trial could be read.
pub fn import(paths: &[&Path], name: Option<SweepId>, now_ms: u64) -> Result<Imported, ImportError> {
    import_with(paths, ImportOptions { name, now_ms, ..ImportOptions::default() })
}

/// The same, with options.
///
/// # Errors
/// As [`import`].
pub fn import_with(paths: &[&Path], options: ImportOptions) -> Result<Imported, ImportError> {
    let mut records = Vec::new();
    let Finished { plan, losses, defects } = read(paths, options, &mut |event| match event {
        ImportEvent::Trial(record) => records.push(*record),
        ImportEvent::Reading { .. } => {}
    })?;
    for record in &mut records {
        defects.amend(record);
    }
    Ok(Imported { plan, records, losses, defects })
}

/// The same, with each trial handed on as soon as it is read: in constant memory, however many there are. What only all trials together
/// show, a test file that is broken for everybody, is not yet known then: it is in the [`TaskDefects`] that come back, which amend the
/// records of such tasks, and a warning of the plan.
///
/// # Errors
/// As [`import`]; trials may have been handed on before.
pub fn import_each(
    paths: &[&Path],
    name: Option<SweepId>,
    now_ms: u64,
    each: &mut dyn FnMut(ImportEvent),
) -> Result<Imported, ImportError> {
    let options = ImportOptions { name, now_ms, ..ImportOptions::default() };
    let Finished { plan, losses, defects } = read(paths, options, each)?;
    Ok(Imported { plan, records: Vec::new(), losses, defects })
}

fn read(
    paths: &[&Path],
    options: ImportOptions,
    each: &mut dyn FnMut(ImportEvent),
) -> Result<Finished, ImportError> {
    let mut losses = Losses::default();
    let mut unpacked = Vec::new();
    let mut found = Vec::new();
    for path in paths {
        let archive = unpack(path, &mut losses);
        let archive =
            archive.map_err(|source| ImportError::Unreadable { path: (*path).to_owned(), source })?;
        found.extend(match &archive {
            Some(archive) => detect_any(&archive.root).map_err(|error| error.of_archive(path))?,
            None => detect_any(path)?,
        });
        unpacked.extend(archive);
    }
    let Some(first) = found.first().cloned() else { return Err(ImportError::Nothing) };
    let importers = IMPORTERS.iter().map(|importer| importer.id);
    let present = importers.filter(|id| found.iter().any(|found| found.importer.id == *id)).collect();
    let mut collector = Collector::new(present, each);
    collector.losses = losses;
    collector.task_folders = options.tasks;
    let mut formats = Vec::new();
    for importer in IMPORTERS {
        let own: Vec<Found> =
            found.iter().filter(|found| found.importer.id == importer.id).cloned().collect();
        if !own.is_empty() {
            formats.push(importer.id.to_owned());
            (importer.read)(&own, &mut collector);
        }
    }
    if collector.trials() == 0 {
        let reason = collector.losses.kept.first().map_or_else(
            || "it is empty".to_owned(),
            |loss| format!("{}, {}: {}", loss.file, loss.field, loss.reason),
        );
        return Err(ImportError::NoTrials { path: first.path, what: first.what, reason });
    }
    let about = About {
        name: options.name.unwrap_or_else(|| sweep_name(paths)),
        now_ms: options.now_ms,
        formats,
        sources: paths.iter().map(|path| path.display().to_string()).collect(),
    };
    Ok(collector.finish(about))
}

/// `imported-<last part of the first path>`.
fn sweep_name(paths: &[&Path]) -> SweepId {
    let first = paths.first().and_then(|path| path.file_name()).unwrap_or_default().to_string_lossy();
    let arm = name::arm_id(&format!("imported-{first}"));
    #[expect(clippy::unwrap_used, reason = "what can name an arm can name a sweep: the rules are the same")]
    SweepId::try_new(arm.as_str()).unwrap()
}

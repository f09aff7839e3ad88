//! A sweep's folder.

use std::fs;
use std::path::{Path, PathBuf};

use infranoise_core::{Attempt, Plan, SweepId, TrialKey};

use crate::plan_file::write_whole;
use crate::{Journal, JournalWriter, PlanFile, StoreError, WriteLock, read_journal};

/// The folder of one sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepFolder {
    path: PathBuf,
}

impl SweepFolder {
    /// Makes the folder of a new sweep and writes its plan.
    ///
    /// # Errors
    /// If a sweep of this name exists, or the folder cannot be written.
    pub fn create(root: &Path, plan: &Plan) -> Result<(Self, PlanFile), StoreError> {
        let path = root.join(plan.sweep.as_str());
        fs::create_dir_all(path.join("trials")).map_err(StoreError::io("create", &path))?;
        let plan_file = PlanFile::write(&path, plan)?;
        Ok((Self { path }, plan_file))
    }

    /// Finds an existing sweep and reads its plan.
    ///
    /// # Errors
    /// If there is none, or its plan is malformed or of a newer version.
    pub fn open(path: &Path) -> Result<(Self, PlanFile), StoreError> {
        let plan_file = PlanFile::read(path)?;
        Ok((Self { path: path.to_owned() }, plan_file))
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The journal's path.
    #[must_use]
    pub fn journal_path(&self) -> PathBuf {
        self.path.join("journal.jsonl")
    }

    /// Takes the right to write, and opens the journal. A journal that was begun with another plan is refused.
    ///
    /// # Errors
    /// If another process writes, the plan was changed, or the journal cannot be written.
    pub fn write(&self, plan: &PlanFile) -> Result<(WriteLock, JournalWriter, Journal), StoreError> {
        let lock = WriteLock::take(&self.path)?;
        let (writer, journal) = JournalWriter::open(&self.journal_path())?;
        self.check_plan(plan, &journal)?;
        Ok((lock, writer, journal))
    }

    /// Reads the journal.
    ///
    /// # Errors
    /// If it cannot be read, or was begun with another plan.
    pub fn journal(&self, plan: &PlanFile) -> Result<Journal, StoreError> {
        let journal = read_journal(&self.journal_path())?;
        self.check_plan(plan, &journal)?;
        Ok(journal)
    }

    fn check_plan(&self, plan: &PlanFile, journal: &Journal) -> Result<(), StoreError> {
        let begun_with = journal.entries.iter().find_map(|entry| match &entry.event {
            infranoise_core::Event::SweepStarted { plan_sha256, .. } => Some(plan_sha256),
            _ => None,
        });
        match begun_with {
            Some(expected) if *expected != plan.sha256 => Err(StoreError::PlanChanged {
                path: self.path.join(PlanFile::NAME),
                expected: expected.clone(),
                found: plan.sha256.clone(),
            }),
            Some(_) | None => Ok(()),
        }
    }

    /// The folder of one attempt of a trial (not yet made).
    #[must_use]
    pub fn trial(&self, key: &TrialKey, attempt: Attempt) -> PathBuf {
        let name = match attempt {
            Attempt(0) => key.folder(),
            Attempt(n) => format!("{}.attempt-{n}", key.folder()),
        };
        self.path.join("trials").join(name)
    }

    /// Makes an empty folder for one attempt of a trial; what a dead process left there is removed.
    ///
    /// # Errors
    /// If it cannot be removed or made.
    pub fn fresh_trial(&self, key: &TrialKey, attempt: Attempt) -> Result<PathBuf, StoreError> {
        let path = self.trial(key, attempt);
        match fs::remove_dir_all(&path) {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(StoreError::io("write", &path)(error)),
        }
        fs::create_dir_all(&path).map_err(StoreError::io("create", &path))?;
        Ok(path)
    }

    /// Writes a document into the folder, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_document(&self, name: &str, bytes: &[u8]) -> Result<PathBuf, StoreError> {
        let path = self.path.join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(StoreError::io("create", folder))?;
        }
        write_whole(&path, bytes)?;
        Ok(path)
    }
}

/// The sweeps in a folder, by name.
///
/// # Errors
/// If the folder is there and cannot be read.
pub fn sweeps_in(root: &Path) -> Result<Vec<SweepId>, StoreError> {
    let entries = match fs::read_dir(root) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(StoreError::io("read", root)(error)),
    };
    let mut names: Vec<SweepId> = entries
        .filter_map(Result::ok)
        .filter(|entry| entry.path().join(PlanFile::NAME).is_file())
        .filter_map(|entry| SweepId::try_new(entry.file_name().to_string_lossy().into_owned()).ok())
        .collect();
    names.sort();
    Ok(names)
}

//! What the analysis does not hold and a page can show: logs and curves of single trials, and a comparison with another result.

use infranoise_analysis::compare::Comparing;

/// What stands in a page beside the analysis.
#[derive(Clone, Debug, Default)]
pub struct Extras {
    /// Logs and curves of trials, those first that matter most; a page shows as many as it has room for.
    pub trials: Vec<TrialFiles>,
    /// The comparison that the analysis is of, if it is one of two results.
    pub compared: Option<Comparing>,
}

/// The files of one trial.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrialFiles {
    /// Its folder's name, as in the analysis.
    pub trial: String,
    /// Readings over time.
    pub readings: Vec<Reading>,
    /// The ends of its logs.
    pub logs: Vec<LogTail>,
}

/// One reading of a trial's resources.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reading {
    /// When, in milliseconds since sampling began.
    pub at_ms: u64,
    /// Memory now, page cache included.
    pub memory_bytes: Option<u64>,
    /// CPU time since the beginning, in microseconds.
    pub cpu_us: Option<u64>,
}

/// The end of a log. It is hostile input: whatever a program in the sandbox wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogTail {
    /// The file inside the trial's folder.
    pub name: String,
    /// How large the whole file is.
    pub bytes: u64,
    /// Its last lines.
    pub tail: String,
}

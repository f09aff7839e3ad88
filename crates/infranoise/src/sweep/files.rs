//! What a report shows of single trials beside their records: readings over time and the ends of logs.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::TrialRow;
use infranoise_core::{Attempt, Shown};
use infranoise_report::extras::{LogTail, Reading, TrialFiles};
use infranoise_sandbox::telemetry::read_samples;

/// So many trials are read at most; the page shows as many of them as it has room for.
const MOST_TRIALS: usize = 120;
/// So much of the end of a log is read.
const TAIL_BYTES: u64 = 4_096;
/// So many logs of a trial at most.
const MOST_LOGS: usize = 6;

/// The files of trials, those with infra errors first. What is not there is left out: a sweep's folder may have been thinned.
pub fn trial_files(sweep: &Path, analysis: &Analysis) -> Vec<TrialFiles> {
    let mut rows: Vec<&TrialRow> = analysis.trials.iter().collect();
    rows.sort_by_key(|row| rank(row.shown));
    rows.into_iter().take(MOST_TRIALS).filter_map(|row| files(sweep, row)).collect()
}

fn rank(shown: Shown) -> u8 {
    match shown {
        Shown::Fault => 0,
        Shown::Undetermined => 1,
        Shown::Ceiling => 2,
        Shown::NotStarted => 3,
        Shown::Fail => 4,
        Shown::Pass => 5,
    }
}

fn files(sweep: &Path, row: &TrialRow) -> Option<TrialFiles> {
    let name = match Attempt(row.attempt) {
        Attempt(0) => row.trial.clone(),
        Attempt(n) => format!("{}.attempt-{n}", row.trial),
    };
    // A trial's name comes from a record; it must not lead out of the folder.
    if name.contains(['/', '\0']) || name.starts_with('.') {
        return None;
    }
    let folder = sweep.join("trials").join(name);
    let (readings, logs) = (readings(&folder), logs(&folder));
    if readings.is_empty() && logs.is_empty() {
        return None;
    }
    Some(TrialFiles { trial: row.trial.clone(), readings, logs })
}

fn readings(folder: &Path) -> Vec<Reading> {
    let Ok((_, samples)) = read_samples(&folder.join("telemetry.csv")) else { return Vec::new() };
    samples
        .iter()
        .map(|sample| Reading {
            at_ms: u64::from(sample.at_ms),
            memory_bytes: sample.memory_bytes(),
            cpu_us: sample.column("cpu_us"),
        })
        .collect()
}

fn logs(folder: &Path) -> Vec<LogTail> {
    let mut logs = Vec::new();
    for part in ["setup", "agent", "verifier"] {
        let Ok(entries) = std::fs::read_dir(folder.join(part)) else { continue };
        let mut names: Vec<_> = entries
            .filter_map(Result::ok)
            .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
            .map(|entry| entry.path())
            .collect();
        names.sort();
        for path in names {
            let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
            logs.extend(tail(&path, name).filter(|log| log.bytes > 0));
        }
    }
    logs.truncate(MOST_LOGS);
    logs
}

fn tail(path: &Path, name: String) -> Option<LogTail> {
    let mut file = File::open(path).ok()?;
    let bytes = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(bytes.saturating_sub(TAIL_BYTES))).ok()?;
    let mut tail = Vec::new();
    file.take(TAIL_BYTES).read_to_end(&mut tail).ok()?;
    Some(LogTail { name, bytes, tail: String::from_utf8_lossy(&tail).into_owned() })
}

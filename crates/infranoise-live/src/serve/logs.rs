//! The last of what a trial wrote. Logs are foreign files: only plain ones are read, only so much, and never through a link.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use rustix::fs::{Mode, OFlags};

/// Folders with logs, in the order of phases.
const FOLDERS: [&str; 3] = ["setup", "agent", "verifier"];

/// At most so many files of one trial.
const FILES: usize = 12;

/// So much of the end of a file, in bytes.
const TAIL: u64 = 16 << 10;

/// So many lines of it.
const LINES: usize = 200;

/// The end of one log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Log {
    /// Its place in the trial's folder.
    pub(super) name: String,
    /// Its whole size in bytes.
    pub(super) size_bytes: u64,
    /// Its last lines, as they are: not yet made harmless.
    pub(super) lines: Vec<String>,
}

/// The ends of a trial's logs.
pub(super) fn tails(trial: &Path) -> Vec<Log> {
    let mut logs = Vec::new();
    for folder in FOLDERS {
        let Ok(entries) = std::fs::read_dir(trial.join(folder)) else { continue };
        let plain =
            entries.filter_map(Result::ok).filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
        let mut names: Vec<_> = plain.map(|entry| entry.file_name()).take(FILES * 8).collect();
        names.sort();
        for name in names {
            if logs.len() == FILES {
                return logs;
            }
            let path = trial.join(folder).join(&name);
            logs.extend(tail(&path, format!("{folder}/{}", name.to_string_lossy())));
        }
    }
    logs
}

fn tail(path: &Path, name: String) -> Option<Log> {
    // It may have become a link or a pipe since: neither is followed or waited for.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty()).ok()?);
    let metadata = file.metadata().ok().filter(std::fs::Metadata::is_file)?;
    let from = metadata.len().saturating_sub(TAIL);
    let mut bytes = vec![0; usize::try_from(metadata.len() - from).ok()?];
    let read = file.read_at(&mut bytes, from).ok()?;
    bytes.truncate(read);
    let text = String::from_utf8_lossy(&bytes);
    let all: Vec<&str> = text.lines().collect();
    // The first line of a tail is most often a part of one.
    let skip = all.len().saturating_sub(LINES).max(usize::from(from > 0 && all.len() > 1));
    let lines = all.into_iter().skip(skip).map(str::to_owned).collect();
    Some(Log { name, size_bytes: metadata.len(), lines })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_files_are_read_and_only_their_ends() {
        let trial = tempfile::tempdir().expect("a folder");
        let agent = trial.path().join("agent");
        std::fs::create_dir_all(&agent).expect("a folder");
        let lines: String = (0..10_000).map(|n| format!("line {n}\n")).collect();
        std::fs::write(agent.join("a.log"), &lines).expect("writes");
        std::fs::write(agent.join("b.log"), b"\x1b[2J\0\xff<b>").expect("writes");
        std::fs::write(agent.join("long.log"), "x".repeat(1 << 20)).expect("writes");
        std::os::unix::fs::symlink("/etc/passwd", agent.join("link.log")).expect("a link");
        rustix::fs::mknodat(
            rustix::fs::CWD,
            agent.join("pipe.log"),
            rustix::fs::FileType::Fifo,
            Mode::from_raw_mode(0o600),
            0,
        )
        .expect("a pipe");
        std::fs::create_dir(agent.join("logs")).expect("a folder");
        let logs = tails(trial.path());
        let names: Vec<&str> = logs.iter().map(|log| log.name.as_str()).collect();
        assert_eq!(names, ["agent/a.log", "agent/b.log", "agent/long.log"]);
        assert_eq!((logs[0].lines.len(), logs[0].size_bytes), (LINES, lines.len() as u64));
        assert_eq!(logs[0].lines.last().map(String::as_str), Some("line 9999"));
        assert_eq!(logs[2].lines[0].len() as u64, TAIL);
        assert_eq!(tail(&agent.join("link.log"), String::new()), None);
        assert_eq!(tail(&agent.join("pipe.log"), String::new()), None);
    }
}

//! Starting one command.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};

use crate::{message, sys};

/// How much likelier than the supervisor a command is to be chosen by the out-of-memory killer.
const OOM_SCORE_ADJ: &[u8] = b"500";
const OOM_SCORE_FILE: &str = "/proc/self/oom_score_adj";

/// Starts a command detached: in its own session, with its output in the first descriptor, inside the control groups whose join files
/// are the other ones. Gives its process id.
pub(crate) fn start(command: &message::Command, descriptors: Vec<OwnedFd>) -> io::Result<u32> {
    let invalid = || io::Error::from(io::ErrorKind::InvalidInput);
    let (program, arguments) = command.argv.split_first().ok_or_else(invalid)?;
    let mut descriptors = descriptors.into_iter();
    let output = descriptors.next().ok_or_else(invalid)?;
    let groups: Vec<File> = descriptors.map(File::from).collect();
    let mut process = Command::new(program);
    process
        .args(arguments)
        .env_clear()
        .envs(command.env.iter().map(|(name, value)| (name, value)))
        .current_dir(&command.cwd)
        // Ours, which was opened before anything ran in here: by now /dev/null may be gone or be something else.
        .stdin(Stdio::inherit())
        .stdout(Stdio::from(output.try_clone()?))
        .stderr(Stdio::from(output));
    sys::in_own_session(&mut process, move || {
        // A kernel that refuses this was already named in the greeting; it is a gap, not a failure.
        drop(raise_oom_score());
        groups.iter().try_for_each(|mut group| group.write_all(b"0"))
    });
    // The child is reaped with all others, by its process id.
    process.spawn().map(|child| child.id())
}

fn raise_oom_score() -> io::Result<()> {
    File::options().write(true).open(OOM_SCORE_FILE)?.write_all(OOM_SCORE_ADJ)
}

/// Tries whether commands can be made likelier victims than the supervisor, and says so if not.
pub(crate) fn oom_score_gap() -> Option<String> {
    let before = std::fs::read(OOM_SCORE_FILE).ok()?;
    let tried = raise_oom_score().and_then(|()| std::fs::write(OOM_SCORE_FILE, before));
    tried.err().map(|error| format!("oom_score_adj of the commands could not be raised: {error}"))
}

//! Executing this program again in a scope of the user's systemd, with control groups handed down to it.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A variable that tells the second process that it is one.
pub(super) const MARK: &str = "INFRANOISE_IN_SCOPE";

/// A scope that is to be asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    systemd_run: PathBuf,
}

impl Scope {
    pub(super) fn new(systemd_run: PathBuf) -> Self {
        Self { systemd_run }
    }

    /// The command that begins the program again in a scope: the same arguments, environment, folder and terminal.
    #[must_use]
    pub fn command(&self, program: &Path, arguments: &[OsString]) -> Command {
        let mut command = Command::new(&self.systemd_run);
        command
            .args(["--user", "--scope", "--quiet", "--collect", "-p", "Delegate=yes", "--"])
            .arg(program)
            .args(arguments)
            .env(MARK, "1");
        command
    }

    /// Becomes that command. Returns only if it cannot be executed.
    pub fn execute(&self, program: &Path, arguments: &[OsString]) -> io::Error {
        self.command(program, arguments).exec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// There is no systemd to ask here: a stand-in takes its place, and does what it does with a scope, which is to execute.
    #[test]
    fn the_second_process_has_the_same_arguments_and_a_mark() {
        let place = tempfile::tempdir().expect("a folder");
        let stand_in = place.path().join("systemd-run");
        let script = "#!/bin/sh\nfor word; do echo \"[$word]\"; done\nwhile [ \"$1\" != -- ]; do shift; done; shift\nexec \"$@\"\n";
        std::fs::write(&stand_in, script).expect("write");
        std::fs::set_permissions(&stand_in, std::fs::Permissions::from_mode(0o755)).expect("mode");
        let arguments = ["-c", "echo \"$INFRANOISE_IN_SCOPE: $0 $1 <$2>\"", "sweep", "-p", "a task's folder"];
        let arguments = arguments.map(OsString::from);
        let output = Scope::new(stand_in).command(Path::new("/bin/sh"), &arguments).output().expect("runs");
        let text = String::from_utf8_lossy(&output.stdout);
        let options =
            "[--user]\n[--scope]\n[--quiet]\n[--collect]\n[-p]\n[Delegate=yes]\n[--]\n[/bin/sh]\n[-c]\n";
        assert!(text.starts_with(options), "{text}");
        assert!(text.ends_with("1: sweep -p <a task's folder>\n"), "{text}");
    }
}

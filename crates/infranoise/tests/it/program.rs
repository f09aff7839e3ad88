//! The built program, in a folder of its own.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use infranoise_core::TrialRecord;

/// Sweeps share the machine's CPUs: one at a time, so that probes with deadlines are not starved by other tests.
static MACHINE: Mutex<()> = Mutex::new(());

/// A place to type commands in.
pub struct Place {
    pub folder: tempfile::TempDir,
    _machine: MutexGuard<'static, ()>,
}

impl Place {
    pub fn new() -> Self {
        let machine = MACHINE.lock().unwrap_or_else(PoisonError::into_inner);
        Self { folder: tempfile::tempdir().expect("a folder"), _machine: machine }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_infranoise"));
        command
            .args(args)
            .current_dir(self.path())
            .env("INFRANOISE_STATE", self.path().join("state"))
            .env_remove("INFRANOISE_OUT")
            .env("NO_COLOR", "1")
            .stdin(Stdio::null());
        command
    }

    /// Runs a command to its end.
    pub fn run(&self, args: &[&str]) -> Done {
        Done(self.command(args).output().expect("the program starts"))
    }

    /// Starts a command.
    pub fn start(&self, args: &[&str]) -> Child {
        self.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts")
    }

    /// The only sweep's folder.
    pub fn sweep(&self) -> PathBuf {
        let mut sweeps =
            std::fs::read_dir(self.path().join("runs")).expect("sweeps").map(|e| e.expect("an entry").path());
        let sweep = sweeps.next().expect("a sweep");
        assert_eq!(sweeps.next(), None, "one sweep");
        sweep
    }

    /// The recorded trials of a sweep.
    pub fn records(&self, sweep: &Path) -> Vec<TrialRecord> {
        let listed = self.run(&["trial", "list", &sweep.to_string_lossy(), "--json"]);
        serde_json::from_str(&listed.out()).expect("records")
    }
}

/// A command that ended.
pub struct Done(pub Output);

impl Done {
    pub fn code(&self) -> i32 {
        self.0.status.code().unwrap_or(-1)
    }

    pub fn out(&self) -> String {
        String::from_utf8_lossy(&self.0.stdout).into_owned()
    }

    pub fn err(&self) -> String {
        String::from_utf8_lossy(&self.0.stderr).into_owned()
    }

    #[track_caller]
    pub fn ok(self) -> Self {
        assert_eq!(self.code(), 0, "stderr: {}\nstdout: {}", self.err(), self.out());
        self
    }
}

/// Whether this machine can carry the local engine; says so aloud if it cannot.
pub fn can_sweep(test: &str) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let root =
        status.lines().any(|line| line.starts_with("Uid:") && line.split_whitespace().nth(2) == Some("0"));
    if !root {
        println!("SKIPPED: {test}: the local engine needs root here");
    }
    root
}

/// Writes a task folder with the given `task.toml` and test script.
pub fn write_task(folder: &Path, toml: &str, test: &str, policy: &str) {
    for (name, content) in [
        ("task.toml", toml),
        ("instruction.md", "Write 1 to /tmp/answer.\n"),
        ("tests/test.sh", test),
        ("policy.toml", policy),
        ("solution/solve.sh", "#!/bin/sh\necho 1 > /tmp/answer\n"),
        ("environment/Dockerfile", "FROM scratch\nWORKDIR /tmp\n"),
    ] {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, content).expect("writes");
    }
}

/// A small task that states everything.
pub const TASK: &str = r#"
version = "1.0"
[agent]
timeout_sec = 20.0
[verifier]
timeout_sec = 20.0
[environment]
cpus = 1
memory_mb = 64
network_mode = "no-network"
"#;

/// A test that checks the answer.
pub const TEST: &str =
    "#!/bin/sh\nif grep -qx 1 /tmp/answer; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n";

/// A policy that answers.
pub const POLICY: &str = "[strategies.only]\nsteps = ['echo 1 > /tmp/answer']\n";

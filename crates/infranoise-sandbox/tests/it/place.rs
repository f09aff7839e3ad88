//! A place for a test: an engine with its own folders, and sandboxes with what the test asks for.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use infranoise_core::{
    Allocation, Band, Bytes, Ceiling, KillScope, MilliCpu, PageCache, Phase, SandboxId, SweepId, TimeLimits,
    Visible,
};
use infranoise_sandbox::contract::{
    DeadlineKill, ExecEnd, ExecSpec, Limit, Network, RootSource, SandboxSpec,
};
use infranoise_sandbox::launcher::LauncherProgram;
use infranoise_sandbox::local::{LocalConfig, LocalEngine, Sandbox};

static NUMBER: AtomicU32 = AtomicU32::new(0);

/// An engine of its own, in folders of its own.
pub(crate) struct Place {
    pub(crate) engine: LocalEngine,
    pub(crate) folder: tempfile::TempDir,
}

/// Whether this machine can make sandboxes; says aloud why not.
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
pub(crate) fn can_sandbox() -> bool {
    if rustix::process::geteuid().is_root() {
        return true;
    }
    eprintln!("SKIPPED: sandboxes on this host need root");
    false
}

/// Whether this is a user namespace in which there is nobody but root.
pub(crate) fn one_id() -> bool {
    let map = std::fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    let ids = map.lines().filter_map(|line| line.split_whitespace().nth(2)?.parse::<u64>().ok());
    ids.sum::<u64>() == 1
}

pub(crate) fn config(folder: &Path) -> LocalConfig {
    LocalConfig {
        state_dir: folder.join("state"),
        cgroup_root: PathBuf::from("/"),
        launcher: LauncherProgram::Path(PathBuf::from(env!("CARGO_BIN_EXE_infranoise-launcher"))),
    }
}

impl Place {
    pub(crate) fn new() -> Option<Self> {
        if !can_sandbox() {
            return None;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let engine = LocalEngine::start(&config(folder.path())).expect("the engine starts");
        Some(Self { engine, folder })
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A sandbox with the host's programs and no ceilings.
    pub(crate) fn spec(&self) -> SandboxSpec {
        spec(self.folder.path())
    }

    pub(crate) fn sandbox(&self) -> Sandbox {
        self.engine.create(&self.spec()).expect("the sandbox starts")
    }
}

pub(crate) fn spec(folder: &Path) -> SandboxSpec {
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("t{}-{number}", std::process::id());
    SandboxSpec {
        id: SandboxId::try_new(name.clone()).expect("a name"),
        sweep: SweepId::try_new(format!("it-{}", std::process::id())).expect("a name"),
        allocation: allocation(Ceiling::Uncapped),
        kill_scope: KillScope::Process,
        visible: Visible::Host,
        page_cache: PageCache::AsFound,
        root: RootSource::HostUserland,
        network: Network::None,
        overlays: Vec::new(),
        env: Vec::new(),
        scratch: folder.join("scratch").join(name),
        telemetry_file: None,
    }
}

pub(crate) fn allocation(memory: Ceiling<Bytes>) -> Allocation {
    Allocation {
        memory: Band::try_new(Bytes(0), memory).expect("a band"),
        cpu: Band::try_new(MilliCpu(0), Ceiling::Uncapped).expect("a band"),
        pids: Ceiling::Uncapped,
        storage: Ceiling::Uncapped,
        disk_rate: Default::default(),
        time: TimeLimits {
            start_ms: Ceiling::Uncapped,
            agent_ms: Ceiling::Uncapped,
            verifier_ms: Ceiling::Uncapped,
        },
    }
}

/// A command of the shell, with its output in a file of the sandbox's own.
pub(crate) fn sh(script: &str, output: &Path) -> ExecSpec {
    command(&["/bin/sh", "-c", script], output)
}

pub(crate) fn command(argv: &[&str], output: &Path) -> ExecSpec {
    ExecSpec {
        phase: Phase::Agent,
        argv: argv.iter().map(|&word| word.to_owned()).collect(),
        env: Vec::new(),
        cwd: PathBuf::from("/root"),
        output: output.to_owned(),
        output_limit_bytes: 1 << 20,
    }
}

/// A generous limit: what takes longer hangs.
pub(crate) const SOON: Limit = Ceiling::At(Duration::from_secs(180));

/// Runs a shell command to its end and gives what it printed.
pub(crate) fn say(place: &Place, sandbox: &Sandbox, script: &str) -> (ExecEnd, String) {
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let output = place.path(&format!("output-{number}"));
    let end =
        sandbox.run(&sh(script, &output), SOON, DeadlineKill::Foreground).expect("the command is waited for");
    (end, std::fs::read_to_string(output).expect("the output is there"))
}

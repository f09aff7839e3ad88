//! What the tests share: trials on the real kernel, and programs to put into them.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use infranoise_core::{
    Allocation, Band, Bytes, Ceiling, CgroupMode, KillScope, MilliCpu, SandboxId, SweepId, TimeLimits,
};
use infranoise_sandbox::cgroup::{Cgroups, Hierarchy, Leaf, TrialGroup};

/// The control groups of this host, if we may use them.
#[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
pub fn host() -> Option<(Cgroups, CgroupMode)> {
    let opened = Hierarchy::detect(Path::new("/")).and_then(|found| {
        let mode = found.mode();
        Cgroups::open(&found).map(|cgroups| (cgroups, mode))
    });
    match opened {
        Ok(opened) => Some(opened),
        Err(error) => {
            println!("SKIPPED: {error}");
            None
        }
    }
}

/// One trial's groups, removed when the test ends, however it ends.
pub struct Trial {
    pub group: TrialGroup,
    cgroups: Cgroups,
    pub sweep: SweepId,
}

impl Trial {
    pub fn new(cgroups: &Cgroups, name: &str, allocation: &Allocation, scope: KillScope) -> Self {
        let unique = format!("test-{}-{name}", std::process::id());
        let sweep = SweepId::try_new(&unique).expect("a name");
        let sandbox = SandboxId::try_new(unique).expect("a name");
        let group = cgroups.create_trial(&sweep, &sandbox, allocation, scope).expect("groups");
        Self { group, cgroups: cgroups.clone(), sweep }
    }

    pub fn leaf(&self, name: &str) -> Leaf {
        self.group.leaf(name).expect("a leaf")
    }
}

impl Drop for Trial {
    fn drop(&mut self) {
        self.group.destroy().expect("the groups go");
        self.cgroups.remove_sweep(&self.sweep);
    }
}

pub fn allocation(memory: Ceiling<Bytes>, cpu: Ceiling<MilliCpu>, pids: Ceiling<u32>) -> Allocation {
    Allocation {
        memory: Band::try_new(Bytes::mib(8), memory).expect("a band"),
        cpu: Band::try_new(MilliCpu(100), cpu).expect("a band"),
        pids,
        storage: Ceiling::Uncapped,
        disk_rate: Default::default(),
        time: TimeLimits {
            start_ms: Ceiling::Uncapped,
            agent_ms: Ceiling::Uncapped,
            verifier_ms: Ceiling::Uncapped,
        },
    }
}

pub fn memory_only(mib: u64) -> Allocation {
    allocation(Ceiling::At(Bytes::mib(mib)), Ceiling::Uncapped, Ceiling::Uncapped)
}

/// A shell in a command's group.
pub fn start(leaf: &Leaf, script: &str) -> Child {
    let join: String =
        leaf.join_files().iter().map(|file| format!("echo $$ > {} || exit 99; ", file.display())).collect();
    let mut command = Command::new("/bin/sh");
    command.args(["-c", &format!("{join}{script}")]).stdin(Stdio::null()).stdout(Stdio::null());
    command.stderr(Stdio::null()).spawn().expect("a shell")
}

/// What a shell runs to hold so many MiB in a child: this very program, in the test `hold_memory`.
pub fn hog(mib: u64) -> String {
    let myself = std::env::current_exe().expect("a path");
    format!("HOLD_MIB={mib} {} --ignored --exact hold_memory; true", myself.display())
}

/// Waits up to five seconds for something to become true.
pub fn eventually(what: &str, mut now: impl FnMut() -> bool) {
    for _ in 0..500 {
        if now() {
            return;
        }
        sleep(Duration::from_millis(10));
    }
    panic!("never: {what}");
}

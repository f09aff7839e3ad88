//! Our engine.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use infranoise_core::{
    Allocation, Band, Bytes, Ceiling, KillScope, MilliCpu, PageCache, Phase, SandboxId, SweepId, TimeLimits,
    Visible,
};
use infranoise_sandbox::contract::{DeadlineKill, ExecSpec, Network, RootSource, SandboxSpec};
use infranoise_sandbox::launcher::LauncherProgram;
use infranoise_sandbox::local::{LocalConfig, LocalEngine, Sandbox};

static NEXT: AtomicU32 = AtomicU32::new(0);

pub(crate) struct Ours {
    engine: LocalEngine,
    folder: PathBuf,
    storage: Ceiling<Bytes>,
}

impl Ours {
    pub(crate) fn start(folder: &Path) -> Self {
        let engine = LocalEngine::start(&LocalConfig {
            state_dir: folder.join("state"),
            cgroup_root: PathBuf::from("/"),
            launcher: LauncherProgram::SelfExe,
        });
        Self { engine: engine.unwrap(), folder: folder.to_owned(), storage: Ceiling::Uncapped }
    }

    /// The same with a ceiling on disk space.
    pub(crate) fn with_storage(mut self, bytes: u64) -> Self {
        self.storage = Ceiling::At(Bytes(bytes));
        self
    }

    /// One sandbox, from nothing to nothing but its layer, which a thread removes; the time of each part.
    pub(crate) fn once(&self) -> [Duration; 3] {
        let start = Instant::now();
        let sandbox = self.create();
        let created = start.elapsed();
        self.exec(&sandbox);
        let ran = start.elapsed();
        sandbox.finalize().unwrap();
        [created, ran - created, start.elapsed() - ran]
    }

    /// The same, and then its layer is gone too.
    pub(crate) fn once_and_settle(&self) {
        self.once();
        self.engine.settle();
    }

    pub(crate) fn create(&self) -> Sandbox {
        self.engine.create(&self.spec()).unwrap()
    }

    /// Waits until every layer is removed.
    pub(crate) fn settle(&self) {
        self.engine.settle();
    }

    pub(crate) fn exec(&self, sandbox: &Sandbox) {
        self.carry_out(sandbox, &["/bin/true"]);
    }

    /// Makes so many files in its layer.
    pub(crate) fn fill(&self, sandbox: &Sandbox, files: u32) {
        let script = format!("mkdir /root/f; cd /root/f; seq {files} | xargs touch");
        self.carry_out(sandbox, &["/bin/sh", "-c", &script]);
    }

    fn carry_out(&self, sandbox: &Sandbox, argv: &[&str]) {
        let exec = ExecSpec {
            phase: Phase::Agent,
            argv: argv.iter().map(|&word| word.to_owned()).collect(),
            env: Vec::new(),
            cwd: PathBuf::from("/"),
            output: self.folder.join(sandbox.id().as_str()),
            output_limit_bytes: 1 << 20,
        };
        let end = sandbox.run(&exec, Ceiling::Uncapped, DeadlineKill::Foreground).unwrap();
        assert!(end.record.stop.succeeded(), "{end:?}");
    }

    fn spec(&self) -> SandboxSpec {
        let name = format!("b{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        SandboxSpec {
            id: SandboxId::try_new(name.clone()).unwrap(),
            sweep: SweepId::try_new(format!("bench-{}", std::process::id())).unwrap(),
            allocation: Allocation {
                memory: Band::try_new(Bytes(0), Ceiling::At(Bytes(256 << 20))).unwrap(),
                cpu: Band::try_new(MilliCpu(0), Ceiling::At(MilliCpu(1000))).unwrap(),
                pids: Ceiling::At(100),
                storage: self.storage,
                disk_rate: Default::default(),
                time: TimeLimits {
                    start_ms: Ceiling::Uncapped,
                    agent_ms: Ceiling::Uncapped,
                    verifier_ms: Ceiling::Uncapped,
                },
            },
            kill_scope: KillScope::Process,
            visible: Visible::Host,
            page_cache: PageCache::AsFound,
            root: RootSource::HostUserland,
            network: Network::None,
            overlays: Vec::new(),
            env: Vec::new(),
            scratch: self.folder.join("scratch").join(name),
            telemetry_file: None,
        }
    }
}

impl Drop for Ours {
    fn drop(&mut self) {
        self.engine.settle();
        self.engine.leave(&SweepId::try_new(format!("bench-{}", std::process::id())).unwrap());
    }
}

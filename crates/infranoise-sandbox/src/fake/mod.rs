//! An engine that runs nothing: each command's end comes from a function, files live in a folder, time does not pass.
//!
//! For tests of whatever drives engines. The same function and the same commands give the same records.

use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use infranoise_core::{Enforcement, Held, KillScope, ResourceEvent, Stop};

use crate::contract::{Capabilities, EngineError, ExecSpec, SandboxSpec};

mod sandbox;

pub use sandbox::{FakeInterrupter, FakeSandbox};

/// What a scripted command does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// How it ends, if its limit allows.
    pub stop: Stop,
    /// How long it takes, in milliseconds; beyond its limit it ends at its deadline.
    pub takes_ms: u64,
    /// What it prints.
    pub prints: String,
    /// Files that it leaves behind: absolute path and content.
    pub writes: Vec<(PathBuf, Vec<u8>)>,
    /// What ceilings and the host do to it; the time, the command and its phase are filled in.
    pub events: Vec<ResourceEvent>,
    /// Changes the record before it is given out, as for a peak.
    pub peak_bytes: Option<u64>,
    /// Whether the sandbox ends with it.
    pub ends_sandbox: bool,
}

impl Answer {
    /// Ends with an exit code, at once, and leaves nothing.
    #[must_use]
    pub fn exits(code: i32) -> Self {
        Self {
            stop: Stop::Exited { code },
            takes_ms: 1,
            prints: String::new(),
            writes: Vec::new(),
            events: Vec::new(),
            peak_bytes: None,
            ends_sandbox: false,
        }
    }

    /// The same, and leaves a file.
    #[must_use]
    pub fn and_writes(mut self, path: impl Into<PathBuf>, content: impl Into<Vec<u8>>) -> Self {
        self.writes.push((path.into(), content.into()));
        self
    }
}

/// The function that answers: the sandbox that is asked, and the command.
pub type Script = dyn Fn(&SandboxSpec, &ExecSpec) -> Answer + Send + Sync;

/// The function that refuses sandboxes.
pub type Refusal = dyn Fn(&SandboxSpec) -> Option<EngineError> + Send + Sync;

/// The engine.
#[derive(Clone)]
pub struct FakeEngine {
    script: Arc<Script>,
    refusal: Arc<Refusal>,
}

impl FakeEngine {
    /// An engine whose commands end as the function says.
    #[must_use]
    pub fn new(script: impl Fn(&SandboxSpec, &ExecSpec) -> Answer + Send + Sync + 'static) -> Self {
        Self { script: Arc::new(script), refusal: Arc::new(|_| None) }
    }

    /// The same, but some sandboxes do not start.
    #[must_use]
    pub fn refusing(
        mut self,
        refusal: impl Fn(&SandboxSpec) -> Option<EngineError> + Send + Sync + 'static,
    ) -> Self {
        self.refusal = Arc::new(refusal);
        self
    }

    /// It says that it holds everything.
    #[must_use]
    pub fn capabilities(&self) -> Capabilities {
        Capabilities {
            engine: "fake",
            enforcement: holds_everything(KillScope::Trial),
            kill_scopes: vec![KillScope::Process, KillScope::Exec, KillScope::Trial],
            host_oom_visible: true,
            warnings: Vec::new(),
        }
    }

    /// Makes a sandbox: a folder for its files.
    ///
    /// # Errors
    /// If the refusal says so, or the folder cannot be made.
    pub fn create(&self, spec: &SandboxSpec) -> Result<FakeSandbox, EngineError> {
        if let Some(refused) = (self.refusal)(spec) {
            return Err(refused);
        }
        let files = spec.scratch.join("files");
        fs::create_dir_all(&files).map_err(|source| EngineError::Start {
            sandbox: spec.id.clone(),
            step: "make the folder".to_owned(),
            source,
        })?;
        let enforcement = holds_everything(spec.kill_scope);
        let sandbox = FakeSandbox::new(Arc::clone(&self.script), spec, enforcement, files);
        for overlay in &spec.overlays {
            sandbox.put(&overlay.from, &overlay.to)?;
        }
        Ok(sandbox)
    }
}

impl fmt::Debug for FakeEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FakeEngine")
    }
}

fn holds_everything(kill_scope: KillScope) -> Enforcement {
    let held = || Held::ByKernel { knob: "fake".to_owned(), value: "as asked".to_owned() };
    Enforcement {
        memory_floor: held(),
        memory_ceiling: held(),
        swap_closed: held(),
        cpu_floor: held(),
        cpu_ceiling: held(),
        pids_ceiling: held(),
        storage_ceiling: held(),
        disk_rate: held(),
        kill_scope,
        kill_scope_held: held(),
        gaps: Vec::new(),
    }
}

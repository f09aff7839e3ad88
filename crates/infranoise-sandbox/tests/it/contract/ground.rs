//! What a case stands on: an engine, a folder, and words for what cases do.

use std::fs;
use std::path::{Path, PathBuf};

use infranoise_core::CgroupMode;
use infranoise_sandbox::cgroup::Hierarchy;
use infranoise_sandbox::contract::{DeadlineKill, ExecEnd, SandboxSpec};
use infranoise_sandbox::fake::FakeEngine;
use infranoise_sandbox::local::LocalEngine;
use infranoise_sandbox::{Engine, Sandbox};

use super::pretend::pretend;
use crate::place::{SOON, can_sandbox, config, sh, spec};

/// Which engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Local,
    Fake,
    #[cfg(feature = "docker")]
    Container(infranoise_sandbox::docker::Flavour),
}

/// An engine and a folder for one case.
pub(super) struct Ground {
    pub(super) engine: Engine,
    pub(super) folder: tempfile::TempDir,
}

impl Kind {
    /// Its column in the table: for what runs on a kernel also the kind of control groups and of user.
    pub(super) fn column(self) -> String {
        if self == Self::Fake {
            return "fake".to_owned();
        }
        let mode = match Hierarchy::detect(Path::new("/")).map(|found| found.mode()) {
            Ok(CgroupMode::V1) => "v1",
            Ok(CgroupMode::V2) => "v2",
            Ok(CgroupMode::Hybrid) => "hybrid",
            Ok(CgroupMode::Absent) | Err(_) => "no control groups",
        };
        let who = if infranoise_sandbox::rootless::in_user_namespace() {
            "user namespace"
        } else if rustix::process::geteuid().is_root() {
            "root"
        } else {
            "ordinary user"
        };
        format!("{}, {mode}, {who}", self.name())
    }

    /// Whether a container engine starts the sandboxes.
    pub(super) fn is_container(self) -> bool {
        !matches!(self, Self::Local | Self::Fake)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Fake => "fake",
            #[cfg(feature = "docker")]
            Self::Container(flavour) => flavour.name(),
        }
    }

    /// A new engine, or why there can be none.
    pub(super) fn ground(self) -> Result<Ground, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let engine = match self {
            Self::Fake => Engine::Fake(FakeEngine::new(pretend)),
            _ if !can_sandbox() => return Err("sandboxes need root".to_owned()),
            Self::Local => {
                Engine::Local(LocalEngine::start(&config(folder.path())).expect("the engine starts"))
            }
            #[cfg(feature = "docker")]
            Self::Container(flavour) => crate::containers::engine(flavour, folder.path())?,
        };
        Ok(Ground { engine, folder })
    }
}

impl Ground {
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn spec(&self) -> SandboxSpec {
        spec(self.folder.path())
    }

    pub(super) fn create(&self, spec: &SandboxSpec) -> Sandbox {
        self.engine.create(spec).expect("the sandbox starts")
    }

    pub(super) fn sandbox(&self) -> Sandbox {
        self.create(&self.spec())
    }

    /// Runs a shell command to its end, and gives what it printed.
    pub(super) fn say(&self, sandbox: &Sandbox, script: &str) -> (ExecEnd, String) {
        let output = tempfile::NamedTempFile::new_in(self.folder.path()).expect("a file");
        let end = sandbox.run(&sh(script, output.path()), SOON, DeadlineKill::Foreground);
        let printed = fs::read(output.path()).expect("the output is there");
        (end.expect("the command is waited for"), String::from_utf8_lossy(&printed).into_owned())
    }

    /// Whether the sandboxes are this program's own.
    pub(super) fn is_local(&self) -> bool {
        matches!(self.engine, Engine::Local(_))
    }

    /// Whether there is a kernel behind it.
    pub(super) fn is_real(&self) -> bool {
        !matches!(self.engine, Engine::Fake(_))
    }
}

/// The reason of every case that a script cannot answer.
pub(super) const NO_KERNEL: &str = "scripted, no kernel behind it";

/// Leaves a case that needs a kernel.
macro_rules! real {
    ($ground:expr) => {
        if !$ground.is_real() {
            return $crate::contract::cannot_run($crate::contract::ground::NO_KERNEL);
        }
    };
}
pub(super) use real;

//! The contract that every engine keeps: what is asked of it, what it answers and what it leaves as evidence.
//!
//! `create` a sandbox with bands, `exec` commands in it, `wait` for each, `put` and `get` files, then `finalize` into evidence. An
//! exit status is believed only if the supervisor inside recorded it. Nothing here knows of tasks, agents or sweeps.

use std::path::PathBuf;
use std::time::Duration;

use infranoise_core::{
    Allocation, Cause, Ceiling, Enforcement, ExecRecord, HostWindow, KillScope, PageCache, Phase,
    ResourceEvent, SandboxId, SweepId, TelemetrySummary, Visible,
};

pub use crate::bridge::{Allowed, BadAllowed};

/// Where a sandbox's root file system comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RootSource {
    /// The host's own programs and libraries under an overlay, with a minimal generated `/etc`; never its homes, data or secrets.
    HostUserland,
    /// A folder that holds a root file system.
    Folder(PathBuf),
    /// A tar file that holds a root file system.
    Tar(PathBuf),
    /// A container image by its name, as in `debian:12` or `ubuntu@sha256:…`.
    Image(String),
    /// An image that is built of a folder with a `Dockerfile`, once for each content.
    Build(Recipe),
}

/// What an image is built of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// The folder that it may copy from; its `Dockerfile` is in it.
    pub context: PathBuf,
    /// How long that may take.
    pub limit: Ceiling<Duration>,
}

/// A root that was made ready before any trial waits for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadyRoot {
    /// The image's name or id, where there is one.
    pub image: Option<String>,
    /// What its registry calls it.
    pub digest: Option<String>,
    /// The folder that it says commands start in.
    pub workdir: Option<PathBuf>,
}

/// What network a sandbox has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Network {
    /// A namespace of its own with nothing but loopback.
    #[default]
    None,
    /// The host's.
    Host,
    /// A namespace of its own with a link to the host, through which nothing but this can be reached.
    Bridge(Vec<Allowed>),
}

/// A file or folder of the host that is laid over the sandbox's root before it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlay {
    /// What is laid in: a file or a folder of the host.
    pub from: PathBuf,
    /// Where: an absolute path inside.
    pub to: PathBuf,
    /// Copied (the sandbox may change its copy) or bind-mounted read-only.
    pub how: OverlayKind,
}

/// How something is laid over the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverlayKind {
    /// Copied into the sandbox's own writable layer.
    Copy,
    /// Mounted read-only; never writable.
    BindReadOnly,
    /// Mounted writable: a folder of the trial on the host, as `/logs` is.
    BindWritable,
}

/// What is asked of an engine.
#[derive(Clone, Debug)]
pub struct SandboxSpec {
    /// Its name.
    pub id: SandboxId,
    /// Whose it is: everything created carries this label.
    pub sweep: SweepId,
    /// Floors, ceilings and time limits.
    pub allocation: Allocation,
    /// What dies when memory runs over.
    pub kill_scope: KillScope,
    /// What the sandbox sees of the machine.
    pub visible: Visible,
    /// Page cache.
    pub page_cache: PageCache,
    /// Where the root comes from.
    pub root: RootSource,
    /// The network.
    pub network: Network,
    /// What is laid over the root.
    pub overlays: Vec<Overlay>,
    /// Variables that every command gets.
    pub env: Vec<(String, String)>,
    /// A folder on the host for the writable layer and the supervisor's records; created and removed by the engine.
    pub scratch: PathBuf,
    /// Where telemetry samples are written, if they are kept.
    pub telemetry_file: Option<PathBuf>,
}

/// One command.
#[derive(Clone, Debug)]
pub struct ExecSpec {
    /// The phase that it belongs to.
    pub phase: Phase,
    /// Program and arguments.
    pub argv: Vec<String>,
    /// More variables.
    pub env: Vec<(String, String)>,
    /// Working folder inside.
    pub cwd: PathBuf,
    /// Where its output goes on the host: stdout and stderr together, appended.
    pub output: PathBuf,
    /// At most so many bytes of output are kept; the rest is counted and dropped.
    pub output_limit_bytes: u64,
}

/// How a command ended, and what it used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecEnd {
    /// The record for the trial's facts; its times count from the sandbox's creation.
    pub record: ExecRecord,
    /// Whether the sandbox is still usable.
    pub sandbox_alive: bool,
}

/// What an engine leaves when a sandbox is done.
#[derive(Clone, Debug)]
pub struct SandboxEvidence {
    /// Everything that ceilings, floors and the host did to it.
    pub events: Vec<ResourceEvent>,
    /// What was measured.
    pub telemetry: TelemetrySummary,
    /// The host meanwhile.
    pub host: HostWindow,
    /// Things that were seen and do not fit elsewhere, in sentences.
    pub notes: Vec<String>,
}

/// What an engine can do on this host, said before anything starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// The engine's name, as in `local`.
    pub engine: &'static str,
    /// What each promise would be, were it asked for.
    pub enforcement: Enforcement,
    /// Kill scopes that can be held.
    pub kill_scopes: Vec<KillScope>,
    /// Whether a host out-of-memory kill can be told from one at the own ceiling.
    pub host_oom_visible: bool,
    /// Problems that the person should know, each with a way out.
    pub warnings: Vec<String>,
}

/// Which processes a deadline ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadlineKill {
    /// The command and its foreground tree: daemons that it left behind live on.
    Foreground,
    /// Every process in the sandbox but the supervisor.
    Everything,
}

/// Why an engine could not find out or could not do what was asked. A trial that fails is not an error.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// A step of creating the sandbox failed; what was already made has been undone.
    #[error("start the sandbox `{sandbox}`: {step}: {source}")]
    Start {
        /// The sandbox.
        sandbox: SandboxId,
        /// What was being done.
        step: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The host cannot hold what was asked.
    #[error("{what}; {way_out}")]
    Incapable {
        /// What cannot be held.
        what: String,
        /// What the person can do.
        way_out: String,
    },
    /// The sandbox or its supervisor is gone.
    #[error("the sandbox `{sandbox}` is gone: {why}")]
    Gone {
        /// The sandbox.
        sandbox: SandboxId,
        /// What was noticed.
        why: String,
    },
    /// Something on the host failed.
    #[error("{step}: `{path}`: {source}")]
    Host {
        /// What was being done.
        step: String,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A container engine's daemon does not answer, or failed.
    #[error("{engine}: {step}: {why}")]
    Daemon {
        /// The engine.
        engine: &'static str,
        /// What it was asked to do.
        step: String,
        /// What was noticed.
        why: String,
    },
    /// An image is not there and could not be fetched.
    #[error("fetch the image `{image}`: {failure}: {why}")]
    Image {
        /// The image.
        image: String,
        /// What kind of failure it was.
        failure: ImageFailure,
        /// What the registry or the daemon said.
        why: String,
    },
    /// An image could not be built.
    #[error("build the image of `{context}`: {why}")]
    Build {
        /// The folder with the `Dockerfile`.
        context: PathBuf,
        /// The end of the log, or what else went wrong.
        why: String,
    },
    /// The launcher process does not answer.
    #[error("the launcher does not answer: {why}")]
    Launcher {
        /// What was noticed.
        why: String,
    },
}

/// What kept an image from being fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageFailure {
    /// There is none of that name.
    Missing,
    /// The registry said to slow down.
    RateLimited,
    /// The registry could not be reached, or the connection broke.
    Network,
    /// The registry does not give it to this user.
    Denied,
    /// There is no room for it.
    DiskFull,
    /// Something else.
    Other,
}

impl std::fmt::Display for ImageFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Missing => "there is no such image",
            Self::RateLimited => "the registry limits the rate of pulls",
            Self::Network => "the network failed",
            Self::Denied => "access is denied",
            Self::DiskFull => "the disk is full",
            Self::Other => "it failed",
        })
    }
}

impl EngineError {
    /// The cause to record when this ends a trial.
    #[must_use]
    pub fn cause(&self) -> Cause {
        match self {
            Self::Start { source, .. } | Self::Host { source, .. }
                if source.kind() == std::io::ErrorKind::StorageFull =>
            {
                Cause::DiskFull
            }
            Self::Start { .. } | Self::Incapable { .. } => Cause::StartFailed,
            Self::Gone { .. } => Cause::SandboxGone,
            Self::Image { failure: ImageFailure::DiskFull, .. } => Cause::DiskFull,
            Self::Image { .. } => Cause::ImagePull,
            Self::Build { .. } => Cause::BuildFailed,
            Self::Host { .. } | Self::Launcher { .. } | Self::Daemon { .. } => Cause::EngineError,
        }
    }
}

/// A command's wall-clock limit.
pub type Limit = Ceiling<Duration>;

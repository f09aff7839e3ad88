//! What the launcher is asked to make, as a message.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// What the launcher is asked to do.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Ask {
    /// Make a sandbox. With the message come two descriptors: the control socket of the supervisor and the file for its records; and a
    /// third, the mount of its volume, if it has one.
    Make(Box<SandboxPlan>),
    /// Take note of the sandboxes that have ended.
    Reap,
}

/// A sandbox, resolved to paths of the host and mounts.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SandboxPlan {
    /// The name that it gives itself.
    pub(crate) hostname: String,
    /// Control-group files that its pid 1 writes itself into.
    pub(crate) join: Vec<PathBuf>,
    /// Whether it has a network of its own, with nothing but loopback.
    pub(crate) own_network: bool,
    /// Where the volume that comes as a third descriptor is attached, in the sandbox's own mounts alone; layers may lie on it.
    pub(crate) volume: Option<PathBuf>,
    /// Where the root is put together: an empty folder on the host.
    pub(crate) mount_point: PathBuf,
    /// The layers, outermost first; the first is the root itself.
    pub(crate) layers: Vec<Layer>,
    /// What is mounted over the root.
    pub(crate) binds: Vec<Bind>,
    /// Whether all this happens in a user namespace, where device nodes cannot be made and flags of the host's mounts not be taken away.
    pub(crate) user_namespace: bool,
    /// The size of machine to show instead of the host's.
    pub(crate) seen: Option<Seen>,
}

/// The size of a machine, as far as it is to be shown.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Seen {
    /// Memory.
    pub(crate) memory_bytes: Option<u64>,
    /// Processors.
    pub(crate) cpus: Option<u32>,
}

/// A writable layer over folders of the host.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Layer {
    /// Where, relative to the root; empty for the root itself.
    pub(crate) at: PathBuf,
    /// The folder beneath, never written.
    pub(crate) lower: PathBuf,
    /// Where changes go.
    pub(crate) upper: PathBuf,
    /// The kernel's own folder beside it.
    pub(crate) work: PathBuf,
}

/// A file or folder of the host that is seen inside.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Bind {
    /// On the host.
    pub(crate) from: PathBuf,
    /// Inside: absolute.
    pub(crate) to: PathBuf,
    /// Whether it can be written.
    pub(crate) writable: bool,
}

//! Tasks in Harbor's format, read natively.
//!
//! [`load`] reads a folder of tasks or one task into [`Task`]s: plain values, nothing decided. What cannot be supported is refused
//! by name, with the file and the line, before anything starts. [`plan_environment`] interprets the Dockerfile without building
//! it; [`read_reward`] reads what a verifier left; [`policy`] reads the strategies of the `script` agent.
//!
//! Deliberately absent: the host's environment (a closure gives it), clocks, sandboxes, image builds.

pub mod contract;
mod digest;
pub mod dockerfile;
mod folder;
mod ignore;
mod load;
mod manifest;
mod metadata;
pub mod policy;
mod report;
mod reward;
mod section;
mod task;
mod unsupported;
mod variable;

pub use digest::{Unreadable, task_digest};
pub use dockerfile::{EnvironmentPlan, InstalledPackages, Root, plan_environment};
pub(crate) use folder::read_spec;
pub use folder::read_task;
pub use load::{LoadError, Loaded, Selection, load};
pub use policy::ScriptPolicy;
pub use report::{Place, TaskError, TaskWarning};
pub use reward::read_reward;
pub use task::{ImageInfo, Network, Task, User, Users, Variables};
pub use unsupported::{Comes, UNSUPPORTED, Unsupported};
pub use variable::{NotSet, Template, resolve_all};

#[cfg(test)]
mod tests;

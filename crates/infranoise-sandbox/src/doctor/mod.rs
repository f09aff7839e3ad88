//! Can this host hold what a sweep asks for? A list of checks, each with a way out.
//!
//! Checks try things rather than believe versions: a control group is made, an overlay is mounted, and both are removed again. Nothing
//! is printed here: the result is data.

mod check;
mod filesystems;
mod groups;
mod kernel;
mod privileges;
mod probe;
mod resources;

pub use check::{Check, CheckResult, Diagnosis, Status};
pub use probe::Probe;

/// Every check, in the order in which a person wants to read them: what must be first, what is merely good to know last.
pub const CHECKS: &[Check] = &[
    Check { id: "privileges", what: "root and its capabilities", run: privileges::check },
    Check { id: "cgroups", what: "control groups", run: groups::mode },
    Check { id: "memory-ceiling", what: "memory ceilings", run: groups::memory_ceiling },
    Check { id: "swap", what: "closed swap", run: groups::swap },
    Check { id: "memory-floor", what: "memory floors", run: groups::memory_floor },
    Check { id: "cpu", what: "CPU ceilings and floors", run: groups::cpu },
    Check { id: "pids", what: "limits on processes", run: groups::pids },
    Check { id: "kill-scope", what: "ending a whole trial when memory runs over", run: groups::kill_scope },
    Check { id: "kernel-log", what: "telling a host's kill from a ceiling's", run: kernel::log },
    Check { id: "overlay", what: "overlay file systems", run: filesystems::overlay },
    Check { id: "namespaces", what: "namespaces", run: kernel::namespaces },
    Check { id: "clone3", what: "starting sandboxes by clone3", run: kernel::clone3 },
    Check { id: "seccomp", what: "system call filters", run: kernel::seccomp },
    Check { id: "pressure", what: "pressure stall information", run: kernel::pressure },
    Check { id: "memory", what: "free memory", run: resources::memory },
    Check { id: "disk", what: "free disk", run: resources::disk },
    Check { id: "files", what: "open files", run: resources::files },
    Check { id: "clock", what: "a steady clock", run: resources::clock },
    Check { id: "quiet", what: "a quiet host", run: resources::quiet },
];

/// Carries out every check.
#[must_use]
pub fn examine(probe: &Probe) -> Vec<Diagnosis> {
    let diagnose = |check: &Check| Diagnosis {
        id: check.id.to_owned(),
        what: check.what.to_owned(),
        result: (check.run)(probe),
    };
    CHECKS.iter().map(diagnose).collect()
}

#[cfg(test)]
mod tests;

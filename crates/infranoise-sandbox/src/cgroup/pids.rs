//! Limits on processes and threads: the same files in both versions, counted in different places.

use std::path::Path;

use infranoise_core::{Ceiling, Held, Observed};

use super::group;
use super::knob;

/// Sets the ceiling.
pub(crate) fn ceiling(work: &Path, ceiling: Ceiling<u32>) -> Held {
    let Ceiling::At(most) = ceiling else { return Held::NotAsked };
    knob::held_by_kernel("pids.max", knob::set(work, "pids.max", &most.to_string()))
}

/// Forks that were refused in a group and below it. On version 1, and on version 2 before Linux 6.11, the refusal is counted
/// where the process forks; since then where the limit is. No refusal is counted twice.
pub(crate) fn refused(dir: &Path) -> Observed<u64> {
    let one = |dir: &Path| {
        let file = if counts_at_the_limit(dir) { "pids.events.local" } else { "pids.events" };
        knob::observe(dir, file, |text| knob::keyed(text, "max"))
    };
    match group::subtree(dir) {
        Ok(dirs) => dirs.iter().map(|dir| one(dir)).reduce(knob::sum).unwrap_or_default(),
        Err(error) => Observed::Unavailable(error.to_string()),
    }
}

/// Whether this kernel counts a refusal in the group whose limit it was, and not in the forking one.
pub(crate) fn counts_at_the_limit(dir: &Path) -> bool {
    dir.join("pids.events.local").exists()
}

/// The most processes and threads at once.
pub(crate) fn peak(dir: &Path) -> Observed<u64> {
    knob::observe(dir, "pids.peak", knob::number)
}

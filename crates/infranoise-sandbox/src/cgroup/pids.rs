//! Limits on processes and threads: the same files in both versions, counted in different places.

use std::path::Path;

use infranoise_core::{Ceiling, Held, Observed};

use super::group;
use super::knob;

/// The part of all processes that the host can have which one trial may take where no ceiling was asked for.
const SAFE_PERCENT: u64 = 15;
/// And at least and at most so many.
const SAFE: std::ops::RangeInclusive<u64> = 1_000..=16_384;

/// Sets the ceiling. Where none was asked for, the host still needs one: a fork bomb takes every number that there is, and nothing on
/// the host starts any more. That it is ours, and not the plan's, stands in the record.
pub(crate) fn ceiling(work: &Path, ceiling: Ceiling<u32>) -> Held {
    match ceiling {
        Ceiling::At(most) => knob::held_by_kernel("pids.max", knob::set(work, "pids.max", &most.to_string())),
        Ceiling::Uncapped => {
            let held = knob::held_by_kernel("pids.max", knob::set(work, "pids.max", &safe().to_string()));
            match held {
                Held::ByKernel { knob, value } => {
                    Held::ByKernel { knob, value: format!("{value} (none was asked for: the host's safety)") }
                }
                // Nothing was asked for, so no promise is broken.
                _ => Held::NotAsked,
            }
        }
    }
}

/// As systemd does it for a unit: a share of what the kernel can number and keep.
fn safe() -> u64 {
    let most = |name: &str| {
        let text = std::fs::read_to_string(Path::new("/proc/sys/kernel").join(name)).ok()?;
        knob::number(&text)
    };
    let all = [most("pid_max"), most("threads-max")].into_iter().flatten().min().unwrap_or(u64::MAX);
    (all / 100).saturating_mul(SAFE_PERCENT).clamp(*SAFE.start(), *SAFE.end())
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

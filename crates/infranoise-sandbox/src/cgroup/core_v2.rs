//! What every version 2 group can do without a controller: hand down controllers, freeze, kill, say whether it is empty.

use std::fs;
use std::io;
use std::path::Path;

use infranoise_core::Observed;

use super::error::CgroupError;
use super::knob;

/// Where the processes go that sat in the group below which ours must be.
pub(crate) const HOST: &str = "infranoise-host";

/// Switches a controller on for a group's children.
pub(crate) fn enable(dir: &Path, controller: &str) -> io::Result<()> {
    let on = knob::read(dir, "cgroup.subtree_control")?;
    if on.split_whitespace().any(|name| name == controller) {
        return Ok(());
    }
    knob::write(dir, "cgroup.subtree_control", &format!("+{controller}"))
}

/// Moves the processes of a group into a child: a group that hands down controllers may hold none itself. Happens only where we
/// may not use the top of the tree, or where that top is a container's.
pub(crate) fn evacuate(dir: &Path) -> Result<String, CgroupError> {
    let refuge = dir.join(HOST);
    match fs::create_dir(&refuge) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            return Err(CgroupError::Make { path: refuge, source: error });
        }
        Ok(()) | Err(_) => {}
    }
    let procs = dir.join("cgroup.procs");
    let text = fs::read_to_string(&procs).map_err(CgroupError::read(&procs))?;
    for pid in text.lines().filter(|pid| *pid != "0") {
        match knob::write(&refuge, "cgroup.procs", pid) {
            Err(error) if error.raw_os_error() != Some(rustix::io::Errno::SRCH.raw_os_error()) => {
                return Err(CgroupError::write(&refuge, "cgroup.procs", pid)(error));
            }
            Ok(()) | Err(_) => {}
        }
    }
    Ok(format!("the processes of `{}` were moved into `{HOST}` below it", dir.display()))
}

/// Stops or continues every process of a group and of those below it.
pub(crate) fn freeze(dir: &Path, frozen: bool) -> io::Result<()> {
    knob::write(dir, "cgroup.freeze", if frozen { "1" } else { "0" })
}

/// Whether every process has stopped.
pub(crate) fn frozen(dir: &Path) -> io::Result<bool> {
    Ok(knob::keyed(&knob::read(dir, "cgroup.events")?, "frozen") == Some(1))
}

/// Kills every process of a group and of those below it, frozen or not (Linux 5.14).
pub(crate) fn kill(dir: &Path) -> io::Result<()> {
    knob::write(dir, "cgroup.kill", "1")
}

/// CPU time used, in microseconds; known in every group, whatever its controllers.
pub(crate) fn cpu_us(dir: &Path) -> Observed<u64> {
    knob::observe(dir, "cpu.stat", |text| knob::keyed(text, "usage_usec"))
}

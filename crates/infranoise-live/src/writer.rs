//! Who writes a sweep, seen from outside: the name in the lock file, and whether that process lives. The lock itself is not touched.

use std::path::Path;

use infranoise_store::LockHolder;

/// Who writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writer {
    /// A process of this machine.
    Alive {
        /// Its number.
        pid: u32,
    },
    /// A process that is no more.
    Gone,
    /// It wrote on another machine, or before this one started anew, or nobody is named.
    Unknown,
}

/// Looks who writes the sweep in a folder.
#[must_use]
pub fn writer(folder: &Path) -> Writer {
    let named = std::fs::read(folder.join("lock")).ok();
    let Some(holder) = named.and_then(|bytes| serde_json::from_slice::<LockHolder>(&bytes).ok()) else {
        return Writer::Unknown;
    };
    if holder.boot_id.is_empty() || holder.boot_id != LockHolder::this_process().boot_id {
        return Writer::Unknown;
    }
    let alive = Path::new("/proc").join(holder.pid.to_string()).exists();
    if alive { Writer::Alive { pid: holder.pid } } else { Writer::Gone }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_living_the_dead_and_strangers_are_told_apart() {
        let folder = tempfile::tempdir().expect("a folder");
        let this = LockHolder::this_process();
        let dead = LockHolder { pid: u32::MAX, ..this.clone() };
        let strange = LockHolder { boot_id: "another".to_owned(), ..this.clone() };
        assert_eq!(writer(folder.path()), Writer::Unknown, "nobody is named");
        for (holder, expected) in
            [(&this, Writer::Alive { pid: this.pid }), (&dead, Writer::Gone), (&strange, Writer::Unknown)]
        {
            let bytes = serde_json::to_vec(holder).expect("writes");
            std::fs::write(folder.path().join("lock"), bytes).expect("writes");
            assert_eq!(writer(folder.path()), expected);
        }
    }
}

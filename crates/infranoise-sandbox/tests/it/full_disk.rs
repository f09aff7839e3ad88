//! A host whose disk is full: told from a trial that met its own ceiling.

use std::path::{Path, PathBuf};

use infranoise_core::{Bytes, Ceiling, Held, ResourceEventKind};
use rustix::mount::{MountFlags, UnmountFlags, mount, unmount};

use crate::place::{Place, say};

/// A small file system for scratch folders, unmounted in the end.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn at(folder: &Path) -> Self {
        std::fs::create_dir(folder).expect("a folder");
        mount("tmpfs", folder, "tmpfs", MountFlags::empty(), c"size=64m").expect("mount");
        Self(folder.to_owned())
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = unmount(&self.0, UnmountFlags::DETACH);
    }
}

#[test]
fn a_full_disk_of_the_host_is_not_the_trials_ceiling() {
    let Some(place) = Place::new() else { return };
    let disk = SmallDisk::at(&place.path("scratch"));
    for storage in [Ceiling::Uncapped, Ceiling::At(Bytes(512 << 20))] {
        let mut spec = place.spec();
        spec.allocation.storage = storage;
        let sandbox = place.engine.create(&spec).expect("the sandbox starts");
        if let Held::NotAtAll { why } = &sandbox.enforcement().storage_ceiling {
            eprintln!("SKIPPED: a sparse volume on a full disk: {why}");
            continue;
        }
        // What lies in the page cache is refused by nobody: past it, into the volume's file, where there is one.
        let how = if storage == Ceiling::Uncapped { "" } else { "oflag=direct" };
        let script = format!("dd if=/dev/zero of=/root/large bs=1M count=100 {how} 2>&1");
        let (end, printed) = say(&place, &sandbox, &script);
        assert!(!end.record.stop.succeeded(), "{printed}");
        let events = sandbox.finalize().expect("finalize").events;
        let host = events.iter().any(|event| matches!(event.kind, ResourceEventKind::HostDiskFull { .. }));
        let own = events.iter().any(|event| matches!(event.kind, ResourceEventKind::StorageRefused { .. }));
        assert!(host && !own, "{storage:?}: {events:?}");
        place.engine.settle();
    }
    let Place { engine, folder } = place;
    drop(engine);
    drop(disk);
    drop(folder);
}

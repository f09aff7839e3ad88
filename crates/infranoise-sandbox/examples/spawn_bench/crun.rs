//! The same by `crun run`, over the same kind of overlay, if it is installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A bundle whose root is an overlay of the host's programs.
pub(crate) struct Bundle {
    folder: PathBuf,
}

impl Bundle {
    /// Writes the bundle; `None` without crun.
    pub(crate) fn prepare(folder: &Path) -> Option<Self> {
        Command::new("crun").arg("--version").stdout(Stdio::null()).status().ok()?;
        fs::create_dir_all(folder).ok()?;
        let made = Command::new("crun").arg("spec").current_dir(folder).status().ok()?;
        let path = folder.join("config.json");
        let mut config: serde_json::Value = serde_json::from_slice(&fs::read(&path).ok()?).ok()?;
        config["process"]["args"] = serde_json::json!(["/bin/true"]);
        config["process"]["terminal"] = serde_json::json!(false);
        config["process"]["rlimits"] = serde_json::json!([]);
        config["root"]["readonly"] = serde_json::json!(false);
        config["linux"]["resources"] = serde_json::json!({
            "memory": { "limit": 268_435_456 }, "cpu": { "quota": 100_000, "period": 100_000 }, "pids": { "limit": 100 }
        });
        fs::write(&path, config.to_string()).ok()?;
        made.success().then(|| Self { folder: folder.to_owned() })
    }

    /// Mounts the overlay, runs, and removes everything. Hybrid hosts confuse crun: it gets a mount namespace without the empty tree.
    pub(crate) fn run(&self, number: u32) {
        let script = format!(
            "umount /sys/fs/cgroup/unified 2>/dev/null; mkdir -p u{number}/u u{number}/w rootfs && \
             mount -t overlay -o volatile,lowerdir=/usr,upperdir=u{number}/u,workdir=u{number}/w overlay rootfs && \
             crun run -b . bench-{number}-$$; code=$?; umount rootfs; rm -rf u{number}; exit $code"
        );
        let status = Command::new("unshare")
            .args(["-m", "--propagation", "private", "sh", "-c", &script])
            .current_dir(&self.folder)
            .status();
        assert!(status.is_ok_and(|status| status.success()), "crun does not run");
    }
}

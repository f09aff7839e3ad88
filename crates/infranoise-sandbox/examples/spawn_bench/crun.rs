//! The same by `crun`, over the same kind of overlay, which the worker mounts itself so that no shell is counted.

#![expect(unsafe_code, reason = "unshare may close what other threads use; here is one thread")]

use std::ffi::CString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::mount::{MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_change, unmount};
use rustix::thread::{UnshareFlags, unshare_unsafe};

/// A bundle whose root is an overlay of the host's programs.
pub(crate) struct Bundle {
    folder: PathBuf,
}

impl Bundle {
    /// Writes the bundle; `None` without crun. Hybrid hosts confuse crun: this process gets a view without the second tree.
    pub(crate) fn prepare(folder: &Path, program: &[&str]) -> Option<Self> {
        Command::new("crun").arg("--version").stdout(Stdio::null()).status().ok()?;
        fs::create_dir_all(folder.join("rootfs")).ok()?;
        Command::new("crun").arg("spec").current_dir(folder).status().ok()?;
        let path = folder.join("config.json");
        let mut config: serde_json::Value = serde_json::from_slice(&fs::read(&path).ok()?).ok()?;
        config["process"]["args"] = serde_json::json!(program);
        config["process"]["terminal"] = serde_json::json!(false);
        config["process"]["rlimits"] = serde_json::json!([]);
        config["root"]["readonly"] = serde_json::json!(false);
        config["linux"]["resources"] = serde_json::json!({
            "memory": { "limit": 268_435_456 }, "cpu": { "quota": 100_000, "period": 100_000 }, "pids": { "limit": 100 }
        });
        fs::write(&path, config.to_string()).ok()?;
        // SAFETY: unsharing mounts closes no descriptor, and this process has one thread.
        unsafe { unshare_unsafe(UnshareFlags::NEWNS) }.ok()?;
        mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC).ok()?;
        let _ = unmount("/sys/fs/cgroup/unified", UnmountFlags::DETACH);
        Some(Self { folder: folder.to_owned() })
    }

    fn name(&self) -> String {
        format!("bench-{}", std::process::id())
    }

    fn crun(&self, words: &[&str]) {
        let status = Command::new("crun").args(words).current_dir(&self.folder).stdin(Stdio::null()).status();
        assert!(status.is_ok_and(|status| status.success()), "crun {words:?} fails");
    }

    fn mount(&self) -> std::io::Result<()> {
        let path = |part: &str| self.folder.join(part).display().to_string();
        fs::create_dir(path("upper"))?;
        fs::create_dir(path("work"))?;
        let options = format!("volatile,lowerdir=/usr,upperdir={},workdir={}", path("upper"), path("work"));
        mount("overlay", path("rootfs"), "overlay", MountFlags::empty(), CString::new(options)?.as_c_str())?;
        Ok(())
    }

    fn remove(&self) -> std::io::Result<()> {
        unmount(self.folder.join("rootfs"), UnmountFlags::empty())?;
        fs::remove_dir_all(self.folder.join("upper"))?;
        fs::remove_dir_all(self.folder.join("work"))
    }

    /// Mounts the overlay, runs, and removes everything.
    pub(crate) fn once(&self) -> std::io::Result<()> {
        self.mount()?;
        self.crun(&["run", "-b", ".", &self.name()]);
        self.remove()
    }

    /// Starts a container that stands.
    pub(crate) fn start(&self) -> std::io::Result<()> {
        self.mount()?;
        let name = self.name();
        // A detached container keeps the descriptors that it is given.
        let quiet = Command::new("crun")
            .args(["run", "-d", "-b", ".", &name])
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        assert!(quiet.is_ok_and(|status| status.success()), "crun run -d fails");
        Ok(())
    }

    /// Runs a program in it.
    pub(crate) fn exec(&self) {
        self.crun(&["exec", &self.name(), "/bin/true"]);
    }

    /// Ends it.
    pub(crate) fn kill(&self) -> std::io::Result<()> {
        self.crun(&["delete", "-f", &self.name()]);
        self.remove()
    }
}

//! The same by `docker`, as a person would type it. Needs `DOCKER_HOST` and the image `bench-min` (`benches/spawn.sh` gives both).

use std::process::{Command, Stdio};

const IMAGE: &str = "bench-min";

/// Whether there is an engine with the image.
pub(crate) fn there() -> bool {
    let asked = Command::new("docker")
        .args(["image", "inspect", IMAGE])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    asked.is_ok_and(|status| status.success())
}

/// `docker run` of `true`.
pub(crate) fn once() {
    docker(&[&RUN[..], &["--rm", IMAGE, "/bin/true"]].concat());
}

/// Starts a container that stands.
pub(crate) fn start() {
    docker(&[&RUN[..], &["-d", "--name", &name(), IMAGE, "/bin/sleep", "1000"]].concat());
}

/// `docker exec` of `true`.
pub(crate) fn exec() {
    docker(&["exec", &name(), "/bin/true"]);
}

/// Ends the container.
pub(crate) fn kill() {
    docker(&["rm", "-f", &name()]);
}

const RUN: [&str; 9] = ["run", "--network", "none", "--memory", "256m", "--cpus", "1", "--pids-limit", "100"];

fn name() -> String {
    format!("bench-{}", std::process::id())
}

fn docker(words: &[&str]) {
    let status = Command::new("docker").args(words).stdin(Stdio::null()).stdout(Stdio::null()).status();
    assert!(status.is_ok_and(|status| status.success()), "docker {words:?} fails");
}

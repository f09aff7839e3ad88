//! What goes wrong around containers, each in its class.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use infranoise_core::{Cause, Stop};
use infranoise_sandbox::contract::{DeadlineKill, EngineError, ImageFailure, RootSource};
use infranoise_sandbox::docker::{DockerConfig, DockerEngine, Flavour};
use infranoise_sandbox::local::Sandbox;

use super::{address, config};
use crate::place::{SOON, sh, spec};

/// The command of an engine's client, at a service.
fn client(flavour: Flavour, address: &str) -> Command {
    let mut command = Command::new(flavour.name());
    match flavour {
        Flavour::Docker => command.args(["-H", address]),
        Flavour::Podman => command.args(["--remote", "--url", address]),
    };
    command
}

fn both() -> impl Iterator<Item = (Flavour, String)> {
    [Flavour::Docker, Flavour::Podman].into_iter().filter_map(|flavour| Some((flavour, address(flavour)?)))
}

fn exit_code(sandbox: &Sandbox, script: &str, output: &std::path::Path) -> Stop {
    sandbox.run(&sh(script, output), SOON, DeadlineKill::Foreground).expect("waited for").record.stop
}

#[test]
fn a_container_removed_from_outside_is_a_sandbox_gone() {
    for (flavour, address) in both() {
        let folder = tempfile::tempdir().expect("a folder");
        let engine =
            DockerEngine::start(&config(flavour, folder.path()).expect("a service")).expect("it starts");
        let (spec, output) = (spec(folder.path()), folder.path().join("out"));
        let sandbox = engine.create(&spec).expect("it starts");
        let neighbour = engine.create(&crate::place::spec(folder.path())).expect("it starts");
        let id = sandbox.exec(&sh("sleep 98771", &output)).expect("it starts");
        let filter = format!("label=infranoise.sandbox={}", spec.id);
        let found =
            client(flavour, &address).args(["ps", "-q", "--filter", &filter]).output().expect("listed");
        let name = String::from_utf8_lossy(&found.stdout).trim().to_owned();
        let removed = client(flavour, &address).args(["rm", "-f", &name]).output().expect("removed");
        assert!(removed.status.success(), "{}", String::from_utf8_lossy(&removed.stderr));
        let error = sandbox.wait(id, SOON, DeadlineKill::Foreground).expect_err("nobody knows how it ended");
        assert_eq!(error.cause(), Cause::SandboxGone, "{error}");
        sandbox.finalize().expect("what was seen is still told");
        assert_eq!(exit_code(&neighbour, "exit 4", &output), Stop::Exited { code: 4 }, "others go on");
        neighbour.finalize().expect("finalize");
        engine.settle();
    }
}

#[test]
fn a_missing_service_is_named_with_a_way_out() {
    let folder = tempfile::tempdir().expect("a folder");
    for flavour in [Flavour::Docker, Flavour::Podman] {
        let nowhere = format!("unix://{}/nowhere.sock", folder.path().display());
        let config =
            DockerConfig { flavour, address: Some(nowhere), local: crate::place::config(folder.path()) };
        let error = DockerEngine::start(&config).map(drop).expect_err("nobody listens").to_string();
        assert!(error.contains("does not answer") && error.contains(flavour.variable()), "{error}");
    }
}

/// A registry that answers whatever it is asked as its path says.
fn registry() -> std::net::SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        listener.incoming().flatten().for_each(|stream| answer(stream).unwrap_or_default())
    });
    address
}

fn answer(mut stream: TcpStream) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    let mut line = Vec::new();
    let mut reader = BufReader::new(stream.try_clone()?);
    reader.read_until(b'\n', &mut line)?;
    let line = String::from_utf8_lossy(&line).into_owned();
    let (status, body) = if line.contains("busy") {
        (
            "429 Too Many Requests",
            r#"{"errors":[{"code":"TOOMANYREQUESTS","message":"you have reached your pull rate limit"}]}"#,
        )
    } else if line.contains("secret") {
        ("401 Unauthorized", r#"{"errors":[{"code":"UNAUTHORIZED","message":"authentication required"}]}"#)
    } else if line.contains("manifests") {
        ("404 Not Found", r#"{"errors":[{"code":"MANIFEST_UNKNOWN","message":"manifest unknown"}]}"#)
    } else if line.starts_with("GET") {
        ("200 OK", "{}")
    } else {
        ("400 Bad Request", "this is plain HTTP")
    };
    let length = body.len();
    let head = "Content-Type: application/json\r\nDocker-Distribution-Api-Version: registry/2.0\r\nConnection: close";
    write!(stream, "HTTP/1.1 {status}\r\n{head}\r\nContent-Length: {length}\r\n\r\n{body}")
}

#[test]
fn a_registrys_failures_are_told_apart_for_docker() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(config) = config(Flavour::Docker, folder.path()) else { return };
    let engine = DockerEngine::start(&config).expect("it starts");
    let there = registry();
    let cases = [
        (format!("{there}/busy/x:1"), ImageFailure::RateLimited),
        (format!("{there}/free/x:1"), ImageFailure::Missing),
        (format!("{there}/secret/x:1"), ImageFailure::Denied),
        ("127.0.0.1:9/free/x:1".to_owned(), ImageFailure::Network),
    ];
    for (image, expected) in cases {
        let mut spec = spec(folder.path());
        spec.root = RootSource::Image(image.clone());
        let error = engine.create(&spec).map(drop).expect_err("it cannot be had");
        assert_eq!(error.cause(), Cause::ImagePull, "{error}");
        let EngineError::Image { failure, .. } = &error else { panic!("{error}") };
        assert_eq!(*failure, expected, "{image}: {error}");
    }
}

/// A daemon of the test's own, which can be killed; as on most hosts, what holds its containers is a process of its own.
struct Daemon {
    child: Child,
    holder: Holder,
}

/// What outlives the daemon: its folder, and `containerd`.
struct Holder {
    child: Child,
    folder: tempfile::TempDir,
}

fn place(folder: &Path, name: &str) -> String {
    folder.join(name).display().to_string()
}

fn start(folder: &Path, program: &str, args: &[&str]) -> Child {
    let log = fs::File::options().create(true).append(true).open(folder.join("log")).expect("a log");
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null()).stdout(log.try_clone().expect("a log")).stderr(log);
    command.spawn().expect("it starts")
}

/// In order, so that it clears up behind itself.
fn stop(mut child: Child) {
    let pid = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw).expect("a pid");
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("it can be stopped");
    child.wait().expect("waited for");
}

impl Holder {
    fn start(folder: tempfile::TempDir) -> Self {
        let place = |name: &str| place(folder.path(), name);
        let (root, state, socket) = (place("held"), place("state-of-held"), place("held.sock"));
        let args = ["--config", "/dev/null", "--root", &root, "--state", &state, "--address", &socket];
        Self { child: start(folder.path(), "containerd", &args), folder }
    }
}

impl Daemon {
    fn start(holder: Holder) -> Self {
        let place = |name: &str| place(holder.folder.path(), name);
        drop(fs::remove_file(place("pid")));
        let (data, exec, pid, held) = (place("data"), place("exec"), place("pid"), place("held.sock"));
        let address = format!("unix://{}", place("sock"));
        let mut args = vec!["--data-root", &data, "--exec-root", &exec, "-p", &pid, "-H", &address];
        args.extend(["--containerd", &held, "--iptables=false", "--ip6tables=false", "--bridge=none"]);
        args.extend(["--storage-driver", "overlay2", "--userland-proxy=false"]);
        let daemon = Self { child: start(holder.folder.path(), "dockerd", &args), holder };
        for _ in 0..600 {
            if DockerEngine::reap(&daemon.config(), None).is_ok() {
                return daemon;
            }
            thread::sleep(Duration::from_millis(100));
        }
        let log = fs::read_to_string(daemon.holder.folder.path().join("log")).unwrap_or_default();
        panic!("dockerd does not answer: {log}");
    }

    fn config(&self) -> DockerConfig {
        let address = Some(format!("unix://{}/sock", self.holder.folder.path().display()));
        DockerConfig {
            flavour: Flavour::Docker,
            address,
            local: crate::place::config(self.holder.folder.path()),
        }
    }

    /// As a crash does.
    fn kill(mut self) -> Holder {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("waited for");
        self.holder
    }

    fn stop(self) {
        stop(self.child);
        stop(self.holder.child);
    }
}

#[test]
fn dockers_daemon_dies_and_running_sandboxes_go_on() {
    if address(Flavour::Docker).is_none() {
        return;
    }
    let daemon = Daemon::start(Holder::start(tempfile::tempdir_in("/var/tmp").expect("a folder")));
    let folder = daemon.holder.folder.path().to_owned();
    let output = folder.join("out");
    let engine = DockerEngine::start(&daemon.config()).expect("it starts");
    let sandbox = engine.create(&spec(&folder)).expect("it starts");
    let holder = daemon.kill();
    assert_eq!(
        exit_code(&sandbox, "exit 4", &output),
        Stop::Exited { code: 4 },
        "its supervisor needs no daemon"
    );
    let error = engine.create(&spec(&folder)).map(drop).expect_err("nobody makes it");
    assert!(matches!(error, EngineError::Daemon { .. }), "{error}");
    assert_eq!(error.cause(), Cause::EngineError);
    sandbox.finalize().expect("what was seen is told");
    engine.settle();
    drop(engine);
    let daemon = Daemon::start(holder);
    let reclaimed = DockerEngine::reap(&daemon.config(), None).expect("it answers");
    assert_eq!(reclaimed.left, [""; 0]);
    let again = DockerEngine::start(&daemon.config()).expect("it starts");
    let sandbox = again.create(&spec(&folder)).expect("it starts");
    assert_eq!(exit_code(&sandbox, "exit 5", &output), Stop::Exited { code: 5 });
    sandbox.finalize().expect("finalize");
    again.settle();
    drop(again);
    daemon.stop();
}

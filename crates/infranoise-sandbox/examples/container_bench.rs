//! How long a container and a command in it take on Docker or Podman with our supervisor as pid 1, beside `docker run` (or `podman run`) of
//! the same: `container_bench docker|podman ADDRESS IMAGE TIMES`. Both take turns. Needs root.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a benchmark that prints what it measures"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use infranoise_core::{
    Allocation, Band, Bytes, Ceiling, KillScope, MilliCpu, PageCache, Phase, SandboxId, SweepId, TimeLimits,
    Visible,
};
use infranoise_sandbox::contract::{DeadlineKill, ExecSpec, Network, RootSource, SandboxSpec};
use infranoise_sandbox::docker::{DockerConfig, DockerEngine, Flavour};
use infranoise_sandbox::launcher::{LauncherProgram, main_if_asked};
use infranoise_sandbox::local::LocalConfig;

fn main() {
    main_if_asked();
    let words: Vec<String> = std::env::args().collect();
    let [_, name, address, image, times] = words.as_slice() else {
        println!("container_bench docker|podman ADDRESS IMAGE TIMES");
        return;
    };
    let flavour = if name == "podman" { Flavour::Podman } else { Flavour::Docker };
    let folder = tempfile::tempdir().unwrap();
    let local = LocalConfig {
        state_dir: folder.path().join("state"),
        cgroup_root: PathBuf::from("/"),
        launcher: LauncherProgram::SelfExe,
    };
    let config = DockerConfig { flavour, address: Some(address.clone()), local };
    let engine = DockerEngine::start(&config).unwrap();
    engine.prepare(&RootSource::Image(image.clone()), &mut |line| println!("{line}")).unwrap();
    let (mut ours, mut gone, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..times.parse::<u32>().unwrap() {
        let start = Instant::now();
        once(&engine, folder.path(), image, number);
        ours.push(start.elapsed());
        engine.settle();
        gone.push(start.elapsed());
        let start = Instant::now();
        typed(flavour, address, image);
        theirs.push(start.elapsed());
    }
    show(&format!("{name}, our supervisor"), ours);
    show("  and the container removed", gone);
    show(&format!("{name} run --rm"), theirs);
}

/// A sandbox with a command in it, measured and torn down.
fn once(engine: &DockerEngine, folder: &Path, image: &str, number: u32) {
    let name = format!("b{}-{number}", std::process::id());
    let sandbox = engine.create(&spec(folder, image, &name)).unwrap();
    let exec = ExecSpec {
        phase: Phase::Agent,
        argv: vec!["/bin/true".to_owned()],
        env: Vec::new(),
        cwd: PathBuf::from("/"),
        output: folder.join("output"),
        output_limit_bytes: 1 << 20,
    };
    let end = sandbox.run(&exec, Ceiling::Uncapped, DeadlineKill::Foreground).unwrap();
    assert!(end.record.stop.succeeded(), "{end:?}");
    sandbox.finalize().unwrap();
}

fn spec(folder: &Path, image: &str, name: &str) -> SandboxSpec {
    let uncapped = Ceiling::Uncapped;
    SandboxSpec {
        id: SandboxId::try_new(name).unwrap(),
        sweep: SweepId::try_new("bench").unwrap(),
        allocation: Allocation {
            memory: Band::try_new(Bytes(0), Ceiling::At(Bytes(256 << 20))).unwrap(),
            cpu: Band::try_new(MilliCpu(0), Ceiling::At(MilliCpu(1000))).unwrap(),
            pids: Ceiling::At(100),
            storage: Ceiling::Uncapped,
            disk_rate: Default::default(),
            time: TimeLimits { start_ms: uncapped, agent_ms: uncapped, verifier_ms: uncapped },
        },
        kill_scope: KillScope::Process,
        visible: Visible::Host,
        page_cache: PageCache::AsFound,
        root: RootSource::Image(image.to_owned()),
        network: Network::None,
        overlays: Vec::new(),
        env: Vec::new(),
        scratch: folder.join("scratch").join(name),
        telemetry_file: None,
    }
}

/// The same as a person would type it.
fn typed(flavour: Flavour, address: &str, image: &str) {
    let at = match flavour {
        Flavour::Docker => vec!["-H", address],
        Flavour::Podman => vec!["--remote", "--url", address],
    };
    let run = ["run", "--rm", "--network", "none", "--memory", "256m", "--cpus", "1", "--pids-limit", "100"];
    let limits = ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=4096:4096"];
    let status = Command::new(flavour.name())
        .args(at)
        .args(run)
        .args(limits)
        .args([image, "/bin/true"])
        .stdout(Stdio::null())
        .status();
    assert!(status.unwrap().success());
}

fn show(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    println!("{what:30} p50 {:7.1} ms, least {:7.1} ms", ms(times[times.len() / 2]), ms(times[0]));
}

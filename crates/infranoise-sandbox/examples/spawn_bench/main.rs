//! How long a sandbox takes, beside a bare loop that does the same with nothing around it, and beside `crun` if it is installed.
//!
//! `cargo run --release -p infranoise-sandbox --example spawn_bench [repeats] [side by side]`; needs root and cgroup v1 for the bare loop.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a benchmark that prints what it measures"
)]

mod bare;
mod crun;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use infranoise_core::{
    Allocation, Band, Bytes, Ceiling, KillScope, MilliCpu, PageCache, Phase, SandboxId, SweepId, TimeLimits,
    Visible,
};
use infranoise_sandbox::contract::{DeadlineKill, ExecSpec, Network, RootSource, SandboxSpec};
use infranoise_sandbox::launcher::{LauncherProgram, main_if_asked};
use infranoise_sandbox::local::{LocalConfig, LocalEngine, Sandbox};

fn main() {
    main_if_asked();
    let words: Vec<String> = std::env::args().collect();
    if let [_, worker, folder, name, repeats] = &words[..]
        && worker == "bare-worker"
    {
        for number in 0..repeats.parse().unwrap() {
            bare::once(Path::new(folder), &format!("{name}-{number}")).unwrap();
        }
        return;
    }
    let number = |place: usize, usual: u32| words.get(place).map_or(usual, |word| word.parse().unwrap());
    let (repeats, beside) = (number(1, 100), number(2, 8));
    if words.get(3).is_some_and(|word| word == "bare") {
        let folder = tempfile::tempdir().unwrap();
        (0..repeats).for_each(|number| {
            bare::once(folder.path(), &format!("bare-{}-{number}", std::process::id())).unwrap()
        });
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let engine = LocalEngine::start(&LocalConfig {
        state_dir: folder.path().join("state"),
        cgroup_root: PathBuf::from("/"),
        launcher: LauncherProgram::SelfExe,
    })
    .unwrap();
    if words.get(3).is_some_and(|word| word == "ours") {
        return several(&engine, folder.path(), 0, repeats);
    }
    one_at_a_time(&engine, folder.path(), repeats);
    side_by_side(&engine, folder.path(), repeats, beside);
}

fn one_at_a_time(engine: &LocalEngine, folder: &Path, repeats: u32) {
    let crun = crun::Bundle::prepare(&folder.join("crun"));
    let mut bare = Vec::new();
    let mut ours = Vec::new();
    let mut parts = [const { Vec::new() }; 3];
    let mut cruns = Vec::new();
    for number in 0..repeats {
        bare.push(timed(|| bare::once(folder, &format!("bare-{}-{number}", std::process::id())).unwrap()));
        ours.push(timed(|| {
            let mut sandbox = None;
            parts[0].push(timed(|| sandbox = Some(engine.create(&spec(folder, number)).unwrap())));
            let sandbox = sandbox.unwrap();
            parts[1].push(timed(|| run_true(&sandbox, folder)));
            parts[2].push(timed(|| drop(sandbox.finalize().unwrap())));
        }));
        if let Some(crun) = &crun {
            cruns.push(timed(|| crun.run(number)));
        }
    }
    let sandbox = engine.create(&spec(folder, u32::MAX)).unwrap();
    let execs = (0..repeats).map(|_| timed(|| run_true(&sandbox, folder))).collect();
    show("bare loop", bare);
    show("create + true + finalize", ours);
    let [create, exec, finalize] = parts;
    show("  create", create);
    show("  true", exec);
    show("  finalize", finalize);
    show("true in a sandbox that stands", execs);
    show("crun run", cruns);
}

fn side_by_side(engine: &LocalEngine, folder: &Path, repeats: u32, beside: u32) {
    let bare = timed(|| {
        let start = |worker: u32| {
            let name = format!("bare-{}-w{worker}", std::process::id());
            let mut command = Command::new(std::env::current_exe().unwrap());
            command.arg("bare-worker").arg(folder).args([name, repeats.to_string()]).spawn().unwrap()
        };
        let workers: Vec<_> = (0..beside).map(start).collect();
        workers.into_iter().for_each(|mut worker| assert!(worker.wait().unwrap().success()));
    });
    let ours = timed(|| {
        std::thread::scope(|scope| {
            for worker in 0..beside {
                scope.spawn(move || {
                    for number in 0..repeats {
                        let sandbox =
                            engine.create(&spec(folder, (worker + 1) * 1_000_000 + number)).unwrap();
                        run_true(&sandbox, folder);
                        sandbox.finalize().unwrap();
                    }
                });
            }
        });
    });
    let rate = |took: Duration| f64::from(beside * repeats) / took.as_secs_f64();
    println!(
        "{beside} side by side: bare {:.0}/s, ours {:.0}/s, ratio {:.2}",
        rate(bare),
        rate(ours),
        rate(bare) / rate(ours)
    );
}

fn several(engine: &LocalEngine, folder: &Path, first: u32, repeats: u32) {
    for number in first..first + repeats {
        let sandbox = engine.create(&spec(folder, number)).unwrap();
        run_true(&sandbox, folder);
        sandbox.finalize().unwrap();
    }
}

fn run_true(sandbox: &Sandbox, folder: &Path) {
    let exec = ExecSpec {
        phase: Phase::Agent,
        argv: vec!["/bin/true".to_owned()],
        env: Vec::new(),
        cwd: PathBuf::from("/"),
        output: folder.join(sandbox.id().as_str()),
        output_limit_bytes: 1 << 20,
    };
    let end = sandbox.run(&exec, Ceiling::Uncapped, DeadlineKill::Foreground).unwrap();
    assert!(end.record.stop.succeeded(), "{end:?}");
}

fn spec(folder: &Path, number: u32) -> SandboxSpec {
    let name = format!("b{}-{number}", std::process::id());
    SandboxSpec {
        id: SandboxId::try_new(name.clone()).unwrap(),
        sweep: SweepId::try_new("bench").unwrap(),
        allocation: Allocation {
            memory: Band::try_new(Bytes(0), Ceiling::At(Bytes(256 << 20))).unwrap(),
            cpu: Band::try_new(MilliCpu(0), Ceiling::At(MilliCpu(1000))).unwrap(),
            pids: Ceiling::At(100),
            storage: Ceiling::Uncapped,
            time: TimeLimits {
                start_ms: Ceiling::Uncapped,
                agent_ms: Ceiling::Uncapped,
                verifier_ms: Ceiling::Uncapped,
            },
        },
        kill_scope: KillScope::Process,
        visible: Visible::Host,
        page_cache: PageCache::AsFound,
        root: RootSource::HostUserland,
        network: Network::None,
        overlays: Vec::new(),
        env: Vec::new(),
        scratch: folder.join("scratch").join(name),
        telemetry_file: None,
    }
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn show(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let Some(least) = times.first() else { return };
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let at = |share: usize| ms(times[(times.len() - 1) * share / 100]);
    println!("{what:32} p50 {:8.3} ms   p95 {:8.3}   min {:8.3}", at(50), at(95), ms(*least));
}

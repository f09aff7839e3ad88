//! What sampling costs: 100 trials at 10 Hz for 10 seconds, as a share of one CPU; first trials that wait, as most do for their model,
//! then trials that work all the time. The bar is 2.5 %. Needs root and `unshare`.
//!
//! `cargo run --release -p infranoise-sandbox --example sampler_bench`

#![expect(clippy::print_stdout, reason = "a benchmark prints its result")]

use std::error::Error;
use std::path::Path;
use std::process::{Child, Command};
use std::time::Duration;

use infranoise_core::{
    Allocation, Band, Bytes, Ceiling, KillScope, MilliCpu, SandboxId, SweepId, TimeLimits,
};
use infranoise_sandbox::cgroup::{Cgroups, Hierarchy, TrialGroup};
use infranoise_sandbox::telemetry::{Sampler, Sources};
use rustix::time::{ClockId, clock_gettime};

const TRIALS: u32 = 100;
const SECONDS: u64 = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let cgroups = Cgroups::open(&Hierarchy::detect(Path::new("/"))?)?;
    measure(&cgroups, "waiting", "sleep 1000")?;
    measure(&cgroups, "working", "while :; do sleep 0.07; done")
}

fn measure(cgroups: &Cgroups, what: &str, script: &str) -> Result<(), Box<dyn Error>> {
    let sweep = SweepId::try_new(format!("bench-{}", std::process::id()))?;
    let trials: Vec<(TrialGroup, Child)> =
        (0..TRIALS).map(|number| trial(cgroups, &sweep, number, script)).collect::<Result<_, _>>()?;
    let sampler = Sampler::start(Duration::from_millis(100))?;
    // Each child unshares its network first: one namespace with loopback alone, as a sandbox has.
    std::thread::sleep(Duration::from_secs(2));
    let handles: Vec<_> = trials
        .iter()
        .map(|(group, child)| sampler.register(Sources::of(group).with_network_of(child.id() as i32)))
        .collect();

    let before = cpu();
    std::thread::sleep(Duration::from_secs(SECONDS));
    let share = (cpu() - before).as_secs_f64() / SECONDS as f64;

    let summaries: Vec<_> = handles.into_iter().map(|handle| sampler.finish(handle).0).collect();
    let samples: u32 = summaries.iter().map(|summary| summary.samples).sum();
    let gap = summaries.iter().map(|summary| summary.longest_gap_ms).max().unwrap_or(0);
    let each = share * SECONDS as f64 * 1e6 / f64::from(samples);
    let percent = share * 100.0;
    println!(
        "{TRIALS} {what} trials at 10 Hz: {percent:.2} % of one CPU, {each:.1} us a sample, longest gap {gap} ms"
    );
    for (group, mut child) in trials {
        group.destroy()?;
        child.wait()?;
    }
    cgroups.remove_sweep(&sweep);
    Ok(())
}

/// A trial with one living process in it.
fn trial(
    cgroups: &Cgroups,
    sweep: &SweepId,
    number: u32,
    script: &str,
) -> Result<(TrialGroup, Child), Box<dyn Error>> {
    let allocation = Allocation {
        memory: Band::try_new(Bytes::mib(8), Ceiling::At(Bytes::mib(64)))?,
        cpu: Band::try_new(MilliCpu(10), Ceiling::At(MilliCpu(500)))?,
        pids: Ceiling::At(64),
        storage: Ceiling::Uncapped,
        disk_rate: Default::default(),
        time: TimeLimits {
            start_ms: Ceiling::Uncapped,
            agent_ms: Ceiling::Uncapped,
            verifier_ms: Ceiling::Uncapped,
        },
    };
    let sandbox = SandboxId::try_new(format!("bench-{}-{number}", std::process::id()))?;
    let group = cgroups.create_trial(sweep, &sandbox, &allocation, KillScope::Process)?;
    let join: String =
        group.leaf("e0")?.join_files().iter().map(|file| format!("echo $$ > {}; ", file.display())).collect();
    let script = format!("{join} {script}");
    let child = Command::new("unshare").args(["-n", "/bin/sh", "-c", &script]).spawn()?;
    Ok((group, child))
}

/// CPU time that this process has used.
fn cpu() -> Duration {
    let used = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(used.tv_sec as u64, used.tv_nsec as u32)
}

//! Telemetry: what is summed up is what happened.

use std::time::Duration;

use infranoise_core::{Bytes, Ceiling, KillScope, MilliCpu, Observed, Phase};
use infranoise_sandbox::telemetry::{SampleReader, Sampler, Sources, read_samples, write_samples};

use crate::support::{Trial, allocation, eventually, hog, host, start};

#[test]
fn a_trial_is_summed_up() {
    let Some((cgroups, _)) = host() else { return };
    let asked = allocation(Ceiling::At(Bytes::mib(64)), Ceiling::At(MilliCpu(300)), Ceiling::Uncapped);
    let trial = Trial::new(&cgroups, "telemetry", &asked, KillScope::Process);
    let sampler = Sampler::start(Duration::from_millis(20)).expect("a thread");
    let handle = sampler.register(Sources::of(&trial.group).with_network_of(std::process::id() as i32));
    sampler.mark_phase(&handle, Phase::Setup);
    assert!(start(&trial.leaf("e0"), &hog(24)).wait().expect("an end").success());
    sampler.sample_now(&handle);
    sampler.mark_phase(&handle, Phase::Agent);
    let mut busy = start(&trial.leaf("e1"), "while :; do :; done");
    let throttled = || trial.group.counters().throttled_us.value().copied().unwrap_or(0);
    let before = throttled();
    eventually("throttled for 0.2 s", || throttled() > before + 200_000);
    sampler.mark_phase(&handle, Phase::Verify);
    trial.group.kill_work().expect("dies");
    busy.wait().expect("an end");
    let (summary, samples) = sampler.finish(handle);

    let value = |reading: &Observed<u64>| reading.value().copied().unwrap_or(0);
    let peak = summary.memory_peak_bytes.value().expect("a peak").0 >> 20;
    assert!((24..64).contains(&peak), "{peak} MiB");
    assert!(value(&summary.cpu_us) > 50_000, "{:?}", summary.cpu_us);
    assert!(value(&summary.agent_throttled_us) > 150_000, "{:?}", summary.agent_throttled_us);
    assert!(value(&summary.agent_throttled_us) <= value(&summary.throttled_us));
    assert!(value(&summary.pids_peak) >= 1, "{:?}", summary.pids_peak);
    assert!(summary.nonreclaimable_peak_bytes.value().is_some());
    if trial.group.supervisor().v2_dir().is_some_and(|dir| dir.join("cpu.pressure").exists()) {
        let (all, own) = (value(&summary.cpu_pressure_us), value(&summary.throttled_us));
        assert_eq!(summary.contention_us, Observed::Observed(all.saturating_sub(own)));
    } else {
        assert!(matches!(summary.contention_us, Observed::Unsupported(_)), "{:?}", summary.contention_us);
    }
    assert_eq!(samples.len(), summary.samples as usize);
    assert!(samples.len() > 10 && samples.windows(2).all(|pair| pair[0].at_ms <= pair[1].at_ms));
    assert!(samples.iter().filter_map(|sample| sample.memory_bytes()).all(|bytes| bytes <= 64 << 20));
}

#[test]
fn what_a_host_does_not_count_is_not_zero() {
    let Some((cgroups, _)) = host() else { return };
    let asked = allocation(Ceiling::Uncapped, Ceiling::Uncapped, Ceiling::Uncapped);
    let trial = Trial::new(&cgroups, "absent", &asked, KillScope::Process);
    let sampler = Sampler::start(Duration::from_millis(100)).expect("a thread");
    let handle = sampler.register(Sources::of(&trial.group));
    let (summary, _) = sampler.finish(handle);
    assert!(matches!(summary.network_sent_bytes, Observed::Unsupported(_)));
    assert!(matches!(summary.agent_contention_us, Observed::Unsupported(_)), "no agent phase, no reading");
    assert_eq!(summary.interval_ms, 100);
}

#[test]
fn who_looks_on_reads_samples_while_the_trial_runs_and_the_whole_file_after_it() {
    let Some((cgroups, _)) = host() else { return };
    let asked = allocation(Ceiling::Uncapped, Ceiling::Uncapped, Ceiling::Uncapped);
    let trial = Trial::new(&cgroups, "growing", &asked, KillScope::Process);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("telemetry.csv");
    let sampler = Sampler::start(Duration::from_millis(20)).expect("a thread");
    let handle = sampler.register(Sources::of(&trial.group));
    sampler.grow(&handle, &path).expect("the file is made");
    let so_far = || {
        let text = std::fs::read(&path).expect("reads");
        let mut reader = SampleReader::default();
        let whole = text.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"));
        whole.filter_map(|line| reader.line(line).expect("a line of ours")).count()
    };
    eventually("samples in the file", || so_far() >= 3);
    let (_, samples) = sampler.finish(handle);
    write_samples(&path, 20, &samples).expect("is written");
    assert_eq!(read_samples(&path).expect("reads"), (20, samples));
}

//! How long a verdict on a rollout takes (5 ms at most are promised), and how many rows a second each export writes.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use infranoise_core::testing::{Ending, facts, plan, record};
use infranoise_core::{Plan, TrialRecord};
use infranoise_formats::exports::{EXPORTS, ExportOptions, Sweep};
use infranoise_formats::rollouts::classify_line;

const ROLLOUT: &str = r#"{"id": 17, "reward": 0, "exit_code": 137, "oom_kills": 1, "oom_events": 1,
    "phases": {"start_ms": 900, "setup_ms": 4000, "agent_ms": 312000, "verify_ms": 9000},
    "limits": {"agent_ms": 900000}, "exception": {"class": "NonZeroAgentExitCodeError", "message": "exit 137"}}"#;

/// A sweep of this many tasks in five arms, ten times each, with every outcome.
fn sweep(tasks: u32) -> (Plan, Vec<TrialRecord>) {
    let plan = plan(tasks, 5, 10);
    let endings = [Ending::Pass, Ending::Fail, Ending::CeilingKill, Ending::SurvivedKill, Ending::Fault];
    let records =
        plan.keys().zip(endings.into_iter().cycle()).map(|(key, ending)| record(&plan, key, ending));
    let records = records.collect();
    (plan, records)
}

fn verdicts(criterion: &mut Criterion) {
    let plan = plan(1, 1, 1);
    let mut large = facts(&plan, plan.keys().next().expect("a trial"));
    large.outcome.execs = large.outcome.execs.iter().cycle().take(1_000).cloned().collect();
    let large = serde_json::to_string(&large).expect("JSON");
    let mut group = criterion.benchmark_group("verdict on a line");
    for (name, line) in [("rollout", ROLLOUT), ("facts with 1,000 commands", &large), ("no JSON", "no")] {
        group.bench_function(name, |bench| {
            bench.iter(|| classify_line(black_box(line), ExportOptions::default()));
        });
    }
    group.finish();
}

fn exports(criterion: &mut Criterion) {
    let (plan, records) = sweep(100);
    let folder = tempfile::tempdir().expect("a folder");
    let mut group = criterion.benchmark_group("5,000 rows as");
    group.throughput(Throughput::Elements(records.len() as u64)).sample_size(10);
    for exporter in EXPORTS {
        let path = folder.path().join(exporter.id);
        group.bench_function(exporter.id, |bench| {
            bench.iter(|| {
                let sweep = Sweep::new(&plan, &records);
                exporter.write_file(&sweep, ExportOptions::default(), &path).expect("written");
            });
        });
    }
    group.finish();
}

criterion_group!(benches, verdicts, exports);
criterion_main!(benches);

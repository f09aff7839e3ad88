//! How fast are results read, and how near is that to reading the bytes alone?
//!
//! `cargo bench -p infranoise-formats --bench import`. `benches/import_compare.py` compares
//! whole trees with a reader in Python and with the bytes alone.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use infranoise_formats::results::import_each;
use tempfile::TempDir;

const TRIALS: usize = 400;

fn fixture(inner: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(inner);
    fs::read_to_string(path).expect("a fixture")
}

/// A Harbor job: one document per trial.
fn harbor(root: &Path) {
    let document = fixture("harbor/jobs/3x/sum__pass101/result.json");
    for number in 0..TRIALS {
        let name = format!("sum__{number:07}");
        let folder = root.join("job").join(&name);
        fs::create_dir_all(&folder).expect("made");
        fs::write(folder.join("result.json"), document.replace("sum__pass101", &name)).expect("written");
    }
}

/// A Terminal-Bench 1 run: one document for all trials.
fn tb1(root: &Path) {
    let trial = fixture("tb1/team/run-a/weave/weave.1-of-1.run-a/results.json");
    let trials: Vec<String> = (0..TRIALS)
        .map(|number| {
            trial
                .replace("tb-weave", &format!("{number}"))
                .replace("\"weave\"", &format!("\"weave-{}\"", number % 80))
        })
        .collect();
    let text =
        format!("{{\"results\": [{}], \"n_resolved\": 0, \"n_unresolved\": {TRIALS}}}", trials.join(","));
    fs::write(root.join("results.json"), text).expect("written");
}

fn files(at: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(at).expect("listed").flatten() {
        let path = entry.path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

fn bench(criterion: &mut Criterion, name: &str, make: fn(&Path)) {
    let root: TempDir = tempfile::tempdir().expect("a folder");
    make(root.path());
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(TRIALS as u64));
    group.bench_function("import", |bencher| {
        bencher.iter(|| {
            let mut trials = 0;
            let imported = import_each(&[root.path()], None, 0, &mut |event| {
                trials += usize::from(matches!(event, infranoise_formats::results::ImportEvent::Trial(_)));
            });
            assert!(imported.is_ok() && trials == TRIALS, "{trials}");
        });
    });
    group.bench_function("the bytes alone", |bencher| {
        bencher.iter(|| {
            let mut found = Vec::new();
            files(root.path(), &mut found);
            for path in found {
                black_box(fs::read(path).expect("read"));
            }
        });
    });
    group.finish();
}

fn imports(criterion: &mut Criterion) {
    bench(criterion, "harbor, 400 trials", harbor);
    bench(criterion, "terminal-bench 1, 400 trials", tb1);
}

criterion_group!(benches, imports);
criterion_main!(benches);

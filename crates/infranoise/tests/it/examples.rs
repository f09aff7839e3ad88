//! The reports under docs/examples are what this program makes of the results beside them.

use std::path::{Path, PathBuf};

use crate::program::Place;

/// The two made-up runs.
const RUNS: [&str; 2] = ["terminal-bench-1-a", "terminal-bench-1-b"];

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples")
}

/// Compares a report with the committed one; where they differ, says how to make it anew.
fn check(place: &Place, args: &[&str], committed: &str) {
    let all: Vec<&str> = ["report"].into_iter().chain(args.iter().copied()).chain(["-o", "-"]).collect();
    let done = place.run(&all);
    assert_eq!(done.code(), 0, "{}", done.err());
    let path = examples().join(committed);
    if std::env::var_os("INFRANOISE_UPDATE").is_some() {
        std::fs::write(&path, &done.0.stdout).expect("the example is written");
    }
    let known = std::fs::read(&path).unwrap_or_default();
    assert!(
        known == done.0.stdout,
        "docs/examples/{committed} is not what `infranoise report {}` makes: INFRANOISE_UPDATE=1 cargo test -p infranoise --test it examples",
        args.join(" ")
    );
}

#[test]
fn the_reports_of_a_demo_sweep_are_fresh() {
    let place = Place::new();
    let packed = std::fs::File::open(examples().join("demo.tar.gz")).expect("a sweep");
    tar::Archive::new(flate2::read::GzDecoder::new(packed)).unpack(place.path()).expect("it unpacks");
    check(&place, &["demo"], "demo.html");
    check(&place, &["demo", "--format", "md"], "demo.md");
    check(&place, &["demo", "--figure", "headroom", "--format", "svg"], "demo-headroom.svg");
    check(&place, &["demo", "--figure", "headroom", "--format", "png"], "demo-headroom.png");
}

#[test]
fn the_reports_of_an_imported_comparison_are_fresh() {
    let place = Place::new();
    // In the working folder, so that no path of a machine stands in the report.
    for run in RUNS {
        let to = place.path().join(run);
        std::fs::create_dir(&to).expect("a folder");
        for file in ["results.json", "run_metadata.json", "tb.lock"] {
            std::fs::copy(examples().join(run).join(file), to.join(file)).expect("a copy");
        }
    }
    let [a, b] = RUNS;
    check(&place, &[a, "--compare", b], "terminal-bench-1.html");
    check(&place, &[a, "--compare", b, "--format", "md"], "terminal-bench-1.md");
}

//! Writes the pages of the hand-made documents into a folder, to look at them in a browser.
#![expect(clippy::unwrap_used, reason = "a tool for developers: it may stop at the first error")]

#[path = "../tests/it/fixture/mod.rs"]
mod fixture;

use std::path::PathBuf;

use infranoise_analysis::Analysis;
use infranoise_core::Shown;
use infranoise_report::extras::{Extras, LogTail, Reading, TrialFiles};

/// A curve and two logs for each trial that did not pass, one of them hostile.
fn files(analysis: &Analysis) -> Extras {
    let rows = analysis.trials.iter().filter(|row| row.shown != Shown::Pass).take(40);
    let trials = rows.map(|row| {
        let peak = row.peak_bytes.unwrap_or(1 << 24);
        let reading = |i: u64| Reading {
            at_ms: i * row.wall_ms / 60,
            memory_bytes: Some(peak / 60 * i.min(58) + (1 << 20) * (i % 3)),
            cpu_us: Some(i * 40_000),
        };
        let log =
            |name: &str, tail: String| LogTail { name: name.to_owned(), bytes: tail.len() as u64, tail };
        let hostile = format!("{}\n{}\n", fixture::HOSTILE, "x".repeat(1 << 20));
        TrialFiles {
            trial: row.trial.clone(),
            readings: (0..60).map(reading).collect(),
            logs: vec![
                log("agent/stdout.log", "building the table\nKilled\n".to_owned()),
                log("verifier/stdout.log", hostile),
            ],
        }
    });
    Extras { trials: trials.collect(), compared: None }
}

fn main() {
    let folder = PathBuf::from(std::env::args_os().nth(1).unwrap());
    let documents = [
        ("six_arms", fixture::six_arms()),
        ("one_arm", fixture::one_arm()),
        ("no_trials", fixture::no_trials()),
        ("arm_not_started", fixture::arm_not_started()),
        ("not_observable", fixture::not_observable()),
        ("hostile", fixture::hostile()),
        ("strange", fixture::strange()),
        ("large", fixture::world(89, 6, 10)),
    ];
    for (name, analysis) in documents {
        let extras = files(&analysis);
        std::fs::write(folder.join(format!("{name}.html")), infranoise_report::html_with(&analysis, &extras))
            .unwrap();
    }
    let paper = infranoise_report::printable(&fixture::six_arms(), &Extras::default());
    std::fs::write(folder.join("paper.html"), paper).unwrap();
}

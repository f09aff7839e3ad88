//! How long a report takes, beside its analysis: `cargo run --release -p infranoise-report --example speed [TASKS ARMS REPEATS]`.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a tool for developers")]

use std::time::{Duration, Instant};

use infranoise_analysis::{Effort, analyse};
use infranoise_core::testing::{Ending, plan, record};

/// The median of some runs.
fn median(runs: usize, mut work: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed()
        })
        .collect();
    times.sort();
    times[runs / 2]
}

fn main() {
    let sizes: Vec<u32> = std::env::args().skip(1).map(|arg| arg.parse().unwrap()).collect();
    let [tasks, arms, repeats] = sizes.try_into().unwrap_or([89, 6, 10]);
    let plan = plan(tasks, arms, repeats);
    let mut at = 0;
    let records: Vec<_> = plan
        .keys()
        .enumerate()
        .map(|(i, key)| {
            let draw = (i * 2_654_435_761) % 100;
            let ending = match draw {
                0..6 => Ending::CeilingKill,
                6..8 => Ending::Fault,
                8..9 => Ending::NotStarted,
                9..60 => Ending::Fail,
                _ => Ending::Pass,
            };
            let mut record = record(&plan, key, ending);
            at += 400;
            record.facts.position = i as u64;
            record.facts.started_at_ms = 1_770_000_000_000 + at;
            record.facts.wall_ms = 20_000 + (draw as u64) * 700;
            record.facts.host.concurrent_trials = 1 + (draw % 8) as u32;
            record
        })
        .collect();
    let analysis = analyse(&plan, &records, "speed", Effort::default());
    let analysing = median(5, || drop(analyse(&plan, &records, "speed", Effort::default())));
    let reporting = median(5, || drop(infranoise_report::html(&analysis)));
    let page = infranoise_report::html(&analysis);
    println!(
        "{} trials: analysis {:.1} ms, page {:.1} ms ({:.2} of it), {} bytes",
        records.len(),
        ms(analysing),
        ms(reporting),
        ms(reporting) / ms(analysing),
        page.len()
    );
    for spec in infranoise_report::figures::FIGURES {
        let time = median(5, || drop((spec.draw)(&analysis)));
        if ms(time) > 2.0 {
            println!("  {:14} {:.1} ms, {} bytes", spec.id, ms(time), (spec.draw)(&analysis).svg.len());
        }
    }
    if let Some(path) = std::env::var_os("PAGE") {
        std::fs::write(path, page).unwrap();
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

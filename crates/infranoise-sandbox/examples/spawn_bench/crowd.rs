//! Many at once, and the next one behind a large layer: what a start costs then, beside what it costs alone.

use std::path::Path;
use std::time::{Duration, Instant};

use infranoise_sandbox::local::Sandbox;

use crate::ours::Ours;

/// How often each is measured.
const ROUNDS: usize = 5;
/// Starts behind a large layer.
const NEXT: usize = 20;
/// Files of a large layer.
const FILES: u32 = 10_000;

/// What all processes of this benchmark have used, where `apart.sh` counts it.
fn used() -> Option<Duration> {
    let text = std::fs::read_to_string(std::env::var("BENCH_USAGE").ok()?).ok()?;
    text.trim().parse().ok().map(Duration::from_nanos)
}

/// Wall and CPU time of something.
fn cost<T>(what: impl FnOnce() -> T) -> (T, Duration, Option<Duration>) {
    let (before, start) = (used(), Instant::now());
    let done = what();
    let wall = start.elapsed();
    (done, wall, used().zip(before).map(|(after, before)| after - before))
}

pub(crate) fn measure(many: u32) {
    let folder = tempfile::tempdir().unwrap();
    let ours = Ours::start(folder.path());
    ours.once_and_settle();
    let per = |time: Duration| time.as_secs_f64() * 1e3 / f64::from(many);
    println!("starts, ms each (wall, CPU), of {many}: one after the other, then all at once");
    for _ in 0..ROUNDS {
        let (all, wall, cpu) = cost(|| (0..many).map(|_| ours.create()).collect::<Vec<_>>());
        drop(all);
        ours.settle();
        let (all, wall_crowd, cpu_crowd) = cost(|| at_once(&ours, many));
        drop(all);
        ours.settle();
        let ratio =
            cpu_crowd.zip(cpu).map_or(f64::NAN, |(crowd, one)| crowd.as_secs_f64() / one.as_secs_f64());
        let ms = |cpu: Option<Duration>| cpu.map_or(f64::NAN, per);
        println!(
            "  {:6.2} {:6.2}   {:6.2} {:6.2}   CPU ratio {ratio:4.2}",
            per(wall),
            ms(cpu),
            per(wall_crowd),
            ms(cpu_crowd)
        );
    }
    behind(&ours, folder.path());
}

fn at_once(ours: &Ours, many: u32) -> Vec<Sandbox> {
    std::thread::scope(|threads| {
        let starts: Vec<_> = (0..many).map(|_| threads.spawn(|| ours.create())).collect();
        starts.into_iter().map(|start| start.join().unwrap()).collect()
    })
}

/// Whole trials right after one that leaves a large layer, and after one that leaves none, in turns.
fn behind(ours: &Ours, folder: &Path) {
    let mut times = [Vec::new(), Vec::new()];
    let mut layers = Vec::new();
    for _ in 0..NEXT {
        for (large, times) in [false, true].into_iter().zip(&mut times) {
            let sandbox = ours.create();
            if large {
                ours.fill(&sandbox, FILES);
            }
            sandbox.finalize().unwrap();
            let start = Instant::now();
            ours.once();
            times.push(start.elapsed());
            let start = Instant::now();
            ours.settle();
            if large {
                layers.push(start.elapsed());
            }
        }
    }
    let median = |times: &mut Vec<Duration>| {
        times.sort_unstable();
        times[times.len() / 2].as_secs_f64() * 1e3
    };
    let [small, large] = &mut times;
    println!(
        "a whole sandbox, ms, after an empty layer {:.2}, after one of {FILES} files {:.2}; removing that took {:.0} more (in {})",
        median(small),
        median(large),
        median(&mut layers),
        folder.display()
    );
}

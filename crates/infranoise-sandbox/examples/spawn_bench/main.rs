//! How long a sandbox and a command in it take, beside a bare loop that does the same with nothing around it, beside `crun`, and beside
//! `docker` where `DOCKER_HOST` has the image `bench-min`.
//!
//! `benches/spawn.sh` sets the stage; `spawn_bench only CONTENDER TIMES` does one thing so often, for `perf` and `strace`;
//! `spawn_bench parts TIMES` takes our time apart; `spawn_bench crowd MANY` starts many at once, and one behind a large layer. Needs root,
//! and cgroup v1 for the bare loop.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a benchmark that prints what it measures"
)]

mod bare;
mod contender;
mod crowd;
mod crun;
mod docker;
mod ours;
mod worker;

use std::time::Duration;

use contender::Contender;
use infranoise_sandbox::launcher::main_if_asked;

/// The hidden first argument of a worker.
const WORKER: &str = "__worker";

/// Docker is so slow that it takes part in one round of so many.
const SELDOM: u32 = 5;

/// How often side by side each contender does its thing in a round.
const BATCH: u32 = 10;

fn main() {
    main_if_asked();
    let words: Vec<String> = std::env::args().collect();
    let number = |place: usize, usual: u32| words.get(place).map_or(usual, |word| word.parse().unwrap());
    match words.get(1).map(String::as_str) {
        Some(WORKER) => worker::serve(&words[2], number(3, 1)),
        Some("only") => {
            // The names are few and live as long as the program.
            let contender = Contender::start(words[2].clone().leak(), 1).unwrap();
            println!("CPU time {:?}", contender.cost(number(3, 100)));
        }
        Some("parts") => parts(number(2, 100)),
        Some("crowd") => crowd::measure(number(2, 64)),
        _ => measure(number(1, 100), number(2, 8)),
    }
}

fn measure(rounds: u32, beside: u32) {
    let load = || std::fs::read_to_string("/proc/loadavg").unwrap();
    println!("load {}\none at a time: create + start + true + teardown", load().trim());
    let all = ["bare", "infranoise", "infranoise, storage", "infranoise, layer removed", "crun", "docker"];
    compare(&all, rounds, 1);
    println!("one at a time: true in a sandbox that stands");
    compare(&["bare exec", "infranoise exec", "crun exec", "docker exec"], rounds, 1);
    let rounds = rounds.div_ceil(10);
    println!("{beside} side by side: create + start + true + teardown");
    compare(&["bare", "infranoise", "infranoise, storage", "crun", "docker"], rounds, beside);
    println!("{beside} side by side: true in sandboxes that stand");
    compare(&["bare exec", "infranoise exec", "crun exec", "docker exec"], rounds, beside);
    println!("load {}", load().trim());
}

fn parts(times: u32) {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (plain, storage) =
        (ours::Ours::start(folder.path()), ours::Ours::start(other.path()).with_storage(10 << 30));
    // In turns, so that the noise of the machine meets both alike.
    let all: Vec<_> = (0..times).map(|_| [plain.once(), storage.once()]).collect();
    for (place, what) in ["without", "with 10 GiB of storage"].into_iter().enumerate() {
        for (part, name) in ["create", "true", "finalize"].into_iter().enumerate() {
            let mut times: Vec<_> = all.iter().map(|both| both[place][part]).collect();
            times.sort_unstable();
            let ms = |time: Duration| time.as_secs_f64() * 1e3;
            println!(
                "{what:24} {name:9} p50 {:6.2} ms, least {:6.2} ms",
                ms(times[times.len() / 2]),
                ms(times[0])
            );
        }
    }
}

/// All take turns, so that the noise of the machine meets all alike.
fn compare(names: &[&'static str], rounds: u32, beside: u32) {
    let mut contenders: Vec<_> = names.iter().filter_map(|name| Contender::start(name, beside)).collect();
    let batch = if beside == 1 { 1 } else { BATCH };
    for round in 0..rounds {
        for contender in &mut contenders {
            if !contender.name.starts_with("docker") {
                contender.round(batch);
            } else if round % SELDOM == 0 {
                contender.round(1);
            }
        }
    }
    // CPU time is taken of each by itself, without the time in which others have their turn.
    let costs: Vec<_> = contenders.iter().map(|contender| contender.cost(rounds * batch)).collect();
    show(&contenders, &costs);
}

/// One line each; ratios to the first.
fn show(contenders: &[Contender], costs: &[Option<Duration>]) {
    println!("  {:26} {:>8} {:>8} {:>8}   {:>8} {:>8}", "ms", "p50", "min", "CPU", "p50 : 1", "CPU : 1");
    let mut first = None;
    for (contender, cost) in contenders.iter().zip(costs) {
        let mut times = contender.times.clone();
        times.sort_unstable();
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        let (least, middle, cpu) = (ms(times[0]), ms(times[times.len() / 2]), cost.map_or(f64::NAN, ms));
        let (base, base_cpu) = *first.get_or_insert((middle, cpu));
        let (ratio, cpu_ratio) = (middle / base, cpu / base_cpu);
        println!("  {:26} {middle:8.2} {least:8.2} {cpu:8.2}   {ratio:8.2} {cpu_ratio:8.2}", contender.name);
    }
}

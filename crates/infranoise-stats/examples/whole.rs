//! The whole analysis of a sweep in a file, timed: one half of `benches/compare_numpy.py`.
//!
//! `whole FILE DRAWS TIMES` reads a JSON table (rows of tasks, cells `[passes, infra errors, trials]`), analyses it TIMES times
//! and prints the numbers and the fastest time as JSON.

#![expect(clippy::print_stdout, reason = "an example prints")]

#[path = "../simulation/whole.rs"]
mod whole;

use infranoise_stats::bootstrap::Resampling;
use infranoise_stats::{Grid, Outcomes};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, file, draws, times] = arguments.as_slice() else {
        return Err("usage: whole FILE DRAWS TIMES".into());
    };
    let rows: Vec<Vec<[u32; 3]>> = serde_json::from_str(&std::fs::read_to_string(file)?)?;
    let rows: Vec<Vec<Outcomes>> = rows
        .iter()
        .map(|row| {
            row.iter().map(|&[passes, infra, trials]| Outcomes::try_new(passes, infra, trials)).collect()
        })
        .collect::<Result<_, _>>()?;
    let grid = Grid::from_rows(&rows)?;
    let resampling = Resampling { draws: draws.parse()?, seed: 1 };
    let mut fastest = f64::INFINITY;
    let mut numbers = Vec::new();
    for _ in 0..times.parse::<u32>()? {
        let start = now();
        numbers = std::hint::black_box(whole::analysis(&grid, resampling)?);
        fastest = fastest.min(start.elapsed().as_secs_f64());
    }
    println!("{}", serde_json::json!({ "seconds": fastest, "numbers": numbers }));
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "the time is what this example is about")]
fn now() -> std::time::Instant {
    std::time::Instant::now()
}

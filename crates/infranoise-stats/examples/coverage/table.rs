//! The grid of designs, and a table over it.

use crate::simulation::{Dice, Tally};

/// Tasks and repeats of all designs.
pub fn designs() -> impl Iterator<Item = (usize, u32)> {
    [10, 30, 89, 227].into_iter().flat_map(|tasks| [1, 3, 5, 10].map(|repeats| (tasks, repeats)))
}

/// Prints a table with one row per design. `experiment` adds to one tally per column.
pub fn print<const N: usize>(
    title: &str,
    columns: [&str; N],
    experiments: u32,
    seed: u64,
    mut experiment: impl FnMut(&mut Dice, usize, u32, &mut [Tally; N]),
) {
    println!("\n{title}\n");
    println!("| T | k | {} |", columns.join(" | "));
    println!("|--:|--:|{}", "--:|".repeat(N));
    for (tasks, repeats) in designs() {
        let mut dice = Dice::new(seed ^ ((tasks as u64) << 32 | u64::from(repeats)));
        let mut tallies = [Tally::default(); N];
        for _ in 0..experiments {
            experiment(&mut dice, tasks, repeats, &mut tallies);
        }
        let cells: Vec<String> = tallies.iter().map(Tally::to_string).collect();
        println!("| {tasks} | {repeats} | {} |", cells.join(" | "));
    }
}

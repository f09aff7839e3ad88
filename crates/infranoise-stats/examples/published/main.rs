//! What designs make the published figures, and what the figures do and do not establish.
//!
//! `cargo run --release -p infranoise-stats --example published` prints the section of docs/methods.md. The article
//! (Terminal-Bench 2.0, six ceilings; SWE-bench, 227 problems with ten samples) names neither its tests nor its number
//! of repeats; what follows is inference from rounded numbers. Everything comes from one seed.

#![expect(clippy::print_stdout, reason = "an example prints")]

mod designs;
mod equivalence;
mod plans;
#[path = "../../simulation/mod.rs"]
#[expect(dead_code, reason = "tests and the coverage example use the rest")]
mod simulation;
mod swebench;
mod turning;

use infranoise_stats::Result;

fn main() -> Result<()> {
    designs::print()?;
    equivalence::print()?;
    turning::print();
    swebench::print()?;
    plans::print()
}

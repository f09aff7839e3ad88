//! Does each interval cover what it says, and does each test err as rarely as it says?
//!
//! `cargo run --release -p infranoise-stats --example coverage [EXPERIMENTS]` prints the tables of docs/methods.md:
//! T = 10, 30, 89, 227 tasks, k = 1, 3, 5, 10 repeats, task rates from a Beta distribution with rho = 0.6. Everything
//! comes from one seed. 2,000 experiments (the default) take some minutes; a share of 5 % then has a standard error of
//! 0.5 points.

#![expect(clippy::print_stdout, reason = "an example prints")]

mod demand;
mod differences;
mod looks;
mod rates;
#[path = "../../simulation/mod.rs"]
mod simulation;
mod sweeps;
mod table;

fn main() {
    let experiments = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(2_000);
    rates::print(experiments);
    differences::print(experiments);
    sweeps::print(experiments);
    looks::print(experiments);
    demand::print(experiments);
}

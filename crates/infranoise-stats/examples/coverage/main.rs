//! Does each interval cover what it says, and does each test err as rarely as it says?
//!
//! `cargo run --release -p infranoise-stats --example coverage [EXPERIMENTS [SECTION]]` prints the tables of docs/methods.md:
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

/// The name of some tables, and what prints them.
type Section = (&'static str, fn(u32));

const SECTIONS: [Section; 5] = [
    ("rates", rates::print),
    ("differences", differences::print),
    ("sweeps", sweeps::print),
    ("looks", looks::print),
    ("demand", demand::print),
];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let experiments = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(2_000);
    let wanted = arguments.next();
    for (name, print) in SECTIONS {
        if wanted.as_deref().is_none_or(|wanted| wanted == name) {
            print(experiments);
        }
    }
}

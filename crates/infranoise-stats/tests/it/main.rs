//! Integration tests of the stats crate, one binary.

mod coverage;
mod degenerate;
mod documents;
mod invariances;
mod leaderboard;
mod reference;
mod relations;
#[path = "../../simulation/mod.rs"]
mod simulation;
mod strategies;
mod vectors;

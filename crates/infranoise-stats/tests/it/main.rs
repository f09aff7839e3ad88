//! Integration tests of the stats crate, one binary.

mod degenerate;
mod documents;
mod invariances;
mod leaderboard;
mod reference;
mod relations;
mod strategies;
mod vectors;

//! Random tables of counts, the degenerate ones among them.

use infranoise_stats::{Cell, Grid, Outcomes, Pair};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// A fixed seed: entropy in a test is a bug.
pub fn config() -> ProptestConfig {
    ProptestConfig {
        rng_seed: RngSeed::Fixed(20_260_205),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn cell(most_trials: u32) -> impl Strategy<Value = Cell> {
    (0..=most_trials)
        .prop_flat_map(|trials| (0..=trials, Just(trials)))
        .prop_map(|(hits, trials)| Cell::try_new(hits, trials).expect("hits <= trials"))
}

fn outcomes(most_trials: u32) -> impl Strategy<Value = Outcomes> {
    (0..=most_trials)
        .prop_flat_map(|trials| (0..=trials, Just(trials)))
        .prop_flat_map(|(passes, trials)| (Just(passes), 0..=trials - passes, Just(trials)))
        .prop_flat_map(|(passes, infra, trials)| {
            (Just(passes), Just(infra), 0..=trials - passes - infra, Just(trials))
        })
        .prop_map(|(passes, infra, maimed, trials)| {
            Outcomes::with_maimed(passes, infra, maimed, trials).expect("parts <= trials")
        })
}

/// Tasks in one arm, some without trials.
pub fn cells() -> impl Strategy<Value = Vec<Cell>> {
    prop::collection::vec(cell(6), 0..12)
}

/// Tasks in two arms.
pub fn pairs() -> impl Strategy<Value = Vec<Pair>> {
    prop::collection::vec((cell(6), cell(6)).prop_map(|(a, b)| Pair { a, b }), 0..12)
}

/// A table of counts with 1 to 5 arms.
pub fn grids() -> impl Strategy<Value = Grid<Cell>> {
    (1_usize..6, 0_usize..10).prop_flat_map(|(arms, tasks)| {
        prop::collection::vec(cell(5), arms * tasks)
            .prop_map(move |cells| Grid::try_new(arms, cells).expect("whole rows"))
    })
}

/// A table of outcomes with 2 to 5 arms.
pub fn outcome_grids() -> impl Strategy<Value = Grid<Outcomes>> {
    (2_usize..6, 0_usize..10).prop_flat_map(|(arms, tasks)| {
        prop::collection::vec(outcomes(5), arms * tasks)
            .prop_map(move |cells| Grid::try_new(arms, cells).expect("whole rows"))
    })
}

/// A balanced table with at least two tasks, arms and trials.
pub fn balanced_grids() -> impl Strategy<Value = Grid<Cell>> {
    (2_usize..5, 2_usize..10, 2_u32..6).prop_flat_map(|(arms, tasks, trials)| {
        prop::collection::vec(0..=trials, arms * tasks).prop_map(move |hits| {
            let cells = hits.into_iter().map(|hits| Cell::try_new(hits, trials).expect("hits <= trials"));
            Grid::try_new(arms, cells.collect()).expect("whole rows")
        })
    })
}

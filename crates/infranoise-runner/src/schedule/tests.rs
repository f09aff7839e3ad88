//! The order is a permutation, balanced, and the same for the same plan.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use infranoise_core::testing::plan;

#[test]
fn every_planned_trial_has_one_place() {
    let plan = plan(5, 3, 4);
    let order = schedule(&plan);
    let scheduled: BTreeSet<_> = order.iter().map(|trial| trial.key.clone()).collect();
    assert_eq!(scheduled, plan.keys().collect());
    assert_eq!(order.len() as u64, plan.planned());
    assert!(order.iter().enumerate().all(|(place, trial)| trial.position == place as u64));
    assert_eq!(order, schedule(&plan), "the same plan gives the same order");
}

#[test]
fn blocks_hold_all_arms_and_share_the_agents_seed() {
    let plan = plan(5, 3, 4);
    let order = schedule(&plan);
    for block in order.chunks(3) {
        let arms: BTreeSet<_> = block.iter().map(|trial| trial.key.arm.clone()).collect();
        assert_eq!(arms.len(), 3);
        assert!(block.iter().all(|trial| trial.seed == block[0].seed && trial.block == block[0].block));
    }
    let seeds: BTreeSet<_> = order.iter().map(|trial| trial.seed).collect();
    assert_eq!(seeds.len(), 20, "each block draws anew");
    assert!(order.windows(2).all(|pair| pair[0].round <= pair[1].round), "rounds follow each other");
}

#[test]
fn no_arm_is_always_first() {
    let plan = plan(60, 3, 1);
    let mut first: BTreeMap<_, u32> = BTreeMap::new();
    for block in schedule(&plan).chunks(3) {
        *first.entry(block[0].key.arm.clone()).or_default() += 1;
    }
    assert!(first.values().all(|count| (8..=32).contains(count)), "{first:?}");
}

#[test]
fn spread_blocks_keep_their_arms_together_and_stay_in_the_span() {
    let mut plan = plan(5, 3, 4);
    plan.timing = Timing::Spread { over_ms: 1_000_000 };
    let order = schedule(&plan);
    assert!(order.windows(2).all(|pair| pair[0].not_before_ms <= pair[1].not_before_ms));
    assert!(order.chunks(3).all(|block| block.iter().all(|t| t.not_before_ms == block[0].not_before_ms)));
    assert!(order.iter().all(|trial| trial.not_before_ms < 1_000_000));
    assert!(order.last().expect("a trial").not_before_ms > 400_000, "really spread");
}

#[test]
fn windows_are_kept_also_over_midnight() {
    let mut plan = plan(10, 2, 2);
    plan.planned_at_ms = 13 * 60 * 60_000;
    let night = Window { from_minute: 23 * 60, to_minute: 60 };
    let noon = Window { from_minute: 12 * 60, to_minute: 14 * 60 };
    plan.timing = Timing::Windows(vec![night, noon]);
    for trial in schedule(&plan) {
        let minute = (plan.planned_at_ms + trial.not_before_ms) / 60_000 % (24 * 60);
        let inside = !(60..23 * 60).contains(&minute) || (12 * 60..14 * 60).contains(&minute);
        assert!(inside, "minute {minute}");
    }
}

//! Every task without limits: the oracle passes, doing nothing fails, the script agent gets the designed verdict.

use infranoise_core::{Cause, Ceiling, KillScope, Reward, Shown};
use infranoise_probes::{BUNDLED, BundledTask, SPECIMENS};

use crate::bench::Bench;

#[test]
fn the_oracle_passes_and_doing_nothing_fails() {
    for task in BUNDLED {
        let bench = Bench::new(task);
        assert!(!bench.grade().passed(), "{}: nothing done, and it passes", task.name);
        bench.oracle();
        assert_eq!(bench.grade().main(), Some(1.0), "{}: the oracle fails", task.name);
    }
}

#[test]
fn the_script_agent_gets_the_designed_success() {
    for task in BUNDLED {
        let Some(expected) = task.expected(KillScope::Trial, Ceiling::Uncapped) else { continue };
        let bench = Bench::new(task);
        assert!(bench.agent(1), "{}: a step fails although nothing limits it", task.name);
        assert_eq!(bench.grade().passed(), expected.shown == Shown::Pass, "{}", task.name);
    }
}

#[test]
fn the_coin_falls_on_both_sides() {
    let coin = BUNDLED.iter().find(|task| task.name == "coin").expect("a coin");
    let bench = Bench::new(coin);
    let heads = (0..40).filter(|&seed| bench.agent(seed) && bench.grade().passed()).count();
    assert!((8..=32).contains(&heads), "{heads} of 40");
}

fn specimen(name: &str) -> &'static BundledTask {
    SPECIMENS.iter().find(|task| task.name == name).expect("a specimen")
}

#[test]
fn specimens_of_the_verifier_leave_what_they_say() {
    for (name, cause, left) in [
        ("reward-missing", Cause::RewardMissing, Reward::Missing),
        ("verifier-broken", Cause::VerifierBroken, Reward::Missing),
    ] {
        let bench = Bench::new(specimen(name));
        assert!(bench.agent(1));
        assert_eq!(bench.grade(), left, "{name}");
        assert_eq!(specimen(name).specimen().map(|shows| shows.cause), Some(cause));
    }
    let bench = Bench::new(specimen("reward-garbled"));
    assert!(matches!(bench.grade(), Reward::Garbled { .. }));
}

#[test]
fn specimens_that_need_no_ceiling_behave_without_one() {
    for (name, succeeds, passes) in [
        ("solved", true, true),
        ("wrong-answer", true, false),
        ("agent-error", false, false),
        ("agent-kill-9", false, false),
        ("agent-exit-137", false, false),
    ] {
        let bench = Bench::new(specimen(name));
        assert_eq!(bench.agent(1), succeeds, "{name}");
        assert_eq!(bench.grade().passed(), passes, "{name}");
    }
}

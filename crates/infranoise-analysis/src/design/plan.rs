//! What a design detects, and what it costs.

use infranoise_stats::power::{Errors, Noise, mde, required_k, required_k_equivalence, required_tasks};
use infranoise_stats::sequential::gs_bounds;
use infranoise_stats::{Result, StatError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A design and what is assumed of the benchmark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DesignQuestion {
    /// Tasks.
    pub tasks: u64,
    /// Repeats of each task in each arm.
    pub repeats: u64,
    /// Arms.
    pub arms: u64,
    /// The expected score, as a share.
    pub score: f64,
    /// Share of the variance of a trial that lies between tasks.
    pub rho: f64,
    /// Standard deviation of the effect between tasks, as a share: for claims about tasks like these.
    pub effect_sd: f64,
    /// The effect that is to be found, as a share.
    pub effect: f64,
    /// The equivalence margin, as a share.
    pub margin: f64,
    /// Looks at the data on the way, after whole rounds.
    pub looks: u32,
    /// Mean time of a trial, in minutes.
    pub minutes_per_trial: f64,
    /// Trials at once.
    pub at_once: u32,
    /// Tokens in and out of a trial.
    pub tokens_per_trial: f64,
    /// Price of a million tokens, in US dollars.
    pub usd_per_million_tokens: f64,
}

/// One look at the data on the way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LookRow {
    /// After so many rounds.
    pub rounds: u64,
    /// Stop if |z| is above this.
    pub z: f64,
    /// The same as a nominal two-sided p-value.
    pub p: f64,
}

/// What the design detects, and what it costs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DesignAnswer {
    /// The question.
    pub question: DesignQuestion,
    /// Trials.
    pub trials: u64,
    /// Hours on the clock.
    pub hours: f64,
    /// Tokens.
    pub tokens: f64,
    /// US dollars.
    pub usd: f64,
    /// Standard error of a difference between two arms, about these tasks, as a share.
    pub se_these_tasks: f64,
    /// Smallest difference found with 80 % power, about these tasks, as a share.
    pub detects_these_tasks: f64,
    /// The same about tasks like these.
    pub detects_new_tasks: f64,
    /// Repeats that find the effect, about these tasks; absent if no number does.
    pub repeats_for_effect: Option<u64>,
    /// The same about tasks like these; absent if no number does.
    pub repeats_for_effect_new_tasks: Option<u64>,
    /// Repeats that show equivalence within the margin if there is no difference.
    pub repeats_for_margin: Option<u64>,
    /// The same if the true difference is a third of the margin.
    pub repeats_for_margin_at_a_third: Option<u64>,
    /// Tasks that find the effect at these repeats, about tasks like these.
    pub tasks_for_effect: Option<u64>,
    /// Looks on the way.
    pub looks: Vec<LookRow>,
}

const ERRORS: Errors = Errors { alpha: 0.05, power: 0.80 };

/// Answers.
///
/// # Errors
/// If a share lies outside its range, or there are too few tasks, repeats or arms.
pub fn design(question: DesignQuestion) -> Result<DesignAnswer> {
    let q = &question;
    for (name, share) in [("score", q.score), ("rho", q.rho)] {
        if !(0.0..=1.0).contains(&share) {
            return Err(StatError::OutOfRange { name, value: share, range: "[0, 1]" });
        }
    }
    let var_seed = q.score * (1.0 - q.score) * (1.0 - q.rho);
    let fixed = Noise { var_seed, var_delta: 0.0 };
    let random = Noise { var_seed, var_delta: q.effect_sd * q.effect_sd };
    let these = mde(q.tasks, q.repeats, fixed, ERRORS)?;
    let trials = q.tasks.saturating_mul(q.repeats).saturating_mul(q.arms);
    let tokens = trials as f64 * q.tokens_per_trial;
    Ok(DesignAnswer {
        trials,
        hours: trials as f64 * q.minutes_per_trial / 60.0 / f64::from(q.at_once.max(1)),
        tokens,
        usd: tokens / 1e6 * q.usd_per_million_tokens,
        se_these_tasks: these.se,
        detects_these_tasks: these.effect,
        detects_new_tasks: mde(q.tasks, q.repeats, random, ERRORS)?.effect,
        repeats_for_effect: required_k(q.tasks, q.effect, fixed, ERRORS)?,
        repeats_for_effect_new_tasks: required_k(q.tasks, q.effect, random, ERRORS)?,
        repeats_for_margin: required_k_equivalence(q.tasks, q.margin, 0.0, fixed, ERRORS)?,
        repeats_for_margin_at_a_third: required_k_equivalence(
            q.tasks,
            q.margin,
            q.margin / 3.0,
            fixed,
            ERRORS,
        )?,
        tasks_for_effect: required_tasks(q.repeats, q.effect, random, ERRORS)?,
        looks: looks(q)?,
        question,
    })
}

/// Stopping rule at whole rounds.
fn looks(question: &DesignQuestion) -> Result<Vec<LookRow>> {
    let looks = u64::from(question.looks).min(question.repeats);
    if looks < 2 {
        return Ok(Vec::new());
    }
    let rounds: Vec<u64> =
        (1..=looks).map(|look| look.saturating_mul(question.repeats).div_ceil(looks)).collect();
    let information: Vec<f64> = rounds.iter().map(|done| *done as f64 / question.repeats as f64).collect();
    let bounds = gs_bounds(&information, ERRORS.alpha)?;
    Ok(rounds
        .into_iter()
        .zip(&bounds.critical)
        .map(|(rounds, z)| LookRow { rounds, z: *z, p: 2.0 * infranoise_stats::special::normal::sf(*z) })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question() -> DesignQuestion {
        DesignQuestion {
            tasks: 89,
            repeats: 5,
            arms: 6,
            score: 0.6,
            rho: 0.6,
            effect_sd: 0.10,
            effect: 0.06,
            margin: 0.03,
            looks: 5,
            minutes_per_trial: 12.0,
            at_once: 10,
            tokens_per_trial: 500_000.0,
            usd_per_million_tokens: 2.0,
        }
    }

    #[test]
    fn the_design_of_the_published_experiment() {
        let answer = design(question()).expect("an answer");
        assert_eq!(answer.trials, 2670);
        // The reference's table: 5.9 points at k = 5 for these tasks, 6.6 with task effects of sd 0.10.
        assert!((answer.detects_these_tasks - 0.059).abs() < 0.001, "{}", answer.detects_these_tasks);
        assert!((answer.detects_new_tasks - 0.066).abs() < 0.001, "{}", answer.detects_new_tasks);
        let margin = answer.repeats_for_margin.expect("some number");
        assert!((15..=25).contains(&margin), "{margin}");
        assert!((answer.hours - 53.4).abs() < 0.1 && (answer.usd - 2670.0).abs() < 1e-6);
        let z: Vec<f64> = answer.looks.iter().map(|look| (look.z * 1000.0).round() / 1000.0).collect();
        assert_eq!(z, vec![4.877, 3.357, 2.680, 2.290, 2.031]);
    }

    #[test]
    fn nonsense_is_an_error() {
        assert!(design(DesignQuestion { score: 1.5, ..question() }).is_err());
        assert!(design(DesignQuestion { tasks: 0, ..question() }).is_err());
        assert!(design(DesignQuestion { effect: 0.0, ..question() }).is_err());
    }
}

//! Beta-binomial maximum likelihood: task rates that share strength.

use crate::cell::Cell;
use crate::check;
use crate::error::{Result, StatError};
use crate::root::find_root;
use crate::special::gamma::ln_choose;

/// A fitted beta-binomial distribution.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BetaBinomial {
    /// Mean rate over tasks.
    pub mu: f64,
    /// Correlation of two trials of one task; 0 if tasks do not differ, 1 if each always or never hits.
    pub rho: f64,
    /// Logarithm of the likelihood at the maximum, binomial coefficients included.
    pub log_likelihood: f64,
    /// One rate per task, pulled towards the mean: (x + mu s) / (k + s), s = 1/rho - 1.
    pub shrunk: Vec<f64>,
}

/// How many tasks have more than `i` hits, misses and trials, for every `i`: all that the likelihood needs.
struct Counts {
    hits: Vec<f64>,
    misses: Vec<f64>,
    trials: Vec<f64>,
}

impl Counts {
    fn new(tasks: &[Cell]) -> Self {
        Self {
            hits: Self::exceeding(tasks, Cell::hits),
            misses: Self::exceeding(tasks, |cell| cell.trials() - cell.hits()),
            trials: Self::exceeding(tasks, Cell::trials),
        }
    }

    fn exceeding(tasks: &[Cell], of: impl Fn(Cell) -> u32) -> Vec<f64> {
        let largest = tasks.iter().map(|&cell| of(cell)).max().unwrap_or(0) as usize;
        let mut counts = vec![0.0; largest + 1];
        tasks.iter().for_each(|&cell| counts[of(cell) as usize] += 1.0);
        let mut above = 0.0;
        for count in counts.iter_mut().rev() {
            (above, *count) = (above + *count, above);
        }
        counts.truncate(largest);
        counts
    }

    fn sum(counts: &[f64], term: impl Fn(f64) -> f64) -> f64 {
        counts.iter().enumerate().map(|(i, count)| count * term(i as f64)).sum()
    }

    /// Logarithm of the likelihood without the binomial coefficients.
    fn log_likelihood(&self, mu: f64, rho: f64) -> f64 {
        let free = 1.0 - rho;
        Self::sum(&self.hits, |i| (mu * free + i * rho).ln())
            + Self::sum(&self.misses, |i| ((1.0 - mu) * free + i * rho).ln())
            - Self::sum(&self.trials, |i| (free + i * rho).ln())
    }

    fn slope_in_mu(&self, mu: f64, rho: f64) -> f64 {
        let free = 1.0 - rho;
        Self::sum(&self.hits, |i| free / (mu * free + i * rho))
            - Self::sum(&self.misses, |i| free / ((1.0 - mu) * free + i * rho))
    }

    fn slope_in_rho(&self, mu: f64, rho: f64) -> f64 {
        let free = 1.0 - rho;
        Self::sum(&self.hits, |i| (i - mu) / (mu * free + i * rho))
            + Self::sum(&self.misses, |i| (i - 1.0 + mu) / ((1.0 - mu) * free + i * rho))
            - Self::sum(&self.trials, |i| (i - 1.0) / (free + i * rho))
    }

    /// The best mean for a given correlation: the likelihood is concave in the mean.
    fn best_mu(&self, rho: f64) -> Result<f64> {
        const NEAR_END: f64 = 1e-12;
        find_root(|mu| self.slope_in_mu(mu, rho), NEAR_END, 1.0 - NEAR_END)
    }
}

/// Fits mean and correlation of task rates and shrinks each task's rate towards the mean.
///
/// P(x) is proportional to prod(mu(1-rho) + i rho) prod((1-mu)(1-rho) + j rho) / prod((1-rho) + i rho), i < x,
/// j < k - x. The mean is profiled out (its likelihood is concave), then the root of the profile score in rho is
/// bracketed; at the borders rho = 0 (tasks do not differ) and rho = 1 (each task always or never hits) the border is
/// the answer. Assumes that task rates follow a Beta distribution. Source: Skellam 1948; Griffiths 1973.
/// Complexity: O(T + k) per step, about 200 steps.
///
/// # Errors
/// Fewer than two tasks with trials; no hit at all, or nothing but hits (the correlation is then not identified).
pub fn betabinom_mle(tasks: &[Cell]) -> Result<BetaBinomial> {
    const NEAR_ONE: f64 = 1.0 - 1e-9;
    check::at_least("tasks with trials", 2, tasks.iter().filter(|cell| cell.trials() > 0).count())?;
    let counts = Counts::new(tasks);
    if counts.hits.is_empty() || counts.misses.is_empty() {
        return Err(StatError::NoInformation { what: "a table without hits or without misses" });
    }
    if counts.trials.len() < 2 {
        return Err(StatError::TooFew { what: "trials in some task", needed: 2, found: 1 });
    }
    let profile = |rho: f64| counts.best_mu(rho).map_or(f64::NAN, |mu| counts.slope_in_rho(mu, rho));
    let rho = if profile(0.0) <= 0.0 {
        0.0
    } else if profile(NEAR_ONE) >= 0.0 {
        1.0
    } else {
        find_root(profile, 0.0, NEAR_ONE)?
    };
    let mu = counts.best_mu(rho.min(NEAR_ONE))?;
    let coefficients: f64 =
        tasks.iter().map(|cell| ln_choose(f64::from(cell.trials()), f64::from(cell.hits()))).sum();
    let log_likelihood = coefficients + counts.log_likelihood(mu, rho.min(NEAR_ONE));
    let shrunk = tasks.iter().map(|&cell| shrink(cell, mu, rho)).collect();
    Ok(BetaBinomial { mu, rho, log_likelihood, shrunk })
}

fn shrink(cell: Cell, mu: f64, rho: f64) -> f64 {
    // (x + mu s)/(k + s) with s = (1 - rho)/rho, multiplied by rho so that rho = 0 needs no exception.
    let (x, k) = (f64::from(cell.hits()), f64::from(cell.trials()));
    let weight = k * rho + 1.0 - rho;
    if weight == 0.0 { mu } else { (x * rho + mu * (1.0 - rho)) / weight }
}

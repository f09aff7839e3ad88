//! Simulated experiments with a known truth, shared by tests, examples and benchmarks.
//!
//! Task rates come from a Beta distribution (agentic benchmarks are U-shaped: most tasks nearly always or never pass),
//! infra rates from a skewed one (errors sit on few tasks).

use infranoise_stats::{Cell, Outcomes, Pair};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// Random numbers from a seed.
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// Dice that always fall alike for the same seed.
    pub fn new(seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// Uniform between 0 and 1, neither included.
    pub fn uniform(&mut self) -> f64 {
        ((self.0.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// True with the given probability.
    pub fn chance(&mut self, p: f64) -> bool {
        self.uniform() < p
    }

    /// Standard normal (Box and Muller).
    pub fn normal(&mut self) -> f64 {
        (-2.0 * self.uniform().ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
    }

    /// Gamma with the given shape and scale one (Marsaglia and Tsang).
    fn gamma(&mut self, shape: f64) -> f64 {
        if shape < 1.0 {
            return self.gamma(shape + 1.0) * self.uniform().powf(1.0 / shape);
        }
        let d = shape - 1.0 / 3.0;
        let c = 1.0 / (9.0 * d).sqrt();
        loop {
            let z = self.normal();
            let v = (1.0 + c * z).powi(3);
            if v > 0.0 && self.uniform().ln() < 0.5 * z * z + d - d * v + d * v.ln() {
                return d * v;
            }
        }
    }

    /// Beta with mean `mu` whose trials have correlation `rho`.
    pub fn beta(&mut self, mu: f64, rho: f64) -> f64 {
        let size = 1.0 / rho - 1.0;
        let (x, y) = (self.gamma(mu * size), self.gamma((1.0 - mu) * size));
        if x + y > 0.0 { x / (x + y) } else { f64::from(u8::from(self.chance(mu))) }
    }

    /// One rate per task.
    pub fn rates(&mut self, tasks: usize, mu: f64, rho: f64) -> Vec<f64> {
        (0..tasks).map(|_| self.beta(mu, rho)).collect()
    }

    /// Trials of a task with a known rate.
    pub fn cell(&mut self, rate: f64, trials: u32) -> Cell {
        let hits = (0..trials).filter(|_| self.chance(rate)).count() as u32;
        Cell::try_new(hits, trials).expect("hits <= trials")
    }

    /// One arm.
    pub fn cells(&mut self, rates: &[f64], trials: u32) -> Vec<Cell> {
        rates.iter().map(|&rate| self.cell(rate, trials)).collect()
    }

    /// Two arms on the same tasks.
    pub fn pairs(&mut self, a: &[f64], b: &[f64], trials: u32) -> Vec<Pair> {
        a.iter().zip(b).map(|(&a, &b)| Pair { a: self.cell(a, trials), b: self.cell(b, trials) }).collect()
    }

    /// Trials of a task that end by an infra error with probability `infra`, and pass at `rate` otherwise.
    pub fn outcomes(&mut self, infra: f64, rate: f64, trials: u32) -> Outcomes {
        let (mut passes, mut errors) = (0, 0);
        for _ in 0..trials {
            if self.chance(infra) {
                errors += 1;
            } else if self.chance(rate) {
                passes += 1;
            }
        }
        Outcomes::try_new(passes, errors, trials).expect("parts <= trials")
    }
}

/// A rate moved on the logit scale.
pub fn shifted(rate: f64, logits: f64) -> f64 {
    let odds = rate / (1.0 - rate) * logits.exp();
    if odds.is_finite() { odds / (1.0 + odds) } else { rate }
}

/// Mean of some rates.
pub fn mean(rates: &[f64]) -> f64 {
    rates.iter().sum::<f64>() / rates.len() as f64
}

/// How often something happened, in percent.
#[derive(Default, Clone, Copy)]
pub struct Tally {
    yes: u32,
    all: u32,
}

impl Tally {
    /// Counts one experiment.
    pub fn count(&mut self, yes: bool) {
        self.yes += u32::from(yes);
        self.all += 1;
    }

    /// The share of experiments.
    pub fn share(self) -> f64 {
        f64::from(self.yes) / f64::from(self.all.max(1))
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.all == 0 { f.pad("") } else { f.pad(&format!("{:.1}", 100.0 * self.share())) }
    }
}

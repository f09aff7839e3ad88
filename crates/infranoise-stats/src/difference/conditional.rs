//! The distribution of all hits in B given each task's margins: a sum of hypergeometric variables.

use crate::cell::Pair;
use crate::special::hypergeometric::Hypergeometric;

/// The exact conditional distribution of the hits in B under "no difference".
#[derive(Debug, Clone)]
pub(super) struct Conditional {
    /// The smallest possible sum.
    pub low: u64,
    /// Probabilities from `low` on.
    pub pmf: Vec<f64>,
    /// The observed sum.
    pub observed: u64,
    /// Trials in tasks with both arms.
    pub trials: u64,
    /// Tasks with both arms.
    pub tasks: u64,
}

impl Conditional {
    /// Convolves the tasks' distributions. All terms are positive, so each probability keeps its relative accuracy
    /// down to 1e-300, below which it becomes zero.
    pub fn new(pairs: &[Pair]) -> Self {
        let mut all = Self { low: 0, pmf: vec![1.0], observed: 0, trials: 0, tasks: 0 };
        for pair in pairs.iter().filter(|pair| pair.difference().is_some()) {
            let (a, b) = (pair.a, pair.b);
            all.observed += u64::from(b.hits());
            all.trials += pair.trials();
            all.tasks += 1;
            all.add(&Hypergeometric::new(a.trials(), b.trials(), a.hits() + b.hits()));
        }
        all
    }

    fn add(&mut self, task: &Hypergeometric) {
        self.low += u64::from(task.low);
        if task.pmf.len() == 1 {
            return;
        }
        let mut sum = vec![0.0; self.pmf.len() + task.pmf.len() - 1];
        for (shift, &weight) in task.pmf.iter().enumerate() {
            for (to, &p) in sum[shift..].iter_mut().zip(&self.pmf) {
                *to += weight * p;
            }
        }
        self.pmf = sum;
    }

    /// Position of the observed sum.
    pub fn at(&self) -> usize {
        (self.observed - self.low) as usize
    }

    /// Two-sided p: all sums that are at most as probable as the observed one.
    pub fn two_sided(&self) -> f64 {
        const TIE: f64 = 1.0 + 1e-7;
        let limit = self.pmf[self.at()] * TIE;
        self.pmf.iter().filter(|&&p| p <= limit).sum::<f64>().min(1.0)
    }

    /// The probabilities (observed or less, observed or more) at a common log odds ratio.
    pub fn tails(&self, log_odds: f64) -> (f64, f64) {
        let tilted = self.tilted(log_odds);
        let total: f64 = tilted.iter().sum();
        let less: f64 = tilted[..=self.at()].iter().sum();
        let more: f64 = tilted[self.at()..].iter().sum();
        (less / total, more / total)
    }

    /// Mean and variance of the sum, less the observed one, at a common log odds ratio.
    pub fn shift_and_variance(&self, log_odds: f64) -> (f64, f64) {
        let tilted = self.tilted(log_odds);
        let total: f64 = tilted.iter().sum();
        let centre = self.at() as f64;
        let moment = |power: i32| {
            tilted.iter().enumerate().map(|(s, w)| w * (s as f64 - centre).powi(power)).sum::<f64>() / total
        };
        let mean = moment(1);
        (mean, moment(2) - mean * mean)
    }

    /// Weights pmf(s) * odds^s, scaled so that the largest is one.
    fn tilted(&self, log_odds: f64) -> Vec<f64> {
        let logs: Vec<f64> = self.pmf.iter().enumerate().map(|(s, p)| p.ln() + s as f64 * log_odds).collect();
        let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        logs.iter().map(|log| (log - largest).exp()).collect()
    }
}

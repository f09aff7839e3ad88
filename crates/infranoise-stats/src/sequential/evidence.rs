//! Evidence that is valid at any time, from discordant pairs.

use crate::check;
use crate::error::Result;
use crate::estimate::Estimate;
use crate::method::Method;
use crate::root::find_root;
use crate::special::gamma::ln_beta;

/// Discordant pairs so far, and the prior of their share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DiscordantEvidence {
    /// Pairs of trials (same task, same round) in which only B hit.
    pub for_b: u64,
    /// Pairs in which only A hit.
    pub against_b: u64,
    /// First parameter of the Beta prior; 1/2 by default.
    pub prior_a: f64,
    /// Second parameter of the Beta prior; 1/2 by default.
    pub prior_b: f64,
}

impl DiscordantEvidence {
    /// With the prior Beta(1/2, 1/2).
    pub fn new(for_b: u64, against_b: u64) -> Self {
        Self { for_b, against_b, prior_a: 0.5, prior_b: 0.5 }
    }

    /// Logarithm of the mixture likelihood over the likelihood at a share `theta` of pairs for B.
    fn log_ratio(self, theta: f64) -> Result<f64> {
        let a = check::positive("prior_a", self.prior_a)?;
        let b = check::positive("prior_b", self.prior_b)?;
        let (hits, misses) = (self.for_b as f64, self.against_b as f64);
        let mixture = ln_beta(a + hits, b + misses) - ln_beta(a, b);
        Ok(mixture - weighted_log(hits, theta) - weighted_log(misses, 1.0 - theta))
    }
}

/// n ln(p), zero for n = 0 whatever p.
fn weighted_log(n: f64, p: f64) -> f64 {
    if n == 0.0 { 0.0 } else { n * p.ln() }
}

/// Logarithm of the e-value against "arms do not differ": E = 2^(b+c) B(a0 + b, b0 + c) / B(a0, b0).
///
/// Stop when E >= 1/alpha, at any time: the probability of ever doing so under no difference is at most alpha. It
/// ignores concordant and unpaired trials: for pages, not for decisions. Source: Ville 1939; Robbins 1970; sequential
/// McNemar. Complexity: O(1).
///
/// # Errors
/// A prior parameter that is not positive.
pub fn e_value_discordant(evidence: DiscordantEvidence) -> Result<f64> {
    evidence.log_ratio(0.5)
}

/// Confidence sequence of the share of discordant pairs that favour B: all theta with E(theta) < 1/alpha. Covers at
/// all times together.
///
/// Source: Robbins 1970; Waudby-Smith and Ramdas 2024. Complexity: two root searches.
///
/// # Errors
/// A prior parameter that is not positive, an alpha outside (0, 1).
pub fn cs_discordant(evidence: DiscordantEvidence, alpha: f64) -> Result<Estimate> {
    let limit = -check::open_unit("alpha", alpha)?.ln();
    let (hits, misses) = (evidence.for_b as f64, evidence.against_b as f64);
    let pairs = evidence.for_b + evidence.against_b;
    let best = if pairs == 0 { 0.5 } else { hits / pairs as f64 };
    evidence.log_ratio(best)?;
    let excess = |theta: f64| evidence.log_ratio(theta).map_or(f64::NAN, |log_e| log_e - limit);
    // On the logit scale, so that ends near 0 and 1 keep their digits.
    let end = |far: f64| {
        let logit = (best / (1.0 - best)).ln().clamp(-700.0, 700.0);
        let at = |logit: f64| 1.0 / (1.0 + (-logit).exp());
        find_root(|logit| excess(at(logit)), logit.min(far), logit.max(far)).map(at)
    };
    Ok(Estimate {
        value: best,
        low: if misses + hits == 0.0 || hits == 0.0 { 0.0 } else { end(-700.0)? },
        high: if misses == 0.0 { 1.0 } else { end(700.0)? },
        level: 1.0 - alpha,
        method: Method::CsDiscordant,
        n: pairs,
        clusters: pairs,
    })
}

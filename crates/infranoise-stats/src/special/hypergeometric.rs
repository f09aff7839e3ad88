//! The hypergeometric distribution: how many of the hits fall on one arm if the arms do not differ.

/// The distribution of the hits in B, given both arms' trials and all hits of the task.
#[derive(Debug, Clone)]
pub struct Hypergeometric {
    /// The smallest possible number of hits in B.
    pub low: u32,
    /// Probabilities from `low` on; they sum to one.
    pub pmf: Vec<f64>,
}

impl Hypergeometric {
    /// Of `hits` hits among `trials_a + trials_b` trials, how many are in B?
    ///
    /// Ratios of neighbours from the mode outwards: no factorial, no cancellation. Complexity: O(support).
    pub fn new(trials_a: u32, trials_b: u32, hits: u32) -> Self {
        let low = hits.saturating_sub(trials_a);
        let high = hits.min(trials_b);
        let (a, b, m) = (f64::from(trials_a), f64::from(trials_b), f64::from(hits));
        // P(x + 1) / P(x)
        let ratio = |x: f64| (m - x) * (b - x) / ((x + 1.0) * (a - m + x + 1.0));
        let mode = (((m + 1.0) * (b + 1.0) / (a + b + 2.0)) as u32).clamp(low, high);
        let mut pmf = vec![0.0; (high - low + 1) as usize];
        let centre = (mode - low) as usize;
        pmf[centre] = 1.0;
        for x in mode..high {
            let at = (x - low) as usize;
            pmf[at + 1] = pmf[at] * ratio(f64::from(x));
        }
        for x in (low..mode).rev() {
            let at = (x - low) as usize;
            pmf[at] = pmf[at + 1] / ratio(f64::from(x));
        }
        let total: f64 = pmf.iter().sum();
        pmf.iter_mut().for_each(|p| *p /= total);
        Self { low, pmf }
    }
}

#[cfg(test)]
mod tests {
    use super::Hypergeometric;

    #[test]
    fn small_cases() {
        let check = |a, b, m, low, expect: &[f64]| {
            let h = Hypergeometric::new(a, b, m);
            assert_eq!((h.low, h.pmf.len()), (low, expect.len()));
            for (got, want) in h.pmf.iter().zip(expect) {
                assert!((got - want).abs() < 1e-15, "{got} {want}");
            }
        };
        check(2, 2, 2, 0, &[1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0]);
        check(1, 3, 3, 2, &[0.75, 0.25]);
        check(5, 5, 0, 0, &[1.0]);
        check(5, 5, 10, 5, &[1.0]);
    }
}

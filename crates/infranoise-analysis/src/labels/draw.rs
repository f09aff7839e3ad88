//! The draw: which trials are judged.

use std::collections::BTreeMap;

use infranoise_core::{Plan, Shown, TrialRecord};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng as _, SeedableRng as _};

use super::{LabelItem, LabelSheet, Stratum};
use crate::table::Table;

/// Draws about `wanted` trials, as many of each verdict as there are, up to an equal share; what a rare verdict leaves over goes to the
/// others. Only attempts that count are drawn.
#[must_use]
pub fn draw(plan: &Plan, records: &[TrialRecord], wanted: u64, seed: u64) -> LabelSheet {
    let mut by_verdict: BTreeMap<Shown, Vec<&TrialRecord>> = BTreeMap::new();
    let table = Table::new(plan, records);
    for chosen in table.chosen() {
        by_verdict.entry(chosen.shown()).or_default().push(chosen.record);
    }
    let sizes: Vec<u64> = by_verdict.values().map(|trials| trials.len() as u64).collect();
    let shares = shares(&sizes, wanted);
    let mut draws = Draws::new(seed);
    let mut items = Vec::new();
    let mut strata = Vec::new();
    for ((verdict, mut trials), sampled) in by_verdict.into_iter().zip(shares) {
        strata.push(Stratum { verdict, trials: trials.len() as u64, sampled });
        draws.shuffle(&mut trials);
        items.extend(trials.into_iter().zip(0..sampled).map(|(record, _)| item(record)));
    }
    draws.shuffle(&mut items);
    LabelSheet { sweep: plan.sweep.clone(), seed, strata, items }
}

fn item(record: &TrialRecord) -> LabelItem {
    let facts = &record.facts;
    LabelItem {
        trial: facts.key.folder(),
        attempt: facts.attempt.0,
        task: facts.key.task.clone(),
        arm: facts.key.arm.clone(),
        file: facts.source.as_ref().map(|source| source.file.clone()),
        truth: None,
        note: String::new(),
    }
}

/// Equal shares, none larger than its stratum: one more for each that has room, round after round.
fn shares(sizes: &[u64], wanted: u64) -> Vec<u64> {
    let mut shares = vec![0; sizes.len()];
    let mut left = wanted.min(sizes.iter().sum());
    while left > 0 {
        let open = sizes.iter().zip(&shares).filter(|(size, share)| share < size).count() as u64;
        let each = (left / open).max(1);
        for (size, share) in sizes.iter().zip(&mut shares) {
            let more = each.min(size - *share).min(left);
            *share += more;
            left -= more;
        }
    }
    shares
}

/// A stream of draws from the seed: our own way from random bits to indices, so that a sheet can be drawn again for years.
struct Draws(ChaCha8Rng);

impl Draws {
    fn new(seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..14].copy_from_slice(b"labels");
        Self(ChaCha8Rng::from_seed(key))
    }

    /// A whole number below `bound`, each equally likely (by rejection).
    fn below(&mut self, bound: u64) -> u64 {
        let unbiased = u64::MAX - u64::MAX % bound;
        loop {
            let bits = self.0.next_u64();
            if bits < unbiased {
                return bits % bound;
            }
        }
    }

    /// Every order equally likely (Fisher and Yates).
    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u64 + 1) as usize;
            items.swap(last, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_verdicts_leave_their_share_to_the_others() {
        let cases: [(&[u64], u64, &[u64]); 6] = [
            (&[100, 100], 10, &[5, 5]),
            (&[3, 100, 100], 30, &[3, 14, 13]),
            (&[5, 5], 100, &[5, 5]),
            (&[7, 0, 7], 3, &[2, 0, 1]),
            (&[], 5, &[]),
            (&[9], 0, &[0]),
        ];
        for (sizes, wanted, expected) in cases {
            assert_eq!(shares(sizes, wanted), expected, "{sizes:?} {wanted}");
        }
    }

    #[test]
    fn every_order_is_equally_likely() {
        let mut counts = BTreeMap::new();
        let mut draws = Draws::new(7);
        for _ in 0..6_000 {
            let mut items = [0, 1, 2];
            draws.shuffle(&mut items);
            *counts.entry(items).or_insert(0_u32) += 1;
        }
        // 1,000 expected in each; five standard deviations are 144.
        assert_eq!(counts.len(), 6);
        assert!(counts.values().all(|count| (856..=1_144).contains(count)), "{counts:?}");
    }
}

//! Draws from a recorded seed.
//!
//! Everything random in a sweep comes from its seed through ChaCha8 streams, one per purpose, with our own index drawing, so that a
//! plan gives the same order on every machine and under every version of the random-number crates.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng as _, SeedableRng as _};

/// What a stream of draws is for; part of the seed, so that purposes never share draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The order of blocks within a round.
    Blocks = 1,
    /// The order of arms within a block.
    Arms = 2,
    /// The moments of blocks, when they are spread over time.
    Moments = 3,
    /// The agent's own draws, the same for all arms of a block.
    Agent = 4,
}

/// A stream of draws.
pub struct Draws(ChaCha8Rng);

impl Draws {
    /// The stream for a purpose and an index (a round, a block).
    #[must_use]
    pub fn new(seed: u64, purpose: Purpose, index: u64) -> Self {
        let mut bytes = [0u8; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        bytes[8..16].copy_from_slice(&(purpose as u64).to_le_bytes());
        bytes[16..24].copy_from_slice(&index.to_le_bytes());
        Self(ChaCha8Rng::from_seed(bytes))
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A whole number below `bound`, each equally likely (by rejection); 0 if `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        if bound < 2 {
            return 0;
        }
        let unbiased = u64::MAX - u64::MAX % bound;
        loop {
            let bits = self.bits();
            if bits < unbiased {
                return bits % bound;
            }
        }
    }

    /// Brings a list into random order (Fisher and Yates), each order equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
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
    fn each_order_is_equally_likely() {
        let mut counts = std::collections::BTreeMap::new();
        for index in 0..6000 {
            let mut items = [0, 1, 2];
            Draws::new(7, Purpose::Arms, index).shuffle(&mut items);
            *counts.entry(items).or_insert(0u32) += 1;
        }
        assert_eq!(counts.len(), 6);
        // 1,000 expected in each; five standard deviations are 144.
        assert!(counts.values().all(|count| (856..=1144).contains(count)), "{counts:?}");
    }

    #[test]
    fn purposes_do_not_share_draws() {
        let first = Draws::new(7, Purpose::Arms, 0).bits();
        assert_eq!(first, Draws::new(7, Purpose::Arms, 0).bits(), "the same again");
        assert_ne!(first, Draws::new(7, Purpose::Blocks, 0).bits());
        assert_ne!(first, Draws::new(8, Purpose::Arms, 0).bits());
    }
}

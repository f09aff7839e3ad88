//! Luck from a task's name and a seed: the same in every arm.
//!
//! The name is folded into 64 bits (FNV-1a), xored with the seed, and SplitMix64 turns that into a stream; the upper 53 bits of
//! each value are a uniform number in [0, 1). The first number picks the strategy, the second is the luck that commands see.
//! Arms do not come into it, so that a trial in another arm is a paired one. (Steele, Lea and Flood 2014; Fowler, Noll and Vo.)

use infranoise_core::TaskId;

/// What chance decided for one trial, whatever its arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Draw {
    /// The seed.
    pub seed: u64,
    /// Picks the strategy; in [0, 1).
    pub pick: f64,
    /// What commands see as `LUCK`; in [0, 1).
    pub luck: f64,
}

impl Draw {
    /// The draw of a task and a seed. The seed must depend on the sweep and the repeat, never on the arm.
    #[must_use]
    pub fn new(task: &TaskId, seed: u64) -> Self {
        let mut state = fnv1a(task.as_str().as_bytes()) ^ seed;
        let pick = uniform(split_mix(&mut state));
        let luck = uniform(split_mix(&mut state));
        Self { seed, pick, luck }
    }

    /// Picks one of several by weight.
    pub(super) fn weighted<'a, T>(&self, items: &'a [T], weight: impl Fn(&T) -> f64) -> Option<&'a T> {
        let total: f64 = items.iter().map(&weight).sum();
        let mut left = self.pick * total;
        for item in items {
            left -= weight(item);
            if left < 0.0 {
                return Some(item);
            }
        }
        items.last()
    }
}

fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn uniform(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(name: &str) -> TaskId {
        TaskId::try_new(name).expect("a name")
    }

    #[test]
    fn the_generator_is_the_published_one() {
        // The first outputs for the seed 1234567, as in the generator's own test vectors.
        let mut state = 1_234_567;
        let first: Vec<u64> = (0..3).map(|_| split_mix(&mut state)).collect();
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
    }

    #[test]
    fn luck_depends_on_task_and_seed_and_is_spread_evenly() {
        assert_eq!(Draw::new(&task("coin"), 7), Draw::new(&task("coin"), 7));
        assert_ne!(Draw::new(&task("coin"), 7).pick, Draw::new(&task("coin"), 8).pick);
        assert_ne!(Draw::new(&task("coin"), 7).pick, Draw::new(&task("other"), 7).pick);
        for draw in [|d: Draw| d.pick, |d: Draw| d.luck] {
            let below = (0..10_000).filter(|&seed| draw(Draw::new(&task("coin"), seed)) < 0.3).count();
            assert!((2_850..3_150).contains(&below), "{below}");
        }
    }

    #[test]
    fn weights_decide_the_shares() {
        let items = [("a", 0.7), ("b", 0.0), ("c", 0.3)];
        let picked = |pick: f64| {
            let draw = Draw { seed: 0, pick, luck: 0.0 };
            draw.weighted(&items, |item| item.1).map(|item| item.0)
        };
        for (pick, expected) in [(0.0, "a"), (0.69, "a"), (0.71, "c"), (0.999, "c")] {
            assert_eq!(picked(pick), Some(expected), "{pick}");
        }
        let none: [(&str, f64); 0] = [];
        assert!(Draw { seed: 0, pick: 0.5, luck: 0.5 }.weighted(&none, |item| item.1).is_none());
    }
}

//! Which tasks does a draw hold? Our own way from random bits to indices.
//!
//! It is written out here because a library's way may change with its version, and a result must be reproducible from
//! its seed for years.

use crate::check;
use crate::error::{Result, StatError};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// An endless supply of resamples: each names as many tasks as there are, drawn with replacement.
///
/// Bits come from ChaCha8, keyed by the seed (little-endian in the first eight bytes of the key, zero elsewhere). An
/// index is the high half of a 32-bit number times the number of tasks; numbers that would make some index more
/// probable are drawn again (Lemire 2019). Complexity: O(T) per draw.
#[derive(Debug, Clone)]
pub struct TaskDraws {
    bits: ChaCha8Rng,
    tasks: u32,
    /// Products whose low half is below this are drawn again.
    refused: u32,
}

impl TaskDraws {
    /// Draws of `tasks` tasks.
    ///
    /// # Errors
    /// No task, or more than 2^32.
    pub fn new(tasks: usize, seed: u64) -> Result<Self> {
        check::at_least("tasks", 1, tasks)?;
        let limit = u32::MAX as usize;
        let tasks =
            u32::try_from(tasks).map_err(|_| StatError::TooLarge { what: "tasks", needed: tasks, limit })?;
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Ok(Self { bits: ChaCha8Rng::from_seed(key), tasks, refused: tasks.wrapping_neg() % tasks })
    }

    /// One task.
    pub fn index(&mut self) -> usize {
        loop {
            let product = u64::from(self.bits.next_u32()) * u64::from(self.tasks);
            if product as u32 >= self.refused {
                return (product >> 32) as usize;
            }
        }
    }

    /// One resample: the tasks that it holds, in drawing order.
    pub fn resample(&mut self) -> impl Iterator<Item = usize> {
        let tasks = self.tasks;
        (0..tasks).map(|_| self.index())
    }
}

#[cfg(test)]
mod tests {
    use super::TaskDraws;

    #[test]
    fn draws_are_pinned() {
        let mut draws = TaskDraws::new(89, 20_260_205).unwrap();
        let first: Vec<usize> = draws.resample().take(8).collect();
        assert_eq!(first, PINNED);
    }

    #[test]
    fn every_task_is_equally_probable() {
        let mut counts = [0_u32; 7];
        let mut draws = TaskDraws::new(7, 1).unwrap();
        for _ in 0..70_000 {
            counts[draws.index()] += 1;
        }
        // Six standard deviations of a binomial count around 10,000.
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 6 * 93), "{counts:?}");
    }

    #[test]
    fn nothing_to_draw_from() {
        assert!(TaskDraws::new(0, 1).is_err());
        assert_eq!(TaskDraws::new(1, 1).unwrap().resample().collect::<Vec<_>>(), [0]);
    }

    const PINNED: [usize; 8] = [80, 41, 53, 58, 45, 70, 49, 11];
}

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
/// Bits come from ChaCha8, keyed by the seed (little-endian in the first eight bytes of the key, zero elsewhere) and
/// read as 16-bit little-endian numbers. An index is the high half of such a number times the number of tasks; numbers
/// that would make some index more probable are passed over (Lemire 2019). Complexity: O(T) per draw.
#[derive(Debug, Clone)]
pub struct TaskDraws {
    bits: ChaCha8Rng,
    buffer: [u8; BUFFER],
    used: usize,
    tasks: u32,
    /// Products whose low half is below this are passed over.
    refused: u32,
}

const BUFFER: usize = 1024;
const RANGE: u32 = 1 << 16;

impl TaskDraws {
    /// Draws of `tasks` tasks.
    ///
    /// # Errors
    /// No task, or more than 65,536.
    pub fn new(tasks: usize, seed: u64) -> Result<Self> {
        check::at_least("tasks", 1, tasks)?;
        let limit = RANGE as usize;
        if tasks > limit {
            return Err(StatError::TooLarge { what: "the resampling of tasks", needed: tasks, limit });
        }
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let bits = ChaCha8Rng::from_seed(key);
        let tasks = tasks as u32;
        Ok(Self { bits, buffer: [0; BUFFER], used: BUFFER, tasks, refused: RANGE % tasks })
    }

    /// One resample: how often each task is in it. `counts` has one entry per task at least; entries beyond stay zero.
    ///
    /// # Panics
    /// `counts` is shorter than the number of tasks.
    pub fn resample(&mut self, counts: &mut [u32]) {
        counts.fill(0);
        let mut missing = self.tasks as usize;
        while missing > 0 {
            if self.used == BUFFER {
                self.bits.fill_bytes(&mut self.buffer);
                self.used = 0;
            }
            let rest = &self.buffer[self.used..];
            let read = rest.len().min(2 * missing);
            let mut taken = 0;
            for bytes in rest[..read].chunks_exact(2) {
                let product = u32::from(u16::from_le_bytes([bytes[0], bytes[1]])) * self.tasks;
                // Adding zero instead of branching: refusals are rare, but not predictable.
                let accepted = u32::from(product % RANGE >= self.refused);
                counts[(product / RANGE) as usize] += accepted;
                taken += accepted;
            }
            self.used += read;
            missing -= taken as usize;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TaskDraws;

    #[test]
    fn draws_are_pinned() {
        let mut draws = TaskDraws::new(5, 20_260_205).unwrap();
        let mut counts = [0; 5];
        let seen = [(); 4].map(|()| {
            draws.resample(&mut counts);
            counts
        });
        assert_eq!(seen, PINNED);
    }

    #[test]
    fn every_task_is_equally_probable() {
        let mut draws = TaskDraws::new(7, 1).unwrap();
        let (mut counts, mut sums) = ([0; 7], [0; 7]);
        for _ in 0..10_000 {
            draws.resample(&mut counts);
            assert_eq!(counts.iter().sum::<u32>(), 7);
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        // Six standard deviations of a binomial count around 10,000.
        assert!(sums.iter().all(|sum| sum.abs_diff(10_000) < 6 * 93), "{sums:?}");
    }

    #[test]
    fn what_can_be_drawn_from() {
        assert!(TaskDraws::new(0, 1).is_err());
        assert!(TaskDraws::new(65_537, 1).is_err());
        let mut one = [9, 9];
        TaskDraws::new(1, 1).unwrap().resample(&mut one);
        assert_eq!(one, [1, 0]);
        let mut many = vec![0; 65_536];
        TaskDraws::new(65_536, 1).unwrap().resample(&mut many);
        assert_eq!(many.iter().sum::<u32>(), 65_536);
        assert!(many[65_000..].iter().any(|&count| count > 0));
    }

    /// From an independent ChaCha8, in Python.
    const PINNED: [[u32; 5]; 4] = [[0, 0, 3, 0, 2], [0, 0, 1, 2, 2], [0, 0, 1, 2, 2], [2, 0, 2, 0, 1]];
}

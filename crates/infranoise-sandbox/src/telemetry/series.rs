//! Samples of a trial in bounded memory, however long it goes on.

use super::sample::Sample;

/// At most so many samples are kept: ten minutes at 10 Hz. Then every other one goes, and half as many are kept from there on.
const KEPT: usize = 6_000;

/// A series that grows coarser as it grows longer. Peaks do not suffer: they come from the kernel.
#[derive(Debug)]
pub(super) struct Series {
    samples: Vec<Sample>,
    stride: u32,
    seen: u32,
}

impl Series {
    pub fn new() -> Self {
        Self { samples: Vec::with_capacity(600), stride: 1, seen: 0 }
    }

    /// Adds a sample.
    pub fn push(&mut self, sample: Sample) {
        if self.seen.is_multiple_of(self.stride) {
            if self.samples.len() == KEPT {
                let mut keep = false;
                self.samples.retain(|_| {
                    keep = !keep;
                    keep
                });
                self.stride *= 2;
            }
            self.samples.push(sample);
        }
        self.seen += 1;
    }

    /// How many samples there were.
    pub fn seen(&self) -> u32 {
        self.seen
    }

    /// Those that were kept.
    pub fn into_samples(self) -> Vec<Sample> {
        self.samples
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_series_grows_coarser_and_not_larger() {
        let mut series = Series::new();
        for at_ms in 0..100_000 {
            series.push(Sample { at_ms, ..Sample::default() });
        }
        assert_eq!(series.seen(), 100_000);
        let samples = series.into_samples();
        assert!((KEPT / 2..=KEPT).contains(&samples.len()), "{}", samples.len());
        assert_eq!(samples[0].at_ms, 0);
        let gaps: Vec<u32> = samples.windows(2).map(|pair| pair[1].at_ms - pair[0].at_ms).collect();
        assert!(gaps.iter().all(|gap| *gap <= 32), "{:?}", gaps.iter().max());
    }
}

//! What a trial used over its time, in bounded memory.

use infranoise_sandbox::telemetry::Sample;

/// At most so many points are kept; then each two become one.
pub const POINTS: usize = 240;

/// A moment of a trial.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Point {
    /// When, in milliseconds since sampling began.
    pub at_ms: u32,
    /// The most memory since the last point, page cache included, in bytes.
    pub memory_bytes: u64,
    /// CPU time so far, in microseconds; absent where it is not counted.
    pub cpu_us: Option<u64>,
}

/// A curve that grows coarser as it grows longer; its peak stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Curve {
    points: Vec<Point>,
    stride: u32,
    pending: u32,
    peak_bytes: u64,
}

impl Default for Curve {
    fn default() -> Self {
        Self { points: Vec::new(), stride: 1, pending: 0, peak_bytes: 0 }
    }
}

impl Curve {
    /// Takes a sample in; one without memory says nothing.
    pub fn push(&mut self, sample: &Sample) {
        let Some(memory_bytes) = sample.memory_bytes() else { return };
        let point = Point { at_ms: sample.at_ms, memory_bytes, cpu_us: sample.column("cpu_us") };
        self.peak_bytes = self.peak_bytes.max(memory_bytes);
        match self.points.last_mut() {
            Some(last) if self.pending > 0 => *last = merged(*last, point),
            Some(_) | None => {
                if self.points.len() == POINTS {
                    self.points = self
                        .points
                        .chunks(2)
                        .map(|two| two.iter().copied().reduce(merged).unwrap_or_default())
                        .collect();
                    self.stride *= 2;
                }
                self.points.push(point);
            }
        }
        self.pending = (self.pending + 1) % self.stride;
    }

    /// The points, in order.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The last point.
    #[must_use]
    pub fn last(&self) -> Option<&Point> {
        self.points.last()
    }

    /// The highest memory of any sample, in bytes.
    #[must_use]
    pub fn peak_bytes(&self) -> u64 {
        self.peak_bytes
    }

    /// CPUs in use up to each point since the one before, where both are known and some time lies between.
    #[must_use]
    pub fn cpus(&self) -> Vec<(u32, f64)> {
        let rate = |two: &[Point]| rate(&two[0], &two[1]).map(|cpus| (two[1].at_ms, cpus));
        self.points.windows(2).filter_map(rate).collect()
    }

    /// CPUs in use over about the last second; absent where that is not known.
    #[must_use]
    pub fn cpus_now(&self) -> Option<f64> {
        let last = self.points.last()?;
        let before = self
            .points
            .iter()
            .rev()
            .find(|point| point.at_ms + 1_000 <= last.at_ms)
            .or(self.points.first())?;
        rate(before, last)
    }
}

/// CPUs in use between two points.
fn rate(before: &Point, after: &Point) -> Option<f64> {
    let us = after.cpu_us?.saturating_sub(before.cpu_us?);
    let ms = after.at_ms.saturating_sub(before.at_ms);
    (ms > 0).then(|| us as f64 / (f64::from(ms) * 1000.0))
}

fn merged(first: Point, second: Point) -> Point {
    Point { memory_bytes: first.memory_bytes.max(second.memory_bytes), ..second }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(at_ms: u32, memory: u64, cpu_us: u64) -> Sample {
        let mut sample = Sample { at_ms, ..Sample::default() };
        (sample.values[0], sample.values[2]) = (Some(memory), Some(cpu_us));
        sample
    }

    #[test]
    fn a_long_curve_stays_small_and_keeps_its_peak_and_its_end() {
        let mut curve = Curve::default();
        for n in 0..100_000_u32 {
            curve.push(&sample(
                n * 100,
                if n == 33_333 { 1 << 40 } else { u64::from(n) },
                u64::from(n) * 50_000,
            ));
        }
        assert!((POINTS / 2..=POINTS).contains(&curve.points().len()), "{}", curve.points().len());
        assert_eq!(curve.peak_bytes(), 1 << 40);
        assert_eq!(curve.points().iter().map(|point| point.memory_bytes).max(), Some(1 << 40));
        assert_eq!(curve.last().map(|point| point.at_ms), Some(9_999_900));
        assert!(curve.points().windows(2).all(|two| two[0].at_ms < two[1].at_ms));
        assert!(curve.cpus().iter().all(|(_, cpus)| (cpus - 0.5).abs() < 1e-9), "half a CPU throughout");
    }

    #[test]
    fn what_is_not_counted_is_no_zero() {
        let mut curve = Curve::default();
        assert_eq!(curve.cpus_now(), None);
        curve.push(&Sample { at_ms: 5, ..Sample::default() });
        assert_eq!(curve.last(), None, "a sample without memory");
        let mut without_cpu = sample(10, 7, 0);
        without_cpu.values[2] = None;
        curve.push(&without_cpu);
        curve.push(&Sample { at_ms: 2_000, ..without_cpu });
        assert_eq!((curve.cpus_now(), curve.cpus().len()), (None, 0));
    }
}

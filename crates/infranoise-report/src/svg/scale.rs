//! From numbers to places.

/// A straight scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Linear {
    domain: (f64, f64),
    range: (f64, f64),
}

impl Linear {
    /// Maps the first of `domain` to the first of `range` and the last to the last.
    #[must_use]
    pub fn new(domain: (f64, f64), range: (f64, f64)) -> Self {
        Self { domain, range }
    }

    /// The place of a number; numbers outside stay at the nearer end.
    #[must_use]
    pub fn at(&self, value: f64) -> f64 {
        let span = self.domain.1 - self.domain.0;
        let share = if span.abs() > 0.0 { (value - self.domain.0) / span } else { 0.5 };
        let share = if share.is_nan() { 0.5 } else { share.clamp(0.0, 1.0) };
        self.range.0 + share * (self.range.1 - self.range.0)
    }

    /// Whether a number lies inside.
    #[must_use]
    pub fn holds(&self, value: f64) -> bool {
        self.domain.0 <= value && value <= self.domain.1
    }

    /// The numbers at both ends.
    #[must_use]
    pub fn domain(&self) -> (f64, f64) {
        self.domain
    }

    /// The places at both ends.
    #[must_use]
    pub fn range(&self) -> (f64, f64) {
        self.range
    }
}

/// A scale on which doubling is a step of the same length everywhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Log(Linear);

impl Log {
    /// As [`Linear::new`]; both ends of the domain lie above zero.
    #[must_use]
    pub fn new(domain: (f64, f64), range: (f64, f64)) -> Self {
        Self(Linear::new((domain.0.log2(), domain.1.log2()), range))
    }

    /// The place of a number; what is not above zero stays at the lower end.
    #[must_use]
    pub fn at(&self, value: f64) -> f64 {
        if value > 0.0 { self.0.at(value.log2()) } else { self.0.range.0 }
    }

    /// The powers of two inside, both ends included.
    #[must_use]
    pub fn ticks(&self) -> Vec<f64> {
        let (low, high) = self.0.domain();
        (low.ceil() as i32..=high.floor() as i32).map(|power| f64::from(power).exp2()).collect()
    }
}

/// Equal bands side by side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bands {
    start: f64,
    step: f64,
}

impl Bands {
    /// So many bands from one place to another.
    #[must_use]
    pub fn new(count: usize, from: f64, to: f64) -> Self {
        Self { start: from, step: (to - from) / count.max(1) as f64 }
    }

    /// Where a band begins.
    #[must_use]
    pub fn start(&self, i: usize) -> f64 {
        self.start + self.step * i as f64
    }

    /// The middle of a band.
    #[must_use]
    pub fn centre(&self, i: usize) -> f64 {
        self.start + self.step * (i as f64 + 0.5)
    }

    /// How wide a band is.
    #[must_use]
    pub fn step(&self) -> f64 {
        self.step
    }
}

/// A step of 1, 2 or 5 times a power of ten that gives about `count` ticks.
fn nice_step(span: f64, count: usize) -> f64 {
    let rough = span / count.max(1) as f64;
    let power = 10f64.powf(rough.log10().floor());
    let times = [1.0, 2.0, 5.0, 10.0].into_iter().find(|times| times * power >= rough * 0.999);
    times.unwrap_or(10.0) * power
}

/// Round numbers from at or below `low` to at or above `high`, about `count` of them.
#[must_use]
pub fn ticks(low: f64, high: f64, count: usize) -> Vec<f64> {
    if !(low.is_finite() && high.is_finite() && high > low) {
        return vec![low];
    }
    let step = nice_step(high - low, count);
    let first = (low / step + 1e-9).floor();
    let last = (high / step - 1e-9).ceil();
    (0..=(last - first) as usize).map(|i| (first + i as f64) * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_enclose() {
        let text = |low, high, n| ticks(low, high, n).iter().map(|t| format!("{t:.2}")).collect::<Vec<_>>();
        assert_eq!(text(0.0, 0.47, 5), ["0.00", "0.10", "0.20", "0.30", "0.40", "0.50"]);
        assert_eq!(text(0.331, 0.388, 4), ["0.32", "0.34", "0.36", "0.38", "0.40"]);
        assert_eq!(text(-0.03, 0.08, 5), ["-0.05", "0.00", "0.05", "0.10"]);
        assert_eq!(ticks(1.0, 1.0, 5), [1.0]);
    }

    #[test]
    fn places_stay_inside() {
        let scale = Linear::new((0.0, 1.0), (100.0, 0.0));
        assert_eq!(scale.at(0.25), 75.0);
        assert_eq!(scale.at(7.0), 0.0);
        assert_eq!(scale.at(f64::NAN), 50.0);
        let log = Log::new((0.25, 4.0), (0.0, 100.0));
        assert_eq!(log.at(1.0), 50.0);
        assert_eq!(log.at(0.0), 0.0);
        assert_eq!(log.ticks(), [0.25, 0.5, 1.0, 2.0, 4.0]);
        assert_eq!(Bands::new(4, 0.0, 100.0).centre(1), 37.5);
    }
}

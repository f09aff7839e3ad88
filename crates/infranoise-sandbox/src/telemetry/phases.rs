//! What happened during one phase, from counters at its edges.

use infranoise_core::Phase;

/// Counters of CPU contention at one moment, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CpuEdge {
    pub throttled_us: Option<u64>,
    pub pressure_us: Option<u64>,
}

impl CpuEdge {
    /// How much was added since an earlier moment.
    pub fn since(self, earlier: Self) -> Self {
        let grown = |now: Option<u64>, then: Option<u64>| Some(now?.saturating_sub(then?));
        Self {
            throttled_us: grown(self.throttled_us, earlier.throttled_us),
            pressure_us: grown(self.pressure_us, earlier.pressure_us),
        }
    }

    /// CPU pressure minus own throttling: what others took. A task that its own ceiling holds back counts as waiting for a CPU too.
    pub fn contention_us(self) -> Option<u64> {
        Some(self.pressure_us?.saturating_sub(self.throttled_us.unwrap_or(0)))
    }

    fn plus(self, other: Self) -> Self {
        let sum = |a: Option<u64>, b: Option<u64>| Some(a? + b?);
        Self {
            throttled_us: sum(self.throttled_us, other.throttled_us),
            pressure_us: sum(self.pressure_us, other.pressure_us),
        }
    }
}

/// When each phase began.
#[derive(Debug, Default)]
pub(super) struct Marks(Vec<(Phase, CpuEdge)>);

impl Marks {
    /// A phase begins, and the one before ends.
    pub fn begin(&mut self, phase: Phase, edge: CpuEdge) {
        self.0.push((phase, edge));
    }

    /// What was added during a phase; `None` if it was never begun.
    pub fn during(&self, phase: Phase, end: CpuEdge) -> Option<CpuEdge> {
        let ends = self.0.iter().skip(1).map(|(_, edge)| *edge).chain([end]);
        let parts = self.0.iter().zip(ends).filter(|((begun, _), _)| *begun == phase);
        parts.map(|((_, begin), end)| end.since(*begin)).reduce(CpuEdge::plus)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(throttled_us: u64, pressure_us: u64) -> CpuEdge {
        CpuEdge { throttled_us: Some(throttled_us), pressure_us: Some(pressure_us) }
    }

    #[test]
    fn a_phase_is_what_lies_between_its_marks() {
        let mut marks = Marks::default();
        marks.begin(Phase::Setup, edge(0, 0));
        marks.begin(Phase::Agent, edge(10, 20));
        marks.begin(Phase::Verify, edge(110, 320));
        let agent = marks.during(Phase::Agent, edge(500, 900)).expect("it began");
        assert_eq!(agent, edge(100, 300));
        assert_eq!(agent.contention_us(), Some(200));
        assert_eq!(marks.during(Phase::Verify, edge(500, 900)), Some(edge(390, 580)));
        assert_eq!(marks.during(Phase::Build, edge(500, 900)), None);
    }

    #[test]
    fn contention_is_never_negative_and_never_invented() {
        assert_eq!(edge(2_842_000, 1_915_000).contention_us(), Some(0));
        let unseen = CpuEdge { throttled_us: Some(1), pressure_us: None };
        assert_eq!(unseen.contention_us(), None);
    }
}

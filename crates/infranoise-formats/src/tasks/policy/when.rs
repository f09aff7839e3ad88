//! Conditions on what the agent sees: an agent that looks before it leaps.

use infranoise_core::{Amount, Bytes, Ceiling, MilliCpu};

use super::Draw;

/// What the agent sees of its limits. The script agent is told them; it need not look into control-group files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The memory ceiling.
    pub memory: Ceiling<Bytes>,
    /// The task's memory spec, if there is one.
    pub memory_spec: Option<Bytes>,
    /// The CPU ceiling.
    pub cpu: Ceiling<MilliCpu>,
    /// The task's CPU spec, if there is one.
    pub cpu_spec: Option<MilliCpu>,
}

/// When a strategy can be chosen: all that is stated must hold.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct When {
    /// The memory ceiling is at least this.
    pub memory_at_least: Option<Amount<Bytes>>,
    /// The memory ceiling is below this.
    pub memory_below: Option<Amount<Bytes>>,
    /// The CPU ceiling is at least this.
    pub cpu_at_least: Option<Amount<MilliCpu>>,
    /// The CPU ceiling is below this.
    pub cpu_below: Option<Amount<MilliCpu>>,
    /// The luck is below this.
    pub luck_below: Option<f64>,
    /// The luck is at least this.
    pub luck_at_least: Option<f64>,
}

impl When {
    /// Whether it holds. A multiple of a spec that the task does not state never does.
    #[must_use]
    pub fn holds(&self, draw: &Draw, seen: &Seen) -> bool {
        let memory = |amount| resolve(amount, seen.memory_spec, Bytes::times);
        let cpu = |amount| resolve(amount, seen.cpu_spec, MilliCpu::times);
        self.memory_at_least
            .is_none_or(|amount| memory(amount).is_some_and(|level| reaches(seen.memory, level)))
            && self
                .memory_below
                .is_none_or(|amount| memory(amount).is_some_and(|level| !reaches(seen.memory, level)))
            && self
                .cpu_at_least
                .is_none_or(|amount| cpu(amount).is_some_and(|level| reaches(seen.cpu, level)))
            && self.cpu_below.is_none_or(|amount| cpu(amount).is_some_and(|level| !reaches(seen.cpu, level)))
            && self.luck_below.is_none_or(|level| draw.luck < level)
            && self.luck_at_least.is_none_or(|level| draw.luck >= level)
    }
}

fn resolve<T>(
    amount: Amount<T>,
    spec: Option<T>,
    times: impl Fn(T, infranoise_core::Factor) -> T,
) -> Option<T> {
    match amount {
        Amount::Exactly(exactly) => Some(exactly),
        Amount::Times(factor) => spec.map(|spec| times(spec, factor)),
    }
}

fn reaches<T: PartialOrd>(ceiling: Ceiling<T>, level: T) -> bool {
    match ceiling {
        Ceiling::At(at) => at >= level,
        Ceiling::Uncapped => true,
    }
}

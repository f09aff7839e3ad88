//! What an arm asks for, and what that means for one task.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::resources::{Amount, Band, BandError, Ceiling, Resource};
use crate::{Bytes, Factor, MilliCpu, Stated, TaskId, TaskSpec};

/// A floor and a ceiling before they are applied to a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BandPolicy<T> {
    /// The guaranteed amount.
    pub floor: Amount<T>,
    /// The cut-off.
    pub ceiling: Ceiling<Amount<T>>,
}

impl<T> BandPolicy<T> {
    /// Floor at the task spec, ceiling at a multiple of it (or none).
    #[must_use]
    pub fn up_to(ceiling: Ceiling<Factor>) -> Self {
        Self { floor: Amount::Times(Factor::ONE), ceiling: ceiling.map(Amount::Times) }
    }
}

/// The same rule for every task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScaledPolicy {
    /// Memory.
    pub memory: BandPolicy<Bytes>,
    /// CPU.
    pub cpu: BandPolicy<MilliCpu>,
    /// Processes and threads; a multiple applies where the task states a number, and to nothing where it does not.
    pub pids: Ceiling<Amount<u32>>,
    /// Disk space; a multiple applies where the task states a number, and to nothing where it does not.
    pub storage: Ceiling<Amount<Bytes>>,
    /// How fast disks may be read and written.
    #[serde(default, skip_serializing_if = "DiskRate::is_uncapped")]
    pub disk_rate: DiskRate,
}

/// How fast disks may be read and written, in bytes a second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiskRate {
    /// Bytes read in a second.
    #[serde(rename = "read_bytes_per_s")]
    pub read: Ceiling<Bytes>,
    /// Bytes written in a second.
    #[serde(rename = "written_bytes_per_s")]
    pub written: Ceiling<Bytes>,
}

impl DiskRate {
    /// Whether nothing is limited.
    #[must_use]
    pub fn is_uncapped(&self) -> bool {
        *self == Self::default()
    }
}

/// The calibrated bands of one task; what is absent falls back to the task spec as floor and ceiling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TaskBands {
    /// Memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<BandPolicy<Bytes>>,
    /// CPU.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<BandPolicy<MilliCpu>>,
}

/// What an arm says about resources.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResourcePolicy {
    /// The same rule for every task.
    Scaled(ScaledPolicy),
    /// Each task its own band; tasks without one get the spec and are listed.
    PerTask(BTreeMap<TaskId, TaskBands>),
    /// As each trial's own record says: for trials of other harnesses. It cannot be applied to a task.
    Recorded,
}

/// What 1x means where a task states nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AssumeSpec {
    /// Memory in bytes.
    #[serde(rename = "memory_bytes", skip_serializing_if = "Option::is_none")]
    pub memory: Option<Bytes>,
    /// CPU in thousandths of one.
    #[serde(rename = "cpu_millicpu", skip_serializing_if = "Option::is_none")]
    pub cpu: Option<MilliCpu>,
    /// Disk in bytes.
    #[serde(rename = "storage_bytes", skip_serializing_if = "Option::is_none")]
    pub storage: Option<Bytes>,
}

impl AssumeSpec {
    /// What Harbor before 0.9 meant by silence: 1 CPU, 2048 MB, 10240 MB. Since then it means unlimited.
    pub const HARBOR_BEFORE_0_9: Self = Self {
        memory: Some(Bytes(2048 << 20)),
        cpu: Some(MilliCpu(1000)),
        storage: Some(Bytes(10240 << 20)),
    };
}

/// Wall-clock limits, in milliseconds; `Uncapped` is a choice, never a default that nobody saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct TimeLimits {
    /// Start and set-up.
    pub start_ms: Ceiling<u64>,
    /// The agent.
    pub agent_ms: Ceiling<u64>,
    /// The verifier.
    pub verifier_ms: Ceiling<u64>,
}

/// A policy applied to one task: what is *requested* for a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Allocation {
    /// Memory in bytes.
    #[serde(rename = "memory_bytes")]
    pub memory: Band<Bytes>,
    /// CPU in thousandths of one.
    #[serde(rename = "cpu_millicpu")]
    pub cpu: Band<MilliCpu>,
    /// Processes and threads.
    pub pids: Ceiling<u32>,
    /// Disk space in bytes.
    #[serde(rename = "storage_bytes")]
    pub storage: Ceiling<Bytes>,
    /// How fast disks may be read and written.
    #[serde(default, skip_serializing_if = "DiskRate::is_uncapped")]
    pub disk_rate: DiskRate,
    /// Wall-clock limits.
    pub time: TimeLimits,
}

/// Why a policy cannot be applied to a task.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PolicyError {
    /// A multiple of something that the task does not state.
    #[error(
        "the task states no {resource}, so that `{amount}` of it means nothing; say what 1x is with --assume-spec"
    )]
    NotStated {
        /// The resource.
        resource: Resource,
        /// The multiple that was asked for.
        amount: String,
    },
    /// A floor above its ceiling.
    #[error("{resource}: {source}")]
    Band {
        /// The resource.
        resource: Resource,
        /// Both amounts.
        source: BandError,
    },
    /// The arm was imported.
    #[error(
        "the arm was imported: its resources are what each trial's record says, and no rule that could be applied to `{task}`"
    )]
    Recorded {
        /// The task.
        task: TaskId,
    },
    /// An amount of nothing.
    #[error("{resource}: `{amount}` of the task spec is nothing")]
    Nothing {
        /// The resource.
        resource: Resource,
        /// The amount that was asked for.
        amount: String,
    },
}

/// An amount that a factor can multiply.
trait Scale: Copy + PartialOrd + std::fmt::Display + Default {
    fn scaled(self, factor: Factor) -> Self;
}

impl Scale for Bytes {
    fn scaled(self, factor: Factor) -> Self {
        self.times(factor)
    }
}

impl Scale for MilliCpu {
    fn scaled(self, factor: Factor) -> Self {
        self.times(factor)
    }
}

impl Scale for u32 {
    fn scaled(self, factor: Factor) -> Self {
        let product = u64::from(self) * u64::from(factor.0) / 1000;
        u32::try_from(product).unwrap_or(u32::MAX)
    }
}

fn apply<T: Scale>(amount: Amount<T>, spec: Option<T>, resource: Resource) -> Result<T, PolicyError> {
    let applied = match (amount, spec) {
        (Amount::Exactly(exactly), _) => exactly,
        (Amount::Times(factor), Some(spec)) => spec.scaled(factor),
        (Amount::Times(factor), None) => {
            return Err(PolicyError::NotStated { resource, amount: factor.to_string() });
        }
    };
    if applied <= T::default() {
        return Err(PolicyError::Nothing { resource, amount: amount.to_string() });
    }
    Ok(applied)
}

fn band<T: Scale>(
    policy: BandPolicy<T>,
    spec: Option<T>,
    resource: Resource,
) -> Result<Band<T>, PolicyError> {
    let floor = apply(policy.floor, spec, resource)?;
    let ceiling = match policy.ceiling {
        Ceiling::At(amount) => Ceiling::At(apply(amount, spec, resource)?),
        Ceiling::Uncapped => Ceiling::Uncapped,
    };
    Band::try_new(floor, ceiling).map_err(|source| PolicyError::Band { resource, source })
}

/// A ceiling on something that few tasks state: a multiple of nothing is no ceiling.
fn optional<T: Scale>(
    policy: Ceiling<Amount<T>>,
    spec: Option<T>,
    resource: Resource,
) -> Result<Ceiling<T>, PolicyError> {
    match (policy, spec) {
        (Ceiling::Uncapped, _) | (Ceiling::At(Amount::Times(_)), None) => Ok(Ceiling::Uncapped),
        (Ceiling::At(amount), spec) => apply(amount, spec, resource).map(Ceiling::At),
    }
}

impl ResourcePolicy {
    /// Whether this policy names a band of its own for the task (a scaled policy covers every task).
    #[must_use]
    pub fn covers(&self, task: &TaskId) -> bool {
        match self {
            Self::Scaled(_) => true,
            Self::PerTask(bands) => bands.contains_key(task),
            Self::Recorded => false,
        }
    }

    /// Applies the policy to one task.
    ///
    /// # Errors
    /// If a multiple is asked of something that the task does not state, a floor is above its ceiling, or an amount is nothing.
    pub fn apply(
        &self,
        task: &TaskId,
        spec: &TaskSpec,
        assume: &AssumeSpec,
        time_scale: Ceiling<Factor>,
    ) -> Result<Allocation, PolicyError> {
        let scaled = match self {
            Self::Recorded => return Err(PolicyError::Recorded { task: task.clone() }),
            Self::Scaled(scaled) => *scaled,
            Self::PerTask(bands) => {
                let own = bands.get(task).copied().unwrap_or_default();
                let one = Ceiling::At(Factor::ONE);
                ScaledPolicy {
                    memory: own.memory.unwrap_or(BandPolicy::up_to(one)),
                    cpu: own.cpu.unwrap_or(BandPolicy::up_to(one)),
                    pids: one.map(Amount::Times),
                    storage: Ceiling::Uncapped,
                    disk_rate: DiskRate::default(),
                }
            }
        };
        Ok(Allocation {
            memory: band(scaled.memory, spec.memory.or(assume.memory), Resource::Memory)?,
            cpu: band(scaled.cpu, spec.cpu.or(assume.cpu), Resource::Cpu)?,
            pids: optional(scaled.pids, spec.pids.or(None), Resource::Pids)?,
            storage: optional(scaled.storage, spec.storage.or(assume.storage), Resource::Storage)?,
            disk_rate: scaled.disk_rate,
            time: TimeLimits::of(spec, time_scale),
        })
    }
}

impl TimeLimits {
    /// The task's limits times a factor; what the task does not state stays unlimited.
    #[must_use]
    pub fn of(spec: &TaskSpec, scale: Ceiling<Factor>) -> Self {
        let limit = |stated: Stated<u64>| match (stated, scale) {
            (Stated::NotStated, _) | (_, Ceiling::Uncapped) => Ceiling::Uncapped,
            (Stated::Value(ms), Ceiling::At(factor)) => {
                Ceiling::At((u128::from(ms) * u128::from(factor.0) / 1000).min(u128::from(u64::MAX)) as u64)
            }
        };
        Self {
            start_ms: limit(spec.start_limit_ms),
            agent_ms: limit(spec.agent_limit_ms),
            verifier_ms: limit(spec.verifier_limit_ms),
        }
    }
}

impl Allocation {
    /// The memory ceiling as a multiple of the task spec; `None` where the spec states nothing or there is no ceiling.
    #[must_use]
    pub fn memory_headroom(&self, spec: Option<Bytes>) -> Option<Factor> {
        let ceiling = self.memory.ceiling().amount()?;
        Factor::ratio(ceiling.0, spec?.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec() -> TaskSpec {
        TaskSpec {
            memory: Stated::Value(Bytes::mib(64)),
            cpu: Stated::Value(MilliCpu(200)),
            agent_limit_ms: Stated::Value(5_000),
            ..TaskSpec::default()
        }
    }

    fn task() -> TaskId {
        TaskId::try_new("t").expect("a name")
    }

    fn scaled(ceiling: Ceiling<Factor>) -> ResourcePolicy {
        ResourcePolicy::Scaled(ScaledPolicy {
            memory: BandPolicy::up_to(ceiling),
            cpu: BandPolicy::up_to(ceiling),
            pids: ceiling.map(Amount::Times),
            storage: ceiling.map(Amount::Times),
            disk_rate: DiskRate::default(),
        })
    }

    const ONE: Ceiling<Factor> = Ceiling::At(Factor::ONE);

    #[test]
    fn a_multiple_applies_to_what_the_task_states() {
        let policy = scaled(Ceiling::At(Factor(1500)));
        let allocation = policy.apply(&task(), &spec(), &AssumeSpec::default(), ONE).expect("applies");
        assert_eq!(allocation.memory.floor(), Bytes::mib(64));
        assert_eq!(allocation.memory.ceiling(), Ceiling::At(Bytes::mib(96)));
        assert_eq!(allocation.cpu.ceiling(), Ceiling::At(MilliCpu(300)));
        assert_eq!(allocation.pids, Ceiling::Uncapped, "the task states no pids");
        assert_eq!(allocation.time.agent_ms, Ceiling::At(5_000));
        assert_eq!(allocation.time.verifier_ms, Ceiling::Uncapped);
        assert_eq!(allocation.memory_headroom(Some(Bytes::mib(64))), Some(Factor(1500)));
    }

    #[test]
    fn silence_of_the_task_must_be_filled_by_a_person() {
        let silent = TaskSpec::default();
        let refused = scaled(ONE).apply(&task(), &silent, &AssumeSpec::default(), ONE).expect_err("refused");
        assert!(refused.to_string().contains("--assume-spec"), "{refused}");
        let assumed =
            scaled(ONE).apply(&task(), &silent, &AssumeSpec::HARBOR_BEFORE_0_9, ONE).expect("applies");
        assert_eq!(assumed.memory.ceiling(), Ceiling::At(Bytes::gib(2)));
    }

    #[test]
    fn an_imported_arm_cannot_be_applied() {
        let refused = ResourcePolicy::Recorded.apply(&task(), &spec(), &AssumeSpec::default(), ONE);
        assert!(refused.expect_err("refused").to_string().contains("imported"));
    }

    #[test]
    fn a_floor_above_its_ceiling_names_the_resource() {
        let policy = ResourcePolicy::Scaled(ScaledPolicy {
            memory: BandPolicy {
                floor: Amount::Exactly(Bytes::mib(128)),
                ceiling: Ceiling::At(Amount::Times(Factor::ONE)),
            },
            cpu: BandPolicy::up_to(ONE),
            pids: Ceiling::Uncapped,
            storage: Ceiling::Uncapped,
            disk_rate: DiskRate::default(),
        });
        let refused = policy.apply(&task(), &spec(), &AssumeSpec::default(), ONE).expect_err("refused");
        assert_eq!(refused.to_string(), "memory: the floor (128 MiB) is above the ceiling (64 MiB)");
    }

    #[test]
    fn a_task_without_a_band_gets_the_spec() {
        let mut bands = BTreeMap::new();
        let own = BandPolicy {
            floor: Amount::Exactly(Bytes::mib(100)),
            ceiling: Ceiling::At(Amount::Exactly(Bytes::mib(300))),
        };
        bands.insert(task(), TaskBands { memory: Some(own), cpu: None });
        let policy = ResourcePolicy::PerTask(bands);
        let other = TaskId::try_new("other").expect("a name");
        assert!(policy.covers(&task()) && !policy.covers(&other));
        let with = policy.apply(&task(), &spec(), &AssumeSpec::default(), ONE).expect("applies");
        assert_eq!(with.memory.ceiling(), Ceiling::At(Bytes::mib(300)));
        let without = policy.apply(&other, &spec(), &AssumeSpec::default(), ONE).expect("applies");
        assert_eq!(without.memory.ceiling(), Ceiling::At(Bytes::mib(64)));
    }
}

//! Floors and ceilings.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::units::Factor;

/// Where a resource is cut off: a kill for memory, a throttle for CPU, a refusal for pids and storage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ceiling<T> {
    /// Cut off at this amount.
    At(T),
    /// No ceiling of its own; the host's size remains.
    #[default]
    Uncapped,
}

impl<T> Ceiling<T> {
    /// Applies a function to the amount, if there is one.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Ceiling<U> {
        match self {
            Self::At(amount) => Ceiling::At(f(amount)),
            Self::Uncapped => Ceiling::Uncapped,
        }
    }

    /// The amount, if there is one.
    pub fn amount(self) -> Option<T> {
        match self {
            Self::At(amount) => Some(amount),
            Self::Uncapped => None,
        }
    }
}

impl<T: std::fmt::Display> std::fmt::Display for Ceiling<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::At(amount) => amount.fmt(f),
            Self::Uncapped => f.write_str("uncapped"),
        }
    }
}

/// A floor above its own ceiling.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the floor ({floor}) is above the ceiling ({ceiling})")]
pub struct BandError {
    /// The floor, printed.
    pub floor: String,
    /// The ceiling, printed.
    pub ceiling: String,
}

/// A guaranteed amount (floor) and a cut-off (ceiling) together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Band<T> {
    floor: T,
    ceiling: Ceiling<T>,
}

impl<T: Copy + PartialOrd + std::fmt::Display> Band<T> {
    /// A band, if the floor is not above the ceiling.
    ///
    /// # Errors
    /// Names both amounts.
    pub fn try_new(floor: T, ceiling: Ceiling<T>) -> Result<Self, BandError> {
        match ceiling {
            Ceiling::At(at) if floor > at => {
                Err(BandError { floor: floor.to_string(), ceiling: at.to_string() })
            }
            Ceiling::At(_) | Ceiling::Uncapped => Ok(Self { floor, ceiling }),
        }
    }

    /// The guaranteed amount.
    pub fn floor(&self) -> T {
        self.floor
    }

    /// The cut-off.
    pub fn ceiling(&self) -> Ceiling<T> {
        self.ceiling
    }
}

/// How a policy names an amount: as a multiple of the task spec, or as itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Amount<T> {
    /// So many times the task spec.
    Times(Factor),
    /// Exactly this.
    Exactly(T),
}

impl<T: std::fmt::Display> std::fmt::Display for Amount<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Times(factor) => factor.fmt(f),
            Self::Exactly(amount) => amount.fmt(f),
        }
    }
}

impl<T: std::str::FromStr<Err = crate::UnitError>> std::str::FromStr for Amount<T> {
    type Err = crate::UnitError;

    /// Reads `1.5x` as a multiple and anything else as an amount.
    fn from_str(text: &str) -> Result<Self, crate::UnitError> {
        if text.trim().to_ascii_lowercase().ends_with('x') {
            return text.parse().map(Self::Times);
        }
        text.parse().map(Self::Exactly)
    }
}

/// Reads a ceiling: `none` or `uncapped`, a multiple such as `3x`, or an amount such as `6GiB`.
impl<T: std::str::FromStr<Err = crate::UnitError>> std::str::FromStr for Ceiling<Amount<T>> {
    type Err = crate::UnitError;

    fn from_str(text: &str) -> Result<Self, crate::UnitError> {
        match text.trim().to_ascii_lowercase().as_str() {
            "none" | "uncapped" => Ok(Self::Uncapped),
            _ => text.parse().map(Self::At),
        }
    }
}

/// A resource that can end or bend a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Resource {
    /// Memory: cut off by a kill.
    Memory,
    /// CPU: cut off by throttling.
    Cpu,
    /// Disk space: cut off by `ENOSPC`.
    Storage,
    /// Processes and threads: cut off by `EAGAIN`.
    Pids,
    /// Network egress.
    Egress,
}

impl std::fmt::Display for Resource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Memory => "memory",
            Self::Cpu => "CPU",
            Self::Storage => "storage",
            Self::Pids => "pids",
            Self::Egress => "egress",
        })
    }
}

/// What dies when memory runs over its ceiling. It matters as much as the limit, so it is part of the policy and of the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KillScope {
    /// One process, chosen by the kernel (Docker; cgroup v1).
    Process,
    /// The command that ran over, with its whole tree.
    Exec,
    /// The whole trial (Kubernetes on cgroup v2 since 1.28).
    Trial,
}

impl std::fmt::Display for KillScope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Process => "process",
            Self::Exec => "exec",
            Self::Trial => "trial",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bytes;

    #[test]
    fn a_floor_above_its_ceiling_is_refused_with_both_numbers() {
        let refused = Band::try_new(Bytes::mib(128), Ceiling::At(Bytes::mib(64))).expect_err("refused");
        assert_eq!(refused.to_string(), "the floor (128 MiB) is above the ceiling (64 MiB)");
        assert!(Band::try_new(Bytes::mib(64), Ceiling::At(Bytes::mib(64))).is_ok());
        assert!(Band::try_new(Bytes::mib(64), Ceiling::Uncapped).is_ok());
    }

    #[test]
    fn ceilings_read_as_multiples_amounts_or_none() {
        let cases: [(&str, Ceiling<Amount<Bytes>>); 4] = [
            ("none", Ceiling::Uncapped),
            ("uncapped", Ceiling::Uncapped),
            ("3x", Ceiling::At(Amount::Times(Factor(3000)))),
            ("6GiB", Ceiling::At(Amount::Exactly(Bytes::gib(6)))),
        ];
        for (text, expected) in cases {
            assert_eq!(text.parse(), Ok(expected), "{text}");
        }
        assert!("3 elephants".parse::<Ceiling<Amount<Bytes>>>().is_err());
    }
}

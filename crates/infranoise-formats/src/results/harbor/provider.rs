//! What Harbor's back ends make of a task's resources: table 4.2 of its reference, as data.
//!
//! Harbor has one number per resource and a mode. `auto`, the default, means something else on each back end: a hard ceiling without
//! a floor on Docker, a floor without a ceiling on GKE. So the same task file is another experiment on each.

use infranoise_core::KillScope;
use serde::Serialize;

/// What a mode does with the task's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Means {
    /// Cut off there; nothing guaranteed.
    Ceiling,
    /// Guaranteed; not cut off.
    Floor,
    /// Guaranteed, and cut off at the same number.
    Both,
    /// The size of a machine of its own: guaranteed and cut off, in effect.
    Size,
    /// A program watches and ends the trial at 95 % of it.
    Watchdog,
    /// Nothing: no floor, no ceiling.
    Nothing,
    /// Not known.
    Unknown,
}

/// A mode of enforcement, as the configuration names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// What the back end thinks best.
    Auto,
    /// A ceiling.
    Limit,
    /// A floor.
    Request,
    /// Both.
    Guarantee,
    /// Neither.
    Ignore,
}

impl Mode {
    /// Reads a mode; an absent one is `auto`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "auto" => Self::Auto,
            "limit" => Self::Limit,
            "request" => Self::Request,
            "guarantee" => Self::Guarantee,
            "ignore" => Self::Ignore,
            _ => return None,
        })
    }

    /// Its name in a configuration.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Limit => "limit",
            Self::Request => "request",
            Self::Guarantee => "guarantee",
            Self::Ignore => "ignore",
        }
    }
}

/// One row of the table: back ends that treat resources alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Provider {
    /// Their names in a configuration.
    pub names: &'static [&'static str],
    /// What `auto` means for CPU.
    pub cpu_auto: Means,
    /// What `auto` means for memory.
    pub memory_auto: Means,
    /// What `limit` means, for both.
    pub limit: Means,
    /// What `request` means, for both.
    pub request: Means,
    /// What dies when memory runs over, where that is known.
    pub kill_scope: Option<KillScope>,
    /// The knob that holds the memory ceiling or floor.
    pub knob: &'static str,
    /// What else is known of it, in a sentence.
    pub says: &'static str,
}

impl Provider {
    /// What a mode means for memory.
    #[must_use]
    pub fn memory(&self, mode: Mode) -> Means {
        self.means(mode, self.memory_auto)
    }

    /// What a mode means for CPU.
    #[must_use]
    pub fn cpu(&self, mode: Mode) -> Means {
        self.means(mode, self.cpu_auto)
    }

    fn means(&self, mode: Mode, auto: Means) -> Means {
        match mode {
            Mode::Auto => auto,
            Mode::Limit => self.limit,
            Mode::Request => self.request,
            Mode::Guarantee if self.request == Means::Unknown => Means::Unknown,
            Mode::Guarantee => Means::Both,
            Mode::Ignore => Means::Nothing,
        }
    }
}

/// The table.
pub const PROVIDERS: &[Provider] = &[
    Provider {
        names: &["docker", "podman", "opensandbox"],
        cpu_auto: Means::Ceiling,
        memory_auto: Means::Ceiling,
        limit: Means::Ceiling,
        request: Means::Unknown,
        kill_scope: Some(KillScope::Process),
        knob: "mem_limit of the compose service",
        says: "a hard ceiling at the spec and no floor; swap is not closed, so that a host with swap gives twice the memory; \
               storage_mb is not applied; a compose file of the task may override the number",
    },
    Provider {
        names: &["kata"],
        cpu_auto: Means::Size,
        memory_auto: Means::Size,
        limit: Means::Size,
        request: Means::Unknown,
        kill_scope: Some(KillScope::Process),
        knob: "size of the virtual machine",
        says: "the virtual machine has the size of the spec",
    },
    Provider {
        names: &["sbx", "ec2", "apple-container", "kernel", "boxd"],
        cpu_auto: Means::Ceiling,
        memory_auto: Means::Ceiling,
        limit: Means::Ceiling,
        request: Means::Unknown,
        kill_scope: None,
        knob: "limit of the back end",
        says: "a ceiling at the spec, in whole CPUs, and no floor",
    },
    Provider {
        names: &["gke", "openshift"],
        cpu_auto: Means::Floor,
        memory_auto: Means::Floor,
        limit: Means::Both,
        request: Means::Floor,
        kill_scope: Some(KillScope::Trial),
        knob: "resources of the pod",
        says: "a request at the spec and no limit; with memory_limit_multiplier a memory limit at that multiple; a limit alone \
               is copied into the request by the API server",
    },
    Provider {
        names: &["ack"],
        cpu_auto: Means::Floor,
        memory_auto: Means::Floor,
        limit: Means::Floor,
        request: Means::Floor,
        kill_scope: Some(KillScope::Trial),
        knob: "resources of the pod",
        says: "ignores the mode: the request is always the spec, and only memory_limit_multiplier sets a limit",
    },
    Provider {
        names: &["modal"],
        cpu_auto: Means::Both,
        memory_auto: Means::Floor,
        limit: Means::Ceiling,
        request: Means::Floor,
        kill_scope: None,
        knob: "reservation of the sandbox",
        says: "CPU is reserved and cut off at the spec; memory is only reserved; with `limit` at most 128 MB of it are",
    },
    Provider {
        names: &["cwsandbox", "skypilot", "superserve"],
        cpu_auto: Means::Floor,
        memory_auto: Means::Floor,
        limit: Means::Ceiling,
        request: Means::Floor,
        kill_scope: None,
        knob: "reservation of the back end",
        says: "a floor at the spec; whether `auto` also cuts off there differs between them",
    },
    Provider {
        names: &[
            "daytona",
            "e2b",
            "runloop",
            "novita",
            "beam",
            "vercel",
            "hyperbrowser",
            "mosaic",
            "sail",
            "snowflake",
            "aca",
        ],
        cpu_auto: Means::Size,
        memory_auto: Means::Size,
        limit: Means::Unknown,
        request: Means::Size,
        kill_scope: None,
        knob: "size of the sandbox",
        says: "the sandbox has the size of the spec: floor and ceiling in effect",
    },
    Provider {
        names: &["singularity"],
        cpu_auto: Means::Nothing,
        memory_auto: Means::Watchdog,
        limit: Means::Unknown,
        request: Means::Unknown,
        kill_scope: Some(KillScope::Trial),
        knob: "watchdog of the harness",
        says: "a program looks every few seconds and ends the trial at 95 % of memory_mb; CPU is not controlled",
    },
    Provider {
        names: &["langsmith", "hf-sandbox"],
        cpu_auto: Means::Unknown,
        memory_auto: Means::Unknown,
        limit: Means::Unknown,
        request: Means::Unknown,
        kill_scope: None,
        knob: "not known",
        says: "declares nothing about resources",
    },
];

/// The row of a back end.
#[must_use]
pub fn provider(name: &str) -> Option<&'static Provider> {
    PROVIDERS.iter().find(|provider| provider.names.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_back_end_stands_in_one_row() {
        let mut names: Vec<&str> = PROVIDERS.iter().flat_map(|row| row.names).copied().collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn auto_is_another_experiment_on_each() {
        let memory = |name, mode| provider(name).expect("known").memory(mode);
        assert_eq!(memory("docker", Mode::Auto), Means::Ceiling);
        assert_eq!(memory("gke", Mode::Auto), Means::Floor);
        assert_eq!(memory("gke", Mode::Limit), Means::Both);
        assert_eq!(memory("modal", Mode::Auto), Means::Floor);
        assert_eq!(memory("daytona", Mode::Auto), Means::Size);
        assert_eq!(memory("singularity", Mode::Auto), Means::Watchdog);
        assert_eq!(memory("podman", Mode::Ignore), Means::Nothing);
        assert_eq!(memory("docker", Mode::Guarantee), Means::Unknown, "preflight refuses it");
        assert_eq!(provider("a-plug-in"), None);
    }
}

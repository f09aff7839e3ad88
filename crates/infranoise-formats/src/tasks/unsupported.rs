//! What task files can ask for and this version cannot give: one list, so that every refusal names its feature and its way out.

use super::report::{Place, Report};

/// When something comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comes {
    /// With the rest of the task formats.
    WithTaskFormats,
    /// With real agents and the model gateway.
    WithAgentsAndGateway,
    /// When sandboxes have users of their own.
    WithUsers,
    /// Not planned.
    NotPlanned,
}

impl Comes {
    fn sentence(self) -> &'static str {
        match self {
            Self::WithTaskFormats => "not supported yet: it comes with the rest of the task formats",
            Self::WithAgentsAndGateway => "not supported yet: it comes with real agents and the gateway",
            Self::WithUsers => "not supported yet",
            Self::NotPlanned => "not supported, and not planned",
        }
    }
}

/// A feature of task files that is refused by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// What it is, as the start of a sentence.
    pub what: &'static str,
    /// When it comes.
    pub comes: Comes,
    /// What to do until then, besides leaving the task out.
    pub instead: &'static str,
}

macro_rules! features {
    ($($(#[$doc:meta])* $name:ident = $what:literal, $comes:ident, $instead:literal;)*) => {
        $($(#[$doc])* pub const $name: Unsupported =
            Unsupported { what: $what, comes: Comes::$comes, instead: $instead };)*
        /// Every refused feature.
        pub const UNSUPPORTED: &[Unsupported] = &[$($name),*];
    };
}

features! {
    /// `[[steps]]`.
    MULTI_STEP = "a task of several steps (`[[steps]]`)", WithTaskFormats, "";
    /// `environment/docker-compose.yaml`.
    COMPOSE = "an environment of several services (`docker-compose.yaml`)", WithTaskFormats, "";
    /// `verifier.environment`, `environment_mode = "separate"`, `tests/Dockerfile`.
    SEPARATE_VERIFIER = "a verifier in an environment of its own", WithTaskFormats,
        "set `environment_mode = \"shared\"` if the tests allow it";
    /// `[[verifier.collect]]`.
    COLLECT = "collecting files before grading (`[[verifier.collect]]`)", WithTaskFormats, "";
    /// `[environment.healthcheck]`.
    HEALTHCHECK = "a healthcheck before the agent starts", WithTaskFormats,
        "remove `[environment.healthcheck]` if the task does not need it";
    /// A Dockerfile that does more than choose, copy and install what is there.
    BUILD = "a Dockerfile that needs a build", WithTaskFormats,
        "use `-e docker` or `-e podman`, which build it, or build the image elsewhere, unpack it and give it as the root";
    /// A user other than root.
    USER = "a user other than root inside the sandbox", WithUsers, "";
    /// `[[environment.mcp_servers]]`.
    MCP = "an MCP server for the agent", WithAgentsAndGateway, "";
    /// `trajectory.json`.
    PRIOR_TRAJECTORY = "a prior trajectory that the agent continues (`trajectory.json`)", WithAgentsAndGateway, "";
    /// `network_mode = "allowlist"`.
    ALLOWLIST = "a network that only reaches listed hosts", WithAgentsAndGateway,
        "set `network_mode` to `no-network` or `public`";
    /// A network of its own for the agent or the verifier.
    PHASE_NETWORK = "a network that differs between agent and verifier", WithAgentsAndGateway,
        "set `network_mode` in `[environment]` alone";
    /// `policy.json`: `server`.
    POLICY_SERVER = "a script policy with a local server (`server`)", WithAgentsAndGateway, "";
    /// `policy.json`: `disk_kind`.
    POLICY_DISK = "a script policy on a disk that is none (`disk_kind`)", NotPlanned,
        "set `disk_kind` to `ext4`: what lies in memory is charged to memory";
    /// `gpus`.
    GPU = "a GPU", NotPlanned, "set `gpus = 0` if the task runs without";
    /// `tpu`.
    TPU = "a TPU", NotPlanned, "";
    /// `os = "windows"`, `test.bat`.
    WINDOWS = "a Windows environment", NotPlanned, "";
}

impl Unsupported {
    /// What an error says, and the way out.
    #[must_use]
    pub fn message(&self, detail: &str) -> (String, String) {
        let detail = if detail.is_empty() { String::new() } else { format!(" ({detail})") };
        let what = format!("{}{detail} is {}", self.what, self.comes.sentence());
        let leave_out = "leave the task out with an exclude pattern";
        let way_out = match self.instead {
            "" => leave_out.to_owned(),
            instead => format!("{instead}, or {leave_out}"),
        };
        (what, way_out)
    }

    pub(super) fn refuse(&self, report: &mut Report, place: Place, detail: &str) {
        let (what, way_out) = self.message(detail);
        report.error(place, what, way_out);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_refusal_names_something_of_its_own() {
        let names: BTreeSet<&str> = UNSUPPORTED.iter().map(|feature| feature.what).collect();
        assert_eq!(names.len(), UNSUPPORTED.len());
        for feature in UNSUPPORTED {
            let (what, way_out) = feature.message("");
            assert!(what.contains("not supported"), "{what}");
            assert!(way_out.ends_with("exclude pattern"), "{way_out}");
        }
    }
}

//! From a situation to what has to be done.

use infranoise_core::CgroupMode;

use super::scope::Scope;
use super::situation::Situation;

/// What a process has to do before it can hold trials to their limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// Nothing: it is root.
    AsItIs,
    /// Execute itself again in a scope of its own.
    Again(Scope),
    /// Enter a user namespace: its group is its own already.
    Enter,
    /// It cannot be done.
    Refused {
        /// What is missing.
        what: &'static str,
        /// What to type.
        way_out: &'static str,
    },
}

const SUDO: &str = "become root: `sudo infranoise …`";

/// Says what has to be done.
#[must_use]
pub fn decide(situation: &Situation) -> Way {
    if situation.root {
        return Way::AsItIs;
    }
    match situation.cgroups {
        CgroupMode::Absent => {
            return Way::Refused { what: "without control groups no limit can be held", way_out: SUDO };
        }
        CgroupMode::V1 | CgroupMode::Hybrid => {
            return Way::Refused {
                what: "an ordinary user cannot hold limits on a host with control groups of version 1",
                way_out: "become root (`sudo infranoise …`), or boot with `systemd.unified_cgroup_hierarchy=1`",
            };
        }
        CgroupMode::V2 => {}
    }
    match (situation.delegated, &situation.systemd_run, situation.in_scope) {
        (true, ..) => Way::Enter,
        (false, Some(program), false) => Way::Again(Scope::new(program.clone())),
        (false, _, true) => Way::Refused {
            what: "the scope that systemd gave is not this user's to divide",
            way_out: "look whether `systemctl --user show -p Delegate` of it says yes, or become root: `sudo infranoise …`",
        },
        (false, None, false) => Way::Refused {
            what: "this user has no control group of its own, and no systemd that would give one",
            way_out: "log in as that user (`machinectl shell`, ssh) so that its systemd runs, or become root: `sudo infranoise …`",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn each_situation_has_its_way() {
        let user = Situation {
            root: false,
            cgroups: CgroupMode::V2,
            delegated: false,
            systemd_run: Some(PathBuf::from("/usr/bin/systemd-run")),
            in_scope: false,
        };
        let again = "again";
        let cases = [
            (Situation { root: true, ..user.clone() }, "as it is"),
            (Situation { root: true, cgroups: CgroupMode::V1, ..user.clone() }, "as it is"),
            (user.clone(), again),
            (Situation { delegated: true, ..user.clone() }, "enter"),
            (Situation { delegated: true, in_scope: true, ..user.clone() }, "enter"),
            (Situation { delegated: true, systemd_run: None, ..user.clone() }, "enter"),
            // Never twice: that would go on for ever.
            (Situation { in_scope: true, ..user.clone() }, "the scope that systemd gave"),
            (Situation { systemd_run: None, ..user.clone() }, "no control group of its own"),
            (Situation { cgroups: CgroupMode::Hybrid, ..user.clone() }, "version 1"),
            (Situation { cgroups: CgroupMode::V1, delegated: true, ..user.clone() }, "version 1"),
            (Situation { cgroups: CgroupMode::Absent, ..user }, "without control groups"),
        ];
        for (situation, expected) in cases {
            let says = match decide(&situation) {
                Way::AsItIs => "as it is".to_owned(),
                Way::Again(_) => again.to_owned(),
                Way::Enter => "enter".to_owned(),
                Way::Refused { what, way_out } => {
                    assert!(way_out.contains('`'), "there is something to type: {way_out}");
                    what.to_owned()
                }
            };
            assert!(says.contains(expected), "{situation:?}: {says}, expected {expected}");
        }
    }
}

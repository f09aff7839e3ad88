//! What the fuzz targets do with an input, apart from libFuzzer, so that ordinary tests can replay corpus and regressions.
//!
//! A target is a name and a function that panics if a promise is broken: no panic inside, no verdict without evidence, every trial in
//! the plan, every record readable again.

pub mod layout;
pub mod results;
pub mod rollouts;
pub mod store;
pub mod tasks;

/// A target: what it feeds, and how.
pub struct Target {
    /// Its name; also that of its folders in `corpus/` and `regressions/`.
    pub name: &'static str,
    /// Feeds one input.
    pub feed: fn(&[u8]),
}

/// Every target; a test compares the list with the folders and the manifest.
pub const TARGETS: &[Target] = &[
    Target { name: "harbor", feed: results::harbor },
    Target { name: "tb1", feed: results::tb1 },
    Target { name: "inspect", feed: results::inspect },
    Target { name: "mini_swe_agent", feed: results::mini_swe_agent },
    Target { name: "swebench", feed: results::swebench },
    Target { name: "openhands", feed: results::openhands },
    Target { name: "table", feed: results::table },
    Target { name: "archive", feed: results::archive },
    Target { name: "cast", feed: results::cast },
    Target { name: "atif", feed: results::atif },
    Target { name: "manifest", feed: tasks::manifest },
    Target { name: "dockerfile", feed: tasks::dockerfile },
    Target { name: "rollouts", feed: rollouts::stream },
    Target { name: "store", feed: store::plan_and_journal },
];

/// Feeds an input to the target of that name.
pub fn run(name: &str, data: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name).expect("a target of that name");
    (target.feed)(data);
}

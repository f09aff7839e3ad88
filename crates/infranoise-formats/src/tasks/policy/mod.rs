//! The strategies of the `script` agent: an agent without a model, whose every decision follows from a seed and from what it sees.
//!
//! A task folder may hold a `policy.toml` (our form, see [`toml`]) or a `policy.json` (the form of the first prototypes, see
//! [`json`]). The agent draws a strategy, carries out its steps one after the other and thinks before each; when a step fails, it
//! goes on with the strategy's fallback, if there is one. All draws depend on the task and the seed alone ([`draw`]), so that the
//! same trial in another arm meets the same luck.

pub mod draw;
pub mod json;
pub mod toml;
mod when;

use std::path::{Path, PathBuf};

use infranoise_core::{Bytes, Ceiling, MilliCpu};

use super::report::{Place, Report, Text};
pub use draw::Draw;
pub use when::{Seen, When};

/// What the `script` agent may do in one task.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptPolicy {
    /// The file that says so.
    pub path: PathBuf,
    /// SHA-256 of that file in hexadecimal: it is not part of a task's digest, but changes what the agent does.
    pub sha256: String,
    /// How the first strategy is found.
    pub choice: Choice,
    /// The strategies, in the order of the file (of their names in a `policy.json`).
    pub strategies: Vec<Strategy>,
    /// Commands of the set-up phase, before the agent's clock starts.
    pub setup: Vec<String>,
    /// Variables that every command gets.
    pub env: Vec<(String, String)>,
    /// Whether commands and verifier find a folder under the storage ceiling in `$DISK`.
    pub disk: bool,
    /// The 1x value of processes and threads, if the file states one.
    pub pids: Option<u32>,
    /// The 1x value of CPU, if the file states one.
    pub cpu: Option<MilliCpu>,
}

/// How the first strategy is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// At random, by weight, among those whose condition holds.
    Weighted,
    /// The first of these whose condition holds.
    Prefer(Vec<String>),
}

/// One way to go about a task.
#[derive(Clone, Debug, PartialEq)]
pub struct Strategy {
    /// Its name.
    pub name: String,
    /// Its share among the strategies that can be chosen.
    pub weight: f64,
    /// When it can be chosen.
    pub when: When,
    /// What it does.
    pub steps: Vec<Step>,
    /// Where the agent goes on if a step fails: the first of these whose condition holds.
    pub fallback: Vec<String>,
}

/// One command of a strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// A command for `/bin/sh -c`.
    pub command: String,
    /// How long the agent thinks before it, in milliseconds.
    pub think_ms: u64,
    /// Whether the agent goes on with the next step however this one ends.
    pub keep_going: bool,
}

impl ScriptPolicy {
    /// The strategy of this name.
    #[must_use]
    pub fn strategy(&self, name: &str) -> Option<&Strategy> {
        self.strategies.iter().find(|strategy| strategy.name == name)
    }

    /// The strategy that the agent begins with; none if no condition holds.
    #[must_use]
    pub fn first(&self, draw: &Draw, seen: &Seen) -> Option<&Strategy> {
        let can = |strategy: &&Strategy| strategy.when.holds(draw, seen);
        match &self.choice {
            Choice::Prefer(names) => names.iter().filter_map(|name| self.strategy(name)).find(can),
            Choice::Weighted => {
                let open: Vec<&Strategy> =
                    self.strategies.iter().filter(|s| s.weight > 0.0).filter(can).collect();
                draw.weighted(&open, |strategy| strategy.weight).copied()
            }
        }
    }

    /// Where the agent goes on when a step of `failed` did not succeed.
    #[must_use]
    pub fn fallback(&self, failed: &Strategy, draw: &Draw, seen: &Seen) -> Option<&Strategy> {
        let names = failed.fallback.iter().filter_map(|name| self.strategy(name));
        names.into_iter().find(|strategy| strategy.when.holds(draw, seen))
    }

    /// The strategies in the order in which the agent would try them if every one failed; none twice.
    #[must_use]
    pub fn order(&self, draw: &Draw, seen: &Seen) -> Vec<&Strategy> {
        let mut order: Vec<&Strategy> = Vec::new();
        let mut next = self.first(draw, seen);
        while let Some(strategy) = next {
            if order.iter().any(|earlier| earlier.name == strategy.name) {
                break;
            }
            order.push(strategy);
            next = self.fallback(strategy, draw, seen);
        }
        order
    }

    /// The variables of every command: the policy's own, and what the agent knows of its luck and its limits.
    ///
    /// `SEED`; `LUCK`, a number in [0, 1); `LUCK_PERCENT`, the same as a whole number below 100; `MEM_LIMIT_MB`, the memory
    /// ceiling in MiB or `none`.
    #[must_use]
    pub fn variables(&self, draw: &Draw, seen: &Seen) -> Vec<(String, String)> {
        let memory = match seen.memory {
            Ceiling::At(Bytes(bytes)) => (bytes / Bytes::MIB).to_string(),
            Ceiling::Uncapped => "none".to_owned(),
        };
        let known = [
            ("SEED", draw.seed.to_string()),
            ("LUCK", format!("{:.6}", draw.luck)),
            ("LUCK_PERCENT", format!("{}", (draw.luck * 100.0) as u8)),
            ("MEM_LIMIT_MB", memory),
        ];
        let known = known.into_iter().map(|(name, value)| (name.to_owned(), value));
        known.chain(self.env.iter().cloned()).collect()
    }
}

/// Reads the policy of a task folder, if it has one.
pub(super) fn read(root: &Path, report: &mut Report) -> Option<ScriptPolicy> {
    let toml_path = root.join("policy.toml");
    let json_path = root.join("policy.json");
    let (path, parse): (_, fn(Text<'_>, &mut Report) -> Option<ScriptPolicy>) =
        match (toml_path.exists(), json_path.exists()) {
            (false, false) => return None,
            (true, false) => (toml_path, toml::parse),
            (false, true) => (json_path, json::parse),
            (true, true) => {
                report.warn(Place::file(json_path), "policy.toml goes before policy.json");
                (toml_path, toml::parse)
            }
        };
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => {
            report.error(
                Place::file(&path),
                format!("cannot be read: {error}"),
                "make it readable UTF-8 text",
            );
            return None;
        }
    };
    let before = report.errors.len();
    let policy = parse(Text { path: &path, text: &text }, report)?;
    check(&policy, report);
    (report.errors.len() == before).then_some(policy)
}

/// What holds for both forms: at least one strategy with a step, and only names that exist.
fn check(policy: &ScriptPolicy, report: &mut Report) {
    let place = || Place::file(&policy.path);
    if policy.strategies.is_empty() {
        report.error(place(), "names no strategy", "add one with at least one step");
        return;
    }
    let mut names: Vec<(&str, &str)> = Vec::new();
    for strategy in &policy.strategies {
        if strategy.steps.is_empty() {
            report.error(place(), format!("the strategy `{}` has no steps", strategy.name), "add one");
        }
        names.extend(strategy.fallback.iter().map(|name| ("fallback", name.as_str())));
    }
    match &policy.choice {
        Choice::Prefer(order) => names.extend(order.iter().map(|name| ("prefer", name.as_str()))),
        Choice::Weighted if policy.strategies.iter().all(|strategy| strategy.weight <= 0.0) => {
            report.error(place(), "no strategy has a weight above 0", "give one a weight");
        }
        Choice::Weighted => {}
    }
    for (key, name) in names {
        if policy.strategy(name).is_none() {
            report.error(
                place(),
                format!("`{key}` names a strategy `{name}` that is not there"),
                "correct the name",
            );
        }
    }
}

#[cfg(test)]
mod tests;

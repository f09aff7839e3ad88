//! Names of strangers as names of ours: safe as folders, still recognisable, never two for one.

use infranoise_core::{ArmId, BadName, TaskId};
use sha2::{Digest, Sha256};

/// Longer names are cut before their hash is added.
const LONGEST: usize = 100;

/// A task's name; one that cannot be ours is changed and gets a hash of what it was.
pub(in crate::results) fn task_id(raw: &str) -> TaskId {
    own(raw, TaskId::try_new, true)
}

/// An arm's name, likewise.
pub(in crate::results) fn arm_id(raw: &str) -> ArmId {
    own(raw, ArmId::try_new, false)
}

fn own<T>(raw: &str, take: fn(String) -> Result<T, BadName>, slash: bool) -> T {
    take(raw.to_owned()).or_else(|_| take(changed(raw, slash))).unwrap_or_else(|_| {
        #[expect(clippy::unwrap_used, reason = "a hash in hexadecimal is a name")]
        take(format!("unnamed.{}", hash(raw))).unwrap()
    })
}

fn changed(raw: &str, slash: bool) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || "._-+@".contains(c) || (slash && c == '/');
    let mapped: String = raw.chars().take(LONGEST).map(|c| if fits(c) { c } else { '-' }).collect();
    let parts: Vec<&str> = mapped.split('/').filter(|part| !part.is_empty() && *part != "..").collect();
    let joined = parts.join("/");
    let name = joined.trim_start_matches(['.', '-', '/']);
    let name = if name.is_empty() { "unnamed" } else { name };
    format!("{name}.{}", hash(raw))
}

fn hash(raw: &str) -> String {
    Sha256::digest(raw.as_bytes()).iter().take(3).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_names_stay_and_bad_ones_stay_apart() {
        assert_eq!(task_id("noise/hello-oom").as_str(), "noise/hello-oom");
        assert_eq!(arm_id("3x").as_str(), "3x");
        let long = "x".repeat(5_000);
        for raw in ["../../etc/passwd", "", ".hidden", "a b", "emoji😀", "a//b", "-rf", "\0", &long, "/"] {
            let (task, arm) = (task_id(raw), arm_id(raw));
            assert!(task.as_str().len() <= 120 && arm.as_str().len() <= 120, "{raw}");
        }
        assert_ne!(task_id("a b"), task_id("a-b"));
        assert_ne!(task_id("a b"), task_id("a\tb"));
    }
}

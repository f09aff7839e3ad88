//! A sweep's name, if the person gives none: it follows from the request, so that the same command finds its sweep again.

use std::fmt::Write as _;

use infranoise_core::{Bytes, CgroupMode, HostFingerprint, Observed, Plan, SweepId};
use sha2::{Digest as _, Sha256};

/// The part of a plan that the request decides: all but the moment, the host and the program's version.
pub fn decided(plan: &Plan) -> Plan {
    let mut decided = plan.clone();
    decided.planned_at_ms = 0;
    decided.made_by = String::new();
    decided.warnings = Vec::new();
    decided.host = HostFingerprint {
        machine_hash: Observed::default(),
        boot_id: Observed::default(),
        kernel: String::new(),
        cpu_model: Observed::default(),
        cpus: 0,
        cpu_flags_hash: Observed::default(),
        memory_bytes: Bytes(0),
        swap_bytes: Bytes(0),
        cgroup_mode: CgroupMode::Absent,
        pressure: false,
        hypervisor: false,
        settings: std::collections::BTreeMap::new(),
    };
    decided
}

/// What of the host has changed since a sweep was planned, in words; nothing if it is the same.
pub fn other_host(known: &HostFingerprint, here: &HostFingerprint) -> Option<String> {
    let mut changed = Vec::new();
    if known.machine_hash != here.machine_hash {
        changed.push("the machine".to_owned());
    }
    if known.kernel != here.kernel {
        changed.push(format!("the kernel ({} then, {} now)", known.kernel, here.kernel));
    }
    if known.cpus != here.cpus || known.memory_bytes != here.memory_bytes {
        let size = |host: &HostFingerprint| format!("{} CPUs and {}", host.cpus, host.memory_bytes);
        changed.push(format!("its size ({} then, {} now)", size(known), size(here)));
    }
    (!changed.is_empty()).then(|| {
        format!(
            "this sweep was begun on another host: {} changed; blocks that are torn between the two mix hosts with arms",
            changed.join(", ")
        )
    })
}

/// A name made of a word and a hash of what the plan decides.
pub fn name(word: &str, plan: &Plan) -> Option<SweepId> {
    let mut decided = decided(plan);
    decided.sweep = SweepId::try_new("unnamed").ok()?;
    let bytes = serde_json::to_vec(&decided).ok()?;
    let hash = Sha256::digest(&bytes).iter().take(4).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });
    let word: String =
        word.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).take(40).collect();
    SweepId::try_new(format!("{}-{hash}", word.trim_matches('-'))).ok()
}

/// The first thing in which two plans differ, in words.
pub fn difference(known: &Plan, wanted: &Plan) -> Option<String> {
    let (known, wanted) = (decided(known), decided(wanted));
    let (Ok(known), Ok(wanted)) = (serde_json::to_value(known), serde_json::to_value(wanted)) else {
        return None;
    };
    first_difference("", &known, &wanted)
}

fn first_difference(path: &str, known: &serde_json::Value, wanted: &serde_json::Value) -> Option<String> {
    use serde_json::Value;
    if known == wanted {
        return None;
    }
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match (known, wanted) {
        (Value::Object(known), Value::Object(wanted)) => known.keys().chain(wanted.keys()).find_map(|key| {
            let (a, b) = (known.get(key), wanted.get(key));
            first_difference(&below(key), a.unwrap_or(&Value::Null), b.unwrap_or(&Value::Null))
        }),
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).enumerate().find_map(|(n, (a, b))| first_difference(&below(&n.to_string()), a, b))
        }
        (Value::Array(a), Value::Array(b)) => {
            Some(format!("`{path}` has {} entries there and {} here", a.len(), b.len()))
        }
        (a, b) => Some(format!("`{path}` is {a} there and {b} here")),
    }
}

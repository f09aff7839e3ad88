//! What kind of machine it is.

use std::fs;
use std::io;
use std::path::Path;

use infranoise_core::{Bytes, CgroupMode, HostFingerprint, Observed};

use super::fnv::hash;
use super::settings::settings;
use crate::cgroup::parse::kilobytes;

/// Reads the fingerprint of a machine; `root` is `/` but in tests. Takes no name, address or id that could tell whose it is.
///
/// # Errors
/// If `/proc` cannot be read.
pub fn fingerprint(root: &Path, cgroup_mode: CgroupMode) -> io::Result<HostFingerprint> {
    let read = |file: &str| {
        let named = |error: io::Error| io::Error::new(error.kind(), format!("/{file}: {error}"));
        fs::read_to_string(root.join(file)).map_err(named)
    };
    let cpuinfo = read("proc/cpuinfo")?;
    let meminfo = read("proc/meminfo")?;
    let flags = cpuinfo_field(&cpuinfo, "flags").or_else(|| cpuinfo_field(&cpuinfo, "Features"));
    let model = cpuinfo_field(&cpuinfo, "model name").or_else(|| cpuinfo_field(&cpuinfo, "CPU part"));
    let known = |value: io::Result<String>| match value {
        Ok(value) => Observed::Observed(value),
        Err(error) => Observed::Unavailable(error.to_string()),
    };
    let said = |value: Option<String>| {
        value.map_or_else(
            || Observed::Unsupported("/proc/cpuinfo does not say it".to_owned()),
            Observed::Observed,
        )
    };
    Ok(HostFingerprint {
        machine_hash: known(read("etc/machine-id").and_then(|id| match id.trim() {
            "" => Err(io::Error::other("/etc/machine-id is empty")),
            id => Ok(hash("machine", id)),
        })),
        boot_id: known(read("proc/sys/kernel/random/boot_id").map(|id| id.trim().to_owned())),
        kernel: read("proc/sys/kernel/osrelease")?.trim().to_owned(),
        cpu_model: said(model.map(str::to_owned)),
        cpus: online(root, &cpuinfo),
        cpu_flags_hash: said(flags.map(|flags| hash("flags", &sorted(flags)))),
        memory_bytes: Bytes(kilobytes(&meminfo, "MemTotal:").unwrap_or(0)),
        swap_bytes: Bytes(kilobytes(&meminfo, "SwapTotal:").unwrap_or(0)),
        cgroup_mode,
        pressure: read("proc/pressure/cpu").is_ok(),
        hypervisor: flags.is_some_and(|flags| flags.split(' ').any(|flag| flag == "hypervisor")),
        settings: settings(root, &cpuinfo, &read("proc/self/mountinfo").unwrap_or_default()),
    })
}

/// The value of a key, for the first processor.
pub(super) fn cpuinfo_field<'t>(cpuinfo: &'t str, key: &str) -> Option<&'t str> {
    let field = |line: &'t str| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == key).then_some(value.trim())
    };
    cpuinfo.lines().find_map(field)
}

/// Flags in one order, whatever the kernel's.
fn sorted(flags: &str) -> String {
    let mut flags: Vec<&str> = flags.split_ascii_whitespace().collect();
    flags.sort_unstable();
    flags.join(" ")
}

/// How many processors are online.
fn online(root: &Path, cpuinfo: &str) -> u32 {
    let list = fs::read_to_string(root.join("sys/devices/system/cpu/online")).ok();
    let listed = || cpuinfo.lines().filter(|line| line.starts_with("processor")).count() as u32;
    list.and_then(|list| count(list.trim())).unwrap_or_else(listed)
}

/// The members of a list such as `0-3,8`.
fn count(list: &str) -> Option<u32> {
    list.split(',')
        .map(|part| match part.split_once('-') {
            Some((first, last)) => {
                Some(last.parse::<u32>().ok()?.checked_sub(first.parse::<u32>().ok()?)?.saturating_add(1))
            }
            None => part.parse::<u32>().ok().map(|_| 1),
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_processors_are_counted() {
        let cases = [("0-1", Some(2)), ("0", Some(1)), ("0-3,8,10-11", Some(7)), ("", None), ("3-1", None)];
        for (list, expected) in cases {
            assert_eq!(count(list), expected, "{list}");
        }
    }

    #[test]
    fn the_order_of_flags_does_not_matter() {
        assert_eq!(sorted("b a  c"), sorted("c b a"));
    }

    #[test]
    fn this_machine_has_a_fingerprint_without_its_name() {
        let root = Path::new("/");
        let print = fingerprint(root, CgroupMode::Absent).expect("/proc");
        assert!(print.cpus >= 1 && print.memory_bytes.0 > 0 && !print.kernel.is_empty());
        let text = serde_json::to_string(&print).expect("as JSON");
        let secrets = ["proc/sys/kernel/hostname", "etc/machine-id"];
        for secret in secrets.iter().filter_map(|file| fs::read_to_string(root.join(file)).ok()) {
            let secret = secret.trim().to_owned();
            // A name as short as `vm` is part of other words.
            assert!(secret.len() < 6 || !text.contains(&secret), "{secret} in {text}");
        }
        assert_eq!(fingerprint(root, CgroupMode::Absent).expect("/proc"), print, "it is the same twice");
    }
}

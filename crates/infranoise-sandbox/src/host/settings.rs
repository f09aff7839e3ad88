//! Settings of a host that can move a result, by name.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Files with one value, and the names that they are recorded under.
const FILES: [(&str, &str); 11] = [
    ("overcommit_memory", "proc/sys/vm/overcommit_memory"),
    ("swappiness", "proc/sys/vm/swappiness"),
    ("dirty_ratio", "proc/sys/vm/dirty_ratio"),
    ("sched_autogroup", "proc/sys/kernel/sched_autogroup_enabled"),
    ("transparent_hugepages", "sys/kernel/mm/transparent_hugepage/enabled"),
    ("clock_source", "sys/devices/system/clocksource/clocksource0/current_clocksource"),
    ("smt", "sys/devices/system/cpu/smt/control"),
    ("cpu_governor", "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
    ("cpu_max_khz", "sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq"),
    ("hardware_vendor", "sys/class/dmi/id/sys_vendor"),
    ("hardware_product", "sys/class/dmi/id/product_name"),
];

/// Lines of `/proc/cpuinfo`, and the names that they are recorded under.
const CPUINFO: [(&str, &str); 2] = [("cpu_microcode", "microcode"), ("cpu_cache", "cache size")];

/// Mitigations cost time: how many there are, and which.
const VULNERABILITIES: &str = "sys/devices/system/cpu/vulnerabilities";

/// Reads them; what a host does not have is left out.
pub(super) fn settings(root: &Path, cpuinfo: &str, mountinfo: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (name, file) in FILES {
        if let Ok(text) = fs::read_to_string(root.join(file)) {
            found.insert(name.to_owned(), chosen(text.trim()).to_owned());
        }
    }
    for (name, key) in CPUINFO {
        if let Some(value) = super::fingerprint::cpuinfo_field(cpuinfo, key) {
            found.insert(name.to_owned(), value.to_owned());
        }
    }
    if let Some(root_fs) = root_filesystem(mountinfo) {
        found.insert("root_filesystem".to_owned(), root_fs);
    }
    if let Some(mitigated) = mitigations(&root.join(VULNERABILITIES)) {
        found.insert("mitigations".to_owned(), mitigated);
    }
    found
}

/// `always [madvise] never` stands for `madvise`.
fn chosen(text: &str) -> &str {
    text.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map_or(text, |(chosen, _)| chosen)
}

/// The type and the options of what is mounted at `/`; not its source, which can be a name.
fn root_filesystem(mountinfo: &str) -> Option<String> {
    let line = mountinfo.lines().rfind(|line| line.split(' ').nth(4) == Some("/"))?;
    let (front, back) = line.split_once(" - ")?;
    let kind = back.split(' ').next()?;
    Some(format!("{kind} {}", front.split(' ').nth(5)?))
}

/// The vulnerabilities that something is done about.
fn mitigations(folder: &Path) -> Option<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .ok()?
        .flatten()
        .filter(|entry| fs::read_to_string(entry.path()).is_ok_and(|text| text.contains("Mitigation")))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    Some(if names.is_empty() { "none".to_owned() } else { names.join(" ") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chosen_one_stands_in_brackets() {
        let cases = [("always [madvise] never", "madvise"), ("1", "1"), ("", "")];
        for (text, expected) in cases {
            assert_eq!(chosen(text), expected);
        }
    }

    #[test]
    fn the_root_file_system_is_named_without_its_device() {
        let mountinfo = "27 1 254:0 / / rw,relatime - ext4 /dev/mapper/anna-home rw\n28 27 0:6 / /dev rw - devtmpfs d rw\n";
        assert_eq!(root_filesystem(mountinfo).as_deref(), Some("ext4 rw,relatime"));
    }
}

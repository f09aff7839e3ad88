//! The numbers in the kernel's small files.

use crate::cgroup::parse::keyed;

/// Memory of `memory.stat`, in bytes: what cannot be reclaimed, and the faults that waited for a disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MemoryStat {
    /// Anonymous, shared, and (on version 2) the kernel's own without what it can give back.
    pub nonreclaimable_bytes: u64,
    pub major_faults: u64,
}

/// Version 1: the kernel's share stands in a file of its own.
pub(crate) fn memory_v1(text: &str) -> Option<MemoryStat> {
    let anonymous = keyed(text, "total_rss")?;
    let shared = keyed(text, "total_shmem").unwrap_or(0);
    let major_faults = keyed(text, "total_pgmajfault")?;
    Some(MemoryStat { nonreclaimable_bytes: anonymous + shared, major_faults })
}

/// Version 2; before Linux 5.18 the kernel's share has to be added up.
pub(crate) fn memory_v2(text: &str) -> Option<MemoryStat> {
    let value = |key| keyed(text, key).unwrap_or(0);
    let reclaimable = value("slab_reclaimable");
    let kernel = match keyed(text, "kernel") {
        Some(all) => all.saturating_sub(reclaimable),
        None => {
            ["kernel_stack", "pagetables", "percpu", "sock", "slab_unreclaimable"].map(value).iter().sum()
        }
    };
    let nonreclaimable_bytes = keyed(text, "anon")? + value("shmem") + kernel;
    Some(MemoryStat { nonreclaimable_bytes, major_faults: value("pgmajfault") })
}

/// The total of one line of a pressure file, in microseconds.
fn pressure(text: &str, line: &str) -> Option<u64> {
    let line = text.lines().find(|text| text.starts_with(line))?;
    line.rsplit_once("total=")?.1.trim().parse().ok()
}

/// Time during which at least one task waited.
pub(crate) fn some(text: &str) -> Option<u64> {
    pressure(text, "some ")
}

/// Time during which all tasks waited.
pub(crate) fn full(text: &str) -> Option<u64> {
    pressure(text, "full ")
}

/// Bytes received and sent over every interface but loopback, in `/proc/<pid>/net/dev`.
pub(crate) fn network(text: &str) -> Option<(u64, u64)> {
    let mut sum = (0, 0);
    for line in text.lines().skip(2) {
        let (name, counts) = line.split_once(':')?;
        if name.trim() == "lo" {
            continue;
        }
        let mut counts = counts.split_ascii_whitespace();
        let (received, sent) = (counts.next()?, counts.nth(7)?);
        sum.0 += received.parse::<u64>().ok()?;
        sum.1 += sent.parse::<u64>().ok()?;
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pressure_lines_are_told_apart() {
        let text = "some avg10=0.00 avg60=0.00 avg300=0.00 total=4641\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n";
        assert_eq!((some(text), full(text)), (Some(4641), Some(7)));
        assert_eq!(some(""), None);
    }

    #[test]
    fn loopback_is_not_the_network() {
        let text = "Inter-|   Receive  |  Transmit\n face |bytes packets errs|bytes\n    lo: 900 1 0 0 0 0 0 0 900 1 0 0 0 0 0 0\n  \
                    eth0: 100 1 0 0 0 0 0 0 7 1 0 0 0 0 0 0\n eth1:1 1 0 0 0 0 0 0 2 1 0 0 0 0 0 0\n";
        assert_eq!(network(text), Some((101, 9)));
        assert_eq!(network("a\nb\n"), Some((0, 0)));
    }

    #[test]
    fn memory_that_cannot_be_reclaimed_leaves_the_page_cache_out() {
        let v2 = "anon 100\nfile 5000\nkernel 30\nslab_reclaimable 10\nslab_unreclaimable 5\nshmem 7\npgmajfault 2\n";
        assert_eq!(memory_v2(v2), Some(MemoryStat { nonreclaimable_bytes: 127, major_faults: 2 }));
        let old = "anon 100\nkernel_stack 1\npagetables 2\nslab_reclaimable 10\nslab_unreclaimable 5\n";
        assert_eq!(memory_v2(old).map(|stat| stat.nonreclaimable_bytes), Some(108));
        let v1 = "cache 9\nrss 1\ntotal_cache 900\ntotal_rss 50\ntotal_shmem 4\ntotal_pgmajfault 3\n";
        assert_eq!(memory_v1(v1), Some(MemoryStat { nonreclaimable_bytes: 54, major_faults: 3 }));
    }
}

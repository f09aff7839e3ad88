//! The state of the host at one moment, from four small files.

use std::path::Path;
use std::time::Duration;

use crate::cgroup::parse::kilobytes;
use crate::telemetry::kept::{Buffer, Kept};
use crate::telemetry::stat::some;

/// One look at the host. Counters count from boot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Reading {
    /// When, since the monitor began.
    pub at: Duration,
    pub cpu_some_us: Option<u64>,
    pub memory_some_us: Option<u64>,
    pub io_some_us: Option<u64>,
    pub ticks: Option<Ticks>,
    pub load_1m: Option<f64>,
    pub memory_available_bytes: Option<u64>,
}

/// CPU time of all processors, in clock ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ticks {
    pub all: u64,
    /// Given to other guests by the hypervisor.
    pub stolen: u64,
}

/// The files, kept open.
#[derive(Debug)]
pub(super) struct Files {
    cpu: Kept<u64>,
    memory: Kept<u64>,
    io: Kept<u64>,
    stat: Kept<Ticks>,
    load: Kept<f64>,
    meminfo: Kept<u64>,
}

impl Files {
    pub fn open(root: &Path) -> Self {
        let proc = root.join("proc");
        Self {
            cpu: Kept::open(&proc.join("pressure/cpu"), some),
            memory: Kept::open(&proc.join("pressure/memory"), some),
            io: Kept::open(&proc.join("pressure/io"), some),
            stat: Kept::open(&proc.join("stat"), ticks),
            load: Kept::open(&proc.join("loadavg"), load),
            meminfo: Kept::open(&proc.join("meminfo"), |text| kilobytes(text, "MemAvailable:")),
        }
    }

    pub fn read(&self, at: Duration, buffer: &mut Buffer) -> Reading {
        Reading {
            at,
            cpu_some_us: self.cpu.read(buffer),
            memory_some_us: self.memory.read(buffer),
            io_some_us: self.io.read(buffer),
            ticks: self.stat.read(buffer),
            load_1m: self.load.read(buffer),
            memory_available_bytes: self.meminfo.read(buffer),
        }
    }
}

/// The first line of `/proc/stat`: user, nice, system, idle, iowait, irq, softirq, steal. What follows is counted in user already.
fn ticks(text: &str) -> Option<Ticks> {
    let line = text.lines().next()?.strip_prefix("cpu ")?;
    let mut numbers = [0; 8];
    let mut words = line.split_ascii_whitespace();
    for number in &mut numbers {
        *number = words.next()?.parse().ok()?;
    }
    Some(Ticks { all: numbers.iter().sum(), stolen: numbers[7] })
}

fn load(text: &str) -> Option<f64> {
    text.split(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stolen_time_is_the_eighth_number() {
        let text = "cpu  1 2 3 4 5 6 7 8 9 10\ncpu0 1 2 3 4 5 6 7 8 9 10\n";
        assert_eq!(ticks(text), Some(Ticks { all: 36, stolen: 8 }));
        assert_eq!(ticks("cpu  1 2 3"), None);
    }
}

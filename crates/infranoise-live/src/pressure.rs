//! How hard the host is pressed, now and lately.

use std::collections::VecDeque;
use std::path::Path;

/// At most so many readings are kept.
pub const READINGS: usize = 120;

/// Shares of the last ten seconds in which some task waited, 0 to 1 (PSI `some avg10`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// For a CPU.
    pub cpu: f64,
    /// For memory.
    pub memory: f64,
    /// For a disk.
    pub io: f64,
}

/// One of the three kinds of pressure.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// What tasks wait for.
    pub what: &'static str,
    /// Takes it from a reading.
    pub of: fn(&Reading) -> f64,
}

/// Every kind, in the order of tables.
pub const KINDS: [Kind; 3] = [
    Kind { name: "CPU", what: "a CPU", of: |reading| reading.cpu },
    Kind { name: "Memory", what: "memory", of: |reading| reading.memory },
    Kind { name: "Disk", what: "a disk", of: |reading| reading.io },
];

/// Reads the host's pressure; nothing where the kernel does not count it.
#[must_use]
pub fn read(proc: &Path) -> Option<Reading> {
    let some = |what: &str| {
        let text = std::fs::read_to_string(proc.join("pressure").join(what)).ok()?;
        avg10(&text)
    };
    Some(Reading { cpu: some("cpu")?, memory: some("memory")?, io: some("io")? })
}

fn avg10(text: &str) -> Option<f64> {
    let line = text.lines().find(|line| line.starts_with("some "))?;
    let value: f64 = line.split_whitespace().find_map(|word| word.strip_prefix("avg10="))?.parse().ok()?;
    Some((value / 100.0).clamp(0.0, 1.0))
}

/// Readings of the last minutes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pressure {
    readings: VecDeque<Reading>,
}

impl Pressure {
    /// Adds a reading; the oldest goes.
    pub fn push(&mut self, reading: Reading) {
        if self.readings.len() == READINGS {
            self.readings.pop_front();
        }
        self.readings.push_back(reading);
    }

    /// The last reading.
    #[must_use]
    pub fn now(&self) -> Option<Reading> {
        self.readings.back().copied()
    }

    /// Every reading that is kept, oldest first.
    pub fn readings(&self) -> impl Iterator<Item = &Reading> {
        self.readings.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_is_read_and_what_it_does_not_count_is_absent() {
        let proc = tempfile::tempdir().expect("a folder");
        assert_eq!(read(proc.path()), None);
        std::fs::create_dir(proc.path().join("pressure")).expect("a folder");
        for (name, avg10) in [("cpu", "12.50"), ("memory", "0.00"), ("io", "100.00")] {
            let text = format!(
                "some avg10={avg10} avg60=1.00 avg300=0.00 total=5\nfull avg10=9.00 avg60=0.00 avg300=0.00 total=0\n"
            );
            std::fs::write(proc.path().join("pressure").join(name), text).expect("writes");
        }
        assert_eq!(read(proc.path()), Some(Reading { cpu: 0.125, memory: 0.0, io: 1.0 }));
        assert_eq!(avg10("some avg10=x"), None);
    }

    #[test]
    fn readings_are_bounded() {
        let mut pressure = Pressure::default();
        for n in 0..1_000 {
            pressure.push(Reading { cpu: f64::from(n), memory: 0.0, io: 0.0 });
        }
        assert_eq!(pressure.readings().count(), READINGS);
        assert_eq!(pressure.now().map(|reading| reading.cpu), Some(999.0));
    }
}

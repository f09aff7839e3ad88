//! Reading and writing the small files of a group.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use infranoise_core::{Held, Observed};

/// The whole of a file.
pub(crate) fn read(dir: &Path, knob: &str) -> io::Result<String> {
    fs::read_to_string(dir.join(knob))
}

/// Writes a value in one call.
pub(crate) fn write(dir: &Path, knob: &str, value: &str) -> io::Result<()> {
    OpenOptions::new().write(true).truncate(true).open(dir.join(knob))?.write_all(value.as_bytes())
}

/// Writes a value and returns what the kernel made of it: limits are rounded to pages, shares and quotas have minima.
pub(crate) fn set(dir: &Path, knob: &str, value: &str) -> io::Result<String> {
    write(dir, knob, value)?;
    Ok(read(dir, knob)?.trim().to_owned())
}

/// The number behind `key` in a file of `key value` lines.
pub(crate) fn keyed(text: &str, key: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')?.trim().parse().ok())
}

/// The bytes behind a key in `/proc/meminfo` or `/proc/<pid>/status`, which count in kB.
pub(crate) fn kilobytes(text: &str, key: &str) -> Option<u64> {
    let amount = text.lines().find_map(|line| line.strip_prefix(key))?.trim().strip_suffix(" kB")?;
    amount.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

/// A file that holds one number.
pub(crate) fn number(text: &str) -> Option<u64> {
    text.trim().parse().ok()
}

/// A reading of a file, or why there is none.
pub(crate) fn observe<T>(dir: &Path, knob: &str, parse: impl FnOnce(&str) -> Option<T>) -> Observed<T> {
    match read(dir, knob) {
        Ok(text) => match parse(&text) {
            Some(value) => Observed::Observed(value),
            None => Observed::Unsupported(format!("this kernel's {knob} does not say it")),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound && dir.is_dir() => {
            Observed::Unsupported(format!("this kernel has no {knob}"))
        }
        Err(error) => Observed::Unavailable(format!("{knob}: {error}")),
    }
}

/// The sum of two readings; what is known of one alone is a part.
pub(crate) fn sum(one: Observed<u64>, other: Observed<u64>) -> Observed<u64> {
    match (one, other) {
        (Observed::Observed(a), Observed::Observed(b)) => Observed::Observed(a + b),
        (a, b) => match (a.value(), b.value()) {
            (Some(x), Some(y)) => Observed::Partial(x + y),
            (Some(x), None) | (None, Some(x)) => Observed::Partial(*x),
            (None, None) => a,
        },
    }
}

/// How far a promise is kept, from what came of setting its knob.
pub(crate) fn held_by_kernel(knob: &str, set: io::Result<String>) -> Held {
    match set {
        Ok(value) => Held::ByKernel { knob: knob.to_owned(), value },
        Err(error) => not_held(knob, &error),
    }
}

/// A knob that could not be set.
pub(crate) fn not_held(knob: &str, error: &io::Error) -> Held {
    Held::NotAtAll { why: format!("{knob} could not be set: {error}") }
}

/// A controller that this host does not have.
pub(crate) fn no_controller(name: &str) -> Held {
    Held::NotAtAll { why: format!("this host has no usable `{name}` controller") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_whole_words() {
        let text = "oom_kill_disable 1\nunder_oom 0\noom_kill 7\n";
        let cases =
            [("oom_kill", Some(7)), ("oom_kill_disable", Some(1)), ("oom", None), ("under_oom", Some(0))];
        for (key, expected) in cases {
            assert_eq!(keyed(text, key), expected, "{key}");
        }
    }

    #[test]
    fn amounts_in_kb_become_bytes() {
        let text = "MemTotal:       24684092 kB\nSwapTotal:             0 kB\nHugePages_Total:       3\n";
        let cases =
            [("SwapTotal:", Some(0)), ("MemTotal:", Some(24_684_092 << 10)), ("HugePages_Total:", None)];
        for (key, expected) in cases {
            assert_eq!(kilobytes(text, key), expected, "{key}");
        }
    }

    #[test]
    fn a_sum_with_an_unknown_part_is_a_part() {
        let unknown = || Observed::Unavailable("gone".to_owned());
        assert_eq!(sum(Observed::Observed(1), Observed::Observed(2)), Observed::Observed(3));
        assert_eq!(sum(Observed::Observed(1), unknown()), Observed::Partial(1));
        assert_eq!(sum(unknown(), unknown()), unknown());
    }
}

//! The limits on processes that a service gives on: some raise them by themselves, which fails for whoever may not.

use std::fs;
use std::os::unix::net::UnixStream;

use rustix::net::sockopt;

use super::body::Ulimit;

/// What is given on, by the kernel's name for it.
const GIVEN_ON: [(&str, &str); 2] = [("nofile", "Max open files"), ("nproc", "Max processes")];

/// The limits that the service itself has: more it may not be able to give. Where they cannot be read, nothing is named.
pub(super) fn of_service(address: &str) -> Vec<Ulimit> {
    let socket = address.strip_prefix("unix://").and_then(|path| UnixStream::connect(path).ok());
    let pid = socket.and_then(|socket| sockopt::socket_peercred(socket).ok()).map(|peer| peer.pid);
    let limits =
        pid.and_then(|pid| fs::read_to_string(format!("/proc/{}/limits", pid.as_raw_nonzero())).ok());
    parse(&limits.unwrap_or_default())
}

/// Reads lines like `Max processes   1024   32768   processes`.
fn parse(text: &str) -> Vec<Ulimit> {
    let limit = |(name, words): (&'static str, &str)| {
        let line = text.lines().find_map(|line| line.strip_prefix(words))?;
        let mut numbers = line.split_whitespace().map(|word| match word {
            "unlimited" => Some(-1),
            number => number.parse().ok(),
        });
        Some(Ulimit { name, soft: numbers.next()??, hard: numbers.next()?? })
    };
    GIVEN_ON.into_iter().filter_map(limit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_by_their_names() {
        let text = "Limit  Soft Limit  Hard Limit  Units\nMax processes   32768   unlimited   processes\nMax open files  1024  20000  files\n";
        let read: Vec<_> =
            parse(text).into_iter().map(|limit| (limit.name, limit.soft, limit.hard)).collect();
        assert_eq!(read, [("nofile", 1024, 20_000), ("nproc", 32_768, -1)]);
        assert!(parse("").is_empty());
    }
}

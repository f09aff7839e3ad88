//! Disk bytes on version 1: counters alone.

/// The counters of a group and all below it.
pub(crate) const FILE: &str = "blkio.throttle.io_service_bytes_recursive";

/// Bytes read and written, from the text of [`FILE`]; what is written back later is charged to nobody.
pub(crate) fn bytes(text: &str) -> Option<(u64, u64)> {
    let sum = |key: &str| -> u64 {
        let amount = |line: &str| {
            let mut words = line.split(' ').skip(1);
            (words.next() == Some(key)).then(|| words.next()?.parse::<u64>().ok()).flatten()
        };
        text.lines().filter_map(amount).sum()
    };
    text.contains("Total").then(|| (sum("Read"), sum("Write")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_added_up() {
        let text = "254:0 Read 4096\n254:0 Write 100\n254:0 Sync 4196\n7:1 Read 1\n7:1 Write 2\nTotal 4199\n";
        assert_eq!(bytes(text), Some((4097, 102)));
        assert_eq!(bytes("Total 0\n"), Some((0, 0)));
        assert_eq!(bytes(""), None);
    }
}

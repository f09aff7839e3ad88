//! Disk bytes on version 2: counters alone.

/// The counters of a group and all below it.
pub(crate) const FILE: &str = "io.stat";

/// Bytes read and written, from the text of [`FILE`]; a group that did no I/O has an empty one.
pub(crate) fn bytes(text: &str) -> (u64, u64) {
    let sum = |key: &str| -> u64 {
        text.split_whitespace().filter_map(|word| word.strip_prefix(key)?.parse::<u64>().ok()).sum()
    };
    (sum("rbytes="), sum("wbytes="))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_added_up() {
        let text =
            "254:0 rbytes=4096 wbytes=5 rios=1 wios=1 dbytes=9 dios=0\n7:0 rbytes=1 wbytes=1 rios=1 wios=1\n";
        assert_eq!(bytes(text), (4097, 6));
        assert_eq!(bytes(""), (0, 0));
    }
}

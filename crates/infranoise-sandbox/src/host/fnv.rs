//! A short hash for "the same or not": 64-bit FNV-1a.
//!
//! It is no secret-keeping hash. It suffices here since what goes in is either public (processor flags) or 128 random bits of which 64
//! cannot give back the rest (the machine id), and a word of ours goes in first, so that nobody else's hash of the same id is equal.

/// The hash of a text for one purpose, as 16 hexadecimal digits.
pub(crate) fn hash(purpose: &str, text: &str) -> String {
    let bytes = ["infranoise ", purpose, "\n", text].into_iter().flat_map(str::bytes);
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_equal_only_for_the_same_purpose() {
        assert_eq!(hash("machine", "a"), hash("machine", "a"));
        assert_ne!(hash("machine", "a"), hash("machine", "b"));
        assert_ne!(hash("machine", "a"), hash("flags", "a"));
        assert_eq!(hash("machine", "").len(), 16);
    }
}

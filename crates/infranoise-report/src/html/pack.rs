//! Large data inside a page: compressed, and in base64, since a page is text.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::text::escape;

/// Data below this stays as it is, so that people can read it in the page's source.
const PLAIN_BYTES: usize = 60_000;

/// A block of data for the page's script.
pub(super) fn block(id: &str, json: &str) -> String {
    match (json.len() >= PLAIN_BYTES).then(|| gzip(json)).flatten() {
        Some(packed) => format!(
            "<script type=\"text/plain\" id=\"{id}\" data-packed=\"gzip\">{}</script>\n",
            base64(&packed)
        ),
        None => {
            format!("<script type=\"application/json\" id=\"{id}\">{}</script>\n", escape::json_block(json))
        }
    }
}

fn gzip(text: &str) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).ok()?;
    encoder.finish().ok()
}

/// Base64 as in RFC 4648.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let mut group = [0u8; 3];
        group[..chunk.len()].copy_from_slice(chunk);
        let bits = u32::from_be_bytes([0, group[0], group[1], group[2]]);
        for i in 0..4 {
            let digit = char::from(DIGITS[(bits >> (18 - 6 * i)) as usize & 63]);
            out.push(if i <= chunk.len() { digit } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_the_standard_one() {
        for (bytes, text) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }
}

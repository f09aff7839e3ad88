//! Unpacking with a limit: stored, deflate, Zstandard in one frame or several.

use std::io::Read;

use ruzstd::decoding::StreamingDecoder;

use super::ZipError;

const STORED: u16 = 0;
const DEFLATE: u16 = 8;
const ZSTANDARD: u16 = 93;
/// Frames that a decoder must skip begin with one of sixteen marks.
const SKIPPABLE: [u8; 3] = [0x2a, 0x4d, 0x18];
/// A frame may ask for so much memory for its window.
const LARGEST_WINDOW: u64 = 128 << 20;

/// Unpacks a member's content, at most so many bytes.
pub(super) fn unpack(method: u16, packed: &[u8], most: u64) -> Result<Vec<u8>, ZipError> {
    let mut content = Vec::new();
    match method {
        STORED => content.extend_from_slice(packed),
        DEFLATE => {
            flate2::read::DeflateDecoder::new(packed).take(most + 1).read_to_end(&mut content)?;
        }
        ZSTANDARD => frames(packed, most, &mut content)?,
        other => return Err(ZipError::Method(other)),
    }
    if content.len() as u64 > most {
        return Err(ZipError::TooLarge(most));
    }
    Ok(content)
}

fn frames(mut packed: &[u8], most: u64, content: &mut Vec<u8>) -> Result<(), ZipError> {
    while !packed.is_empty() {
        if let [low, mark @ .., a, b, c, d] = packed.get(..8).unwrap_or_default()
            && mark == SKIPPABLE
            && low >> 4 == 5
        {
            let length = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
            packed = packed.get(8 + length..).ok_or(ZipError::Broken("a frame is cut off"))?;
            continue;
        }
        let decoder = StreamingDecoder::new_with_max_window_size(&mut packed, LARGEST_WINDOW);
        let decoder = decoder.map_err(|_| ZipError::Broken("no Zstandard frame"))?;
        let room = most.saturating_sub(content.len() as u64) + 1;
        decoder.take(room).read_to_end(content)?;
        if content.len() as u64 > most {
            return Err(ZipError::TooLarge(most));
        }
    }
    Ok(())
}

//! What an archive holds: from its central directory, or, where that is missing, from one member's header to the next.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use super::ZipError;

const END: &[u8] = b"PK\x05\x06";
const END_64: &[u8] = b"PK\x06\x06";
const END_64_LOCATOR: &[u8] = b"PK\x06\x07";
const CENTRAL: &[u8] = b"PK\x01\x02";
const LOCAL: &[u8] = b"PK\x03\x04";
/// The end record and the longest comment behind it.
const END_REACH: u64 = 22 + 0xffff;
/// A directory is no larger.
const LARGEST_DIRECTORY: u64 = 256 << 20;
const MOST_ENTRIES: usize = 1_000_000;
/// A size that stands in the extra field instead.
const ELSEWHERE: u64 = 0xffff_ffff;

/// One member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) method: u16,
    pub(super) crc: Option<u32>,
    pub(super) packed: u64,
    /// Where its own header begins.
    pub(super) header: u64,
}

/// All members.
#[derive(Debug, Default)]
pub(super) struct Listing {
    pub(super) entries: Vec<Entry>,
    pub(super) recovered: bool,
}

/// Lists an archive.
pub(super) fn list(file: &mut File) -> Result<Listing, ZipError> {
    let length = file.seek(SeekFrom::End(0))?;
    if let Some(bytes) = central_directory(file, length)? {
        return Ok(Listing { entries: entries(&bytes)?, recovered: false });
    }
    let entries = one_by_one(file, length)?;
    if entries.is_empty() {
        return Err(ZipError::Broken("no member could be found"));
    }
    Ok(Listing { entries, recovered: true })
}

/// The bytes of the central directory, if the archive has an end.
fn central_directory(file: &mut File, length: u64) -> Result<Option<Vec<u8>>, ZipError> {
    let reach = END_REACH.min(length);
    let tail = at(file, length - reach, reach)?;
    let Some(place) = (0..tail.len().saturating_sub(21)).rev().find(|place| tail[*place..].starts_with(END))
    else {
        return Ok(None);
    };
    let end = &tail[place..];
    let (mut size, mut start) = (u64::from(u32_at(end, 12)?), u64::from(u32_at(end, 16)?));
    if place >= 20 && tail[place - 20..].starts_with(END_64_LOCATOR) {
        let record = at(file, u64_at(&tail[place - 20..], 8)?.min(length), 56)?;
        if record.starts_with(END_64) {
            (size, start) = (u64_at(&record, 40)?, u64_at(&record, 48)?);
        }
    }
    if size > LARGEST_DIRECTORY || start.checked_add(size).is_none_or(|end| end > length) {
        return Err(ZipError::Broken("its directory points outside of it"));
    }
    at(file, start, size).map(Some)
}

fn entries(mut bytes: &[u8]) -> Result<Vec<Entry>, ZipError> {
    let mut entries = Vec::new();
    while bytes.starts_with(CENTRAL) && entries.len() < MOST_ENTRIES {
        let lengths = [u16_at(bytes, 28)?, u16_at(bytes, 30)?, u16_at(bytes, 32)?].map(usize::from);
        let whole = 46 + lengths.iter().sum::<usize>();
        let Some(entry) = bytes.get(..whole) else {
            return Err(ZipError::Broken("its directory is cut off"));
        };
        let name = &entry[46..46 + lengths[0]];
        let extra = &entry[46 + lengths[0]..46 + lengths[0] + lengths[1]];
        let sizes = [u32_at(entry, 24)?, u32_at(entry, 20)?, u32_at(entry, 42)?].map(u64::from);
        let [_, packed, header] = wide(sizes, extra);
        entries.push(Entry {
            name: String::from_utf8_lossy(name).into_owned(),
            method: u16_at(entry, 10)?,
            crc: Some(u32_at(entry, 16)?),
            packed,
            header,
        });
        bytes = &bytes[whole..];
    }
    Ok(entries)
}

/// Sizes that do not fit in 32 bits stand in the extra field of kind 1, in this order and only those that are needed.
fn wide(sizes: [u64; 3], mut extra: &[u8]) -> [u64; 3] {
    let mut found = sizes;
    while let (Ok(kind), Ok(length)) = (u16_at(extra, 0), u16_at(extra, 2)) {
        let Some(content) = extra.get(4..4 + usize::from(length)) else { break };
        if kind == 1 {
            let mut places = (0..).step_by(8);
            for size in found.iter_mut().filter(|size| **size == ELSEWHERE) {
                let Some(value) = places.next().and_then(|place| u64_at(content, place).ok()) else { break };
                *size = value;
            }
        }
        extra = &extra[4 + usize::from(length)..];
    }
    found
}

/// Members of an archive whose end was never written: each header says where the next one is.
fn one_by_one(file: &mut File, length: u64) -> Result<Vec<Entry>, ZipError> {
    let mut entries = Vec::new();
    let mut header = 0;
    while header + 30 <= length && entries.len() < MOST_ENTRIES {
        let bytes = at(file, header, 30)?;
        if !bytes.starts_with(LOCAL) {
            break;
        }
        let (name_length, extra_length) = (u16_at(&bytes, 26)?, u16_at(&bytes, 28)?);
        let name = at(file, header + 30, u64::from(name_length))?;
        let extra = at(file, header + 30 + u64::from(name_length), u64::from(extra_length))?;
        let sizes = [u32_at(&bytes, 22)?, u32_at(&bytes, 18)?, 0].map(u64::from);
        let [_, packed, _] = wide(sizes, &extra);
        let start = header + 30 + u64::from(name_length) + u64::from(extra_length);
        let streamed = u16_at(&bytes, 6)? & 8 != 0;
        let Some(next) =
            start.checked_add(packed).filter(|next| *next <= length && !(streamed && packed == 0))
        else {
            break;
        };
        entries.push(Entry {
            name: String::from_utf8_lossy(&name).into_owned(),
            method: u16_at(&bytes, 8)?,
            crc: Some(u32_at(&bytes, 14)?).filter(|crc| !streamed || *crc != 0),
            packed,
            header,
        });
        header = next;
    }
    Ok(entries)
}

/// Where a member's content begins, behind its own header.
pub(super) fn content_start(file: &mut File, header: u64) -> Result<u64, ZipError> {
    let bytes = at(file, header, 30)?;
    if !bytes.starts_with(LOCAL) {
        return Err(ZipError::Broken("a member is not where the directory says"));
    }
    Ok(header + 30 + u64::from(u16_at(&bytes, 26)?) + u64::from(u16_at(&bytes, 28)?))
}

fn at(file: &mut File, start: u64, length: u64) -> Result<Vec<u8>, ZipError> {
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 != length {
        return Err(ZipError::Io(io::Error::from(io::ErrorKind::UnexpectedEof)));
    }
    Ok(bytes)
}

fn bytes_at<const N: usize>(bytes: &[u8], place: usize) -> Result<[u8; N], ZipError> {
    let slice = bytes.get(place..place + N).and_then(|slice| slice.try_into().ok());
    slice.ok_or(ZipError::Broken("a header is cut off"))
}

fn u16_at(bytes: &[u8], place: usize) -> Result<u16, ZipError> {
    bytes_at(bytes, place).map(u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], place: usize) -> Result<u32, ZipError> {
    bytes_at(bytes, place).map(u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], place: usize) -> Result<u64, ZipError> {
    bytes_at(bytes, place).map(u64::from_le_bytes)
}

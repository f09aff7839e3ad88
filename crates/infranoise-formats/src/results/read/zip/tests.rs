//! Archives made here, byte by byte: whole ones, torn ones, and ones that mean harm.

use std::io::Write;

use super::*;

/// A member as it stands in the archive: method, packed content, checksum of the content.
struct Member {
    name: &'static str,
    method: u16,
    packed: Vec<u8>,
    content: Vec<u8>,
}

fn stored(name: &'static str, content: &[u8]) -> Member {
    Member { name, method: 0, packed: content.to_vec(), content: content.to_vec() }
}

fn zstandard(name: &'static str, frames: &[&[u8]]) -> Member {
    let pack = |frame: &&[u8]| {
        ruzstd::encoding::compress_to_vec(*frame, ruzstd::encoding::CompressionLevel::Fastest)
    };
    Member { name, method: 93, packed: frames.iter().flat_map(pack).collect(), content: frames.concat() }
}

fn deflate(name: &'static str, content: &[u8]) -> Member {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(content).expect("packed");
    Member { name, method: 8, packed: encoder.finish().expect("packed"), content: content.to_vec() }
}

fn fields(member: &Member) -> Vec<u8> {
    let crc = crc32fast::hash(&member.content);
    let mut bytes = Vec::new();
    bytes.extend([20u16, 0, member.method, 0, 0].iter().flat_map(|n| n.to_le_bytes()));
    let sizes = [crc, member.packed.len() as u32, member.content.len() as u32];
    bytes.extend(sizes.iter().flat_map(|n| n.to_le_bytes()));
    bytes.extend((member.name.len() as u16).to_le_bytes());
    bytes.extend(0u16.to_le_bytes());
    bytes
}

/// The archive, and where its central directory begins.
fn archive(members: &[Member]) -> (Vec<u8>, usize) {
    let (mut bytes, mut central) = (Vec::new(), Vec::new());
    for member in members {
        let header = bytes.len() as u32;
        bytes.extend(b"PK\x03\x04");
        bytes.extend(fields(member));
        bytes.extend(member.name.as_bytes());
        bytes.extend(&member.packed);
        central.extend(b"PK\x01\x02\x14\x00");
        central.extend(fields(member));
        central.extend([0u8; 10]);
        central.extend(header.to_le_bytes());
        central.extend(member.name.as_bytes());
    }
    let start = bytes.len();
    bytes.extend(&central);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    let count = members.len() as u16;
    bytes.extend([count, count].iter().flat_map(|n| n.to_le_bytes()));
    bytes.extend([central.len() as u32, start as u32].iter().flat_map(|n| n.to_le_bytes()));
    bytes.extend([0, 0]);
    (bytes, start)
}

fn opened(bytes: &[u8]) -> Result<Archive, ZipError> {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(bytes).expect("written");
    Archive::open(file.path())
}

fn three() -> (Vec<u8>, usize) {
    archive(&[
        stored("a", b"plain"),
        deflate("b", b"deflated"),
        zstandard("c", &[b"one frame, ", b"another"]),
    ])
}

#[test]
fn members_are_read_by_name_whatever_packed_them() {
    let (bytes, _) = three();
    let mut archive = opened(&bytes).expect("an archive");
    assert_eq!(archive.names().collect::<Vec<_>>(), ["a", "b", "c"]);
    for (name, content) in [("a", "plain"), ("b", "deflated"), ("c", "one frame, another")] {
        assert_eq!(archive.read(name, 100).expect("read"), content.as_bytes(), "{name}");
    }
    assert!(matches!(archive.read("d", 100), Err(ZipError::Missing(_))));
    assert!(!archive.recovered());
}

#[test]
fn an_archive_without_its_end_gives_every_whole_member() {
    let (bytes, directory) = three();
    let mut archive = opened(&bytes[..directory]).expect("members one by one");
    assert!(archive.recovered());
    assert_eq!(archive.read("c", 100).expect("read"), b"one frame, another");
    let mut torn = opened(&bytes[..directory - 3]).expect("all but the last");
    assert_eq!(torn.names().collect::<Vec<_>>(), ["a", "b"]);
    assert!(torn.read("a", 100).is_ok());
}

#[test]
fn bombs_are_refused_before_they_burst() {
    let zeros = vec![0u8; 3 << 20];
    let (bytes, _) = archive(&[deflate("deflated", &zeros), zstandard("zstandard", &[&zeros])]);
    let mut archive = opened(&bytes).expect("an archive");
    for name in ["deflated", "zstandard"] {
        assert!(matches!(archive.read(name, 1 << 20), Err(ZipError::TooLarge(_))), "{name}");
    }
}

#[test]
fn broken_archives_are_errors_and_never_panics() {
    let (bytes, directory) = three();
    assert!(opened(b"").is_err() && opened(b"PK").is_err() && opened(&bytes[1..20]).is_err());
    let mut changed = bytes.clone();
    changed[33] ^= 1;
    let mut broken = opened(&changed).expect("listed");
    assert!(["a", "b", "c"].iter().any(|name| broken.read(name, 100).is_err()));
    let mut far = bytes.clone();
    let end = bytes.len() - 6;
    far[end..end + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(matches!(opened(&far), Err(ZipError::Broken(_))));
    for cut in 0..bytes.len() {
        if let Ok(mut archive) = opened(&bytes[..cut]) {
            let names: Vec<String> = archive.names().map(str::to_owned).collect();
            for name in names {
                let _ = archive.read(&name, 100);
            }
        }
    }
    for place in directory..bytes.len() {
        let mut changed = bytes.clone();
        changed[place] ^= 0xff;
        let _ = opened(&changed).map(|mut archive| archive.read("c", 100));
    }
}

#[test]
fn a_link_is_no_archive() {
    let folder = tempfile::tempdir().expect("a folder");
    let (bytes, _) = three();
    std::fs::write(folder.path().join("real"), bytes).expect("written");
    std::os::unix::fs::symlink("real", folder.path().join("link")).expect("linked");
    assert!(Archive::open(&folder.path().join("link")).is_err());
}

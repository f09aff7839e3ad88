//! A root that comes as a tar file: unpacked once, into a folder named after the file and its state.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use super::{RootError, at};

/// The folder that holds the unpacked file; unpacks it if that was not done before.
pub(super) fn unpacked(file: &Path, cache: &Path) -> Result<PathBuf, RootError> {
    let path = fs::canonicalize(file).map_err(at("find the root's tar file", file))?;
    let metadata = fs::metadata(&path).map_err(at("read", &path))?;
    let state = format!("{}-{}-{}-{}", metadata.dev(), metadata.ino(), metadata.len(), metadata.mtime_nsec());
    let folder = cache.join(format!("tar-{}-{state}", metadata.mtime()));
    if folder.exists() {
        return Ok(folder);
    }
    let unfinished = folder.with_extension("new");
    drop(fs::remove_dir_all(&unfinished));
    fs::create_dir_all(&unfinished).map_err(at("make", &unfinished))?;
    unpack(&path, &unfinished).map_err(|error| at("unpack", &path)(with_causes(error)))?;
    fs::rename(&unfinished, &folder).map_err(at("finish", &folder))?;
    Ok(folder)
}

fn unpack(file: &Path, into: &Path) -> io::Result<()> {
    let reader = BufReader::new(File::open(file)?);
    let mut archive = tar::Archive::new(reader);
    archive.set_preserve_permissions(true);
    archive.set_preserve_ownerships(true);
    archive.set_unpack_xattrs(false);
    // Folders last, deepest first: a read-only folder could not be filled otherwise.
    let mut folders = Vec::new();
    for entry in archive.entries()? {
        let mut entry = entry?;
        let path = entry.path()?.into_owned();
        refuse_to_leave(&path)?;
        let kind = entry.header().entry_type();
        if kind.is_character_special() || kind.is_block_special() {
            return Err(refused(&path, "is a device"));
        }
        if kind.is_dir() {
            folders.push(entry);
        } else {
            // Checks links too: `unpack_in` follows none out of the folder.
            entry.unpack_in(into)?;
        }
    }
    folders.sort_by(|a, b| b.path_bytes().cmp(&a.path_bytes()));
    folders.iter_mut().try_for_each(|folder| folder.unpack_in(into).map(drop))
}

/// Absolute names and names with `..` are refused by name rather than quietly bent.
fn refuse_to_leave(path: &Path) -> io::Result<()> {
    for component in path.components() {
        match component {
            Component::ParentDir => return Err(refused(path, "has `..` in it")),
            Component::RootDir | Component::Prefix(_) => return Err(refused(path, "is absolute")),
            Component::CurDir | Component::Normal(_) => {}
        }
    }
    Ok(())
}

/// The crate says what it was doing, and hides why that failed in the error's sources.
fn with_causes(error: io::Error) -> io::Error {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(next) = cause {
        text = format!("{text}: {next}");
        cause = next.source();
    }
    io::Error::new(error.kind(), text)
}

fn refused(path: &Path, why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the entry `{}` {why}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(builder: &mut tar::Builder<Vec<u8>>, name: &str, kind: tar::EntryType) {
        let mut header = tar::Header::new_gnu();
        // The name is set as bytes: the crate itself refuses to write bad ones.
        header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(0);
        header.set_mode(0o755);
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(0);
        header.set_entry_type(kind);
        header.set_cksum();
        builder.append(&header, io::empty()).expect("append");
    }

    fn unpack_one(name: &str, kind: tar::EntryType) -> Result<PathBuf, String> {
        let place = tempfile::tempdir().expect("a folder");
        let mut builder = tar::Builder::new(Vec::new());
        entry(&mut builder, name, kind);
        let file = place.path().join("root.tar");
        fs::write(&file, builder.into_inner().expect("finish")).expect("write");
        let folder = unpacked(&file, &place.path().join("cache")).map_err(|error| error.to_string())?;
        folder.join(name).symlink_metadata().map(|_| PathBuf::from(name)).map_err(|error| error.to_string())
    }

    #[test]
    fn entries_that_leave_the_root_and_devices_are_refused_by_name() {
        use tar::EntryType::{Block, Char, Directory, Regular};
        let cases = [
            ("etc/passwd", Regular, Ok(())),
            ("./usr/bin", Directory, Ok(())),
            ("../outside", Regular, Err("`../outside` has `..` in it")),
            ("usr/../../outside", Regular, Err("has `..` in it")),
            ("/etc/passwd", Regular, Err("`/etc/passwd` is absolute")),
            ("dev/sda", Block, Err("`dev/sda` is a device")),
            ("dev/kmsg", Char, Err("`dev/kmsg` is a device")),
        ];
        for (name, kind, expected) in cases {
            match (unpack_one(name, kind), expected) {
                (Ok(_), Ok(())) => {}
                (Err(message), Err(part)) => assert!(message.contains(part), "{name}: {message}"),
                (got, expected) => panic!("{name}: {got:?}, expected {expected:?}"),
            }
        }
    }
}

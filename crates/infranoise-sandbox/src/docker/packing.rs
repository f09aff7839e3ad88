//! A folder as a tar file whose content names it: the same folder gives the same bytes.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use sha2::{Digest, Sha256};
use tar::{Builder, EntryType, Header};

/// A packed folder, by the hash of its bytes.
pub(super) struct Packed {
    hash: String,
}

impl Packed {
    /// A short name for it.
    pub(super) fn name(&self) -> String {
        self.hash.chars().take(24).collect()
    }
}

/// Packs a folder in the order of its names. `plain` leaves times out, where they mean nothing. Devices, pipes and sockets are left
/// out: no daemon imports them.
pub(super) fn pack(folder: &Path, file: &Path, plain: bool) -> io::Result<Packed> {
    let sink = Hashed { file: BufWriter::new(File::create(file)?), hash: Sha256::new() };
    let mut builder = Builder::new(sink);
    add(&mut builder, folder, Path::new("."), plain)?;
    let mut sink = builder.into_inner()?;
    sink.file.flush()?;
    let hash = sink.hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Packed { hash })
}

fn add(builder: &mut Builder<Hashed>, folder: &Path, place: &Path, plain: bool) -> io::Result<()> {
    let mut names: Vec<OsString> =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.file_name())).collect::<io::Result<_>>()?;
    names.sort();
    for name in names {
        let (from, to) = (folder.join(&name), place.join(&name));
        let metadata = fs::symlink_metadata(&from)?;
        let mut header = Header::new_gnu();
        header.set_metadata(&metadata);
        if plain {
            header.set_mtime(0);
        }
        if metadata.is_dir() {
            header.set_size(0);
            builder.append_data(&mut header, &to, io::empty())?;
            add(builder, &from, &to, plain)?;
        } else if metadata.is_symlink() {
            header.set_size(0);
            header.set_entry_type(EntryType::Symlink);
            builder.append_link(&mut header, &to, fs::read_link(&from)?)?;
        } else if metadata.is_file() {
            builder.append_data(&mut header, &to, File::open(&from)?)?;
        }
    }
    Ok(())
}

/// Bytes on their way into a file, hashed.
struct Hashed {
    file: BufWriter<File>,
    hash: Sha256,
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.file.write(bytes)?;
        self.hash.update(&bytes[..length]);
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_content_has_the_same_name() {
        let place = tempfile::tempdir().expect("a folder");
        let name = |folder: &str| {
            let packed = pack(&place.path().join(folder), &place.path().join("tar"), true).expect("packed");
            packed.name()
        };
        for (folder, text) in [("a", "same"), ("b", "same"), ("c", "other")] {
            fs::create_dir_all(place.path().join(folder).join("d")).expect("made");
            fs::write(place.path().join(folder).join("d/f"), text).expect("written");
            std::os::unix::fs::symlink("d/f", place.path().join(folder).join("l")).expect("linked");
        }
        assert_eq!(name("a"), name("b"));
        assert_ne!(name("a"), name("c"));
    }
}

//! ZIP archives of strangers: bounded, and readable where a crash left no directory.
//!
//! A reader of our own because the usual one refuses an archive without its central directory, which is what a crashed harness leaves,
//! and because every size here is checked against a limit before a byte is unpacked.

mod directory;
mod unpack;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use directory::{Entry, Listing};

/// Why an archive or a member of it was not read.
#[derive(Debug, thiserror::Error)]
pub(in crate::results) enum ZipError {
    /// It is no archive, or a broken one.
    #[error("not a readable ZIP archive: {0}")]
    Broken(&'static str),
    /// The member is not there.
    #[error("it has no member `{0}`")]
    Missing(String),
    /// Packed in a way that is not known here.
    #[error("packed by method {0}, which is not known here")]
    Method(u16),
    /// Larger than anything of its kind, packed or unpacked.
    #[error("larger than the {0} bytes that are read")]
    TooLarge(u64),
    /// The content does not fit its checksum.
    #[error("its content does not fit its checksum")]
    Checksum,
    /// The system refused, or the content is cut off.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// An open archive.
#[derive(Debug)]
pub(in crate::results) struct Archive {
    file: File,
    listing: Listing,
}

impl Archive {
    /// Opens an archive and lists it.
    pub(in crate::results) fn open(path: &Path) -> Result<Self, ZipError> {
        if !std::fs::symlink_metadata(path)?.is_file() {
            return Err(ZipError::Broken("not a regular file"));
        }
        let mut file = File::open(path)?;
        let listing = directory::list(&mut file)?;
        Ok(Self { file, listing })
    }

    /// Whether the central directory was missing, so that members were found one behind the other.
    pub(in crate::results) fn recovered(&self) -> bool {
        self.listing.recovered
    }

    /// The members' names, in the archive's order.
    pub(in crate::results) fn names(&self) -> impl Iterator<Item = &str> {
        self.listing.entries.iter().map(|entry| entry.name.as_str())
    }

    /// How many members there are.
    pub(in crate::results) fn len(&self) -> usize {
        self.listing.entries.len()
    }

    /// A member's name and its packed size.
    pub(in crate::results) fn member(&self, place: usize) -> Option<(&str, u64)> {
        self.listing.entries.get(place).map(|entry| (entry.name.as_str(), entry.packed))
    }

    /// A member's content, of at most so many bytes. Of several members of one name the last counts.
    pub(in crate::results) fn read(&mut self, name: &str, most: u64) -> Result<Vec<u8>, ZipError> {
        let place = self.listing.entries.iter().rposition(|entry| entry.name == name);
        self.read_at(place.ok_or_else(|| ZipError::Missing(name.to_owned()))?, most)
    }

    /// The content of the member at a place.
    pub(in crate::results) fn read_at(&mut self, place: usize, most: u64) -> Result<Vec<u8>, ZipError> {
        let entry =
            self.listing.entries.get(place).ok_or_else(|| ZipError::Missing(place.to_string()))?.clone();
        if entry.packed > most {
            return Err(ZipError::TooLarge(most));
        }
        let packed = self.packed(&entry)?;
        let content = unpack::unpack(entry.method, &packed, most)?;
        if entry.crc.is_some_and(|crc| crc != crc32fast::hash(&content)) {
            return Err(ZipError::Checksum);
        }
        Ok(content)
    }

    fn packed(&mut self, entry: &Entry) -> Result<Vec<u8>, ZipError> {
        let start = directory::content_start(&mut self.file, entry.header)?;
        self.file.seek(SeekFrom::Start(start))?;
        let mut packed = Vec::new();
        (&mut self.file).take(entry.packed).read_to_end(&mut packed)?;
        if packed.len() as u64 != entry.packed {
            return Err(ZipError::Broken("a member is cut off"));
        }
        Ok(packed)
    }
}

#[cfg(test)]
mod tests;

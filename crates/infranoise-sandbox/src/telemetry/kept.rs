//! A file that is kept open and read again and again.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use infranoise_core::Observed;

/// Where files are read into: one for many reads, larger than any of the files.
pub(crate) struct Buffer([u8; 8192]);

impl Buffer {
    pub fn new() -> Self {
        Self([0; 8192])
    }
}

/// An open file with the number that stands in it, or why there is none.
#[derive(Debug)]
pub(crate) struct Kept<T> {
    file: Result<File, Observed<()>>,
    parse: fn(&str) -> Option<T>,
}

impl<T> Kept<T> {
    /// Opens a file.
    pub fn open(path: &Path, parse: fn(&str) -> Option<T>) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let file = File::open(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Observed::Unsupported(format!("this kernel has no {name}")),
            _ => Observed::Unavailable(format!("{name}: {error}")),
        });
        Self { file, parse }
    }

    /// No file, for a reason.
    pub fn missing(why: &str) -> Self {
        Self { file: Err(Observed::Unsupported(why.to_owned())), parse: |_| None }
    }

    /// Reads it from its beginning. Allocates nothing.
    pub fn read(&self, buffer: &mut Buffer) -> Option<T> {
        let file = self.file.as_ref().ok()?;
        let length = file.read_at(&mut buffer.0, 0).ok()?;
        (self.parse)(std::str::from_utf8(&buffer.0[..length]).ok()?)
    }

    /// A reading, or why there is none.
    pub fn observed<V>(&self, reading: Option<V>) -> Observed<V> {
        match (reading, &self.file) {
            (Some(value), _) => Observed::Observed(value),
            (None, Err(Observed::Unsupported(why))) => Observed::Unsupported(why.clone()),
            (None, Err(Observed::Unavailable(why))) => Observed::Unavailable(why.clone()),
            (None, _) => Observed::Unavailable("it could not be read".to_owned()),
        }
    }
}

//! Opens and reads files and does nothing with them: `read_bytes FOLDER ENDING...` (the files below it with such endings) or
//! `read_bytes @LIST` (the files that a list names). The yardstick of the import; prints files and bytes.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::Path;

struct Reader {
    buffer: Vec<u8>,
    files: u64,
    bytes: u64,
}

impl Reader {
    fn read(&mut self, path: &Path) -> io::Result<()> {
        self.buffer.clear();
        fs::File::open(path)?.read_to_end(&mut self.buffer)?;
        self.files += 1;
        self.bytes += self.buffer.len() as u64;
        Ok(())
    }

    fn walk(&mut self, folder: &Path, endings: &[String]) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if entry.file_type()?.is_dir() {
                self.walk(&entry.path(), endings)?;
            } else if endings.iter().any(|ending| name.ends_with(ending.as_str())) {
                self.read(&entry.path())?;
            }
        }
        Ok(())
    }
}

fn main() -> io::Result<()> {
    let mut args = std::env::args().skip(1);
    let first = args.next().ok_or_else(|| io::Error::other("usage: read_bytes FOLDER ENDING... or @LIST"))?;
    let endings: Vec<String> = args.collect();
    let mut reader = Reader { buffer: Vec::new(), files: 0, bytes: 0 };
    match first.strip_prefix('@') {
        Some(list) => {
            for path in fs::read_to_string(list)?.lines() {
                reader.read(Path::new(path))?;
            }
        }
        None => reader.walk(Path::new(&first), &endings)?,
    }
    writeln!(io::stdout(), "{} {}", reader.files, reader.bytes)
}

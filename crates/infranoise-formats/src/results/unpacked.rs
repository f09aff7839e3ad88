//! Archives of result trees: what an importer could read of them is laid out in a folder of our own, and nothing else.
//!
//! Each member must have a plain relative path, be a regular file, be one of the kinds that importers read, and stay below the limits.
//! Nothing is laid out that no importer reads, and of a large terminal or log only the two ends, which is what is read of it in a folder
//! too: the folder is a bounded index of the archive and no copy.

use std::fs::{self, File};
use std::io::{self, Read, Write as _};
use std::path::{Component, Path, PathBuf};

use tempfile::TempDir;

use super::loss::Losses;
use super::read::Archive;

/// A member is no larger.
const LARGEST: u64 = 512 << 20;
/// A larger terminal or log is cut: its two ends are kept, each longer than what any importer reads of an end.
const LARGEST_LOG: u64 = 16 << 20;
const END_OF_LOG: u64 = 4 << 20;
/// Logs of whole runs, which are read from the beginning.
const LARGEST_RUN_LOG: u64 = 64 << 20;
/// All members together are no larger.
const LARGEST_ALL: u64 = 16 << 30;
const MOST: u64 = 2_000_000;

/// An archive's members, as long as this lives.
pub(in crate::results) struct Unpacked {
    _folder: TempDir,
    /// The folder that stands for the archive, and is called like it.
    pub(in crate::results) root: PathBuf,
}

/// How an archive is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packing {
    Zip,
    Tar,
    TarGzip,
    TarZstandard,
}

const ENDINGS: [(&str, Packing); 6] = [
    (".zip", Packing::Zip),
    (".tar", Packing::Tar),
    (".tar.gz", Packing::TarGzip),
    (".tgz", Packing::TarGzip),
    (".tar.zst", Packing::TarZstandard),
    (".tar.zstd", Packing::TarZstandard),
];

/// Unpacks an archive by the ending of its name; `None` for everything else.
pub(in crate::results) fn unpack(path: &Path, losses: &mut Losses) -> io::Result<Option<Unpacked>> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let found = ENDINGS.iter().find_map(|(ending, packing)| Some((name.strip_suffix(ending)?, *packing)));
    let Some((stem, packing)) = found.filter(|_| path.is_file()) else { return Ok(None) };
    let folder = tempfile::Builder::new().prefix("infranoise-import-").tempdir()?;
    let root = folder.path().join(if plain(Path::new(stem)) { stem } else { "archive" });
    fs::create_dir(&root)?;
    let mut members = Members { root: &root, archive: &name, losses, bytes: 0, count: 0 };
    let file = || File::open(path).map(|file| io::BufReader::with_capacity(256 << 10, file));
    match packing {
        Packing::Zip => members.zip(path)?,
        Packing::Tar => members.tar(file()?)?,
        Packing::TarGzip => members.tar(flate2::read::MultiGzDecoder::new(file()?))?,
        Packing::TarZstandard => {
            let decoder = ruzstd::decoding::StreamingDecoder::new(file()?);
            members.tar(decoder.map_err(|error| io::Error::other(error.to_string()))?)?;
        }
    }
    Ok(Some(Unpacked { _folder: folder, root }))
}

/// Whether a path stays where it is put.
fn plain(path: &Path) -> bool {
    let mut parts = path.components().peekable();
    parts.peek().is_some() && parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// What is laid out of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keep {
    /// All of it.
    Whole,
    /// Its beginning and its end.
    Ends,
    /// Nothing: no importer reads it.
    Nothing,
    /// Nothing: it is larger than anything of its kind.
    TooLarge,
}

/// What an importer could read of a file of this name and size.
fn wanted(path: &Path, bytes: u64) -> Keep {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let run_log = matches!(name.as_ref(), "run.log" | "job.log");
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("json" | "jsonl" | "ndjson" | "csv" | "tsv" | "eval" | "toml" | "yaml" | "lock") => {
            if bytes <= LARGEST { Keep::Whole } else { Keep::TooLarge }
        }
        Some("log" | "txt" | "cast") if bytes <= LARGEST_LOG || (run_log && bytes <= LARGEST_RUN_LOG) => {
            Keep::Whole
        }
        Some("log" | "txt" | "cast") => Keep::Ends,
        Some(_) | None => Keep::Nothing,
    }
}

/// Copies the two ends of a content, in constant memory.
fn copy_ends(content: &mut dyn Read, file: &mut File) -> io::Result<()> {
    io::copy(&mut (&mut *content).take(END_OF_LOG), file)?;
    let (mut before, mut last) = (Vec::new(), Vec::new());
    loop {
        last.clear();
        (&mut *content).take(END_OF_LOG).read_to_end(&mut last)?;
        if (last.len() as u64) < END_OF_LOG {
            break;
        }
        std::mem::swap(&mut before, &mut last);
    }
    // The end is what the last whole part and the rest make together.
    let from_before = before.len().min((END_OF_LOG as usize).saturating_sub(last.len()));
    file.write_all(&before[before.len() - from_before..])?;
    file.write_all(&last)
}

struct Members<'m> {
    root: &'m Path,
    archive: &'m str,
    losses: &'m mut Losses,
    bytes: u64,
    count: u64,
}

impl Members<'_> {
    fn lost(&mut self, member: &str, why: &str) {
        self.losses.add(self.archive, member, why);
    }

    /// Counts a member; `false` once the archive is larger than any tree of results.
    fn room(&mut self, bytes: u64) -> bool {
        self.count += 1;
        self.bytes = self.bytes.saturating_add(bytes);
        self.count <= MOST && self.bytes <= LARGEST_ALL
    }

    fn put(&self, path: &Path, content: &mut dyn Read, keep: Keep) -> io::Result<()> {
        let target = self.root.join(path);
        if let Some(above) = target.parent() {
            fs::create_dir_all(above)?;
        }
        // A second member of one name does not replace what is there, nor follow it.
        let mut file = File::create_new(&target)?;
        if keep == Keep::Ends {
            return copy_ends(content, &mut file);
        }
        io::copy(&mut content.take(LARGEST), &mut file)?;
        Ok(())
    }

    /// What is kept of a member; what is too large is a loss.
    fn keep(&mut self, path: &Path, bytes: u64) -> Keep {
        let keep = wanted(path, bytes);
        if keep == Keep::TooLarge {
            self.lost(&path.display().to_string(), "larger than anything of its kind: not read");
        }
        keep
    }

    fn tar(&mut self, reader: impl Read) -> io::Result<()> {
        let mut archive = tar::Archive::new(reader);
        for entry in archive.entries()? {
            // A torn end gives what came before it.
            let mut entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.lost("the rest of the archive", &error.to_string());
                    break;
                }
            };
            let Ok(path) = entry.path().map(std::borrow::Cow::into_owned) else {
                self.lost("a member", "its path cannot be read");
                continue;
            };
            let shown = path.display().to_string();
            if entry.header().entry_type().is_dir() {
                continue;
            }
            if !entry.header().entry_type().is_file() {
                self.lost(&shown, "a link or a device: not unpacked");
            } else if !plain(&path) {
                self.lost(&shown, "its path leads out of the archive");
            } else {
                let bytes = entry.size();
                let keep = self.keep(&path, bytes);
                let laid_out = if keep == Keep::Ends { 2 * END_OF_LOG } else { bytes };
                if matches!(keep, Keep::Nothing | Keep::TooLarge) {
                    continue;
                }
                if !self.room(laid_out) {
                    self.lost("the rest of the archive", "larger than any tree of results");
                    break;
                }
                if let Err(error) = self.put(&path, &mut entry, keep) {
                    self.lost(&shown, &error.to_string());
                }
            }
        }
        Ok(())
    }

    fn zip(&mut self, path: &Path) -> io::Result<()> {
        let mut archive = Archive::open(path).map_err(|error| io::Error::other(error.to_string()))?;
        for place in 0..archive.len() {
            let Some((name, packed)) = archive.member(place) else { break };
            let (shown, member) = (name.to_owned(), PathBuf::from(name));
            if shown.ends_with('/') || matches!(self.keep(&member, packed), Keep::Nothing | Keep::TooLarge) {
                continue;
            }
            if !plain(&member) {
                self.lost(&shown, "its path leads out of the archive");
                continue;
            }
            match archive.read_at(place, LARGEST) {
                Ok(content) if !self.room(content.len() as u64) => {
                    self.lost("the rest of the archive", "larger than any tree of results");
                    break;
                }
                Ok(content) => {
                    let keep = wanted(&member, content.len() as u64);
                    if let Err(error) = self.put(&member, &mut content.as_slice(), keep) {
                        self.lost(&shown, &error.to_string());
                    }
                }
                Err(error) => self.lost(&shown, &error.to_string()),
            }
        }
        Ok(())
    }
}

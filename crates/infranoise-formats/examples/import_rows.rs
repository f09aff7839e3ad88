//! Imports paths and writes one line per trial with its checksum, as a journal has them: `import_rows OUT PATH...`. What
//! `benches/python_reader.py` does in Python; prints trials, passes, failures and trials without a verdict.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use infranoise_core::{Reward, TrialRecord};
use infranoise_formats::results::{ImportEvent, import_each};

/// One line; the event is written aside for its checksum.
fn put(out: &mut impl Write, scratch: &mut Vec<u8>, number: u64, record: &TrialRecord) -> io::Result<()> {
    scratch.clear();
    serde_json::to_writer(&mut *scratch, record)?;
    let mut crc = crc32fast::Hasher::new();
    crc.update(format!("{number}:").as_bytes());
    crc.update(scratch);
    write!(out, "{{\"seq\":{number},\"crc\":\"{:08x}\",\"event\":", crc.finalize())?;
    out.write_all(scratch)?;
    out.write_all(b"}\n")
}

fn main() -> io::Result<()> {
    let mut args = std::env::args_os().skip(1).map(PathBuf::from);
    let out = args.next().ok_or_else(|| io::Error::other("usage: import_rows OUT PATH..."))?;
    let paths: Vec<PathBuf> = args.collect();
    let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    let mut out = BufWriter::with_capacity(1 << 20, File::create(out)?);
    let (mut scratch, mut written, mut counts) = (Vec::new(), Ok(()), [0u64; 4]);
    let imported = import_each(&paths, None, 0, &mut |event| {
        if let (ImportEvent::Trial(record), Ok(())) = (event, &written) {
            written = put(&mut out, &mut scratch, counts[0], &record);
            let kind = match &record.facts.outcome.reward {
                reward if reward.passed() => 1,
                Reward::Given { .. } => 2,
                Reward::Missing | Reward::Garbled { .. } | Reward::NotGraded => 3,
            };
            counts[0] += 1;
            counts[kind] += 1;
        }
    });
    written?;
    out.flush()?;
    imported.map_err(io::Error::other)?;
    let [trials, passed, failed, without] = counts;
    writeln!(io::stdout(), "{trials} {passed} {failed} {without}")
}

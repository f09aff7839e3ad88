//! `infranoise classify`: verdicts for rollouts, or anew for a sweep.

use std::io::{BufReader, Write as _};
use std::path::Path;

use infranoise_core::{Shown, classify};
use infranoise_formats::exports::ExportOptions;
use infranoise_formats::rollouts::classify_stream;
use infranoise_runner::trial::context;

use crate::cli::Classify;
use crate::console;
use crate::error::{CommandError, at};
use crate::exit::Exit;
use crate::sources;

pub(super) fn run(args: &Classify) -> Result<Exit, CommandError> {
    match (&args.result, args.stream) {
        (None, true) => stream(args.drop_ceiling),
        (Some(path), false) => again(path),
        _ => Err(CommandError::usage("name a result, or give --stream for JSON lines on stdin")),
    }
}

/// JSON lines in, verdicts out, one at a time: the reader of the other end of the pipe waits for each.
fn stream(drop_ceiling: bool) -> Result<Exit, CommandError> {
    let options = ExportOptions { drop_ceiling, ..ExportOptions::default() };
    let mut out = std::io::LineWriter::new(std::io::stdout());
    let summary = match classify_stream(BufReader::new(std::io::stdin()), &mut out, options) {
        Err(error) if error.kind() == std::io::ErrorKind::StorageFull => {
            return console::unwritten(error).map(|()| Exit::Done);
        }
        read => read.map_err(at("read", Path::new("stdin")))?,
    };
    out.flush().or_else(console::unwritten)?;
    if summary.unread > 0 {
        console::warnings([format!(
            "{} of {} lines could not be read; each says why",
            summary.unread,
            summary.judged + summary.unread
        )]);
    }
    Ok(Exit::Done)
}

/// Judges every record of a sweep again with the rules of this program, and says what would change.
fn again(path: &Path) -> Result<Exit, CommandError> {
    let (_, records) = sources::read(path)?;
    let mut lines = Vec::new();
    for record in &records {
        let now = classify(&record.facts, &context(&record.facts));
        let known = &record.classification;
        if (now.blame, now.cause, &now.rule) != (known.blame, known.cause, &known.rule) {
            lines.push(format!(
                "{}: {} by {} becomes {} by {}",
                record.facts.key.folder(),
                known.blame,
                known.rule.0,
                now.blame,
                now.rule.0
            ));
        }
    }
    let judged = records.iter().filter(|record| Shown::of(record) != Shown::NotStarted).count();
    lines.push(format!(
        "{} records, {judged} of them started; {} verdicts would change under the rules of this program",
        records.len(),
        lines.len()
    ));
    console::data(&lines.join("\n"))?;
    Ok(Exit::Done)
}

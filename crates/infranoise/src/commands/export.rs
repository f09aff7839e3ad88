//! `infranoise export`: trials in other people's tools.

use std::io::Write as _;
use std::path::Path;

use infranoise_formats::exports::{
    EXPORTS, ExportError, ExportOptions, Exporter, Sweep, exporter, exporter_for,
};

use crate::cli::Export;
use crate::console;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::sources;

pub(super) fn run(args: &Export) -> Result<Exit, CommandError> {
    let list =
        || EXPORTS.iter().map(|e| format!("{:10} .{:12} {}", e.id, e.extension, e.what)).collect::<Vec<_>>();
    if args.format.as_deref() == Some("list") {
        console::data(&list().join("\n"))?;
        return Ok(Exit::Done);
    }
    let to_stdout = args.output == Path::new("-");
    let chosen: Option<&Exporter> = match &args.format {
        Some(id) => exporter(id),
        None if to_stdout => exporter("csv"),
        None => exporter_for(&args.output),
    };
    let Some(chosen) = chosen else {
        return Err(CommandError::usage(format!("no format is meant by `{}`", args.output.display()))
            .hint(format!("name one with --format:\n    {}", list().join("\n    "))));
    };
    let (plan, records) = sources::read(&args.result)?;
    let sweep = Sweep::new(&plan, &records);
    let options = ExportOptions { defuse_formulas: args.defuse_formulas, drop_ceiling: args.drop_ceiling };
    if to_stdout {
        let mut out = std::io::BufWriter::new(std::io::stdout());
        match chosen.write_to(&sweep, options, &mut out) {
            Err(ExportError::Write(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => {}
            written => written.map_err(refused)?,
        }
        out.flush().or_else(console::unwritten)?;
    } else {
        chosen.write_file(&sweep, options, &args.output).map_err(refused)?;
        console::say(&format!("{} attempts are in {}", records.len(), args.output.display()));
    }
    Ok(Exit::Done)
}

fn refused(error: ExportError) -> CommandError {
    match error {
        ExportError::NeedsFile { .. } => CommandError::usage(error).hint("name a file with -o"),
        _ => CommandError::new(Exit::NotWritable, error),
    }
}

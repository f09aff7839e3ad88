//! JSON Lines: one flat object per attempt, every column in every line, `null` where nothing is known.

use std::io::{self, Write};

use super::cell::Cell;
use super::columns::columns;
use super::error::ExportError;
use super::exporter::{Exporter, Target};
use super::options::ExportOptions;
use super::sweep::Sweep;

pub(super) const EXPORTER: Exporter = Exporter {
    id: "jsonl",
    what: "one JSON object per attempt, with the same columns as CSV",
    extension: "jsonl",
    to: Target::Stream(write),
};

fn write(sweep: &Sweep<'_>, _: ExportOptions, out: &mut (dyn Write + Send)) -> Result<(), ExportError> {
    let mut line = Vec::new();
    for row in sweep.rows() {
        line.clear();
        for column in columns() {
            line.push(if line.is_empty() { b'{' } else { b',' });
            write!(line, "\"{}\":", column.name)?;
            value(&mut line, &column.cell(row))?;
        }
        line.extend_from_slice(b"}\n");
        out.write_all(&line)?;
    }
    Ok(())
}

fn value(line: &mut Vec<u8>, cell: &Cell<'_>) -> io::Result<()> {
    match cell {
        Cell::Null => line.extend_from_slice(b"null"),
        Cell::Bool(value) => write!(line, "{value}")?,
        Cell::Whole(value) => write!(line, "{value}")?,
        Cell::Number(value) => serde_json::to_writer(line, value)?,
        Cell::Text(text) => serde_json::to_writer(line, text)?,
    }
    Ok(())
}

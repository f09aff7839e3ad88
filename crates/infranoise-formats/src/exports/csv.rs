//! CSV as in RFC 4180, but with plain line feeds: one header line, quotes only where they are needed.
//!
//! Null is an empty field; empty text is `""`. Text is written as it is, so that it reads back the same; a spreadsheet may take text that
//! begins with `=`, `+`, `-` or `@` for a formula. Whoever opens files of strangers in one asks for
//! [`ExportOptions::defuse_formulas`].

use std::io::{self, Write};

use super::cell::Cell;
use super::columns::columns;
use super::error::ExportError;
use super::exporter::{Exporter, Target};
use super::options::ExportOptions;
use super::sweep::Sweep;

pub(super) const EXPORTER: Exporter = Exporter {
    id: "csv",
    what: "one line per attempt, for spreadsheets and data frames",
    extension: "csv",
    to: Target::Stream(write),
};

fn write(sweep: &Sweep<'_>, options: ExportOptions, out: &mut (dyn Write + Send)) -> Result<(), ExportError> {
    let mut line = String::new();
    for column in columns() {
        separate(&mut line);
        line.push_str(column.name);
    }
    end(&mut line, out)?;
    for row in sweep.rows() {
        for (place, column) in columns().enumerate() {
            if place > 0 {
                line.push(',');
            }
            field(&mut line, &column.cell(row), options);
        }
        end(&mut line, out)?;
    }
    Ok(())
}

fn separate(line: &mut String) {
    if !line.is_empty() {
        line.push(',');
    }
}

fn end(line: &mut String, out: &mut (dyn Write + Send)) -> io::Result<()> {
    line.push('\n');
    out.write_all(line.as_bytes())?;
    line.clear();
    Ok(())
}

fn field(line: &mut String, cell: &Cell<'_>, options: ExportOptions) {
    match cell {
        Cell::Null => {}
        Cell::Bool(value) => line.push_str(if *value { "true" } else { "false" }),
        Cell::Whole(value) => line.push_str(&value.to_string()),
        Cell::Number(value) => line.push_str(&value.to_string()),
        Cell::Text(text) if options.defuse_formulas && is_formula(text) => quoted(line, &format!("'{text}")),
        Cell::Text(text) if needs_quotes(text) => quoted(line, text),
        Cell::Text(text) => line.push_str(text),
    }
}

/// Whether a spreadsheet would compute it.
fn is_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'])
}

fn needs_quotes(text: &str) -> bool {
    text.is_empty()
        || text.contains([',', '"', '\n', '\r', '\0'])
        || text.starts_with(char::is_whitespace)
        || text.ends_with(char::is_whitespace)
}

fn quoted(line: &mut String, text: &str) {
    line.push('"');
    line.push_str(&text.replace('"', "\"\""));
    line.push('"');
}

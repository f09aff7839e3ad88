//! Whole records as JSON Lines: facts and verdict with everything in them. Nothing is lost, and `classify --stream` reads it.

use std::io::Write;

use super::error::ExportError;
use super::exporter::{Exporter, Target};
use super::options::ExportOptions;
use super::sweep::Sweep;

pub(super) const EXPORTER: Exporter = Exporter {
    id: "records",
    what: "one whole record per attempt, facts and verdict, as in the journal",
    extension: "records.jsonl",
    to: Target::Stream(write),
};

fn write(sweep: &Sweep<'_>, _: ExportOptions, out: &mut (dyn Write + Send)) -> Result<(), ExportError> {
    for row in sweep.rows() {
        let line = serde_json::to_vec(row.record).map_err(std::io::Error::from)?;
        out.write_all(&line)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

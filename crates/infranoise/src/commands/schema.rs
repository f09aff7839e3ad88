//! `infranoise schema`: the JSON Schemas of documents.

use schemars::{Schema, schema_for};

use crate::cli::{SchemaArgs, SchemaOf};
use crate::console;
use crate::error::CommandError;
use crate::exit::Exit;

pub(super) fn run(args: &SchemaArgs) -> Result<Exit, CommandError> {
    console::json(&schema(args.document))?;
    Ok(Exit::Done)
}

/// The schema of a document.
fn schema(of: SchemaOf) -> Schema {
    match of {
        SchemaOf::Analysis => schema_for!(infranoise_analysis::Analysis),
        SchemaOf::Plan => schema_for!(infranoise_core::Plan),
        SchemaOf::Trial => schema_for!(infranoise_core::TrialRecord),
        SchemaOf::Event => schema_for!(infranoise_core::Event),
    }
}

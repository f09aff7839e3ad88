//! Parquet, for data frames and column stores: the same columns, each with its type, in row groups that are written one after the other.
//!
//! The file's metadata say which sweep it is and hold its plan as JSON.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{Type, TypePtr};

use super::cell::Cell;
use super::column::{Column, Kind};
use super::columns::columns;
use super::error::ExportError;
use super::exporter::{Exporter, Target};
use super::options::ExportOptions;
use super::sweep::{Row, Sweep};

pub(super) const EXPORTER: Exporter = Exporter {
    id: "parquet",
    what: "the same table with types, compressed, for data frames and column stores",
    extension: "parquet",
    to: Target::Stream(write),
};

/// Rows in one row group: what is in memory at once.
const ROWS_IN_GROUP: usize = 10_000;

fn write(sweep: &Sweep<'_>, _: ExportOptions, out: &mut (dyn Write + Send)) -> Result<(), ExportError> {
    let metadata = metadata(sweep).map_err(std::io::Error::from)?;
    table(sweep, metadata, out).map_err(|error| ExportError::library("Parquet", error))
}

fn metadata(sweep: &Sweep<'_>) -> Result<Vec<KeyValue>, serde_json::Error> {
    let pair = |key: &str, value: String| KeyValue::new(key.to_owned(), value);
    Ok(vec![
        pair("infranoise.sweep", sweep.plan.sweep.to_string()),
        pair("infranoise.plan", serde_json::to_string(sweep.plan)?),
    ])
}

fn table(
    sweep: &Sweep<'_>,
    metadata: Vec<KeyValue>,
    out: &mut (dyn Write + Send),
) -> Result<(), ParquetError> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::GZIP(Default::default()))
        .set_created_by(concat!("infranoise ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_key_value_metadata(Some(metadata))
        .build();
    let mut file = SerializedFileWriter::new(out, schema()?, Arc::new(properties))?;
    for rows in sweep.rows().chunks(ROWS_IN_GROUP) {
        let mut group = file.next_row_group()?;
        for column in columns() {
            if let Some(mut writer) = group.next_column()? {
                write_column(column, rows, &mut writer)?;
                writer.close()?;
            }
        }
        group.close()?;
    }
    file.close()?;
    Ok(())
}

fn schema() -> Result<TypePtr, ParquetError> {
    let fields: Result<Vec<TypePtr>, ParquetError> = columns()
        .map(|column| {
            let (physical, logical) = match column.kind {
                Kind::Bool => (Physical::BOOLEAN, None),
                Kind::Whole => (Physical::INT64, None),
                Kind::Number => (Physical::DOUBLE, None),
                Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            };
            Type::primitive_type_builder(column.name, physical)
                .with_repetition(Repetition::OPTIONAL)
                .with_logical_type(logical)
                .build()
                .map(Arc::new)
        })
        .collect();
    Type::group_type_builder("trials").with_fields(fields?).build().map(Arc::new)
}

fn write_column(
    column: &Column,
    rows: &[Row<'_>],
    writer: &mut SerializedColumnWriter<'_>,
) -> Result<(), ParquetError> {
    match column.kind {
        Kind::Bool => values::<BoolType>(column, rows, writer, |cell| match cell {
            Cell::Bool(value) => Some(value),
            Cell::Null | Cell::Whole(_) | Cell::Number(_) | Cell::Text(_) => None,
        }),
        Kind::Whole => values::<Int64Type>(column, rows, writer, |cell| match cell {
            Cell::Whole(value) => Some(value),
            Cell::Null | Cell::Bool(_) | Cell::Number(_) | Cell::Text(_) => None,
        }),
        Kind::Number => values::<DoubleType>(column, rows, writer, |cell| match cell {
            Cell::Number(value) => Some(value),
            Cell::Null | Cell::Bool(_) | Cell::Whole(_) | Cell::Text(_) => None,
        }),
        Kind::Text => values::<ByteArrayType>(column, rows, writer, |cell| match cell {
            Cell::Text(text) => Some(ByteArray::from(text.into_owned().into_bytes())),
            Cell::Null | Cell::Bool(_) | Cell::Whole(_) | Cell::Number(_) => None,
        }),
    }
}

/// Writes the values that are there, and for each row whether there is one.
fn values<T: DataType>(
    column: &Column,
    rows: &[Row<'_>],
    writer: &mut SerializedColumnWriter<'_>,
    take: fn(Cell<'_>) -> Option<T::T>,
) -> Result<(), ParquetError> {
    let cells: Vec<Option<T::T>> = rows.iter().map(|row| take(column.cell(row))).collect();
    let present: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
    let values: Vec<T::T> = cells.into_iter().flatten().collect();
    writer.typed::<T>().write_batch(&values, Some(&present), None)?;
    Ok(())
}

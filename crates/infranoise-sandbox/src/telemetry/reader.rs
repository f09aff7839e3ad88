//! Reading a telemetry file line by line, also while it grows.

use super::sample::{COLUMNS, Header, Sample, TELEMETRY_VERSION};

/// Reads the lines of a telemetry file in order: first its header, then samples.
#[derive(Debug, Default)]
pub struct SampleReader {
    interval_ms: u32,
    places: Option<Vec<Option<usize>>>,
    last: Vec<i128>,
}

impl SampleReader {
    /// The intended interval between samples, in milliseconds; 0 before the header was read.
    #[must_use]
    pub fn interval_ms(&self) -> u32 {
        self.interval_ms
    }

    /// Takes the next whole line: a sample, or nothing if it is the header. Columns that are not known here are skipped.
    ///
    /// # Errors
    /// Says what is wrong with the line: a later version, or no sample.
    pub fn line(&mut self, line: &[u8]) -> Result<Option<Sample>, String> {
        let Some(places) = &self.places else {
            self.header(line)?;
            return Ok(None);
        };
        let row: Vec<Option<i128>> = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        let mut sample = Sample::default();
        for ((difference, last), place) in row.iter().zip(&mut self.last).zip(places) {
            let Some(difference) = difference else { continue };
            *last = last.saturating_add(*difference);
            let value = u64::try_from(*last).map_err(|_| format!("{last} is out of range"))?;
            match place {
                Some(0) => sample.at_ms = u32::try_from(value).unwrap_or(u32::MAX),
                Some(place) => sample.values[place - 1] = Some(value),
                None => {}
            }
        }
        Ok(Some(sample))
    }

    fn header(&mut self, line: &[u8]) -> Result<(), String> {
        let header: Header = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        if header.telemetry_version.0 > TELEMETRY_VERSION.0 {
            return Err(format!("version {} is later than this program's", header.telemetry_version.0));
        }
        let place = |name: &String| COLUMNS.iter().position(|column| column == name);
        self.last = vec![0; header.columns.len()];
        self.places = Some(header.columns.iter().map(place).collect());
        self.interval_ms = header.interval_ms;
        Ok(())
    }
}

//! A log from either form: an archive whose members are read one by one, or one document.

use std::path::Path;

use super::schema::{Log, Sample};
use crate::results::loss::Losses;
use crate::results::read::{Archive, Field, parse, read_all};

/// A document or a member is no larger.
const LARGEST: u64 = 512 << 20;

/// A log without its samples' histories.
pub(super) struct Read {
    pub(super) log: Log,
    pub(super) samples: Vec<Sample>,
    /// Whether the log was never finished.
    pub(super) crashed: bool,
}

/// Reads a log.
pub(super) fn read(path: &Path, shown: &str, losses: &mut Losses) -> Result<Read, String> {
    if path.extension().is_some_and(|extension| extension == "eval") {
        return archive(path, shown, losses);
    }
    let bytes = read_all(path, LARGEST).map_err(|error| error.to_string())?;
    let mut log: Log = parse(&bytes)?;
    let samples = std::mem::take(&mut log.samples).take(losses, shown, "samples").unwrap_or_default();
    let samples = samples
        .into_iter()
        .zip(0..)
        .filter_map(|(sample, place)| sample.take(losses, shown, &format!("samples[{place}]")))
        .collect();
    let crashed = log.status.get().is_some_and(|status| status == "started");
    Ok(Read { log, samples, crashed })
}

fn archive(path: &Path, shown: &str, losses: &mut Losses) -> Result<Read, String> {
    let mut archive = Archive::open(path).map_err(|error| error.to_string())?;
    let names: Vec<String> = archive.names().map(str::to_owned).collect();
    let has = |name: &str| names.iter().any(|found| found == name);
    let finished = has("header.json");
    let head = if finished { "header.json" } else { "_journal/start.json" };
    let bytes = archive.read(head, LARGEST).map_err(|error| format!("{head}: {error}"))?;
    let log: Log = parse(&bytes).map_err(|error| format!("{head}: {error}"))?;
    let mut samples = if has("summaries.json") {
        list(&mut archive, "summaries.json", shown, losses)
    } else {
        let journal = names.iter().filter(|name| name.starts_with("_journal/summaries/"));
        journal.flat_map(|name| list(&mut archive, name, shown, losses)).collect()
    };
    if samples.is_empty() {
        // Neither summaries nor a journal of them: the samples themselves, one in memory at a time.
        let own = names.iter().filter(|name| name.starts_with("samples/") && name.ends_with(".json"));
        samples = own.filter_map(|name| member(&mut archive, name, shown, losses)).collect();
    }
    if archive.recovered() {
        losses.add(
            shown,
            "the archive's directory",
            "missing, as a crash leaves it: members were found one by one",
        );
    }
    let crashed = !finished || log.status.get().is_some_and(|status| status == "started");
    Ok(Read { log, samples, crashed })
}

/// A list of summaries; one that cannot be read is lost alone.
fn list(archive: &mut Archive, name: &str, shown: &str, losses: &mut Losses) -> Vec<Sample> {
    let listed: Vec<Field<Sample>> = member(archive, name, shown, losses).unwrap_or_default();
    let file = format!("{shown}/{name}");
    let take = |(sample, place): (Field<Sample>, u32)| sample.take(losses, &file, &format!("[{place}]"));
    listed.into_iter().zip(0..).filter_map(take).collect()
}

fn member<T: serde::de::DeserializeOwned>(
    archive: &mut Archive,
    name: &str,
    shown: &str,
    losses: &mut Losses,
) -> Option<T> {
    let bytes = archive.read(name, LARGEST).map_err(|error| error.to_string());
    let read = bytes.and_then(|bytes| parse(&bytes));
    read.map_err(|error| losses.add(format!("{shown}/{name}"), "the member", error)).ok()
}

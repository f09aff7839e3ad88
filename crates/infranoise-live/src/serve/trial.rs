//! The page of one trial: its curve, the end of its logs, and its record once it has one.

use std::path::Path;

use infranoise_core::{Attempt, TrialKey, TrialRecord};
use infranoise_report::text::{clean, escape, number, time};
use infranoise_sandbox::telemetry::SampleReader;

use super::{draw, logs, parts};
use crate::curve::Curve;
use crate::follow::Follower;
use crate::view::View;

/// A telemetry file that is longer is not read whole, in bytes.
const SAMPLES: u64 = 8 << 20;

/// The longest line of a log that is shown, in characters.
const LINE: usize = 400;

/// How wide the record's text is, in columns.
const COLUMNS: usize = 100;

/// The trial whose folder has this name; nothing if the plan holds none.
pub(super) fn part(follower: &Follower, view: &View, folder: &str) -> Option<String> {
    let now = follower.now();
    let key = view.plan.keys().find(|key| key.folder() == folder)?;
    let (running, record) = (view.running.iter().find(|trial| trial.key == key), now.record(&key));
    let attempt = running.map(|trial| trial.attempt).or(record.map(|record| record.facts.attempt));
    let place = follower.folder().trial(&key, attempt.unwrap_or(Attempt(0)));
    let says = match (running, record) {
        (Some(trial), _) => {
            let phase = trial.phase.map_or("waits for its first phase".to_owned(), |(phase, for_ms)| {
                format!("in phase {phase} for {}", parts::age(for_ms))
            });
            format!("running for {}, {phase} · {}", parts::age(trial.for_ms), parts::usage(trial))
        }
        (None, Some(record)) => format!("ended after {}", time::duration(record.facts.wall_ms)),
        (None, None) => "not begun".to_owned(),
    };
    let (memory, cpu) = ceilings(view, &key);
    let curve = match running {
        Some(trial) => trial.curve.clone(),
        None => record.and_then(|_| samples(&place.join("telemetry.csv"))),
    };
    let picture = match curve {
        Some(curve) => format!(
            "<p class=\"note legend\"><span class=\"k-mem\"></span> memory, page cache included, beneath its ceiling (dashed) <span class=\"k-cpu\"></span> CPUs in use</p>{}",
            parts::scrolling("Resources over time", &draw::curve(&curve, memory, cpu, draw::LARGE))
        ),
        None => "<p class=\"muted\">There are no samples of it.</p>".to_owned(),
    };
    let outcome = record
        .filter(|_| running.is_none())
        .map(|record| parts::outcome(infranoise_core::Shown::of(record)) + " · ");
    Some(format!(
        "<h1>{}</h1><p class=\"lead\">{}{}</p>{picture}{}{}",
        escape::markup(&key.to_string()),
        outcome.unwrap_or_default(),
        escape::markup(&says),
        log_section(&place),
        record.map(record_section).unwrap_or_default()
    ))
}

fn ceilings(view: &View, key: &TrialKey) -> (Option<u64>, Option<u32>) {
    let allocation = view.plan.arm(&key.arm).and_then(|arm| arm.allocations.get(&key.task));
    (
        allocation.and_then(|a| a.memory.ceiling().amount()).map(|bytes| bytes.0),
        allocation.and_then(|a| a.cpu.ceiling().amount()).map(|cpu| cpu.0),
    )
}

/// The samples of a trial that ended.
fn samples(path: &Path) -> Option<Curve> {
    if std::fs::metadata(path).ok()?.len() > SAMPLES {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    let (mut reader, mut curve) = (SampleReader::default(), Curve::default());
    for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        reader.line(line).ok()?.iter().for_each(|sample| curve.push(sample));
    }
    curve.last().is_some().then_some(curve)
}

fn log_section(place: &Path) -> String {
    let logs = logs::tails(place);
    if logs.is_empty() {
        return "<h2>Logs</h2><p class=\"muted\">It has written none yet.</p>".to_owned();
    }
    let mut out = String::from("<h2>The end of its logs</h2>");
    for log in logs {
        let lines: Vec<String> =
            log.lines.iter().map(|line| escape::markup(&clean::short(line, LINE))).collect();
        let name = escape::markup(&log.name);
        let inside = format!("<pre>{}</pre>", lines.join("\n"));
        let inside = if log.lines.is_empty() {
            String::new()
        } else {
            parts::scrolling(&format!("Log {}", log.name), &inside)
        };
        out += &format!(
            "<h3>{name} <span class=\"muted\">{}</span></h3>{inside}",
            number::bytes(log.size_bytes)
        );
    }
    out
}

/// The record with all its evidence, as `trial show` prints it.
fn record_section(record: &TrialRecord) -> String {
    let text = infranoise_report::trial(record, COLUMNS, false);
    let lines: Vec<String> = text.lines().map(escape::markup).collect();
    let inside = format!("<pre>{}</pre>", lines.join("\n"));
    format!("<h2>Its record</h2>{}", parts::scrolling("The trial's record", &inside))
}

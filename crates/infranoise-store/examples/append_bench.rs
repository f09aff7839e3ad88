//! How fast the journal takes results: each forced to the disk by itself, as a sweep does, and all at once, as an import does; beside a
//! bare loop that writes and forces the same bytes.
//!
//! `cargo run --release -p infranoise-store --example append_bench [EVENTS]`

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark that prints what it measures"
)]

use std::error::Error;
use std::fs::File;
use std::io::Write;
use std::time::Instant;

use infranoise_core::Event;
use infranoise_core::testing::{Ending, plan, record};
use infranoise_store::JournalWriter;

fn main() -> Result<(), Box<dyn Error>> {
    let number = std::env::args().nth(1).map_or(Ok(1000), |word| word.parse())?;
    let plan = plan(number, 1, 1);
    let endings = [Ending::Pass, Ending::Fail, Ending::CeilingKill, Ending::Fault];
    let ended = |(key, ending)| Event::TrialEnded { at_ms: 0, record: Box::new(record(&plan, key, ending)) };
    let events: Vec<Event> = plan.keys().zip(endings.into_iter().cycle()).map(ended).collect();
    let lines: Vec<Vec<u8>> = events.iter().map(serde_json::to_vec).collect::<Result<_, _>>()?;
    let folder = tempfile::tempdir()?;

    let rate = |start: Instant| events.len() as f64 / start.elapsed().as_secs_f64();
    for round in 0..5 {
        let mut bare = File::create(folder.path().join(format!("bare-{round}")))?;
        let start = Instant::now();
        for line in &lines {
            bare.write_all(line)?;
            bare.sync_data()?;
        }
        let bare = rate(start);
        let (mut journal, _) = JournalWriter::open(&folder.path().join(format!("each-{round}")))?;
        let start = Instant::now();
        for event in &events {
            journal.append(event)?;
        }
        let each = rate(start);
        let (mut journal, _) = JournalWriter::open(&folder.path().join(format!("all-{round}")))?;
        let start = Instant::now();
        journal.append_all(&events)?;
        println!("results a second: bare {bare:.0}, each forced {each:.0}, all at once {:.0}", rate(start));
    }
    Ok(())
}

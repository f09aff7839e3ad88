//! Our own files, as a crash or a stranger may leave them.

use infranoise_store::{JournalWriter, PlanFile, read_journal};

use super::layout::{folder, lay_out};

/// Files of a sweep.
pub const SWEEP: &[&str] = &["journal.jsonl", "plan.json"];

/// A plan and a journal. What can be read of a journal must stay readable after a writer has mended its end.
pub fn plan_and_journal(data: &[u8]) {
    let root = folder();
    lay_out(root.path(), SWEEP, data);
    let _plan_or_error = PlanFile::read(root.path());
    let path = root.path().join(SWEEP[0]);
    let Ok(journal) = read_journal(&path) else { return };
    let Ok((writer, opened)) = JournalWriter::open(&path) else { return };
    drop(writer);
    assert_eq!(opened.entries.len(), journal.entries.len(), "reader and writer see the same events");
    let mended = read_journal(&path).expect("a mended journal can be read");
    assert_eq!(mended.entries.len(), journal.entries.len(), "mending loses no event");
    assert!(mended.damage.iter().all(|damage| !damage.torn_tail), "a mended journal has no torn end");
}

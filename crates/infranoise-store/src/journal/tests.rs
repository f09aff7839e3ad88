//! Whole, torn, damaged and foreign journals.

use infranoise_core::{ArmId, Attempt, StopReason, Subject, TaskId, TrialKey};

use super::*;

fn lost(repeat: u32) -> Event {
    Event::TrialLost {
        at_ms: 1,
        key: TrialKey {
            arm: ArmId::try_new("1x").expect("a name"),
            subject: Subject { agent: "script".into(), model: None },
            task: TaskId::try_new("t").expect("a name"),
            repeat,
        },
        attempt: Attempt(0),
    }
}

fn written(events: u32) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.jsonl");
    let (mut writer, _) = JournalWriter::open(&path).expect("opens");
    for repeat in 0..events {
        writer.append(&lost(repeat)).expect("appends");
    }
    (folder, path)
}

#[test]
fn what_is_written_is_read() {
    let (_folder, path) = written(3);
    let journal = read_journal(&path).expect("reads");
    let events: Vec<_> = journal.entries.iter().map(|entry| entry.event.clone()).collect();
    assert_eq!(events, vec![lost(0), lost(1), lost(2)]);
    assert_eq!(journal.damage, vec![]);
}

#[test]
fn a_tail_torn_at_any_byte_costs_one_event_and_is_cut_off() {
    let (_folder, path) = written(3);
    let whole = fs::read(&path).expect("reads");
    let second_end = whole.iter().enumerate().filter(|(_, b)| **b == b'\n').nth(1).expect("two lines").0 + 1;
    for cut in second_end + 1..whole.len() {
        fs::write(&path, &whole[..cut]).expect("writes");
        let (mut writer, journal) = JournalWriter::open(&path).expect("opens");
        assert_eq!(journal.entries.len(), 2, "cut at {cut}");
        assert!(journal.damage.iter().all(|damage| damage.torn_tail), "cut at {cut}");
        writer.append(&lost(9)).expect("appends");
        let again = read_journal(&path).expect("reads");
        assert_eq!(again.damage, vec![], "cut at {cut}");
        assert_eq!(again.entries.last().map(|entry| entry.event.clone()), Some(lost(9)));
        assert_eq!(again.entries.last().map(|entry| entry.seq), Some(2));
    }
}

#[test]
fn a_changed_byte_in_the_middle_is_reported_and_the_rest_is_read() {
    let (_folder, path) = written(3);
    let mut bytes = fs::read(&path).expect("reads");
    let second = bytes.iter().position(|b| *b == b'\n').expect("a line") + 1;
    let place = second + bytes[second..].windows(9).position(|w| w == b"\"repeat\":").expect("a repeat") + 9;
    bytes[place] = b'7';
    fs::write(&path, &bytes).expect("writes");
    let journal = read_journal(&path).expect("reads");
    assert_eq!(journal.entries.len(), 2);
    assert_eq!(journal.damage.len(), 1);
    assert_eq!(journal.damage[0].line, 2);
    assert!(journal.damage[0].why.contains("checksum"), "{}", journal.damage[0].why);
}

#[test]
fn kinds_of_a_newer_program_are_skipped_and_counted() {
    let (_folder, path) = written(1);
    let event = r#"{"kind":"weather_forecast","at_ms":5}"#;
    let line = format!(r#"{{"v":2,"seq":1,"crc":"{}","event":{event}}}"#, checksum(1, event.as_bytes()));
    let mut file = OpenOptions::new().append(true).open(&path).expect("opens");
    writeln!(file, "{line}").expect("writes");
    let (mut writer, journal) = JournalWriter::open(&path).expect("opens");
    assert_eq!((journal.entries.len(), journal.unknown_events), (1, 1));
    let stopped = Event::SweepStopped { at_ms: 6, reason: StopReason::Complete };
    assert_eq!(writer.append(&stopped).expect("appends"), 2);
}

#[test]
fn a_reader_that_follows_sees_each_event_once() {
    let (_folder, path) = written(5);
    let bytes = fs::read(&path).expect("reads");
    for step in [1, 7, 100] {
        let mut reader = JournalReader::new();
        let seen: usize = bytes.chunks(step).map(|chunk| reader.feed(chunk).entries.len()).sum();
        assert_eq!(seen, 5, "in steps of {step}");
        assert_eq!(reader.position(), bytes.len() as u64);
        assert_eq!(reader.finish(), None);
    }
}

#[test]
fn a_full_disk_stops_the_writer_and_leaves_a_readable_journal() {
    let full = Path::new("/dev/full");
    if !full.exists() {
        println!("SKIPPED: this machine has no /dev/full");
        return;
    }
    let file = OpenOptions::new().append(true).open(full).expect("opens");
    let mut writer = JournalWriter { file, path: full.to_owned(), next_seq: 0 };
    let error = writer.append(&lost(0)).expect_err("is full");
    assert!(error.not_writable(), "{error}");
    assert!(error.to_string().contains("/dev/full"), "{error}");
    assert_eq!(writer.next_seq, 0, "the number is not used up");
}

#[test]
fn a_line_that_is_missing_is_noticed_by_its_number() {
    let (_folder, path) = written(3);
    let text = fs::read_to_string(&path).expect("reads");
    let without: String =
        text.split_inclusive('\n').enumerate().filter(|(n, _)| *n != 1).map(|(_, l)| l).collect();
    fs::write(&path, without).expect("writes");
    let journal = read_journal(&path).expect("reads");
    assert_eq!(journal.entries.len(), 2, "both whole lines count");
    assert_eq!(journal.damage.len(), 1);
    assert!(journal.damage[0].why.contains("missing"), "{}", journal.damage[0].why);
}

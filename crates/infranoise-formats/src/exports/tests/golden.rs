//! The text exports of the sample, as files that a person can read.

use super::sample::mixed;
use super::{ExportOptions, bytes, exporter, text};

#[test]
fn text_exports_read_so() {
    let (plan, records) = mixed();
    for id in ["csv", "jsonl", "junit", "mask"] {
        insta::assert_snapshot!(id, text(id, &plan, &records));
    }
}

#[test]
fn ceiling_kills_can_be_dropped_from_the_mask() {
    let (plan, records) = mixed();
    let options = ExportOptions { drop_ceiling: true, ..ExportOptions::default() };
    let mask = bytes(exporter("mask").expect("an exporter"), &plan, &records, options);
    let lines = |text: &str, mask: &str| {
        text.lines().filter(|line| line.contains(&format!("\"mask\":\"{mask}\""))).count()
    };
    let (plain, strict) = (text("mask", &plan, &records), String::from_utf8(mask).expect("UTF-8"));
    assert_eq!(["keep", "drop", "uncertain"].map(|mask| lines(&plain, mask)), [4, 2, 2]);
    assert_eq!(["keep", "drop", "uncertain"].map(|mask| lines(&strict, mask)), [3, 3, 2]);
    let summary = crate::exports::mask_summary(&records, options);
    assert_eq!((summary.keep, summary.drop, summary.uncertain, summary.total()), (3, 3, 2, 8));
}

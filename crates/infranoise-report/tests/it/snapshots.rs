//! What a person reads, word by word and line by line.

use infranoise_report::figures::FIGURES;
use infranoise_report::{html, latex, markdown, terminal, trial};

use crate::{fixture, record};

#[test]
fn every_figure() {
    let analysis = fixture::six_arms();
    for spec in FIGURES {
        let figure = (spec.draw)(&analysis);
        assert!(!figure.missing || spec.id == "api-latency", "{} has data", spec.id);
        let text = format!("{}\n{}\n{}\n", figure.svg, figure.caption, figure.table.text().join("\n"));
        insta::assert_snapshot!(format!("figure_{}", spec.id), text);
    }
}

#[test]
fn the_terminal_at_three_widths() {
    let analysis = fixture::six_arms();
    for width in [80, 120, 200] {
        insta::assert_snapshot!(format!("terminal_{width}"), terminal(&analysis, width, false));
    }
    insta::assert_snapshot!("terminal_colour", terminal(&analysis, 120, true));
}

#[test]
fn markdown_of_six_arms() {
    insta::assert_snapshot!(markdown(&fixture::six_arms()));
}

#[test]
fn edges_in_the_terminal_and_in_markdown() {
    let cases = [
        ("one_arm", fixture::one_arm()),
        ("no_trials", fixture::no_trials()),
        ("arm_not_started", fixture::arm_not_started()),
        ("not_observable", fixture::not_observable()),
    ];
    for (name, analysis) in cases {
        insta::assert_snapshot!(format!("terminal_{name}"), terminal(&analysis, 100, false));
        insta::assert_snapshot!(format!("markdown_{name}"), markdown(&analysis));
    }
}

#[test]
fn tables_for_papers() {
    let analysis = fixture::world(3, 2, 2);
    insta::assert_snapshot!("latex", latex(&analysis));
}

#[test]
fn the_page_of_two_arms() {
    insta::assert_snapshot!(html(&fixture::world(3, 2, 2)));
}

#[test]
fn one_trial_in_full() {
    let record = record::ceiling_kill();
    insta::assert_snapshot!("trial_100", trial(&record, 100, false));
    insta::assert_snapshot!("trial_colour", trial(&record, 100, true));
}

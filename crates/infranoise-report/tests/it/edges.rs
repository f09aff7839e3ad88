//! Hostile and odd documents break nothing.

use infranoise_report::extras::{Extras, LogTail, Reading, TrialFiles};
use infranoise_report::figures::FIGURES;
use infranoise_report::svg::palette::Theme;
use infranoise_report::{
    SCRIPT, SCRIPT_SHA256, html, html_with, latex, markdown, printable, terminal, trial,
};

use crate::{fixture, record};

/// Whatever a terminal, a page or a drawing would act upon.
fn has_control(text: &str) -> Option<char> {
    let bidi =
        |c: char| matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    text.chars().find(|c| (c.is_control() && *c != '\n') || bidi(*c))
}

/// Logs that try to be more than text, for every trial.
fn hostile_files(analysis: &infranoise_analysis::Analysis) -> Extras {
    let tail = format!("{}\n{}\n", fixture::HOSTILE, "x".repeat(1 << 20));
    let log = || LogTail { name: fixture::HOSTILE.to_owned(), bytes: 1 << 20, tail: tail.clone() };
    let files = |row: &infranoise_analysis::doc::TrialRow| TrialFiles {
        trial: row.trial.clone(),
        readings: (0..400)
            .map(|i| Reading { at_ms: i * 100, memory_bytes: Some(u64::MAX - i), cpu_us: None })
            .collect(),
        logs: vec![log(), log()],
    };
    Extras { trials: analysis.trials.iter().map(files).collect(), compared: None }
}

#[test]
fn hostile_text_reaches_no_rendering() {
    let analysis = fixture::hostile();
    let mut renderings = vec![
        ("terminal", terminal(&analysis, 100, false)),
        ("markdown", markdown(&analysis)),
        ("html", html_with(&analysis, &hostile_files(&analysis))),
        ("printable", printable(&analysis, &Extras::default())),
        ("latex", latex(&analysis)),
        ("trial", trial(&record::hostile(), 100, false)),
    ];
    for spec in FIGURES {
        let figure = (spec.draw)(&analysis);
        renderings.push((spec.id, figure.file(Theme::Dark)));
    }
    for (name, text) in renderings {
        assert_eq!(has_control(&text), None, "{name}");
        let markup = !["terminal", "trial", "latex"].contains(&name);
        assert!(!(markup && text.contains("<script>alert")), "{name}");
        assert!(!(markup && text.contains("<img")), "{name}");
        assert!(text.len() < 700_000, "{name} has {} bytes", text.len());
    }
}

#[test]
fn a_figure_without_data_says_what_would_provide_it() {
    let analysis = fixture::no_trials();
    let missing: Vec<_> =
        FIGURES.iter().map(|spec| (spec.draw)(&analysis)).filter(|figure| figure.missing).collect();
    // What a plan alone can fill: the verdict that nothing is known, the tasks, the settings.
    let drawn: Vec<_> = FIGURES
        .iter()
        .map(|spec| spec.id)
        .filter(|id| !missing.iter().any(|figure| figure.id == *id))
        .collect();
    assert_eq!(drawn, ["verdict", "tasks", "settings"]);
    for figure in missing {
        assert!(figure.caption.starts_with("Nothing to draw: "), "{}", figure.id);
    }
}

/// Base64 as in RFC 4648, since a policy wants the hash so.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let mut group = [0u8; 3];
        group[..chunk.len()].copy_from_slice(chunk);
        let bits = u32::from_be_bytes([0, group[0], group[1], group[2]]);
        for i in 0..4 {
            let digit = char::from(DIGITS[(bits >> (18 - 6 * i)) as usize & 63]);
            out.push(if i <= chunk.len() { digit } else { '=' });
        }
    }
    out
}

#[test]
fn the_policy_allows_this_script_and_no_other() {
    use sha2::{Digest, Sha256};
    let hash = base64(&Sha256::digest(SCRIPT.as_bytes()));
    assert_eq!(SCRIPT_SHA256, hash, "write this hash into src/html/script.sha256");
    assert!(SCRIPT.len() < 15_000, "the script has {} bytes", SCRIPT.len());
}

#[test]
fn a_page_asks_for_nothing() {
    let page = html(&fixture::six_arms());
    let asks =
        ["http:", "https:", "src=", "@import", "url(//", "fetch(", "XMLHttpRequest", "<iframe", "<object"];
    // The name space of SVG is a name, not an address that is fetched.
    let page = page.replace("http://www.w3.org/2000/svg", "");
    for ask in asks {
        assert!(!page.contains(ask), "{ask}");
    }
    assert_eq!(
        page.matches("href=").count(),
        page.matches("href=\"#").count() + 1,
        "links inside the page, and the empty icon"
    );
}

#[test]
fn a_large_sweep_stays_small() {
    let page = html(&fixture::world(89, 6, 10));
    eprintln!("the page of 5,340 trials has {} bytes", page.len());
    assert!(page.len() < 1_500_000, "{} bytes", page.len());
}

#[test]
fn strange_numbers_break_nothing() {
    let analysis = fixture::strange();
    for spec in FIGURES {
        let figure = (spec.draw)(&analysis);
        for odd in ["NaN", "inf\"", "inf "] {
            assert!(!figure.svg.contains(odd), "{}: {odd}", spec.id);
        }
        assert!(figure.svg.len() < 100_000, "{} has {} bytes", spec.id, figure.svg.len());
    }
    let _ = (html(&analysis), markdown(&analysis), terminal(&analysis, 0, true));
}

/// A sweep of 101,460 trials, from one of 5,340 in which every trial occurs nineteen times, each with readings of its own.
fn very_many() -> infranoise_analysis::Analysis {
    let mut analysis = fixture::world(89, 6, 10);
    let (trials, timeline, peaks) =
        (analysis.trials.clone(), analysis.timeline.clone(), analysis.peaks.clone());
    let last = timeline.iter().map(|point| point.end_ms).max().unwrap_or(0);
    for round in 1..19u32 {
        for row in &trials {
            let mut row = row.clone();
            row.repeat += round * 10;
            row.trial = format!("{}__{}__{}", row.task, row.arm, row.repeat);
            row.evidence
                .push(format!("reading of its own: {}", u64::from(round) * 7_919 * (row.wall_ms + 1)));
            row.wall_ms += u64::from(round * 13);
            analysis.trials.push(row);
        }
        let shift = u64::from(round) * last;
        analysis.timeline.extend(timeline.iter().cloned().map(|mut point| {
            (point.start_ms, point.end_ms) = (point.start_ms + shift, point.end_ms + shift);
            point
        }));
        analysis.peaks.extend(peaks.iter().cloned());
    }
    analysis
}

#[test]
fn a_hundred_thousand_trials_stay_a_file_that_can_be_sent() {
    let analysis = very_many();
    let page = html(&analysis);
    eprintln!("the page of {} trials has {} bytes", analysis.trials.len(), page.len());
    assert!(page.len() < 5_000_000, "{} bytes", page.len());
}

//! Everything that is known of one trial, for a terminal: what was asked, held and observed, its course, and the verdict with its
//! evidence.

use infranoise_core::{EvidenceState, Shown, TrialRecord};

use crate::table::Table;
use crate::terminal::lines;
use crate::terminal::paint::Paint;
use crate::text::{number, time, words};

mod course;
mod measured;
mod resources;
mod say;

/// A trial for a terminal of this width.
#[must_use]
pub fn trial(record: &TrialRecord, width: usize, colour: bool) -> String {
    let mut page = Page { width: width.clamp(60, 200), paint: Paint { colour }, lines: Vec::new() };
    head(record, &mut page);
    verdict(record, &mut page);
    resources::section(record, &mut page);
    course::phases(record, &mut page);
    course::commands(record, &mut page);
    course::events(record, &mut page);
    course::reward(record, &mut page);
    measured::trial(record, &mut page);
    measured::host(record, &mut page);
    measured::strategy(record, &mut page);
    measured::usage(record, &mut page);
    if !record.facts.notes.is_empty() {
        page.heading("Notes");
        for note in &record.facts.notes {
            page.says(note, "  ");
        }
    }
    page.lines.join("\n") + "\n"
}

/// Lines in the making.
struct Page {
    width: usize,
    paint: Paint,
    lines: Vec<String>,
}

impl Page {
    fn heading(&mut self, text: &str) {
        self.lines.push(String::new());
        self.lines.push(self.paint.bold(text));
    }

    /// A text of any length, wrapped.
    fn says(&mut self, text: &str, lead: &str) {
        self.lines.extend(lines::wrap(text, self.width, lead));
    }

    /// A table, indented; lines that are too long run on, since a cut number would be a wrong one.
    fn table(&mut self, table: &Table) {
        let paint = self.paint;
        let rows =
            table.painted(&|row, _, cell| if row.is_none() { paint.dim(cell) } else { cell.to_owned() });
        self.lines.extend(rows.into_iter().map(|line| format!("  {line}")));
    }

    /// Names with what is known, one a line; an empty text is left out.
    fn pairs(&mut self, pairs: &[(&str, String)]) {
        let widest = pairs.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        for (name, text) in pairs.iter().filter(|(_, text)| !text.is_empty()) {
            self.says(text, &format!("  {name:widest$}  "));
        }
    }
}

fn head(record: &TrialRecord, page: &mut Page) {
    let (facts, shown) = (&record.facts, Shown::of(record));
    let key = format!("{} · attempt {}", facts.key, facts.attempt.0);
    let bold =
        lines::wrap(&key, page.width, "").into_iter().map(|line| page.paint.bold(&line)).collect::<Vec<_>>();
    page.lines.extend(bold);
    let sign = format!("{} {shown}", words::look(shown).sign);
    let sign = page.paint.outcome(shown, &sign);
    page.lines.push(sign);
    page.says(
        &format!(
            "{} on {}, began {}, took {}",
            facts.key.subject,
            facts.engine,
            facts.started_at().or(None).map_or_else(|| "at an unknown time".to_owned(), time::moment),
            time::duration(facts.wall_ms)
        ),
        "",
    );
    let sandbox = facts.sandbox.as_ref().map_or("no sandbox".to_owned(), |id| format!("sandbox {id}"));
    let place = format!(
        "position {} in the order, block {}, round {}, seed {}, {sandbox}",
        number::count(facts.position),
        number::count(facts.block),
        facts.round,
        facts.seed
    );
    page.says(&place, "");
}

fn verdict(record: &TrialRecord, page: &mut Page) {
    let verdict = &record.classification;
    page.heading("Verdict");
    let what = infranoise_analysis::doc::cause_words(verdict.blame, verdict.cause, verdict.phase);
    page.says(&what, "  ");
    let sentence = words::rule_sentence(&verdict.rule.0).unwrap_or("this version knows no rule of that name");
    page.says(&format!("rule {}: {sentence}", verdict.rule.0), "  ");
    if verdict.evidence.is_empty() {
        page.says("no evidence was kept", "  ");
    }
    for piece in &verdict.evidence {
        let text = format!("{} [{}: {}]", piece.says, piece.source, piece.reading);
        page.says(&text, &format!("  {:<13}", state(piece.state)));
    }
    for event in &verdict.survived {
        page.says(event, "  lived through: ");
    }
}

/// How far a piece of evidence was observed, in a word.
fn state(state: EvidenceState) -> &'static str {
    match state {
        EvidenceState::Observed => "observed",
        EvidenceState::Partial => "partly",
        EvidenceState::Unavailable => "unavailable",
        EvidenceState::Unsupported => "unsupported",
    }
}

//! JUnit XML: a suite per arm, a case per planned trial, so that CI systems show a sweep as they show tests.
//!
//! A wrong answer is a *failure*; a ceiling kill, a fault and what cannot be known are *errors*; what never started or is not recorded is
//! *skipped*. The case is the attempt that counts; its evidence is the text.

use std::collections::HashMap;
use std::io::Write;

use infranoise_core::{PlannedArm, Shown, TrialKey};

use super::error::ExportError;
use super::exporter::{Exporter, Target};
use super::options::ExportOptions;
use super::sweep::{Row, Sweep};
use super::word::word;
use super::xml::escape;

pub(super) const EXPORTER: Exporter = Exporter {
    id: "junit",
    what: "a test report: a suite per arm, a case per planned trial",
    extension: "junit.xml",
    to: Target::Stream(write),
};

/// A planned trial and the attempt of it that counts.
type Case<'r> = (TrialKey, Option<&'r Row<'r>>);

#[derive(Default)]
struct Totals {
    cases: u64,
    failures: u64,
    errors: u64,
    skipped: u64,
    wall_ms: u64,
}

impl Totals {
    fn of<'r>(cases: impl Iterator<Item = &'r Case<'r>>) -> Self {
        let mut totals = Self::default();
        for (_, row) in cases {
            totals.cases += 1;
            totals.wall_ms = totals.wall_ms.saturating_add(row.map_or(0, |row| row.record.facts.wall_ms));
            match row.map(|row| Shown::of(row.record)) {
                Some(Shown::Pass) => {}
                Some(Shown::Fail) => totals.failures += 1,
                Some(Shown::Ceiling | Shown::Fault | Shown::Undetermined) => totals.errors += 1,
                Some(Shown::NotStarted) | None => totals.skipped += 1,
            }
        }
        totals
    }

    fn attributes(&self) -> String {
        format!(
            "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{}\"",
            self.cases,
            self.failures,
            self.errors,
            self.skipped,
            seconds(self.wall_ms)
        )
    }
}

fn write(sweep: &Sweep<'_>, _: ExportOptions, out: &mut (dyn Write + Send)) -> Result<(), ExportError> {
    let counting: HashMap<&TrialKey, &Row<'_>> =
        sweep.rows().iter().filter(|row| row.counts).map(|row| (&row.record.facts.key, row)).collect();
    let cases: Vec<Case<'_>> = sweep
        .plan
        .keys()
        .map(|key| {
            let row = counting.get(&key).copied();
            (key, row)
        })
        .collect();
    let name = escape(sweep.plan.sweep.as_str());
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites name=\"{name}\" {}>", Totals::of(cases.iter()).attributes())?;
    for arm in &sweep.plan.arms {
        suite(arm, &cases, out)?;
    }
    writeln!(out, "</testsuites>")?;
    Ok(())
}

fn suite(arm: &PlannedArm, cases: &[Case<'_>], out: &mut (dyn Write + Send)) -> Result<(), ExportError> {
    let own = || cases.iter().filter(|(key, _)| key.arm == arm.arm.name);
    let name = escape(arm.arm.name.as_str());
    writeln!(out, "  <testsuite name=\"{name}\" {}>", Totals::of(own()).attributes())?;
    for (key, row) in own() {
        let task = escape(key.task.as_str());
        let time = seconds(row.map_or(0, |row| row.record.facts.wall_ms));
        write!(
            out,
            "    <testcase classname=\"{task}\" name=\"{task} repeat {}\" time=\"{time}\"",
            key.repeat
        )?;
        match row.and_then(|row| outcome(row)) {
            Some(inner) => writeln!(out, ">\n      {inner}\n    </testcase>")?,
            None if row.is_none() => writeln!(out, "><skipped message=\"not recorded\"/></testcase>")?,
            None => writeln!(out, "/>")?,
        }
    }
    writeln!(out, "  </testsuite>")?;
    Ok(())
}

/// What stands inside the case; nothing if it passed.
fn outcome(row: &Row<'_>) -> Option<String> {
    let verdict = &row.record.classification;
    let shown = Shown::of(row.record);
    let element = match shown {
        Shown::Pass => return None,
        Shown::Fail => "failure",
        Shown::Ceiling | Shown::Fault | Shown::Undetermined => "error",
        Shown::NotStarted => {
            return Some(format!(
                "<skipped message=\"{}\"/>",
                escape(&format!("{shown}: {}", verdict.cause))
            ));
        }
    };
    let message = escape(&format!("{shown}: {} (rule {})", verdict.cause, verdict.rule.0));
    let evidence: Vec<String> = verdict
        .evidence
        .iter()
        .map(|piece| escape(&format!("{}: {} ({})", piece.source, piece.reading, piece.says)))
        .collect();
    let kind = word(&verdict.cause);
    Some(format!("<{element} type=\"{kind}\" message=\"{message}\">{}</{element}>", evidence.join("\n")))
}

fn seconds(ms: u64) -> String {
    format!("{}.{:03}", ms / 1000, ms % 1000)
}

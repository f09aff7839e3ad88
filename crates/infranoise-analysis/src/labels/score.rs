//! Verdicts against judgements.

use std::collections::{BTreeMap, HashMap};

use infranoise_core::{Plan, Shown, TrialRecord};

use super::accuracy::{Counted, share, share_inside};
use super::{ClassAccuracy, Confusion, Disagreement, LabelClass, LabelReport, LabelSheet, Stratum};
use crate::table::Table;

/// Compares the judgements of a sheet with the verdicts of the records.
///
/// Works at every stage, from no judgement to all of them: what cannot be said is absent with its reason.
#[must_use]
pub fn score(plan: &Plan, records: &[TrialRecord], sheet: &LabelSheet) -> LabelReport {
    let table = Table::new(plan, records);
    let mut known: HashMap<(String, u32), &TrialRecord> = HashMap::new();
    let mut sizes: BTreeMap<Shown, u64> = BTreeMap::new();
    for chosen in table.chosen() {
        let facts = &chosen.record.facts;
        known.insert((facts.key.folder(), facts.attempt.0), chosen.record);
        *sizes.entry(chosen.shown()).or_default() += 1;
    }
    let mut judged = Judged::default();
    for item in &sheet.items {
        match (known.get(&(item.trial.clone(), item.attempt)), item.truth) {
            (None, _) => judged.strangers += 1,
            (Some(_), None) => judged.unjudged += 1,
            (Some(record), Some(truth)) => judged.add(record, truth, &item.note),
        }
    }
    let classes = LabelClass::ALL.into_iter().filter(|class| occurs(*class, &sizes, &judged));
    LabelReport {
        strata: judged.strata(&sizes),
        agreement: share(&judged.counted(&sizes, |_| true, |verdict, truth| verdict == truth)),
        classes: classes.map(|class| accuracy(class, &sizes, &judged)).collect(),
        confusion: judged.confusion(),
        warnings: warnings(sheet, &judged, &known),
        disagreements: judged.disagreements,
        unjudged: judged.unjudged,
    }
}

/// Whether anyone, classifier or judge, uses a class.
fn occurs(class: LabelClass, sizes: &BTreeMap<Shown, u64>, judged: &Judged) -> bool {
    sizes.keys().any(|verdict| class.holds(*verdict))
        || judged.counts.keys().any(|(_, truth)| class.holds(*truth))
}

fn accuracy(class: LabelClass, sizes: &BTreeMap<Shown, u64>, judged: &Judged) -> ClassAccuracy {
    let belongs = |_: Shown, truth: Shown| class.holds(truth);
    let inside = judged.counted(sizes, |verdict| class.holds(verdict), belongs);
    let outside = judged.counted(sizes, |verdict| !class.holds(verdict), belongs);
    ClassAccuracy { class, precision: share(&inside), recall: share_inside(&inside, &outside) }
}

/// What the judges said, by verdict.
#[derive(Default)]
struct Judged {
    counts: BTreeMap<(Shown, Shown), u64>,
    disagreements: Vec<Disagreement>,
    unjudged: u64,
    /// Items of trials that the records do not hold.
    strangers: u64,
}

impl Judged {
    fn add(&mut self, record: &TrialRecord, truth: Shown, note: &str) {
        let verdict = Shown::of(record);
        *self.counts.entry((verdict, truth)).or_default() += 1;
        if verdict != truth {
            self.disagreements.push(Disagreement {
                trial: record.facts.key.folder(),
                attempt: record.facts.attempt.0,
                verdict,
                rule: record.classification.rule.0.clone(),
                truth,
                note: note.to_owned(),
            });
        }
    }

    /// How many trials of a verdict were judged, and how many of those as asked.
    fn of(&self, verdict: Shown, hit: impl Fn(Shown) -> bool) -> (u64, u64) {
        let own = self.counts.iter().filter(|((seen, _), _)| *seen == verdict);
        own.fold((0, 0), |(judged, hits), ((_, truth), count)| {
            (judged + count, hits + if hit(*truth) { *count } else { 0 })
        })
    }

    fn counted(
        &self,
        sizes: &BTreeMap<Shown, u64>,
        wanted: impl Fn(Shown) -> bool,
        hit: impl Fn(Shown, Shown) -> bool,
    ) -> Vec<Counted> {
        let strata = sizes.iter().filter(|(verdict, _)| wanted(**verdict));
        strata
            .map(|(verdict, trials)| {
                let (judged, hits) = self.of(*verdict, |truth| hit(*verdict, truth));
                Counted { trials: *trials, judged, hits }
            })
            .collect()
    }

    fn strata(&self, sizes: &BTreeMap<Shown, u64>) -> Vec<Stratum> {
        let of = |verdict| self.of(verdict, |_| true).0;
        sizes
            .iter()
            .map(|(verdict, trials)| Stratum { verdict: *verdict, trials: *trials, sampled: of(*verdict) })
            .collect()
    }

    fn confusion(&self) -> Vec<Confusion> {
        let cells = self.counts.iter();
        cells
            .map(|((verdict, truth), count)| Confusion { verdict: *verdict, truth: *truth, count: *count })
            .collect()
    }
}

fn warnings(
    sheet: &LabelSheet,
    judged: &Judged,
    known: &HashMap<(String, u32), &TrialRecord>,
) -> Vec<String> {
    let mut warnings = Vec::new();
    if judged.strangers > 0 {
        warnings.push(format!(
            "{} trials of the sheet are not in the records: they were left out",
            judged.strangers
        ));
    }
    if judged.unjudged > 0 {
        warnings.push(format!(
            "{} trials of the sheet are not judged: if those are the hard ones, the rates are too good",
            judged.unjudged
        ));
    }
    let mut now: BTreeMap<Shown, u64> = BTreeMap::new();
    for item in &sheet.items {
        if let Some(record) = known.get(&(item.trial.clone(), item.attempt)) {
            *now.entry(Shown::of(record)).or_default() += 1;
        }
    }
    let drawn = sheet.strata.iter().filter(|stratum| stratum.sampled > 0);
    let then: BTreeMap<Shown, u64> = drawn.map(|stratum| (stratum.verdict, stratum.sampled)).collect();
    if judged.strangers == 0 && now != then {
        warnings.push(
            "verdicts changed since the sheet was drawn: it is no random sample of today's verdicts, and the rates are approximate"
                .to_owned(),
        );
    }
    warnings
}

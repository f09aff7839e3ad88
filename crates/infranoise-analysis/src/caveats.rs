//! Warnings and footnotes: what to know before believing the numbers.

use std::collections::BTreeMap;

use infranoise_core::{KillScope, ScoringRule, Shown};

use crate::answer::is_uncapped;
use crate::doc::{Analysis, ArmSummary};
use crate::points::other_ceilings;
use crate::table::Table;

/// Warnings on a document that is otherwise finished.
pub(crate) fn warnings(analysis: &Analysis, table: &Table<'_>) -> Vec<String> {
    let mut all = table.plan.warnings.clone();
    all.extend(incomplete(analysis));
    all.extend(scopes(&analysis.arms));
    all.extend(mismatches(&analysis.arms));
    all.extend(low_coverage(&analysis.arms));
    all.extend(small(analysis));
    all.extend(analysis.balance.iter().filter(|row| row.confounded).map(|row| row.says.clone()));
    all.extend(host_differs(table));
    if table.unplanned > 0 {
        all.push(format!("{} records belong to no planned trial and are left out", table.unplanned));
    }
    all
}

/// What is absent from a document, and why.
pub(crate) fn absent(analysis: &Analysis, var_seed: Option<f64>) -> BTreeMap<String, String> {
    let mut absent = BTreeMap::new();
    let mut say = |what: &str, why: &str| absent.insert(what.to_owned(), why.to_owned());
    let few_arms = "it needs at least three arms";
    if analysis.noise_floor.is_none() {
        say(
            "noise_floor",
            match var_seed {
                None => "it needs at least two repeats of several tasks",
                Some(_) => {
                    "no two repeats of a task in an arm ended differently, so that the trials' own randomness is not seen"
                }
            },
        );
    }
    if analysis.components.is_none() {
        say("components", "they need at least two repeats of several tasks");
    }
    if analysis.turning_point.is_none() {
        say(
            "turning_point",
            if analysis.arms.len() < 3 { few_arms } else { "no task has a started trial in every arm" },
        );
    }
    if analysis.trends.is_empty() {
        say("trends", few_arms);
    }
    if analysis.comparisons.is_empty() {
        say("comparisons", "there is one arm");
    }
    absent
}

fn incomplete(analysis: &Analysis) -> Option<String> {
    let (planned, recorded) = (analysis.about.planned, analysis.about.recorded);
    (recorded < planned).then(|| {
        format!(
            "{} of {planned} planned trials are pending: they have no record yet and count as not started in every rate and score",
            planned - recorded
        )
    })
}

/// Rates under different kill scopes are not comparable.
fn scopes(arms: &[ArmSummary]) -> Option<String> {
    let mut seen: Vec<KillScope> = arms.iter().map(|arm| arm.kill_scope).collect();
    seen.sort_unstable();
    seen.dedup();
    (seen.len() > 1).then(|| {
        "arms differ in kill scope: a kill that ends the trial in one is survived in another, so that their ceiling-kill rates are not \
         comparable"
            .to_owned()
    })
}

fn mismatches(arms: &[ArmSummary]) -> Vec<String> {
    arms.iter()
        .flat_map(|arm| arm.mismatches.iter().map(move |says| format!("arm `{}`: {says}", arm.name)))
        .collect()
}

fn low_coverage(arms: &[ArmSummary]) -> Vec<String> {
    arms.iter()
        .filter(|arm| arm.planned > arm.not_recorded)
        .filter_map(|arm| {
            let not_started = arm.count(Shown::NotStarted) - arm.not_recorded;
            let share = not_started as f64 / arm.planned as f64;
            (share > 0.01).then(|| {
                format!(
                    "arm `{}`: {not_started} of {} trials never started their agent; read the bounds beside the score",
                    arm.name, arm.planned
                )
            })
        })
        .collect()
}

fn small(analysis: &Analysis) -> Option<String> {
    (analysis.about.tasks < 30 && analysis.about.tasks > 1).then(|| {
        format!(
            "{} tasks are few for claims about tasks like these: wilson_neff covers as little as 88 % where 95 % is written",
            analysis.about.tasks
        )
    })
}

/// Trials that ran on another machine or boot than the plan's.
fn host_differs(table: &Table<'_>) -> Option<String> {
    let engines: std::collections::BTreeSet<&str> =
        table.chosen().map(|chosen| chosen.record.facts.engine.as_str()).collect();
    (engines.len() > 1).then(|| {
        format!("trials ran on different engines ({})", engines.into_iter().collect::<Vec<_>>().join(", "))
    })
}

/// Scoring rules and denominators, each in a sentence.
pub(crate) fn footnotes(analysis: &Analysis, table: &Table<'_>) -> Vec<String> {
    let mut notes: Vec<String> =
        ScoringRule::ALL.into_iter().map(|rule| rule.sentence().to_owned()).collect();
    notes.push(
        "rates: over trials whose agent phase started; intervals for these tasks by Clopper and Pearson, for tasks like these by \
         wilson_neff, 95 %"
            .to_owned(),
    );
    notes.push(
        "differences on these tasks: Mantel-Haenszel risk difference with its interval and the exact stratified p-value; on tasks like \
         these: paired t over tasks; Holm over the comparisons with one base"
            .to_owned(),
    );
    notes.push("the first attempt whose agent phase started counts; every attempt is kept".to_owned());
    for arm in analysis.arms.iter().filter(|arm| is_uncapped(arm)) {
        if let Some(multiple) = arm.real_multiple {
            notes.push(format!(
                "`{}` has no ceiling of its own; the host holds {multiple:.0}x the median task spec",
                arm.name
            ));
        }
    }
    let others: Vec<String> =
        other_ceilings(table).into_iter().map(|(resource, trials)| format!("{resource} {trials}")).collect();
    if !others.is_empty() {
        notes.push(format!("ceiling kills and refusals by resource (trials): {}", others.join(", ")));
    }
    notes
}

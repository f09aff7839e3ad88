//! Arms against a base: the first arm, and the reference arm.

use infranoise_core::{ArmId, ScoringRule, Shown};
use infranoise_stats::difference::{cmh_exact, leave_one_task_out, mh_rd, paired_task_t, these_tasks};
use infranoise_stats::equivalence::{tost_fixed_tasks, tost_pairs};
use infranoise_stats::multiplicity::holm;
use infranoise_stats::{Grid, Pair, StatError, TestResult};

use crate::arms::LEVEL;
use crate::decomposition::decomposition;
use crate::doc::{
    ApartRow, Claim, ClaimScope, Comparison, Difference, Influence, KillComparison, VerdictWord,
};
use crate::scores::cell_under;
use crate::table::{Table, Tally, cell};
use crate::verdict::{RepeatNoise, verdict};

/// Every arm against the first, then against the reference if that is another one.
pub(crate) fn comparisons(table: &Table<'_>, tallies: &Grid<Tally>, noise: &RepeatNoise) -> Vec<Comparison> {
    let arms = &table.plan.arms;
    let place = |name: &ArmId| arms.iter().position(|arm| &arm.arm.name == name);
    let mut bases = vec![0];
    bases.extend(table.plan.reference.as_ref().and_then(place).filter(|place| *place != 0));
    let mut all = Vec::new();
    for base in bases {
        let mut family: Vec<Comparison> = (0..arms.len())
            .filter(|arm| *arm != base && (base == 0 || *arm != 0))
            .map(|arm| compare(table, tallies, base, arm, noise))
            .collect();
        correct(&mut family);
        all.extend(family);
    }
    all
}

/// Every pair of arms: can they be told apart? Holm's correction is over all pairs.
pub(crate) fn apart(table: &Table<'_>, tallies: &Grid<Tally>, noise: &RepeatNoise) -> Vec<ApartRow> {
    let arms = &table.plan.arms;
    let places = (0..arms.len()).flat_map(|base| (base + 1..arms.len()).map(move |arm| (base, arm)));
    let mut rows = Vec::new();
    let mut ps = Vec::new();
    for (base, arm) in places {
        let columns = (tallies.arm(base), tallies.arm(arm));
        let mut pairs = pairs_of(&columns, |tally| cell_under(ScoringRule::Strict, tally));
        pairs.retain(|pair| pair.difference().is_some());
        let these = on_these_tasks(&pairs, table.plan.margin_pp / 100.0);
        ps.push(these.test.as_ref().map(|test| test.p));
        rows.push(ApartRow {
            base: arms[base].arm.name.clone(),
            arm: arms[arm].arm.name.clone(),
            effect: these.test.as_ref().map(|test| test.effect),
            p_holm: None,
            word: verdict(&these, table.plan.margin_pp / 100.0, pairs.len() as u64, noise).word,
        });
    }
    for (row, p) in rows.iter_mut().zip(adjusted(ps)) {
        row.p_holm = p;
        // A pair that only one look at it would tell apart is not told apart here: all pairs are looked at.
        if row.word == VerdictWord::Different && p.is_none_or(|p| p >= 0.05) {
            row.word = VerdictWord::CannotTell;
        }
    }
    rows
}

fn compare(
    table: &Table<'_>,
    tallies: &Grid<Tally>,
    base: usize,
    arm: usize,
    noise: &RepeatNoise,
) -> Comparison {
    let arms = &table.plan.arms;
    let (up, down, pairs) = flips(table, &arms[base].arm.name, &arms[arm].arm.name);
    let columns = (tallies.arm(base), tallies.arm(arm));
    Comparison {
        base: arms[base].arm.name.clone(),
        arm: arms[arm].arm.name.clone(),
        scores: vec![score(table, &columns, ScoringRule::Strict, noise)],
        kills: vec![
            kills("ceiling kills", &columns, |tally| tally.count(Shown::Ceiling)),
            kills("faults", &columns, |tally| tally.count(Shown::Fault)),
            kills("infra errors", &columns, Tally::infra_errors),
        ],
        decomposition: decomposition(table, base, arm, &columns),
        flips_up: up,
        flips_down: down,
        pairs,
    }
}

fn pairs_of(columns: &(Vec<Tally>, Vec<Tally>), to: impl Fn(&Tally) -> infranoise_stats::Cell) -> Vec<Pair> {
    columns.0.iter().zip(&columns.1).map(|(a, b)| Pair { a: to(a), b: to(b) }).collect()
}

fn score(
    table: &Table<'_>,
    columns: &(Vec<Tally>, Vec<Tally>),
    rule: ScoringRule,
    noise: &RepeatNoise,
) -> Difference {
    let pairs = pairs_of(columns, |tally| cell_under(rule, tally));
    let usable: Vec<Pair> = pairs.iter().copied().filter(|pair| pair.difference().is_some()).collect();
    let margin = table.plan.margin_pp / 100.0;
    let these = on_these_tasks(&usable, margin);
    let tost_new = tost_pairs(&usable, margin, 0.05);
    let new = claim(
        ClaimScope::NewTasks,
        alike(&usable),
        paired_task_t(&usable, LEVEL),
        tost_new.as_ref().ok().map(|tost| tost.p),
        tost_new.as_ref().ok().map(|tost| tost.effect),
    );
    Difference {
        rule,
        tasks: usable.len() as u64,
        tasks_left_out: (pairs.len() - usable.len()) as u64,
        verdict: verdict(&these, margin, usable.len() as u64, noise),
        influence: influence(table, columns, rule),
        worst_case: worst_case(columns),
        these_tasks: these,
        new_tasks: new,
    }
}

/// Whether no task differs.
fn alike(pairs: &[Pair]) -> bool {
    !pairs.is_empty() && pairs.iter().all(|pair| pair.difference() == Some(0.0))
}

/// The claim about these very tasks.
fn on_these_tasks(usable: &[Pair], margin: f64) -> Claim {
    let tost = tost_fixed_tasks(usable, margin, 0.05).ok();
    claim(
        ClaimScope::TheseTasks,
        alike(usable),
        these_tasks(usable, LEVEL),
        tost.as_ref().map(|tost| tost.p),
        tost.as_ref().map(|tost| tost.effect),
    )
}

/// The task that carries most of the difference of the mean over tasks.
fn influence(table: &Table<'_>, columns: &(Vec<Tally>, Vec<Tally>), rule: ScoringRule) -> Option<Influence> {
    let pairs = pairs_of(columns, |tally| cell_under(rule, tally));
    let differences: Vec<(usize, f64)> =
        pairs.iter().enumerate().filter_map(|(task, pair)| Some((task, pair.difference()?))).collect();
    if differences.len() < 2 {
        return None;
    }
    let (count, sum) = (differences.len() as f64, differences.iter().map(|(_, d)| d).sum::<f64>());
    let mean = sum / count;
    let without = |difference: f64| (sum - difference) / (count - 1.0);
    let (task, difference) = differences
        .iter()
        .copied()
        .reduce(|a, b| if (without(b.1) - mean).abs() > (without(a.1) - mean).abs() { b } else { a })?;
    Some(Influence {
        task: table.plan.tasks[task].id.clone(),
        without: without(difference),
        largest_p: leave_one_task_out(&pairs).ok().map(|found| found.largest_p),
    })
}

/// The difference of mean scores if all missing trials failed in one arm and passed in the other, where more than 1 % are missing.
fn worst_case(columns: &(Vec<Tally>, Vec<Tally>)) -> Option<(f64, f64)> {
    let all = columns.0.iter().chain(&columns.1);
    let (missing, planned) = all.fold((0, 0), |(missing, planned), tally| {
        (missing + tally.count(Shown::NotStarted), planned + tally.planned())
    });
    if planned == 0 || missing * 100 <= planned {
        return None;
    }
    let score = |column: &[Tally], missing_pass: bool| {
        let rates: Vec<f64> = column
            .iter()
            .filter(|tally| tally.planned() > 0)
            .map(|tally| {
                let granted = if missing_pass { tally.count(Shown::NotStarted) } else { 0 };
                (tally.count(Shown::Pass) + granted) as f64 / tally.planned() as f64
            })
            .collect();
        rates.iter().sum::<f64>() / rates.len().max(1) as f64
    };
    Some((
        score(&columns.1, false) - score(&columns.0, true),
        score(&columns.1, true) - score(&columns.0, false),
    ))
}

fn claim(
    scope: ClaimScope,
    alike: bool,
    test: Result<TestResult, StatError>,
    p_equivalence: Option<f64>,
    interval_90: Option<infranoise_stats::Estimate>,
) -> Claim {
    let why_not = test.as_ref().err().map(|error| match error {
        _ if alike => "no task differs between the two arms".to_owned(),
        other => other.to_string(),
    });
    Claim { scope, test: test.ok(), p_holm: None, p_equivalence, interval_90, why_not }
}

fn kills(
    what: &str,
    columns: &(Vec<Tally>, Vec<Tally>),
    count: impl Fn(&Tally) -> u64 + Copy,
) -> KillComparison {
    let pairs = pairs_of(columns, |tally| cell(count(tally), tally.started()));
    let usable: Vec<Pair> = pairs.into_iter().filter(|pair| pair.difference().is_some()).collect();
    let sums = |column: &[Tally]| {
        column.iter().fold((0, 0), |(hits, of), tally| (hits + count(tally), of + tally.started()))
    };
    let exact = cmh_exact(&usable, LEVEL);
    KillComparison {
        what: what.to_owned(),
        base: sums(&columns.0),
        arm: sums(&columns.1),
        risk_difference: mh_rd(&usable, LEVEL).ok().map(|test| test.effect),
        odds_ratio: exact.as_ref().ok().and_then(|exact| exact.odds_ratio),
        p_exact: exact.as_ref().ok().map(|exact| exact.p),
        p_holm: None,
        p_leave_one_out_max: leave_one_task_out(&usable).ok().map(|found| found.largest_p),
        why_not: match exact {
            Ok(_) if sums(&columns.0).0 + sums(&columns.1).0 == 0 => {
                Some("there was none in either arm".to_owned())
            }
            Ok(_) => None,
            Err(error) => Some(error.to_string()),
        },
    }
}

/// Pairs of the same task, repeat and seed: failed then passed, passed then failed, all.
fn flips(table: &Table<'_>, base: &ArmId, arm: &ArmId) -> (u64, u64, u64) {
    let mut counts = (0, 0, 0);
    for task in 0..table.plan.tasks.len() {
        for repeat in 0..table.plan.repeats {
            let (Some(a), Some(b)) = (table.get(base, task, repeat), table.get(arm, task, repeat)) else {
                continue;
            };
            let (a, b) = (a.shown() == Shown::Pass, b.shown() == Shown::Pass);
            counts.0 += u64::from(!a && b);
            counts.1 += u64::from(a && !b);
            counts.2 += 1;
        }
    }
    counts
}

/// Holm's correction over the comparisons with one base: success and infra errors are separate families.
fn correct(family: &mut [Comparison]) {
    let these = adjusted(family.iter().map(|c| c.scores[0].these_tasks.test.as_ref().map(|t| t.p)).collect());
    let new = adjusted(family.iter().map(|c| c.scores[0].new_tasks.test.as_ref().map(|t| t.p)).collect());
    for ((comparison, these), new) in family.iter_mut().zip(these).zip(new) {
        comparison.scores[0].these_tasks.p_holm = these;
        comparison.scores[0].new_tasks.p_holm = new;
    }
    let kinds = family.first().map_or(0, |comparison| comparison.kills.len());
    for kind in 0..kinds {
        let adjusted = adjusted(family.iter().map(|comparison| comparison.kills[kind].p_exact).collect());
        for (comparison, p) in family.iter_mut().zip(adjusted) {
            comparison.kills[kind].p_holm = p;
        }
    }
}

/// Holm's correction of the p-values that are known.
fn adjusted(ps: Vec<Option<f64>>) -> Vec<Option<f64>> {
    let known: Vec<f64> = ps.iter().flatten().copied().collect();
    let mut adjusted = holm(&known).unwrap_or_default().into_iter();
    ps.into_iter().map(|p| p.and_then(|_| adjusted.next())).collect()
}

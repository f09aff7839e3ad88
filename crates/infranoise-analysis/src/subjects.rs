//! Several subjects (agent, model) over the same arms: does the ranking hold in every arm, and does an arm help one more than another?

use infranoise_core::{ArmId, Plan, ScoringRule, TaskId, TrialRecord};
use infranoise_stats::difference::fixed_task_se;
use infranoise_stats::equivalence::tost_paired;
use infranoise_stats::special::normal;
use infranoise_stats::{Estimate, Pair};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scores::cell_under;
use crate::table::{Table, Tally};

/// One subject's results.
#[derive(Clone, Debug)]
pub struct SubjectResult<'r> {
    /// What it is called in tables.
    pub name: String,
    /// Its plan.
    pub plan: &'r Plan,
    /// Its records.
    pub records: &'r [TrialRecord],
}

/// The order of subjects in one arm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ranking {
    /// The arm.
    pub arm: ArmId,
    /// Subjects with their strict scores, best first.
    pub order: Vec<(String, f64)>,
}

/// Whether an arm helps one subject more than another: the difference of two differences.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Interaction {
    /// The first subject.
    pub first: String,
    /// The second.
    pub second: String,
    /// The base arm.
    pub base: ArmId,
    /// The arm.
    pub arm: ArmId,
    /// Tasks that both subjects have trials of in both arms.
    pub tasks: u64,
    /// (second in the arm - second in the base) - (first in the arm - first in the base), with its 95 % interval for these tasks; absent
    /// with fewer than two repeats.
    pub these_tasks: Option<Estimate>,
    /// The same with its 95 % interval for tasks like these.
    pub new_tasks: Option<Estimate>,
    /// The finding in one sentence.
    pub says: String,
}

/// What several subjects show.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Subjects {
    /// The order in each arm that all have.
    pub rankings: Vec<Ranking>,
    /// Whether it is the same order in every arm.
    pub ranking_holds: bool,
    /// Pairs of subjects over the first and the last common arm.
    pub interactions: Vec<Interaction>,
}

/// Why subjects cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SubjectsError {
    /// Fewer than two.
    #[error("it takes at least two subjects, there is {found}")]
    TooFew {
        /// How many there are.
        found: usize,
    },
    /// Nothing in common.
    #[error("the subjects have no {what} in common")]
    NothingCommon {
        /// Arms or tasks.
        what: &'static str,
    },
}

/// Compares subjects over the arms and tasks that all of them have.
///
/// # Errors
/// If there are fewer than two, or they have no arm or task in common.
pub fn subjects(results: &[SubjectResult<'_>]) -> Result<Subjects, SubjectsError> {
    let [first, others @ ..] = results else { return Err(SubjectsError::TooFew { found: 0 }) };
    if others.is_empty() {
        return Err(SubjectsError::TooFew { found: 1 });
    }
    let common_arms: Vec<&ArmId> = first
        .plan
        .arms
        .iter()
        .map(|arm| &arm.arm.name)
        .filter(|name| others.iter().all(|other| other.plan.arm(name).is_some()))
        .collect();
    let common_tasks: Vec<&TaskId> = first
        .plan
        .tasks
        .iter()
        .map(|task| &task.id)
        .filter(|id| others.iter().all(|other| other.plan.task(id).is_some()))
        .collect();
    for (what, empty) in [("arm", common_arms.is_empty()), ("task", common_tasks.is_empty())] {
        if empty {
            return Err(SubjectsError::NothingCommon { what });
        }
    }
    let columns: Vec<Vec<Vec<Tally>>> =
        results.iter().map(|result| by_arm(result, &common_arms, &common_tasks)).collect();
    let rankings: Vec<Ranking> = common_arms
        .iter()
        .enumerate()
        .map(|(arm, name)| {
            let mut order: Vec<(String, f64)> = results
                .iter()
                .zip(&columns)
                .map(|(result, columns)| (result.name.clone(), score(&columns[arm])))
                .collect();
            order.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
            Ranking { arm: (*name).clone(), order }
        })
        .collect();
    let names = |ranking: &Ranking| ranking.order.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    let ranking_holds = rankings.windows(2).all(|pair| names(&pair[0]) == names(&pair[1]));
    let last = common_arms.len() - 1;
    let mut interactions = Vec::new();
    if last > 0 {
        for one in 0..results.len() {
            for two in one + 1..results.len() {
                let pairs = |subject: usize| pairs(&columns[subject][0], &columns[subject][last]);
                let mut found = interaction(&pairs(one), &pairs(two));
                found.first.clone_from(&results[one].name);
                found.second.clone_from(&results[two].name);
                found.base = common_arms[0].clone();
                found.arm = common_arms[last].clone();
                found.says = says(&found);
                interactions.push(found);
            }
        }
    }
    Ok(Subjects { rankings, ranking_holds, interactions })
}

fn by_arm(result: &SubjectResult<'_>, arms: &[&ArmId], tasks: &[&TaskId]) -> Vec<Vec<Tally>> {
    let table = Table::new(result.plan, result.records);
    let tallies = table.tallies();
    let place = |name: &ArmId| result.plan.arms.iter().position(|arm| &arm.arm.name == name).unwrap_or(0);
    let wanted: Vec<usize> =
        tasks.iter().filter_map(|id| result.plan.tasks.iter().position(|task| &task.id == *id)).collect();
    arms.iter()
        .map(|name| {
            let column = tallies.arm(place(name));
            wanted.iter().map(|task| column[*task]).collect()
        })
        .collect()
}

fn score(column: &[Tally]) -> f64 {
    let rates: Vec<f64> =
        column.iter().filter_map(|tally| cell_under(ScoringRule::Strict, tally).rate()).collect();
    rates.iter().sum::<f64>() / rates.len().max(1) as f64
}

fn pairs(base: &[Tally], arm: &[Tally]) -> Vec<Pair> {
    let cell = |tally: &Tally| cell_under(ScoringRule::Strict, tally);
    base.iter().zip(arm).map(|(a, b)| Pair { a: cell(a), b: cell(b) }).collect()
}

fn interaction(first: &[Pair], second: &[Pair]) -> Interaction {
    let both: Vec<(Pair, Pair)> = first
        .iter()
        .copied()
        .zip(second.iter().copied())
        .filter(|(a, b)| a.difference().is_some() && b.difference().is_some())
        .collect();
    let values: Vec<f64> = both.iter().filter_map(|(a, b)| Some(b.difference()? - a.difference()?)).collect();
    let trials = |pair: &Pair| u64::from(pair.a.trials()) + u64::from(pair.b.trials());
    let n = both.iter().map(|(a, b)| trials(a) + trials(b)).sum();
    let new_tasks = tost_paired(&values, n, 1.0, 0.025).ok().map(|tost| tost.effect);
    let (ones, twos): (Vec<Pair>, Vec<Pair>) = both.into_iter().unzip();
    let se =
        fixed_task_se(&ones).and_then(|a| Ok(a.hypot(fixed_task_se(&twos)?))).ok().filter(|se| *se > 0.0);
    let value = values.iter().sum::<f64>() / values.len().max(1) as f64;
    let these_tasks = se.map(|se| {
        let half = normal::quantile(0.975) * se;
        Estimate {
            value,
            low: value - half,
            high: value + half,
            level: 0.95,
            method: infranoise_stats::Method::FixedTaskDifference,
            n,
            clusters: values.len() as u64,
        }
    });
    let unnamed = || ArmId::try_new("unnamed").unwrap_or_else(|_| unreachable!("`unnamed` is a name"));
    Interaction {
        first: String::new(),
        second: String::new(),
        base: unnamed(),
        arm: unnamed(),
        tasks: values.len() as u64,
        these_tasks,
        new_tasks,
        says: String::new(),
    }
}

fn says(found: &Interaction) -> String {
    let Some(estimate) = found.these_tasks.or(found.new_tasks) else {
        return format!(
            "can't tell whether {} gains more than {} from {} to {}: too few repeats and tasks",
            found.second, found.first, found.base, found.arm
        );
    };
    let range = format!(
        "{:+.1} points [{:+.1}, {:+.1}]",
        estimate.value * 100.0,
        estimate.low * 100.0,
        estimate.high * 100.0
    );
    let (more, less) =
        if estimate.value >= 0.0 { (&found.second, &found.first) } else { (&found.first, &found.second) };
    if estimate.contains(0.0) {
        format!(
            "can't tell whether {more} gains more than {less} from {} to {}: {range}",
            found.base, found.arm
        )
    } else {
        format!("{more} gains more than {less} from {} to {}: {range} on these tasks", found.base, found.arm)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use infranoise_core::testing::{Ending, plan, record};

    fn result(plan: &Plan, passes: impl Fn(usize, usize, u32) -> bool) -> Vec<TrialRecord> {
        plan.keys()
            .map(|key| {
                let task = plan.tasks.iter().position(|task| task.id == key.task).expect("a task");
                let arm = plan.arms.iter().position(|arm| arm.arm.name == key.arm).expect("an arm");
                let passed = passes(task, arm, key.repeat);
                record(plan, key, if passed { Ending::Pass } else { Ending::Fail })
            })
            .collect()
    }

    fn named<'r>(name: &str, plan: &'r Plan, records: &'r [TrialRecord]) -> SubjectResult<'r> {
        SubjectResult { name: name.into(), plan, records }
    }

    #[test]
    fn an_arm_that_helps_one_subject_alone_is_an_interaction_and_turns_the_ranking() {
        let plan = plan(20, 2, 4);
        let steady = result(&plan, |task, _, repeat| (task as u32 + repeat).is_multiple_of(2));
        let hungry = result(&plan, |task, arm, repeat| {
            if arm == 0 {
                (task as u32 + repeat).is_multiple_of(4)
            } else {
                !(task as u32 + repeat).is_multiple_of(4)
            }
        });
        let found =
            subjects(&[named("steady", &plan, &steady), named("hungry", &plan, &hungry)]).expect("compares");
        assert!(!found.ranking_holds);
        let first: Vec<&str> = found.rankings.iter().map(|r| r.order[0].0.as_str()).collect();
        assert_eq!(first, vec!["steady", "hungry"]);
        let one = &found.interactions[0];
        let estimate = one.these_tasks.expect("an interval");
        assert!((estimate.value - 0.5).abs() < 1e-9 && !estimate.contains(0.0), "{one:?}");
        assert!(one.says.starts_with("hungry gains more than steady from 1x to 2x"), "{}", one.says);
    }

    #[test]
    fn what_cannot_be_compared_is_said() {
        let plan = plan(2, 2, 1);
        let records = result(&plan, |_, _, _| true);
        let one = named("a", &plan, &records);
        assert_eq!(subjects(std::slice::from_ref(&one)), Err(SubjectsError::TooFew { found: 1 }));
        let same = subjects(&[one.clone(), named("b", &plan, &records)]).expect("compares");
        assert!(same.ranking_holds && same.interactions[0].says.starts_with("can't tell"));
    }
}

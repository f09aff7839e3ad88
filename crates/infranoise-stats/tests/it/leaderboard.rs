//! 5,200 real trials of 13 submissions to the Terminal-Bench 1 leaderboard against the reference statistics over them.

use crate::reference::reference_file;
use infranoise_stats::association::{cluster_logit, spearman, wilcoxon_signed_rank};
use infranoise_stats::bootstrap::{Resampling, cluster_bootstrap_pct};
use infranoise_stats::difference::{cmh, mcnemar_exact, paired_task_t, signflip_exact};
use infranoise_stats::multiplicity::{benjamini_hochberg, holm};
use infranoise_stats::rate::{pass_at, pass_hat, seed_se, task_mean_ci, trial_mean_cluster, wilson};
use infranoise_stats::special::normal;
use infranoise_stats::totals::{Total, fisher};
use infranoise_stats::trend::cochran_armitage;
use infranoise_stats::variance::oneway_varcomp;
use infranoise_stats::{Cell, Pair};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const EXACT: f64 = 1e-9;

struct Trial {
    submission: String,
    task: String,
    attempt: usize,
    passed: bool,
    no_verdict: bool,
    concurrency: Option<f64>,
}

fn trials(text: &str) -> Vec<Trial> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let column = |name: &str| header.iter().position(|column| *column == name).expect("the column exists");
    let names = ["submission", "task", "attempt", "y", "is_resolved", "n_concurrent"];
    let [submission, task, attempt, passed, verdict, concurrency] = names.map(column);
    let read = |line: &str| {
        let fields = split(line);
        Trial {
            submission: fields[submission].clone(),
            task: fields[task].clone(),
            attempt: fields[attempt].parse().expect("an attempt"),
            passed: fields[passed] == "1",
            no_verdict: fields[verdict].is_empty(),
            concurrency: fields[concurrency].parse().ok(),
        }
    };
    lines.map(read).collect()
}

/// Fields of a CSV line; quoted ones may hold commas.
fn split(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => fields.last_mut().expect("one field at least").push(c),
        }
    }
    fields
}

/// Collects what differs.
#[derive(Default)]
struct Report {
    compared: usize,
    problems: Vec<String>,
}

impl Report {
    fn check(&mut self, what: &str, got: f64, expected: &Value, tolerance: f64) {
        self.compared += 1;
        let expected = expected.as_f64().unwrap_or(f64::NAN);
        let error = (got - expected).abs() / expected.abs().max(1.0);
        if error.is_nan() || error > tolerance {
            self.problems.push(format!("{what}: {got} instead of {expected}"));
        }
    }
}

fn cells<'a>(
    tasks: &BTreeSet<&str>,
    trials: impl Iterator<Item = &'a Trial> + Clone,
    hit: fn(&Trial) -> bool,
) -> Vec<Cell> {
    let count = |task: &str, only_hits: bool| {
        trials.clone().filter(|trial| trial.task == task && (!only_hits || hit(trial))).count() as u32
    };
    tasks
        .iter()
        .map(|task| Cell::try_new(count(task, true), count(task, false)).expect("hits <= trials"))
        .collect()
}

fn submission(
    report: &mut Report,
    name: &str,
    tasks: &BTreeSet<&str>,
    trials: &[&Trial],
    expected: &Value,
) -> Vec<Cell> {
    let cells = cells(tasks, trials.iter().copied(), |trial| trial.passed);
    let mut check = |field: &str, got: f64, tolerance: f64| {
        let pointer = format!("/{field}");
        report.check(
            &format!("{name}.{field}"),
            got,
            expected.pointer(&pointer).unwrap_or(&Value::Null),
            tolerance,
        );
    };
    let mean = trial_mean_cluster(&cells).expect("an answer");
    check("p", mean.value, EXACT);
    check("se_cluster_cr0", mean.se_cr0, EXACT);
    check("se_cluster_cr1", mean.se, EXACT);
    let q = normal::quantile(0.975);
    check("ci95_z/0", mean.value - q * mean.se, EXACT);
    check("ci95_z/1", mean.value + q * mean.se, EXACT);
    let by_task = task_mean_ci(&cells, 0.95).expect("an answer");
    check("se_task_means", by_task.se, EXACT);
    check("ci95_t/0", by_task.estimate.low, EXACT);
    check("ci95_t/1", by_task.estimate.high, EXACT);
    let hits: u64 = cells.iter().map(|cell| u64::from(cell.hits())).sum();
    let pooled = wilson(hits, trials.len() as u64, 0.95).expect("an answer");
    check("wilson95/0", pooled.low, EXACT);
    check("wilson95/1", pooled.high, EXACT);
    let boot =
        cluster_bootstrap_pct(&cells, 0.95, Resampling { draws: 40_000, seed: 12345 }).expect("an answer");
    check("boot95/0", boot.estimate.low, 0.003);
    check("boot95/1", boot.estimate.high, 0.003);
    check("icc_anova", oneway_varcomp(&cells).expect("an answer").rho, EXACT);
    check("se_within", seed_se(&cells).expect("an answer").value(), EXACT);
    for tries in 1..=5 {
        check(&format!("pass_at_k/{tries}"), pass_at(&cells, tries).expect("an answer"), EXACT);
        check(&format!("pass_hat_k/{tries}"), pass_hat(&cells, tries).expect("an answer"), EXACT);
    }
    let passed = |task: &str, attempt: usize| {
        trials
            .iter()
            .find(|trial| trial.task == task && trial.attempt == attempt)
            .is_some_and(|trial| trial.passed)
    };
    let only = |this: usize, other: usize| {
        tasks.iter().filter(|task| passed(task, this) && !passed(task, other)).count()
    };
    let mcnemar = mcnemar_exact(only(1, 2) as u64, only(2, 1) as u64, 0.95).expect("an answer");
    check("mcnemar_att1_att2/exact_p", mcnemar.p, EXACT);
    check("mcnemar_att1_att2/mid_p", mcnemar.p_mid, EXACT);
    cells
}

fn pair(report: &mut Report, cells: &BTreeMap<&str, Vec<Cell>>, expected: &Value) -> f64 {
    let (first, second) = (expected["A"].as_str().unwrap_or(""), expected["B"].as_str().unwrap_or(""));
    // The reference subtracts the second from the first; our differences are B minus A.
    let pairs = Pair::zip(&cells[second], &cells[first]).expect("an answer");
    let mut check = |field: &str, got: f64| {
        report.check(&format!("{first}-{second}.{field}"), got, &expected[field], EXACT)
    };
    let paired = paired_task_t(&pairs, 0.95).expect("an answer");
    check("diff", paired.effect.value);
    check("se_paired", paired.se);
    check("t", paired.statistic);
    check("p_t", paired.p);
    check("signflip_exact_p", signflip_exact(&pairs).expect("an answer").p);
    // The reference ranks differences of fifths as floating-point numbers, so that 0.8 - 0.6 and 0.4 - 0.2 are no tie.
    // Integers are right, and what one should pass; here the reference's own numbers reproduce it.
    let rounded: Vec<f64> = pairs.iter().filter_map(|pair| pair.difference()).collect();
    let wilcoxon = wilcoxon_signed_rank(&rounded).expect("differences");
    check("wilcoxon_W", wilcoxon.w);
    check("wilcoxon_p", wilcoxon.p);
    let stratified = cmh(&pairs, 0.95).expect("an answer");
    check("cmh_chi2", stratified.chi_squared);
    check("cmh_p", stratified.p);
    check("mh_or", stratified.odds_ratio.expect("an answer"));
    let se = |name: &str| trial_mean_cluster(&cells[name]).expect("an answer").se;
    let z = paired.effect.value / (se(first).powi(2) + se(second).powi(2)).sqrt();
    check("unpaired_z", z);
    check("unpaired_p", normal::two_sided(z));
    paired.p
}

fn natural_experiments(report: &mut Report, tasks: &BTreeSet<&str>, all: &[Trial], expected: &Value) {
    let ob1: Vec<&Trial> = all.iter().filter(|trial| trial.submission == "ob1").collect();
    let expected_ob1 = &expected["ob1_concurrency"];
    let runs = expected_ob1["runs"].as_array().expect("runs");
    let count = |run: &Value, field: &str| run[field].as_u64().unwrap_or(0) as u32;
    let totals = |field: &str| -> Vec<Total> {
        runs.iter().map(|run| Total { hits: count(run, field), trials: count(run, "n") }).collect()
    };
    let scores: Vec<f64> = runs.iter().map(|run| run["conc"].as_f64().unwrap_or(0.0)).collect();
    for (field, name) in [("null", "cochran_armitage_null"), ("res", "cochran_armitage_resolved")] {
        let trend = cochran_armitage(&totals(field), &scores).expect("an answer");
        report.check(&format!("{name}.z"), trend.z, &expected_ob1[name]["z"], EXACT);
        report.check(&format!("{name}.p"), trend.p, &expected_ob1[name]["p"], EXACT);
    }
    let test =
        fisher(Total { hits: 2, trials: 80 }, Total { hits: 30, trials: 240 }, 0.95).expect("an answer");
    report.check("fisher_null", test.p, &expected_ob1["fisher_null_8_vs_32"]["p"], EXACT);
    let levels: BTreeSet<u32> =
        ob1.iter().filter_map(|trial| trial.concurrency).map(|level| level as u32).collect();
    let by_level: Vec<Vec<Cell>> = levels
        .iter()
        .map(|&level| {
            let at = ob1.iter().copied().filter(move |trial| trial.concurrency == Some(level.into()));
            cells(tasks, at, |trial| trial.no_verdict)
        })
        .collect();
    let rows: Vec<Vec<(f64, Cell)>> = (0..tasks.len())
        .map(|task| levels.iter().zip(&by_level).map(|(&level, cells)| (level.into(), cells[task])).collect())
        .collect();
    let logit = cluster_logit(&rows).expect("an answer");
    let expected_logit = &expected_ob1["logit_null_on_conc_cluster_task"];
    report.check("logit.coef", logit.slope, &expected_logit["coef"], EXACT);
    report.check("logit.se", logit.se, &expected_logit["se"], EXACT);
    report.check("logit.p", logit.p, &expected_logit["p"], EXACT);

    let astropy = &expected["swe_bench_astropy_1"];
    let column = |field: &str| -> Vec<f64> {
        astropy["rows"]
            .as_array()
            .expect("rows")
            .iter()
            .map(|row| row[field].as_f64().unwrap_or(f64::NAN))
            .collect()
    };
    let ranks = spearman(&column("test_med"), &column("res")).expect("an answer");
    report.check("astropy.rho", ranks.rho, &astropy["spearman"]["rho"], EXACT);
    report.check("astropy.p", ranks.p, &astropy["spearman"]["p"], EXACT);
    let speed = &expected["verifier_speed_index"];
    let values = |field: &str| -> Vec<f64> {
        speed[field]
            .as_object()
            .expect("an object")
            .values()
            .map(|value| value.as_f64().unwrap_or(f64::NAN))
            .collect()
    };
    let ranks = spearman(&values("index"), &values("null_rate")).expect("an answer");
    report.check("speed.rho", ranks.rho, &speed["spearman_vs_null_rate"]["rho"], EXACT);
    report.check("speed.p", ranks.p, &speed["spearman_vs_null_rate"]["p"], EXACT);
    let test =
        fisher(Total { hits: 41, trials: 160 }, Total { hits: 80, trials: 160 }, 0.95).expect("an answer");
    let hours = &expected["cursor_time_of_day"]["fisher_timeout_run12_vs_run34"];
    report.check("fisher_timeout", test.p, &hours["p"], EXACT);
}

#[test]
fn submissions_pairs_and_natural_experiments() {
    let Some(csv) = reference_file("data/tb1/trials.csv") else { return };
    let Some(json) = reference_file("data/tb1/stats.json") else { return };
    let all = trials(&std::fs::read_to_string(csv).unwrap());
    let expected: Value = serde_json::from_str(&std::fs::read_to_string(json).unwrap()).unwrap();
    let tasks: BTreeSet<&str> = all.iter().map(|trial| trial.task.as_str()).collect();
    assert_eq!((all.len(), tasks.len()), (5_200, 80));
    let mut report = Report::default();
    let mut cells = BTreeMap::new();
    for (name, expected) in expected["submissions"].as_object().unwrap() {
        let trials: Vec<&Trial> = all.iter().filter(|trial| trial.submission == *name).collect();
        cells.insert(name.as_str(), submission(&mut report, name, &tasks, &trials, expected));
    }
    let pairs = expected["pairs"].as_array().unwrap();
    let p_values: Vec<f64> = pairs.iter().map(|expected| pair(&mut report, &cells, expected)).collect();
    for (method, adjusted) in
        [("p_holm", holm(&p_values).unwrap()), ("p_bh", benjamini_hochberg(&p_values).unwrap())]
    {
        for (expected, adjusted) in pairs.iter().zip(adjusted) {
            report.check(method, adjusted, &expected[method], EXACT);
        }
    }
    natural_experiments(&mut report, &tasks, &all, &expected["natural_experiments"]);
    assert_eq!((cells.len(), pairs.len()), (13, 78));
    assert!(
        report.problems.is_empty(),
        "{} of {} differ:\n{}",
        report.problems.len(),
        report.compared,
        report.problems.join("\n")
    );
}

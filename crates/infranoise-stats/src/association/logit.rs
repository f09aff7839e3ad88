//! Logistic regression on one number, tasks as clusters.

use crate::cell::Cell;
use crate::check;
use crate::error::{Result, StatError};
use crate::special::normal;

/// The slope of a logistic regression.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClusterLogit {
    /// Log odds where the covariate is zero.
    pub intercept: f64,
    /// Change of the log odds per unit of the covariate.
    pub slope: f64,
    /// Standard error of the slope, clustered by task.
    pub se: f64,
    /// Two-sided p-value, normal.
    pub p: f64,
    /// Trials.
    pub n: u64,
    /// Tasks.
    pub clusters: u64,
}

/// Trials of one task at one value of the covariate (for instance the concurrency).
#[derive(Debug, Clone, Copy, PartialEq)]
struct Row {
    x: f64,
    hits: f64,
    trials: f64,
}

/// Logistic regression of hits on one covariate with standard errors clustered by task. `tasks` holds, per task, the
/// covariate and the cell of each condition.
///
/// Newton's method; sandwich variance of the tasks' scores times G/(G-1) (n-1)/(n-2). Needs some dozens of tasks.
/// Source: Liang and Zeger 1986. Complexity: O(rows) per step.
///
/// # Errors
/// Fewer than two tasks, a covariate with one value, outcomes that the covariate separates (no finite slope).
pub fn cluster_logit(tasks: &[Vec<(f64, Cell)>]) -> Result<ClusterLogit> {
    const STEPS: usize = 60;
    let rows: Vec<Vec<Row>> = tasks.iter().map(|task| task_rows(task)).collect::<Result<_>>()?;
    let rows: Vec<Vec<Row>> = rows.into_iter().filter(|task| !task.is_empty()).collect();
    check::at_least("tasks with trials", 2, rows.len())?;
    let n: f64 = rows.iter().flatten().map(|row| row.trials).sum();
    let mut beta = [0.0, 0.0];
    let mut converged = false;
    for _ in 0..STEPS {
        let score = rows.iter().flatten().map(|row| row.score(beta)).fold([0.0; 2], add);
        let step = solve(information(&rows, beta), score).ok_or(SEPARATED)?;
        beta = add(beta, step);
        if step[0].abs() + step[1].abs() < 1e-13 * (1.0 + beta[0].abs() + beta[1].abs()) {
            converged = true;
            break;
        }
    }
    if !converged || !beta.iter().all(|value| value.is_finite()) {
        return Err(SEPARATED);
    }
    // Sandwich: the slope's row of the inverse information times each task's score.
    let row = solve(information(&rows, beta), [0.0, 1.0]).ok_or(SEPARATED)?;
    let meat: f64 = rows
        .iter()
        .map(|task| task.iter().map(|row| row.score(beta)).fold([0.0; 2], add))
        .map(|score| (row[0] * score[0] + row[1] * score[1]).powi(2))
        .sum();
    let clusters = rows.len() as f64;
    let se = (meat * clusters / (clusters - 1.0) * (n - 1.0) / (n - 2.0)).sqrt();
    if se == 0.0 {
        return Err(SEPARATED);
    }
    let p = normal::two_sided(beta[1] / se);
    Ok(ClusterLogit { intercept: beta[0], slope: beta[1], se, p, n: n as u64, clusters: rows.len() as u64 })
}

const SEPARATED: StatError =
    StatError::NoInformation { what: "a table whose covariate has one value or separates the outcomes" };

fn task_rows(task: &[(f64, Cell)]) -> Result<Vec<Row>> {
    task.iter()
        .filter(|(_, cell)| cell.trials() > 0)
        .map(|&(x, cell)| {
            let x = check::finite("covariate", x)?;
            Ok(Row { x, hits: cell.hits().into(), trials: cell.trials().into() })
        })
        .collect()
}

impl Row {
    fn rate(self, beta: [f64; 2]) -> f64 {
        1.0 / (1.0 + (-beta[0] - beta[1] * self.x).exp())
    }

    fn score(self, beta: [f64; 2]) -> [f64; 2] {
        let residual = self.hits - self.trials * self.rate(beta);
        [residual, residual * self.x]
    }
}

fn add(left: [f64; 2], right: [f64; 2]) -> [f64; 2] {
    [left[0] + right[0], left[1] + right[1]]
}

/// The symmetric information matrix as (constant, mixed, slope).
fn information(rows: &[Vec<Row>], beta: [f64; 2]) -> [f64; 3] {
    let mut sums = [0.0; 3];
    for row in rows.iter().flatten() {
        let rate = row.rate(beta);
        let weight = row.trials * rate * (1.0 - rate);
        sums[0] += weight;
        sums[1] += weight * row.x;
        sums[2] += weight * row.x * row.x;
    }
    sums
}

fn solve([a, b, c]: [f64; 3], [x, y]: [f64; 2]) -> Option<[f64; 2]> {
    let determinant = a * c - b * b;
    (determinant > 1e-12 * a * c).then(|| [(c * x - b * y) / determinant, (a * y - b * x) / determinant])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_conditions_by_hand() {
        let cell = |hits, trials| Cell::try_new(hits, trials).unwrap();
        let tasks = [[(2, 4), (3, 4)], [(1, 4), (3, 4)], [(0, 4), (1, 4)], [(3, 4), (4, 4)]];
        let table: Vec<Vec<(f64, Cell)>> = tasks
            .iter()
            .map(|task| {
                task.iter().enumerate().map(|(x, &(hits, trials))| (x as f64, cell(hits, trials))).collect()
            })
            .collect();
        let fit = cluster_logit(&table).unwrap();
        // The model is saturated: rates 6/16 and 11/16.
        let (p0, p1): (f64, f64) = (6.0 / 16.0, 11.0 / 16.0);
        let logit = |p: f64| (p / (1.0 - p)).ln();
        assert!(
            (fit.intercept - logit(p0)).abs() < 1e-12 && (fit.slope - (logit(p1) - logit(p0))).abs() < 1e-12
        );
        let influence = |task: &[(u32, u32); 2]| {
            let residual = |(hits, trials): (u32, u32), p: f64| f64::from(hits) - f64::from(trials) * p;
            residual(task[1], p1) / (16.0 * p1 * (1.0 - p1))
                - residual(task[0], p0) / (16.0 * p0 * (1.0 - p0))
        };
        let meat: f64 = tasks.iter().map(|task| influence(task).powi(2)).sum();
        let expected = (meat * 4.0 / 3.0 * 31.0 / 30.0).sqrt();
        assert!((fit.se / expected - 1.0).abs() < 1e-12, "{} {expected}", fit.se);
    }

    #[test]
    fn separated_outcomes_have_no_slope() {
        let cell = |hits| Cell::try_new(hits, 3).unwrap();
        let separated = vec![vec![(0.0, cell(0)), (1.0, cell(3))]; 4];
        assert_eq!(cluster_logit(&separated), Err(SEPARATED));
        let constant = vec![vec![(2.0, cell(1)), (2.0, cell(2))]; 4];
        assert_eq!(cluster_logit(&constant), Err(SEPARATED));
    }
}

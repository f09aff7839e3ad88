//! How sure is the turning point?

use super::turning::{Curves, TIE, complete_rows, curves, failure_drop, share};
use crate::bootstrap::{Resampling, resampled_means};
use crate::cell::Outcomes;
use crate::check;
use crate::error::{Result, StatError};
use crate::estimate::TestResult;
use crate::grid::Grid;

/// The turning point with its uncertainty.
#[derive(Debug, Clone, PartialEq)]
pub struct Crossover {
    /// The curves and their turning point.
    pub curves: Curves,
    /// Share of the task resamples in which each arm is the turning point.
    pub shares: Vec<f64>,
    /// The fewest arms that are the turning point in 90 % of the resamples together, the most frequent first.
    pub likely: Vec<usize>,
    /// Test of the agent-failure rate of the last arm against the turning point (`p_less`); an error if the last arm
    /// is the turning point, or tasks do not differ in it. Only for a turning point that was declared beforehand.
    pub last_drop: Result<TestResult>,
}

/// **Default turning point** with the share of resampled task sets in which each arm is it.
///
/// Tasks are resampled whole, jointly over arms; ties go to the tighter arm. Source: Efron 1979 for the resampling.
/// Complexity: O(draws * T * C).
///
/// # Errors
/// Fewer than two arms; no task with trials in every arm; no draw.
pub fn crossover(grid: &Grid<Outcomes>, level: f64, resampling: Resampling) -> Result<Crossover> {
    check::at_least("arms", 2, grid.arms())?;
    let curves = curves(grid)?;
    let failures: Vec<f64> = complete_rows(grid)
        .flat_map(|row| row.iter().map(|&cell| share(cell.agent_failures(), cell)))
        .collect();
    let mut wins = vec![0_u32; grid.arms()];
    resampled_means(&Grid::try_new(grid.arms(), failures)?, resampling, |means| {
        wins[super::turning::first_maximum(means)] += 1;
    })?;
    let shares: Vec<f64> = wins.iter().map(|&wins| f64::from(wins) / f64::from(resampling.draws)).collect();
    let last = grid.arms() - 1;
    let last_drop = if curves.turning_point == last {
        Err(StatError::NoInformation { what: "the last arm, being the turning point itself," })
    } else {
        failure_drop(grid, curves.turning_point, last, level)
    };
    Ok(Crossover { likely: smallest_set(&shares), curves, shares, last_drop })
}

fn smallest_set(shares: &[f64]) -> Vec<usize> {
    const ENOUGH: f64 = 0.9;
    let mut arms: Vec<usize> = (0..shares.len()).collect();
    arms.sort_by(|&left, &right| shares[right].total_cmp(&shares[left]));
    let mut covered = 0.0;
    let needed = arms
        .iter()
        .position(|&arm| {
            covered += shares[arm];
            covered >= ENOUGH - TIE
        })
        .map_or(arms.len(), |last| last + 1);
    arms.truncate(needed);
    arms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewest_arms_that_make_nine_tenths() {
        let check = |shares: &[f64], expect: &[usize]| assert_eq!(smallest_set(shares), expect);
        check(&[0.05, 0.95], &[1]);
        check(&[0.3, 0.1, 0.6], &[2, 0]);
        check(&[0.3, 0.3, 0.4], &[2, 0, 1]);
        check(&[0.89, 0.11], &[0, 1]);
    }

    #[test]
    fn ties_go_to_the_tighter_arm() {
        let cell = |passes, infra| Outcomes::try_new(passes, infra, 4).unwrap();
        let grid =
            Grid::from_rows(&[[cell(2, 0), cell(1, 1), cell(4, 0)], [cell(3, 0), cell(3, 0), cell(2, 0)]])
                .unwrap();
        let found = crossover(&grid, 0.95, Resampling { draws: 400, seed: 1 }).unwrap();
        // Agent failures: (2 + 1) / 8, (2 + 1) / 8, (0 + 2) / 8.
        assert_eq!(found.curves.turning_point, 0);
        // The last arm wins only when the second task is drawn twice.
        assert_eq!(found.shares[1], 0.0);
        assert!((found.shares[2] - 0.25).abs() < 0.1, "{:?}", found.shares);
        assert_eq!(found.last_drop.unwrap().effect.value, -0.125);
    }
}

//! Tasks by arms: the table that sweeps are analysed from.

use crate::error::{Result, StatError};

/// A table with one row per task and one column per arm (ordered from the tightest).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid<C> {
    arms: usize,
    cells: Vec<C>,
}

impl<C: Copy> Grid<C> {
    /// A grid from cells in row order: all arms of the first task, then of the second, and so on.
    ///
    /// # Errors
    /// No arm, or a number of cells that is not a multiple of the number of arms.
    pub fn try_new(arms: usize, cells: Vec<C>) -> Result<Self> {
        if arms == 0 {
            return Err(StatError::TooFew { what: "arms", needed: 1, found: 0 });
        }
        if !cells.len().is_multiple_of(arms) {
            let whole = cells.len() / arms * arms;
            return Err(StatError::LengthMismatch {
                left: "cells",
                left_len: cells.len(),
                right: "whole rows",
                right_len: whole,
            });
        }
        Ok(Self { arms, cells })
    }

    /// A grid from one row per task.
    ///
    /// # Errors
    /// No arm, or rows of different length.
    pub fn from_rows<R: AsRef<[C]>>(rows: &[R]) -> Result<Self> {
        let arms = rows.first().map_or(0, |row| row.as_ref().len());
        if let Some(odd) = rows.iter().find(|row| row.as_ref().len() != arms) {
            return Err(StatError::LengthMismatch {
                left: "a row",
                left_len: odd.as_ref().len(),
                right: "the first row",
                right_len: arms,
            });
        }
        Self::try_new(arms, rows.iter().flat_map(|row| row.as_ref().iter().copied()).collect())
    }

    /// The number of arms.
    pub fn arms(&self) -> usize {
        self.arms
    }

    /// The number of tasks.
    pub fn tasks(&self) -> usize {
        self.cells.len() / self.arms
    }

    /// One row per task.
    pub fn rows(&self) -> std::slice::ChunksExact<'_, C> {
        self.cells.chunks_exact(self.arms)
    }

    /// All cells in row order.
    pub fn cells(&self) -> &[C] {
        &self.cells
    }

    /// One arm over all tasks; empty if there is no such arm.
    pub fn arm(&self, arm: usize) -> Vec<C> {
        self.rows().filter_map(|row| row.get(arm).copied()).collect()
    }

    /// The grid of another kind of cell.
    pub fn map<D: Copy>(&self, to: impl Fn(C) -> D) -> Grid<D> {
        Grid { arms: self.arms, cells: self.cells.iter().map(|&cell| to(cell)).collect() }
    }
}

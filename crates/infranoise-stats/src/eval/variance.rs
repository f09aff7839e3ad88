//! Variance components.

use super::EvalError;
use super::inputs::Inputs;
use crate::cell::Cell;
use crate::grid::Grid;
use crate::variance;
use serde_json::{Value, json};

pub(super) fn oneway(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let (x, k) = (inputs.counts("x")?, inputs.count("k")?);
    let cells = inputs.zip_cells("x", &x, "k", &vec![k; x.len()])?;
    let parts = inputs.stat(variance::oneway_varcomp(&cells))?;
    Ok(json!({
        "mean": parts.mean,
        "ms_task": parts.ms_task,
        "ms_error": parts.ms_error,
        "var_task": parts.var_task,
        "var_seed": parts.var_seed,
        "icc": parts.rho,
    }))
}

pub(super) fn twoway(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let (x, k) = (inputs.table("X")?, inputs.count("k")?);
    let rows: Vec<Vec<Cell>> =
        x.iter().map(|row| inputs.zip_cells("X", row, "k", &vec![k; row.len()])).collect::<Result<_, _>>()?;
    let grid = inputs.stat(Grid::from_rows(&rows))?;
    let parts = inputs.stat(variance::twoway_varcomp(&grid))?;
    Ok(json!({
        "ms_task": parts.ms_task,
        "ms_config": parts.ms_arm,
        "ms_inter": parts.ms_interaction,
        "ms_error": parts.ms_error,
        "var_seed": parts.var_seed,
        "var_inter": parts.var_interaction,
        "var_config": parts.var_arm,
        "var_task": parts.var_task,
    }))
}

pub(super) fn pair_moment(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let grid = inputs.grid("X", "K")?;
    let parts = inputs.stat(variance::pair_moment_varcomp(&grid))?;
    Ok(json!({
        "mean": parts.mean,
        "var_seed": parts.var_seed,
        "var_inter": parts.var_interaction,
        "var_task": parts.var_task,
        "var_config": parts.var_arm,
    }))
}

pub(super) fn block(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    // y[task][config][block] to one list per block.
    let outcomes = inputs.cube("y")?;
    let cells: Vec<&Vec<bool>> = outcomes.iter().flatten().collect();
    let blocks = cells.first().map_or(0, |cell| cell.len());
    if cells.iter().any(|cell| cell.len() != blocks) {
        return inputs.wrong("y", "a table of lists of equal length");
    }
    let rounds: Vec<Vec<bool>> =
        (0..blocks).map(|block| cells.iter().map(|cell| cell[block]).collect()).collect();
    let parts = inputs.stat(variance::block_varcomp(&rounds))?;
    Ok(json!({
        "ms_block": parts.ms_block,
        "ms_error": parts.ms_error,
        "var_block": parts.var_block,
        "f": parts.f,
        "p_f": parts.p,
    }))
}

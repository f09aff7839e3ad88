//! Which trial, which attempt, and its place in the sweep.

use super::Column;
use crate::exports::cell::Cell;
use crate::exports::column::Kind::{Bool, Text, Whole};

pub(super) const COLUMNS: &[Column] = &[
    Column::new("task", Text, "The task.", |row| row.facts().key.task.as_str().into()),
    Column::new("arm", Text, "The arm.", |row| row.facts().key.arm.as_str().into()),
    Column::new("repeat", Whole, "Which replicate of the task in the arm, counted from 0.", |row| {
        row.facts().key.repeat.into()
    }),
    Column::new("attempt", Whole, "Which execution of the trial, counted from 0.", |row| {
        row.facts().attempt.0.into()
    }),
    Column::new(
        "counts",
        Bool,
        "Whether this is the attempt that counts: the first whose agent phase started, or the last if none did. Filter by it before \
         counting anything.",
        |row| row.counts.into(),
    ),
    Column::new("agent", Text, "Who is measured: the agent.", |row| {
        row.facts().key.subject.agent.as_str().into()
    }),
    Column::new("model", Text, "Who is measured: the model, if the agent uses one.", |row| {
        row.facts().key.subject.model.as_deref().into()
    }),
    Column::new("sweep", Text, "The sweep's name.", |row| row.plan.sweep.as_str().into()),
    Column::new("trial", Text, "The attempt's name, unique in the sweep; also its folder's.", |row| {
        row.name().into()
    }),
    Column::new("position", Whole, "Place in the order of execution, counted from 0.", |row| {
        row.facts().position.into()
    }),
    Column::new("block", Whole, "The block (task x repeat) in which the arms were shuffled.", |row| {
        row.facts().block.into()
    }),
    Column::new("round", Whole, "The pass over all tasks and arms, counted from 0.", |row| {
        row.facts().round.into()
    }),
    Column::new(
        "seed",
        Text,
        "The seed of the agent's draws, the same for all arms of a block; as text, since it has 64 bits. Null for trials of other \
         harnesses.",
        |row| match row.facts().source {
            None => row.facts().seed.to_string().into(),
            Some(_) => Cell::Null,
        },
    ),
];

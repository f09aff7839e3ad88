//! Task spec, floors and ceilings. `…_capped` tells "no ceiling" (`false`) from "not known" (null): an amount alone cannot.

use infranoise_core::{Allocation, Ceiling, Factor, Held};

use super::Column;
use crate::exports::cell::Cell;
use crate::exports::column::Kind::{Bool, Number, Text, Whole};
use crate::exports::sweep::Row;
use crate::exports::word::word;

pub(super) const COLUMNS: &[Column] = &[
    Column::new(
        "memory_spec_bytes",
        Whole,
        "1x of memory: what the task file states, or else what the sweep assumed.",
        |row| memory_spec(row).into(),
    ),
    Column::new("memory_floor_bytes", Whole, "Guaranteed memory.", |row| {
        given(row).map(|given| given.memory.floor()).into()
    }),
    Column::new("memory_ceiling_bytes", Whole, "The memory cut-off, if there is one.", |row| {
        amount(given(row).map(|given| given.memory.ceiling()))
    }),
    Column::new("memory_capped", Bool, "Whether memory has a ceiling.", |row| {
        capped(given(row).map(|given| given.memory.ceiling()))
    }),
    Column::new("memory_headroom", Number, "The memory ceiling as a multiple of 1x.", |row| {
        let ceiling = given(row).and_then(|given| given.memory.ceiling().amount());
        headroom(ceiling.map(|bytes| bytes.0), memory_spec(row))
    }),
    Column::new("cpu_spec_millicpu", Whole, "1x of CPU in thousandths, likewise.", |row| {
        cpu_spec(row).into()
    }),
    Column::new("cpu_floor_millicpu", Whole, "Guaranteed CPU, in thousandths of one.", |row| {
        given(row).map(|given| given.cpu.floor()).into()
    }),
    Column::new("cpu_ceiling_millicpu", Whole, "The CPU cut-off, if there is one.", |row| {
        amount(given(row).map(|given| given.cpu.ceiling()))
    }),
    Column::new("cpu_capped", Bool, "Whether CPU has a ceiling.", |row| {
        capped(given(row).map(|given| given.cpu.ceiling()))
    }),
    Column::new("cpu_headroom", Number, "The CPU ceiling as a multiple of 1x.", |row| {
        let ceiling = given(row).and_then(|given| given.cpu.ceiling().amount());
        headroom(ceiling.map(|cpu| u64::from(cpu.0)), cpu_spec(row))
    }),
    Column::new("pids_ceiling", Whole, "The limit on processes and threads, if there is one.", |row| {
        amount(given(row).map(|given| given.pids))
    }),
    Column::new("pids_capped", Bool, "Whether there is one.", |row| {
        capped(given(row).map(|given| given.pids))
    }),
    Column::new("storage_ceiling_bytes", Whole, "The limit on disk space, if there is one.", |row| {
        amount(given(row).map(|given| given.storage))
    }),
    Column::new("storage_capped", Bool, "Whether there is one.", |row| {
        capped(given(row).map(|given| given.storage))
    }),
    Column::new("agent_limit_ms", Whole, "The agent's wall-clock limit, if there is one.", |row| {
        amount(given(row).map(|given| given.time.agent_ms))
    }),
    Column::new("agent_time_capped", Bool, "Whether there is one.", |row| {
        capped(given(row).map(|given| given.time.agent_ms))
    }),
    Column::new("verifier_limit_ms", Whole, "The verifier's wall-clock limit, if there is one.", |row| {
        amount(given(row).map(|given| given.time.verifier_ms))
    }),
    Column::new(
        "provenance",
        Text,
        "How the effective resources are known: `enforced`, `declared`, `inferred` or `unknown`.",
        |row| word(&row.facts().provenance).into(),
    ),
    Column::new(
        "memory_ceiling_held",
        Text,
        "What holds the memory ceiling, as read back: `by_kernel`, `best_effort`, `not_at_all`, `not_asked`, `inferred` or `not_known`.",
        |row| word(&row.facts().enforcement.memory_ceiling).into(),
    ),
    Column::new("memory_floor_held", Text, "What holds the memory floor, in the same words.", |row| {
        word(&row.facts().enforcement.memory_floor).into()
    }),
    Column::new("cpu_ceiling_held", Text, "What holds the CPU ceiling, in the same words.", |row| {
        word(&row.facts().enforcement.cpu_ceiling).into()
    }),
    Column::new("cpu_floor_held", Text, "What holds the CPU floor, in the same words.", |row| {
        word(&row.facts().enforcement.cpu_floor).into()
    }),
    Column::new(
        "kill_scope",
        Text,
        "What dies when memory runs over: `process`, `exec` or `trial`; null where nobody knows. Rates under different scopes are not \
         comparable.",
        |row| {
            let enforcement = &row.facts().enforcement;
            let known = !matches!(enforcement.kill_scope_held, Held::NotKnown { .. });
            known.then(|| word(&enforcement.kill_scope)).into()
        },
    ),
];

fn given(row: &Row<'_>) -> Option<Allocation> {
    row.facts().allocation
}

fn memory_spec(row: &Row<'_>) -> Option<u64> {
    row.facts().spec.memory.or(row.plan.assume.memory).map(|bytes| bytes.0)
}

fn cpu_spec(row: &Row<'_>) -> Option<u64> {
    row.facts().spec.cpu.or(row.plan.assume.cpu).map(|cpu| u64::from(cpu.0))
}

fn amount<'r, T: Into<Cell<'r>>>(ceiling: Option<Ceiling<T>>) -> Cell<'r> {
    ceiling.and_then(Ceiling::amount).into()
}

fn capped<'r, T>(ceiling: Option<Ceiling<T>>) -> Cell<'r> {
    ceiling
        .map(|ceiling| match ceiling {
            Ceiling::At(_) => true,
            Ceiling::Uncapped => false,
        })
        .into()
}

fn headroom<'r>(ceiling: Option<u64>, spec: Option<u64>) -> Cell<'r> {
    ceiling.zip(spec).and_then(|(ceiling, spec)| Factor::ratio(ceiling, spec)).map(Factor::as_f64).into()
}

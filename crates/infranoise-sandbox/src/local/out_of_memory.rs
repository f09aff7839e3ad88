//! What happens at the moment when memory runs over, where the kernel does not itself do what the kill scope asks.
//!
//! On version 2 the kernel kills a whole group. On version 1 it kills one process, so that for scopes `exec` and `trial` its killer is
//! off: tasks wait in `mem_cgroup_oom_synchronize`, and what is to die is killed here.

use std::io;
use std::sync::Arc;
use std::thread;

use infranoise_core::{ExecId, KillScope};

use super::state::{RanOver, Shared};
use crate::cgroup::oom::judge_waiting;
use crate::cgroup::patience::Patience;
use crate::cgroup::{OomState, WaitingTask};

/// The memory of a sandbox ran over, or may have. Fails when its group is gone.
pub(crate) fn noticed(shared: &Arc<Shared>) -> io::Result<()> {
    let Some(watch) = &shared.oom else { return Ok(()) };
    let seen = watch.read_state()?;
    if !seen.under_oom {
        // Version 2, or a kill that made room already: the counters say so when the command ends.
        return Ok(());
    }
    match shared.group.enforcement().kill_scope {
        KillScope::Process => {}
        KillScope::Exec => answer(shared, end_execs),
        KillScope::Trial => {
            note_trial(shared, &seen);
            answer(shared, |shared| drop(shared.group.kill_work()));
        }
    }
    Ok(())
}

/// Kills take a moment, and other sandboxes must not wait for this one's: a thread for it, and only one at a time.
fn answer(shared: &Arc<Shared>, kill: fn(&Shared)) {
    if std::mem::replace(&mut shared.lock().killing, true) {
        return;
    }
    let its = Arc::clone(shared);
    let spawned = thread::Builder::new().name("memory-killer".to_owned()).spawn(move || {
        loop {
            kill(&its);
            its.lock().killing = false;
            // An event that came while the kill went on was left to this thread.
            let again =
                its.oom.as_ref().is_some_and(|watch| watch.read_state().is_ok_and(|state| state.under_oom));
            if !again || std::mem::replace(&mut its.lock().killing, true) {
                return;
            }
        }
    });
    if spawned.is_err() {
        // Without a thread the tasks wait until the command's deadline, or the next event.
        shared.lock().killing = false;
    }
}

/// Notes who ran over and that the trial ends with it, before anybody is killed.
fn note_trial(shared: &Shared, seen: &OomState) {
    let tasks = shared.group.waiting().unwrap_or_default();
    let Some(finding) = judge_waiting(seen, &tasks, tasks.len() as u64) else { return };
    let exec = tasks.first().and_then(|task| exec_of(&task.leaf));
    let ran_over = RanOver { at_ms: shared.clock.ms(), exec, finding };
    shared.change(|state| {
        state.trial_ended.get_or_insert(ran_over);
    });
}

/// Ends the command whose task waits first, and the next one as long as somebody waits.
fn end_execs(shared: &Shared) {
    let Some(watch) = &shared.oom else { return };
    let mut patience = Patience::default();
    while let Ok(seen @ OomState { under_oom: true, .. }) = watch.read_state() {
        let tasks = shared.group.waiting().unwrap_or_default();
        let first = tasks.iter().find(|task| task.for_memory()).and_then(|task| exec_of(&task.leaf));
        if let Some(id) = first {
            end_exec(shared, id, &seen, &tasks);
        }
        if !patience.pause() {
            return;
        }
    }
}

fn end_exec(shared: &Shared, id: ExecId, seen: &OomState, tasks: &[WaitingTask]) {
    let its: Vec<WaitingTask> =
        tasks.iter().filter(|task| exec_of(&task.leaf) == Some(id)).cloned().collect();
    let Some(finding) = judge_waiting(seen, &its, its.len() as u64) else { return };
    let ran_over = RanOver { at_ms: shared.clock.ms(), exec: Some(id), finding };
    let mut leaf = None;
    shared.change(|state| {
        if let Some(exec) = state.exec_mut(id) {
            exec.killed_by_us = true;
            exec.ran_over.push(ran_over);
            leaf = Some(exec.leaf.clone());
        }
    });
    if let Some(leaf) = leaf {
        // What does not die now dies with the sandbox.
        let _ = shared.group.kill_leaf(&leaf);
    }
}

/// The number of a command from its group's name, as in `e3`.
fn exec_of(leaf: &str) -> Option<ExecId> {
    leaf.strip_prefix('e')?.parse().ok().map(ExecId)
}

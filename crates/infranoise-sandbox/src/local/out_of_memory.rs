//! What happens at the moment when memory runs over, where the kernel's own killer does not do what the kill scope asks.
//!
//! On version 2 the kernel kills a whole group by itself. On version 1 it kills one process; for scope `exec` the rest of that command
//! is killed here, and for scope `trial` its killer is off, tasks wait in `mem_cgroup_oom_synchronize`, and all of them are killed here.

use std::io;
use std::sync::Arc;
use std::thread;

use infranoise_core::{ExecId, KillScope};

use super::state::{Shared, TrialEnded};
use crate::cgroup::oom::judge_waiting;
use crate::cgroup::patience::Patience;
use crate::cgroup::{Leaf, OomState};

/// The memory of a sandbox ran over, or may have. Fails when its group is gone.
pub(crate) fn noticed(shared: &Arc<Shared>) -> io::Result<()> {
    let Some(watch) = &shared.oom else { return Ok(()) };
    let state = watch.read_state()?;
    match shared.group.enforcement().kill_scope {
        KillScope::Process => {}
        KillScope::Exec => aside("exec-killer", shared, end_execs),
        KillScope::Trial if state.under_oom => {
            end_trial(shared, &state);
            aside("trial-killer", shared, |shared| drop(shared.group.kill_work()));
        }
        // Version 2 kills the group itself; the counters say so when the command ends.
        KillScope::Trial => {}
    }
    Ok(())
}

/// Looks at who waits, before they are killed.
fn end_trial(shared: &Shared, seen: &OomState) {
    let tasks = shared.group.waiting().unwrap_or_default();
    let Some(finding) = judge_waiting(seen, &tasks, tasks.len() as u64) else { return };
    let exec = tasks.iter().find(|task| task.for_memory()).and_then(|task| exec_of(&task.leaf));
    let ended = TrialEnded { at_ms: shared.clock.ms(), exec, finding, told: false };
    shared.change(|state| {
        state.trial_ended.get_or_insert(ended);
    });
}

/// Kills take a moment, and other sandboxes must not wait for this one's.
fn aside(name: &str, shared: &Arc<Shared>, kill: impl FnOnce(&Shared) + Send + 'static) {
    let its = Arc::clone(shared);
    let spawned = thread::Builder::new().name(name.to_owned()).spawn(move || kill(&its));
    // Without a thread the kill waits until the command's deadline.
    drop(spawned);
}

/// Ends every command of which the kernel has killed a process. The event comes before the kernel's counter does, so wait for that.
fn end_execs(shared: &Shared) {
    let mut patience = Patience::default();
    loop {
        let hit = hit_leaves(shared);
        for (id, leaf) in &hit {
            shared.change(|state| {
                if let Some(exec) = state.exec_mut(*id) {
                    exec.killed_by_us = true;
                }
            });
            // What does not die now dies with the sandbox.
            let _ = shared.group.kill_leaf(leaf);
        }
        if !hit.is_empty() || !patience.pause() {
            return;
        }
    }
}

/// Commands with kills that have not been answered.
fn hit_leaves(shared: &Shared) -> Vec<(ExecId, Leaf)> {
    let leaves: Vec<(ExecId, Leaf, bool)> = {
        let state = shared.lock();
        let ids = (0..).map(ExecId);
        ids.zip(&state.execs).map(|(id, exec)| (id, exec.leaf.clone(), exec.killed_by_us)).collect()
    };
    let hit = |leaf: &Leaf| leaf.counters().oom_kill.value().is_some_and(|kills| *kills > 0);
    leaves.into_iter().filter(|(_, leaf, done)| !done && hit(leaf)).map(|(id, leaf, _)| (id, leaf)).collect()
}

/// The number of a command from its group's name, as in `e3`.
fn exec_of(leaf: &str) -> Option<ExecId> {
    leaf.strip_prefix('e')?.parse().ok().map(ExecId)
}

//! The agent that follows a script policy: it draws a strategy, carries out its steps, and falls back when one fails.

use infranoise_core::{Phase, Stop};
use infranoise_formats::tasks::policy::{Draw, ScriptPolicy, Seen, Strategy};

use crate::trial::{Begun, Command, Job, Stage, Watcher};

/// What the agent is told of its limits.
fn seen(job: &Job<'_>) -> Seen {
    let spec = job.task.spec();
    Seen {
        memory: job.allocation.memory.ceiling(),
        memory_spec: spec.memory.or(None),
        cpu: job.allocation.cpu.ceiling(),
        cpu_spec: spec.cpu.or(None),
    }
}

fn luck(job: &Job<'_>) -> Draw {
    Draw::new(&job.task.task.id, job.scheduled.seed)
}

/// The set-up commands, before the agent's clock starts.
pub(super) fn setup(stage: &mut Stage<'_>, job: &Job<'_>, watcher: &dyn Watcher) -> Option<Stop> {
    let policy = job.task.task.policy.as_ref().filter(|policy| !policy.setup.is_empty())?;
    watcher.phase(Phase::Setup);
    let begun = stage.begin(Phase::Setup, job.allocation.time.start_ms);
    let mut stop = Stop::Exited { code: 0 };
    for step in &policy.setup {
        let env = policy.variables(&luck(job), &seen(job));
        stop = stage.carry_out(&begun, Command::shell(step, "setup.txt").with_env(env));
        if !stop.succeeded() {
            break;
        }
    }
    stage.end(begun, stop.clone());
    Some(stop)
}

pub(super) fn act(stage: &mut Stage<'_>, job: &Job<'_>) -> Vec<String> {
    let begun = stage.begin(Phase::Agent, job.allocation.time.agent_ms);
    let mut named = Vec::new();
    let stop = match &job.task.task.policy {
        Some(policy) => follow(stage, job, policy, &begun, &mut named),
        None => Stop::Exited { code: 1 },
    };
    stage.end(begun, stop);
    named
}

/// Strategies until one is carried through, none is left, or the trial is over.
fn follow(
    stage: &mut Stage<'_>,
    job: &Job<'_>,
    policy: &ScriptPolicy,
    begun: &Begun,
    named: &mut Vec<String>,
) -> Stop {
    let (draw, seen) = (luck(job), seen(job));
    let Some(mut strategy) = policy.first(&draw, &seen) else {
        stage.notes.push("no strategy of the policy can be chosen".to_owned());
        return Stop::Exited { code: 0 };
    };
    loop {
        named.push(strategy.name.clone());
        let stop = steps(stage, policy, strategy, begun, (&draw, &seen));
        let goes_on = match stop {
            Stop::Exited { code } => code != 0,
            Stop::Signalled { .. } => true,
            Stop::Deadline { .. } | Stop::SandboxEnded { .. } | Stop::Failed { .. } | Stop::Interrupted => {
                false
            }
        };
        let next = policy.fallback(strategy, &draw, &seen).filter(|next| !named.contains(&next.name));
        match next {
            Some(next) if goes_on && stage.alive => strategy = next,
            Some(_) | None => return stop,
        }
    }
}

/// The steps of one strategy, up to the first that fails.
fn steps(
    stage: &mut Stage<'_>,
    policy: &ScriptPolicy,
    strategy: &Strategy,
    begun: &Begun,
    (draw, seen): (&Draw, &Seen),
) -> Stop {
    let mut stop = Stop::Exited { code: 0 };
    for step in &strategy.steps {
        if step.think_ms > 0 {
            stage.think(begun, step.think_ms);
        }
        let env = policy.variables(draw, seen);
        stop = stage.carry_out(begun, Command::shell(&step.command, "script.txt").with_env(env));
        let over = match stop {
            Stop::Exited { code } => code != 0 && !step.keep_going,
            Stop::Signalled { .. } => !step.keep_going,
            Stop::Deadline { .. } | Stop::SandboxEnded { .. } | Stop::Failed { .. } | Stop::Interrupted => {
                true
            }
        };
        if over || !stage.alive {
            break;
        }
        if step.keep_going {
            stop = Stop::Exited { code: 0 };
        }
    }
    stop
}

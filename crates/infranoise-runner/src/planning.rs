//! From tasks, arms and a host to a plan: every allocation is resolved before the first trial.

use std::collections::BTreeMap;

use infranoise_core::{
    Allocation, Arm, ArmId, AssumeSpec, Bytes, Ceiling, HostFingerprint, KillScope, MilliCpu, PLAN_VERSION,
    Plan, PlannedArm, PlannedTask, PolicyError, Subject, SweepId, TaskId, Timing,
};

mod effective;
mod warnings;

pub use effective::effective;

/// Everything that a person decides about a sweep.
#[derive(Clone, Debug)]
pub struct Request {
    /// The sweep's name.
    pub sweep: SweepId,
    /// Whether this is the bundled demonstration.
    pub staged: bool,
    /// The tasks.
    pub tasks: Vec<PlannedTask>,
    /// The arms, tightest first.
    pub arms: Vec<Arm>,
    /// A second arm that the others are compared with.
    pub reference: Option<ArmId>,
    /// Who is measured.
    pub subject: Subject,
    /// The command of a `command` agent.
    pub agent_command: Option<Vec<String>>,
    /// Replicates of each task in each arm.
    pub repeats: u32,
    /// The seed of order and draws.
    pub seed: u64,
    /// Equivalence margin in percentage points.
    pub margin_pp: f64,
    /// What 1x means where a task states nothing.
    pub assume: AssumeSpec,
    /// The engine's name.
    pub engine: String,
    /// Where the root file system comes from.
    pub root: String,
    /// What network sandboxes have: `none` or `host`.
    pub network: String,
    /// Attempts after the first for trials that did not start.
    pub retries_not_started: u32,
    /// Attempts after the first for any fault.
    pub retries_fault: u32,
    /// When blocks may start.
    pub timing: Timing,
    /// Whether every process of the agent is ended before grading.
    pub quiesce: bool,
}

/// Why there can be no plan. Each names what to change.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// Nothing to do.
    #[error("there is nothing to plan: no {what}")]
    Nothing {
        /// Tasks, arms or repeats.
        what: &'static str,
    },
    /// A policy cannot be applied to a task.
    #[error("arm `{arm}`, task `{task}`: {source}")]
    Policy {
        /// The arm.
        arm: ArmId,
        /// The task.
        task: TaskId,
        /// Why.
        source: PolicyError,
    },
    /// A floor that the host can never promise.
    #[error(
        "arm `{arm}`, task `{task}`: the {what} floor of {floor} is above what this host can promise ({room}); take a larger host, leave the task out with --exclude, or lower the floor"
    )]
    FloorAboveHost {
        /// The arm.
        arm: ArmId,
        /// The task.
        task: TaskId,
        /// Memory or CPU.
        what: &'static str,
        /// The floor.
        floor: String,
        /// What there is.
        room: String,
    },
    /// Two arms with one name.
    #[error("two arms are called `{name}`; give each its own name")]
    TwiceNamed {
        /// The name.
        name: ArmId,
    },
    /// Two arms that are the same experiment on this host.
    #[error(
        "arms `{first}` and `{second}` have the same effective limits for every task on this host ({memory} of memory, {cpus} CPUs), so that comparing them means nothing; leave one out"
    )]
    Coincide {
        /// The first.
        first: ArmId,
        /// The second.
        second: ArmId,
        /// The host's memory.
        memory: Bytes,
        /// The host's CPUs.
        cpus: u32,
    },
    /// The reference is not among the arms.
    #[error("the reference arm `{name}` is not among the arms ({known}); name one of them")]
    UnknownReference {
        /// The name.
        name: ArmId,
        /// The arms.
        known: String,
    },
    /// A margin that is none.
    #[error("an equivalence margin of {margin_pp} points means nothing; give a number between 0 and 100")]
    Margin {
        /// What was given.
        margin_pp: f64,
    },
}

/// What the host can promise to floors, for refusing what can never start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostRoom {
    /// Memory for floors.
    pub memory: Bytes,
    /// CPU for floors.
    pub cpu: MilliCpu,
}

/// Makes a plan.
///
/// # Errors
/// If there is nothing to do, a policy cannot be applied, a floor is above the host, or two arms coincide on it.
pub fn plan(
    request: Request,
    host: HostFingerprint,
    room: HostRoom,
    made_by: String,
    now_ms: u64,
) -> Result<Plan, PlanError> {
    check_request(&request)?;
    let arms = request
        .arms
        .iter()
        .map(|arm| resolve(arm, &request, room))
        .collect::<Result<Vec<PlannedArm>, PlanError>>()?;
    refuse_coinciding(&arms, &host)?;
    let mut plan = Plan {
        version: PLAN_VERSION,
        sweep: request.sweep,
        made_by,
        planned_at_ms: now_ms,
        staged: request.staged,
        tasks: request.tasks,
        arms,
        reference: request.reference,
        subject: request.subject,
        agent_command: request.agent_command,
        repeats: request.repeats,
        seed: request.seed,
        margin_pp: request.margin_pp,
        assume: request.assume,
        engine: request.engine,
        root: request.root,
        network: request.network,
        retries_not_started: request.retries_not_started,
        retries_fault: request.retries_fault,
        timing: request.timing,
        quiesce: request.quiesce,
        host,
        warnings: Vec::new(),
        imported: None,
    };
    plan.warnings = warnings::warnings(&plan);
    Ok(plan)
}

fn check_request(request: &Request) -> Result<(), PlanError> {
    for (what, empty) in [
        ("task", request.tasks.is_empty()),
        ("arm", request.arms.is_empty()),
        ("repeat", request.repeats == 0),
    ] {
        if empty {
            return Err(PlanError::Nothing { what });
        }
    }
    for (place, arm) in request.arms.iter().enumerate() {
        if request.arms[..place].iter().any(|other| other.name == arm.name) {
            return Err(PlanError::TwiceNamed { name: arm.name.clone() });
        }
    }
    if let Some(name) = &request.reference
        && !request.arms.iter().any(|arm| &arm.name == name)
    {
        let known = request.arms.iter().map(|arm| arm.name.as_str()).collect::<Vec<_>>().join(", ");
        return Err(PlanError::UnknownReference { name: name.clone(), known });
    }
    if !(request.margin_pp > 0.0 && request.margin_pp < 100.0) {
        return Err(PlanError::Margin { margin_pp: request.margin_pp });
    }
    Ok(())
}

fn resolve(arm: &Arm, request: &Request, room: HostRoom) -> Result<PlannedArm, PlanError> {
    let mut allocations = BTreeMap::new();
    for task in &request.tasks {
        let allocation = arm
            .policy
            .apply(&task.id, &task.spec, &request.assume, arm.time_limit)
            .map_err(|source| PlanError::Policy { arm: arm.name.clone(), task: task.id.clone(), source })?;
        let above = |what, floor: String, room: String| PlanError::FloorAboveHost {
            arm: arm.name.clone(),
            task: task.id.clone(),
            what,
            floor,
            room,
        };
        if allocation.memory.floor() > room.memory {
            return Err(above("memory", allocation.memory.floor().to_string(), room.memory.to_string()));
        }
        if allocation.cpu.floor() > room.cpu {
            return Err(above("CPU", allocation.cpu.floor().to_string(), room.cpu.to_string()));
        }
        allocations.insert(task.id.clone(), allocation);
    }
    let without_band = request
        .tasks
        .iter()
        .filter(|task| !arm.policy.covers(&task.id))
        .map(|task| task.id.clone())
        .collect();
    Ok(PlannedArm { arm: arm.clone(), allocations, without_band })
}

/// What distinguishes arms on a host: what is really cut off, and everything else that an arm says.
#[derive(PartialEq)]
struct Effective {
    allocations: BTreeMap<TaskId, Allocation>,
    kill_scope: Option<KillScope>,
    rest: (infranoise_core::Visible, infranoise_core::PageCache, infranoise_core::AgentPlacement),
}

fn refuse_coinciding(arms: &[PlannedArm], host: &HostFingerprint) -> Result<(), PlanError> {
    let effective: Vec<Effective> = arms
        .iter()
        .map(|planned| {
            let allocations: BTreeMap<TaskId, Allocation> = planned
                .allocations
                .iter()
                .map(|(task, allocation)| (task.clone(), effective(allocation, host)))
                .collect();
            let capped = allocations.values().any(|a| a.memory.ceiling() != Ceiling::Uncapped);
            let arm = &planned.arm;
            Effective {
                // Where nothing is cut off, nothing is killed, and its scope distinguishes nothing.
                kill_scope: capped.then_some(arm.kill_scope),
                rest: (arm.visible, arm.page_cache, arm.agent_placement),
                allocations,
            }
        })
        .collect();
    for second in 1..arms.len() {
        for first in 0..second {
            if effective[first] == effective[second] {
                return Err(PlanError::Coincide {
                    first: arms[first].arm.name.clone(),
                    second: arms[second].arm.name.clone(),
                    memory: host.memory_bytes,
                    cpus: host.cpus,
                });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;

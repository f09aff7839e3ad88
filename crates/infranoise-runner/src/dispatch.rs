//! The dispatcher: admits trials in the plan's order while their floors fit, records what comes back, and stops when it must.
//!
//! Every event goes to the journal first and to the listener after: what a person sees is already on record. If the journal cannot be
//! written, the sweep stops, since the record is the result.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use infranoise_core::{Attempt, Blame, Event, Phase, SandboxId, StopReason, TaskId, TrialKey, TrialRecord};
use infranoise_sandbox::contract::{Network, Overlay, RootSource};
use infranoise_sandbox::{Engine, Interrupter};
use infranoise_store::{JournalWriter, PlanFile, StoreError, SweepFolder, WriteLock};

use crate::admission::{Promised, Room};
use crate::agents::Agent;
use crate::clock::now_ms;
use crate::halt::{Halt, Wish};
use crate::prepare::Prepared;
use crate::schedule::{Scheduled, schedule};
use crate::trial::{Job, Watcher, carry_out, did_not_start};

mod limit;
mod resume;

pub use limit::InfraLimit;
pub use resume::{Progress, progress};

/// What a sweep is carried out with.
pub struct Setup<'s> {
    /// The engine.
    pub engine: &'s Engine,
    /// The sweep's folder.
    pub folder: &'s SweepFolder,
    /// Its plan.
    pub plan: &'s PlanFile,
    /// The plan's tasks, made ready.
    pub tasks: &'s BTreeMap<TaskId, Prepared>,
    /// The agent.
    pub agent: &'s Agent,
    /// Where the root comes from.
    pub root: &'s RootSource,
    /// What network sandboxes have.
    pub network: Network,
    /// Files laid over every sandbox.
    pub overlays: &'s [Overlay],
    /// What the host can promise.
    pub room: Room,
    /// A folder for what lives only as long as a sandbox.
    pub scratch: PathBuf,
    /// When to give up because of the infrastructure.
    pub limit: Option<InfraLimit>,
    /// How a person stops it.
    pub halt: Halt,
}

/// How a sweep ended, for now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// Why it stopped.
    pub reason: StopReason,
    /// Planned trials with a record.
    pub recorded: u64,
    /// Planned trials.
    pub planned: u64,
}

/// A trial that waits for room.
struct Waiting {
    scheduled: Scheduled,
    attempt: Attempt,
    since_ms: u64,
}

enum Message {
    Phase(TrialKey, Phase),
    Sandbox(u64, Interrupter),
    Done(u64, Box<TrialRecord>),
}

/// Tells the dispatcher how one trial goes.
struct Teller {
    to: Sender<Message>,
    key: TrialKey,
    position: u64,
}

impl Watcher for Teller {
    fn phase(&self, phase: Phase) {
        // The dispatcher outlives its trials; if it is gone, nobody listens.
        let _ = self.to.send(Message::Phase(self.key.clone(), phase));
    }

    fn sandbox(&self, interrupter: Interrupter) {
        let _ = self.to.send(Message::Sandbox(self.position, interrupter));
    }
}

/// Carries a sweep out, or on from where it stopped. The listener hears every event after it was recorded.
///
/// # Errors
/// If the plan is that of an import, or the journal cannot be read or written.
pub fn dispatch(setup: &Setup<'_>, listener: &mut dyn FnMut(&Event)) -> Result<End, StoreError> {
    if setup.plan.plan.imported.is_some() {
        return Err(StoreError::Imported { path: setup.folder.path().to_owned() });
    }
    let (lock, writer, journal) = setup.folder.write(setup.plan)?;
    let known = progress(&setup.plan.plan, &journal);
    let mut dispatcher = Dispatcher::new(setup, lock, writer, listener, &known);
    dispatcher.start(&known)?;
    std::thread::scope(|threads| dispatcher.work(threads))
}

struct Running<'s> {
    scheduled: Scheduled,
    attempt: Attempt,
    allocation: &'s infranoise_core::Allocation,
    interrupter: Option<Interrupter>,
}

struct Dispatcher<'s, 'l> {
    setup: &'s Setup<'s>,
    _lock: WriteLock,
    writer: JournalWriter,
    listener: &'l mut dyn FnMut(&Event),
    waiting: VecDeque<Waiting>,
    running: BTreeMap<u64, Running<'s>>,
    promised: Promised,
    recorded: u64,
    first_start_ms: u64,
    limit: limit::Counter,
    from_trials: Receiver<Message>,
    to_us: Sender<Message>,
}

impl<'s, 'l> Dispatcher<'s, 'l> {
    fn new(
        setup: &'s Setup<'s>,
        lock: WriteLock,
        writer: JournalWriter,
        listener: &'l mut dyn FnMut(&Event),
        known: &Progress,
    ) -> Self {
        let now = now_ms();
        let waiting = schedule(&setup.plan.plan)
            .into_iter()
            .filter(|scheduled| !known.settled.contains(&scheduled.key))
            .map(|scheduled| {
                let attempt = known.next_attempt(&scheduled.key);
                Waiting { scheduled, attempt, since_ms: now }
            })
            .collect();
        let (to_us, from_trials) = channel();
        Self {
            setup,
            _lock: lock,
            writer,
            listener,
            waiting,
            running: BTreeMap::new(),
            promised: Promised::default(),
            recorded: known.settled.len() as u64,
            first_start_ms: known.first_start_ms.unwrap_or(now),
            limit: limit::Counter::new(setup.limit),
            from_trials,
            to_us,
        }
    }

    /// Records and tells.
    fn tell(&mut self, event: &Event) -> Result<(), StoreError> {
        self.writer.append(event)?;
        (self.listener)(event);
        Ok(())
    }

    /// The first events: what was lost with the last process, and that this one works now.
    fn start(&mut self, known: &Progress) -> Result<(), StoreError> {
        let at_ms = now_ms();
        let plan = &self.setup.plan.plan;
        self.tell(&Event::SweepStarted {
            at_ms,
            plan_sha256: self.setup.plan.sha256.clone(),
            host: Box::new(plan.host.clone()),
            concurrency: self.setup.room.trials,
            resumed: known.settled.len() as u64,
        })?;
        for (key, attempt) in &known.lost {
            self.tell(&Event::TrialLost { at_ms, key: key.clone(), attempt: *attempt })?;
        }
        Ok(())
    }

    fn work<'t>(&mut self, threads: &'t std::thread::Scope<'t, '_>) -> Result<End, StoreError>
    where
        's: 't,
    {
        let mut reason = StopReason::Complete;
        loop {
            let wish = self.setup.halt.wish();
            if wish > Wish::GoOn && reason == StopReason::Complete {
                reason = StopReason::Interrupted;
            }
            if reason == StopReason::Complete {
                self.admit(threads)?;
            }
            if wish == Wish::Stop {
                self.interrupt();
            }
            if self.running.is_empty() && (reason != StopReason::Complete || self.waiting.is_empty()) {
                break;
            }
            if let Err(error) = self.listen() {
                // Whoever still runs is ended: without a record there is no result.
                self.setup.halt.at_least(Wish::Stop);
                self.interrupt();
                return Err(error);
            }
            if let Some(says) = self.limit.exceeded() {
                reason = StopReason::InfraLimit { says };
            }
        }
        self.tell(&Event::SweepStopped { at_ms: now_ms(), reason: reason.clone() })?;
        Ok(End { reason, recorded: self.recorded, planned: self.setup.plan.plan.planned() })
    }

    /// Starts trials in order while the next one fits and its moment has come.
    fn admit<'t>(&mut self, threads: &'t std::thread::Scope<'t, '_>) -> Result<(), StoreError>
    where
        's: 't,
    {
        while let Some(next) = self.waiting.front() {
            let Some(allocation) = self.allocation(&next.scheduled.key) else {
                self.waiting.pop_front();
                continue;
            };
            let due = self.first_start_ms + next.scheduled.not_before_ms <= now_ms();
            if !due || !self.promised.fits(&self.setup.room, allocation) {
                return Ok(());
            }
            let Some(next) = self.waiting.pop_front() else { return Ok(()) };
            self.promised.admit(allocation);
            self.begin(threads, next, allocation)?;
        }
        Ok(())
    }

    fn allocation(&self, key: &TrialKey) -> Option<&'s infranoise_core::Allocation> {
        self.setup.plan.plan.arm(&key.arm)?.allocations.get(&key.task)
    }

    fn begin<'t>(
        &mut self,
        threads: &'t std::thread::Scope<'t, '_>,
        next: Waiting,
        allocation: &'s infranoise_core::Allocation,
    ) -> Result<(), StoreError>
    where
        's: 't,
    {
        let Waiting { scheduled, attempt, since_ms } = next;
        let setup = self.setup;
        let at_ms = now_ms();
        let folder = setup.folder.fresh_trial(&scheduled.key, attempt)?;
        let sandbox = sandbox_name(&setup.plan.plan.sweep, scheduled.position, attempt);
        self.tell(&Event::TrialStarted {
            at_ms,
            key: scheduled.key.clone(),
            attempt,
            sandbox: sandbox.clone(),
            waited_ms: at_ms.saturating_sub(since_ms),
        })?;
        let teller =
            Teller { to: self.to_us.clone(), key: scheduled.key.clone(), position: scheduled.position };
        let position = scheduled.position;
        let running = Running { scheduled: scheduled.clone(), attempt, allocation, interrupter: None };
        self.running.insert(position, running);
        let concurrent = self.promised.trials();
        let start = Start { setup, scheduled, attempt, allocation, sandbox, folder };
        let theirs = start.clone();
        let spawned = std::thread::Builder::new().name("trial".to_owned()).spawn_scoped(threads, move || {
            let mut record = carry_out(setup.engine, &theirs.job(), &teller);
            record.facts.host.concurrent_trials = record.facts.host.concurrent_trials.max(concurrent);
            let _ = teller.to.send(Message::Done(position, Box::new(record)));
        });
        if let Err(source) = spawned {
            // A host without room for a thread now may have some in a moment: the trial did not start, and the plan's retries decide.
            let record = did_not_start(setup.engine, &start.job(), source);
            let _ = self.to_us.send(Message::Done(position, Box::new(record)));
        }
        Ok(())
    }

    /// Waits for a message, but not longer than until something else may have changed.
    fn listen(&mut self) -> Result<(), StoreError> {
        let message = match self.from_trials.recv_timeout(Duration::from_millis(100)) {
            Ok(message) => message,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return Ok(()),
        };
        match message {
            Message::Phase(key, phase) => self.tell(&Event::PhaseStarted { at_ms: now_ms(), key, phase }),
            Message::Sandbox(position, interrupter) => {
                if let Some(running) = self.running.get_mut(&position) {
                    running.interrupter = Some(interrupter);
                }
                Ok(())
            }
            Message::Done(position, record) => self.done(position, record),
        }
    }

    fn done(&mut self, position: u64, record: Box<TrialRecord>) -> Result<(), StoreError> {
        let Some(running) = self.running.remove(&position) else { return Ok(()) };
        self.promised.release(running.allocation);
        let at_ms = now_ms();
        if record.classification.cause == infranoise_core::Cause::Interrupted {
            let Running { scheduled, attempt, .. } = running;
            return self.tell(&Event::TrialLost { at_ms, key: scheduled.key, attempt });
        }
        let again = self.again(&record, running.attempt);
        self.limit.count(&record);
        self.keep(&record, running.attempt)?;
        self.tell(&Event::TrialEnded { at_ms, record })?;
        match again {
            Some(attempt) => {
                self.waiting.push_front(Waiting { scheduled: running.scheduled, attempt, since_ms: at_ms });
            }
            None => self.recorded += 1,
        }
        Ok(())
    }

    /// The next attempt, if the plan wants one after this record.
    fn again(&self, record: &TrialRecord, attempt: Attempt) -> Option<Attempt> {
        resume::wants_another(&self.setup.plan.plan, record, attempt).then(|| Attempt(attempt.0 + 1))
    }

    /// Writes the record beside the logs, where Harbor's tools look for it.
    fn keep(&self, record: &TrialRecord, attempt: Attempt) -> Result<(), StoreError> {
        let folder = self.setup.folder.trial(&record.facts.key, attempt);
        let name = folder.strip_prefix(self.setup.folder.path()).unwrap_or(&folder).join("result.json");
        let document = infranoise_formats::results::harbor_result(&self.setup.plan.plan, record);
        let mut bytes = serde_json::to_vec_pretty(&document).unwrap_or_default();
        bytes.push(b'\n');
        self.setup.folder.write_document(&name.to_string_lossy(), &bytes).map(|_| ())
    }

    fn interrupt(&self) {
        for interrupter in self.running.values().filter_map(|running| running.interrupter.as_ref()) {
            interrupter.interrupt();
        }
    }
}

/// What a trial's thread takes along.
#[derive(Clone)]
struct Start<'s> {
    setup: &'s Setup<'s>,
    scheduled: Scheduled,
    attempt: Attempt,
    allocation: &'s infranoise_core::Allocation,
    sandbox: SandboxId,
    folder: PathBuf,
}

impl Start<'_> {
    fn job(&self) -> Job<'_> {
        let Self { setup, scheduled, attempt, allocation, sandbox, folder } = self;
        let plan = &setup.plan.plan;
        let (Some(task), Some(arm)) = (setup.tasks.get(&scheduled.key.task), plan.arm(&scheduled.key.arm))
        else {
            unreachable!("dispatch is given every task and arm of its plan");
        };
        Job {
            scheduled,
            attempt: *attempt,
            task,
            arm: &arm.arm,
            allocation: **allocation,
            agent: setup.agent,
            root: setup.root,
            network: setup.network.clone(),
            overlays: setup.overlays,
            quiesce: plan.quiesce,
            scratch: setup.scratch.join(sandbox.as_str()),
            sandbox: sandbox.clone(),
            folder: folder.clone(),
            sweep: plan.sweep.clone(),
            halt: &setup.halt,
        }
    }
}

/// A sandbox's name: short, unique on the machine, safe as a folder and as a control group.
fn sandbox_name(sweep: &infranoise_core::SweepId, position: u64, attempt: Attempt) -> SandboxId {
    let short: String = sweep.as_str().chars().take(24).collect();
    let unique = format!("{short}-{:x}-{position}-{}", std::process::id(), attempt.0);
    #[expect(clippy::expect_used, reason = "made of a name, digits and dashes")]
    SandboxId::try_new(unique).expect("a name")
}

/// Whether a record is an infrastructure error that nobody planned: a fault, or a trial that did not start.
fn unplanned(record: &TrialRecord) -> bool {
    match record.classification.blame {
        Blame::Fault | Blame::NotStarted => true,
        Blame::Nobody | Blame::Agent | Blame::Ceiling { .. } | Blame::Task | Blame::Undetermined => false,
    }
}

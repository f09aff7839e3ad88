//! A scripted sandbox.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use infranoise_core::{
    Bytes, Ceiling, Enforcement, ExecId, ExecRecord, HostWindow, Observed, ResourceEvent, SandboxId, Stop,
    TelemetrySummary,
};

use super::{Answer, Script};
use crate::contract::{DeadlineKill, EngineError, ExecEnd, ExecSpec, Limit, SandboxEvidence, SandboxSpec};
use crate::local::Fetched;

#[derive(Default)]
struct State {
    now_ms: u64,
    ended: bool,
    started: BTreeMap<u32, (ExecSpec, Answer, u64)>,
    events: Vec<ResourceEvent>,
}

/// A scripted sandbox.
pub struct FakeSandbox {
    script: Arc<Script>,
    spec: Box<SandboxSpec>,
    enforcement: Enforcement,
    files: PathBuf,
    interrupted: Arc<AtomicBool>,
    state: Mutex<State>,
}

/// Stops a scripted sandbox from another thread.
#[derive(Clone, Debug)]
pub struct FakeInterrupter(Arc<AtomicBool>);

impl FakeInterrupter {
    /// Every command that is waited for from now on is interrupted.
    pub fn interrupt(&self) {
        self.0.store(true, Ordering::Release);
    }
}

impl FakeSandbox {
    pub(super) fn new(
        script: Arc<Script>,
        spec: &SandboxSpec,
        enforcement: Enforcement,
        files: PathBuf,
    ) -> Self {
        Self {
            script,
            spec: Box::new(spec.clone()),
            enforcement,
            files,
            interrupted: Arc::default(),
            state: Mutex::default(),
        }
    }

    /// Its name.
    #[must_use]
    pub fn id(&self) -> &SandboxId {
        &self.spec.id
    }

    /// As asked.
    #[must_use]
    pub fn enforcement(&self) -> &Enforcement {
        &self.enforcement
    }

    /// The time that its commands have taken.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        Duration::from_millis(self.lock().now_ms)
    }

    /// Asks the function.
    ///
    /// # Errors
    /// If the sandbox has ended.
    pub fn exec(&self, spec: &ExecSpec) -> Result<ExecId, EngineError> {
        let mut state = self.lock();
        if state.ended {
            return Err(EngineError::Gone { sandbox: self.spec.id.clone(), why: "it has ended".to_owned() });
        }
        let id = u32::try_from(state.started.len()).unwrap_or(u32::MAX);
        let answer = (self.script)(&self.spec, spec);
        let now_ms = state.now_ms;
        state.started.insert(id, (spec.clone(), answer, now_ms));
        Ok(ExecId(id))
    }

    /// Gives the answer, or the deadline if that comes first.
    ///
    /// # Errors
    /// If there is no such command, or its output cannot be written.
    pub fn wait(&self, id: ExecId, limit: Limit, _kill: DeadlineKill) -> Result<ExecEnd, EngineError> {
        let mut state = self.lock();
        let gone =
            || EngineError::Gone { sandbox: self.spec.id.clone(), why: "it has no such command".to_owned() };
        let (spec, answer, started_ms) = state.started.get(&id.0).cloned().ok_or_else(gone)?;
        let limit_ms = limit.map(|limit| u64::try_from(limit.as_millis()).unwrap_or(u64::MAX));
        let (stop, takes_ms) = match limit_ms {
            _ if self.interrupted.load(Ordering::Acquire) => (Stop::Interrupted, 0),
            Ceiling::At(limit_ms) if answer.takes_ms > limit_ms => (Stop::Deadline { limit_ms }, limit_ms),
            Ceiling::At(_) | Ceiling::Uncapped => (answer.stop.clone(), answer.takes_ms),
        };
        let by_itself = stop == answer.stop;
        let ended_ms = started_ms + takes_ms;
        state.now_ms = state.now_ms.max(ended_ms);
        self.leave(&spec, &answer, by_itself)?;
        if by_itself {
            let fill = |event: &ResourceEvent| ResourceEvent {
                at_ms: ended_ms,
                phase: spec.phase,
                exec: Some(id),
                ..event.clone()
            };
            state.events.extend(answer.events.iter().map(fill));
            state.ended |= answer.ends_sandbox;
        }
        let record = ExecRecord {
            id,
            phase: spec.phase,
            command: spec.argv.join(" ").chars().take(200).collect(),
            started_ms,
            ended_ms,
            stop,
            memory_peak_bytes: Observed::Observed(Bytes(answer.peak_bytes.unwrap_or(1 << 20))),
            cpu_us: Observed::Observed(takes_ms * 1000),
            oom_kills: Observed::Observed(0),
            pids_refused: Observed::Observed(0),
        };
        Ok(ExecEnd { record, sandbox_alive: !state.ended })
    }

    /// A socket on the host's loopback, since a scripted sandbox has no network.
    ///
    /// # Errors
    /// If the port is taken.
    pub fn listen(&self, port: u16) -> Result<std::net::TcpListener, EngineError> {
        let bound = std::net::TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, port));
        bound.map_err(|source| EngineError::Host {
            step: "listen".to_owned(),
            path: PathBuf::from("127.0.0.1"),
            source,
        })
    }

    /// Copies a file or a folder of the host among its files.
    ///
    /// # Errors
    /// If it cannot be read or written.
    pub fn put(&self, from: &Path, to: &Path) -> Result<(), EngineError> {
        copy(from, &self.place(to)).map(drop).map_err(|error| failed("put", to, error))
    }

    /// Copies one of its files or folders to the host.
    ///
    /// # Errors
    /// If it is not there or cannot be written.
    pub fn get(&self, from: &Path, to: &Path) -> Result<Fetched, EngineError> {
        copy(&self.place(from), to).map_err(|error| failed("get", from, error))
    }

    /// The content of one of its files.
    ///
    /// # Errors
    /// If it is larger than the limit or no file.
    pub fn read_small(&self, path: &Path, limit_bytes: u64) -> Result<Option<Vec<u8>>, EngineError> {
        match fs::read(self.place(path)) {
            Ok(content) if content.len() as u64 > limit_bytes => {
                Err(failed("read", path, std::io::ErrorKind::InvalidData.into()))
            }
            Ok(content) => Ok(Some(content)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed("read", path, error)),
        }
    }

    /// Something with which another thread can stop this sandbox.
    #[must_use]
    pub fn interrupter(&self) -> FakeInterrupter {
        FakeInterrupter(Arc::clone(&self.interrupted))
    }

    /// Gives the scripted events and removes the files.
    ///
    /// # Errors
    /// Never; the signature is the contract's.
    pub fn finalize(self) -> Result<SandboxEvidence, EngineError> {
        let events = std::mem::take(&mut self.lock().events);
        Ok(SandboxEvidence {
            events,
            telemetry: TelemetrySummary::default(),
            host: HostWindow::default(),
            notes: Vec::new(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Output always; files only if the command came to its end.
    fn leave(&self, spec: &ExecSpec, answer: &Answer, finished: bool) -> Result<(), EngineError> {
        let limit = usize::try_from(spec.output_limit_bytes).unwrap_or(usize::MAX);
        let printed = &answer.prints.as_bytes()[..answer.prints.len().min(limit)];
        let output = fs::File::options().create(true).append(true).open(&spec.output);
        let written = output.and_then(|mut file| std::io::Write::write_all(&mut file, printed));
        written.map_err(|error| failed("write the output", &spec.output, error))?;
        for (path, content) in answer.writes.iter().filter(|_| finished) {
            let place = self.place(path);
            let parent = place.parent().unwrap_or(&self.files);
            let left = fs::create_dir_all(parent).and_then(|()| fs::write(&place, content));
            left.map_err(|error| failed("leave a file", path, error))?;
        }
        Ok(())
    }

    /// Where a path inside is on the host: in the folder of a writable bind, or among the sandbox's files.
    fn place(&self, path: &Path) -> PathBuf {
        use crate::contract::OverlayKind::BindWritable;
        let binds = self.spec.overlays.iter().filter(|overlay| overlay.how == BindWritable);
        let bound =
            binds.filter_map(|overlay| Some(overlay.from.join(path.strip_prefix(&overlay.to).ok()?))).next();
        bound.unwrap_or_else(|| {
            let normal = path.components().filter(|part| matches!(part, Component::Normal(_)));
            normal.fold(self.files.clone(), |place, part| place.join(part))
        })
    }
}

impl Drop for FakeSandbox {
    fn drop(&mut self) {
        // The folder is the engine's own; a test that looks for leftovers sees them.
        let _ = fs::remove_dir_all(&self.spec.scratch);
    }
}

impl fmt::Debug for FakeSandbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FakeSandbox").field("id", &self.spec.id).finish_non_exhaustive()
    }
}

fn failed(step: &str, path: &Path, source: std::io::Error) -> EngineError {
    EngineError::Host { step: step.to_owned(), path: path.to_owned(), source }
}

fn copy(from: &Path, to: &Path) -> std::io::Result<Fetched> {
    let mut done = Fetched::default();
    if from == to {
        return Ok(done);
    }
    if from.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            let below = copy(&entry.path(), &to.join(entry.file_name()))?;
            done.files += below.files;
            done.bytes += below.bytes;
        }
        return Ok(done);
    }
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent)?;
    }
    done.bytes = fs::copy(from, to)?;
    done.files = 1;
    Ok(done)
}

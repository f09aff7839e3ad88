//! One thread that listens to all sandboxes of an engine: what supervisors report, what commands print, when memory runs over.
//!
//! It also is the launcher's parent: the kernel ends a launcher whose parent thread ends, and this one lives as long as the engine.

use std::collections::HashMap;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use infranoise_supervisor::message::Report;
use rustix::event::{EventfdFlags, PollFlags, Timespec, epoll, eventfd};
use rustix::net::RecvFlags;

use super::out_of_memory;
use super::output::{Drained, Output};
use super::state::Shared;
use crate::launcher::{Launcher, LauncherProgram};
use crate::linux::socket::{Received, receive};

/// Reports of supervisors are short.
const MOST_BYTES: usize = 4 << 10;
/// How long output beyond its limit is left waiting.
const NO_HURRY: Timespec = Timespec { tv_sec: 0, tv_nsec: 1_000_000 };
/// The token of the descriptor that wakes the thread.
const WAKE: u64 = 0;

/// Something to listen to.
#[derive(Clone)]
enum Source {
    Control(Arc<Shared>),
    Memory(Arc<Shared>),
    Output(Arc<Output>),
}

struct Sources {
    next: u64,
    by_token: HashMap<u64, Source>,
    stop: bool,
    /// Who wants a launcher, and which program it is to be.
    wanted: Vec<(LauncherProgram, mpsc::Sender<io::Result<Launcher>>)>,
}

struct Inner {
    epoll: OwnedFd,
    wake: OwnedFd,
    sources: Mutex<Sources>,
}

/// The thread and what it listens to.
pub(crate) struct Watcher {
    inner: Arc<Inner>,
    thread: Option<JoinHandle<()>>,
}

/// What a sandbox is listened to by; to be given back when it is done.
#[derive(Debug)]
pub(crate) struct Listening(Vec<u64>);

impl Watcher {
    /// Starts the thread.
    pub(crate) fn start() -> io::Result<Self> {
        let wake = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        epoll::add(&epoll, &wake, epoll::EventData::new_u64(WAKE), epoll::EventFlags::IN)?;
        let sources = Sources { next: WAKE + 1, by_token: HashMap::new(), stop: false, wanted: Vec::new() };
        let inner = Arc::new(Inner { epoll, wake, sources: Mutex::new(sources) });
        let its = Arc::clone(&inner);
        let thread = thread::Builder::new().name("sandbox-watcher".to_owned()).spawn(move || its.listen())?;
        Ok(Self { inner, thread: Some(thread) })
    }

    /// Starts a launcher, as a child of the thread.
    pub(crate) fn launcher(&self, program: &LauncherProgram) -> io::Result<Launcher> {
        let (asker, answer) = mpsc::channel();
        self.inner.lock().wanted.push((program.clone(), asker));
        self.inner.wake();
        answer.recv().map_err(io::Error::other)?
    }

    /// Listens to a sandbox's supervisor and to its memory.
    pub(crate) fn sandbox(&self, shared: &Arc<Shared>) -> io::Result<Listening> {
        let mut tokens = Listening(Vec::new());
        let control = Source::Control(Arc::clone(shared));
        tokens.0.push(self.inner.add(&shared.control, control, epoll::EventFlags::IN)?);
        if let Some(oom) = &shared.oom {
            let interest =
                if oom.interest() == PollFlags::PRI { epoll::EventFlags::PRI } else { epoll::EventFlags::IN };
            tokens.0.push(self.inner.add(oom.fd(), Source::Memory(Arc::clone(shared)), interest)?);
        }
        Ok(tokens)
    }

    /// Drains a command's output until every writer is gone.
    pub(crate) fn output(&self, output: &Arc<Output>) -> io::Result<Listening> {
        let source = Source::Output(Arc::clone(output));
        Ok(Listening(vec![self.inner.add(&**output, source, epoll::EventFlags::IN)?]))
    }

    /// Listens no more.
    pub(crate) fn forget(&self, listening: Listening) {
        listening.0.into_iter().for_each(|token| self.inner.remove(token));
    }
}

/// Says that nobody listens any more.
struct LastWords<'a>(&'a Inner);

impl Drop for LastWords<'_> {
    fn drop(&mut self) {
        for source in self.0.lock().by_token.values() {
            if let Source::Control(shared) = source {
                shared.hung_up();
            }
        }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.inner.lock().stop = true;
        self.inner.wake();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, Sources> {
        self.sources.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake(&self) {
        // The counter of an eventfd cannot overflow by ones.
        let _ = rustix::io::write(&self.wake, &1_u64.to_ne_bytes());
    }

    /// Does what the thread was woken for.
    fn woken(&self) {
        let mut count = [0; 8];
        let _ = rustix::io::read(&self.wake, &mut count);
        let wanted = std::mem::take(&mut self.lock().wanted);
        for (program, asker) in wanted {
            // Whoever asked may have left; then the launcher ends again.
            let _ = asker.send(Launcher::start(&program));
        }
    }

    fn add(&self, fd: impl AsFd, source: Source, interest: epoll::EventFlags) -> io::Result<u64> {
        let token = {
            let mut sources = self.lock();
            let token = sources.next;
            sources.next += 1;
            sources.by_token.insert(token, source);
            token
        };
        let added = epoll::add(&self.epoll, fd, epoll::EventData::new_u64(token), interest);
        if added.is_err() {
            self.lock().by_token.remove(&token);
        }
        added?;
        Ok(token)
    }

    /// Takes a source off the list. Whoever still handles it keeps its own hold.
    fn remove(&self, token: u64) {
        let Some(source) = self.lock().by_token.remove(&token) else { return };
        // Fails only if the descriptor is not listened to any more.
        let _ = match &source {
            Source::Control(shared) => epoll::delete(&self.epoll, &shared.control),
            Source::Memory(shared) => match &shared.oom {
                Some(oom) => epoll::delete(&self.epoll, oom.fd()),
                None => Ok(()),
            },
            Source::Output(output) => epoll::delete(&self.epoll, &**output),
        };
    }

    /// Listens until told to stop. Should the thread end in any other way, whoever waits for a sandbox must not wait for ever.
    fn listen(&self) {
        let _last = LastWords(self);
        let mut events = Vec::with_capacity(64);
        // Outputs beyond their limit rest for a moment, so that they cost no processor time.
        let mut resting: Vec<u64> = Vec::new();
        loop {
            events.clear();
            let timeout = if resting.is_empty() { None } else { Some(&NO_HURRY) };
            let waited = epoll::wait(&self.epoll, rustix::buffer::spare_capacity(&mut events), timeout);
            if waited.is_err_and(|error| error != rustix::io::Errno::INTR) || self.lock().stop {
                return;
            }
            std::mem::take(&mut resting).into_iter().for_each(|token| self.rest(token, false));
            for event in &events {
                let token = event.data.u64();
                if token == WAKE {
                    self.woken();
                }
                let source = self.lock().by_token.get(&token).cloned();
                if source.is_some_and(|source| self.serve(token, &source)) {
                    resting.push(token);
                }
            }
        }
    }

    /// Takes what a source has to say; whether it should rest for a moment.
    fn serve(&self, token: u64, source: &Source) -> bool {
        match source {
            Source::Control(shared) => self.hear(token, shared),
            Source::Memory(shared) => {
                // A group that is gone has nothing more to say.
                out_of_memory::noticed(shared).unwrap_or_else(|_| self.remove(token));
            }
            Source::Output(output) => match output.drain() {
                Drained::Empty | Drained::More => {}
                Drained::Beyond => {
                    self.rest(token, true);
                    return true;
                }
                Drained::Closed => self.remove(token),
            },
        }
        false
    }

    /// Stops listening to an output for a moment, or listens again.
    fn rest(&self, token: u64, rest: bool) {
        let source = self.lock().by_token.get(&token).cloned();
        if let Some(Source::Output(output)) = source {
            let interest = if rest { epoll::EventFlags::empty() } else { epoll::EventFlags::IN };
            // Fails only if the output was forgotten meanwhile.
            let _ = epoll::modify(&self.epoll, &*output, epoll::EventData::new_u64(token), interest);
        }
    }

    fn hear(&self, token: u64, shared: &Shared) {
        let mut buffer = [0; MOST_BYTES];
        match receive(&shared.control, &mut buffer, RecvFlags::DONTWAIT) {
            Ok(Received::Message { length, descriptors }) => match Report::decode(&buffer[..length]) {
                Ok(report) => shared.hear(report, descriptors),
                Err(_) => {
                    self.remove(token);
                    shared.hung_up();
                }
            },
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Ok(Received::Closed) | Err(_) => {
                self.remove(token);
                shared.hung_up();
            }
        }
    }
}

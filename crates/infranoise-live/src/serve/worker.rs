//! One followed sweep: a thread that reads, thinks and makes parts while somebody looks.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use tokio::sync::watch;

use super::ask::Ask;
use super::moment::{Maker, Moment};
use super::{parts, trial};
use crate::follow::Follower;
use crate::view::View;
use crate::{Clock, Thinker};

/// How often files are looked at.
const EVERY: Duration = Duration::from_secs(1);

/// A sweep that nobody has looked at for so long is no longer followed, in milliseconds.
const IDLE_MS: u64 = 30_000;

/// At most so many questions about trials wait.
const QUESTIONS: usize = 32;

/// What is known of a sweep.
#[derive(Clone, Debug)]
pub(super) enum Seen {
    /// Nothing yet: it is being read.
    NotYet,
    /// A moment.
    Moment(Arc<Moment>),
    /// It cannot be read.
    Failed(String),
}

/// The side that viewers see.
#[derive(Debug)]
pub(super) struct Worker {
    sight: watch::Sender<Seen>,
    questions: SyncSender<Ask>,
    looked_at_ms: AtomicU64,
    clock: Clock,
}

impl Worker {
    /// Starts to follow a sweep. `retire` is asked when nobody has looked for a while, and says whether the worker may go.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub(super) fn start(
        path: PathBuf,
        clock: Clock,
        made_by: &'static str,
        retire: impl Fn(&Arc<Self>) -> bool + Send + 'static,
    ) -> std::io::Result<Arc<Self>> {
        let (questions, asked) = sync_channel(QUESTIONS);
        let sight = watch::Sender::new(Seen::NotYet);
        let worker = Arc::new(Self { sight, questions, looked_at_ms: AtomicU64::new(clock()), clock });
        let theirs = Arc::clone(&worker);
        let work = move || theirs.work(&path, made_by, &asked, &retire);
        std::thread::Builder::new().name("follow".to_owned()).spawn(work)?;
        Ok(worker)
    }

    /// A viewer's sight.
    pub(super) fn look(&self) -> watch::Receiver<Seen> {
        self.looked_at_ms.store((self.clock)(), Ordering::Relaxed);
        self.sight.subscribe()
    }

    /// Where questions about trials go.
    pub(super) fn questions(&self) -> SyncSender<Ask> {
        self.questions.clone()
    }

    /// Whether nobody looks, nor has for a while.
    pub(super) fn idle(&self) -> bool {
        let since_ms = (self.clock)().saturating_sub(self.looked_at_ms.load(Ordering::Relaxed));
        self.sight.receiver_count() == 0 && since_ms > IDLE_MS
    }

    /// Whether the sweep could not be read.
    pub(super) fn failed(&self) -> bool {
        matches!(*self.sight.borrow(), Seen::Failed(_))
    }

    fn work(
        self: &Arc<Self>,
        path: &std::path::Path,
        made_by: &str,
        asked: &Receiver<Ask>,
        retire: &dyn Fn(&Arc<Self>) -> bool,
    ) {
        let mut follower = match Follower::open(path) {
            Ok(follower) => follower,
            Err(error) => return self.fail(&error.to_string(), retire),
        };
        let mut thinker = Thinker::new(self.clock, made_by);
        let mut maker = Maker::new((self.clock)());
        parts::reserve(&mut maker);
        loop {
            follower.poll();
            maker.begin();
            if !follower.behind() {
                thinker.think(follower.now(), |analysis| parts::figures(analysis, &mut maker));
            }
            let view = View::of(&follower, &thinker, (self.clock)());
            parts::set(&view, &mut maker);
            let analysis = view.analysis.as_ref().map(|(analysis, _)| Arc::clone(analysis));
            if let Some(moment) = maker.moment(parts::title(&view), analysis) {
                self.sight.send_replace(Seen::Moment(Arc::new(moment)));
            }
            let wait = if follower.behind() { Duration::ZERO } else { EVERY };
            answer(asked, wait, &follower, &view);
            if self.idle() && retire(self) {
                return;
            }
        }
    }

    /// Says that the sweep cannot be read, for as long as somebody may want to know; then it is tried anew.
    fn fail(self: &Arc<Self>, why: &str, retire: &dyn Fn(&Arc<Self>) -> bool) {
        self.sight.send_replace(Seen::Failed(why.to_owned()));
        std::thread::sleep(EVERY);
        retire(self);
    }
}

/// Waits, and answers whoever asks meanwhile.
fn answer(asked: &Receiver<Ask>, wait: Duration, follower: &Follower, view: &View) {
    let mut wait = wait;
    for _ in 0..QUESTIONS {
        match asked.recv_timeout(wait) {
            Ok(Ask { folder, reply }) => {
                // Whoever has gone away no longer wants to know.
                let _ = reply.send(trial::part(follower, view, &folder));
                wait = wait.min(EVERY / 4);
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return,
        }
    }
}

//! How a person stops a sweep: once to let running trials finish, twice to end them.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How far a sweep is to be stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wish {
    /// Not at all.
    #[default]
    GoOn,
    /// No new trials; those that run may finish.
    Drain,
    /// At once.
    Stop,
}

/// A wish that threads share and can wait on.
#[derive(Clone, Debug, Default)]
pub struct Halt(Arc<(Mutex<Wish>, Condvar)>);

impl Halt {
    /// Nobody wishes to stop yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Goes one step further: drain, then stop.
    pub fn step(&self) -> Wish {
        self.change(|wish| match wish {
            Wish::GoOn => Wish::Drain,
            Wish::Drain | Wish::Stop => Wish::Stop,
        })
    }

    /// Asks for at least this much.
    pub fn at_least(&self, wanted: Wish) -> Wish {
        self.change(|wish| wish.max(wanted))
    }

    fn change(&self, to: impl FnOnce(Wish) -> Wish) -> Wish {
        let (lock, woken) = &*self.0;
        let mut wish = lock.lock().unwrap_or_else(PoisonError::into_inner);
        *wish = to(*wish);
        woken.notify_all();
        *wish
    }

    /// What is wished for.
    #[must_use]
    pub fn wish(&self) -> Wish {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets time pass, but not beyond the wish to stop at once.
    pub fn pause(&self, span: Duration) {
        let (lock, woken) = &*self.0;
        let wish = lock.lock().unwrap_or_else(PoisonError::into_inner);
        let _unless_stopped = woken
            .wait_timeout_while(wish, span, |wish| *wish < Wish::Stop)
            .unwrap_or_else(PoisonError::into_inner);
    }
}

//! Work on all cores, results in order, a bounded number of them waiting.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// So many results per thread may be ahead of what was taken.
const AHEAD: usize = 8;

/// Where everybody is.
struct State<R> {
    next: usize,
    taken: usize,
    done: BTreeMap<usize, R>,
    /// Somebody panicked: nobody waits any more.
    over: bool,
}

struct Shared<R> {
    state: Mutex<State<R>>,
    changed: Condvar,
}

impl<R> Shared<R> {
    fn lock(&self) -> MutexGuard<'_, State<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'g>(&self, state: MutexGuard<'g, State<R>>) -> MutexGuard<'g, State<R>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the waiting of the others if its owner panics.
struct Alarm<'s, R>(&'s Shared<R>);

impl<R> Drop for Alarm<'_, R> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.lock().over = true;
            self.0.changed.notify_all();
        }
    }
}

/// Does `work` on each item, on as many threads as there are cores, and gives the results to `take` in the items' order. At most
/// a few results per thread wait, so that memory does not grow with the number of items.
pub(in crate::results) fn in_order<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
    mut take: impl FnMut(R),
) {
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(items.len());
    if threads < 2 {
        return items.iter().for_each(|item| take(work(item)));
    }
    let state = State { next: 0, taken: 0, done: BTreeMap::new(), over: false };
    let shared = Shared { state: Mutex::new(state), changed: Condvar::new() };
    let (shared, work) = (&shared, &work);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(move || {
                let _alarm = Alarm(shared);
                while let Some(place) = claim(shared, items.len(), threads * AHEAD) {
                    let result = work(&items[place]);
                    shared.lock().done.insert(place, result);
                    shared.changed.notify_all();
                }
            });
        }
        let _alarm = Alarm(shared);
        for place in 0..items.len() {
            let Some(result) = fetch(shared, place) else { return };
            take(result);
        }
    });
}

/// The next item's place, as soon as there is room for its result.
fn claim<R>(shared: &Shared<R>, items: usize, ahead: usize) -> Option<usize> {
    let mut state = shared.lock();
    while !state.over && state.next < items && state.next >= state.taken + ahead {
        state = shared.wait(state);
    }
    let place = state.next;
    state.next += 1;
    (!state.over && place < items).then_some(place)
}

/// The result of one place, as soon as it is there; `None` if it never will be.
fn fetch<R>(shared: &Shared<R>, place: usize) -> Option<R> {
    let mut state = shared.lock();
    loop {
        if let Some(result) = state.done.remove(&place) {
            state.taken = place + 1;
            shared.changed.notify_all();
            return Some(result);
        }
        if state.over {
            return None;
        }
        state = shared.wait(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn results_come_in_order_and_few_wait() {
        let items: Vec<usize> = (0..1_000).collect();
        let (begun, mut taken, mut most) = (AtomicUsize::new(0), Vec::new(), 0);
        let work = |item: &usize| {
            begun.fetch_add(1, Ordering::SeqCst);
            item * 2
        };
        in_order(&items, work, |result| {
            most = most.max(begun.load(Ordering::SeqCst) - taken.len());
            taken.push(result);
        });
        assert_eq!(taken, items.iter().map(|item| item * 2).collect::<Vec<_>>());
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        assert!(most <= threads * (AHEAD + 1) + 1, "{most} were begun and not yet taken");
        in_order(&[] as &[usize], |item| *item, |_| unreachable!("there is nothing"));
    }

    #[test]
    fn a_panic_on_either_side_ends_it() {
        let items: Vec<usize> = (0..200).collect();
        let of_work = || in_order(&items, |item| assert_ne!(*item, 50, "of the work"), |()| {});
        let of_take = || in_order(&items, |item| *item, |item| assert_ne!(item, 50, "of the taking"));
        for run in [&of_work as &(dyn Fn() + std::panic::RefUnwindSafe), &of_take] {
            assert!(std::panic::catch_unwind(run).is_err());
        }
    }
}

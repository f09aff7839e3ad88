//! How many sandboxes an engine has at once, from each one's point of view.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The living.
#[derive(Debug, Default)]
pub(crate) struct Census(Mutex<Living>);

#[derive(Debug, Default)]
struct Living {
    next: u64,
    /// The most at once that each has seen.
    most: BTreeMap<u64, u32>,
}

impl Census {
    /// One more; gives its number.
    pub(crate) fn born(&self) -> u64 {
        let mut living = self.lock();
        let number = living.next;
        living.next += 1;
        living.most.insert(number, 0);
        let now = u32::try_from(living.most.len()).unwrap_or(u32::MAX);
        living.most.values_mut().for_each(|most| *most = now.max(*most));
        number
    }

    /// One less.
    pub(crate) fn died(&self, number: u64) {
        self.lock().most.remove(&number);
    }

    /// The most that were alive at once while this one was, itself included.
    pub(crate) fn most(&self, number: u64) -> u32 {
        self.lock().most.get(&number).copied().unwrap_or(1)
    }

    fn lock(&self) -> MutexGuard<'_, Living> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_knows_its_own_crowd() {
        let census = Census::default();
        let first = census.born();
        let second = census.born();
        assert_eq!([first, second].map(|number| census.most(number)), [2, 2]);
        census.died(first);
        census.died(second);
        let third = census.born();
        assert_eq!(census.most(third), 1);
    }
}

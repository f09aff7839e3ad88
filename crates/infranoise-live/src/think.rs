//! The analysis while trials come in: made anew only as often as its cost allows.

use std::sync::Arc;

use infranoise_analysis::{Analysis, Effort, analyse};

use crate::Clock;
use crate::now::Now;

/// At least so long between two analyses, in milliseconds.
const LEAST_MS: u64 = 2_000;

/// At most so long, however much an analysis costs.
const MOST_MS: u64 = 60_000;

/// An analysis may take one part in so many of the time: 2 % of a core.
const SHARE: u64 = 50;

/// Resamples while trials still come in; the end gets the full number.
const DRAWS_ON_THE_WAY: u32 = 1_000;

/// Keeps the analysis as fresh as is fair.
#[derive(Debug)]
pub struct Thinker {
    clock: Clock,
    made_by: String,
    last: Option<Arc<Analysis>>,
    of_records: usize,
    full: bool,
    at_ms: u64,
    next_ms: u64,
}

impl Thinker {
    /// Before the first analysis. `made_by` names the program and version.
    #[must_use]
    pub fn new(clock: Clock, made_by: &str) -> Self {
        Self {
            clock,
            made_by: made_by.to_owned(),
            last: None,
            of_records: 0,
            full: false,
            at_ms: 0,
            next_ms: 0,
        }
    }

    /// Thinks anew if there is something new and it is time; true if it did. `extra` is done with each new analysis and counts as its cost.
    pub fn think(&mut self, now: &Now, extra: impl FnOnce(&Analysis)) -> bool {
        let over = now.over();
        let fresh = self.last.is_some() && self.of_records == now.records.len() && (self.full || !over);
        let began = (self.clock)();
        if fresh || (began < self.next_ms && !over) {
            return false;
        }
        let effort = if over { Effort::default() } else { Effort { draws: DRAWS_ON_THE_WAY } };
        let analysis = analyse(&now.plan, &now.records, &self.made_by, effort);
        extra(&analysis);
        self.last = Some(Arc::new(analysis));
        (self.of_records, self.full) = (now.records.len(), over);
        self.at_ms = (self.clock)();
        let cost_ms = self.at_ms.saturating_sub(began);
        self.next_ms = self.at_ms + (cost_ms * SHARE).clamp(LEAST_MS, MOST_MS);
        true
    }

    /// The last analysis, with its time in milliseconds since 1970 (UTC).
    #[must_use]
    pub fn last(&self) -> Option<(&Arc<Analysis>, u64)> {
        self.last.as_ref().map(|analysis| (analysis, self.at_ms))
    }
}

#[cfg(test)]
mod tests {
    use infranoise_core::testing::{Ending, plan, record};
    use infranoise_core::{Event, StopReason};

    use super::*;

    #[test]
    fn many_records_are_thought_about_together_and_the_end_at_once() {
        let plan = Arc::new(plan(3, 2, 2));
        let mut now = Now::new(Arc::clone(&plan));
        // A clock that stands still: nothing costs anything, and the next time never comes.
        let mut thinker = Thinker::new(|| 5, "test");
        let mut thoughts = 0;
        let mut think = |now: &Now| {
            let mut extra = 0;
            let thought = thinker.think(now, |_| extra += 1);
            assert_eq!(extra, u32::from(thought));
            thoughts += extra;
        };
        for key in plan.keys() {
            let record = Box::new(record(&plan, key, Ending::Pass));
            now.hear(Event::TrialEnded { at_ms: 1, record });
            think(&now);
        }
        now.hear(Event::SweepStopped { at_ms: 2, reason: StopReason::Complete });
        think(&now);
        think(&now);
        assert_eq!(thoughts, 2, "the first and the last");
        let (last, _) = thinker.last().expect("an analysis");
        assert_eq!(last.about.recorded, plan.planned());
    }
}

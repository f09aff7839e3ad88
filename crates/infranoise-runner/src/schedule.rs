//! Which trial when: blocks and rounds in an order drawn from the plan's seed.
//!
//! A *block* is one task and repeat with all arms in random order; a *round* is one pass over all tasks. Rounds follow each other, the
//! blocks of a round are shuffled, so that time of day and cluster health hit all arms alike.

use infranoise_core::{Plan, Timing, TrialKey, Window};

use crate::draw::{Draws, Purpose};

/// A trial in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scheduled {
    /// Which trial.
    pub key: TrialKey,
    /// Its place in the order, counted from 0.
    pub position: u64,
    /// Its block, counted from 0 over the whole sweep.
    pub block: u64,
    /// Its round.
    pub round: u32,
    /// The seed of the agent's draws: the same for all arms of the block.
    pub seed: u64,
    /// The earliest moment, in milliseconds since the sweep's first start; 0 for at once.
    pub not_before_ms: u64,
}

/// The order of a whole sweep. The same plan gives the same order.
#[must_use]
pub fn schedule(plan: &Plan) -> Vec<Scheduled> {
    let tasks = plan.tasks.len();
    let moments = moments(plan);
    let mut order = Vec::with_capacity(usize::try_from(plan.planned()).unwrap_or(0));
    for round in 0..plan.repeats {
        let mut blocks: Vec<usize> = (0..tasks).collect();
        Draws::new(plan.seed, Purpose::Blocks, u64::from(round)).shuffle(&mut blocks);
        for (place, task) in blocks.into_iter().enumerate() {
            // The block's number does not depend on the shuffle, so that adding a task at the end keeps the others' draws.
            let block = u64::from(round) * tasks as u64 + task as u64;
            let mut arms: Vec<usize> = (0..plan.arms.len()).collect();
            Draws::new(plan.seed, Purpose::Arms, block).shuffle(&mut arms);
            let seed = Draws::new(plan.seed, Purpose::Agent, block).bits();
            let moment = moments.get(round as usize * tasks + place).copied().unwrap_or(0);
            for arm in arms {
                order.push(Scheduled {
                    key: TrialKey {
                        arm: plan.arms[arm].arm.name.clone(),
                        subject: plan.subject.clone(),
                        task: plan.tasks[task].id.clone(),
                        repeat: round,
                    },
                    position: order.len() as u64,
                    block,
                    round,
                    seed,
                    not_before_ms: moment,
                });
            }
        }
    }
    order
}

const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// The moment of each block in the order of execution, in milliseconds since the sweep's start; ascending.
fn moments(plan: &Plan) -> Vec<u64> {
    let blocks = plan.tasks.len() as u64 * u64::from(plan.repeats);
    let draw = |block: u64, span: u64| Draws::new(plan.seed, Purpose::Moments, block).below(span);
    let mut moments: Vec<u64> = match &plan.timing {
        Timing::AtOnce => return Vec::new(),
        Timing::Spread { over_ms } => (0..blocks).map(|block| draw(block, *over_ms)).collect(),
        Timing::Windows(windows) if windows.is_empty() => return Vec::new(),
        Timing::Windows(windows) => {
            // Blocks are dealt to windows in turn and at random, one window a block; each window of each day holds as many.
            let count = windows.len() as u64;
            let mut dealt: Vec<u64> = (0..blocks).map(|block| block % count).collect();
            Draws::new(plan.seed, Purpose::Moments, u64::MAX).shuffle(&mut dealt);
            let start_of_day = plan.planned_at_ms % DAY_MS;
            dealt
                .iter()
                .enumerate()
                .map(|(block, window)| {
                    let window = windows[*window as usize];
                    let moment =
                        window_start_ms(window) + draw(block as u64, window_length_ms(window).max(1));
                    (moment + DAY_MS - start_of_day) % DAY_MS
                })
                .collect()
        }
    };
    moments.sort_unstable();
    moments
}

fn window_start_ms(window: Window) -> u64 {
    u64::from(window.from_minute) * 60_000
}

/// The length of a window; one whose end is not after its start passes midnight.
fn window_length_ms(window: Window) -> u64 {
    let (from, to) = (u64::from(window.from_minute), u64::from(window.to_minute));
    (if to > from { to - from } else { to + 24 * 60 - from }) * 60_000
}

#[cfg(test)]
mod tests;

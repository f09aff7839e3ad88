//! The progress bar: a listener of events like any other. Without a terminal it says a line now and then.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use infranoise_core::{Event, Shown};

use crate::console;

/// How often a line is said where there is no terminal.
const QUIET_STEP_MS: u64 = 10_000;

/// Shows how a sweep goes.
pub struct Progress {
    bar: Option<ProgressBar>,
    planned: u64,
    done: u64,
    passed: u64,
    ceiling: u64,
    faults: u64,
    not_started: u64,
    began_ms: Option<u64>,
    said_ms: u64,
    done_here: u64,
}

impl Progress {
    /// A bar over so many trials.
    #[must_use]
    pub fn new(planned: u64) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(planned), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{bar:32} {pos}/{len} {msg} · {eta} left");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        Self {
            bar,
            planned,
            done: 0,
            passed: 0,
            ceiling: 0,
            faults: 0,
            not_started: 0,
            began_ms: None,
            said_ms: 0,
            done_here: 0,
        }
    }

    /// Takes an event in.
    pub fn hear(&mut self, event: &Event) {
        match event {
            Event::SweepStarted { at_ms, resumed, .. } => {
                self.began_ms = Some(*at_ms);
                self.done = *resumed;
                if let Some(bar) = &self.bar {
                    bar.set_position(self.done);
                    bar.reset_eta();
                }
            }
            Event::TrialEnded { at_ms, record } => {
                match Shown::of(record) {
                    Shown::Pass => self.passed += 1,
                    Shown::Ceiling => self.ceiling += 1,
                    Shown::Fault => self.faults += 1,
                    Shown::NotStarted => self.not_started += 1,
                    Shown::Fail | Shown::Undetermined => {}
                }
                self.done += 1;
                self.done_here += 1;
                self.show(*at_ms);
            }
            Event::SweepStopped { .. } => {
                if let Some(bar) = &self.bar {
                    bar.finish_and_clear();
                }
            }
            Event::TrialStarted { .. } | Event::PhaseStarted { .. } | Event::TrialLost { .. } => {}
        }
    }

    fn words(&self) -> String {
        let coverage = (self.done_here - self.not_started) as f64 / self.done_here.max(1) as f64 * 100.0;
        format!(
            "{} passed · {} ceiling kills · {} faults · coverage {coverage:.0} %",
            self.passed, self.ceiling, self.faults
        )
    }

    fn show(&mut self, at_ms: u64) {
        let words = self.words();
        match &self.bar {
            Some(bar) => {
                bar.set_position(self.done);
                bar.set_message(words);
            }
            None if at_ms >= self.said_ms + QUIET_STEP_MS => {
                self.said_ms = at_ms;
                let left = self.left(at_ms).map(|left| format!(" · about {left} left")).unwrap_or_default();
                console::say(&format!("{}/{} {words}{left}", self.done, self.planned));
            }
            None => {}
        }
    }

    /// The time left, if it goes on as it did.
    fn left(&self, at_ms: u64) -> Option<String> {
        let spent_ms = at_ms.saturating_sub(self.began_ms?);
        let each_ms = spent_ms.checked_div(self.done_here)?;
        Some(span_words(each_ms * self.planned.saturating_sub(self.done)))
    }
}

/// A span of time as people say it.
#[must_use]
pub fn span_words(ms: u64) -> String {
    let seconds = ms / 1000;
    match seconds {
        0..=99 => format!("{seconds} s"),
        100..=5_999 => format!("{} min", seconds.div_ceil(60)),
        6_000..=172_799 => format!("{:.1} h", seconds as f64 / 3600.0),
        _ => format!("{:.1} days", seconds as f64 / 86_400.0),
    }
}

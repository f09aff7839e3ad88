//! Facts in words: readings that may be missing, promises that may not be kept, ends of phases.

use infranoise_core::{Bytes, Ceiling, Held, Observed, SignalSender, Stated, Stop};

use crate::text::{number, time};

/// A reading in words; what is missing says why, and is never a zero.
pub(super) fn observed<T>(reading: &Observed<T>, say: impl Fn(&T) -> String) -> String {
    match reading {
        Observed::Observed(value) => say(value),
        Observed::Partial(value) => format!("at least {}", say(value)),
        Observed::Unavailable(why) => format!("not observed: {why}"),
        Observed::Unsupported(why) => format!("not observable: {why}"),
    }
}

/// The same for a table, where there is no room for the reason.
pub(super) fn short<T>(reading: &Observed<T>, say: impl Fn(&T) -> String) -> String {
    match reading {
        Observed::Observed(value) => say(value),
        Observed::Partial(value) => format!("≥ {}", say(value)),
        Observed::Unavailable(_) => "not observed".to_owned(),
        Observed::Unsupported(_) => "not observable".to_owned(),
    }
}

pub(super) fn bytes(amount: &Bytes) -> String {
    amount.to_string()
}

pub(super) fn count(n: &u64) -> String {
    number::count(*n)
}

/// Microseconds as a duration.
pub(super) fn micros(us: &u64) -> String {
    time::duration(us / 1000)
}

/// A share as per cent.
pub(super) fn share(share: &f64) -> String {
    format!("{} %", number::percent(*share))
}

pub(super) fn stated<T: std::fmt::Display>(value: Stated<T>) -> String {
    match value {
        Stated::Value(value) => value.to_string(),
        Stated::NotStated => "not stated".to_owned(),
    }
}

pub(super) fn limit(ceiling: Ceiling<u64>) -> String {
    match ceiling {
        Ceiling::At(ms) => time::duration(ms),
        Ceiling::Uncapped => "none".to_owned(),
    }
}

/// How far a promise is kept.
pub(super) fn held(held: &Held) -> String {
    match held {
        Held::ByKernel { knob, value } => format!("by the kernel: {knob} = {value}"),
        Held::BestEffort { knob, value } => format!("best effort: {knob} = {value}"),
        Held::NotAtAll { why } => format!("not at all: {why}"),
        Held::NotAsked => "not asked".to_owned(),
        Held::Inferred { knob, value, from } => format!("inferred: {knob} = {value} ({from}; not read back)"),
        Held::NotKnown { why } => format!("not known: {why}"),
    }
}

/// How a phase or a command ended.
pub(super) fn stop(stop: &Stop) -> String {
    match stop {
        Stop::Exited { code } => format!("exit code {code}"),
        Stop::Signalled { signal, by } => format!("signal {signal} {}", sender(*by)),
        Stop::Deadline { limit_ms } => format!("limit of {} passed", time::duration(*limit_ms)),
        Stop::SandboxEnded { resource } => format!("the sandbox was ended ({resource})"),
        Stop::Failed { cause, message } => format!("failed, {cause}: {message}"),
        Stop::Interrupted => "a person stopped it".to_owned(),
    }
}

fn sender(by: SignalSender) -> &'static str {
    match by {
        SignalSender::OomKiller => "from the out-of-memory killer",
        SignalSender::Infranoise => "from infranoise",
        SignalSender::Inside => "from inside",
        SignalSender::Unknown => "from an unknown sender",
    }
}

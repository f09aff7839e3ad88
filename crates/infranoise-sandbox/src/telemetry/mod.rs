//! What a trial uses while it goes on: one thread samples all trials over files that are kept open.
//!
//! Sampling allocates nothing and opens nothing: 10 times a second memory, CPU, throttling, pressure, processes, disk and network;
//! once a second, and whenever a command ends, the part of memory that cannot be reclaimed. A trial in which no task ran since the last
//! sample is asked for its CPU time alone, and for the rest once a second. Peaks and counters come from the kernel,
//! not from samples: an out-of-memory kill is over before a sampler looks. Deliberately absent: verdicts.

pub(crate) mod clock;
mod growing;
pub(crate) mod kept;
mod phases;
mod reader;
mod sample;
mod sampler;
mod series;
mod slot;
mod sources;
pub(crate) mod stat;

pub use reader::SampleReader;
pub use sample::{
    COLUMNS, Sample, TELEMETRY_VERSION, TelemetryFileError, TelemetryVersion, read_samples, write_samples,
};
pub use sampler::{Sampler, SamplerHandle};
pub use sources::Sources;

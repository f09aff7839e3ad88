//! One trial under sampling.

use infranoise_core::{Bytes, Observed, Phase, TelemetrySummary};

use super::clock::Clock;
use super::kept::Buffer;
use super::phases::{CpuEdge, Marks};
use super::sample::Sample;
use super::series::Series;
use super::sources::Sources;
use super::stat::MemoryStat;

/// The slow readings are taken so often, in milliseconds.
const SLOW_MS: u32 = 1_000;

/// Places of the columns that are read at every sample.
const MEMORY: usize = 0;
const CPU: usize = 2;
const THROTTLED: usize = 3;
const CPU_SOME: usize = 4;

/// The column that is read at its own pace and never carried on.
const NONRECLAIMABLE: usize = 1;

/// One trial's files and what was read from them.
#[derive(Debug)]
pub(super) struct Slot {
    sources: Sources,
    clock: Clock,
    first: Sample,
    last: Sample,
    slow_at_ms: Option<u32>,
    slow: Option<MemoryStat>,
    nonreclaimable_peak: Option<u64>,
    storage_peak: Option<u64>,
    longest_gap_ms: u32,
    marks: Marks,
    series: Series,
    fresh: Option<Vec<Sample>>,
    fresh_at_ms: u32,
}

/// Samples that wait for the file that grows; if nobody takes them, the rest is left out.
const FRESH: usize = 64;

impl Slot {
    pub fn new(sources: Sources, buffer: &mut Buffer) -> Self {
        let mut slot = Self {
            sources,
            clock: Clock::start(),
            first: Sample::default(),
            last: Sample::default(),
            slow_at_ms: None,
            slow: None,
            nonreclaimable_peak: None,
            storage_peak: None,
            longest_gap_ms: 0,
            marks: Marks::default(),
            series: Series::new(),
            fresh: None,
            fresh_at_ms: 0,
        };
        slot.first = slot.read(true, buffer);
        slot.keep(slot.first);
        slot
    }

    /// Takes a sample; the slow readings too, if it is time for them or if they are wanted.
    pub fn sample(&mut self, slow: bool, buffer: &mut Buffer) {
        let sample = self.read(slow, buffer);
        self.longest_gap_ms = self.longest_gap_ms.max(sample.at_ms.saturating_sub(self.last.at_ms));
        self.keep(sample);
    }

    fn keep(&mut self, sample: Sample) {
        let known = self.last;
        self.series.push(sample);
        self.storage_peak = self.storage_peak.max(sample.column("storage_used_bytes"));
        self.offer(sample);
        self.last = sample;
        // What can no longer be read (the trial's groups are going) stays what it was.
        for (value, known) in self.last.values.iter_mut().zip(known.values) {
            *value = value.or(known);
        }
        self.last.values[NONRECLAIMABLE] = None;
    }

    /// From now on samples are kept for the file that grows.
    pub fn let_fresh_be_taken(&mut self) {
        self.fresh = Some(Vec::with_capacity(FRESH));
    }

    /// Hands over what was sampled since the last time.
    pub fn take_fresh(&mut self, to: &mut Vec<Sample>) {
        if let Some(fresh) = &mut self.fresh {
            to.append(fresh);
        }
    }

    /// The file that grows gets five samples a second in the first minute, then one.
    fn offer(&mut self, sample: Sample) {
        let Some(fresh) = &mut self.fresh else { return };
        let apart_ms = if sample.at_ms < 60_000 { 200 } else { 1_000 };
        let due = sample.at_ms >= self.fresh_at_ms + apart_ms || sample.values[NONRECLAIMABLE].is_some();
        if due && fresh.len() < FRESH {
            fresh.push(sample);
            self.fresh_at_ms = sample.at_ms;
        }
    }

    fn read(&mut self, slow: bool, buffer: &mut Buffer) -> Sample {
        let at_ms = self.clock.elapsed_ms();
        let from = &self.sources;
        let due = slow || self.slow_at_ms.is_none_or(|then| at_ms.saturating_sub(then) >= SLOW_MS);
        let cpu = from.cpu.read(buffer);
        // An agent mostly waits for its model. Where no task ran since the last sample, all else is read once a second.
        if !due && cpu.is_some() && cpu == self.last.column("cpu_us") {
            return Sample { at_ms, ..self.last };
        }
        let mut nonreclaimable = None;
        if due && let Some(stat) = from.memory_stat.read(buffer) {
            let bytes = stat.nonreclaimable_bytes + from.kernel_memory.read(buffer).unwrap_or(0);
            nonreclaimable = Some(bytes);
            self.nonreclaimable_peak = self.nonreclaimable_peak.max(nonreclaimable);
            self.slow = Some(stat);
            self.slow_at_ms = Some(at_ms);
        }
        let mut sample = Sample { at_ms, ..self.last };
        let values = &mut sample.values;
        values[NONRECLAIMABLE] = nonreclaimable;
        values[MEMORY] = from.memory.read(buffer);
        values[CPU] = cpu;
        values[THROTTLED] = from.throttled.read(buffer);
        values[CPU_SOME] = from.cpu_some.read(buffer);
        // What only its total is wanted of is read once a second, and its last reading carried on meanwhile.
        if due {
            let disk = from.disk.read(buffer);
            let network = from.network.read(buffer);
            values[CPU_SOME + 1..].copy_from_slice(&[
                from.memory_full.read(buffer),
                from.io_some.read(buffer),
                from.pids.read(buffer),
                disk.map(|bytes| bytes.0),
                disk.map(|bytes| bytes.1),
                network.map(|bytes| bytes.0),
                network.map(|bytes| bytes.1),
                from.space.read(),
            ]);
        }
        sample
    }

    /// A phase begins now.
    pub fn mark(&mut self, phase: Phase, buffer: &mut Buffer) {
        self.sample(true, buffer);
        self.marks.begin(phase, edge(&self.last));
    }

    /// Takes the last readings and sums up.
    pub fn finish(mut self, interval_ms: u32) -> (TelemetrySummary, Vec<Sample>) {
        let buffer = &mut Buffer::new();
        self.sample(true, buffer);
        let from = &self.sources;
        let grown = |column: &str| Some(self.last.column(column)?.saturating_sub(self.first.column(column)?));
        let cpu = edge(&self.last).since(edge(&self.first));
        let agent = self.marks.during(Phase::Agent, edge(&self.last));
        let contention =
            |edge: Option<CpuEdge>| from.cpu_some.observed(edge.and_then(CpuEdge::contention_us));
        let no_agent = || Observed::Unsupported("the agent phase was not begun".to_owned());
        let summary = TelemetrySummary {
            memory_peak_bytes: from.memory_peak.observed(from.memory_peak.read(buffer)).map(Bytes),
            nonreclaimable_peak_bytes: from.memory_stat.observed(self.nonreclaimable_peak).map(Bytes),
            cpu_us: from.cpu.observed(grown("cpu_us")),
            throttled_us: from.throttled.observed(cpu.throttled_us),
            cpu_pressure_us: from.cpu_some.observed(cpu.pressure_us),
            memory_pressure_us: from.memory_full.observed(grown("memory_full_us")),
            io_pressure_us: from.io_some.observed(grown("io_some_us")),
            contention_us: contention(Some(cpu)),
            agent_contention_us: agent.map_or_else(no_agent, |agent| contention(Some(agent))),
            agent_throttled_us: agent
                .map_or_else(no_agent, |agent| from.throttled.observed(agent.throttled_us)),
            pids_peak: from.pids_peak.observed(from.pids_peak.read(buffer)),
            storage_peak_bytes: from.space.observed(self.storage_peak).map(Bytes),
            disk_read_bytes: from.disk.observed(grown("disk_read_bytes")),
            disk_written_bytes: from.disk.observed(grown("disk_written_bytes")),
            network_received_bytes: from.network.observed(grown("network_received_bytes")),
            network_sent_bytes: from.network.observed(grown("network_sent_bytes")),
            major_faults: from.memory_stat.observed(self.slow.map(|stat| stat.major_faults)),
            samples: self.series.seen(),
            interval_ms,
            longest_gap_ms: self.longest_gap_ms,
        };
        (summary, self.series.into_samples())
    }
}

fn edge(sample: &Sample) -> CpuEdge {
    CpuEdge { throttled_us: sample.column("throttled_us"), pressure_us: sample.column("cpu_some_us") }
}

//! What a sandbox leaves behind when it is done.

use std::sync::PoisonError;

use infranoise_core::{Bytes, HostWindow, TelemetrySummary};

use super::sandbox::Sandbox;
use super::state::Life;
use crate::contract::SandboxEvidence;
use crate::telemetry::write_samples;

impl Sandbox {
    /// Everything that was seen; the sandbox still stands.
    pub(super) fn evidence(&mut self) -> SandboxEvidence {
        self.tell_kills(self.shared.clock.ms());
        let mut notes = self.notes();
        let telemetry = self.telemetry(&mut notes);
        let events = std::mem::take(self.events.get_mut().unwrap_or_else(PoisonError::into_inner));
        SandboxEvidence { events, telemetry, host: self.host(), notes }
    }

    /// Takes the last sample, and writes all of them if they are to be kept.
    fn telemetry(&mut self, notes: &mut Vec<String>) -> TelemetrySummary {
        let Some(sampling) = self.sampling.take() else { return TelemetrySummary::default() };
        let sampler = &self.engine.parts.sampler;
        let (mut summary, samples) = sampler.finish(sampling);
        // Whoever watches for a full space looks more often than the sampler.
        summary.storage_peak_bytes =
            summary.storage_peak_bytes.map(|peak| peak.max(Bytes(self.seen.most_used())));
        if let Some(path) = &self.telemetry_file
            && let Err(error) = write_samples(path, sampler.interval_ms(), &samples)
        {
            notes.push(format!("the samples could not be written: {error}"));
        }
        summary
    }

    /// The host since this sandbox was made.
    fn host(&self) -> HostWindow {
        let parts = &self.engine.parts;
        let most = parts.census.most(self.census);
        parts.monitor.window(self.host_before, parts.monitor.mark(), most)
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = self.origin.clone();
        if self.shared.lock().life == Life::Gone {
            notes.push("the supervisor ended before the sandbox was finished".to_owned());
        }
        let outputs = self.outputs.lock().unwrap_or_else(PoisonError::into_inner);
        for (number, (output, _)) in outputs.iter().enumerate() {
            let (dropped, failure) = output.losses();
            if dropped > 0 {
                notes.push(format!("{dropped} bytes of the output of e{number} were dropped"));
            }
            if let Some(failure) = failure {
                notes.push(format!("the output of e{number} could not be written: {failure}"));
            }
        }
        notes
    }
}

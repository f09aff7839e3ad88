//! What a sandbox leaves behind when it is done.

use std::sync::PoisonError;

use infranoise_core::{HostWindow, Observed, TelemetrySummary};

use super::sandbox::Sandbox;
use super::state::Life;
use crate::contract::SandboxEvidence;

impl Sandbox {
    /// Everything that was seen; the sandbox still stands.
    pub(super) fn evidence(&self) -> SandboxEvidence {
        self.tell_kills(self.shared.clock.ms());
        let counters = self.shared.group.counters();
        let events = std::mem::take(&mut *self.events.lock().unwrap_or_else(PoisonError::into_inner));
        let telemetry = TelemetrySummary {
            memory_peak_bytes: counters.all.memory_peak,
            cpu_us: counters.all.cpu_us,
            throttled_us: counters.throttled_us,
            pids_peak: counters.all.pids_peak,
            disk_read_bytes: counters.disk_bytes.clone().map(|(read, _)| read),
            disk_written_bytes: counters.disk_bytes.map(|(_, written)| written),
            ..TelemetrySummary::default()
        };
        let host = HostWindow { load_1m: Observed::default(), ..HostWindow::default() };
        SandboxEvidence { events, telemetry, host, notes: self.notes() }
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
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

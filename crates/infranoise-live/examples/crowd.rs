//! A sweep that only writes: so many trials running at once, each with samples, some ending each second. For measuring what looking on
//! costs: `crowd FOLDER SECONDS RUNNING`.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use infranoise_core::testing::{Ending, host, plan, record};
use infranoise_core::{Attempt, Event, Phase, SandboxId, StopReason, SweepId, TrialKey};
use infranoise_store::{JournalWriter, SweepFolder};

/// So many trials end, and as many begin, each second.
const TURNOVER: usize = 8;

/// So many samples a second, as a running trial has them in its first minute.
const RATE: u32 = 5;

struct Trial {
    key: TrialKey,
    file: File,
    age_s: u32,
}

fn now_ms() -> u64 {
    #[expect(clippy::disallowed_methods, reason = "a program of its own that plays a sweep")]
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let mut next = || args.next().ok_or("usage: crowd FOLDER SECONDS RUNNING");
    let root = next()?;
    let (seconds, running): (u32, usize) = (next()?.parse()?, next()?.parse()?);
    let mut plan = plan(89, 6, 10);
    plan.sweep = SweepId::try_new("crowd")?;
    let (folder, file) = SweepFolder::create(Path::new(&root), &plan)?;
    let (_lock, mut writer, _) = folder.write(&file)?;
    let started = Event::SweepStarted {
        at_ms: now_ms(),
        plan_sha256: file.sha256.clone(),
        host: Box::new(host()),
        concurrency: u32::try_from(running)?,
        resumed: 0,
    };
    writer.append(&started)?;
    let mut waiting: VecDeque<TrialKey> = plan.keys().collect();
    let mut trials: VecDeque<Trial> = VecDeque::new();
    for second in 0..seconds {
        while trials.len() < running {
            let Some(key) = waiting.pop_front() else { break };
            trials.push_back(begin(&folder, &mut writer, key)?);
        }
        trials.iter_mut().try_for_each(Trial::sample)?;
        for n in 0..TURNOVER {
            let Some(trial) = trials.pop_front() else { break };
            let ending = match (second as usize + n) % 7 {
                0 => Ending::CeilingKill,
                1 | 2 => Ending::Fail,
                _ => Ending::Pass,
            };
            let record = Box::new(record(&plan, trial.key, ending));
            writer.append(&Event::TrialEnded { at_ms: now_ms(), record })?;
        }
        std::thread::sleep(Duration::from_secs(1));
    }
    writer.append(&Event::SweepStopped { at_ms: now_ms(), reason: StopReason::Interrupted })?;
    Ok(())
}

fn begin(
    folder: &SweepFolder,
    writer: &mut JournalWriter,
    key: TrialKey,
) -> Result<Trial, Box<dyn std::error::Error>> {
    let place = folder.trial(&key, Attempt(0));
    fs::create_dir_all(&place)?;
    let at_ms = now_ms();
    let sandbox = SandboxId::try_new("crowd")?;
    writer.append(&Event::TrialStarted {
        at_ms,
        key: key.clone(),
        attempt: Attempt(0),
        sandbox,
        waited_ms: 0,
    })?;
    writer.append(&Event::PhaseStarted { at_ms, key: key.clone(), phase: Phase::Agent })?;
    let mut file = File::create(place.join("telemetry.csv"))?;
    writeln!(
        file,
        r#"{{"telemetry_version":1,"interval_ms":100,"columns":["at_ms","memory_bytes","cpu_us"]}}"#
    )?;
    Ok(Trial { key, file, age_s: 0 })
}

impl Trial {
    /// A second's samples: memory that climbs and falls, and half a CPU.
    fn sample(&mut self) -> std::io::Result<()> {
        let apart_ms = 1000 / RATE;
        let lines: String = (0..RATE)
            .map(|n| {
                let climbs = (self.age_s * RATE + n) % 40 < 30;
                format!("[{apart_ms},{},{}]\n", if climbs { 1 << 20 } else { -(3 << 20) }, apart_ms * 500)
            })
            .collect();
        self.age_s += 1;
        self.file.write_all(lines.as_bytes())
    }
}

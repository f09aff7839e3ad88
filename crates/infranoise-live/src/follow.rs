//! Follows one sweep's folder: journal, samples of running trials, who writes, how hard the host is pressed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use infranoise_core::{Event, TrialKey};
use infranoise_sandbox::telemetry::SampleReader;
use infranoise_store::{Damage, JournalReader, PlanFile, SweepFolder};

use crate::LiveError;
use crate::curve::Curve;
use crate::now::Now;
use crate::pressure::{self, Pressure};
use crate::tail::{Step, Tail};
use crate::writer::{Writer, writer};

/// How much of a journal one poll takes in, in steps of a mebibyte: a long journal comes in several polls.
const STEPS: u32 = 64;

/// At most so many damaged lines are remembered; the rest is counted.
const DAMAGE: usize = 20;

/// Follows one sweep. Reads only.
#[derive(Debug)]
pub struct Follower {
    folder: SweepFolder,
    plan_sha256: String,
    journal: Tail,
    reader: JournalReader,
    now: Now,
    curves: BTreeMap<TrialKey, Following>,
    pressure: Pressure,
    writer: Writer,
    damage: Vec<Damage>,
    damaged: u64,
    gone: Option<String>,
    behind: bool,
    another_plan: bool,
}

/// The samples of a running trial.
#[derive(Debug)]
struct Following {
    tail: Tail,
    reader: SampleReader,
    curve: Curve,
    /// A line that is no sample: nothing more is read.
    odd: bool,
}

impl Follower {
    /// Begins to follow the sweep in a folder.
    ///
    /// # Errors
    /// If there is none, or its plan cannot be read.
    pub fn open(path: &Path) -> Result<Self, LiveError> {
        let (folder, plan) = SweepFolder::open(path)?;
        let journal = Tail::new(folder.journal_path());
        Ok(Self {
            journal,
            plan_sha256: plan.sha256,
            now: Now::new(Arc::new(plan.plan)),
            reader: JournalReader::new(),
            curves: BTreeMap::new(),
            pressure: Pressure::default(),
            writer: Writer::Unknown,
            damage: Vec::new(),
            damaged: 0,
            gone: None,
            behind: false,
            another_plan: false,
            folder,
        })
    }

    /// Reads what is new; true if the journal said something. Never fails for good: what is wrong is part of what is shown.
    pub fn poll(&mut self) -> bool {
        let heard = self.follow_journal();
        self.follow_samples();
        self.writer = writer(self.folder.path());
        if let Writer::Alive { .. } = self.writer
            && let Some(reading) = pressure::read(Path::new("/proc"))
        {
            self.pressure.push(reading);
        }
        heard
    }

    fn follow_journal(&mut self) -> bool {
        let mut heard = false;
        self.behind = true;
        for _ in 0..STEPS {
            match self.journal.step() {
                Ok(Step::Lines(bytes)) => {
                    self.gone = None;
                    heard = true;
                    self.take(&bytes);
                }
                Ok(Step::Same) => {
                    self.gone = None;
                    self.behind = false;
                    break;
                }
                Ok(Step::Anew) => {
                    heard = true;
                    self.begin_anew();
                }
                Ok(Step::Missing) => {
                    self.gone = self.missing();
                    self.behind = false;
                    break;
                }
                Ok(Step::TooLong) => {
                    self.gone = Some("the journal holds a line that is too long to be an event".to_owned());
                    self.behind = false;
                    break;
                }
                Err(error) => {
                    self.gone = Some(format!("the journal cannot be read: {error}"));
                    self.behind = false;
                    break;
                }
            }
        }
        heard
    }

    /// What a missing journal means: the sweep has not begun, or somebody removed it.
    fn missing(&self) -> Option<String> {
        if !self.folder.path().join(PlanFile::NAME).exists() {
            return Some("the sweep's folder is gone; shown is what was known before".to_owned());
        }
        self.now.last_at_ms.map(|_| "the journal is gone; shown is what was known before".to_owned())
    }

    fn take(&mut self, bytes: &[u8]) {
        let journal = self.reader.feed(bytes);
        for entry in journal.entries {
            if let Event::SweepStarted { plan_sha256, .. } = &entry.event {
                self.another_plan |= *plan_sha256 != self.plan_sha256;
            }
            self.now.hear(entry.event);
        }
        self.damaged += journal.damage.len() as u64;
        let room = DAMAGE.saturating_sub(self.damage.len());
        self.damage.extend(journal.damage.into_iter().take(room));
    }

    fn begin_anew(&mut self) {
        self.reader = JournalReader::new();
        self.now = Now::new(Arc::clone(&self.now.plan));
        self.curves.clear();
        self.damage.clear();
        (self.damaged, self.another_plan) = (0, false);
    }

    fn follow_samples(&mut self) {
        let running = &self.now.running;
        self.curves.retain(|key, _| running.contains_key(key));
        for (key, trial) in running {
            let path = self.folder.trial(key, trial.attempt).join("telemetry.csv");
            let following = self.curves.entry(key.clone()).or_insert_with(|| Following::new(path.clone()));
            if following.tail.path() != path {
                *following = Following::new(path);
            }
            following.read();
        }
    }

    /// What the journal says.
    #[must_use]
    pub fn now(&self) -> &Now {
        &self.now
    }

    /// What a running trial has used so far; absent where its engine writes no samples while it runs.
    #[must_use]
    pub fn curve(&self, key: &TrialKey) -> Option<&Curve> {
        self.curves.get(key).map(|following| &following.curve).filter(|curve| curve.last().is_some())
    }

    /// The host's pressure while this process follows; empty where the sweep runs elsewhere.
    #[must_use]
    pub fn pressure(&self) -> &Pressure {
        &self.pressure
    }

    /// Who writes.
    #[must_use]
    pub fn writer(&self) -> Writer {
        self.writer
    }

    /// Why nothing new can be read, if so.
    #[must_use]
    pub fn gone(&self) -> Option<&str> {
        self.gone.as_deref()
    }

    /// Whether more of the journal waits to be read.
    #[must_use]
    pub fn behind(&self) -> bool {
        self.behind
    }

    /// The sweep's folder.
    #[must_use]
    pub fn folder(&self) -> &SweepFolder {
        &self.folder
    }

    /// What is wrong with the files, in sentences.
    #[must_use]
    pub fn complaints(&self) -> Vec<String> {
        let mut all = Vec::new();
        if self.another_plan {
            all.push(
                "plan.json was changed after the sweep began: what stands here may not fit it".to_owned(),
            );
        }
        if let Some(first) = self.damage.first() {
            let count = self.damaged;
            all.push(format!(
                "{count} damaged lines in the journal are left out; line {}: {}",
                first.line, first.why
            ));
        }
        if self.now.unplanned > 0 {
            all.push(format!("{} records are of trials that the plan does not hold", self.now.unplanned));
        }
        all
    }
}

impl Following {
    fn new(path: PathBuf) -> Self {
        Self { tail: Tail::new(path), reader: SampleReader::default(), curve: Curve::default(), odd: false }
    }

    fn read(&mut self) {
        while !self.odd {
            match self.tail.step() {
                Ok(Step::Lines(bytes)) => {
                    for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
                        match self.reader.line(line) {
                            Ok(sample) => sample.iter().for_each(|sample| self.curve.push(sample)),
                            Err(_) => self.odd = true,
                        }
                    }
                }
                Ok(Step::Anew) => *self = Self::new(self.tail.path().to_owned()),
                Ok(Step::Same | Step::Missing) => return,
                Ok(Step::TooLong) | Err(_) => self.odd = true,
            }
        }
    }
}

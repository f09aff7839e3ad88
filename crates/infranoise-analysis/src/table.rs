//! Records in their places: task by arm by repeat, one attempt each.

use std::collections::BTreeMap;

use infranoise_core::{ArmId, Blame, Plan, PlannedArm, Resource, Shown, TrialKey, TrialRecord};
use infranoise_stats::{Cell, Grid, Outcomes};

/// The attempts of one planned trial and the one that counts.
#[derive(Clone, Debug)]
pub(crate) struct Chosen<'r> {
    /// The first attempt whose agent phase started, or the last one if none did.
    pub(crate) record: &'r TrialRecord,
    /// How many attempts there are.
    pub(crate) attempts: u32,
}

impl Chosen<'_> {
    pub(crate) fn shown(&self) -> Shown {
        Shown::of(self.record)
    }
}

/// All planned trials with what is recorded of them.
pub(crate) struct Table<'r> {
    pub(crate) plan: &'r Plan,
    chosen: BTreeMap<TrialKey, Chosen<'r>>,
    /// Records of trials that the plan does not hold.
    pub(crate) unplanned: u64,
}

/// How often each outcome occurs among some planned trials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    counts: [u64; Shown::ALL.len()],
    /// Trials without a record; part of "not started".
    pub(crate) not_recorded: u64,
    /// Failures of the agent or undetermined ones that had survived a resource event.
    pub(crate) maimed: u64,
    /// Passes that had survived a resource event.
    pub(crate) passed_despite_event: u64,
    /// Trials that lived through a resource event.
    pub(crate) survived: u64,
}

impl Tally {
    pub(crate) fn count(&self, shown: Shown) -> u64 {
        self.counts[shown as usize]
    }

    pub(crate) fn planned(&self) -> u64 {
        self.counts.iter().sum()
    }

    pub(crate) fn started(&self) -> u64 {
        self.planned() - self.count(Shown::NotStarted)
    }

    pub(crate) fn infra_errors(&self) -> u64 {
        self.count(Shown::Ceiling) + self.count(Shown::Fault)
    }

    /// Every outcome with its count, zeros too.
    pub(crate) fn map(&self) -> BTreeMap<Shown, u64> {
        Shown::ALL.into_iter().map(|shown| (shown, self.count(shown))).collect()
    }

    /// Started trials by their end, as the statistics want them.
    pub(crate) fn outcomes(&self) -> Outcomes {
        let small = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
        Outcomes::with_maimed(
            small(self.count(Shown::Pass)),
            small(self.infra_errors()),
            small(self.maimed),
            small(self.started()),
        )
        .unwrap_or_default()
    }

    fn add(&mut self, chosen: Option<&Chosen<'_>>) {
        let Some(chosen) = chosen else {
            self.counts[Shown::NotStarted as usize] += 1;
            self.not_recorded += 1;
            return;
        };
        let shown = chosen.shown();
        self.counts[shown as usize] += 1;
        if bears_event(chosen.record) {
            self.survived += 1;
            match shown {
                Shown::Pass => self.passed_despite_event += 1,
                Shown::Fail | Shown::Undetermined => self.maimed += 1,
                Shown::Ceiling | Shown::Fault | Shown::NotStarted => {}
            }
        }
    }
}

/// Whether a trial lived through something that may have cost it its success: a kill or a refusal, or throttling at its limit.
fn bears_event(record: &TrialRecord) -> bool {
    use infranoise_core::Cause;
    let survived_kill = record.facts.outcome.events.iter().any(|event| {
        use infranoise_core::ResourceEventKind as Kind;
        match event.kind {
            Kind::OomKill { .. }
            | Kind::PidsRefused { .. }
            | Kind::StorageRefused { .. }
            | Kind::HostDiskFull { .. } => true,
            Kind::Throttled { .. } | Kind::FloorBreached { .. } => false,
        }
    });
    let ended = matches!(record.classification.blame, Blame::Ceiling { .. });
    (survived_kill && !ended) || record.classification.cause == Cause::Throttled
}

impl<'r> Table<'r> {
    /// Puts records in their places.
    pub(crate) fn new(plan: &'r Plan, records: &'r [TrialRecord]) -> Self {
        let planned: std::collections::BTreeSet<TrialKey> = plan.keys().collect();
        let mut chosen: BTreeMap<TrialKey, Chosen<'r>> = BTreeMap::new();
        let mut unplanned = 0;
        for record in records {
            if !planned.contains(&record.facts.key) {
                unplanned += 1;
                continue;
            }
            chosen
                .entry(record.facts.key.clone())
                .and_modify(|known| {
                    known.attempts += 1;
                    if record.counts_before(known.record) {
                        known.record = record;
                    }
                })
                .or_insert(Chosen { record, attempts: 1 });
        }
        Self { plan, chosen, unplanned }
    }

    /// The chosen attempt of a trial.
    pub(crate) fn get(&self, arm: &ArmId, task: usize, repeat: u32) -> Option<&Chosen<'r>> {
        self.chosen.get(&TrialKey {
            arm: arm.clone(),
            subject: self.plan.subject_of(arm).clone(),
            task: self.plan.tasks[task].id.clone(),
            repeat,
        })
    }

    /// Every recorded trial, in the order of its key.
    pub(crate) fn chosen(&self) -> impl Iterator<Item = &Chosen<'r>> {
        self.chosen.values()
    }

    /// The recorded trials of an arm.
    pub(crate) fn of_arm<'t>(&'t self, arm: &'t ArmId) -> impl Iterator<Item = &'t Chosen<'r>> {
        self.chosen.iter().filter(move |(key, _)| &key.arm == arm).map(|(_, chosen)| chosen)
    }

    /// Tallies, one per task and arm.
    pub(crate) fn tallies(&self) -> Grid<Tally> {
        let cells = (0..self.plan.tasks.len())
            .flat_map(|task| self.plan.arms.iter().map(move |arm| self.tally(arm, task)))
            .collect();
        Grid::try_new(self.plan.arms.len().max(1), cells).unwrap_or_else(|_| empty_grid())
    }

    fn tally(&self, arm: &PlannedArm, task: usize) -> Tally {
        let mut tally = Tally::default();
        for repeat in 0..self.plan.repeats_of(&arm.arm.name, &self.plan.tasks[task].id) {
            tally.add(self.get(&arm.arm.name, task, repeat));
        }
        tally
    }
}

fn empty_grid() -> Grid<Tally> {
    #[expect(clippy::unwrap_used, reason = "one arm and no cell is a valid grid")]
    Grid::try_new(1, Vec::new()).unwrap()
}

/// Sums tallies.
pub(crate) fn total(tallies: impl IntoIterator<Item = Tally>) -> Tally {
    tallies.into_iter().fold(Tally::default(), |mut sum, tally| {
        for (place, count) in sum.counts.iter_mut().enumerate() {
            *count += tally.counts[place];
        }
        sum.not_recorded += tally.not_recorded;
        sum.maimed += tally.maimed;
        sum.passed_despite_event += tally.passed_despite_event;
        sum.survived += tally.survived;
        sum
    })
}

/// A cell of so many hits in so many trials.
pub(crate) fn cell(hits: u64, trials: u64) -> Cell {
    let small = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
    Cell::try_new(small(hits), small(trials)).unwrap_or_default()
}

/// Whether a trial was ended by its own memory ceiling.
pub(crate) fn memory_ceiling(record: &TrialRecord) -> bool {
    record.classification.blame == Blame::Ceiling { resource: Resource::Memory }
}

//! A sweep as a file: `infranoise.toml`. Unknown keys are refused with their line.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use infranoise_core::{
    Amount, Arm, ArmId, BandPolicy, Bytes, Ceiling, DiskRate, Factor, KillScope, MilliCpu, PageCache,
    ResourcePolicy, ScaledPolicy, TaskBands, TaskId, Visible,
};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::arms::{self, Common};
use super::request::beside;
use crate::error::{CommandError, at};

/// The file as it is written; resolved by `request`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SweepFile {
    /// `[sweep]`
    #[serde(default)]
    pub sweep: SweepTable,
    /// `[[arm]]`
    #[serde(default)]
    arm: Vec<ArmTable>,
    /// `[bands."task"]`
    #[serde(default)]
    bands: BTreeMap<String, BandsTable>,
    #[serde(skip)]
    path: PathBuf,
}

/// `[sweep]`: what the flags of the same names say.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SweepTable {
    /// The tasks' folder, relative to the file.
    pub tasks: Option<String>,
    /// The sweep's name.
    pub name: Option<String>,
    /// The agent.
    pub agent: Option<String>,
    /// The program of the agent `command`.
    #[serde(default)]
    pub command: Vec<String>,
    /// The model.
    pub model: Option<String>,
    /// Repeats.
    pub repeats: Option<u32>,
    /// The seed.
    pub seed: Option<u64>,
    /// The reference arm.
    pub reference: Option<String>,
    /// Equivalence margin in percentage points.
    pub margin_pp: Option<f64>,
    /// Ceilings instead of `[[arm]]`.
    #[serde(default)]
    pub ceilings: Vec<String>,
    /// What dies when memory runs over: process, exec or trial.
    pub kill_scope: Option<String>,
    /// What network sandboxes have: none, host or bridge.
    pub network: Option<String>,
    /// What a bridged sandbox may reach.
    #[serde(default)]
    pub allow: Vec<String>,
    /// Disk space, where an arm does not say.
    pub storage: Option<String>,
    /// What sandboxes see of the machine: host or limits.
    pub visible: Option<String>,
    /// Page cache: as-found or cold.
    pub page_cache: Option<String>,
    /// Scale of the wall-clock limits.
    pub time_limit: Option<String>,
    /// What 1x means where a task states nothing.
    pub assume_spec: Option<String>,
    /// The root.
    pub rootfs: Option<String>,
    /// A span over which blocks are spread.
    pub spread: Option<String>,
    /// Windows of the day for blocks.
    #[serde(default)]
    pub windows: Vec<String>,
    /// When to give up because of the infrastructure.
    pub abort_infra: Option<String>,
    /// Attempts after the first for trials that did not start.
    pub retry_not_started: Option<u32>,
    /// Attempts after the first for any fault.
    pub retry: Option<u32>,
    /// End every process of the agent before grading.
    #[serde(default)]
    pub quiesce: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ArmTable {
    name: String,
    memory: Option<BandTable>,
    cpu: Option<BandTable>,
    pids: Option<String>,
    storage: Option<String>,
    disk_rate: Option<RateTable>,
    kill_scope: Option<String>,
    time_limit: Option<String>,
    visible: Option<String>,
    page_cache: Option<String>,
    #[serde(default)]
    bands: bool,
    // Factors of later parts: named here so that they are refused by name.
    concurrency: Option<IgnoredAny>,
    egress: Option<IgnoredAny>,
    api_latency: Option<IgnoredAny>,
    agent_placement: Option<IgnoredAny>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BandTable {
    floor: String,
    ceiling: String,
}

/// Bytes a second, as in `20MiB`, or `none`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RateTable {
    read: Option<String>,
    write: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BandsTable {
    memory: Option<BandTable>,
    cpu: Option<BandTable>,
}

impl SweepFile {
    /// Reads a file.
    ///
    /// # Errors
    /// Names file, line and what is wrong.
    pub fn read(path: &Path) -> Result<Self, CommandError> {
        let text = std::fs::read_to_string(path).map_err(at("read", path))?;
        let mut file: Self = toml_edit::de::from_str(&text)
            .map_err(|error| CommandError::usage(format!("`{}`: {error}", path.display())))?;
        file.path = path.to_owned();
        if file.has_arms() && !file.sweep.ceilings.is_empty() {
            return Err(file.bad("`ceilings` and `[[arm]]` say the same thing; keep one"));
        }
        Ok(file)
    }

    fn bad(&self, what: impl std::fmt::Display) -> CommandError {
        CommandError::usage(format!("`{}`: {what}", self.path.display()))
    }

    /// The tasks' folder.
    pub fn tasks(&self) -> Option<PathBuf> {
        self.sweep.tasks.as_deref().map(|tasks| beside(&self.path, tasks))
    }

    /// The list of ceilings.
    pub fn ceilings(&self) -> Vec<String> {
        self.sweep.ceilings.clone()
    }

    /// Whether arms are named one by one.
    pub fn has_arms(&self) -> bool {
        !self.arm.is_empty()
    }

    /// The kill scope of all arms.
    ///
    /// # Errors
    /// If it is none.
    pub fn kill_scope(&self) -> Result<Option<KillScope>, CommandError> {
        self.sweep.kill_scope.as_deref().map(|text| self.scope(text)).transpose()
    }

    fn scope(&self, text: &str) -> Result<KillScope, CommandError> {
        match text {
            "process" => Ok(KillScope::Process),
            "exec" => Ok(KillScope::Exec),
            "trial" => Ok(KillScope::Trial),
            _ => Err(self.bad(format!("`{text}` is not a kill scope: process, exec or trial"))),
        }
    }

    /// What sandboxes of all arms see of the machine.
    ///
    /// # Errors
    /// If it is none of what there is.
    pub fn visible(&self) -> Result<Option<Visible>, CommandError> {
        self.sweep.visible.as_deref().map(|text| self.seen(text)).transpose()
    }

    /// The page cache of all arms.
    ///
    /// # Errors
    /// If it is none of what there is.
    pub fn page_cache(&self) -> Result<Option<PageCache>, CommandError> {
        self.sweep.page_cache.as_deref().map(|text| self.cache(text)).transpose()
    }

    fn seen(&self, text: &str) -> Result<Visible, CommandError> {
        match text {
            "host" => Ok(Visible::Host),
            "limits" => Ok(Visible::Limits),
            _ => {
                Err(self
                    .bad(format!("`{text}` is not what a sandbox can see of the machine: host or limits")))
            }
        }
    }

    fn cache(&self, text: &str) -> Result<PageCache, CommandError> {
        match text {
            "as-found" => Ok(PageCache::AsFound),
            "cold" => Ok(PageCache::Cold),
            _ => Err(self.bad(format!("`{text}` is not a state of the page cache: as-found or cold"))),
        }
    }

    /// The arms.
    ///
    /// # Errors
    /// Names the arm and what is wrong with it.
    pub fn arms(&self, common: Common) -> Result<Vec<Arm>, CommandError> {
        self.arm.iter().map(|table| self.one(table, common)).collect()
    }

    fn one(&self, table: &ArmTable, common: Common) -> Result<Arm, CommandError> {
        self.refuse_later_factors(table)?;
        let within = |error: CommandError| self.bad(format!("arm `{}`: {}", table.name, error.what()));
        let policy = if table.bands {
            if table.memory.is_some() || table.cpu.is_some() {
                return Err(self.bad(format!(
                    "arm `{}`: `bands = true` and a band of its own exclude each other",
                    table.name
                )));
            }
            ResourcePolicy::PerTask(self.task_bands()?)
        } else {
            ResourcePolicy::Scaled(scaled(table, common.storage).map_err(within)?)
        };
        Ok(Arm {
            name: ArmId::try_new(table.name.as_str()).map_err(|error| self.bad(error))?,
            policy,
            kill_scope: table.kill_scope.as_deref().map_or(Ok(common.kill_scope), |text| self.scope(text))?,
            time_limit: table
                .time_limit
                .as_deref()
                .map_or(Ok(common.time_limit), arms::multiple)
                .map_err(within)?,
            visible: table.visible.as_deref().map_or(Ok(common.visible), |text| self.seen(text))?,
            page_cache: table.page_cache.as_deref().map_or(Ok(common.page_cache), |text| self.cache(text))?,
            agent_placement: Default::default(),
        })
    }

    fn refuse_later_factors(&self, table: &ArmTable) -> Result<(), CommandError> {
        let later = [
            ("concurrency", &table.concurrency),
            ("egress", &table.egress),
            ("api_latency", &table.api_latency),
            ("agent_placement", &table.agent_placement),
        ];
        match later.into_iter().find(|(_, value)| value.is_some()) {
            Some((key, _)) => Err(self
                .bad(format!("arm `{}`: the factor `{key}` is not supported yet; leave it out", table.name))),
            None => Ok(()),
        }
    }

    fn task_bands(&self) -> Result<BTreeMap<TaskId, TaskBands>, CommandError> {
        self.bands
            .iter()
            .map(|(task, table)| {
                let id = TaskId::try_new(task.as_str()).map_err(|error| self.bad(error))?;
                let within = |error: CommandError| self.bad(format!("bands.\"{task}\": {}", error.what()));
                let bands = TaskBands {
                    memory: table.memory.as_ref().map(band::<Bytes>).transpose().map_err(within)?,
                    cpu: table.cpu.as_ref().map(band::<MilliCpu>).transpose().map_err(within)?,
                };
                Ok((id, bands))
            })
            .collect()
    }
}

fn scaled(table: &ArmTable, storage: Ceiling<Amount<Bytes>>) -> Result<ScaledPolicy, CommandError> {
    let one = Ceiling::At(Factor::ONE);
    let memory = table.memory.as_ref().map_or(Ok(BandPolicy::up_to(one)), band::<Bytes>)?;
    let follow = match memory.ceiling {
        Ceiling::At(Amount::Times(factor)) => Ceiling::At(factor),
        Ceiling::At(Amount::Exactly(_)) => one,
        Ceiling::Uncapped => Ceiling::Uncapped,
    };
    Ok(ScaledPolicy {
        memory,
        cpu: table.cpu.as_ref().map_or(Ok(BandPolicy::up_to(one)), band::<MilliCpu>)?,
        pids: table.pids.as_deref().map_or(Ok(follow.map(Amount::Times)), pids)?,
        storage: table.storage.as_deref().map_or(Ok(storage), arms::storage)?,
        disk_rate: table.disk_rate.as_ref().map_or(Ok(DiskRate::default()), rate)?,
    })
}

fn band<T>(table: &BandTable) -> Result<BandPolicy<T>, CommandError>
where
    T: std::str::FromStr<Err = infranoise_core::UnitError>,
{
    Ok(BandPolicy {
        floor: table.floor.parse().map_err(CommandError::usage)?,
        ceiling: table.ceiling.parse().map_err(CommandError::usage)?,
    })
}

fn rate(table: &RateTable) -> Result<DiskRate, CommandError> {
    let one = |text: &Option<String>| match text.as_deref() {
        None | Some("none") => Ok(Ceiling::Uncapped),
        Some(text) => match text.parse::<Bytes>().map_err(CommandError::usage)? {
            Bytes(0) => Err(CommandError::usage("`disk_rate` of nothing; leave it out, or write `none`")),
            some => Ok(Ceiling::At(some)),
        },
    };
    Ok(DiskRate { read: one(&table.read)?, written: one(&table.write)? })
}

/// A ceiling on pids: a multiple, a number, or none.
fn pids(text: &str) -> Result<Ceiling<Amount<u32>>, CommandError> {
    if let Ok(number) = text.trim().parse::<u32>() {
        return Ok(Ceiling::At(Amount::Exactly(number)));
    }
    arms::multiple(text).map(|ceiling| ceiling.map(Amount::Times))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<SweepFile, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("infranoise.toml");
        std::fs::write(&path, text).expect("writes");
        SweepFile::read(&path).map_err(|error| error.what().to_owned())
    }

    const COMMON: Common = Common {
        kill_scope: KillScope::Trial,
        time_limit: Ceiling::At(Factor::ONE),
        storage: Ceiling::Uncapped,
        visible: Visible::Host,
        page_cache: PageCache::AsFound,
    };

    #[test]
    fn arms_and_bands_are_read() {
        let file = read(
            r#"
            [sweep]
            tasks = "t"
            [[arm]]
            name = "1x"
            memory = { floor = "1x", ceiling = "1x" }
            [[arm]]
            name = "uncapped"
            memory = { floor = "1x", ceiling = "none" }
            cpu = { floor = "1x", ceiling = "none" }
            kill_scope = "process"
            time_limit = "2x"
            storage = "60MiB"
            disk_rate = { read = "20MiB", write = "none" }
            visible = "limits"
            page_cache = "cold"
            [[arm]]
            name = "calibrated"
            bands = true
            [bands."bn-fit-modify"]
            memory = { floor = "2GiB", ceiling = "6GiB" }
            "#,
        )
        .expect("reads");
        let arms = file.arms(COMMON).map_err(|e| e.what().to_owned()).expect("arms");
        assert_eq!(arms.len(), 3);
        assert_eq!((arms[1].kill_scope, arms[1].time_limit), (KillScope::Process, Ceiling::At(Factor(2000))));
        assert_eq!((arms[1].visible, arms[1].page_cache), (Visible::Limits, PageCache::Cold));
        let ResourcePolicy::Scaled(scaled) = &arms[1].policy else { panic!("a rule") };
        assert_eq!(scaled.storage, Ceiling::At(Amount::Exactly(Bytes::mib(60))));
        let rate = DiskRate { read: Ceiling::At(Bytes::mib(20)), written: Ceiling::Uncapped };
        assert_eq!(scaled.disk_rate, rate);
        let ResourcePolicy::PerTask(bands) = &arms[2].policy else { panic!("bands") };
        assert_eq!(bands.len(), 1);
        assert!(file.tasks().expect("tasks").ends_with("t"));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        let unknown = read("[sweep]\nrepeat = 3\n").expect_err("refused");
        assert!(unknown.contains("repeat") && unknown.contains("line 2"), "{unknown}");
        let both = read("[sweep]\nceilings = [\"1x\"]\n[[arm]]\nname = \"a\"\n").expect_err("refused");
        assert!(both.contains("keep one"), "{both}");
        let later = read("[[arm]]\nname = \"a\"\negress = \"20mbit\"\n").expect("reads");
        let refused = later.arms(COMMON).map_err(|e| e.what().to_owned()).expect_err("refused");
        assert!(refused.contains("`egress` is not supported yet"), "{refused}");
        let bad =
            read("[[arm]]\nname = \"a\"\nmemory = { floor = \"1x\", ceiling = \"lots\" }\n").expect("reads");
        let refused = bad.arms(COMMON).map_err(|e| e.what().to_owned()).expect_err("refused");
        assert!(refused.contains("arm `a`") && refused.contains("lots"), "{refused}");
    }
}

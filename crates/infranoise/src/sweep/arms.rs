//! Arms from lists of ceilings.

use infranoise_core::{
    Amount, Arm, ArmId, BandPolicy, Bytes, Ceiling, Factor, KillScope, MilliCpu, PageCache, ResourcePolicy,
    ScaledPolicy, Visible,
};

use crate::error::CommandError;

/// What all arms of a command share.
#[derive(Clone, Copy, Debug)]
pub struct Common {
    /// What dies when memory runs over.
    pub kill_scope: KillScope,
    /// Scale of the wall-clock limits.
    pub time_limit: Ceiling<Factor>,
    /// Disk space, where an arm does not say.
    pub storage: Ceiling<Amount<Bytes>>,
    /// What sandboxes see of the machine.
    pub visible: Visible,
    /// Page cache.
    pub page_cache: PageCache,
}

/// The arms' default list of ceilings: what the published experiment named, and what lies between.
pub const DEFAULT_CEILINGS: [&str; 6] = ["1x", "1.5x", "2x", "3x", "5x", "none"];

/// A ceiling as a multiple of the task spec.
///
/// # Errors
/// If the text is neither a multiple nor `none`.
pub fn multiple(text: &str) -> Result<Ceiling<Factor>, CommandError> {
    let parsed: Result<Ceiling<Amount<Bytes>>, _> = text.parse();
    match parsed {
        Ok(Ceiling::Uncapped) => Ok(Ceiling::Uncapped),
        Ok(Ceiling::At(Amount::Times(factor))) => Ok(Ceiling::At(factor)),
        Ok(Ceiling::At(Amount::Exactly(_))) | Err(_) => Err(CommandError::usage(format!(
            "`{text}` is not a ceiling: write a multiple such as `1.5x`, or `none`"
        ))),
    }
}

/// A ceiling on disk space: a multiple of the task spec, an amount, or `none`.
///
/// # Errors
/// If the text is none of these.
pub fn storage(text: &str) -> Result<Ceiling<Amount<Bytes>>, CommandError> {
    text.parse().map_err(|_| {
        CommandError::usage(format!("`{text}` is not a ceiling on disk space"))
            .hint("write an amount such as `10GiB`, a multiple of the task spec such as `1x`, or `none`")
    })
}

/// The name of an arm with this ceiling.
pub fn name_of(ceiling: Ceiling<Factor>) -> String {
    match ceiling {
        Ceiling::At(factor) => factor.to_string(),
        Ceiling::Uncapped => "uncapped".to_owned(),
    }
}

/// An arm with floors at the task spec.
///
/// # Errors
/// If the name cannot be one.
pub fn arm(name: &str, policy: ScaledPolicy, common: Common) -> Result<Arm, CommandError> {
    Ok(Arm {
        name: ArmId::try_new(name).map_err(CommandError::usage)?,
        policy: ResourcePolicy::Scaled(policy),
        kill_scope: common.kill_scope,
        time_limit: common.time_limit,
        visible: common.visible,
        page_cache: common.page_cache,
        agent_placement: Default::default(),
    })
}

/// Memory up to one ceiling and CPU up to another; pids follow memory, where a task states them. Storage is not scaled unless asked.
pub fn policy(
    memory: Ceiling<Factor>,
    cpu: Ceiling<Factor>,
    storage: Ceiling<Amount<Bytes>>,
) -> ScaledPolicy {
    ScaledPolicy {
        memory: BandPolicy::<Bytes>::up_to(memory),
        cpu: BandPolicy::<MilliCpu>::up_to(cpu),
        pids: memory.map(Amount::Times),
        storage,
        disk_rate: Default::default(),
    }
}

/// One arm per ceiling, memory and CPU together.
///
/// # Errors
/// If a ceiling is none.
pub fn together(ceilings: &[String], common: Common) -> Result<Vec<Arm>, CommandError> {
    each(ceilings, common, |ceiling| policy(ceiling, ceiling, common.storage))
}

/// One arm per memory ceiling; CPU stays at the task spec.
///
/// # Errors
/// If a ceiling is none.
pub fn memory_alone(ceilings: &[String], common: Common) -> Result<Vec<Arm>, CommandError> {
    each(ceilings, common, |ceiling| policy(ceiling, Ceiling::At(Factor::ONE), common.storage))
}

/// One arm per ceiling on disk space; memory and CPU stay at the task spec.
///
/// # Errors
/// If a ceiling is none.
pub fn storage_alone(ceilings: &[String], common: Common) -> Result<Vec<Arm>, CommandError> {
    let one = Ceiling::At(Factor::ONE);
    each(ceilings, common, |ceiling| policy(one, one, ceiling.map(Amount::Times)))
}

fn each(
    ceilings: &[String],
    common: Common,
    policy: impl Fn(Ceiling<Factor>) -> ScaledPolicy,
) -> Result<Vec<Arm>, CommandError> {
    ceilings
        .iter()
        .map(|text| {
            let ceiling = multiple(text)?;
            arm(&name_of(ceiling), policy(ceiling), common)
        })
        .collect()
}

/// The two mixed corners of the 2x2 of memory and CPU at the extremes of a list of ceilings.
///
/// # Errors
/// If a ceiling is none, or there are fewer than two.
pub fn split(ceilings: &[String], common: Common) -> Result<Vec<Arm>, CommandError> {
    let (Some(tight), Some(loose)) = (ceilings.first(), ceilings.last().filter(|_| ceilings.len() > 1))
    else {
        return Err(CommandError::usage("--split needs a list of at least two ceilings"));
    };
    let (tight, loose) = (multiple(tight)?, multiple(loose)?);
    let named = |memory, cpu| format!("memory-{}-cpu-{}", name_of(memory), name_of(cpu));
    Ok(vec![
        arm(&named(tight, loose), policy(tight, loose, common.storage), common)?,
        arm(&named(loose, tight), policy(loose, tight, common.storage), common)?,
    ])
}

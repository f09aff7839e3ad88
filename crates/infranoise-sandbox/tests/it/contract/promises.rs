//! What an engine says that it holds, against what the kernel says.

use infranoise_core::{Band, Bytes, Ceiling, DiskRate, Enforcement, Held, KillScope, MilliCpu};
use infranoise_sandbox::contract::SandboxSpec;

use super::Came;
use super::ground::{Ground, real};
use super::table::Row;

/// Asks for everything.
fn everything(ground: &Ground) -> SandboxSpec {
    let mut spec = ground.spec();
    spec.allocation.memory = Band::try_new(Bytes(16 << 20), Ceiling::At(Bytes(96 << 20))).expect("a band");
    spec.allocation.cpu = Band::try_new(MilliCpu(100), Ceiling::At(MilliCpu(500))).expect("a band");
    spec.allocation.pids = Ceiling::At(50);
    spec.allocation.storage = Ceiling::At(Bytes(64 << 20));
    let rate = Ceiling::At(Bytes(100 << 20));
    spec.allocation.disk_rate = DiskRate { read: rate, written: rate };
    spec.kill_scope = KillScope::Trial;
    spec
}

/// A promise, and where a program inside finds the kernel's word for it: on version 1, and on version 2.
const FILES: [(&str, &str); 3] = [
    ("memory/memory.limit_in_bytes", "memory.max"),
    ("pids/pids.max", "pids.max"),
    ("cpu/cpu.cfs_quota_us", "cpu.max"),
];

pub(super) fn enforcement_is_read_back(ground: &Ground) -> Came {
    real!(ground);
    let sandbox = ground.create(&everything(ground));
    let said = sandbox.enforcement().clone();
    for (held, (v1, v2)) in
        [&said.memory_ceiling, &said.pids_ceiling, &said.cpu_ceiling].into_iter().zip(FILES)
    {
        let Held::ByKernel { value, .. } = held else {
            assert!(!said.gaps.is_empty(), "what is not held by the kernel is said: {said:?}");
            continue;
        };
        let look = format!("cd /sys/fs/cgroup; cat {v1} 2>/dev/null || cat {v2}");
        let (_, found) = ground.say(&sandbox, &look);
        // A quota is said as `50000 of 100000`.
        assert_eq!(found.split_whitespace().next(), value.split_whitespace().next(), "{v2}: {held:?}");
    }
    Came::Holds
}

pub(super) fn nothing_asked_is_nothing_held(ground: &Ground) -> Came {
    real!(ground);
    let sandbox = ground.sandbox();
    let said = sandbox.enforcement();
    let promises =
        [&said.memory_floor, &said.memory_ceiling, &said.cpu_ceiling, &said.storage_ceiling, &said.disk_rate];
    for held in promises {
        assert_eq!(*held, Held::NotAsked, "{said:?}");
    }
    // The host keeps itself usable, and says that it was not asked.
    match &said.pids_ceiling {
        Held::NotAsked => {}
        Held::ByKernel { value, .. } => assert!(value.contains("none was asked for"), "{said:?}"),
        other => panic!("{other:?}"),
    }
    Came::Holds
}

/// The second half of the table: how far each promise is kept, were it asked for.
pub(super) fn held(ground: &Result<Ground, String>) -> Vec<Row> {
    let said = match ground {
        Ok(ground) => ground.create(&everything(ground)).enforcement().clone(),
        Err(why) => Enforcement::nothing(why),
    };
    let promises = [
        ("memory floor", &said.memory_floor),
        ("memory ceiling", &said.memory_ceiling),
        ("swap closed", &said.swap_closed),
        ("CPU floor", &said.cpu_floor),
        ("CPU ceiling", &said.cpu_ceiling),
        ("pids ceiling", &said.pids_ceiling),
        ("storage ceiling", &said.storage_ceiling),
        ("disk rate", &said.disk_rate),
        ("kill scope trial", &said.kill_scope_held),
    ];
    promises.into_iter().map(|(name, held)| Row::promise(name, how(held))).collect()
}

fn how(held: &Held) -> String {
    match held {
        Held::ByKernel { knob, .. } => format!("kernel: `{knob}`"),
        Held::BestEffort { knob, .. } => format!("best effort: `{knob}`"),
        Held::NotAtAll { why } | Held::NotKnown { why } => format!("no: {why}"),
        Held::Inferred { knob, .. } => format!("inferred: `{knob}`"),
        Held::NotAsked => "not asked".to_owned(),
    }
}

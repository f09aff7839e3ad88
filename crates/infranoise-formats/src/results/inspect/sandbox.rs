//! What a log says of its sandbox's resources: a compose document if it is in the log, the provider's habit if there is none.

use infranoise_core::{
    Allocation, Band, Bytes, Ceiling, Enforcement, Held, KillScope, MilliCpu, Provenance, TimeLimits,
};
use serde_json::Value;

use super::schema::Config;
use crate::results::draft::Effective;

/// The effective resources of every sample of a log.
pub(super) fn effective(sandbox: Option<&Value>, config: &Config) -> Effective {
    let kind = sandbox.and_then(|sandbox| sandbox.as_str().or_else(|| sandbox.get("type")?.as_str()));
    let document = sandbox.and_then(|sandbox| sandbox.get("config")).filter(|config| !config.is_null());
    let ms = |seconds: Option<&f64>| {
        seconds.map_or(Ceiling::Uncapped, |seconds| Ceiling::At((seconds * 1000.0).max(0.0) as u64))
    };
    let time = TimeLimits {
        start_ms: Ceiling::Uncapped,
        agent_ms: ms(config.time_limit.get()),
        verifier_ms: Ceiling::Uncapped,
    };
    match (kind, document) {
        (Some("local"), _) => free("tools run on the host itself", time),
        (Some("docker"), None) => free("without a compose file, the provider sets no limit", time),
        (Some("docker"), Some(Value::Object(document))) => declared(&Value::Object(document.clone()), time),
        (Some(kind), Some(_)) => {
            Effective::unknown(&format!("the log names a file for its {kind} sandbox and does not hold it"))
        }
        (Some(kind), None) => Effective::unknown(&format!("what the {kind} sandbox sets is not in the log")),
        (None, _) => Effective::unknown("the log names no sandbox"),
    }
}

fn free(from: &str, time: TimeLimits) -> Effective {
    let uncapped =
        || Held::Inferred { knob: "none".to_owned(), value: "uncapped".to_owned(), from: from.to_owned() };
    let bands = Band::try_new(Bytes(0), Ceiling::Uncapped)
        .ok()
        .zip(Band::try_new(MilliCpu(0), Ceiling::Uncapped).ok());
    Effective {
        allocation: bands.map(|(memory, cpu)| allocation(memory, cpu, time)),
        enforcement: Enforcement {
            memory_ceiling: uncapped(),
            cpu_ceiling: uncapped(),
            ..Enforcement::not_known("not recorded")
        },
        provenance: Provenance::Inferred,
    }
}

fn allocation(memory: Band<Bytes>, cpu: Band<MilliCpu>, time: TimeLimits) -> Allocation {
    Allocation {
        memory,
        cpu,
        pids: Ceiling::Uncapped,
        storage: Ceiling::Uncapped,
        disk_rate: Default::default(),
        time,
    }
}

/// `services.default` of a compose document, or its only service.
fn declared(document: &Value, time: TimeLimits) -> Effective {
    let services = document.get("services").and_then(Value::as_object);
    let service = services.and_then(|services| services.get("default").or_else(|| services.values().next()));
    let Some(service) = service else { return Effective::unknown("the compose document names no service") };
    let limits = service.pointer("/deploy/resources/limits");
    let reserved = service.pointer("/deploy/resources/reservations");
    let text = |value: Option<&Value>| match value {
        Some(Value::String(text)) => Some(text.clone()),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    let of = |place: Option<&Value>, key: &str| text(place.and_then(|place| place.get(key)));
    let memory_ceiling = of(Some(service), "mem_limit").or_else(|| of(limits, "memory"));
    let cpu_ceiling = of(Some(service), "cpus").or_else(|| of(limits, "cpus"));
    let memory_floor = of(Some(service), "mem_reservation").or_else(|| of(reserved, "memory"));
    let cpu_floor = of(reserved, "cpus");
    let memory = band::<Bytes>(memory_floor.as_deref(), memory_ceiling.as_deref());
    let cpu = band::<MilliCpu>(cpu_floor.as_deref(), cpu_ceiling.as_deref());
    let held = |value: &Option<String>| match value {
        Some(value) => Held::Inferred {
            knob: "compose service".to_owned(),
            value: value.clone(),
            from: "the compose document in the log".to_owned(),
        },
        None => Held::NotAsked,
    };
    Effective {
        allocation: memory.zip(cpu).map(|(memory, cpu)| allocation(memory, cpu, time)),
        enforcement: Enforcement {
            memory_floor: held(&memory_floor),
            memory_ceiling: held(&memory_ceiling),
            cpu_floor: held(&cpu_floor),
            cpu_ceiling: held(&cpu_ceiling),
            kill_scope: KillScope::Process,
            ..Enforcement::not_known("not recorded")
        },
        provenance: Provenance::Declared,
    }
}

/// A band of two texts; `None` where one of them is no amount.
pub(in crate::results) fn band<T>(floor: Option<&str>, ceiling: Option<&str>) -> Option<Band<T>>
where
    T: std::str::FromStr + Default + Copy + PartialOrd + std::fmt::Display,
{
    let floor = floor.map_or(Some(T::default()), |text| text.parse().ok())?;
    let ceiling = match ceiling {
        Some(text) => Ceiling::At(text.parse().ok()?),
        None => Ceiling::Uncapped,
    };
    Band::try_new(floor, ceiling).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(sandbox: Value, expected: Option<(u64, Option<u64>)>, provenance: Provenance) {
        let effective = effective(Some(&sandbox), &Config::default());
        let mib = |bytes: Bytes| bytes.0 / Bytes::MIB;
        let found =
            effective.allocation.map(|a| (mib(a.memory.floor()), a.memory.ceiling().amount().map(mib)));
        assert_eq!((found, effective.provenance), (expected, provenance), "{sandbox}");
    }

    #[test]
    fn sandboxes_say_more_or_less() {
        use Provenance::{Declared, Inferred, Unknown};
        check(json!({"type": "local"}), Some((0, None)), Inferred);
        check(json!({"type": "docker"}), Some((0, None)), Inferred);
        check(json!({"type": "docker", "config": "compose.yaml"}), None, Unknown);
        let compose =
            |service: Value| json!({"type": "docker", "config": {"services": {"default": service}}});
        check(compose(json!({"mem_limit": "512m", "cpus": 1.5})), Some((0, Some(512))), Declared);
        let both =
            json!({"deploy": {"resources": {"limits": {"memory": "2G"}, "reservations": {"memory": "1G"}}}});
        check(compose(both), Some((1024, Some(2048))), Declared);
        check(compose(json!({"mem_limit": "much"})), None, Declared);
        check(json!({"type": "k8s", "config": "values.yaml"}), None, Unknown);
        check(json!(7), None, Unknown);
    }
}

//! `--band FLOOR..CEILING`.

use infranoise_core::{Amount, BandPolicy, Bytes, Ceiling, Factor, MilliCpu, ScaledPolicy};

use crate::error::CommandError;

/// Reads a band: multiples apply to memory and CPU, amounts to memory alone (CPU then stays at the task spec).
///
/// # Errors
/// If it is no band.
pub fn band(text: &str) -> Result<ScaledPolicy, CommandError> {
    let bad = || {
        CommandError::usage(format!("`{text}` is not a band"))
            .hint("write FLOOR..CEILING, as in `1x..3x`, `1x..none` or `512MiB..2GiB`")
    };
    let (floor, ceiling) = text.split_once("..").ok_or_else(bad)?;
    let floor: Amount<Bytes> = floor.parse().map_err(|_| bad())?;
    let ceiling: Ceiling<Amount<Bytes>> = ceiling.parse().map_err(|_| bad())?;
    let one = Ceiling::At(Factor::ONE);
    let cpu = match (floor, ceiling) {
        (Amount::Times(floor), Ceiling::At(Amount::Times(factor))) => BandPolicy {
            floor: Amount::<MilliCpu>::Times(floor),
            ceiling: Ceiling::At(Amount::Times(factor)),
        },
        (Amount::Times(floor), Ceiling::Uncapped) => {
            BandPolicy { floor: Amount::Times(floor), ceiling: Ceiling::Uncapped }
        }
        (Amount::Exactly(_), _) | (_, Ceiling::At(Amount::Exactly(_))) => BandPolicy::up_to(one),
    };
    let follow = match ceiling {
        Ceiling::At(Amount::Times(factor)) => Ceiling::At(factor),
        Ceiling::At(Amount::Exactly(_)) => one,
        Ceiling::Uncapped => Ceiling::Uncapped,
    };
    Ok(ScaledPolicy {
        memory: BandPolicy { floor, ceiling },
        cpu,
        pids: follow.map(Amount::Times),
        storage: Ceiling::Uncapped,
        disk_rate: Default::default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_read_as_people_write_them() {
        let multiples = band("1x..3x").expect("a band");
        assert_eq!(multiples.cpu.ceiling, Ceiling::At(Amount::Times(Factor(3000))));
        let open = band("1x..none").expect("a band");
        assert_eq!((open.memory.ceiling, open.pids), (Ceiling::Uncapped, Ceiling::Uncapped));
        let amounts = band("512MiB..2GiB").expect("a band");
        assert_eq!(amounts.memory.floor, Amount::Exactly(Bytes::mib(512)));
        assert_eq!(amounts.cpu.ceiling, Ceiling::At(Amount::Times(Factor::ONE)));
        for bad in ["3x", "..", "1x-3x", "none..1x", "1x..many"] {
            assert!(band(bad).is_err(), "{bad}");
        }
    }
}

//! What an allocation amounts to on a host of finite size.

use infranoise_core::{Allocation, Band, Ceiling, HostFingerprint, MilliCpu};

/// The allocation with every ceiling at or above the host's size taken off: nothing is cut off there.
#[must_use]
pub fn effective(allocation: &Allocation, host: &HostFingerprint) -> Allocation {
    fn off<T: PartialOrd>(ceiling: Ceiling<T>, host: T) -> Ceiling<T> {
        match ceiling {
            Ceiling::At(amount) if amount < host => Ceiling::At(amount),
            Ceiling::At(_) | Ceiling::Uncapped => Ceiling::Uncapped,
        }
    }
    let memory = off(allocation.memory.ceiling(), host.memory_bytes);
    let cpu = off(allocation.cpu.ceiling(), MilliCpu::cpus(host.cpus));
    Allocation {
        memory: Band::try_new(allocation.memory.floor(), memory).unwrap_or(allocation.memory),
        cpu: Band::try_new(allocation.cpu.floor(), cpu).unwrap_or(allocation.cpu),
        ..*allocation
    }
}

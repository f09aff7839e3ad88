//! Admission: floors of running trials never exceed what the host has.
//!
//! A floor is a promise, and `memory.min` alone does not keep it: with floors overcommitted the kernel ends a protected trial all the
//! same. So trials wait until their floors fit. Packing is by floor in every arm: packing by ceiling would give a loose arm fewer
//! neighbours and so confound headroom with contention.

use infranoise_core::{Allocation, Bytes, MilliCpu};

/// What the host can promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Memory for floors.
    pub memory: Bytes,
    /// CPU for floors.
    pub cpu: MilliCpu,
    /// The most trials at once.
    pub trials: u32,
}

impl Room {
    /// What a host of this size can promise: a tenth of the memory (at least 256 MiB) is kept back for the host and for us.
    #[must_use]
    pub fn of_host(available: Bytes, cpus: u32, trials: u32) -> Self {
        let kept_back = (available.0 / 10).max(256 * Bytes::MIB);
        Self { memory: Bytes(available.0.saturating_sub(kept_back)), cpu: MilliCpu::cpus(cpus), trials }
    }

    /// How many trials with these floors fit at once, for the largest of them: the same density in every arm.
    #[must_use]
    pub fn density<'a>(&self, allocations: impl Iterator<Item = &'a Allocation>) -> u32 {
        let (memory, cpu) = allocations.fold((1, 1), |(memory, cpu), allocation| {
            (allocation.memory.floor().0.max(memory), allocation.cpu.floor().0.max(cpu))
        });
        let by_memory = u32::try_from(self.memory.0 / memory).unwrap_or(u32::MAX);
        (self.cpu.0 / cpu).min(by_memory).min(self.trials).max(1)
    }
}

/// Floors that are promised at present.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Promised {
    memory: u64,
    cpu: u64,
    trials: u32,
}

impl Promised {
    /// Whether a trial with these floors fits now. An empty host takes any trial that fits it at all.
    #[must_use]
    pub fn fits(&self, room: &Room, allocation: &Allocation) -> bool {
        self.trials < room.trials
            && self.memory + allocation.memory.floor().0 <= room.memory.0
            && self.cpu + u64::from(allocation.cpu.floor().0) <= u64::from(room.cpu.0)
    }

    /// Promises the floors of a trial.
    pub fn admit(&mut self, allocation: &Allocation) {
        self.memory += allocation.memory.floor().0;
        self.cpu += u64::from(allocation.cpu.floor().0);
        self.trials += 1;
    }

    /// Takes the promise back.
    pub fn release(&mut self, allocation: &Allocation) {
        self.memory = self.memory.saturating_sub(allocation.memory.floor().0);
        self.cpu = self.cpu.saturating_sub(u64::from(allocation.cpu.floor().0));
        self.trials = self.trials.saturating_sub(1);
    }

    /// How many trials are running.
    #[must_use]
    pub fn trials(&self) -> u32 {
        self.trials
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use infranoise_core::{Band, Ceiling, TimeLimits};

    fn allocation(mib: u64, milli: u32) -> Allocation {
        Allocation {
            memory: Band::try_new(Bytes::mib(mib), Ceiling::Uncapped).expect("a band"),
            cpu: Band::try_new(MilliCpu(milli), Ceiling::Uncapped).expect("a band"),
            pids: Ceiling::Uncapped,
            storage: Ceiling::Uncapped,
            disk_rate: Default::default(),
            time: TimeLimits {
                start_ms: Ceiling::Uncapped,
                agent_ms: Ceiling::Uncapped,
                verifier_ms: Ceiling::Uncapped,
            },
        }
    }

    #[test]
    fn floors_are_never_overcommitted() {
        let room = Room::of_host(Bytes::gib(4), 2, 100);
        let one = allocation(64, 800);
        let mut promised = Promised::default();
        let mut admitted = 0;
        while promised.fits(&room, &one) {
            promised.admit(&one);
            admitted += 1;
        }
        assert_eq!(admitted, 2, "two times 0.8 CPU fit on two CPUs, three do not");
        promised.release(&one);
        assert!(promised.fits(&room, &one));
        assert!(!promised.fits(&room, &allocation(5 << 10, 100)), "larger than the host");
    }

    #[test]
    fn density_is_that_of_the_largest_floor() {
        let room = Room::of_host(Bytes::gib(8), 16, 64);
        let floors = [allocation(64, 500), allocation(2048, 1000)];
        assert_eq!(room.density(floors.iter()), 3, "three floors of 2 GiB in 7.2 GiB");
        assert_eq!(room.density(std::iter::empty()), 64);
    }
}

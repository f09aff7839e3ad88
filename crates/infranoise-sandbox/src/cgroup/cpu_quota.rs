//! From thousandths of a CPU to a quota and a period.

use infranoise_core::MilliCpu;

/// How much heavier than an ordinary process our group is on each CPU: trials keep eight ninths of a CPU against one busy
/// process of the host, and our own sampler and deadlines still get the ninth.
pub(crate) const PARENT_WEIGHT: u64 = 8;

/// The kernel's usual period, and its longest.
const PERIODS_US: [u64; 2] = [100_000, 1_000_000];

/// The smallest quota that the kernel takes.
const LEAST_QUOTA_US: u64 = 1_000;

/// Quota and period in microseconds: the usual period where the quota is then legal, else the longest.
pub(crate) fn quota_us(cpu: MilliCpu) -> (u64, u64) {
    let quota = |period: u64| u64::from(cpu.0) * period / 1000;
    let [usual, longest] = PERIODS_US;
    if quota(usual) >= LEAST_QUOTA_US {
        return (quota(usual), usual);
    }
    (quota(longest).max(LEAST_QUOTA_US), longest)
}

/// The CPUs that this process may use.
pub(crate) fn processors() -> u64 {
    std::thread::available_parallelism().map_or(1, |cpus| cpus.get() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_ceilings_are_honoured_by_a_longer_period() {
        let cases = [
            (1_500, (150_000, 100_000)),
            (200, (20_000, 100_000)),
            (10, (1_000, 100_000)),
            (9, (9_000, 1_000_000)),
            (1, (1_000, 1_000_000)),
            (0, (1_000, 1_000_000)),
        ];
        for (milli, expected) in cases {
            assert_eq!(quota_us(MilliCpu(milli)), expected, "{milli}");
        }
    }
}

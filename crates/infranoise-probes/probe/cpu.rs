//! CPU time, measured by the kernel: the same amount on any machine and under any quota.

use std::fs;
use std::hint::black_box;

use super::Failure;

/// `spin`: works until the process has used so much CPU time since it was asked.
pub(crate) fn spin(cpu_ms: u64) -> Result<(), Failure> {
    let start = used_ms()?;
    let mut value = 1u64;
    while used_ms()? < start + cpu_ms {
        for n in 0..200_000u64 {
            value = black_box(value.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(n));
        }
    }
    Ok(())
}

/// CPU time of this (single-threaded) process in milliseconds: the scheduler's own count, or ticks of 10 ms where it keeps none.
fn used_ms() -> Result<u64, Failure> {
    let schedstat = fs::read_to_string("/proc/self/schedstat").ok();
    let nanoseconds = schedstat.and_then(|text| text.split_whitespace().next()?.parse::<u64>().ok());
    if let Some(nanoseconds) = nanoseconds.filter(|&count| count > 0) {
        return Ok(nanoseconds / 1_000_000);
    }
    let stat =
        fs::read_to_string("/proc/self/stat").map_err(|error| Failure::file("/proc/self/stat", &error))?;
    // The second field, in brackets, may hold blanks; user and system time are the 12th and 13th after it.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks: u64 = fields.iter().skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Ok(ticks * 10)
}

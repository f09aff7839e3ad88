//! Tests on the kernel that they run on. Where something cannot be had, each says so and passes.

mod cgroup;
mod support;
mod telemetry;

#[test]
#[ignore = "what other tests start as a child, to run over a ceiling"]
fn hold_memory() {
    #[expect(clippy::disallowed_methods, reason = "a test program's own child")]
    let mib = std::env::var("HOLD_MIB").ok().and_then(|mib| mib.parse::<usize>().ok()).unwrap_or(0);
    let held = vec![1_u8; mib << 20];
    assert_eq!(held.iter().map(|byte| usize::from(*byte)).sum::<usize>(), mib << 20);
}

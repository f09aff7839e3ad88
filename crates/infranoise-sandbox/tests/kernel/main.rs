//! Tests on the kernel that they run on. Where something cannot be had, each says so and passes.

mod cgroup;
mod support;
mod telemetry;

#[test]
#[ignore = "what other tests start as a child, to run over a ceiling"]
fn hold_memory() {
    #[expect(clippy::disallowed_methods, reason = "a test program's own child")]
    let mib = std::env::var("HOLD_MIB").ok().and_then(|mib| mib.parse::<usize>().ok()).unwrap_or(0);
    // Piece by piece: the kernel refuses at once what it could never hold.
    let held: Vec<Vec<u8>> = (0..mib).map(|_| vec![1; 1 << 20]).collect();
    // A byte of each page is enough, and quick in a virtual machine too.
    assert!(held.iter().all(|piece| piece.iter().step_by(4096).all(|byte| *byte == 1)));
    assert_eq!(held.len(), mib);
}

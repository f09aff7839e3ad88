//! Plans that are made, and plans that are refused with a way out.

use super::*;
use infranoise_core::Factor;
use infranoise_core::testing::{arm, host, task};

fn request(arms: Vec<Arm>) -> Request {
    Request {
        sweep: SweepId::try_new("s").expect("a name"),
        staged: false,
        tasks: vec![task("a"), task("b")],
        arms,
        reference: None,
        subject: Subject { agent: "script".into(), model: None },
        agent_command: None,
        repeats: 5,
        seed: 1,
        margin_pp: 3.0,
        assume: AssumeSpec::default(),
        engine: "fake".into(),
        root: "host".into(),
        network: "none".into(),
        retries_not_started: 2,
        retries_fault: 0,
        timing: Timing::AtOnce,
        quiesce: false,
    }
}

fn at(thousandths: u32) -> Ceiling<Factor> {
    Ceiling::At(Factor(thousandths))
}

fn make(request: Request) -> Result<Plan, PlanError> {
    let room = HostRoom { memory: Bytes::gib(7), cpu: MilliCpu::cpus(4) };
    plan(request, host(), room, "test".into(), 0)
}

#[test]
fn allocations_are_resolved_before_anything_starts() {
    let plan = make(request(vec![arm("1x", at(1000)), arm("none", Ceiling::Uncapped)])).expect("plans");
    assert_eq!(plan.planned(), 20);
    let tight = plan.arms[0].allocations.values().next().expect("a task");
    assert_eq!(tight.memory.ceiling(), Ceiling::At(Bytes::mib(64)));
    assert_eq!(plan.warnings, Vec::<String>::new());
}

#[test]
fn arms_that_coincide_on_this_host_are_refused() {
    // 64 MiB and 0.5 CPU times 200 are 12.5 GiB and 100 CPUs: above the host, hence uncapped.
    let refused = make(request(vec![arm("200x", at(200_000)), arm("none", Ceiling::Uncapped)]));
    let Err(PlanError::Coincide { first, second, .. }) = &refused else { panic!("{refused:?}") };
    assert_eq!((first.as_str(), second.as_str()), ("200x", "none"));
    let alike = make(request(vec![arm("a", at(2000)), arm("b", at(2000))]));
    assert!(matches!(alike, Err(PlanError::Coincide { .. })), "{alike:?}");
}

#[test]
fn a_kill_scope_alone_makes_an_arm_of_its_own() {
    let mut process = arm("process", at(2000));
    process.kill_scope = KillScope::Process;
    assert!(make(request(vec![arm("trial", at(2000)), process])).is_ok());
}

#[test]
fn refusals_name_what_to_change() {
    type Change = fn(&mut Request);
    let cases: [(Change, &str); 6] = [
        (|r| r.tasks.clear(), "no task"),
        (|r| r.repeats = 0, "no repeat"),
        (|r| r.arms.push(r.arms[0].clone()), "give each its own name"),
        (|r| r.reference = Some(ArmId::try_new("9x").expect("a name")), "not among the arms (1x, 2x)"),
        (|r| r.margin_pp = f64::NAN, "between 0 and 100"),
        (|r| r.tasks[1].spec.memory = infranoise_core::Stated::Value(Bytes::gib(9)), "above what this host"),
    ];
    for (change, expected) in cases {
        let mut request = request(vec![arm("1x", at(1000)), arm("2x", at(2000))]);
        change(&mut request);
        let refused = make(request).expect_err(expected).to_string();
        assert!(refused.contains(expected), "{refused}");
    }
}

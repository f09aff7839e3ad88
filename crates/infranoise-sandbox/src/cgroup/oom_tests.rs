use infranoise_core::EvidenceState;

use super::*;

const TRIAL: &str = "/infranoise/s/b/";
const CEILING: Ceiling<Bytes> = Ceiling::At(Bytes(64 << 20));

fn v1(kills: u64, hits: u64, peak_mib: u64) -> OomReading {
    OomReading {
        kills: Observed::Observed(kills),
        at_own_limit: Observed::Unsupported("v1".to_owned()),
        limit_hits: Observed::Observed(hits),
        peak: Observed::Observed(Bytes::mib(peak_mib)),
    }
}

fn v2(kills: u64, ooms: u64) -> OomReading {
    OomReading { at_own_limit: Observed::Observed(ooms), ..v1(kills, ooms * 30, 64) }
}

fn kill(limit: OomLimit) -> OomKill {
    OomKill {
        at_us: 1,
        limit,
        victim_group: Some("/infranoise/s/b/work/e2".to_owned()),
        program: "sort".to_owned(),
        pid: 7,
        rss: Some(Bytes::mib(60)),
    }
}

fn ask(before: OomReading, after: OomReading, ceiling: Ceiling<Bytes>, log: LogSays<'_>) -> Vec<OomFinding> {
    judge(&OomQuestion { who: "e2", trial_path: TRIAL, before: &before, after: &after, ceiling, log })
}

fn check(before: OomReading, after: OomReading, expected: &[(OomScope, u64, EvidenceState)]) {
    for log in [LogSays::Unreadable("permission denied"), LogSays::Kills(&[])] {
        let found = ask(before.clone(), after.clone(), CEILING, log);
        let got: Vec<_> = found.iter().map(|f| (f.scope, f.kills, f.evidence.state)).collect();
        assert_eq!(got, expected, "{before:?} -> {after:?}");
    }
}

#[test]
fn counters_alone_decide_on_v2() {
    use EvidenceState::Observed as Certain;
    check(v2(0, 0), v2(0, 0), &[]);
    check(v2(0, 0), v2(1, 1), &[(OomScope::Own, 1, Certain)]);
    check(v2(0, 0), v2(1, 0), &[(OomScope::Host, 1, Certain)]);
    check(v2(1, 1), v2(1, 2), &[]);
    check(v2(1, 1), v2(4, 1), &[(OomScope::Host, 3, Certain)]);
}

#[test]
fn counters_alone_only_suggest_on_v1() {
    use EvidenceState::Partial;
    check(v1(0, 0, 1), v1(0, 40, 64), &[]);
    check(v1(0, 0, 1), v1(1, 40, 64), &[(OomScope::Own, 1, Partial)]);
    check(v1(0, 0, 1), v1(1, 40, 30), &[(OomScope::Unknown, 1, Partial)]);
    check(v1(0, 7, 1), v1(1, 7, 64), &[(OomScope::Host, 1, Partial)]);
    let uncapped = ask(v1(0, 0, 1), v1(1, 0, 900), Ceiling::Uncapped, LogSays::Kills(&[]));
    assert_eq!(uncapped[0].scope, OomScope::Host);
}

#[test]
fn the_kernel_log_settles_it() {
    let group = |path: &str| kill(OomLimit::Group(path.to_owned()));
    let cases = [
        (group("/infranoise/s/b/work"), OomScope::Own),
        (group("/infranoise/s"), OomScope::Host),
        (group("/infranoise/s/bb/work"), OomScope::Host),
        (group("/"), OomScope::Host),
        (kill(OomLimit::Host), OomScope::Host),
    ];
    for (line, scope) in cases {
        let found = ask(v1(0, 0, 1), v1(1, 40, 64), CEILING, LogSays::Kills(std::slice::from_ref(&line)));
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].scope, found[0].kills), (scope, 1), "{line:?}");
        assert_eq!(found[0].victim.as_deref(), Some("sort"));
        assert_eq!(found[0].evidence.state, EvidenceState::Observed);
    }
    let both = [group("/infranoise/s/b/work"), kill(OomLimit::Host)];
    let found = ask(v1(0, 0, 1), v1(2, 40, 64), CEILING, LogSays::Kills(&both));
    assert_eq!(
        found.iter().map(|f| (f.scope, f.kills)).collect::<Vec<_>>(),
        [(OomScope::Own, 1), (OomScope::Host, 1)]
    );
}

#[test]
fn a_group_kill_counts_every_victim() {
    let line = [kill(OomLimit::Group("/infranoise/s/b/work".to_owned()))];
    let found = ask(v2(0, 0), v2(5, 1), CEILING, LogSays::Kills(&line));
    assert_eq!(found[0].kills, 5);
}

#[test]
fn a_line_whose_limit_was_held_back_leaves_it_to_the_counters() {
    let line = [kill(OomLimit::SomeGroup)];
    let found = ask(v1(0, 0, 1), v1(1, 40, 64), CEILING, LogSays::Kills(&line));
    assert_eq!((found[0].scope, found[0].evidence.state), (OomScope::Own, EvidenceState::Partial));
}

#[test]
fn waiting_tasks_are_a_kill_of_ours() {
    let task = WaitingTask {
        leaf: "e1".to_owned(),
        pid: 9,
        program: "sort".to_owned(),
        rss: Some(Bytes::mib(60)),
        wait_channel: "mem_cgroup_oom_synchronize".to_owned(),
    };
    let state = OomState { under_oom: true, ..OomState::default() };
    let found = judge_waiting(&state, std::slice::from_ref(&task), 3).expect("a finding");
    assert_eq!((found.scope, found.kills, found.victim.as_deref()), (OomScope::Own, 3, Some("sort")));
    let above = OomState { ancestor_under_oom: true, ..state };
    assert_eq!(judge_waiting(&above, &[], 3).map(|f| f.scope), Some(OomScope::Host));
    assert_eq!(judge_waiting(&OomState::default(), &[task], 0), None);
}

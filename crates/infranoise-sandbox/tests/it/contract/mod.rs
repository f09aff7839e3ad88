//! The contract: one list of cases for any engine, with what came of each as data.
//!
//! A case holds or panics; one that cannot run on an engine, or on this host, says why. `docs/engines.md` is the table of cases and
//! engines; each column that can be made here has to be as it stands there ([`table`]).

mod bridge;
mod commands;
mod deadlines;
mod endings;
mod files;
mod ground;
mod limits;
mod memory;
mod network;
mod pretend;
mod promises;
mod storage;
mod table;

use std::panic::{AssertUnwindSafe, catch_unwind};

use ground::{Ground, Kind};
use table::Row;

/// What came of a case that did not panic.
enum Came {
    /// The engine keeps this.
    Holds,
    /// It could not be tried, for this reason.
    CannotRun(String),
}

fn cannot_run(why: impl Into<String>) -> Came {
    Came::CannotRun(why.into())
}

/// A sentence that is true of a good engine, and what tries it.
type Case = (&'static str, fn(&Ground) -> Came);

const CASES: [Case; 45] = [
    ("exit codes pass", commands::exit_codes_pass),
    ("signals pass, with who sent them", commands::signals_pass),
    ("output passes, in its order", commands::output_passes),
    ("output beyond its limit is dropped and counted", commands::output_is_bounded),
    ("variables and the working folder reach the command", commands::variables_and_folder_pass),
    ("commands start with no signal blocked or ignored", commands::signals_are_as_new),
    ("a program that is not there ends as in a shell", commands::missing_programs_end_as_in_a_shell),
    ("commands are numbered and timed", commands::commands_are_numbered_and_timed),
    ("commands run side by side", commands::commands_run_side_by_side),
    ("bytes out are bytes in", files::bytes_out_are_bytes_in),
    ("a file that is not there is none", files::a_missing_file_is_none),
    ("files that are too large are not read", files::large_files_are_not_read),
    ("two sandboxes do not see each other", files::sandboxes_are_apart),
    ("over the ceiling is a ceiling kill, with a peak of at least 0.9 of it", memory::over_the_ceiling),
    ("uncapped is no kill", memory::uncapped_is_no_kill),
    ("kill scope process: the tool dies, its shell goes on", memory::scope_process),
    ("kill scope exec: the command dies, the sandbox goes on", memory::scope_exec),
    ("kill scope trial: the sandbox dies", memory::scope_trial),
    ("a kill that the trial survives is charged to its command", memory::a_survived_kill_has_its_command),
    ("a daemon's kill is charged to the command that left it", memory::a_daemons_kill_has_its_command),
    ("137 by `kill -9` is no out-of-memory kill", memory::a_kill_by_hand_is_none),
    ("`exit 137` is no out-of-memory kill", memory::exit_137_is_none),
    ("the host's own out-of-memory kill is told from a ceiling's", memory::the_host_runs_out),
    ("a memory floor is admitted, and can be used", limits::the_floor_is_admitted),
    ("throttling by the CPU ceiling is seen", limits::throttling_is_seen),
    ("forks beyond the pids ceiling are refused and counted", limits::pids_are_refused),
    ("writes beyond the storage ceiling are refused and counted", storage::writes_are_refused),
    ("files beyond the inodes of the storage ceiling are refused and counted", storage::inodes_are_refused),
    ("without a storage ceiling nothing is refused", storage::uncapped_space_is_not_refused),
    ("a disk rate is held", storage::the_rate_is_held),
    ("peak and CPU time of a command are its own", limits::use_is_measured),
    ("a command that ends leaves its daemons alone", deadlines::an_end_leaves_daemons),
    ("a deadline ends the command", deadlines::ends_the_command),
    ("a deadline ends the foreground tree and spares daemons", deadlines::spares_daemons),
    ("a deadline can end everything", deadlines::ends_everything),
    ("an interruption ends a command", deadlines::an_interruption_ends_a_command),
    ("Enforcement says what the kernel says", promises::enforcement_is_read_back),
    ("what was not asked for is not held", promises::nothing_asked_is_nothing_held),
    ("no network is no network", network::none_is_none),
    ("the host's network is the host's", network::host_is_the_hosts),
    (
        "a bridged sandbox reaches what is allowed, and neither host nor metadata",
        bridge::reaches_what_is_allowed,
    ),
    (
        "a listener inside is served from the host, and reached from inside alone",
        network::the_host_serves_a_listener_inside,
    ),
    ("destroying leaves nothing", endings::destroying_leaves_nothing),
    ("the supervisor's death is a sandbox gone", endings::the_supervisors_death),
    ("the engine's death is an engine fault, and the next sandbox starts", endings::the_engines_death),
];

/// Cases that are newer than the last trial of the container engines.
const NOT_YET_IN_CONTAINERS: [&str; 6] = [
    "files beyond the inodes of the storage ceiling are refused and counted",
    "without a storage ceiling nothing is refused",
    "a disk rate is held",
    "the host's network is the host's",
    "a bridged sandbox reaches what is allowed, and neither host nor metadata",
    "a listener inside is served from the host, and reached from inside alone",
];

#[test]
fn the_local_engine_keeps_the_contract() {
    keeps(Kind::Local);
}

#[test]
fn the_fake_engine_keeps_the_contract() {
    keeps(Kind::Fake);
}

#[cfg(feature = "docker")]
#[test]
fn docker_keeps_the_contract() {
    contained(infranoise_sandbox::docker::Flavour::Docker);
}

#[cfg(feature = "docker")]
#[test]
fn podman_keeps_the_contract() {
    contained(infranoise_sandbox::docker::Flavour::Podman);
}

/// Where no service is named there is nothing to try, and nothing to compare the table with.
#[cfg(feature = "docker")]
fn contained(flavour: infranoise_sandbox::docker::Flavour) {
    if crate::containers::address(flavour).is_some() {
        keeps(Kind::Container(flavour));
    }
}

fn not_yet(_: &Ground) -> Came {
    cannot_run("not tried on container engines yet")
}

/// Tries every case, says all results, and fails if one did not hold or the committed table says otherwise.
#[expect(clippy::print_stdout, reason = "results of tests are said aloud")]
fn keeps(kind: Kind) {
    let column = kind.column();
    let mut rows = Vec::new();
    let mut failed = Vec::new();
    let ground = kind.ground();
    for (sentence, case) in CASES {
        println!("{sentence} ...");
        let case: fn(&Ground) -> Came =
            if kind.is_container() && NOT_YET_IN_CONTAINERS.contains(&sentence) { not_yet } else { case };
        let came = ground.as_ref().map(|ground| catch_unwind(AssertUnwindSafe(|| case(ground))));
        let cell = match came {
            Err(why) => format!("cannot run: {why}"),
            Ok(Ok(Came::Holds)) => table::HOLDS.to_owned(),
            Ok(Ok(Came::CannotRun(why))) => format!("cannot run: {why}"),
            Ok(Err(_)) => {
                failed.push(sentence);
                "FAILS".to_owned()
            }
        };
        rows.push(Row::case(sentence, cell));
    }
    rows.extend(promises::held(&ground));
    for row in &rows {
        println!("CONTRACT\t{column}\t{}\t{}", row.name, row.cell);
    }
    assert_eq!(failed, [""; 0], "cases that do not hold on `{column}`");
    table::check(&column, &rows);
}

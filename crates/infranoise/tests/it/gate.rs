//! The gate on results that are whole, damaged, or not all there; and what an import must never be taken for.

use std::fs;

use crate::program::{POLICY, Place, TASK, TEST, write_task};

/// Imports a table of 12 tasks with 3 repeats each, in which all trials end alike.
fn import(place: &Place, name: &str, pass: bool) {
    let rows = (0..36).map(|n| format!("task-{},one,{},{pass}\n", n % 12, n / 12));
    let table = format!("task,arm,repeat,pass\n{}", rows.collect::<String>());
    let path = format!("{name}.csv");
    fs::write(place.path().join(&path), table).expect("written");
    place.run(&["import", &path, "--name", name]).ok();
}

#[test]
fn a_gate_knows_a_total_flip_and_does_not_open_on_half_a_result() {
    let place = Place::new();
    import(&place, "worse", false);
    import(&place, "better", true);
    let gate = |base: &str, head: &str, more: &[&str]| {
        let paths = [format!("runs/{base}"), format!("runs/{head}")];
        place.run(&[&["gate", &paths[0], &paths[1]], more].concat())
    };
    let gain = gate("worse", "better", &["--infra", "matched"]);
    assert_eq!(gain.code(), 0, "{}{}", gain.out(), gain.err());
    let drop = gate("better", "worse", &["--infra", "matched"]);
    assert_eq!(drop.code(), 3, "{}", drop.out());
    assert!(drop.out().contains("-100.0 points"), "{}", drop.out());

    let journal = place.path().join("runs/better/journal.jsonl");
    let text = fs::read_to_string(&journal).expect("read");
    fs::write(&journal, text.replacen("\"repeat\":1", "\"repeat\":2", 1)).expect("written");
    let damaged = gate("worse", "better", &["--infra", "matched", "--inconclusive", "pass"]);
    assert_eq!(damaged.code(), 9, "{}{}", damaged.out(), damaged.err());
    assert!(damaged.out().starts_with("not whole"), "{}", damaged.out());
    assert!(damaged.out().contains("1 of 36 planned trials have no record"), "{}", damaged.out());
    assert!(damaged.err().contains("checksum"), "{}", damaged.err());
    let markdown = gate("worse", "better", &["--format", "md"]);
    assert!(markdown.out().contains("* better: journal line"), "{}", markdown.out());
    let junit = gate("worse", "better", &["--format", "junit"]);
    assert!(junit.out().contains("errors=\"1\""), "{}", junit.out());
    let still = gate("better", "worse", &["--infra", "matched"]);
    assert_eq!(still.code(), 3, "a real drop is one on part of a result too: {}", still.out());
}

#[test]
fn nothing_of_an_import_is_ever_started() {
    if !crate::program::can_sweep("a sweep under an import's name") {
        return;
    }
    let place = Place::new();
    import(&place, "mine", true);
    write_task(&place.path().join("tasks/good"), TASK, TEST, POLICY);
    let done =
        place.run(&["sweep", "-p", "tasks", "-a", "script", "--ceilings", "1x", "-k", "1", "--name", "mine"]);
    assert_eq!(done.code(), 2, "{}", done.err());
    assert!(done.err().contains("holds imported results"), "{}", done.err());
}

#[test]
fn a_margin_is_a_number_of_points() {
    let place = Place::new();
    for margin in ["NaN", "-1", "inf", "101", "three"] {
        let done = place.run(&["gate", "a", "b", &format!("--margin={margin}")]);
        assert_eq!(done.code(), 2, "{margin}: {}", done.err());
    }
    for shift in ["NaN", "-1", "inf"] {
        let done = place.run(&["compare", "a", "b", &format!("--infra={shift}")]);
        assert_eq!(done.code(), 2, "{shift}: {}", done.err());
    }
}

#[test]
fn an_import_never_takes_the_place_of_another() {
    let place = Place::new();
    import(&place, "first", true);
    import(&place, "first", true);
    fs::write(place.path().join("second.csv"), "task,pass,blame\na,maybe,gremlin\nb,true,\n")
        .expect("written");
    let refused = place.run(&["import", "second.csv", "--name", "first"]);
    assert_eq!(refused.code(), 2, "{}", refused.err());
    assert!(refused.err().contains("holds an import of first.csv"), "{}", refused.err());
    assert!(refused.err().contains("--name"), "{}", refused.err());
    let own_name = place.run(&["import", "second.csv", "--name", "second"]).ok();
    assert!(own_name.err().contains("`maybe` is not true or false"), "{}", own_name.err());
    assert!(own_name.err().contains("`gremlin` is not a known blame"), "{}", own_name.err());
}

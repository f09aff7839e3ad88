//! `docs/engines.md`: cases and promises down, engines across. Each column is made where its engine can run; the rest stays as it is.

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// The cell of a case that holds.
pub(super) const HOLDS: &str = "holds";

const PROMISE: &str = "promise: ";

const HEAD: &str = "# Engines

What each engine keeps of the contract, and on which kernel. This file is made by the contract suite
(`crates/infranoise-sandbox/tests/it/contract/`), never by hand: `INFRANOISE_WRITE_TABLE=1 cargo test -p infranoise-sandbox --test it contract`
rewrites the columns that the machine can try, and `.ci/vm/run` with the same variable those of the virtual machine. The tests fail if a
column that they can try is not as it stands here.

`local` is the embedded engine; then the version of control groups (`hybrid`: version 1 with a version 2 tree without controllers beside
it) and who runs it. `v2` is tried in a virtual machine, under Debian's kernel and under user-mode-linux. `docker` and `podman` are those of
Debian 12, started by `.ci/stages/45-containers`, with the control group driver `cgroupfs` and runc.
";

/// One line of one column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) cell: String,
}

impl Row {
    /// What came of a case.
    pub(super) fn case(sentence: &str, cell: String) -> Self {
        Self { name: sentence.to_owned(), cell }
    }

    /// How a promise is kept.
    pub(super) fn promise(name: &str, cell: String) -> Self {
        Self { name: format!("{PROMISE}{name}"), cell }
    }
}

type Columns = BTreeMap<String, Vec<Row>>;

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/engines.md")
}

/// Fails if a column is not as it is committed; writes it instead if asked to.
#[expect(clippy::print_stdout, reason = "what was not checked is said aloud")]
pub(super) fn check(column: &str, rows: &[Row]) {
    let text = fs::read_to_string(file()).unwrap_or_default();
    let mut columns = read(&text);
    if env::var_os("INFRANOISE_WRITE_TABLE").is_some() {
        columns.insert(column.to_owned(), rows.to_vec());
        return fs::write(file(), render(&columns)).expect("the table can be written");
    }
    match columns.get(column) {
        None => println!("the table has no column `{column}`: nothing to compare with"),
        Some(committed) => {
            let stale: Vec<&Row> = rows.iter().filter(|row| !committed.contains(row)).collect();
            let fresh = stale.is_empty() && rows.len() == committed.len();
            assert!(fresh, "docs/engines.md is stale, INFRANOISE_WRITE_TABLE=1 writes `{column}`: {stale:?}");
        }
    }
}

/// Takes the results that test programs printed elsewhere, as in a virtual machine, into the table.
#[test]
#[ignore = "for .ci/vm/run: reads the file that INFRANOISE_RESULTS names"]
fn take_results() {
    let results = fs::read_to_string(env::var_os("INFRANOISE_RESULTS").expect("a file")).expect("results");
    let mut columns = read(&fs::read_to_string(file()).unwrap_or_default());
    let taken = results_by_column(&results);
    assert!(!taken.is_empty(), "no results");
    columns.extend(taken);
    fs::write(file(), render(&columns)).expect("the table can be written");
}

/// Lines `CONTRACT`, column, name, cell, between tabs.
fn results_by_column(results: &str) -> Columns {
    let mut columns = Columns::new();
    for line in results.lines() {
        let parts: Vec<&str> = line.trim_end().split('\t').collect();
        if let ["CONTRACT", column, name, cell] = parts[..] {
            columns
                .entry(column.to_owned())
                .or_default()
                .push(Row { name: name.to_owned(), cell: cell.to_owned() });
        }
    }
    columns
}

fn render(columns: &Columns) -> String {
    let mut text = HEAD.to_owned();
    let mut names: Vec<&str> = Vec::new();
    for row in columns.values().flatten() {
        if !names.contains(&row.name.as_str()) {
            names.push(&row.name);
        }
    }
    let (promises, cases): (Vec<&str>, Vec<&str>) =
        names.into_iter().partition(|name| name.starts_with(PROMISE));
    for (title, names) in [("case", cases), ("promise", promises)] {
        let heads: Vec<&str> = columns.keys().map(String::as_str).collect();
        let _ = write!(text, "\n| {title} | {} |\n|---|{}\n", heads.join(" | "), "---|".repeat(heads.len()));
        for name in names {
            let cell = |rows: &Vec<Row>| {
                let row = rows.iter().find(|row| row.name == name);
                row.map_or("not tried".to_owned(), |row| row.cell.replace('|', "/"))
            };
            let cells: Vec<String> = columns.values().map(cell).collect();
            let _ = writeln!(text, "| {} | {} |", name.trim_start_matches(PROMISE), cells.join(" | "));
        }
    }
    text
}

fn read(text: &str) -> Columns {
    let mut columns = Columns::new();
    let mut heads: Vec<String> = Vec::new();
    let mut prefix = "";
    for line in text.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |")) {
        let mut cells = line.split(" | ").map(str::to_owned);
        let Some(name) = cells.next() else { continue };
        if name == "case" || name == "promise" {
            prefix = if name == "promise" { PROMISE } else { "" };
            heads = cells.collect();
            continue;
        }
        for (head, cell) in heads.iter().zip(cells).filter(|(_, cell)| cell != "not tried") {
            columns.entry(head.clone()).or_default().push(Row { name: format!("{prefix}{name}"), cell });
        }
    }
    columns
}

#[test]
fn what_is_rendered_is_read_again() {
    let rows = |cell: &str| {
        vec![Row::case("a case", cell.to_owned()), Row::promise("a promise", "kernel: `x`".to_owned())]
    };
    let mut columns =
        Columns::from([("one".to_owned(), rows(HOLDS)), ("two".to_owned(), rows("cannot run: no"))]);
    assert_eq!(read(&render(&columns)), columns);
    columns.get_mut("two").expect("a column").remove(0);
    assert_eq!(read(&render(&columns)), columns, "what one column lacks is not tried");
    let said = "noise\nCONTRACT\tone\ta case\tholds\r\nCONTRACT\tone\tpromise: a promise\tkernel: `x`\n";
    assert_eq!(results_by_column(said), Columns::from([("one".to_owned(), rows(HOLDS))]));
}

//! Compiles the probe program into a small static file, and collects the folders of tasks into constants.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use toml_edit::{Document, Item, Table};

fn main() {
    for path in ["probe", "tasks", "specimens", "build.rs"] {
        println!("cargo::rerun-if-changed={path}");
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    compile(&out.join("probe"));
    let mut source = String::new();
    collect("BUNDLED", Path::new("tasks"), &mut source);
    collect("SPECIMENS", Path::new("specimens"), &mut source);
    fs::write(out.join("bundled.rs"), source).expect("OUT_DIR can be written");
}

/// Compiles with the bare compiler: a static flag given to cargo would reach proc macros and build scripts too.
fn compile(output: &Path) {
    let rustc = env::var_os("RUSTC").expect("cargo sets RUSTC");
    let target = env::var_os("TARGET").expect("cargo sets TARGET");
    let flags = ["-Copt-level=s", "-Cpanic=abort", "-Cstrip=symbols", "-Ctarget-feature=+crt-static"];
    let status = Command::new(rustc)
        .args(["--edition=2024", "--crate-name=probe", "--target"])
        .arg(target)
        .args(flags)
        .arg("probe/main.rs")
        .arg("-o")
        .arg(output)
        .status()
        .expect("rustc starts");
    assert!(status.success(), "the probe program does not compile");
}

/// Writes one constant with every task of a folder.
fn collect(name: &str, folder: &Path, source: &mut String) {
    let mut tasks = String::new();
    for task in sorted(folder) {
        let toml = fs::read_to_string(task.join("task.toml")).expect("every task has a task.toml");
        let document = Document::parse(toml).expect("task.toml is TOML");
        let ours = document.get("metadata").and_then(|metadata| metadata.get("infranoise"));
        let demo = ours.and_then(|ours| ours.get("demo")).and_then(Item::as_bool).unwrap_or(false);
        let title = task.file_name().expect("a name").to_str().expect("a UTF-8 name");
        writeln!(tasks, "    BundledTask {{ name: {title:?}, in_demo: {demo}, files: &[").expect("fits");
        for (file, path) in files(&task) {
            writeln!(tasks, "        ({file:?}, include_bytes!({path:?})),").expect("fits");
        }
        let expected = ours.and_then(|ours| ours.get("expected")).and_then(Item::as_table);
        let expect = ours.and_then(|ours| ours.get("expect")).and_then(Item::as_table);
        writeln!(tasks, "    ], expected: &{:?}, expect: &{:?} }},", cells(expected), pairs(expect))
            .expect("fits");
    }
    writeln!(
        source,
        "/// Collected from `{}/`.\npub const {name}: &[BundledTask] = &[\n{tasks}];",
        folder.display()
    )
    .expect("fits");
}

/// `expected.SCOPE.CEILING = "verdict"` as triples.
fn cells(expected: Option<&Table>) -> Vec<(String, String, String)> {
    let scopes = expected.into_iter().flat_map(Table::iter);
    let cells = scopes.flat_map(|(scope, table)| {
        pairs(table.as_table())
            .into_iter()
            .map(move |(ceiling, verdict)| (scope.to_owned(), ceiling, verdict))
    });
    cells.collect()
}

fn pairs(table: Option<&Table>) -> Vec<(String, String)> {
    let entries = table.into_iter().flat_map(Table::iter);
    entries.map(|(key, item)| (key.to_owned(), item.as_str().expect("a text").to_owned())).collect()
}

/// The files below a folder: the name inside it, and the absolute path.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        for path in sorted(&at) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).expect("inside").to_str().expect("UTF-8").to_owned();
            let whole = fs::canonicalize(&path).expect("it exists");
            files.insert(name, whole.to_str().expect("UTF-8").to_owned());
        }
    }
    files
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

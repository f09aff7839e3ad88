//! The house: dependencies point down, files stay small, links lead somewhere, the map is no longer than it may be.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn workspace() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The level of each crate; a crate may depend on lower levels only.
const LEVELS: [(&str, u8); 13] = [
    ("infranoise-core", 0),
    ("infranoise-stats", 0),
    ("infranoise-supervisor", 0),
    ("infranoise-probes", 1),
    ("infranoise-store", 1),
    ("infranoise-formats", 1),
    ("infranoise-sandbox", 1),
    ("infranoise-analysis", 1),
    ("infranoise-gateway", 1),
    ("infranoise-runner", 2),
    ("infranoise-report", 2),
    ("infranoise-live", 3),
    ("infranoise", 4),
];

fn crates() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(workspace().join("crates")).expect("crates");
    entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.join("Cargo.toml").exists())
        .collect()
}

#[test]
fn dependencies_point_down() {
    let levels: BTreeMap<&str, u8> = LEVELS.into();
    for path in crates() {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let own = *levels.get(name.as_str()).unwrap_or_else(|| panic!("`{name}` has a level"));
        let manifest = std::fs::read_to_string(path.join("Cargo.toml")).expect("reads");
        let normal = manifest.split("[dev-dependencies]").next().unwrap_or_default();
        let section = normal.split("[dependencies]").nth(1).unwrap_or_default();
        for line in section.lines().filter(|line| line.starts_with("infranoise-")) {
            let needs = line.split(['.', ' ', '=']).next().unwrap_or_default();
            let level = levels.get(needs).unwrap_or_else(|| panic!("`{needs}` has a level"));
            assert!(*level < own, "`{name}` (level {own}) must not depend on `{needs}` (level {level})");
        }
    }
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn files_stay_small() {
    let mut files = Vec::new();
    rust_files(&workspace().join("crates"), &mut files);
    assert!(files.len() > 100, "the files are found");
    for file in files {
        let lines = std::fs::read_to_string(&file).expect("reads").lines().count();
        assert!(lines <= 800, "{} has {lines} lines; split it by ideas", file.display());
    }
    let map = std::fs::read_to_string(workspace().join("ARCHITECTURE.md")).expect("the map");
    assert!(map.lines().count() <= 250, "the map is short enough to be read");
}

#[test]
fn links_in_documents_lead_somewhere() {
    for name in [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "docs/methods.md",
        "docs/PERFORMANCE.md",
    ] {
        let path = workspace().join(name);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("`{name}` exists"));
        let folder = path.parent().expect("a folder");
        for part in text.split("](").skip(1) {
            let target = part.split(')').next().unwrap_or_default();
            let file = target.split('#').next().unwrap_or_default();
            if file.is_empty() || file.contains("://") || file.contains(' ') {
                continue;
            }
            assert!(folder.join(file).exists(), "`{name}` links to `{target}`, which is not there");
        }
    }
}

#[test]
fn every_crate_says_what_it_is_and_the_map_knows_it() {
    let map = std::fs::read_to_string(workspace().join("ARCHITECTURE.md")).expect("the map");
    for path in crates() {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let manifest = std::fs::read_to_string(path.join("Cargo.toml")).expect("reads");
        assert!(manifest.contains("\ndescription = "), "{name}");
        assert!(manifest.contains("[lints]\nworkspace = true"), "{name}");
        assert!(map.contains(&name), "the map does not know `{name}`");
    }
}

#[test]
fn unsafe_code_lives_in_one_module() {
    let mut files = Vec::new();
    rust_files(&workspace().join("crates"), &mut files);
    for file in files {
        let text = std::fs::read_to_string(&file).expect("reads");
        // The supervisor is std only, so that it makes its few system calls itself, in a module of its own.
        let homes = ["infranoise-sandbox/src/linux", "infranoise-supervisor/src/sys.rs"];
        let inside = homes.iter().any(|home| file.to_string_lossy().contains(home));
        let this_test = file.ends_with("tests/it/structure.rs");
        // The bare loop that the engine's start is measured against makes the system calls by hand.
        let yardstick = file.to_string_lossy().contains("infranoise-sandbox/examples/spawn_bench");
        let has = text.lines().any(|line| {
            let code = line.split("//").next().unwrap_or_default();
            code.contains("unsafe {")
                || code.contains("unsafe fn")
                || code.contains("unsafe impl")
                || code.contains("unsafe extern")
        });
        assert!(!has || inside || this_test || yardstick, "unsafe code in {}", file.display());
    }
}

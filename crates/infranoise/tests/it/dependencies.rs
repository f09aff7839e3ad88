//! `docs/dependencies.md` names every library of the workspace and no other.

use std::collections::BTreeSet;
use std::path::PathBuf;

fn workspace() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(workspace().join(name)).expect("reads")
}

/// The libraries of others in the workspace's own list, and any that a crate names beside it.
fn named() -> BTreeSet<String> {
    let mut manifests = vec![read("Cargo.toml")];
    for entry in std::fs::read_dir(workspace().join("crates")).expect("crates") {
        manifests.extend(std::fs::read_to_string(entry.expect("an entry").path().join("Cargo.toml")));
    }
    let mut found = BTreeSet::new();
    for manifest in manifests {
        let mut listed = false;
        for line in manifest.lines() {
            if let Some(section) = line.strip_prefix('[') {
                listed = section.contains("dependencies");
            } else if let (true, Some((name, _))) = (listed, line.split_once(['.', ' ', '='])) {
                found.insert(name.to_owned());
            }
        }
    }
    found.retain(|name| !name.starts_with("infranoise") && !name.starts_with('#') && !name.is_empty());
    found
}

#[test]
fn the_review_of_dependencies_is_complete() {
    let text = read("docs/dependencies.md");
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let reviewed: BTreeSet<String> = rows.map(str::to_owned).collect();
    let named = named();
    assert!(named.len() > 20, "the manifests are read: {named:?}");
    let missing: Vec<_> = named.difference(&reviewed).collect();
    assert!(
        missing.is_empty(),
        "look at licence, upkeep and weight, and add a row to docs/dependencies.md: {missing:?}"
    );
    let gone: Vec<_> = reviewed.difference(&named).collect();
    assert!(gone.is_empty(), "no longer used, so no longer in docs/dependencies.md: {gone:?}");
}

//! What is generated is committed, and fresh.

use std::path::PathBuf;

use crate::program::Place;

fn workspace() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn the_command_reference_and_the_schemas_are_fresh() {
    let place = Place::new();
    let cases: [(&str, &[&str]); 5] = [
        ("docs/commands.md", &["reference"]),
        ("docs/schemas/analysis.json", &["schema", "analysis"]),
        ("docs/schemas/plan.json", &["schema", "plan"]),
        ("docs/schemas/trial.json", &["schema", "trial"]),
        ("docs/schemas/event.json", &["schema", "event"]),
    ];
    for (file, args) in cases {
        let made = place.run(args).ok().out();
        let committed = std::fs::read_to_string(workspace().join(file)).unwrap_or_default();
        assert!(
            made == committed,
            "`{file}` is stale; write it anew with: infranoise {} > {file}",
            args.join(" ")
        );
    }
}

#[test]
fn every_command_explains_itself_with_examples_where_it_matters() {
    let place = Place::new();
    for command in ["demo", "sweep", "run", "report"] {
        let help = place.run(&[command, "--help"]).ok().out();
        assert!(help.contains("Example"), "{command}");
    }
    let completions = place.run(&["completions", "bash"]).ok().out();
    assert!(completions.contains("infranoise"));
}

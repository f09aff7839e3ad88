//! One tiny task for each cause of failure, carried out for real: the confusion matrix of the classifier.

use std::collections::BTreeMap;

use infranoise_core::{KillScope, TrialRecord};
use infranoise_probes::{SPECIMENS, Specimen, materialise};

use crate::program::{Place, can_sweep};

#[test]
fn every_disease_is_told_from_every_other() {
    if !can_sweep("specimens") {
        return;
    }
    let place = Place::new();
    let mut wrong = Vec::new();
    let mut matrix: BTreeMap<(String, String), u32> = BTreeMap::new();
    for (scope, word) in [(KillScope::Trial, "trial"), (KillScope::Process, "process")] {
        let chosen: Vec<_> = SPECIMENS
            .iter()
            .filter_map(|task| {
                task.specimen().filter(|specimen| specimen.kill_scope == scope).map(|s| (task, s))
            })
            .collect();
        assert!(!chosen.is_empty(), "specimens under scope {word}");
        let folder = place.path().join(format!("specimens-{word}"));
        materialise(&chosen.iter().map(|(task, _)| **task).collect::<Vec<_>>(), &folder).expect("writes");
        let folder_text = folder.to_string_lossy().into_owned();
        let args = [
            "sweep",
            "-p",
            &folder_text,
            "-a",
            "script",
            "--ceilings",
            "1x",
            "--storage-ceiling",
            "1x",
            "-k",
            "1",
            "--kill-scope",
            word,
            "--retry-not-started",
            "0",
            "--name",
            word,
        ];
        place.run(&args).ok();
        let records = place.records(&place.path().join("runs").join(word));
        for (task, specimen) in chosen {
            let record = records
                .iter()
                .find(|record| record.facts.key.task.as_str() == task.name)
                .unwrap_or_else(|| panic!("{} has a record", task.name));
            let got = &record.classification;
            *matrix.entry((specimen.blame.to_string(), got.blame.to_string())).or_default() += 1;
            if !agrees(&specimen, record) {
                wrong.push(format!("{} ({word}): expected {specimen:?}\n  got {got:#?}", task.name));
            }
        }
    }
    println!("confusion matrix (designed -> found):");
    for ((designed, found), count) in &matrix {
        println!("  {designed:20} -> {found:20} {count}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(matrix.keys().all(|(designed, found)| designed == found));
}

fn agrees(specimen: &Specimen, record: &TrialRecord) -> bool {
    let got = &record.classification;
    (got.blame, got.cause, got.phase) == (specimen.blame, specimen.cause, specimen.phase)
        && got.rule.0 == specimen.rule
        && !got.evidence.is_empty()
}

//! What is carried is what a reader of Harbor tasks accepts, without a word of warning.

use std::collections::BTreeSet;
use std::path::Path;

use infranoise_core::{Ceiling, Factor, KillScope, Shown, Stated};
use infranoise_formats::tasks::{Network, Root, Selection, Task, load, plan_environment};
use infranoise_probes::{BUNDLED, BundledTask, SPECIMENS, demo, materialise};

fn loaded(tasks: &[BundledTask]) -> Vec<Task> {
    let folder = tempfile::TempDir::new().expect("a folder");
    materialise(tasks, folder.path()).expect("written");
    materialise(tasks, folder.path()).expect("written twice");
    let loaded = load(folder.path(), &Selection::default()).expect("loads");
    assert!(loaded.refused.is_empty(), "{:#?}", loaded.refused);
    assert!(loaded.warnings.is_empty(), "{:#?}", loaded.warnings);
    for task in &loaded.tasks {
        let plan = plan_environment(task, Root::StandIn { is_installed: &|_| false });
        let plan = plan.unwrap_or_else(|errors| panic!("{errors:#?}"));
        assert!(plan.warnings.is_empty(), "{:#?}", plan.warnings);
        assert_eq!(task.network, Network::NoNetwork, "{}", task.id);
        assert!(task.policy.is_some() && task.solution.is_some(), "{}", task.id);
        assert!(
            [task.spec.agent_limit_ms, task.spec.verifier_limit_ms]
                .iter()
                .all(|limit| *limit != Stated::NotStated)
        );
    }
    loaded.tasks
}

#[test]
fn every_task_loads_without_a_warning() {
    let names = |tasks: &[Task]| tasks.iter().map(|task| task.id.to_string()).collect::<Vec<_>>();
    let carried = |tasks: &[BundledTask]| tasks.iter().map(|task| task.name.to_owned()).collect::<Vec<_>>();
    assert_eq!(names(&loaded(BUNDLED)), carried(BUNDLED));
    assert_eq!(names(&loaded(SPECIMENS)), carried(SPECIMENS));
    let demo = demo().count();
    assert!((12..BUNDLED.len()).contains(&demo), "{demo} of {}", BUNDLED.len());
}

#[test]
fn scripts_can_be_carried_out() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::TempDir::new().expect("a folder");
    materialise(&BUNDLED[..1], folder.path()).expect("written");
    let script = folder.path().join(BUNDLED[0].name).join("tests/test.sh");
    let mode = script.metadata().expect("there").permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
    assert!(Path::new(&script).is_file());
}

#[test]
fn success_in_harbors_table_and_in_ours_agree() {
    let arms = [
        ("1", Ceiling::At(Factor(1000))),
        ("1.5", Ceiling::At(Factor(1500))),
        ("2", Ceiling::At(Factor(2000))),
        ("3", Ceiling::At(Factor(3000))),
        ("5", Ceiling::At(Factor(5000))),
        ("inf", Ceiling::Uncapped),
    ];
    for (task, bundled) in loaded(BUNDLED).iter().zip(BUNDLED) {
        for (name, ceiling) in arms {
            let success = task.labels.get(&format!("expected.{name}")).map(String::as_str);
            match bundled.expected(KillScope::Trial, ceiling).map(|expected| expected.shown) {
                Some(Shown::Pass) => assert_eq!(success, Some("1"), "{} at {name}", task.id),
                Some(_) => assert_eq!(success, Some("0"), "{} at {name}", task.id),
                None => assert!(success.is_none_or(|text| text == "0.5"), "{} at {name}", task.id),
            }
        }
    }
}

#[test]
fn no_two_tasks_are_the_same() {
    let tasks = loaded(BUNDLED);
    let instructions: BTreeSet<&str> = tasks.iter().map(|task| task.instruction.as_str()).collect();
    let digests: BTreeSet<&str> = tasks.iter().map(|task| task.digest.as_str()).collect();
    assert_eq!((instructions.len(), digests.len()), (tasks.len(), tasks.len()));
}

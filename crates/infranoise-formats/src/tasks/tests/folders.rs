//! Folders: what must be in one, which of many are wanted.

use std::fs;

use tempfile::TempDir;

use super::super::{LoadError, Selection, load, read_task};
use super::{PLAIN, read, refused, task_folder, write};

#[test]
fn what_is_missing_is_named() {
    for (gone, parts) in [
        ("task.toml", &["has no task.toml"][..]),
        ("instruction.md", &["has no instruction.md"]),
        ("tests/test.sh", &["has no test.sh"]),
        ("tests", &["has no folder tests/"]),
        ("environment", &["neither a folder environment/ nor a `docker_image`"]),
    ] {
        let folder = task_folder(PLAIN, &[]);
        let path = folder.path().join(gone);
        if path.is_dir() {
            fs::remove_dir_all(path).expect("gone")
        } else {
            fs::remove_file(path).expect("gone")
        }
        let errors = read_task(folder.path()).expect_err(gone);
        assert_eq!(errors.len(), parts.len(), "{gone}: {errors:#?}");
        assert!(errors[0].to_string().contains(parts[0]), "{gone}: {}", errors[0]);
        assert!(!errors[0].way_out.is_empty());
    }
}

#[test]
fn files_that_need_more_than_there_is_are_refused_by_name() {
    for (file, part) in [
        ("environment/docker-compose.yaml", "docker-compose.yaml: an environment of several services"),
        ("environment/compose.yml", "an environment of several services"),
        ("tests/Dockerfile", "tests/Dockerfile: a verifier in an environment of its own"),
        ("trajectory.json", "a prior trajectory"),
    ] {
        refused(PLAIN, &[(file, "x")], &[part]);
    }
    let folder = task_folder(PLAIN, &[("tests/test.bat", "x")]);
    fs::remove_file(folder.path().join("tests/test.sh")).expect("gone");
    assert!(read_task(folder.path()).expect_err("refused")[0].what.contains("Windows"));
}

#[test]
fn canary_lines_do_not_reach_the_agent() {
    for (text, expected) in [
        ("<!-- CANARY abc -->\n\nDo it.\n", "Do it.\n"),
        ("# a canary line\n# another Canary\n\n\nDo it.\n", "Do it.\n"),
        ("# Title\ncanary\n", "# Title\ncanary\n"),
        ("\n  Do it.\n", "\n  Do it.\n"),
        ("<!-- canary -->", ""),
    ] {
        let task = read(PLAIN, &[("instruction.md", text)]).expect("a task");
        assert_eq!(task.instruction, expected, "{text:?}");
    }
    let folder = task_folder(PLAIN, &[]);
    fs::write(folder.path().join("instruction.md"), b"\xff\xfe").expect("written");
    let errors = read_task(folder.path()).expect_err("refused");
    assert!(errors[0].to_string().contains("save it as UTF-8"), "{}", errors[0]);
}

fn dataset(tasks: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    for (name, toml) in tasks {
        let root = folder.path().join(name);
        write(
            &root,
            &[
                ("task.toml", toml),
                ("instruction.md", "Do it.\n"),
                ("environment/Dockerfile", "FROM scratch\n"),
                ("tests/test.sh", "exit 0\n"),
            ],
        );
    }
    folder
}

fn check(include: &[&str], exclude: &[&str], first: Option<usize>, expected: &[&str]) {
    let folder = dataset(&[
        ("b-two", "[task]\nname = \"org/two\"\n"),
        ("a-one", ""),
        ("c-three", ""),
        ("d-broken", "oops ="),
    ]);
    let own = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect();
    let selection = Selection { include: own(include), exclude: own(exclude), first };
    let loaded = load(folder.path(), &selection).expect("loads");
    let mut names: Vec<String> = loaded.tasks.iter().map(|task| task.id.to_string()).collect();
    names.extend(loaded.refused.iter().map(|_| "refused".to_owned()));
    assert_eq!(names, expected, "{selection:?}");
}

#[test]
fn tasks_are_chosen_by_patterns_and_number_in_a_fixed_order() {
    check(&[], &[], None, &["a-one", "org/two", "c-three", "refused"]);
    check(&[], &["d-*"], None, &["a-one", "org/two", "c-three"]);
    check(&["org/*"], &[], None, &["org/two"]);
    check(&["two"], &[], None, &["org/two"]);
    check(&["b-two", "a-*"], &[], None, &["a-one", "org/two"]);
    check(&["*"], &["*o*e*"], Some(1), &["org/two"]);
    check(&[], &[], Some(2), &["a-one", "org/two"]);
    check(&["nothing"], &[], None, &[]);
}

#[test]
fn paths_that_hold_no_task_are_errors() {
    let empty = TempDir::new().expect("a folder");
    let nothing = Selection::default();
    assert!(matches!(load(empty.path(), &nothing), Err(LoadError::NoTasks { .. })));
    assert!(matches!(load(&empty.path().join("no"), &nothing), Err(LoadError::Unreadable { .. })));
    let broken = Selection { include: vec!["a[".to_owned()], ..Selection::default() };
    assert!(matches!(load(empty.path(), &broken), Err(LoadError::Pattern { .. })));
}

#[test]
fn one_task_is_loaded_by_its_own_folder_and_other_folders_are_skipped_aloud() {
    let one = task_folder(PLAIN, &[]);
    assert_eq!(load(one.path(), &Selection::default()).expect("loads").tasks.len(), 1);
    let many = dataset(&[("a", "")]);
    write(many.path(), &[("docs/readme.md", "x"), (".git/config", "x"), ("registry.json", "[]")]);
    let loaded = load(many.path(), &Selection::default()).expect("loads");
    assert_eq!(loaded.tasks.len(), 1);
    assert_eq!(loaded.warnings.len(), 1, "{:?}", loaded.warnings);
    assert!(loaded.warnings[0].says.contains("no task.toml"));
}

#[test]
fn two_tasks_of_one_name_are_one_too_many() {
    let twins = dataset(&[("a", "[task]\nname = \"x/y\"\n"), ("b", "[task]\nname = \"x/y\"\n")]);
    let loaded = load(twins.path(), &Selection::default()).expect("loads");
    assert_eq!((loaded.tasks.len(), loaded.refused.len()), (1, 1));
    assert!(loaded.refused[0].what.contains("`x/y` is already that of"), "{}", loaded.refused[0]);
}

#[test]
fn the_digest_counts_what_belongs_to_the_task_and_nothing_else() {
    let digest = |more: &[(&str, &str)]| read(PLAIN, more).expect("a task").digest;
    let plain = digest(&[]);
    assert_eq!(plain.len(), 64);
    assert_eq!(
        plain,
        digest(&[("notes.txt", "x"), ("policy.json", "{\"strategies\":{\"a\":{\"steps\":[\"b\"]}}}")])
    );
    assert_ne!(plain, digest(&[("tests/more.sh", "x")]));
    assert_ne!(plain, digest(&[("README.md", "x")]));
    assert_eq!(plain, digest(&[(".gitignore", "*.log\n"), ("tests/x.log", "x")]));
}

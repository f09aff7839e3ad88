//! The reference data, where it is at hand: real tasks of Harbor and the probe prototypes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use infranoise_core::{Bytes, Ceiling, MilliCpu, Stated};

use super::super::policy::{Draw, Seen};
use super::super::{Loaded, Root, Selection, load, plan_environment};

#[expect(clippy::disallowed_methods, reason = "a test's own setting, read nowhere else")]
fn reference(part: &str) -> Option<PathBuf> {
    let fallback = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let root = std::env::var("INFRANOISE_REFERENCE").map_or(fallback, PathBuf::from);
    let path = root.join("data").join(part);
    if path.exists() {
        return Some(path);
    }
    println!("SKIPPED: no reference data at {}", path.display());
    None
}

fn all(path: &Path) -> Loaded {
    load(path, &Selection::default()).expect("loads")
}

#[test]
fn harbor_tasks_load_and_their_digests_are_harbors_own() {
    let Some(root) = reference("harbor") else { return };
    let loaded = all(&root.join("tasks"));
    assert_eq!((loaded.tasks.len(), loaded.refused.len()), (6, 0), "{:?}", loaded.refused);
    assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
    let recorded = recorded_digests(&root.join("jobs"));
    for task in &loaded.tasks {
        let folder = task.root.file_name().expect("a name").to_string_lossy().into_owned();
        let digest = format!("sha256:{}", task.digest);
        assert!(recorded.get(&folder).is_some_and(|known| known.contains(&digest)), "{folder}: {digest}");
        assert_eq!(task.id.as_str(), format!("noise/{folder}"));
        let plan = plan_environment(task, Root::StandIn { is_installed: &|_| false }).expect("a plan");
        assert_eq!(plan.workdir, "/app");
    }
}

/// The 89 task specs of Terminal-Bench 2.1, written down in the old form and in the new one, mean the same.
#[test]
fn both_forms_of_terminal_bench_specs_read_alike() {
    let Some(path) = reference("tb21/tb21-tasks.csv") else { return };
    let table = fs::read_to_string(path).expect("a table");
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 89);
    let mut gibibytes = 0;
    for row in rows {
        let [name, cpus, mib, agent, verifier] = row[..5] else { panic!("{row:?}") };
        let gib = mib.parse::<u64>().expect("a number") / 1024;
        let limits =
            format!("[agent]\ntimeout_sec = {agent}\n[verifier]\ntimeout_sec = {verifier}\n[environment]\n");
        let old =
            format!("version = \"1.0\"\n{limits}cpus = {cpus}\nmemory = \"{gib}G\"\nstorage = \"10G\"\n");
        let new = format!(
            "schema_version = \"1.1\"\n{limits}cpus = {cpus}\nmemory_mb = {mib}\nstorage_mb = 10240\ngpus = 0\n\
             allow_internet = true\n"
        );
        let spec =
            |toml: &str| super::read(toml, &[]).unwrap_or_else(|errors| panic!("{name}: {errors:#?}")).spec;
        assert_eq!(spec(&old), spec(&new), "{name}");
        assert_eq!(spec(&new).memory, Stated::Value(Bytes::gib(gib)), "{name}");
        gibibytes += gib;
    }
    assert_eq!(gibibytes, 252, "the sum that the reference states");
}

/// The digests in the lock files of recorded jobs and trials, by folder.
fn recorded_digests(jobs: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut digests: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let inside = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).map(|entries| entries.filter_map(Result::ok).collect());
        entries.unwrap_or_else(|_| Vec::new()).iter().map(fs::DirEntry::path).collect()
    };
    for trial in inside(jobs).iter().flat_map(|job| inside(job)) {
        let Ok(text) = fs::read_to_string(trial.join("lock.json")) else { continue };
        let lock: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let text = |key: &str| lock["task"][key].as_str().unwrap_or_default().to_owned();
        let folder = text("path").rsplit('/').next().unwrap_or_default().to_owned();
        digests.entry(folder).or_default().insert(text("digest"));
    }
    digests
}

#[test]
fn harbor_tasks_that_need_more_are_refused_by_name() {
    let Some(root) = reference("harbor") else { return };
    let loaded = all(&root.join("tasks2"));
    let names: Vec<&str> = loaded.tasks.iter().map(|task| task.id.as_str()).collect();
    assert_eq!(names, ["noise/hello-late"]);
    let refused: Vec<String> = loaded.refused.iter().map(ToString::to_string).collect();
    assert_eq!(refused.len(), 3, "{refused:#?}");
    assert!(
        refused.iter().any(|text| text.contains("hello-hc/task.toml:26:14: a healthcheck")),
        "{refused:#?}"
    );
    assert!(refused.iter().any(|text| text.contains("several steps")), "{refused:#?}");
}

#[test]
fn probe_prototypes_load_with_their_policies() {
    let Some(root) = reference("probes") else { return };
    let loaded = all(&root);
    let refused: Vec<String> = loaded.refused.iter().map(ToString::to_string).collect();
    assert_eq!(loaded.tasks.len(), 10, "{refused:#?}");
    assert_eq!(refused.len(), 2, "{refused:#?}");
    for (name, key) in [("p08-egress", "`server`"), ("p09-latency", "`server`")] {
        assert!(refused.iter().any(|text| text.contains(name) && text.contains(key)), "{name}: {refused:#?}");
    }
    for task in &loaded.tasks {
        let policy = task.policy.as_ref().expect("a policy");
        assert!(!policy.strategies.is_empty());
        let packages = ["python3", "curl", "ca-certificates"];
        let plan = plan_environment(task, Root::StandIn { is_installed: &|name| packages.contains(&name) });
        let plan = plan.unwrap_or_else(|errors| panic!("{errors:#?}"));
        assert_eq!(plan.workdir, "/app");
        let has_files = task.root.join("environment/files").is_dir();
        assert_eq!((plan.copies.len(), plan.warnings.len()), if has_files { (1, 0) } else { (0, 1) });
        let bare = plan_environment(task, Root::StandIn { is_installed: &|_| false }).expect_err("lacking");
        assert!(
            bare[0].to_string().contains("Dockerfile:2: the given root lacks python3, curl"),
            "{}",
            bare[0]
        );
    }
}

#[test]
fn the_prototypes_strategies_keep_their_shares() {
    let Some(root) = reference("probes") else { return };
    let loaded = all(&root);
    let task =
        |name: &str| loaded.tasks.iter().find(|task| task.id.as_str().ends_with(name)).expect("the probe");
    let tight = task("p05-cputight");
    assert_eq!(tight.spec.cpu, Stated::Value(MilliCpu(200)), "cpu_quota is the 1x value");
    let strategy = task("p04-strategy");
    let policy = strategy.policy.as_ref().expect("a policy");
    let seen = Seen {
        memory: Ceiling::At(Bytes::mib(64)),
        memory_spec: Some(Bytes::mib(64)),
        cpu: Ceiling::Uncapped,
        cpu_spec: None,
    };
    let orders: Vec<Vec<&str>> = (0..2_000)
        .map(|seed| policy.order(&Draw::new(&strategy.id, seed), &seen))
        .map(|order| order.into_iter().map(|one| one.name.as_str()).collect())
        .collect();
    let heavy = orders.iter().filter(|order| *order == &["heavy", "lean"]).count();
    let lean = orders.iter().filter(|order| *order == &["lean"]).count();
    assert_eq!(heavy + lean, 2_000);
    assert!((1_330..1_470).contains(&heavy), "{heavy} of 2000 at weight 0.7");
}

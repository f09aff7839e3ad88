//! One task folder.

use std::fs;
use std::path::{Path, PathBuf};

use infranoise_core::{Stated, TaskId, TaskSpec};

use super::digest::task_digest;
use super::manifest::{self, Manifest};
use super::policy::{self, ScriptPolicy};
use super::report::{Place, Report, TaskError, Text};
use super::task::{ImageInfo, Task};
use super::unsupported as un;
use super::variable::Template;

/// What the task file alone says, whatever else is missing or unsupported: for results that name their task.
pub(crate) fn read_spec(root: &Path) -> Option<(TaskSpec, std::collections::BTreeMap<String, String>)> {
    if !root.join("task.toml").is_file() {
        return None;
    }
    let manifest = read_manifest(root, &mut Report::default());
    Some((manifest.spec, manifest.labels))
}

/// Reads a task folder.
///
/// # Errors
/// Everything that is wrong with it or not supported, not only the first.
pub fn read_task(root: &Path) -> Result<Task, Vec<TaskError>> {
    let mut report = Report::default();
    let manifest = read_manifest(root, &mut report);
    let id = identity(root, &manifest, &mut report);
    let instruction = read_instruction(root, &mut report);
    let image = read_image(root, &manifest, &mut report);
    let tests = read_tests(root, &mut report);
    let solution = root.join("solution");
    if root.join("trajectory.json").exists() {
        un::PRIOR_TRAJECTORY.refuse(&mut report, Place::file(root.join("trajectory.json")), "");
    }
    let policy = policy::read(root, &mut report);
    let digest = match task_digest(root) {
        Ok(digest) => digest,
        Err(error) => {
            let place = Place::file(&error.path);
            report.error(place, format!("cannot be read: {}", error.source), "make it readable");
            String::new()
        }
    };
    let (Some(id), true) = (id, report.errors.is_empty()) else { return Err(report.errors) };
    let mut spec = manifest.spec;
    apply_policy(&mut spec, policy.as_ref());
    Ok(Task {
        id,
        root: root.to_owned(),
        spec,
        instruction,
        image,
        workdir: manifest.workdir,
        network: manifest.network,
        users: manifest.users,
        env: with_disk(manifest.env, policy.as_ref()),
        verifier_env: manifest.verifier_env,
        solution_env: manifest.solution_env,
        tests,
        solution: solution.join("solve.sh").is_file().then_some(solution),
        policy,
        digest,
        labels: manifest.labels,
        warnings: report.warnings,
    })
}

/// Where the prototypes look for a disk with a ceiling: here every folder of a trial is one.
const DISK: &str = "/tmp";

fn with_disk(mut env: Vec<(String, Template)>, policy: Option<&ScriptPolicy>) -> Vec<(String, Template)> {
    if policy.is_some_and(|policy| policy.disk) {
        env.push(("DISK".to_owned(), Template::Plain(DISK.to_owned())));
    }
    env
}

/// A script policy may state what Harbor's format has no field for.
fn apply_policy(spec: &mut TaskSpec, policy: Option<&ScriptPolicy>) {
    let Some(policy) = policy else { return };
    if let Some(pids) = policy.pids {
        spec.pids = Stated::Value(pids);
    }
    if let Some(cpu) = policy.cpu {
        spec.cpu = Stated::Value(cpu);
    }
}

fn read_manifest(root: &Path, report: &mut Report) -> Manifest {
    let path = root.join("task.toml");
    match fs::read_to_string(&path) {
        Ok(text) => manifest::read(Text { path: &path, text: &text }, report),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            report.error(
                Place::file(root),
                "has no task.toml, so it is no Harbor task",
                "give a task's folder",
            );
            Manifest::default()
        }
        Err(error) => {
            unreadable(report, &path, &error);
            Manifest::default()
        }
    }
}

fn unreadable(report: &mut Report, path: &Path, error: &std::io::Error) {
    let way_out = match error.kind() {
        std::io::ErrorKind::InvalidData => "save it as UTF-8 text",
        _ => "make it readable",
    };
    report.error(Place::file(path), format!("cannot be read: {error}"), way_out);
}

fn identity(root: &Path, manifest: &Manifest, report: &mut Report) -> Option<TaskId> {
    let folder = folder_name(root);
    let name = manifest.name.clone().unwrap_or(folder);
    match TaskId::try_new(name) {
        Ok(id) => Some(id),
        Err(error) => {
            let way_out = "rename the folder, or state a `name` in `[task]`";
            report.error(Place::file(root.join("task.toml")), error.to_string(), way_out);
            None
        }
    }
}

/// The last part of a path, also for `.` and paths that end in `..`.
pub(super) fn folder_name(root: &Path) -> String {
    let absolute = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
    absolute.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn read_instruction(root: &Path, report: &mut Report) -> String {
    let path = root.join("instruction.md");
    match fs::read_to_string(&path) {
        Ok(text) => {
            let instruction = without_canary(&text);
            if instruction.trim().is_empty() {
                report.warn(Place::file(&path), "the instruction is empty");
            }
            instruction.to_owned()
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            // A task of several steps has its instructions there, and is refused for that already.
            if !root.join("steps").is_dir() {
                report.error(
                    Place::file(root),
                    "has no instruction.md",
                    "write what the agent is asked to do",
                );
            }
            String::new()
        }
        Err(error) => {
            unreadable(report, &path, &error);
            String::new()
        }
    }
}

/// Drops comment lines at the beginning that mark the text for those who train models, and empty lines behind them.
fn without_canary(text: &str) -> &str {
    let mut rest = text;
    loop {
        let line = rest.lines().next().unwrap_or("").trim();
        let comment = line.starts_with('#') || (line.starts_with("<!--") && line.ends_with("-->"));
        if !(comment && line.to_ascii_lowercase().contains("canary")) {
            break;
        }
        rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
    }
    if rest.len() == text.len() { text } else { rest.trim_start_matches(['\n', '\r', ' ', '\t']) }
}

fn read_image(root: &Path, manifest: &Manifest, report: &mut Report) -> ImageInfo {
    let context = root.join("environment");
    for name in ["docker-compose.yaml", "docker-compose.yml", "compose.yaml", "compose.yml"] {
        if context.join(name).exists() {
            un::COMPOSE.refuse(report, Place::file(context.join(name)), "");
        }
    }
    let dockerfile = context.join("Dockerfile");
    if !context.is_dir() && manifest.image.is_none() {
        let what = "has neither a folder environment/ nor a `docker_image`";
        report.error(Place::file(root), what, "add environment/Dockerfile");
    }
    ImageInfo {
        name: manifest.image.clone(),
        dockerfile: dockerfile.is_file().then_some(dockerfile),
        context: context.is_dir().then_some(context),
    }
}

fn read_tests(root: &Path, report: &mut Report) -> PathBuf {
    let tests = root.join("tests");
    let several_steps = root.join("steps").is_dir();
    if tests.join("Dockerfile").exists() {
        un::SEPARATE_VERIFIER.refuse(report, Place::file(tests.join("Dockerfile")), "");
    }
    if tests.join("test.sh").is_file() || several_steps {
        return tests;
    }
    if tests.join("test.bat").is_file() {
        un::WINDOWS.refuse(report, Place::file(tests.join("test.bat")), "");
    } else if tests.is_dir() {
        report.error(Place::file(&tests), "has no test.sh", "add the script that writes the reward");
    } else {
        report.error(Place::file(root), "has no folder tests/", "add tests/test.sh, which writes the reward");
    }
    tests
}

//! What a task's environment means for a sandbox whose root is given.

use std::fs;
use std::path::{Path, PathBuf};

use super::super::contract::DEFAULT_WORKDIR;
use super::super::report::{Place, Report, TaskError, TaskWarning};
use super::super::task::Task;
use super::super::unsupported as un;
use super::apt::read_run;
use super::copy::{self, Sources};
use super::parse::{Instruction, parse};
use super::words::{Known, expand, split};

/// What the sandbox's root is, seen from the task.
#[derive(Clone, Copy)]
pub enum Root<'a> {
    /// It stands in for the image: files are copied into it, and it must already have the packages.
    StandIn {
        /// Whether the root has a package.
        is_installed: &'a dyn Fn(&str) -> bool,
    },
    /// It is the task's own image, unpacked: only the working folder and the variables are still read.
    Image,
}

/// What must be done to the root before a trial.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnvironmentPlan {
    /// The folder that commands start in: absolute.
    pub workdir: String,
    /// Variables of the image; those of the task file go over them.
    pub env: Vec<(String, String)>,
    /// Folders that must exist: absolute, in order.
    pub folders: Vec<String>,
    /// Files and folders to lay over the root, in order; later ones go over earlier ones.
    pub copies: Vec<Copied>,
    /// Where the trial's root differs from what the task asks for, in sentences for the record.
    pub substitutions: Vec<String>,
    /// What a person should know.
    pub warnings: Vec<TaskWarning>,
}

/// A file or folder to lay over the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// On the host. Of a folder, its content is copied.
    pub from: PathBuf,
    /// Inside: absolute.
    pub to: String,
    /// The line of the Dockerfile that says so.
    pub line: u32,
}

/// Interprets a task's image and Dockerfile for a given root.
///
/// # Errors
/// Every instruction that needs a build, and every package that the root lacks.
pub fn plan_environment(task: &Task, root: Root<'_>) -> Result<EnvironmentPlan, Vec<TaskError>> {
    let mut planner = Planner {
        root,
        file: task.image.dockerfile.clone().unwrap_or_default(),
        context: task.image.context.clone().unwrap_or_default(),
        known: Known::new(),
        from: None,
        plan: EnvironmentPlan { workdir: DEFAULT_WORKDIR.to_owned(), ..EnvironmentPlan::default() },
        report: Report::default(),
    };
    if let (Root::StandIn { .. }, Some(image)) = (root, &task.image.name) {
        planner.plan.substitutions.push(format!("the given root stands in for the image {image}"));
    }
    if let Some(dockerfile) = &task.image.dockerfile {
        match fs::read_to_string(dockerfile) {
            Ok(text) => parse(&text).iter().for_each(|instruction| planner.take(instruction)),
            Err(error) => {
                let what = format!("cannot be read: {error}");
                planner.report.error(Place::file(dockerfile), what, "make it readable UTF-8 text");
            }
        }
    }
    let Planner { mut plan, report, .. } = planner;
    if let Some(workdir) = &task.workdir {
        plan.workdir.clone_from(workdir);
        plan.folders.push(workdir.clone());
    }
    plan.warnings = report.warnings;
    if report.errors.is_empty() { Ok(plan) } else { Err(report.errors) }
}

struct Planner<'a> {
    root: Root<'a>,
    file: PathBuf,
    context: PathBuf,
    known: Known,
    from: Option<String>,
    plan: EnvironmentPlan,
    report: Report,
}

impl Planner<'_> {
    fn take(&mut self, instruction: &Instruction) {
        let copies_files = matches!(self.root, Root::StandIn { .. });
        match instruction.keyword.as_str() {
            "FROM" => self.from(instruction),
            "WORKDIR" => self.workdir(instruction),
            "ENV" => self.env(instruction),
            "ARG" => self.arg(instruction),
            "USER" => self.user(instruction),
            "CMD" | "ENTRYPOINT" | "LABEL" | "EXPOSE" | "SHELL" | "VOLUME" | "STOPSIGNAL" | "MAINTAINER"
            | "HEALTHCHECK" => {}
            "RUN" | "COPY" | "ADD" if !copies_files => {}
            "COPY" | "ADD" => self.copy(instruction),
            "RUN" => self.run(instruction),
            other => self.needs_build(instruction, other),
        }
    }

    fn place(&self, instruction: &Instruction) -> Place {
        Place::line(&self.file, instruction.line)
    }

    fn needs_build(&mut self, instruction: &Instruction, detail: &str) {
        let short: String = detail.chars().take(80).collect();
        let place = self.place(instruction);
        un::BUILD.refuse(&mut self.report, place, &format!("`{short}`"));
    }

    fn from(&mut self, instruction: &Instruction) {
        let image = instruction.rest.split_whitespace().find(|word| !word.starts_with("--")).unwrap_or("");
        let image = expand(image, &self.known);
        if self.from.is_some() {
            self.needs_build(instruction, &format!("FROM {image}, a second stage"));
            return;
        }
        if let Root::StandIn { .. } = self.root {
            self.plan.substitutions.push(format!("the given root stands in for the base image {image}"));
        }
        self.from = Some(image);
    }

    fn workdir(&mut self, instruction: &Instruction) {
        let path = expand(instruction.rest.trim_matches(['"', '\'']), &self.known);
        self.plan.workdir = join(&self.plan.workdir, &path);
        self.plan.folders.push(self.plan.workdir.clone());
    }

    fn env(&mut self, instruction: &Instruction) {
        for (name, value) in self.assignments(instruction, true) {
            self.plan.env.retain(|(other, _)| *other != name);
            self.plan.env.push((name.clone(), value.clone()));
            self.known.insert(name, value);
        }
    }

    fn arg(&mut self, instruction: &Instruction) {
        for (name, value) in self.assignments(instruction, false) {
            self.known.entry(name).or_insert(value);
        }
    }

    /// `NAME=value …`; with `legacy`, also the one pair `NAME value`.
    fn assignments(&mut self, instruction: &Instruction, legacy: bool) -> Vec<(String, String)> {
        let Some(words) = split(&instruction.rest) else {
            let what = format!("{} has a quote that is not closed", instruction.keyword);
            self.report.error(self.place(instruction), what, "close it");
            return Vec::new();
        };
        if legacy && words.first().is_some_and(|word| !word.contains('=')) {
            let (name, value) =
                instruction.rest.split_once(char::is_whitespace).unwrap_or((&instruction.rest, ""));
            return vec![(name.to_owned(), expand(value.trim(), &self.known))];
        }
        let pairs = words.iter().map(|word| word.split_once('=').unwrap_or((word, "")));
        pairs.map(|(name, value)| (name.to_owned(), expand(value, &self.known))).collect()
    }

    fn user(&mut self, instruction: &Instruction) {
        let user = expand(&instruction.rest, &self.known);
        let name = user.split(':').next().unwrap_or("");
        if !["root", "0"].contains(&name) {
            let place = self.place(instruction);
            un::USER.refuse(&mut self.report, place, &format!("USER {user}"));
        }
    }

    fn run(&mut self, instruction: &Instruction) {
        if instruction.heredoc || instruction.rest.starts_with('[') {
            return self.needs_build(instruction, &format!("RUN {}", instruction.rest));
        }
        let harmless = match read_run(&instruction.rest) {
            Ok(harmless) => harmless,
            Err(command) => return self.needs_build(instruction, &format!("RUN {command}")),
        };
        let Root::StandIn { is_installed } = self.root else { return };
        let missing: Vec<&str> =
            harmless.packages.iter().map(String::as_str).filter(|package| !is_installed(package)).collect();
        if !missing.is_empty() {
            let what = format!("the given root lacks {}", missing.join(", "));
            let way_out =
                "install it there, give a root that has it, or leave the task out with an exclude pattern";
            self.report.error(self.place(instruction), what, way_out);
        } else if !harmless.packages.is_empty() {
            let list = harmless.packages.join(", ");
            self.plan.substitutions.push(format!("not installed, since the given root has them: {list}"));
        }
        let workdir = self.plan.workdir.clone();
        self.plan.folders.extend(harmless.folders.iter().map(|folder| join(&workdir, folder)));
    }

    fn copy(&mut self, instruction: &Instruction) {
        let words = if instruction.heredoc { None } else { copy_words(&instruction.rest) };
        let Some(mut words) = words.filter(|words| words.len() >= 2) else {
            return self.needs_build(instruction, &format!("{} {}", instruction.keyword, instruction.rest));
        };
        for word in &mut words {
            *word = expand(word, &self.known);
        }
        let archive = |name: &String| {
            let name = name.to_ascii_lowercase();
            [".tar", ".tgz", ".gz", ".xz", ".bz2", ".zst"].iter().any(|end| name.ends_with(end))
        };
        let add = instruction.keyword == "ADD";
        if let Some(word) = words.iter().find(|word| word.contains("://") || (add && archive(word))) {
            return self.needs_build(instruction, &format!("{} {word}", instruction.keyword));
        }
        let target = words.pop().unwrap_or_default();
        let into_folder = target.ends_with('/') || target.ends_with("/.") || target == "." || words.len() > 1;
        let target = join(&self.plan.workdir, &target);
        let into_folder = into_folder || self.plan.folders.contains(&target);
        for source in words {
            match copy::find(&self.context, &source) {
                Sources::Found(paths) => {
                    let into_folder = into_folder || paths.len() > 1;
                    for path in paths {
                        let copies =
                            copy::copies(&self.context, &path, &target, into_folder, instruction.line);
                        self.plan.copies.extend(copies);
                    }
                }
                Sources::Nothing => {
                    let says =
                        format!("`{source}` is not there, so nothing is copied (git keeps no empty folders)");
                    self.report.warn(self.place(instruction), says);
                }
                Sources::Outside => {
                    let what = format!("`{source}` leads out of the folder environment/");
                    self.report.error(self.place(instruction), what, "copy what lies inside it");
                }
            }
        }
        if into_folder {
            self.plan.folders.push(target);
        }
    }
}

/// The sources and the target of a `COPY`; `None` if it has flags that need a build.
fn copy_words(rest: &str) -> Option<Vec<String>> {
    let rest = rest.trim();
    if rest.starts_with('[') {
        return serde_json::from_str(rest).ok();
    }
    let words = split(rest)?;
    let (flags, words): (Vec<String>, Vec<String>) =
        words.into_iter().partition(|word| word.starts_with("--"));
    let harmless = |flag: &String| {
        ["--chown=root", "--chown=root:root", "--chown=0:0", "--link"].contains(&flag.as_str())
    };
    flags.iter().all(harmless).then_some(words)
}

/// An absolute path without `.`, `..` and double slashes.
fn join(folder: &str, path: &str) -> String {
    let whole = Path::new(folder).join(path);
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.to_str().unwrap_or(folder).split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    format!("/{}", parts.join("/"))
}

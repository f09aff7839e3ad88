//! A folder that plays a sandbox without limits: the paths that tasks expect are replaced in their commands.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use infranoise_core::{Ceiling, Reward, Stated};
use infranoise_formats::tasks::policy::{Draw, Seen};
use infranoise_formats::tasks::{Root, Task, plan_environment, read_reward, read_task};
use infranoise_probes::{BundledTask, PROBE_PATH, materialise};
use tempfile::TempDir;

/// The probe as cargo builds it. A file that a test has just written could still be open in a child of another test.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_infranoise-probe");

/// One trial without limits.
pub(crate) struct Bench {
    folder: TempDir,
    pub(crate) task: Task,
}

impl Bench {
    pub(crate) fn new(bundled: &BundledTask) -> Self {
        let folder = TempDir::new().expect("a folder");
        materialise(&[*bundled], &folder.path().join("tasks")).expect("written");
        for name in ["app", "logs/verifier"] {
            fs::create_dir_all(folder.path().join(name)).expect("made");
        }
        let task = read_task(&folder.path().join("tasks").join(bundled.name));
        let task = task.unwrap_or_else(|errors| panic!("{}: {errors:#?}", bundled.name));
        let plan = plan_environment(&task, Root::StandIn { is_installed: &|_| false }).expect("a plan");
        let bench = Self { folder, task };
        for copy in plan.copies {
            for file in fs::read_dir(copy.from).expect("a folder") {
                let file = file.expect("a file");
                let text = bench.replaced(&fs::read_to_string(file.path()).expect("a text"));
                fs::write(bench.inside("app").join(file.file_name()), text).expect("written");
            }
        }
        bench
    }

    fn inside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn replaced(&self, text: &str) -> String {
        let own = |name: &str| self.inside(name).to_string_lossy().into_owned();
        text.replace(PROBE_PATH, PROGRAM)
            .replace("/app/", &format!("{}/", own("app")))
            .replace("/logs/verifier", &own("logs/verifier"))
    }

    /// Carries out a command as a sandbox with nothing in it but a shell and the probe would.
    fn shell(&self, command: &str, variables: &[(String, String)]) -> ExitStatus {
        Command::new("/bin/sh")
            .args(["-c", &self.replaced(command)])
            .current_dir(self.inside("app"))
            .env_clear()
            .env("PATH", "/nonexistent")
            .envs(variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .expect("a shell")
    }

    fn script(&self, path: &Path) -> ExitStatus {
        self.shell(&fs::read_to_string(path).expect("a script"), &[])
    }

    /// The script agent, without its time limit. Whether its last step succeeded.
    pub(crate) fn agent(&self, seed: u64) -> bool {
        let stated = |value| match value {
            Stated::Value(value) => Some(value),
            Stated::NotStated => None,
        };
        let seen = Seen {
            memory: Ceiling::Uncapped,
            memory_spec: stated(self.task.spec.memory),
            cpu: Ceiling::Uncapped,
            cpu_spec: self.task.spec.cpu.or(None),
        };
        let policy = self.task.policy.as_ref().expect("a policy");
        let draw = Draw::new(&self.task.id, seed);
        let variables = policy.variables(&draw, &seen);
        assert!(policy.setup.iter().all(|command| self.shell(command, &variables).success()));
        policy.order(&draw, &seen).into_iter().any(|strategy| {
            strategy
                .steps
                .iter()
                .all(|step| self.shell(&step.command, &variables).success() || step.keep_going)
        })
    }

    pub(crate) fn oracle(&self) {
        let solution = self.task.solution.as_ref().expect("a solution");
        assert!(self.script(&solution.join("solve.sh")).success());
    }

    pub(crate) fn grade(&self) -> Reward {
        self.script(&self.task.tests.join("test.sh"));
        let file = |name: &str| fs::read(self.inside("logs/verifier").join(name)).ok();
        read_reward(file("reward.json").as_deref(), file("reward.txt").as_deref())
    }
}

//! Whole sweeps on Docker and Podman: the same pattern as on the local engine, and every fault in its class.
//!
//! `.ci/stages/45-containers` starts the services, names their sockets, and makes the image that is used here.

#![expect(clippy::disallowed_methods, reason = "whoever starts the services names them in variables")]

use std::env;
use std::process::Command;

use infranoise_core::{Cause, Shown};

use crate::demo::measured_is_designed;
use crate::kill::{size, wait_until};
use crate::program::{Done, POLICY, Place, TASK, TEST, write_task};

/// A service that tests may use: the engine's name, and the variable with the socket's address.
struct Service {
    engine: &'static str,
    variable: &'static str,
    address: String,
}

/// The services that are there; says aloud which are not.
fn services() -> Vec<Service> {
    let known = [("docker", "DOCKER_HOST"), ("podman", "CONTAINER_HOST")];
    let there = known.into_iter().filter_map(|(engine, variable)| {
        let named = format!("INFRANOISE_TEST_{}", engine.to_uppercase());
        let address = env::var(&named).ok().filter(|address| !address.is_empty());
        if address.is_none() {
            println!("SKIPPED: {named} names no service; .ci/stages/45-containers starts one");
        }
        address.map(|address| Service { engine, variable, address })
    });
    there.collect()
}

/// The image that the stage made, with a shell in it.
fn image() -> Option<String> {
    let image = env::var("INFRANOISE_TEST_IMAGE").ok().filter(|image| !image.is_empty());
    if image.is_none() {
        println!("SKIPPED: INFRANOISE_TEST_IMAGE names no image; .ci/stages/45-containers makes one");
    }
    image
}

impl Service {
    fn command(&self, place: &Place, args: &[&str]) -> Command {
        let mut command = place.command(args);
        command.env(self.variable, &self.address);
        command
    }

    fn run(&self, place: &Place, args: &[&str]) -> Done {
        Done(self.command(place, args).output().expect("the program starts"))
    }

    /// The containers of a sweep, running or not.
    fn containers(&self, sweep: &str) -> Vec<String> {
        let filter = format!("label=infranoise.sweep={sweep}");
        let mut command = Command::new(self.engine);
        match self.engine {
            "docker" => command.args(["-H", &self.address]),
            _ => command.args(["--remote", "--url", &self.address]),
        };
        let listed = command.args(["ps", "-aq", "--filter", &filter]).output().expect("the client starts");
        assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
        String::from_utf8_lossy(&listed.stdout).lines().map(str::to_owned).collect()
    }
}

#[test]
fn the_demonstration_has_its_designed_pattern_in_containers() {
    for service in services() {
        let env = [(service.variable, service.address.as_str())];
        measured_is_designed(&["demo", "-e", service.engine, "-k", "1", "--json"], &env);
    }
}

#[test]
fn a_killed_sweep_is_reclaimed_by_its_labels_and_goes_on() {
    for service in services() {
        let place = Place::new();
        let slow = "[strategies.only]\nsteps = ['sleep 0.2; echo 1 > /tmp/answer']\n";
        write_task(&place.path().join("tasks/slow"), TASK, TEST, slow);
        let name = format!("killed-{}", service.engine);
        let mut args =
            vec!["sweep", "-p", "tasks", "-a", "script", "--ceilings", "1x,2x", "-k", "4", "-n", "2"];
        args.extend(["-e", service.engine, "--rootfs", "host", "--name", &name]);
        let sweep = place.path().join("runs").join(&name);
        let journal = sweep.join("journal.jsonl");
        let mut child = service.command(&place, &args).spawn().expect("the program starts");
        assert!(wait_until(|| size(&journal) > 3_000 && !service.containers(&name).is_empty()));
        child.kill().expect("kills");
        child.wait().expect("waits");
        service.run(&place, &["gc"]).ok();
        assert_eq!(service.containers(&name), [""; 0], "{}: no container is left", service.engine);
        service.run(&place, &args).ok();
        assert_eq!(place.records(&sweep).len(), 8, "every trial once");
        assert_eq!(service.containers(&name), [""; 0]);
    }
}

const WITH_IMAGE: &str = "docker_image = ";

/// A task file with an image of its own.
fn task_with(image: &str) -> String {
    TASK.replace("[environment]\n", &format!("[environment]\n{WITH_IMAGE}\"{image}\"\n"))
}

#[test]
fn tasks_choose_their_images_and_a_missing_one_is_named() {
    let Some(image) = image() else { return };
    for service in services() {
        let place = Place::new();
        let tasks = place.path().join("tasks");
        write_task(&tasks.join("has"), &task_with(&image), TEST, POLICY);
        write_task(&tasks.join("lacks"), &task_with("127.0.0.1:9/no/such:1"), TEST, POLICY);
        write_task(&tasks.join("builds"), TASK, TEST, POLICY);
        let dockerfile = format!("FROM {image}\nRUN mkdir /made && echo built > /made/mark\nWORKDIR /made\n");
        std::fs::write(tasks.join("builds/environment/Dockerfile"), dockerfile).expect("writes");
        let built = service.run(&place, &["task", "build", "-p", "tasks", "-e", service.engine, "--json"]);
        assert_eq!(built.code(), 9, "one image is not to be had: {} {}", built.out(), built.err());
        let rows: Vec<serde_json::Value> = serde_json::from_str(&built.out()).expect("JSON");
        let of = |task: &str| rows.iter().find(|row| row["task"] == task).expect("a row");
        assert!(of("has")["digest"].as_str().is_some_and(|digest| digest.contains("@sha256:")), "{rows:?}");
        assert!(of("builds")["workdir"] == "/made", "{rows:?}");
        assert_eq!(of("lacks")["cause"], Cause::ImagePull.to_string(), "{rows:?}");
        let name = format!("images-{}", service.engine);
        let mut args = vec!["sweep", "-p", "tasks", "-a", "oracle", "--ceilings", "2x", "-k", "1"];
        args.extend(["-e", service.engine, "--name", &name]);
        let swept = service.run(&place, &args);
        let records = place.records(&place.path().join("runs").join(&name));
        let of = |task: &str| {
            records.iter().find(|record| record.facts.key.task.as_str() == task).expect("a record")
        };
        for task in ["has", "builds"] {
            assert_eq!(
                Shown::of(of(task)),
                Shown::Pass,
                "{task}: {:?}\n{}",
                of(task).classification,
                swept.err()
            );
            let said = |what: &str| of(task).facts.notes.iter().any(|note| note.contains(what));
            assert!(said("image sha256:") && said("runtime"), "{:?}", of(task).facts.notes);
        }
        assert_eq!(Shown::of(of("lacks")), Shown::NotStarted);
        assert_eq!(of("lacks").classification.cause, Cause::ImagePull);
    }
}

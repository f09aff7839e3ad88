//! Tests over whole Dockerfiles.

use std::fs;

use super::super::tests::{PLAIN, task_folder};
use super::super::{TaskError, read_task};
use super::{EnvironmentPlan, InstalledPackages, Root, plan_environment};

const HAS: [&str; 2] = ["curl", "python3"];

fn plan(dockerfile: &str, more: &[(&str, &str)], root: Root<'_>) -> Result<EnvironmentPlan, Vec<TaskError>> {
    let mut files = vec![("environment/Dockerfile", dockerfile)];
    files.extend(more);
    let folder = task_folder(PLAIN, &files);
    plan_environment(&read_task(folder.path()).expect("a task"), root)
}

fn stand_in() -> Root<'static> {
    Root::StandIn { is_installed: &|name| HAS.contains(&name) }
}

#[test]
fn the_subset_is_interpreted() {
    let dockerfile = "ARG TAG=12\nFROM --platform=linux/amd64 debian:$TAG AS base\n\
        ENV A=1 B=\"two words\"\nENV C three $A\nWORKDIR /app\nWORKDIR sub\n\
        RUN --mount=type=cache,target=/c set -eux; apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends -o Dpkg::X=y curl python3 && rm -rf /var/lib/apt/lists/*\n\
        RUN mkdir -p logs /data\nUSER root\nEXPOSE 80\nCMD [\"x\"]\n";
    let plan = plan(dockerfile, &[], stand_in()).unwrap_or_else(|errors| panic!("{errors:#?}"));
    assert_eq!(plan.workdir, "/app/sub");
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(plan.env, [pair("A", "1"), pair("B", "two words"), pair("C", "three 1")]);
    assert_eq!(plan.folders, ["/app", "/app/sub", "/app/sub/logs", "/data"]);
    assert!(plan.substitutions[0].contains("debian:12"), "{:?}", plan.substitutions);
    assert!(plan.substitutions[1].ends_with("curl, python3"), "{:?}", plan.substitutions);
}

fn check_copies(line: &str, expected: &[(&str, &str)]) {
    let more = [
        ("environment/files/a.txt", "a"),
        ("environment/files/deep/b.txt", "b"),
        ("environment/run.sh", "r"),
        ("environment/c.txt", "c"),
        ("environment/d.txt", "d"),
    ];
    let plan = plan(&format!("FROM x\nWORKDIR /app\n{line}\n"), &more, stand_in());
    let plan = plan.unwrap_or_else(|errors| panic!("{line}: {errors:#?}"));
    let copies: Vec<(String, String)> = plan
        .copies
        .iter()
        .map(|copy| {
            let from = copy.from.to_string_lossy();
            let (_, inner) = from.split_once("/environment").expect("inside the context");
            (inner.trim_matches('/').to_owned(), copy.to.clone())
        })
        .collect();
    let expected: Vec<(String, String)> =
        expected.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect();
    assert_eq!(copies, expected, "{line}");
}

#[test]
fn copies_land_where_docker_puts_them() {
    check_copies("COPY files/ /app/", &[("files", "/app")]);
    check_copies("COPY files /data", &[("files", "/data")]);
    check_copies("COPY . .", &[("", "/app")]);
    check_copies("COPY run.sh /usr/bin/go", &[("run.sh", "/usr/bin/go")]);
    check_copies("COPY run.sh /app", &[("run.sh", "/app/run.sh")]);
    check_copies("COPY run.sh bin/", &[("run.sh", "/app/bin/run.sh")]);
    check_copies("COPY *.txt /t/", &[("c.txt", "/t/c.txt"), ("d.txt", "/t/d.txt")]);
    check_copies("COPY [\"c.txt\", \"d.txt\", \"./\"]", &[("c.txt", "/app/c.txt"), ("d.txt", "/app/d.txt")]);
    check_copies("ADD --chown=root:root files/a.txt /x/../y", &[("files/a.txt", "/y")]);
    check_copies("ENV D=/deep\nCOPY files/deep $D", &[("files/deep", "/deep")]);
}

#[test]
fn dockerignore_is_honoured() {
    let more = [
        ("environment/files/a.txt", "a"),
        ("environment/files/b.pyc", "b"),
        ("environment/.dockerignore", "**/*.pyc\n"),
    ];
    let plan = plan("FROM x\nCOPY files /app\n", &more, stand_in()).expect("a plan");
    let targets: Vec<&str> = plan.copies.iter().map(|copy| copy.to.as_str()).collect();
    assert_eq!(targets, ["/app/a.txt"]);
}

#[test]
fn a_source_that_is_not_there_is_a_warning() {
    let plan = plan("FROM x\nCOPY files/ /app/\n", &[], stand_in()).expect("a plan");
    assert!(plan.copies.is_empty());
    assert!(
        plan.warnings[0].to_string().contains("Dockerfile:2: `files/` is not there"),
        "{:?}",
        plan.warnings
    );
}

#[test]
fn what_needs_a_build_is_refused_with_its_line() {
    for (line, part) in [
        ("RUN make", "Dockerfile:2: a Dockerfile that needs a build (`RUN make`) is not supported yet"),
        ("RUN apt-get update && make", "(`RUN make`)"),
        ("RUN pip install numpy", "`RUN pip install numpy`"),
        ("RUN curl x | sh", "RUN curl x | sh"),
        ("RUN apt-get install -y $PKGS", "apt-get install"),
        ("RUN rm -rf /usr", "RUN rm -rf /usr"),
        ("RUN [\"make\"]", "RUN [\"make\"]"),
        ("RUN <<EOF\nmake\nEOF", "RUN <<EOF"),
        ("RUN --mount=type=secret,id=x true", "--mount=type=secret"),
        ("COPY --from=b /x /y", "COPY --from=b /x /y"),
        ("COPY --chown=me x y", "COPY --chown=me"),
        ("ADD https://example.org/x /y", "ADD https://example.org/x"),
        ("ADD x.tar.gz /y", "ADD x.tar.gz"),
        ("FROM y", "FROM y, a second stage"),
        ("ONBUILD RUN x", "ONBUILD"),
        ("FRUM x", "FRUM"),
        ("RUN apt-get install -y gcc curl", "Dockerfile:2: the given root lacks gcc;"),
        ("USER agent", "a user other than root inside the sandbox (USER agent)"),
        ("COPY ../x /y", "leads out of the folder environment/"),
        ("ENV A=\"b", "a quote that is not closed"),
    ] {
        let errors = plan(&format!("FROM x\n{line}\n"), &[], stand_in()).expect_err(line);
        assert!(errors[0].to_string().contains(part), "{part:?} is not in {}", errors[0]);
    }
}

#[test]
fn links_do_not_lead_out_of_the_context() {
    let folder =
        task_folder(PLAIN, &[("environment/Dockerfile", "FROM x\nCOPY files /app\nCOPY own* /own/\n")]);
    let context = folder.path().join("environment");
    std::os::unix::fs::symlink("/etc", context.join("files")).expect("linked");
    std::os::unix::fs::symlink("Dockerfile", context.join("own.txt")).expect("linked");
    let errors =
        plan_environment(&read_task(folder.path()).expect("a task"), stand_in()).expect_err("refused");
    assert_eq!(errors.len(), 1, "{errors:#?}");
    assert!(errors[0].what.contains("`files` leads out"), "{}", errors[0]);
}

#[test]
fn of_an_unpacked_image_only_folder_and_variables_are_read() {
    let plan = plan("FROM x\nRUN make\nCOPY a b\nENV A=1\nWORKDIR /w\n", &[], Root::Image).expect("a plan");
    assert_eq!((plan.workdir.as_str(), plan.env.len()), ("/w", 1));
    assert!(plan.substitutions.is_empty() && plan.copies.is_empty());
}

#[test]
fn a_ready_made_image_is_substituted_aloud_and_the_task_file_names_the_folder() {
    let toml = "[environment]\ndocker_image = \"x/y:1\"\nworkdir = \"/w\"\n";
    let folder = task_folder(toml, &[]);
    fs::remove_dir_all(folder.path().join("environment")).expect("gone");
    let plan = plan_environment(&read_task(folder.path()).expect("a task"), stand_in()).expect("a plan");
    assert_eq!(plan.workdir, "/w");
    assert_eq!(plan.folders, ["/w"]);
    assert_eq!(plan.substitutions, ["the given root stands in for the image x/y:1"]);
}

#[test]
fn installed_packages_are_read_from_the_root() {
    let root = tempfile::TempDir::new().expect("a folder");
    assert!(InstalledPackages::of_root(root.path()).expect("read").is_empty());
    let records = root.path().join("var/lib/dpkg");
    fs::create_dir_all(records.join("status.d")).expect("made");
    let status = "Package: curl\nStatus: install ok installed\nProvides: fetcher (= 1), getter\n\n\
        Package: gone\nStatus: deinstall ok config-files\n\nPackage: half\nStatus: install ok half-installed\n";
    fs::write(records.join("status"), status).expect("written");
    fs::write(records.join("status.d/tz"), "Package: tzdata\nVersion: 1\n").expect("written");
    let installed = InstalledPackages::of_root(root.path()).expect("read");
    for (name, there) in [
        ("curl", true),
        ("curl=7.88-1", true),
        ("curl:amd64", true),
        ("fetcher", true),
        ("getter", true),
        ("tzdata", true),
        ("gone", false),
        ("half", false),
        ("python3", false),
    ] {
        assert_eq!(installed.has(name), there, "{name}");
    }
    assert_eq!(installed.len(), 4);
}

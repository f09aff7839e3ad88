//! `task.toml`, of every Harbor schema up to 1.4 and of the legacy form.

use std::collections::BTreeMap;

use infranoise_core::{Bytes, MilliCpu, Stated, TaskSpec};
use toml_edit::{Document, Item};

use super::metadata;
use super::report::{Report, Text};
use super::section::Section;
use super::task::{Network, User, Users, Variables};
use super::unsupported as un;
use super::variable::Template;

/// The newest schema that this reader knows.
pub(super) const NEWEST_SCHEMA: (u32, u32) = (1, 4);

/// What `task.toml` says.
#[derive(Debug, Default)]
pub(super) struct Manifest {
    pub(super) name: Option<String>,
    pub(super) spec: TaskSpec,
    pub(super) image: Option<String>,
    pub(super) workdir: Option<String>,
    pub(super) network: Network,
    pub(super) users: Users,
    pub(super) env: Variables,
    pub(super) verifier_env: Variables,
    pub(super) solution_env: Variables,
    pub(super) labels: BTreeMap<String, String>,
}

/// Reads a task file. Errors and warnings go into the report; what could be read is returned all the same.
pub(super) fn read(text: Text<'_>, report: &mut Report) -> Manifest {
    let document = match Document::parse(text.text) {
        Ok(document) => document,
        Err(error) => {
            let what = format!("not TOML: {}", error.message().trim().replace('\n', ", "));
            report.error(text.place(error.span()), what, "correct the line");
            return Manifest::default();
        }
    };
    let mut root = Section::root(text, document.as_table());
    let mut manifest = Manifest::default();
    schema_version(&mut root, report);
    identity(&mut root, &mut manifest, report);
    environment(root.section(report, "environment"), &mut manifest, report);
    agent(root.section(report, "agent"), &mut manifest, report);
    verifier(root.section(report, "verifier"), &mut manifest, report);
    let mut solution = root.section(report, "solution");
    manifest.solution_env = variables(&mut solution, report);
    solution.finish(report);
    metadata::read(root.section(report, "metadata"), &mut manifest, report);
    if root.has("steps") {
        un::MULTI_STEP.refuse(report, root.place("steps"), "");
    }
    root.finish(report);
    manifest
}

/// `schema_version = "1.4"`, or the legacy `version = "1.0"`.
fn schema_version(root: &mut Section<'_>, report: &mut Report) {
    let legacy = root.text(report, "version");
    let Some(version) = root.text(report, "schema_version").or(legacy) else { return };
    let key = if root.has("schema_version") { "schema_version" } else { "version" };
    let parts: Vec<Option<u32>> = version.split('.').map(|part| part.parse().ok()).collect();
    let (newest_major, newest_minor) = NEWEST_SCHEMA;
    match parts.as_slice() {
        [Some(major), ..] if *major > newest_major => {
            let what =
                format!("schema {version} is newer than {newest_major}.{newest_minor}, the last one known");
            report.error(root.place(key), what, "use a newer infranoise");
        }
        [Some(major), Some(minor), ..] if (*major, *minor) > NEWEST_SCHEMA => {
            let says = format!(
                "schema {version} is newer than {newest_major}.{newest_minor}: what it adds is not read"
            );
            report.warn(root.place(key), says);
        }
        [Some(_), ..] => {}
        _ => report.error(
            root.place(key),
            format!("`{version}` is no schema version"),
            "write for example \"1.4\"",
        ),
    }
}

/// What says who the task is, and what is only of interest to Harbor itself.
fn identity(root: &mut Section<'_>, manifest: &mut Manifest, report: &mut Report) {
    for key in ["source", "multi_step_reward_strategy"] {
        root.item(key);
    }
    if root.has("artifacts") {
        report.warn(root.place("artifacts"), "`artifacts` are not collected yet; grading does not need them");
    }
    let mut task = root.section(report, "task");
    manifest.name = task.text(report, "name");
    for key in ["version", "description", "authors", "keywords"] {
        task.item(key);
    }
    task.finish(report);
}

fn agent(mut agent: Section<'_>, manifest: &mut Manifest, report: &mut Report) {
    manifest.spec.agent_limit_ms = milliseconds(&mut agent, report, "timeout_sec");
    manifest.users.agent = user(&mut agent, report);
    phase_network(&mut agent, manifest.network, report);
    agent.finish(report);
}

fn verifier(mut verifier: Section<'_>, manifest: &mut Manifest, report: &mut Report) {
    manifest.spec.verifier_limit_ms = milliseconds(&mut verifier, report, "timeout_sec");
    manifest.users.verifier = user(&mut verifier, report);
    manifest.verifier_env = variables(&mut verifier, report);
    phase_network(&mut verifier, manifest.network, report);
    match verifier.text(report, "environment_mode").as_deref() {
        None | Some("shared") => {}
        Some("separate") => un::SEPARATE_VERIFIER.refuse(report, verifier.place("environment_mode"), ""),
        Some(other) => {
            let what =
                format!("`verifier.environment_mode` is {other:?}, but must be \"shared\" or \"separate\"");
            report.error(verifier.place("environment_mode"), what, "correct the value");
        }
    }
    if verifier.has("environment") {
        un::SEPARATE_VERIFIER.refuse(report, verifier.place("environment"), "");
    }
    if verifier.has("collect") {
        un::COLLECT.refuse(report, verifier.place("collect"), "");
    }
    verifier.finish(report);
}

fn environment(mut environment: Section<'_>, manifest: &mut Manifest, report: &mut Report) {
    let section = &mut environment;
    manifest.spec.start_limit_ms = milliseconds(section, report, "build_timeout_sec");
    manifest.spec.cpu = cpus(section, report);
    manifest.spec.memory = bytes(section, report, "memory_mb", "memory");
    manifest.spec.storage = bytes(section, report, "storage_mb", "storage");
    manifest.image = section.text(report, "docker_image");
    manifest.workdir = section.text(report, "workdir");
    if let Some(workdir) = manifest.workdir.as_deref().filter(|path| !path.starts_with('/')) {
        let what = format!("`environment.workdir` is {workdir:?}, but must be an absolute path");
        report.error(section.place("workdir"), what, "begin it with a slash");
    }
    manifest.env = variables(section, report);
    manifest.network = network(section, report);
    if section.has("skills_dir") {
        report.warn(section.place("skills_dir"), "`environment.skills_dir` is not given to agents yet");
    }
    refuse_hardware(section, report);
    if section.has("healthcheck") {
        un::HEALTHCHECK.refuse(report, section.place("healthcheck"), "");
    }
    let servers = section.item("mcp_servers");
    let none = servers.and_then(Item::as_array).is_some_and(toml_edit::Array::is_empty);
    if servers.is_some() && !none {
        un::MCP.refuse(report, section.place("mcp_servers"), "");
    }
    environment.finish(report);
}

fn refuse_hardware(section: &mut Section<'_>, report: &mut Report) {
    match section.text(report, "os").as_deref() {
        None | Some("linux") => {}
        Some("windows") => un::WINDOWS.refuse(report, section.place("os"), ""),
        Some(other) => {
            let what = format!("`environment.os` is {other:?}, but must be \"linux\" or \"windows\"");
            report.error(section.place("os"), what, "correct the value");
        }
    }
    section.item("gpu_types");
    if section.whole(report, "gpus", 0).is_some_and(|gpus| gpus > 0) {
        un::GPU.refuse(report, section.place("gpus"), "");
    }
    if section.has("tpu") {
        un::TPU.refuse(report, section.place("tpu"), "");
    }
}

fn milliseconds(section: &mut Section<'_>, report: &mut Report, key: &str) -> Stated<u64> {
    match section.positive(report, key) {
        Some(seconds) => Stated::Value((seconds * 1000.0).round().clamp(1.0, 1e15) as u64),
        None => Stated::NotStated,
    }
}

pub(super) fn cpus(section: &mut Section<'_>, report: &mut Report) -> Stated<MilliCpu> {
    let Some(cpus) = section.positive(report, "cpus") else { return Stated::NotStated };
    match MilliCpu::try_from_cpus(cpus) {
        Ok(MilliCpu(0)) => {
            report.error(
                section.place("cpus"),
                format!("`{cpus}` CPUs are less than a thousandth"),
                "give more",
            );
            Stated::NotStated
        }
        Ok(cpu) => Stated::Value(cpu),
        Err(error) => {
            report.error(section.place("cpus"), error.to_string(), "correct the value");
            Stated::NotStated
        }
    }
}

/// `memory_mb = 2048`, or the legacy `memory = "2G"`.
fn bytes(section: &mut Section<'_>, report: &mut Report, key: &str, legacy: &str) -> Stated<Bytes> {
    let legacy_text = section.text(report, legacy);
    if section.has(key) {
        if legacy_text.is_some() {
            let says = format!("`{}` goes before `{}`", section.full(key), section.full(legacy));
            report.warn(section.place(legacy), says);
        }
        let mib = section.whole(report, key, 1);
        return mib.map_or(Stated::NotStated, |mib| Stated::Value(Bytes(mib.saturating_mul(Bytes::MIB))));
    }
    let Some(text) = legacy_text else { return Stated::NotStated };
    match text.parse::<Bytes>() {
        Ok(Bytes(0)) => report.error(section.place(legacy), format!("`{text}` is nothing"), "give more"),
        Ok(bytes) => return Stated::Value(bytes),
        Err(error) => report.error(section.place(legacy), error.to_string(), "correct the value"),
    }
    Stated::NotStated
}

/// `network_mode`, or the legacy `allow_internet`.
fn network(section: &mut Section<'_>, report: &mut Report) -> Network {
    let legacy = section.flag(report, "allow_internet");
    let mode = section.text(report, "network_mode");
    let hosts = section.texts(report, "allowed_hosts");
    match (mode.as_deref(), legacy) {
        (Some("public"), _) | (None, Some(true) | None) if hosts.is_empty() => return Network::Public,
        (Some("no-network"), _) | (None, Some(false)) => return Network::NoNetwork,
        (Some("allowlist" | "public") | None, _) => {
            let key = if mode.is_some() { "network_mode" } else { "allowed_hosts" };
            un::ALLOWLIST.refuse(report, section.place(key), "");
        }
        (Some(other), _) => {
            let what = format!(
                "`environment.network_mode` is {other:?}, but must be \"public\", \"no-network\" or \"allowlist\""
            );
            report.error(section.place("network_mode"), what, "correct the value");
        }
    }
    Network::default()
}

/// The agent and the verifier may repeat what the environment says, no more.
fn phase_network(section: &mut Section<'_>, whole: Network, report: &mut Report) {
    let same = match section.text(report, "network_mode").as_deref() {
        None => true,
        Some("public") => whole == Network::Public,
        Some("no-network") => whole == Network::NoNetwork,
        Some(_) => false,
    };
    if !same {
        un::PHASE_NETWORK.refuse(report, section.place("network_mode"), "");
    }
    if !section.texts(report, "allowed_hosts").is_empty() {
        un::PHASE_NETWORK.refuse(report, section.place("allowed_hosts"), "");
    }
}

fn user(section: &mut Section<'_>, report: &mut Report) -> User {
    let Some(item) = section.item("user") else { return User::Default };
    match (item.as_str(), item.as_integer()) {
        (Some("root" | "0"), _) | (_, Some(0)) => return User::Root,
        (None, None) => {
            let what = format!("`{}` is neither a name nor a number", section.full("user"));
            report.error(section.place("user"), what, "correct the value");
        }
        (name, number) => {
            let user = name.map_or_else(|| number.unwrap_or_default().to_string(), str::to_owned);
            un::USER.refuse(report, section.place("user"), &user);
        }
    }
    User::Default
}

fn variables(section: &mut Section<'_>, report: &mut Report) -> Variables {
    let mut table = section.section(report, "env");
    let mut variables = Variables::new();
    for (name, item) in table.entries() {
        if name.is_empty() || name.contains(['=', '\0']) {
            report.error(table.place(&name), format!("{name:?} cannot name a variable"), "rename it");
        } else if let Some(value) = item.as_str() {
            variables.push((name, Template::parse(value)));
        } else {
            table.text(report, &name);
        }
    }
    variables
}

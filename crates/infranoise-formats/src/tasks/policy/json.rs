//! `policy.json`: the form of the first prototypes, read as it is.
//!
//! `strategies` by name with `weight`, `steps` and one `fallback`; `env`; `pids` and `cpu_quota`, which state the task's 1x values;
//! `scales`, which says what the prototype's sweep varied and has no effect here. `disk_kind`, which wants a
//! folder on a disk with a ceiling in `$DISK`: `ext4` alone. `server` is refused by name.

use infranoise_core::MilliCpu;
use serde_json::{Map, Value};

use super::super::digest::sha256;
use super::super::report::{Place, Report, Text};
use super::super::unsupported as un;
use super::{Choice, ScriptPolicy, Step, Strategy, When};

/// Reads a `policy.json`.
pub(super) fn parse(text: Text<'_>, report: &mut Report) -> Option<ScriptPolicy> {
    let root = match serde_json::from_str::<Value>(text.text) {
        Ok(Value::Object(root)) => root,
        Ok(_) => {
            report.error(Place::file(text.path), "is not a JSON object", "write { \"strategies\": … }");
            return None;
        }
        Err(error) => {
            let column = u32::try_from(error.column()).ok();
            let place = Place { path: text.path.to_owned(), line: u32::try_from(error.line()).ok(), column };
            report.error(place, format!("not JSON: {error}"), "correct the line");
            return None;
        }
    };
    let mut reader = Reader { text, report };
    for key in root.keys() {
        match key.as_str() {
            "scales" | "strategies" | "env" | "pids" | "cpu_quota" => {}
            "server" => un::POLICY_SERVER.refuse(reader.report, reader.text.key(key), ""),
            // The whole of a trial's files lies on such a disk, where it has a storage ceiling.
            "disk_kind" if root[key] == "ext4" => {}
            "disk_kind" => {
                un::POLICY_DISK.refuse(reader.report, reader.text.key(key), &root[key].to_string())
            }
            _ => reader.report.warn(text.key(key), format!("unknown key `{key}`: it has no effect")),
        }
    }
    Some(ScriptPolicy {
        path: text.path.to_owned(),
        sha256: sha256(text.text.as_bytes()),
        choice: Choice::Weighted,
        strategies: reader.strategies(&root),
        setup: Vec::new(),
        env: reader.env(&root),
        disk: root.contains_key("disk_kind"),
        pids: reader.pids(&root),
        cpu: reader.cpu(&root),
    })
}

impl Text<'_> {
    /// The place of a key of a JSON file: the first line that holds it in quotes.
    fn key(&self, key: &str) -> Place {
        self.place(self.text.find(&format!("\"{key}\"")).map(|at| at..at))
    }
}

struct Reader<'a> {
    text: Text<'a>,
    report: &'a mut Report,
}

impl Reader<'_> {
    fn wrong(&mut self, key: &str, wanted: &str) {
        let what = format!("`{key}` must be {wanted}");
        self.report.error(self.text.key(key), what, "correct the value");
    }

    /// A member that is there and not null.
    fn member<'j>(object: &'j Map<String, Value>, key: &str) -> Option<&'j Value> {
        object.get(key).filter(|value| !value.is_null())
    }

    fn strategies(&mut self, root: &Map<String, Value>) -> Vec<Strategy> {
        let Some(table) = Self::member(root, "strategies") else { return Vec::new() };
        let Some(table) = table.as_object() else {
            self.wrong("strategies", "an object by name");
            return Vec::new();
        };
        table.iter().filter_map(|(name, value)| self.strategy(name, value)).collect()
    }

    fn strategy(&mut self, name: &str, value: &Value) -> Option<Strategy> {
        let Some(object) = value.as_object() else {
            self.wrong(name, "an object with `steps`");
            return None;
        };
        for key in object.keys().filter(|key| !["weight", "steps", "fallback"].contains(&key.as_str())) {
            let says = format!("unknown key `{key}` in the strategy `{name}`: it has no effect");
            self.report.warn(self.text.key(key), says);
        }
        let weight = match Self::member(object, "weight").map(Value::as_f64) {
            None => 1.0,
            Some(Some(weight)) if weight >= 0.0 => weight,
            Some(_) => {
                self.wrong("weight", "a number of at least 0");
                return None;
            }
        };
        let commands = Self::member(object, "steps").and_then(Value::as_array);
        let texts = commands.map(|list| list.iter().map(Value::as_str).collect::<Option<Vec<_>>>());
        let Some(Some(texts)) = texts else {
            self.wrong("steps", "a list of commands");
            return None;
        };
        let steps = texts.into_iter().map(|command| Step {
            command: command.to_owned(),
            think_ms: 0,
            keep_going: false,
        });
        let fallback = match Self::member(object, "fallback").map(Value::as_str) {
            None => Vec::new(),
            Some(Some(other)) => vec![other.to_owned()],
            Some(None) => {
                self.wrong("fallback", "the name of a strategy");
                return None;
            }
        };
        let steps = steps.collect();
        Some(Strategy { name: name.to_owned(), weight, when: When::default(), steps, fallback })
    }

    fn env(&mut self, root: &Map<String, Value>) -> Vec<(String, String)> {
        let Some(table) = Self::member(root, "env") else { return Vec::new() };
        let Some(table) = table.as_object() else {
            self.wrong("env", "an object of texts");
            return Vec::new();
        };
        let mut variables = Vec::new();
        for (name, value) in table {
            match value {
                Value::String(text) => variables.push((name.clone(), text.clone())),
                Value::Number(number) => variables.push((name.clone(), number.to_string())),
                _ => self.wrong(name, "a text"),
            }
        }
        variables
    }

    fn pids(&mut self, root: &Map<String, Value>) -> Option<u32> {
        let value = Self::member(root, "pids")?;
        let pids = value.as_u64().and_then(|n| u32::try_from(n).ok()).filter(|&n| n > 0);
        if pids.is_none() {
            self.wrong("pids", "a whole number above 0");
        }
        pids
    }

    fn cpu(&mut self, root: &Map<String, Value>) -> Option<MilliCpu> {
        let value = Self::member(root, "cpu_quota")?;
        let cpu = value.as_f64().and_then(|cpus| MilliCpu::try_from_cpus(cpus).ok()).filter(|cpu| cpu.0 > 0);
        if cpu.is_none() {
            self.wrong("cpu_quota", "a number of CPUs above 0");
        }
        cpu
    }
}

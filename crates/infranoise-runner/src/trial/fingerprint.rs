//! The strategy's fingerprint: what was installed, what was heaviest.

use infranoise_core::{ExecRecord, Phase, Strategy, StrategyCommand};

/// How many of the heaviest commands are kept.
const HEAVIEST: usize = 5;

/// Package managers and the words after which package names follow.
const INSTALLERS: [(&str, &str); 9] = [
    ("apt-get", "install"),
    ("apt", "install"),
    ("apk", "add"),
    ("dnf", "install"),
    ("pip", "install"),
    ("pip3", "install"),
    ("uv", "add"),
    ("npm", "install"),
    ("cargo", "add"),
];

/// The fingerprint of an agent's commands; `named` is its own name for what it did.
pub(super) fn strategy(execs: &[ExecRecord], named: Vec<String>) -> Strategy {
    let commands: Vec<&ExecRecord> = execs.iter().filter(|exec| exec.phase == Phase::Agent).collect();
    let mut packages: Vec<String> = commands.iter().flat_map(|exec| installed(&exec.command)).collect();
    packages.sort();
    packages.dedup();
    let mut heaviest = commands;
    heaviest.sort_by_key(|exec| std::cmp::Reverse(exec.memory_peak_bytes.value().copied()));
    Strategy {
        named,
        packages,
        heaviest: heaviest
            .into_iter()
            .take(HEAVIEST)
            .map(|exec| StrategyCommand {
                command: exec.command.chars().take(120).collect(),
                memory_peak_bytes: exec.memory_peak_bytes.clone(),
                cpu_us: exec.cpu_us.clone(),
                stop: exec.stop.clone(),
            })
            .collect(),
    }
}

/// Packages named in a command line.
fn installed(command: &str) -> Vec<String> {
    let mut packages = Vec::new();
    for part in command.split(['&', '|', ';', '\n']) {
        let words: Vec<&str> = part.split_whitespace().collect();
        let begins = words.windows(2).position(|pair| {
            INSTALLERS.iter().any(|(manager, verb)| pair[0].ends_with(manager) && pair[1] == *verb)
                || (pair[0] == "-y" && pair[1] == "install")
        });
        let Some(begins) = begins else { continue };
        let named =
            words[begins + 2..].iter().filter(|word| !word.starts_with(['-', '$', '/', '.', '"', '\'']));
        packages.extend(named.map(|word| (*word).to_owned()));
    }
    packages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_read_from_command_lines() {
        let cases: [(&str, &[&str]); 5] = [
            ("apt-get update && apt-get install -y --no-install-recommends gcc make", &["gcc", "make"]),
            ("pip install pandas==2.2 networkx; python3 x.py", &["pandas==2.2", "networkx"]),
            ("apt-get -y install curl", &["curl"]),
            ("echo install nothing", &[]),
            ("pip install -r /tmp/requirements.txt", &[]),
        ];
        for (command, expected) in cases {
            assert_eq!(installed(command), expected, "{command}");
        }
    }
}

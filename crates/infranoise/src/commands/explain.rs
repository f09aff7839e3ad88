//! `infranoise explain`: what a rule, an outcome or a scoring rule means.

use infranoise_core::classify::RULES;
use infranoise_core::{ScoringRule, Shown};
use infranoise_formats::results::harbor::provider::{Means, PROVIDERS};

use crate::cli::Explain;
use crate::console;
use crate::error::CommandError;
use crate::exit::Exit;

pub(super) fn run(args: &Explain) -> Result<Exit, CommandError> {
    let entries = entries();
    let Some(wanted) = &args.what else {
        let lines: Vec<String> = entries.iter().map(|(name, says)| format!("{name:24} {says}")).collect();
        console::data(&lines.join("\n"))?;
        return Ok(Exit::Done);
    };
    if wanted == "provider" {
        console::data(&providers().join("\n"))?;
        return Ok(Exit::Done);
    }
    match entries.iter().find(|(name, _)| name == wanted) {
        Some((name, says)) => {
            console::data(&format!("{name}: {says}"))?;
            Ok(Exit::Done)
        }
        None => Err(CommandError::new(Exit::NothingMatched, format!("nothing is called `{wanted}`"))
            .hint("`infranoise explain` lists everything that can be explained")),
    }
}

/// What a mode holds, in two words.
fn means(means: Means) -> &'static str {
    match means {
        Means::Ceiling => "ceiling only",
        Means::Floor => "floor only",
        Means::Both => "floor = ceiling",
        Means::Size => "machine size",
        Means::Watchdog => "watchdog, 95 %",
        Means::Nothing => "nothing",
        Means::Unknown => "not known",
    }
}

/// What a Harbor job's modes really hold, by back end.
fn providers() -> Vec<String> {
    let mut lines = vec![format!(
        "{:44} {:16} {:16} {:16} {:16} {}",
        "back end", "CPU auto", "memory auto", "limit", "request", "kill scope"
    )];
    for provider in PROVIDERS {
        let scope = provider.kill_scope.map_or_else(|| "not known".to_owned(), |scope| scope.to_string());
        lines.push(format!(
            "{:44} {:16} {:16} {:16} {:16} {scope}",
            provider.names.join(", "),
            means(provider.cpu_auto),
            means(provider.memory_auto),
            means(provider.limit),
            means(provider.request),
        ));
        lines.push(format!("    {}: {}", provider.knob, provider.says));
    }
    lines
}

fn entries() -> Vec<(String, String)> {
    let rules = RULES.iter().map(|rule| (rule.id.to_owned(), rule.sentence.to_owned()));
    let outcomes = Shown::ALL.into_iter().map(|shown| (shown.to_string(), outcome(shown).to_owned()));
    let scoring = ScoringRule::ALL.into_iter().map(|rule| (rule.to_string(), rule.sentence().to_owned()));
    rules.chain(outcomes).chain(scoring).collect()
}

fn outcome(shown: Shown) -> &'static str {
    match shown {
        Shown::Pass => "The verifier found the task solved, whatever else befell the trial.",
        Shown::Fail => "Not solved, by the agent's own doing.",
        Shown::Ceiling => "The trial was ended by its own resource ceiling: a property of the arm.",
        Shown::Fault => "The trial was ended by what neither the agent nor its ceiling can have caused.",
        Shown::Undetermined => {
            "Not solved, and whose doing that was cannot be known from what was observed (or it was the task's). It counts as a \
             failure; the bounds move it."
        }
        Shown::NotStarted => {
            "The agent phase was never begun: in coverage and in the bounds, in no error rate. Strict scores count it as a fail."
        }
    }
}

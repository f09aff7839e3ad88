//! `infranoise gap`: is a gap between two leaderboard rows distinguishable from none?

use infranoise_analysis::design::{GapAnswer, GapQuestion, gap};

use crate::cli::{Gap, ScopeOfClaim};
use crate::console;
use crate::error::CommandError;
use crate::exit::Exit;

pub(super) fn run(args: &Gap) -> Result<Exit, CommandError> {
    percent("scores", &[args.first, args.second])?;
    let question = GapQuestion {
        first: args.first / 100.0,
        second: args.second / 100.0,
        tasks: args.tasks,
        first_repeats: args.repeats,
        second_repeats: args.repeats_second.unwrap_or(args.repeats),
        rho: args.rho,
        task_correlation: match args.scope {
            ScopeOfClaim::These => None,
            ScopeOfClaim::New => Some(args.correlation),
        },
        infra: args.infra.assumption(),
    };
    let answer = gap(question).map_err(CommandError::usage)?;
    if args.json {
        console::json(&answer)?;
    } else {
        console::data(&words(args, &answer).join("\n"))?;
    }
    Ok(if answer.distinguishable { Exit::Done } else { Exit::Inconclusive })
}

/// Refuses shares where percent are wanted.
pub(super) fn percent(what: &str, values: &[f64]) -> Result<(), CommandError> {
    if !values.is_empty() && values.iter().all(|value| *value > 0.0 && *value <= 1.0) {
        return Err(CommandError::usage(format!("the {what} look like shares: {values:?}"))
            .hint("write percent, as in 72 for 72 %"));
    }
    Ok(())
}

fn words(args: &Gap, answer: &GapAnswer) -> Vec<String> {
    let points = |share: f64| format!("{:.1}", share * 100.0);
    let scope = match args.scope {
        ScopeOfClaim::These => "these tasks: only the trials' own randomness counts",
        ScopeOfClaim::New => "tasks like these: the tasks are a sample",
    };
    let mut lines = vec![
        answer.says.clone(),
        format!(
            "  gap                    {:+.1} points ({} % against {} %)",
            answer.gap * 100.0,
            args.first,
            args.second
        ),
        format!("  standard error         {} points, rho {}", points(answer.se), args.rho),
        format!(
            "  noise floor            {} points (95 %, largest bias allowed for)",
            points(answer.noise_floor)
        ),
        format!("  the same, random shift {} points", points(answer.noise_floor_random)),
        format!("  infrastructure         {}", answer.question.infra.words()),
        format!("  about                  {scope}"),
        format!(
            "  if both were equal     a gap this large appears with probability {} at most",
            probability(answer.probability_if_equal)
        ),
    ];
    let sensitivity: Vec<String> = answer
        .sensitivity
        .iter()
        .map(|(shift, p)| format!("{} at a shift of {:.0}", probability(*p), shift * 100.0))
        .collect();
    lines.push(format!("  sensitivity            {}", sensitivity.join(", ")));
    lines.push(match answer.repeats_needed {
        Some(k) => format!("  would take             k = {k} in both rows to tell this gap from none"),
        None => "  would take             more than repeats: none is enough under this assumption on infrastructure"
            .to_owned(),
    });
    lines
}

fn probability(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

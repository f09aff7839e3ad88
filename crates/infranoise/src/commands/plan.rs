//! `infranoise plan`: what a design detects, and what it costs, before money is spent.

use infranoise_analysis::design::{DesignAnswer, DesignQuestion, design};

use crate::cli::Plan;
use crate::console;
use crate::error::CommandError;
use crate::exit::Exit;

pub(super) fn run(args: &Plan) -> Result<Exit, CommandError> {
    super::gap::percent("score", &[args.score])?;
    let question = DesignQuestion {
        tasks: args.tasks,
        repeats: args.repeats,
        arms: args.arms,
        score: args.score / 100.0,
        rho: args.rho,
        effect_sd: args.effect_sd / 100.0,
        effect: args.effect / 100.0,
        margin: args.margin / 100.0,
        looks: args.looks,
        minutes_per_trial: args.minutes,
        at_once: args.at_once,
        tokens_per_trial: args.tokens,
        usd_per_million_tokens: args.usd_per_million,
    };
    let answer = design(question).map_err(CommandError::usage)?;
    if args.json {
        console::json(&answer)?;
    } else {
        console::data(&words(args, &answer).join("\n"))?;
    }
    Ok(Exit::Done)
}

fn words(args: &Plan, answer: &DesignAnswer) -> Vec<String> {
    let points = |share: f64| {
        if share >= 1.0 {
            "nothing: too few trials".to_owned()
        } else {
            format!("{:.1} points", share * 100.0)
        }
    };
    let repeats =
        |k: Option<u64>| k.map_or("no number of repeats is enough".to_owned(), |k| format!("k = {k}"));
    let mut lines = vec![
        format!(
            "{} trials: {} tasks x {} arms x {} repeats",
            answer.trials, args.tasks, args.arms, args.repeats
        ),
        format!(
            "cost: {:.0} hours with {} at once, {:.0} M tokens, {:.0} US dollars",
            answer.hours,
            args.at_once,
            answer.tokens / 1e6,
            answer.usd
        ),
        String::new(),
        "a difference between two arms, found with 80 % power at 5 %:".to_owned(),
        format!("  about these tasks      {}", points(answer.detects_these_tasks)),
        format!(
            "  about tasks like these {} (the effect varies between tasks by {} points)",
            points(answer.detects_new_tasks),
            args.effect_sd
        ),
        String::new(),
        format!("to find {} points:", args.effect),
        format!("  about these tasks      {}", repeats(answer.repeats_for_effect)),
        format!("  about tasks like these {}", repeats(answer.repeats_for_effect_new_tasks)),
        format!(
            "  or, at k = {}           {}",
            args.repeats,
            answer
                .tasks_for_effect
                .map_or("no number of tasks is enough".to_owned(), |t| format!("{t} tasks"))
        ),
        String::new(),
        format!("to show that two arms are equivalent within {} points (these tasks):", args.margin),
        format!("  if they are equal                   {}", repeats(answer.repeats_for_margin)),
        format!("  if they differ by a third of it     {}", repeats(answer.repeats_for_margin_at_a_third)),
    ];
    if !answer.looks.is_empty() {
        lines.push(String::new());
        lines.push(
            "looks on the way (stop early if |z| is above; Lan and DeMets, O'Brien and Fleming):".to_owned(),
        );
        lines.extend(answer.looks.iter().map(|look| {
            format!("  after round {:3}   z {:.3}   nominal p {:.2e}", look.rounds, look.z, look.p)
        }));
    }
    lines.push(String::new());
    lines.push(format!(
        "assumed: score {} %, rho {} of the variance between tasks; take both from your own results",
        args.score, args.rho
    ));
    lines
}

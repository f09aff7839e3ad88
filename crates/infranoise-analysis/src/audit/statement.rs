//! The methods paragraph: what can be said of a result, ready to be copied.

use infranoise_core::{Plan, ScoringRule};

use crate::doc::Analysis;

/// Writes it.
pub(super) fn statement(plan: &Plan, analysis: &Analysis) -> String {
    let mut sentences = Vec::new();
    let about = &analysis.about;
    sentences.push(format!(
        "{} was tried on {} tasks with {} repeats in {} configurations ({} trials planned, {} recorded).",
        about.subject,
        about.tasks,
        about.repeats,
        analysis.arms.len(),
        about.planned,
        about.recorded
    ));
    for arm in &analysis.arms {
        let score = arm.score(ScoringRule::Strict).and_then(|row| row.estimate);
        let said = score.map_or_else(String::new, |score| {
            format!(
                "; strict score {:.1} % [{:.1}, {:.1}]",
                score.value * 100.0,
                score.low * 100.0,
                score.high * 100.0
            )
        });
        let kills = match arm.ceiling_kills.estimate {
            None if arm.ceiling_kills.of > 0 => "ceiling kills not observable".to_owned(),
            _ => format!("{} ceiling kills", arm.ceiling_kills.count),
        };
        sentences.push(format!(
            "{}: {}{said}; {kills} and {} faults in {} started trials; coverage {:.1} %.",
            arm.name,
            arm.says,
            arm.faults.count,
            arm.ceiling_kills.of,
            arm.coverage * 100.0
        ));
    }
    if plan.imported.is_none() {
        sentences.push(format!(
            "Configurations were interleaved in blocks of task and repeat, in an order drawn from seed {}; trials were admitted by their floors \
             on {} CPUs and {} of memory (Linux {}, engine {}); network {}.",
            plan.seed, plan.host.cpus, plan.host.memory_bytes, plan.host.kernel, plan.engine, plan.network
        ));
    } else {
        sentences.push("The trials were not run as arms of one experiment; configurations were not interleaved as far as is known.".to_owned());
    }
    sentences.push(
        "Strict scores count every planned trial; intervals are 95 % for tasks like these (Wilson at the effective number of trials); failures \
         were classified from kernel counters where they could be observed."
            .to_owned(),
    );
    sentences.push(format!("Analysed with {}.", analysis.made_by));
    sentences.join(" ")
}

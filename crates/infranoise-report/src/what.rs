//! What a report is, in the same words everywhere.

use infranoise_analysis::Analysis;

use crate::text::number;

/// What is said wherever the bundled demonstration is shown.
pub const STAGED: &str = "Staged demo: a check of the instrument on probes whose truth is designed. The kernel kills are real; the \
                          mix of tasks is composed, so that its scores say nothing about any model or benchmark.";

/// What the numbers are about, in sentences.
#[must_use]
pub fn this_is(analysis: &Analysis) -> Vec<String> {
    let about = &analysis.about;
    if about.imported {
        return vec![
            format!(
                "Imported results: {} on {} in {}, up to {} of each. They were not shuffled against each other as far as is known, so that \
                 the time and the state of the host may differ between arms.",
                about.subject,
                number::plural(about.tasks, "task"),
                number::plural(analysis.arms.len() as u64, "arm"),
                number::plural(u64::from(about.repeats), "repeat"),
            ),
            format!(
                "{} of {} trials have a record.",
                number::count(about.recorded),
                number::count(about.planned)
            ),
        ];
    }
    let mut sentences = vec![format!(
        "A sweep: {} tried {} under {}, {} of each in every arm. The arms of a task and repeat ran in an order drawn from seed {}, so that \
         the time of day and the state of the host hit all arms alike.",
        about.subject,
        number::plural(about.tasks, "task"),
        number::plural(analysis.arms.len() as u64, "arm"),
        number::plural(u64::from(about.repeats), "repeat"),
        about.seed,
    )];
    sentences.push(format!(
        "{} of {} planned trials are recorded. Two scores count as equivalent if they are proved to be within {} points of each other; \
         the margin was fixed before the first trial.",
        number::count(about.recorded),
        number::count(about.planned),
        number::points(about.margin).trim_start_matches('+'),
    ));
    sentences
}

/// The machine, in a sentence.
#[must_use]
pub fn machine(analysis: &Analysis) -> String {
    let host = &analysis.about.host;
    if analysis.about.imported {
        return "not known: the source does not say.".to_owned();
    }
    let model = host.cpu_model.value().map_or("of a kind that could not be read", String::as_str);
    format!(
        "{} ({model}), {} of memory, {} of swap, kernel {}, engine {}, root {}.",
        number::plural(u64::from(host.cpus), "CPU"),
        host.memory_bytes,
        host.swap_bytes,
        host.kernel,
        analysis.about.engine,
        analysis.about.root
    )
}

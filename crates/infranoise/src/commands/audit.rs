//! `infranoise audit`: what a result discloses of what makes it comparable.

use infranoise_analysis::audit::{Disclosed, audit};
use infranoise_analysis::{Effort, analyse};

use crate::cli::Audit;
use crate::console;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::sources;
use crate::sweep::MADE_BY;

pub(super) fn run(args: &Audit) -> Result<Exit, CommandError> {
    let (plan, records) = sources::read(&args.result)?;
    let analysis = analyse(&plan, &records, MADE_BY, Effort { draws: 1 });
    let found = audit(&plan, &records, &analysis);
    if args.json {
        console::json(&found)?;
        return Ok(Exit::Done);
    }
    if args.statement {
        console::data(&found.statement)?;
        return Ok(Exit::Done);
    }
    let width = found.items.iter().map(|item| item.asks.len()).max().unwrap_or(0);
    let mut lines = Vec::new();
    for item in &found.items {
        let mark = match item.disclosed {
            Disclosed::Yes => "yes   ",
            Disclosed::Partly => "partly",
            Disclosed::No => "no    ",
        };
        lines.push(format!("{mark}  {:width$}  {}", item.asks, item.found));
    }
    lines.push(
        format!("\\n{} of {} are disclosed whole. Lines to add:", found.disclosed, found.asked)
            .replace("\\n", "\n"),
    );
    lines.extend(found.items.iter().filter_map(|item| item.add.as_ref()).map(|add| format!("  {add}")));
    console::data(&lines.join("\n"))?;
    Ok(Exit::Done)
}

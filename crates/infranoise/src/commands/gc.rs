//! `infranoise gc`: reclaims what killed processes left.

use crate::cli::Gc;
use crate::console;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::sweep::reclaim_all;

pub(super) fn run(args: &Gc) -> Result<Exit, CommandError> {
    let (reclaimed, strays) = reclaim_all()?;
    if args.json {
        console::json(&serde_json::json!({
            "sandboxes": reclaimed.sandboxes,
            "engines": reclaimed.engines,
            "living_engines": reclaimed.living,
            "strays": strays,
            "left": reclaimed.left,
        }))?;
    } else {
        console::data(&format!(
            "reclaimed {} sandboxes of {} engines that are gone; {} engines live and were left alone",
            reclaimed.sandboxes.len(),
            reclaimed.engines,
            reclaimed.living
        ))?;
        if !strays.is_empty() {
            console::data(&format!(
                "removed the empty control groups of {} sandboxes that no engine knows",
                strays.len()
            ))?;
        }
    }
    console::warnings(&reclaimed.left);
    Ok(if reclaimed.left.is_empty() { Exit::Done } else { Exit::Unexpected })
}

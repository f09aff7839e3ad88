//! One line, for logs and pipes.

use infranoise_core::Shown;
use infranoise_report::text::{clean, number};

use super::head;
use crate::view::View;

/// How a sweep stands, in one line.
#[must_use]
pub fn line(view: &View) -> String {
    let ended: Vec<String> = Shown::ALL
        .into_iter()
        .filter(|shown| view.count(*shown) > 0)
        .map(|shown| format!("{} {shown}", number::count(view.count(shown))))
        .collect();
    let ended = if ended.is_empty() { String::new() } else { format!(" · {}", ended.join(", ")) };
    format!("{} {}: {}{ended}", clean::line(view.plan.sweep.as_str()), view.status.word(), head::words(view))
}

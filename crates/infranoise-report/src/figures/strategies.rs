//! What agents did in each arm, and how it ended.

use std::collections::BTreeMap;

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::{ArmSummary, StrategyRow};
use infranoise_core::Shown;

use super::{Figure, FigureSpec, WIDTH};
use crate::svg::scale::{Bands, Linear};
use crate::svg::{Anchor, Svg, axis, pattern, wrap};
use crate::table::Table;
use crate::text::{number, words};

pub(super) const SPEC: FigureSpec = FigureSpec {
    id: "strategies",
    title: "Strategies by arm",
    question: "Did agents work differently where there was more room?",
    draw,
};

const LEFT: f64 = 170.0;
const ROW: f64 = 40.0;
/// Strategies beyond this, the rarest ones, are only in the table.
const MOST: usize = 12;

fn find<'a>(analysis: &'a Analysis, strategy: &str, arm: &ArmSummary) -> Option<&'a StrategyRow> {
    analysis.strategies.iter().find(|row| row.strategy == strategy && row.arm == arm.name && row.trials > 0)
}

fn name(strategy: &str) -> &str {
    if strategy.is_empty() { "(not named)" } else { strategy }
}

fn draw(analysis: &Analysis) -> Figure {
    let mut totals: BTreeMap<&str, u64> = BTreeMap::new();
    for row in &analysis.strategies {
        *totals.entry(&row.strategy).or_default() += row.trials;
    }
    let mut names: Vec<(&str, u64)> = totals.into_iter().filter(|(_, n)| *n > 0).collect();
    names.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    if names.is_empty() {
        return SPEC.missing(
            "no agent named what it did",
            "Agents that report their strategy, as the script agent does, fill it.",
        );
    }
    let shown = &names[..names.len().min(MOST)];
    let most = analysis.strategies.iter().map(|row| row.trials).max().unwrap_or(1) as f64;
    let bands = Bands::new(analysis.arms.len(), LEFT, WIDTH - 8.0);
    let mut svg = Svg::new(SPEC.id, WIDTH, 66.0 + ROW * shown.len() as f64);
    pattern::define(&mut svg);
    let key = [(Shown::Pass, "passed"), (Shown::Ceiling, "ended by their ceiling"), (Shown::Fail, "other")];
    let mut at = 12.0;
    for (shown, text) in key {
        svg.filled(words::look(shown).class, at, 4.0, 14.0, 12.0);
        svg.text("label", at + 20.0, 14.0, Anchor::Start, text);
        at += 38.0 + wrap::width(text, 12.0);
    }
    axis::arms(&mut svg, &analysis.arms, &bands, 22.0);
    for (i, (strategy, _)) in shown.iter().enumerate() {
        let y = 62.0 + ROW * i as f64;
        svg.text("label", LEFT - 12.0, y + 14.0, Anchor::End, &wrap::fit(name(strategy), 12.0, LEFT - 20.0));
        for (j, arm) in analysis.arms.iter().enumerate() {
            let scale = Linear::new((0.0, most), (0.0, bands.step() - 14.0));
            cell(&mut svg, find(analysis, strategy, arm), strategy, arm, bands.start(j) + 7.0, y, &scale);
        }
    }
    let caption = "Trials by what the agent says it did, in order. The longest bar is the largest number of trials of one strategy in one arm; \
                   beneath each bar stands how many of them passed.";
    SPEC.figure(svg, caption, table(analysis, &names))
}

fn cell(
    svg: &mut Svg,
    row: Option<&StrategyRow>,
    strategy: &str,
    arm: &ArmSummary,
    x: f64,
    y: f64,
    scale: &Linear,
) {
    let Some(row) = row else {
        svg.text("tick", x, y + 14.0, Anchor::Start, "none");
        return;
    };
    let other = row.trials.saturating_sub(row.passed + row.ceiling);
    let title = format!(
        "{} in {}: {} trials, {} passed, {} ended by their ceiling",
        name(strategy),
        arm.name,
        row.trials,
        row.passed,
        row.ceiling
    );
    svg.titled(&title, |svg| {
        let mut from = x;
        for (shown, n) in [(Shown::Pass, row.passed), (Shown::Ceiling, row.ceiling), (Shown::Fail, other)] {
            let width = scale.at(n as f64);
            svg.filled(words::look(shown).class, from, y, width, 14.0);
            from += width;
        }
    });
    svg.text("tick", x, y + 27.0, Anchor::Start, &format!("{} of {}", row.passed, row.trials));
}

fn table(analysis: &Analysis, names: &[(&str, u64)]) -> Table {
    let mut table = Table::new(&["strategy", "arm", ">trials", ">passed", ">ended by their ceiling"]);
    for (strategy, _) in names {
        for row in analysis.arms.iter().filter_map(|arm| find(analysis, strategy, arm)) {
            let counts = [row.trials, row.passed, row.ceiling].map(number::count);
            table.push([name(strategy).to_owned(), row.arm.to_string()].into_iter().chain(counts));
        }
    }
    table
}

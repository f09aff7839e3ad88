//! Which arms can be told apart: a matrix of pairs, and tiers instead of ranks.

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::{ApartRow, ArmSummary, VerdictWord};
use infranoise_core::ScoringRule;

use super::{Figure, FigureSpec, WIDTH};
use crate::svg::scale::Bands;
use crate::svg::{Anchor, Svg, wrap};
use crate::table::Table;
use crate::text::number;

pub(super) const SPEC: FigureSpec = FigureSpec {
    id: "tiers",
    title: "Tiers instead of ranks",
    question: "Which arms can be told apart by their score, and which share a tier?",
    draw,
};

const LEFT: f64 = 250.0;
const TOP: f64 = 40.0;

fn find<'a>(analysis: &'a Analysis, a: &ArmSummary, b: &ArmSummary) -> Option<&'a ApartRow> {
    analysis
        .apart
        .iter()
        .find(|row| (row.base == a.name && row.arm == b.name) || (row.base == b.name && row.arm == a.name))
}

fn is_apart(row: Option<&ApartRow>) -> bool {
    row.is_some_and(|row| row.word == VerdictWord::Different)
}

fn score(arm: &ArmSummary) -> Option<f64> {
    let row = arm.score(ScoringRule::Strict)?;
    row.value.or(row.estimate.map(|e| e.value)).filter(|value| value.is_finite())
}

/// Arms by score, best first, each with its tier: the first that can be told from the head of a tier opens the next.
fn tiers(analysis: &Analysis) -> Vec<(&ArmSummary, f64, usize)> {
    let mut arms: Vec<(&ArmSummary, f64)> =
        analysis.arms.iter().filter_map(|arm| Some((arm, score(arm)?))).collect();
    arms.sort_by(|a, b| b.1.total_cmp(&a.1));
    let (mut tier, mut head) = (1, 0);
    let mut placed = Vec::new();
    for (place, (arm, score)) in arms.iter().enumerate() {
        if arms.get(head).is_some_and(|(first, _)| place > head && is_apart(find(analysis, first, arm))) {
            (tier, head) = (tier + 1, place);
        }
        placed.push((*arm, *score, tier));
    }
    placed
}

fn draw(analysis: &Analysis) -> Figure {
    let arms = tiers(analysis);
    if arms.len() < 2 || analysis.apart.is_empty() {
        return SPEC.missing(
            "there are no two arms with a score",
            "A sweep over several arms, or several results imported as arms, fill it; for a published table there is infranoise leaderboard.",
        );
    }
    let side = (WIDTH - 8.0 - LEFT) / arms.len() as f64;
    let height = side.clamp(22.0, 40.0);
    let bands = Bands::new(arms.len(), LEFT, WIDTH - 8.0);
    let mut svg = Svg::new(SPEC.id, WIDTH, TOP + height * arms.len() as f64 + 8.0);
    svg.text("tick", 12.0, TOP - 12.0, Anchor::Start, "tier");
    svg.text("tick", LEFT - 14.0, TOP - 12.0, Anchor::End, "strict score, %");
    for (j, (arm, _, _)) in arms.iter().enumerate() {
        svg.text(
            "tick",
            bands.centre(j),
            TOP - 12.0,
            Anchor::Middle,
            &wrap::fit(arm.name.as_str(), 11.0, bands.step() - 6.0),
        );
    }
    for (i, (arm, score, tier)) in arms.iter().enumerate() {
        let y = TOP + height * i as f64;
        let middle = y + height / 2.0 + 4.0;
        if i == 0 || arms.get(i - 1).is_some_and(|above| above.2 != *tier) {
            svg.line("rule", (12.0, y - 1.0), (WIDTH - 8.0, y - 1.0));
            svg.text("head", 12.0, middle, Anchor::Start, &tier.to_string());
        }
        svg.text("strong", 44.0, middle, Anchor::Start, &wrap::fit(arm.name.as_str(), 12.0, LEFT - 110.0));
        svg.text("label", LEFT - 14.0, middle, Anchor::End, &number::percent(*score));
        for (j, (other, _, _)) in arms.iter().enumerate() {
            if i != j {
                cell(
                    &mut svg,
                    find(analysis, arm, other),
                    &arm.name,
                    bands.start(j),
                    y,
                    (bands.step(), height),
                );
            }
        }
    }
    let apart = analysis.apart.iter().filter(|row| is_apart(Some(row))).count() as u64;
    let caption = format!(
        "A filled cell (≠) says that the two arms can be told apart on these tasks (p after Holm's correction over all {} below 5 % and an interval without zero): \
         {} can. The number is the row's score minus the column's, in points; = is proved to be within the margin; empty cells can't be told apart. Arms of one tier can't be told from its head.",
        number::plural(analysis.apart.len() as u64, "pair"),
        number::count(apart)
    );
    SPEC.figure(svg, caption, table(analysis))
}

fn cell(
    svg: &mut Svg,
    row: Option<&ApartRow>,
    own: &infranoise_core::ArmId,
    x: f64,
    y: f64,
    size: (f64, f64),
) {
    let Some(row) = row else { return };
    // The row's arm minus the column's.
    let points = row.effect.map(|effect| if &row.arm == own { effect.value } else { -effect.value });
    let (class, ink, sign) = match row.word {
        VerdictWord::Different => ("heat h4", "label on", "≠ "),
        VerdictWord::Equivalent => ("heat h0", "label", "= "),
        VerdictWord::DifferentButNegligible => ("heat h1", "label", "≈ "),
        VerdictWord::CannotTell => ("heat h0", "tick", ""),
    };
    let text = points.map_or("–".to_owned(), |points| format!("{sign}{}", number::points(points)));
    svg.titled(&format!("{} and {}: {}", row.base, row.arm, says(row)), |svg| {
        svg.rect(class, x, y, size.0 - 2.0, size.1 - 2.0);
        svg.text(
            ink,
            x + size.0 / 2.0 - 1.0,
            y + size.1 / 2.0 + 4.0,
            Anchor::Middle,
            &wrap::fit(&text, 12.0, size.0 - 4.0),
        );
    });
}

fn says(row: &ApartRow) -> &'static str {
    match row.word {
        VerdictWord::Different => "different",
        VerdictWord::Equivalent => "equivalent",
        VerdictWord::DifferentButNegligible => "different, but by less than the margin",
        VerdictWord::CannotTell => "can't tell",
    }
}

fn table(analysis: &Analysis) -> Table {
    let mut table =
        Table::new(&["pair", ">points [interval], second minus first", ">p (Holm, all pairs)", "verdict"]);
    for row in &analysis.apart {
        table.push([
            format!("{} and {}", row.base, row.arm),
            row.effect.map_or("no difference at all, or no trial".to_owned(), |effect| {
                number::points_cell(&effect)
            }),
            row.p_holm.filter(|_| row.effect.is_some()).map(number::p_value).unwrap_or_default(),
            says(row).to_owned(),
        ]);
    }
    table
}

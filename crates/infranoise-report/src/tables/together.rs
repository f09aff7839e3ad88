//! What all arms say together: trends, where the variance lies, what the design can see.

use infranoise_analysis::Analysis;

use crate::table::Table;
use crate::text::number;

/// Trends over the arms in their order.
#[must_use]
pub fn trends(analysis: &Analysis) -> Table {
    let mut table = Table::new(&[
        "what",
        ">points per step, tasks like these [interval]",
        ">p",
        ">p of the stratified trend, these tasks",
    ]);
    for trend in &analysis.trends {
        let why = trend.why_not.clone().unwrap_or_else(|| "not computed".to_owned());
        let slope = trend.slope.as_ref();
        table.push([
            trend.what.clone(),
            slope.map_or(why, |slope| number::points_cell(&slope.effect)),
            slope.map(|slope| number::p_value(slope.p)).unwrap_or_default(),
            // A p-value never stands without an effect and its interval.
            slope.and(trend.these_tasks).map(|(_, p)| number::p_value(p)).unwrap_or_default(),
        ]);
    }
    table
}

/// Where the variance lies.
#[must_use]
pub fn components(analysis: &Analysis) -> Table {
    let mut table = Table::new(&["between", ">variance", ">as a standard deviation, points"]);
    let Some(of) = &analysis.components else { return table };
    let rows = [
        ("repeats of one task in one arm", Some(of.seed)),
        ("tasks", Some(of.task)),
        ("arms", of.arm),
        ("tasks, beyond what arms and tasks explain", of.task_by_arm),
        ("rounds (time)", of.round.map(|(variance, _)| variance)),
    ];
    for (name, variance) in rows {
        let deviation = variance.map(|variance| number::fixed(variance.max(0.0).sqrt() * 100.0, 1));
        let variance = variance.map_or("not estimated".to_owned(), |variance| number::fixed(variance, 4));
        table.push([name.to_owned(), variance, deviation.unwrap_or_default()]);
    }
    table
}

/// What the design can see, in points.
#[must_use]
pub fn noise_floor(analysis: &Analysis) -> Table {
    let mut table = Table::new(&["what this design can see", ">points"]);
    let Some(floor) = &analysis.noise_floor else { return table };
    let points = |share: f64| number::fixed(share * 100.0, 1);
    let rows = [
        ("noise floor between results of matched configuration", points(floor.matched)),
        ("noise floor if the other configuration is not known to match", points(floor.unmatched)),
        ("shift that the second allows for", points(floor.infra_shift)),
        ("smallest difference between two arms found with 80 % power", points(floor.detectable)),
    ];
    for (what, value) in rows {
        table.push([what.to_owned(), value]);
    }
    if let Some(repeats) = floor.repeats_for_margin {
        let what = format!(
            "repeats (not points) that proof of equivalence within {} points takes",
            points(analysis.about.margin)
        );
        table.push([what, number::count(repeats)]);
    }
    table
}

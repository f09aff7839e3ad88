//! One task of the figure: its trials as marks, those that would hide each other as one larger mark.

use std::collections::BTreeMap;

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::PeakPoint;
use infranoise_core::{Shown, TaskId};

use crate::svg::scale::Log;
use crate::svg::{Svg, mark, num};
use crate::text::number;

/// A point whose peak and spec are both known.
pub(super) struct Point<'a> {
    pub(super) of: &'a PeakPoint,
    pub(super) multiple: f64,
}

/// One task with its points, highest peak first.
pub(super) type Row<'a> = (&'a TaskId, Vec<Point<'a>>);

/// Every task with a known peak, those that take most of their spec first.
pub(super) fn rows(analysis: &Analysis) -> Vec<Row<'_>> {
    let mut by_task: BTreeMap<&TaskId, Vec<Point>> = BTreeMap::new();
    for of in &analysis.peaks {
        if let (Some(peak), Some(spec)) =
            (of.peak_bytes.filter(|peak| *peak > 0), of.spec_bytes.filter(|spec| *spec > 0))
        {
            by_task.entry(&of.task).or_default().push(Point { of, multiple: peak as f64 / spec as f64 });
        }
    }
    let highest = |row: &Row| row.1.iter().map(|point| point.multiple).fold(0.0, f64::max);
    let mut rows: Vec<Row> = by_task.into_iter().collect();
    rows.sort_by(|a, b| highest(b).total_cmp(&highest(a)).then_with(|| a.0.cmp(b.0)));
    rows
}

/// Trials that would hide each other: one mark for them all, whose area stands for their number.
struct Group<'a> {
    shown: Shown,
    at: f64,
    points: Vec<&'a Point<'a>>,
}

/// Places closer than this, in units of the drawing, are one.
const NEAR: f64 = 9.0;

/// Groups by outcome and place.
fn groups<'a>(row: &'a Row<'a>, x: &Log) -> Vec<Group<'a>> {
    let mut groups: Vec<Group> = Vec::new();
    for shown in Shown::ALL {
        let mut points: Vec<&Point> = row.1.iter().filter(|point| point.of.shown == shown).collect();
        points.sort_by(|a, b| a.multiple.total_cmp(&b.multiple));
        for point in points {
            let place = x.at(point.multiple);
            let near = |group: &&mut Group| group.shown == shown && place - group.at < NEAR;
            match groups.last_mut().filter(near) {
                Some(group) => group.points.push(point),
                None => groups.push(Group { shown, at: place, points: vec![point] }),
            }
        }
    }
    for group in &mut groups {
        let sum: f64 = group.points.iter().map(|point| x.at(point.multiple)).sum();
        group.at = sum / group.points.len() as f64;
    }
    groups
}

/// Draws a task's marks around a height.
pub(super) fn draw_row(svg: &mut Svg, row: &Row<'_>, x: &Log, y: f64, height: f64) {
    let groups = groups(row, x);
    for group in &groups {
        // Outcomes at the same place stand one above the other.
        let beside = groups.iter().filter(|other| (other.at - group.at).abs() < NEAR);
        let (of, nth) = (beside.clone().count(), beside.filter(|other| other.shown < group.shown).count());
        let lane = height / (of as f64).max(2.2);
        let place = y + (nth as f64 - (of as f64 - 1.0) / 2.0) * lane;
        let size = (height / 12.0 * (group.points.len() as f64).sqrt()).min(lane * 0.62).max(1.6);
        svg.titled(&title(row, group), |svg| {
            mark::draw(svg, group.shown, group.at, place, size);
            if group.points.iter().any(|point| point.of.censored) {
                let from = num(group.at + size + 2.0);
                svg.path("l-ceiling hair", &format!("M{from} {}h7m-3 -2.5l3 2.5l-3 2.5", num(place)));
            }
        });
    }
}

fn title(row: &Row<'_>, group: &Group<'_>) -> String {
    let arms: BTreeMap<&str, usize> = group.points.iter().fold(BTreeMap::new(), |mut arms, point| {
        *arms.entry(point.of.arm.as_str()).or_default() += 1;
        arms
    });
    let arms: Vec<String> = arms.into_iter().map(|(arm, n)| format!("{n} in {arm}")).collect();
    let highest = group.points.iter().max_by(|a, b| a.multiple.total_cmp(&b.multiple));
    let peak = highest.map(|point| {
        let at_least = if point.of.censored { "at least " } else { "" };
        format!(
            "{at_least}{} ({})",
            number::multiple(point.multiple),
            number::bytes(point.of.peak_bytes.unwrap_or(0))
        )
    });
    format!("{}, {}: {}; {}", row.0, group.shown, peak.unwrap_or_default(), arms.join(", "))
}

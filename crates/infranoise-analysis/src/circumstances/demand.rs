//! What share of trials wants more memory than a ceiling?

use infranoise_stats::demand::{Peak, kaplan_meier};

use crate::arms::LEVEL;
use crate::doc::DemandPoint;
use crate::points;
use crate::table::Table;

/// The curve over multiples of the spec, from a quarter to the largest that was seen.
pub(crate) fn demand(table: &Table<'_>) -> Vec<DemandPoint> {
    let peaks: Vec<Peak> = points::peaks(table)
        .iter()
        .filter_map(|point| {
            let (peak, spec) = (point.peak_bytes?, point.spec_bytes.filter(|spec| *spec > 0)?);
            // A kill says that the demand is above the ceiling; the counter may stand a page or so beside it.
            let bytes = if point.censored { point.ceiling_bytes.unwrap_or(peak) } else { peak };
            Some(Peak { multiple: bytes as f64 / spec as f64, killed: point.censored })
        })
        .collect();
    let Some(most) = peaks.iter().map(|peak| peak.multiple).reduce(f64::max) else { return Vec::new() };
    let ends = (-2.0_f64, most.clamp(1.0, 64.0).log2());
    let steps = 96;
    let multiples: Vec<f64> = (0..=steps)
        .map(|step| (ends.0 + (ends.1 - ends.0) * f64::from(step) / f64::from(steps)).exp2())
        .collect();
    let Ok(curve) = kaplan_meier(&peaks, &multiples, LEVEL) else { return Vec::new() };
    curve
        .into_iter()
        .map(|point| DemandPoint {
            multiple: point.ceiling,
            exceeds: point.rate,
            interval: point.interval.filter(|(low, high)| low.is_finite() && high.is_finite()),
        })
        .collect()
}

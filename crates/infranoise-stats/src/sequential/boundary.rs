//! Boundaries of planned looks.

use super::super::special::normal;
use crate::check;
use crate::error::Result;
use crate::root::find_root;

/// Boundaries of a group-sequential design.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GroupSequential {
    /// Information at each look, as a share of what is planned (whole rounds done over rounds planned).
    pub information: Vec<f64>,
    /// Critical value of |z| at each look. A look so early that it can spend nothing has an infinite one.
    #[cfg_attr(feature = "serde", serde(with = "crate::number::list"))]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<crate::number::Number>"))]
    pub critical: Vec<f64>,
    /// Two-sided error spent up to each look.
    pub alpha_spent: Vec<f64>,
}

/// The error that a look at `information` may have spent, in the manner of O'Brien and Fleming:
/// 4 (1 - Phi(z_(1 - alpha/4) / sqrt(t))).
///
/// # Errors
/// An alpha outside (0, 1), information outside (0, 1].
pub fn spent_alpha(information: f64, alpha: f64) -> Result<f64> {
    let alpha = check::open_unit("alpha", alpha)?;
    check::unit("information", information)?;
    let information = check::positive("information", information)?;
    Ok(4.0 * normal::sf(-normal::quantile(alpha / 4.0) / information.sqrt()))
}

/// **Default stopping rule.** Critical values of |z| at planned looks (after whole rounds only) for Lan-DeMets
/// spending in the manner of O'Brien and Fleming.
///
/// Each critical value c_k solves P(Z_1 < c_1, ..., Z_(k-1) < c_(k-1), Z_k > c_k) = what side k may spend, by
/// recursive integration of the density of the process below the boundaries. Both sides are bounded alike; that the
/// other side may be crossed first is neglected (below 1e-6 at usual alpha, conservative). The statistic is the
/// paired t, turned into z by its p-value. Five looks at 5 %: 4.877, 3.357, 2.680, 2.290, 2.031.
/// Source: Lan and DeMets 1983; Armitage, McPherson, Rowe 1969; Jennison and Turnbull 2000. Complexity: O(looks *
/// nodes^2), some hundred nodes.
///
/// # Errors
/// No look, information that does not increase or leaves (0, 1], an alpha outside (0, 1).
pub fn gs_bounds(information: &[f64], alpha: f64) -> Result<GroupSequential> {
    check::at_least("looks", 1, information.len())?;
    check::increasing("the looks", information)?;
    let alpha_spent: Vec<f64> = information.iter().map(|&t| spent_alpha(t, alpha)).collect::<Result<_>>()?;
    let mut critical: Vec<f64> = Vec::with_capacity(information.len());
    let mut process = Process::start();
    let (mut time, mut spent) = (0.0, 0.0);
    for (&look, &total) in information.iter().zip(&alpha_spent) {
        let sd = (look - time).sqrt();
        let spend = 0.5 * (total - spent);
        let boundary = process.boundary(sd, look, spend);
        critical.push(boundary / look.sqrt());
        process = process.advance(sd, look, boundary);
        (time, spent) = (look, total);
    }
    Ok(GroupSequential { information: information.to_vec(), critical, alpha_spent })
}

/// The process (a Brownian motion) at one look, among paths that crossed no boundary: points with their mass.
struct Process {
    points: Vec<f64>,
    masses: Vec<f64>,
}

/// The process is followed this many standard deviations down.
const DEPTH: f64 = 9.0;

impl Process {
    fn start() -> Self {
        Self { points: vec![0.0], masses: vec![1.0] }
    }

    /// Probability of being above `level` after a step with standard deviation `sd`.
    fn above(&self, level: f64, sd: f64) -> f64 {
        self.points
            .iter()
            .zip(&self.masses)
            .map(|(point, mass)| mass * normal::sf((level - point) / sd))
            .sum()
    }

    /// The level that is exceeded after the step with probability `spend`; infinite if that is too little to compute.
    fn boundary(&self, sd: f64, look: f64, spend: f64) -> f64 {
        if self.points.len() == 1 {
            return -sd * normal::quantile(spend);
        }
        let highest = 40.0 * look.sqrt();
        find_root(|level| self.above(level, sd) - spend, -highest, highest).unwrap_or(f64::INFINITY)
    }

    /// The process after the step, below `boundary`: Gauss-Legendre panels no wider than the step itself.
    fn advance(&self, sd: f64, look: f64, boundary: f64) -> Self {
        let low = -DEPTH * look.sqrt();
        let high = boundary.min(DEPTH * look.sqrt());
        let panels = ((high - low) / sd).ceil().max(8.0);
        let half = (high - low) / panels / 2.0;
        let mut next = Self { points: Vec::new(), masses: Vec::new() };
        for panel in 0..panels as usize {
            let centre = low + (2 * panel + 1) as f64 * half;
            for (node, weight) in NODES.into_iter().flat_map(|(x, w)| [(-x, w), (x, w)]) {
                let point = centre + node * half;
                next.points.push(point);
                next.masses.push(weight * half * self.density(point, sd));
            }
        }
        next
    }

    fn density(&self, at: f64, sd: f64) -> f64 {
        self.points
            .iter()
            .zip(&self.masses)
            .map(|(point, mass)| mass * normal::pdf((at - point) / sd))
            .sum::<f64>()
            / sd
    }
}

/// Positive nodes and weights of the Gauss-Legendre rule with ten points.
const NODES: [(f64, f64); 5] = [
    (0.148_874_338_981_631_22, 0.295_524_224_714_752_87),
    (0.433_395_394_129_247_2, 0.269_266_719_309_996_35),
    (0.679_409_568_299_024_4, 0.219_086_362_515_982_04),
    (0.865_063_366_688_984_5, 0.149_451_349_150_580_6),
    (0.973_906_528_517_171_7, 0.066_671_344_308_688_14),
];

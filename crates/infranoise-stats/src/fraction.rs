//! Numbers that are fractions of whole numbers, as rates of few trials are.

/// The smallest number up to `largest` that makes whole numbers of all values; `None` if there is none.
pub(crate) fn common_denominator(values: &[f64], largest: u32) -> Option<f64> {
    let whole = |scale: f64| {
        values.iter().all(|value| {
            let scaled = value * scale;
            (scaled - scaled.round()).abs() < 1e-9 * scale
        })
    };
    (1..=largest).map(f64::from).find(|&scale| whole(scale))
}

#[cfg(test)]
mod tests {
    use super::common_denominator;

    #[test]
    fn denominators() {
        let check = |values: &[f64], expect| assert_eq!(common_denominator(values, 1_000), expect);
        check(&[], Some(1.0));
        check(&[0.0, 1.0, -3.0], Some(1.0));
        check(&[0.2, 0.6, 0.8 - 0.6], Some(5.0));
        check(&[1.0 / 3.0, 0.25], Some(12.0));
        check(&[1.0 / 997.0], Some(997.0));
        check(&[std::f64::consts::PI, 0.5], None);
    }
}

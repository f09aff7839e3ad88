//! The one-sample t test that the task-wise methods share.

use crate::check;
use crate::error::{Result, StatError};
use crate::estimate::{Estimate, TestResult};
use crate::method::Method;
use crate::moments::{is_zero, mean, standard_error};
use crate::special::student;

/// Tests whether the mean of one value per task is zero.
pub(crate) fn t_test(values: &[f64], n: u64, level: f64, method: Method) -> Result<TestResult> {
    check::open_unit("level", level)?;
    check::at_least("tasks", 2, values.len())?;
    check::all_finite("value", values)?;
    let centre = mean(values);
    let se = standard_error(values, centre);
    if is_zero(se, values) {
        return Err(StatError::NoSpread { what: "the task values", value: centre });
    }
    let df = (values.len() - 1) as f64;
    let half = student::quantile(0.5 + level / 2.0, df) * se;
    let t = centre / se;
    let effect = Estimate {
        value: centre,
        low: centre - half,
        high: centre + half,
        level,
        method,
        n,
        clusters: values.len() as u64,
    };
    Ok(TestResult {
        effect,
        se,
        statistic: t,
        df: Some(df),
        p: student::two_sided(t, df),
        p_greater: student::sf(t, df),
        p_less: student::cdf(t, df),
        method,
    })
}

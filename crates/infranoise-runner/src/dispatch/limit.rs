//! When to give up because of the infrastructure.

use std::str::FromStr;

use infranoise_core::TrialRecord;

use super::unplanned;

/// `20%/50`: more than 20 % infrastructure errors that nobody planned (faults, trials that did not start) among at least 50 trials.
/// Ceiling kills do not count: in a sweep over ceilings they are what is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InfraLimit {
    /// The share above which a sweep is stopped, 0 to 1.
    pub share: f64,
    /// Trials before anything is concluded.
    pub after: u64,
}

/// Why a text is no limit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is not a limit on infra errors; write for example `20%/50`: stop above 20 % after 50 trials"
)]
pub struct BadLimit {
    /// What was given.
    pub text: String,
}

impl FromStr for InfraLimit {
    type Err = BadLimit;

    fn from_str(text: &str) -> Result<Self, BadLimit> {
        let bad = || BadLimit { text: text.to_owned() };
        let (share, after) = text.split_once('/').ok_or_else(bad)?;
        let percent: f64 =
            share.trim().strip_suffix('%').and_then(|number| number.trim().parse().ok()).ok_or_else(bad)?;
        let after = after.trim().parse().map_err(|_| bad())?;
        if !(0.0..100.0).contains(&percent) || after == 0 {
            return Err(bad());
        }
        Ok(Self { share: percent / 100.0, after })
    }
}

/// Counts trials of this process against the limit.
pub(super) struct Counter {
    limit: Option<InfraLimit>,
    trials: u64,
    errors: u64,
}

impl Counter {
    pub(super) fn new(limit: Option<InfraLimit>) -> Self {
        Self { limit, trials: 0, errors: 0 }
    }

    pub(super) fn count(&mut self, record: &TrialRecord) {
        self.trials += 1;
        self.errors += u64::from(unplanned(record));
    }

    /// The rate and the limit in words, once it is exceeded.
    pub(super) fn exceeded(&self) -> Option<String> {
        let limit = self.limit.filter(|limit| self.trials >= limit.after)?;
        let share = self.errors as f64 / self.trials as f64;
        (share > limit.share).then(|| {
            format!(
                "{} of {} trials ended in a fault or did not start ({:.0} %, limit {:.0} %)",
                self.errors,
                self.trials,
                share * 100.0,
                limit.share * 100.0
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_as_people_write_them() {
        assert_eq!("20%/50".parse(), Ok(InfraLimit { share: 0.2, after: 50 }));
        for bad in ["20/50", "20%", "120%/5", "20%/0", "-1%/5", "x%/5", ""] {
            assert!(bad.parse::<InfraLimit>().is_err(), "{bad}");
        }
    }
}

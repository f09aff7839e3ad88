//! Groups without a process whose engine noted them in a state folder that is gone: nobody else will ever remove them.

use std::thread::sleep;
use std::time::Duration;

use super::group::pids;
use super::place::Cgroups;
use super::trial;

/// Longer than an engine needs between making a trial's groups and putting a process into them.
const SECOND_LOOK: Duration = Duration::from_secs(2);

impl Cgroups {
    /// Removes the groups of trials that hold no process, now and at a second look, and of which `known(sweep, sandbox)` is false; then
    /// every sweep that has no trial. Takes no time where there are none. Gives sweep and sandbox of each that is gone.
    pub fn remove_strays(&self, known: impl Fn(&str, &str) -> bool) -> Vec<(String, String)> {
        let empty = |(sweep, sandbox): &(String, String)| {
            let trial = self.trial_group(sweep, sandbox);
            trial.own_dirs().all(|dir| pids(dir).is_ok_and(|found| found.is_empty()) || !dir.exists())
        };
        let mut strays: Vec<_> = self
            .trials()
            .into_iter()
            .filter(|(sweep, sandbox)| !known(sweep, sandbox))
            .filter(empty)
            .collect();
        if !strays.is_empty() {
            sleep(SECOND_LOOK);
            strays.retain(|stray| {
                empty(stray) && trial::destroy(&self.trial_group(&stray.0, &stray.1)).is_ok()
            });
        }
        self.remove_empty_sweeps();
        strays
    }
}

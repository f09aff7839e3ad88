//! Writes the pages of the hand-made documents into a folder, to look at them in a browser.
#![expect(clippy::unwrap_used, reason = "a tool for developers: it may stop at the first error")]

#[path = "../tests/it/fixture/mod.rs"]
mod fixture;

use std::path::PathBuf;

fn main() {
    let folder = PathBuf::from(std::env::args_os().nth(1).unwrap());
    let documents = [
        ("six_arms", fixture::six_arms()),
        ("one_arm", fixture::one_arm()),
        ("no_trials", fixture::no_trials()),
        ("arm_not_started", fixture::arm_not_started()),
        ("not_observable", fixture::not_observable()),
        ("hostile", fixture::hostile()),
        ("strange", fixture::strange()),
        ("large", fixture::world(89, 6, 10)),
    ];
    for (name, analysis) in documents {
        std::fs::write(folder.join(format!("{name}.html")), infranoise_report::html(&analysis)).unwrap();
    }
}

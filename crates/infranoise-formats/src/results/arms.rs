//! Names of arms: folders of one configuration are repeats of one arm, others are arms of their own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A folder of trials with one configuration.
pub(in crate::results) struct Configured<'c> {
    pub(in crate::results) path: &'c Path,
    pub(in crate::results) name: &'c str,
    /// Everything that makes it another experiment; empty where nothing is known.
    pub(in crate::results) fingerprint: &'c str,
}

/// One label for each folder, in the same order. `whole` says of a folder above whether all in it is one submission.
pub(in crate::results) fn labels(folders: &[Configured<'_>], whole: impl Fn(&Path) -> bool) -> Vec<String> {
    let mut groups: BTreeMap<&Path, Vec<usize>> = BTreeMap::new();
    for (place, folder) in folders.iter().enumerate() {
        groups.entry(folder.path.parent().unwrap_or(folder.path)).or_default().push(place);
    }
    let mut labels = vec![String::new(); folders.len()];
    for (above, places) in groups {
        let group_name = above.file_name().unwrap_or_default().to_string_lossy();
        let one = whole(above);
        let kinds: BTreeSet<&str> = places
            .iter()
            .map(|place| folders[*place].fingerprint)
            .filter(|print| !print.is_empty())
            .collect();
        // What is not known may be the one kind that is.
        let kind = |place: &usize| match (folders[*place].fingerprint, kinds.first()) {
            ("", Some(only)) if kinds.len() == 1 => *only,
            (print, _) => print,
        };
        for place in &places {
            let twins: Vec<&str> = places
                .iter()
                .filter(|other| one || kind(other) == kind(place))
                .map(|other| folders[*other].name)
                .collect();
            labels[*place] = match twins.as_slice() {
                [only] => (*only).to_owned(),
                _ if one || kinds.len() <= 1 => group_name.clone().into_owned(),
                [first, others @ ..] => format!("{first}+{}", others.len()),
                [] => folders[*place].name.to_owned(),
            };
        }
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(folders: &[(&str, &str)], whole: bool, expected: &[&str]) {
        let folders: Vec<Configured<'_>> = folders
            .iter()
            .map(|(path, fingerprint)| Configured {
                path: Path::new(path),
                name: path.rsplit('/').next().unwrap_or(path),
                fingerprint,
            })
            .collect();
        assert_eq!(labels(&folders, |_| whole), expected);
    }

    #[test]
    fn folders_of_one_configuration_are_one_arm() {
        check(&[("jobs/1x", "a"), ("jobs/3x", "b")], false, &["1x", "3x"]);
        check(&[("sub/one", "a"), ("sub/two", "a")], false, &["sub", "sub"]);
        check(&[("jobs/one", "a"), ("jobs/two", "a"), ("jobs/3x", "b")], false, &["one+1", "one+1", "3x"]);
        check(&[("sub/one", "a"), ("sub/two", "b")], true, &["sub", "sub"]);
        check(&[("jobs/one", "a")], false, &["one"]);
        check(&[("sub/one", "a"), ("sub/two", "")], false, &["sub", "sub"]);
        check(&[("sub/one", "a"), ("sub/two", "b"), ("sub/three", "")], false, &["one", "two", "three"]);
    }
}

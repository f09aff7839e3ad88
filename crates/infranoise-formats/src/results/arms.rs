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

/// What makes an arm: the folder above, and a configuration in it.
type Kind<'c> = (&'c Path, &'c str);

/// One label for each folder, in the same order; no two arms get the same. `whole` says of a folder above whether all in it is one
/// submission.
pub(in crate::results) fn labels(folders: &[Configured<'_>], whole: impl Fn(&Path) -> bool) -> Vec<String> {
    let mut groups: BTreeMap<&Path, Vec<usize>> = BTreeMap::new();
    for (place, folder) in folders.iter().enumerate() {
        groups.entry(folder.path.parent().unwrap_or(folder.path)).or_default().push(place);
    }
    let mut kinds: Vec<Kind<'_>> = folders.iter().map(|folder| (folder.path, folder.fingerprint)).collect();
    let mut labels = vec![String::new(); folders.len()];
    for (above, places) in groups {
        let prints: BTreeSet<&str> = places
            .iter()
            .map(|place| folders[*place].fingerprint)
            .filter(|print| !print.is_empty())
            .collect();
        let one = whole(above) || prints.len() <= 1;
        for place in &places {
            // What is not known may be the one kind that is.
            kinds[*place] = (above, if one { "" } else { folders[*place].fingerprint });
        }
        for place in &places {
            let twins: Vec<&str> = places
                .iter()
                .filter(|other| kinds[**other] == kinds[*place])
                .map(|other| folders[*other].name)
                .collect();
            labels[*place] = match twins.as_slice() {
                [first, others @ ..] if !others.is_empty() && !one => format!("{first}+{}", others.len()),
                [_, others @ ..] if !others.is_empty() => name(above),
                _ => folders[*place].name.to_owned(),
            };
        }
    }
    told_apart(labels, &kinds)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Arms of one label get the names of the folders above them, as many as it takes.
fn told_apart(mut labels: Vec<String>, kinds: &[Kind<'_>]) -> Vec<String> {
    const DEEPEST: usize = 16;
    for depth in 0..DEEPEST {
        let mut by_label: BTreeMap<&str, BTreeSet<&Kind<'_>>> = BTreeMap::new();
        for (label, kind) in labels.iter().zip(kinds) {
            by_label.entry(label).or_default().insert(kind);
        }
        let shared: Vec<bool> = labels.iter().map(|label| by_label[label.as_str()].len() > 1).collect();
        if !shared.contains(&true) {
            break;
        }
        for ((label, (above, _)), _) in
            labels.iter_mut().zip(kinds).zip(&shared).filter(|(_, shared)| **shared)
        {
            match above.ancestors().nth(depth).map(name).filter(|name| !name.is_empty()) {
                // A label that is the folder's own name needs the next one.
                Some(name) if depth == 0 && *label == name => {}
                Some(name) => *label = format!("{name}.{label}"),
                None => {}
            }
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
        check(&[("a/one", "x"), ("b/one", "x"), ("c/two", "x")], false, &["a.one", "b.one", "two"]);
        check(&[("x/a/one", ""), ("y/a/one", "")], false, &["x.a.one", "y.a.one"]);
        check(
            &[("x/a/1", "p"), ("x/a/2", "p"), ("y/a/1", "p"), ("y/a/2", "p")],
            false,
            &["x.a", "x.a", "y.a", "y.a"],
        );
    }
}

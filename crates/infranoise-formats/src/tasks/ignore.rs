//! Ignore files, in the small: `.gitignore` and `.dockerignore` of one folder.

use globset::{GlobBuilder, GlobMatcher};

/// How patterns without a slash are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// A name without a slash matches at any depth.
    Git,
    /// Every pattern starts at the top.
    Docker,
}

struct Pattern {
    matcher: GlobMatcher,
    keeps: bool,
    folders_only: bool,
}

/// The patterns of an ignore file; the last one that matches decides.
pub(super) struct IgnoreList(Vec<Pattern>);

impl IgnoreList {
    /// Reads the patterns; lines that are no patterns are skipped, as git does.
    pub(super) fn parse(text: &str, dialect: Dialect) -> Self {
        Self(text.lines().filter_map(|line| Pattern::parse(line, dialect)).collect())
    }

    /// Whether a file, named relative to the folder, is ignored: it or a folder above it.
    pub(super) fn ignores(&self, path: &str) -> bool {
        let mut ignored = false;
        for pattern in &self.0 {
            if pattern.hits(path) {
                ignored = !pattern.keeps;
            }
        }
        ignored
    }
}

impl Pattern {
    fn parse(line: &str, dialect: Dialect) -> Option<Self> {
        let line = line.trim_end();
        if line.is_empty() || line.starts_with('#') {
            return None;
        }
        let (keeps, line) = line.strip_prefix('!').map_or((false, line), |rest| (true, rest));
        let (folders_only, line) = line.strip_suffix('/').map_or((false, line), |rest| (true, rest));
        let anchored = dialect == Dialect::Docker || line.contains('/');
        let line = line.trim_start_matches("./").trim_start_matches('/');
        let glob = if anchored { line.to_owned() } else { format!("**/{line}") };
        let matcher = GlobBuilder::new(&glob).literal_separator(true).build().ok()?.compile_matcher();
        Some(Self { matcher, keeps, folders_only: folders_only && dialect == Dialect::Git })
    }

    fn hits(&self, path: &str) -> bool {
        let above = path.match_indices('/').map(|(at, _)| &path[..at]);
        above.into_iter().any(|folder| self.matcher.is_match(folder))
            || (!self.folders_only && self.matcher.is_match(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(dialect: Dialect, patterns: &str, path: &str, ignored: bool) {
        let list = IgnoreList::parse(patterns, dialect);
        assert_eq!(list.ignores(path), ignored, "{path} under {patterns:?}");
    }

    #[test]
    fn git_patterns() {
        for (patterns, path, ignored) in [
            ("*.pyc", "a/b/c.pyc", true),
            ("*.pyc", "a/b/c.py", false),
            ("build/", "build/x", true),
            ("build/", "a/build/x", true),
            ("build/", "build", false),
            ("/build", "a/build", false),
            ("a/*.txt", "a/x.txt", true),
            ("a/*.txt", "b/a/x.txt", false),
            ("*.log\n!keep.log", "keep.log", false),
            ("# comment\n\n", "# comment", false),
        ] {
            check(Dialect::Git, patterns, path, ignored);
        }
    }

    #[test]
    fn docker_patterns_start_at_the_top() {
        for (patterns, path, ignored) in [
            ("*.md", "a.md", true),
            ("*.md", "b/a.md", false),
            ("**/*.md", "b/a.md", true),
            ("secret", "secret/key", true),
            ("*\n!files", "files/x", false),
        ] {
            check(Dialect::Docker, patterns, path, ignored);
        }
    }
}

//! `COPY` and `ADD` of local files.

use std::fs;
use std::path::{Component, Path, PathBuf};

use globset::GlobBuilder;

use super::super::ignore::{Dialect, IgnoreList};
use super::plan::Copied;

/// What a source of a `COPY` stands for.
pub(super) enum Sources {
    /// These files and folders of the context.
    Found(Vec<PathBuf>),
    /// Nothing is there.
    Nothing,
    /// It leads out of the context.
    Outside,
}

/// Finds a source, which may hold wildcards.
pub(super) fn find(context: &Path, source: &str) -> Sources {
    let source = source.trim_start_matches('/').trim_start_matches("./").trim_end_matches('/');
    let source = if source.is_empty() || source == "." { "" } else { source };
    if Path::new(source).components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir)) {
        return Sources::Outside;
    }
    if !source.contains(['*', '?', '[']) {
        let path = context.join(source);
        return match path.symlink_metadata() {
            Err(_) => Sources::Nothing,
            Ok(_) if leads_out(context, &path) => Sources::Outside,
            Ok(_) => Sources::Found(vec![path]),
        };
    }
    let Ok(glob) = GlobBuilder::new(source).literal_separator(true).build() else { return Sources::Nothing };
    let matcher = glob.compile_matcher();
    let depth = source.split('/').count();
    let mut found: Vec<PathBuf> = below(context, depth)
        .into_iter()
        .filter(|path| path.strip_prefix(context).is_ok_and(|inner| matcher.is_match(inner)))
        .collect();
    found.sort_unstable();
    match found.iter().any(|path| leads_out(context, path)) {
        true => Sources::Outside,
        false if found.is_empty() => Sources::Nothing,
        false => Sources::Found(found),
    }
}

/// Whether links make a path end outside the context: a task must not bring the host's files in.
fn leads_out(context: &Path, path: &Path) -> bool {
    match (fs::canonicalize(context), fs::canonicalize(path)) {
        (Ok(context), Ok(path)) => !path.starts_with(context),
        // A link that ends nowhere is copied as a link.
        (Ok(_), Err(_)) => false,
        (Err(_), _) => true,
    }
}

/// Everything down to a depth.
fn below(folder: &Path, depth: usize) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut found = Vec::new();
    for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
        if depth > 1 && path.is_dir() {
            found.extend(below(&path, depth - 1));
        }
        found.push(path);
    }
    found
}

/// The copies of one source: a folder's content goes into the target, a file gets its name there if the target is a folder.
pub(super) fn copies(
    context: &Path,
    source: &Path,
    target: &str,
    into_folder: bool,
    line: u32,
) -> Vec<Copied> {
    let target = target.trim_end_matches('/');
    if !source.is_dir() {
        let name = source.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let to = if into_folder { format!("{target}/{name}") } else { target.to_owned() };
        return vec![Copied { from: source.to_owned(), to, line }];
    }
    let to = if target.is_empty() { "/".to_owned() } else { target.to_owned() };
    match fs::read_to_string(context.join(".dockerignore")) {
        Err(_) => vec![Copied { from: source.to_owned(), to, line }],
        Ok(text) => {
            let ignore = IgnoreList::parse(&text, Dialect::Docker);
            let mut copies = Vec::new();
            kept(context, source, target, &ignore, line, &mut copies);
            copies
        }
    }
}

/// File by file, without what `.dockerignore` names.
fn kept(context: &Path, folder: &Path, to: &str, ignore: &IgnoreList, line: u32, copies: &mut Vec<Copied>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    paths.sort_unstable();
    for path in paths {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let inner = path.strip_prefix(context).unwrap_or(&path).to_string_lossy().into_owned();
        let target = format!("{to}/{name}");
        if path.is_dir() && !path.is_symlink() {
            kept(context, &path, &target, ignore, line, copies);
        } else if !ignore.ignores(&inner) {
            copies.push(Copied { from: path, to: target, line });
        }
    }
}

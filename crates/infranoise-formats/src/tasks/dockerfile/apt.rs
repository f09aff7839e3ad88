//! `RUN` lines that only install packages, and what a Debian root has installed.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use super::words::split;

/// What a `RUN` line that needs no build asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Harmless {
    /// Packages that must be there.
    pub(super) packages: Vec<String>,
    /// Folders that must be there.
    pub(super) folders: Vec<String>,
}

/// Reads a `RUN` line. `Err` holds the first command that needs a build.
pub(super) fn read_run(line: &str) -> Result<Harmless, String> {
    let mut harmless = Harmless::default();
    let mut line = line.trim();
    while let Some((flag, rest)) = line.split_once(char::is_whitespace).filter(|(f, _)| f.starts_with("--")) {
        if !flag.starts_with("--mount=type=cache") {
            return Err(flag.to_owned());
        }
        line = rest.trim_start();
    }
    let foreign = ['|', '>', '<', '`', '(', ')', '{', '}', '&', '[', '\n'];
    for command in line.split("&&").flat_map(|part| part.split(';')) {
        let command = command.trim();
        let words = split(command).ok_or_else(|| command.to_owned())?;
        if command.contains(foreign) || !simple(&words, &mut harmless) {
            return Err(command.to_owned());
        }
    }
    Ok(harmless)
}

/// Whether a command only installs packages, tidies up after that or makes a folder.
fn simple(words: &[String], harmless: &mut Harmless) -> bool {
    let assignment = |word: &str| {
        word.split_once('=')
            .is_some_and(|(name, _)| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
    };
    let words: Vec<&str> = words.iter().map(String::as_str).skip_while(|word| assignment(word)).collect();
    match words.as_slice() {
        [] | ["true" | ":"] => true,
        ["set", options @ ..] => options.iter().all(|option| option.starts_with('-')),
        ["apt-get" | "apt", rest @ ..] => apt_get(rest, harmless),
        ["rm", rest @ ..] => rest.iter().all(|word| word.starts_with('-') || is_leftover(word)),
        ["mkdir", rest @ ..] => {
            let folders: Vec<&&str> = rest.iter().filter(|word| !word.starts_with('-')).collect();
            let known = rest.iter().all(|word| !word.starts_with('-') || ["-p", "--parents"].contains(word));
            harmless.folders.extend(folders.iter().map(|&&folder| folder.to_owned()));
            known && !folders.is_empty() && folders.iter().all(|folder| !folder.contains(['$', '*', '?']))
        }
        _ => false,
    }
}

fn is_leftover(path: &str) -> bool {
    ["/var/lib/apt/lists", "/var/cache/apt", "/tmp/", "/var/tmp/"].iter().any(|start| path.starts_with(start))
        && !path.contains("..")
}

fn apt_get(words: &[&str], harmless: &mut Harmless) -> bool {
    let mut plain = Vec::new();
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        match word {
            "-o" | "-t" | "-c" | "--option" | "--target-release" | "--default-release" => {
                words.next();
            }
            option if option.starts_with('-') => {}
            other => plain.push(other),
        }
    }
    match plain.as_slice() {
        ["update" | "clean" | "autoclean" | "autoremove"] => true,
        ["install", packages @ ..] => {
            harmless.packages.extend(packages.iter().map(|&package| package.to_owned()));
            packages.iter().all(|package| package.chars().all(|c| c.is_ascii_graphic() && !"$*/".contains(c)))
        }
        _ => false,
    }
}

/// The packages that a Debian root has installed, by its own records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InstalledPackages(BTreeSet<String>);

impl InstalledPackages {
    /// Reads the package records of a root folder (`/` for the host); a root without such records has none.
    ///
    /// # Errors
    /// If the records exist and cannot be read.
    pub fn of_root(root: &Path) -> io::Result<Self> {
        let records = root.join("var/lib/dpkg");
        let mut installed = Self::default();
        match fs::read(records.join("status")) {
            Ok(bytes) => installed.add(&String::from_utf8_lossy(&bytes), false),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        // Images without dpkg itself keep one file per package.
        if let Ok(entries) = fs::read_dir(records.join("status.d")) {
            for entry in entries {
                installed.add(&String::from_utf8_lossy(&fs::read(entry?.path())?), true);
            }
        }
        Ok(installed)
    }

    fn add(&mut self, text: &str, without_status: bool) {
        for paragraph in text.split("\n\n") {
            let field = |name: &str| {
                let mut lines = paragraph.lines();
                lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(':').map(str::trim))
            };
            let there = field("Status").map_or(without_status, |status| status.ends_with(" installed"));
            if !there {
                continue;
            }
            self.0.extend(field("Package").map(str::to_owned));
            let provided = field("Provides").into_iter().flat_map(|list| list.split(','));
            self.0.extend(provided.filter_map(|one| one.split_whitespace().next()).map(str::to_owned));
        }
    }

    /// Whether a package is installed, or something that provides it. A version (`name=1.2`) or architecture (`name:amd64`) is not
    /// looked at.
    #[must_use]
    pub fn has(&self, package: &str) -> bool {
        let name = package.split(['=', ':']).next().unwrap_or(package);
        self.0.contains(name)
    }

    /// How many packages are known, with those that they provide.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether none is known: the root is no Debian root.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

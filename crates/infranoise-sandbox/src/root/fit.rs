//! Whether something can be a root at all, asked before the first trial: a root without a shell starts nothing.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use crate::contract::RootSource;

/// Where every command line begins.
const SHELLS: [&str; 2] = ["bin/sh", "usr/bin/sh"];

/// Why something cannot be a root.
#[derive(Debug, thiserror::Error)]
pub enum UnfitRoot {
    /// It cannot be read, or is no tar file.
    #[error("the root `{path}` cannot be read: {source}")]
    Unreadable {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Nothing could be carried out in it.
    #[error("the root `{path}` holds no /bin/sh")]
    NoShell {
        /// The folder or file.
        path: PathBuf,
    },
}

/// Looks whether a root can be read and holds a shell.
///
/// # Errors
/// If it cannot be one.
pub fn fit_root(source: &RootSource) -> Result<(), UnfitRoot> {
    let (path, found) = match source {
        // What is in an image is seen when it is there.
        RootSource::HostUserland | RootSource::Image(_) | RootSource::Build(_) => return Ok(()),
        RootSource::Folder(path) => (path, in_folder(path)),
        RootSource::Tar(path) => (path, in_tar(path)),
    };
    match found {
        Ok(true) => Ok(()),
        Ok(false) => Err(UnfitRoot::NoShell { path: path.clone() }),
        Err(source) => Err(UnfitRoot::Unreadable { path: path.clone(), source }),
    }
}

/// A link counts, wherever it leads: from inside it leads elsewhere than from here.
fn in_folder(folder: &Path) -> io::Result<bool> {
    fs::read_dir(folder)?;
    Ok(SHELLS.iter().any(|shell| folder.join(shell).symlink_metadata().is_ok()))
}

fn in_tar(file: &Path) -> io::Result<bool> {
    let mut archive = tar::Archive::new(BufReader::new(File::open(file)?));
    for entry in archive.entries_with_seek()? {
        let path = entry?.path()?.into_owned();
        if SHELLS.iter().any(|shell| path.strip_prefix(".").unwrap_or(&path) == Path::new(shell)) {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tar(names: &[&str]) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        for name in names {
            let mut header = tar::Header::new_gnu();
            header.set_size(2000);
            header.set_mode(0o755);
            header.set_cksum();
            builder.append_data(&mut header, name, io::repeat(b'x').take(2000)).expect("append");
        }
        builder.into_inner().expect("finish")
    }

    use std::io::Read as _;

    #[test]
    fn roots_without_a_shell_and_files_that_are_no_tar_are_refused() {
        let place = tempfile::tempdir().expect("a folder");
        let file = |name: &str, content: &[u8]| {
            let path = place.path().join(name);
            fs::write(&path, content).expect("write");
            RootSource::Tar(path)
        };
        let folder = |name: &str, shell: Option<&str>| {
            let path = place.path().join(name);
            fs::create_dir_all(path.join("bin")).expect("a folder");
            if let Some(target) = shell {
                std::os::unix::fs::symlink(target, path.join("bin/sh")).expect("a link");
            }
            RootSource::Folder(path)
        };
        let cases = [
            (RootSource::HostUserland, None),
            (folder("empty", None), Some("holds no /bin/sh")),
            (folder("good", Some("/bin/busybox-that-is-inside")), None),
            (RootSource::Folder(place.path().join("nowhere")), Some("cannot be read")),
            (file("garbage", &[7; 4096]), Some("cannot be read")),
            (file("nothing", b""), Some("holds no /bin/sh")),
            (file("other.tar", &tar(&["etc/passwd", "bin/true"])), Some("holds no /bin/sh")),
            (file("good.tar", &tar(&["etc/passwd", "usr/bin/sh"])), None),
        ];
        for (source, expected) in cases {
            match (fit_root(&source), expected) {
                (Ok(()), None) => {}
                (Err(error), Some(part)) if error.to_string().contains(part) => {}
                (got, expected) => panic!("{source:?}: {got:?}, expected {expected:?}"),
            }
        }
    }
}

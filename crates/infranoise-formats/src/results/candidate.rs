//! A path that may hold results, looked at once for all importers.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::read::{Folder, Keys, first_member_keys, read_all, top_keys};

/// Larger documents are not looked into to find out what they are.
const LARGEST: u64 = 256 << 20;

/// A file or a folder, with the keys of the documents in it.
pub(in crate::results) struct Candidate {
    path: PathBuf,
    folder: Option<Folder>,
    keys: RefCell<HashMap<OsString, Option<Keys>>>,
}

impl Candidate {
    /// Looks at a path.
    pub(in crate::results) fn new(path: &Path) -> std::io::Result<Self> {
        let folder = if path.is_dir() { Some(Folder::list(path)?) } else { None };
        Ok(Self { path: path.to_owned(), folder, keys: RefCell::default() })
    }

    pub(in crate::results) fn path(&self) -> &Path {
        &self.path
    }

    /// What is in it, if it is a folder.
    pub(in crate::results) fn folder(&self) -> Option<&Folder> {
        self.folder.as_ref()
    }

    /// Its name.
    pub(in crate::results) fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Whether it is a file with this ending.
    pub(in crate::results) fn is_file_named(&self, ending: &str) -> bool {
        self.folder.is_none() && self.name().ends_with(ending)
    }

    /// Whether the file itself is a document with all of these keys.
    pub(in crate::results) fn has_keys(&self, wanted: &[&str]) -> bool {
        self.folder.is_none() && self.look(&self.path, wanted)
    }

    /// Whether a file in the folder is a document with all of these keys.
    pub(in crate::results) fn holds(&self, name: &str, wanted: &[&str]) -> bool {
        let Some(folder) = &self.folder else { return false };
        folder.has(name) && self.look(&self.path.join(name), wanted)
    }

    /// Whether one of the first folders in the folder holds such a document.
    pub(in crate::results) fn child_holds(&self, name: &str, wanted: &[&str]) -> bool {
        let Some(folder) = &self.folder else { return false };
        folder.folders.iter().take(50).any(|child| self.look(&child.join(name), wanted))
    }

    /// Whether one of the first folders in the folder has a folder that holds such a document.
    pub(in crate::results) fn grandchild_holds(&self, name: &str, wanted: &[&str]) -> bool {
        let Some(folder) = &self.folder else { return false };
        folder.folders.iter().take(5).any(|child| {
            let inner = Folder::list(child).unwrap_or_default().folders;
            inner.iter().take(5).any(|grandchild| self.look(&grandchild.join(name), wanted))
        })
    }

    /// Whether one of the first folders in the folder has a file of this name.
    pub(in crate::results) fn child_has(&self, name: &str) -> bool {
        let Some(folder) = &self.folder else { return false };
        folder.folders.iter().take(50).any(|child| child.join(name).is_file())
    }

    /// Whether one of the first folders of the first folders in the folder has a file of this name.
    pub(in crate::results) fn grandchild_has(&self, name: &str) -> bool {
        let Some(folder) = &self.folder else { return false };
        folder.folders.iter().take(5).any(|child| {
            let inner = Folder::list(child).unwrap_or_default().folders;
            inner.iter().take(50).any(|grandchild| grandchild.join(name).is_file())
        })
    }

    /// Whether the file is a list or an object whose first member is an object with all of these keys.
    pub(in crate::results) fn first_member_has(&self, wanted: &[&str]) -> bool {
        if self.folder.is_some() {
            return false;
        }
        read_all(&self.path, LARGEST)
            .ok()
            .and_then(|bytes| first_member_keys(&bytes))
            .is_some_and(|keys| keys.all(wanted))
    }

    fn look(&self, path: &Path, wanted: &[&str]) -> bool {
        if let Some(known) = self.keys.borrow().get(path.as_os_str()) {
            return known.as_ref().is_some_and(|keys| keys.all(wanted));
        }
        let keys = read_all(path, LARGEST).ok().and_then(|bytes| top_keys(&bytes));
        let found = keys.as_ref().is_some_and(|keys| keys.all(wanted));
        self.keys.borrow_mut().insert(path.as_os_str().to_owned(), keys);
        found
    }
}

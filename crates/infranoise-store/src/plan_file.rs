//! `plan.json`: written once, hashed, never changed.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use infranoise_core::{PLAN_VERSION, Plan};
use sha2::{Digest, Sha256};

use crate::StoreError;

/// A plan as it lies on the disk.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanFile {
    /// The plan.
    pub plan: Plan,
    /// SHA-256 of the file's bytes, in hexadecimal.
    pub sha256: String,
}

/// The version alone, so that a newer file gets its own error.
#[derive(serde::Deserialize)]
struct VersionOnly {
    version: infranoise_core::PlanVersion,
}

impl PlanFile {
    /// The file's name inside a sweep's folder.
    pub const NAME: &str = "plan.json";

    /// Writes a plan: to a temporary name first, so that a crash leaves a whole file or none.
    ///
    /// # Errors
    /// If the file exists or cannot be written.
    pub fn write(folder: &Path, plan: &Plan) -> Result<Self, StoreError> {
        let path = folder.join(Self::NAME);
        if path.exists() {
            let exists = std::io::Error::from(std::io::ErrorKind::AlreadyExists);
            return Err(StoreError::Io { doing: "create", path, source: exists });
        }
        let mut bytes = serde_json::to_vec_pretty(plan)
            .map_err(|error| StoreError::Malformed { path: path.clone(), why: error.to_string() })?;
        bytes.push(b'\n');
        write_whole(&path, &bytes)?;
        Ok(Self { plan: plan.clone(), sha256: sha256_hex(&bytes) })
    }

    /// Reads a plan.
    ///
    /// # Errors
    /// If it is missing, malformed or of a newer version.
    pub fn read(folder: &Path) -> Result<Self, StoreError> {
        let path = folder.join(Self::NAME);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(StoreError::NoSweep { path: folder.to_owned() });
            }
            Err(error) => return Err(StoreError::io("read", &path)(error)),
        };
        let malformed =
            |error: serde_json::Error| StoreError::Malformed { path: path.clone(), why: error.to_string() };
        let VersionOnly { version } = serde_json::from_slice(&bytes).map_err(malformed)?;
        if version > PLAN_VERSION {
            return Err(StoreError::TooNew { path, found: version.0, known: PLAN_VERSION.0 });
        }
        let plan = serde_json::from_slice(&bytes).map_err(malformed)?;
        Ok(Self { plan, sha256: sha256_hex(&bytes) })
    }
}

/// SHA-256 in hexadecimal.
fn sha256_hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Writes a whole file or nothing: temporary name, sync, rename, sync of the folder.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let mut temporary: PathBuf = path.to_owned();
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".new-{}", std::process::id()));
    temporary.set_file_name(name);
    let written = (|| {
        let mut file = fs::File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)?;
        if let Some(folder) = path.parent() {
            fs::File::open(folder)?.sync_all()?;
        }
        Ok(())
    })();
    written.map_err(|error| {
        let _ = fs::remove_file(&temporary);
        StoreError::io("write", path)(error)
    })
}

//! A minimal /etc for the host's userland: who there is, how names resolve, where libraries lie.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::host::set_mode;
use super::{RootError, at};

/// Written by us: nothing of the host's users or names.
const GENERATED: [(&str, &str); 10] = [
    (
        "passwd",
        "root:x:0:0:root:/root:/bin/sh\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n\
         www-data:x:33:33:www-data:/var/www:/usr/sbin/nologin\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
    ),
    ("group", "root:x:0:\ndaemon:x:1:\ntty:x:5:\nwww-data:x:33:\nusers:x:100:\nnogroup:x:65534:\n"),
    ("shadow", "root:*::0:99999:7:::\nnobody:*::0:99999:7:::\n"),
    ("hosts", "127.0.0.1 localhost\n::1 localhost\n"),
    ("host.conf", "multi on\n"),
    (
        "nsswitch.conf",
        "passwd: files\ngroup: files\nshadow: files\nhosts: files dns\nservices: files\nprotocols: files\n",
    ),
    ("resolv.conf", ""),
    ("shells", "/bin/sh\n/bin/bash\n"),
    ("hostname", "localhost\n"),
    ("profile", "export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n"),
];

/// Taken from the host, where it has them: how programs find libraries, certificates, time zones and their own settings. No entry may
/// hold a secret; `private` folders are left out wherever they are.
const COPIED: [&str; 24] = [
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "alternatives",
    "ssl",
    "ca-certificates.conf",
    "pki/tls/certs",
    "pki/ca-trust/extracted",
    "crypto-policies",
    "localtime",
    "timezone",
    "os-release",
    "debian_version",
    "debian_version.d",
    "services",
    "protocols",
    "mime.types",
    "magic",
    "inputrc",
    "terminfo",
    "gai.conf",
    "bash.bashrc",
    "skel",
    "login.defs",
];

/// The same for folders whose names carry a version, by their beginning.
const COPIED_BY_PREFIX: [&str; 3] = ["java-", "python3", "perl"];

/// Fills an empty /etc.
pub(super) fn fill(etc: &Path) -> Result<(), RootError> {
    for (name, text) in GENERATED {
        let path = etc.join(name);
        fs::write(&path, text).map_err(at("write", &path))?;
        set_mode(&path, if name == "shadow" { 0o640 } else { 0o644 })?;
    }
    let host = Path::new("/etc");
    for name in COPIED {
        copy(&host.join(name), &etc.join(name)).map_err(at("copy", &host.join(name)))?;
    }
    let entries = fs::read_dir(host).map_err(at("read", host))?;
    for entry in entries.flatten() {
        let name = entry.file_name();
        let shown = name.to_string_lossy();
        if COPIED_BY_PREFIX.iter().any(|prefix| shown.starts_with(prefix)) {
            copy(&entry.path(), &etc.join(&name)).map_err(at("copy", &entry.path()))?;
        }
    }
    Ok(())
}

/// Copies a file, a link or a folder; what is not there, is secret, is a manual page, or is neither of these, is left out.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let Ok(metadata) = fs::symlink_metadata(from) else { return Ok(()) };
    if from.file_name().is_some_and(|name| name == "private")
        || from.extension().is_some_and(|end| end == "gz")
    {
        return Ok(());
    }
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent)?;
    }
    if metadata.is_symlink() {
        return symlink(fs::read_link(from)?, to);
    }
    if metadata.is_dir() {
        fs::create_dir_all(to)?;
        return fs::read_dir(from)?
            .flatten()
            .try_for_each(|entry| copy(&entry.path(), &to.join(entry.file_name())));
    }
    if metadata.is_file() {
        // Also copies the mode; what only root may read on the host stays out of the sandbox, whose root reads everything.
        let world_readable = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o004 != 0;
        if world_readable {
            fs::copy(from, to)?;
        }
    }
    Ok(())
}

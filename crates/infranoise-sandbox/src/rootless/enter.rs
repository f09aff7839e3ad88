//! Entering a user namespace, in which this process is root over what it owns.

use std::fs;
use std::io::{self, Write};
use std::process::{Child, Command, Stdio};

use crate::linux::new_user_namespace;

/// Which ids there are in the namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ids {
    /// Root alone: whatever changes owners inside fails.
    One,
    /// Root and a range of others.
    Many,
}

/// Why the namespace could not be entered.
#[derive(Debug, thiserror::Error)]
pub enum EnterError {
    /// The kernel gives none.
    #[error("enter a user namespace: {source}")]
    Refused {
        /// What the system said.
        source: io::Error,
    },
    /// It was entered, and nothing can be done in it.
    #[error("a user namespace was entered, but this host gives no rights in it: {source}")]
    Powerless {
        /// What the system said.
        source: io::Error,
    },
    /// Its ids could not be set.
    #[error("set the ids of the user namespace: {source}")]
    Ids {
        /// What the system said.
        source: io::Error,
    },
}

impl EnterError {
    /// What the person can type.
    #[must_use]
    pub fn way_out(&self) -> &'static str {
        match self {
            Self::Refused { .. } => {
                "`sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000` as root, or `sudo infranoise …`"
            }
            Self::Powerless { .. } => {
                "`sysctl kernel.apparmor_restrict_unprivileged_userns=0` as root, or `sudo infranoise …`"
            }
            Self::Ids { .. } => "look at /etc/subuid and /etc/subgid, or `sudo infranoise …`",
        }
    }
}

/// Enters a user namespace of this process's own. To be called while it has a single thread: the kernel refuses it otherwise.
///
/// # Errors
/// If the kernel gives none, or none that is of use.
pub fn enter() -> Result<Ids, EnterError> {
    let ids = |source| EnterError::Ids { source };
    let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    // Ids of others can be granted from outside alone: the helper stays there.
    let helper = Ranges::of(user).map(|ranges| ranges.helper(user, group)).transpose().map_err(ids)?;
    new_user_namespace().map_err(|source| EnterError::Refused { source })?;
    let granted = helper.is_some_and(|helper| grant(helper).unwrap_or(false));
    // What the helper has not set, this process may set for itself, to its own id.
    set("gid_map", group).map_err(ids)?;
    set("uid_map", user).map_err(ids)?;
    powerful().map_err(|source| EnterError::Powerless { source })?;
    Ok(if granted { Ids::Many } else { Ids::One })
}

/// Ranges of ids that are this user's to give, as `/etc/subuid` and `/etc/subgid` have them.
#[derive(Debug, PartialEq, Eq)]
struct Ranges {
    users: (u32, u32),
    groups: (u32, u32),
}

impl Ranges {
    fn of(user: u32) -> Option<Self> {
        let names = fs::read_to_string("/etc/passwd").unwrap_or_default();
        let name = name_of(&names, user);
        let range = |file: &str| range_of(&fs::read_to_string(file).ok()?, name, user);
        Some(Self { users: range("/etc/subuid")?, groups: range("/etc/subgid")? })
    }

    /// A process that waits for one line and then grants them. The programs that do so are set-user-id root.
    fn helper(&self, user: u32, group: u32) -> io::Result<Child> {
        let (me, (users, many_users), (groups, many_groups)) = (std::process::id(), self.users, self.groups);
        let script = format!(
            "read go && newuidmap {me} 0 {user} 1 1 {users} {many_users} && newgidmap {me} 0 {group} 1 1 {groups} {many_groups}"
        );
        let quiet = Stdio::null;
        Command::new("/bin/sh")
            .args(["-c", &script])
            .stdin(Stdio::piped())
            .stdout(quiet())
            .stderr(quiet())
            .spawn()
    }
}

fn name_of(passwd: &str, user: u32) -> Option<&str> {
    let named = |line: &&str| line.split(':').nth(2) == Some(user.to_string().as_str());
    passwd.lines().find(named)?.split(':').next()
}

fn range_of(text: &str, name: Option<&str>, user: u32) -> Option<(u32, u32)> {
    text.lines().find_map(|line| {
        let (who, range) = line.split_once(':')?;
        let (first, count) = range.split_once(':')?;
        let ours = Some(who) == name || who == user.to_string();
        let range = (first.parse().ok()?, count.trim().parse().ok()?);
        (ours && range.1 > 0).then_some(range)
    })
}

fn grant(mut helper: Child) -> io::Result<bool> {
    if let Some(mut go) = helper.stdin.take() {
        go.write_all(b"go\n")?;
    }
    Ok(helper.wait()?.success())
}

/// Maps root to this user, if nothing is mapped yet.
fn set(map: &str, id: u32) -> io::Result<()> {
    let file = format!("/proc/self/{map}");
    if !fs::read_to_string(&file)?.trim().is_empty() {
        return Ok(());
    }
    if map == "gid_map" {
        // Whoever could leave a group could read what that group may not.
        fs::write("/proc/self/setgroups", "deny")?;
    }
    fs::write(file, format!("0 {id} 1"))
}

/// Some hosts (AppArmor's) give a namespace and deny every right in it, whatever the capabilities say: so something is tried.
fn powerful() -> io::Result<()> {
    let have = rustix::thread::capabilities(None)?;
    if have.effective.contains(rustix::thread::CapabilitySet::SYS_ADMIN) {
        return crate::linux::can_make_namespaces();
    }
    Err(io::ErrorKind::PermissionDenied.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_found_by_name_and_by_number() {
        let passwd = "root:x:0:0::/root:/bin/sh\nu:x:1000:1000::/home/u:/bin/sh\n";
        assert_eq!((name_of(passwd, 1000), name_of(passwd, 7)), (Some("u"), None));
        let cases = [
            ("u:100000:65536\n", Some((100_000, 65_536))),
            ("other:1:2\n1000:5:6\n", Some((5, 6))),
            ("u:100000:0\n", None),
            ("u:many:1\n", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(range_of(text, Some("u"), 1000), expected, "{text}");
        }
    }
}

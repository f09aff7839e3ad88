//! A descriptor to poll that speaks when memory runs over.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::path::Path;

use rustix::event::{EventfdFlags, PollFlags, eventfd};

use super::group::Part;
use super::hierarchy::Version;
use super::knob;

/// Watches the group that holds a trial's memory ceiling.
#[derive(Debug)]
pub struct OomWatch {
    /// The events, to poll on version 1.
    event: Option<OwnedFd>,
    /// `memory.oom_control` or `memory.events`, to read (and to poll on version 2).
    state: File,
    /// `memory.oom_control` of the group above: if tasks wait there too, it is not the trial's own limit.
    above: Option<File>,
}

/// What a watched group says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OomState {
    /// Tasks wait for memory, and nothing but a kill (ours) will help: version 1 with the killer off.
    pub under_oom: bool,
    /// Tasks of the group above wait too: the limit is an ancestor's, not the trial's.
    pub ancestor_under_oom: bool,
    /// Kills at this group's limit (version 2).
    pub ooms: u64,
    /// Processes that the kernel's killer ended: here and below on version 2; on version 1 only in this very group, so that the
    /// commands' own counters say it.
    pub oom_kills: u64,
}

impl OomWatch {
    pub(crate) fn new(work: &Part) -> io::Result<Self> {
        match work.version {
            Version::V1 => Self::v1(&work.dir),
            Version::V2 => {
                let state = File::open(work.dir.join("memory.events"))?;
                Ok(Self { event: None, state, above: None })
            }
        }
    }

    fn v1(dir: &Path) -> io::Result<Self> {
        let knob = "memory.oom_control";
        let state = File::open(dir.join(knob))?;
        let event = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        let both = format!("{} {}", event.as_raw_fd(), state.as_raw_fd());
        knob::write(dir, "cgroup.event_control", &both)?;
        let above = dir.parent().and_then(|parent| File::open(parent.join(knob)).ok());
        Ok(Self { event: Some(event), state, above })
    }

    /// What to poll.
    #[must_use]
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.event.as_ref().map_or_else(|| self.state.as_fd(), AsFd::as_fd)
    }

    /// What to poll it for: readable on version 1, exceptional on version 2.
    #[must_use]
    pub fn interest(&self) -> PollFlags {
        if self.event.is_some() { PollFlags::IN } else { PollFlags::PRI }
    }

    /// Reads the state and makes the descriptor quiet until the next event. Fails once the group is removed.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read_state(&self) -> io::Result<OomState> {
        if let Some(event) = &self.event {
            let mut count = [0; 8];
            match rustix::io::read(event, &mut count) {
                Ok(_) | Err(rustix::io::Errno::AGAIN) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let text = text(&self.state)?;
        let value = |key: &str| knob::keyed(&text, key).unwrap_or(0);
        let above = self.above.as_ref().and_then(|file| self::text(file).ok());
        Ok(OomState {
            under_oom: value("under_oom") == 1,
            ancestor_under_oom: above.is_some_and(|text| knob::keyed(&text, "under_oom") == Some(1)),
            ooms: value("oom"),
            oom_kills: value("oom_kill"),
        })
    }
}

/// The whole of a small file from its beginning.
fn text(file: &File) -> io::Result<String> {
    let mut buffer = [0; 1024];
    let length = file.read_at(&mut buffer, 0)?;
    Ok(String::from_utf8_lossy(&buffer[..length]).into_owned())
}

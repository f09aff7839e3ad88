//! Reading the kernel log from where we began.

use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use super::line::{self, OomKill, OomLimit, Said};

/// At most so many kills are remembered; the oldest go first.
const KEPT: usize = 4096;

/// Two lines about the same process that are no further apart are about the same kill.
const SAME_KILL_US: u64 = 5_000_000;

/// The kernel log since it was opened. One for all trials: a position of our own, so that nobody else misses a line.
#[derive(Debug)]
pub struct KernelLog {
    file: File,
    kills: VecDeque<OomKill>,
    overrun: u64,
}

impl KernelLog {
    /// Opens the log (`/dev/kmsg`) at its end.
    ///
    /// # Errors
    /// If this user may not read it (`kernel.dmesg_restrict`), or there is none.
    pub fn open(path: &Path) -> io::Result<Self> {
        let flags = rustix::fs::OFlags::NONBLOCK.bits() as i32;
        let mut file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
        file.seek(SeekFrom::End(0))?;
        Ok(Self { file, kills: VecDeque::new(), overrun: 0 })
    }

    /// Reads what is new. Cheap when nothing is.
    ///
    /// # Errors
    /// If the log can no longer be read.
    pub fn read_new(&mut self) -> io::Result<()> {
        // The kernel gives one record for each read, and refuses a buffer that cannot hold it.
        let mut record = [0; 8192];
        loop {
            match self.file.read(&mut record) {
                Ok(0) => return Ok(()),
                Ok(length) => self.take(&String::from_utf8_lossy(&record[..length])),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // Records were overwritten before we came: the next read goes on with the oldest that is left.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => self.overrun += 1,
                Err(error) => return Err(error),
            }
        }
    }

    fn take(&mut self, record: &str) {
        match line::record(record) {
            Some(Said::Chosen(kill)) => self.push(kill),
            Some(Said::Killed(kill)) => {
                // With a group kill the kernel says it twice of the victim that it chose.
                let same = |known: &&mut OomKill| {
                    known.pid == kill.pid && kill.at_us.saturating_sub(known.at_us) < SAME_KILL_US
                };
                match self.kills.iter_mut().rev().take(64).find(same) {
                    Some(known) => known.rss = known.rss.or(kill.rss),
                    None => self.push(kill),
                }
            }
            None => {}
        }
    }

    fn push(&mut self, kill: OomKill) {
        if self.kills.len() == KEPT {
            self.kills.pop_front();
        }
        self.kills.push_back(kill);
    }

    /// The kills whose victim, or whose limit, was in a group with such a part in its path, as in `/infranoise/<sweep>/<sandbox>/`.
    #[must_use]
    pub fn kills_in(&self, part: &str) -> Vec<OomKill> {
        let within = |path: &String| format!("{path}/").contains(part);
        let ours = |kill: &&OomKill| {
            let limit = match &kill.limit {
                OomLimit::Group(path) => within(path),
                OomLimit::SomeGroup | OomLimit::Host => false,
            };
            limit || kill.victim_group.as_ref().is_some_and(within)
        };
        self.kills.iter().filter(ours).cloned().collect()
    }

    /// Every kill that was seen, whosever.
    pub fn kills(&self) -> impl Iterator<Item = &OomKill> {
        self.kills.iter()
    }

    /// How often records were lost because the log was overwritten before it was read.
    #[must_use]
    pub fn overruns(&self) -> u64 {
        self.overrun
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log_of(records: &[&str]) -> KernelLog {
        let file = File::open("/dev/null").expect("/dev/null");
        let mut log = KernelLog { file, kills: VecDeque::new(), overrun: 0 };
        records.iter().for_each(|record| log.take(record));
        log
    }

    const CHOSEN: &str = "6,1,9,-;oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),oom_memcg=/infranoise/s/b1/work,\
                          task_memcg=/infranoise/s/b1/work/e0,task=sort,pid=7,uid=0\n";
    const KILLED: &str = "3,2,9,-;Memory cgroup out of memory: Killed process 7 (sort) total-vm:9kB, anon-rss:5kB, file-rss:0kB, \
                          shmem-rss:0kB, UID:0\n";

    #[test]
    fn the_two_lines_of_a_kill_become_one() {
        let log = log_of(&[CHOSEN, KILLED]);
        let kills = log.kills_in("/infranoise/s/b1/");
        assert_eq!(kills.len(), 1);
        assert_eq!(kills[0].rss.map(|rss| rss.0), Some(5 << 10));
        assert_eq!(log.kills().count(), 1);
    }

    #[test]
    fn a_sandbox_whose_name_begins_alike_is_another() {
        assert!(log_of(&[CHOSEN]).kills_in("/infranoise/s/b/").is_empty());
        assert!(log_of(&[CHOSEN]).kills_in("/infranoise/s/b11/").is_empty());
    }

    #[test]
    fn a_victim_that_is_named_twice_is_one_kill() {
        assert_eq!(log_of(&[CHOSEN, KILLED, KILLED]).kills().count(), 1);
    }

    #[test]
    fn a_kill_of_which_one_line_was_held_back_is_kept() {
        let log = log_of(&[KILLED]);
        assert_eq!(log.kills().next().map(|kill| &kill.limit), Some(&OomLimit::SomeGroup));
    }
}

//! The two lines that the kernel writes about an out-of-memory kill.

use infranoise_core::Bytes;

/// Whose limit a kill was about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OomLimit {
    /// A control group's, by its path from the root of the tree.
    Group(String),
    /// A control group's, but the line that names it was held back by the kernel's rate limit.
    SomeGroup,
    /// None: the host itself ran out of memory.
    Host,
}

/// One kill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OomKill {
    /// When, in microseconds since boot.
    pub at_us: u64,
    /// Whose limit it was about.
    pub limit: OomLimit,
    /// The group that the victim was in, if the kernel named it.
    pub victim_group: Option<String>,
    /// The victim's program, as the kernel knows it: at most 15 bytes, and a program can change it.
    pub program: String,
    /// The victim's number on the host.
    pub pid: i32,
    /// The victim's resident memory: anonymous, shared and of files.
    pub rss: Option<Bytes>,
}

/// What one record of the log says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// Who was chosen and why: a kill without its size.
    Chosen(OomKill),
    /// Who was killed and how large it was: a kill without its groups. Never held back, unlike the other.
    Killed(OomKill),
}

/// Reads one record as `/dev/kmsg` gives it: `priority,sequence,microseconds,flags;text`.
pub(super) fn record(record: &str) -> Option<Said> {
    let (head, text) = record.split_once(';')?;
    let mut head = head.split(',');
    let priority: u32 = head.next()?.parse().ok()?;
    let at_us: u64 = head.nth(1)?.parse().ok()?;
    let from_kernel = priority >> 3 == 0;
    let text = text.lines().next()?;
    if !from_kernel {
        return None;
    }
    chosen(text, at_us).map(Said::Chosen).or_else(|| killed(text, at_us).map(Said::Killed))
}

/// `oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),…,oom_memcg=/a,task_memcg=/a/b,task=name,pid=7,uid=0`. The program's name can
/// hold anything, so what stands before it is read from the left and what stands behind it from the right.
fn chosen(text: &str, at_us: u64) -> Option<OomKill> {
    let text = text.strip_prefix("oom-kill:constraint=")?;
    let (front, back) = text.split_once(",task=")?;
    let (program, numbers) = back.rsplit_once(",pid=")?;
    let pid = numbers.split(',').next()?.parse().ok()?;
    let (front, victim_group) = match front.split_once(",task_memcg=") {
        Some((front, group)) => (front, Some(group.to_owned())),
        None => (front, None),
    };
    let limit = match front.split_once(",oom_memcg=") {
        Some((_, group)) => OomLimit::Group(group.to_owned()),
        None if front.starts_with("CONSTRAINT_MEMCG") => OomLimit::SomeGroup,
        None => OomLimit::Host,
    };
    Some(OomKill { at_us, limit, victim_group, program: program.to_owned(), pid, rss: None })
}

/// `Memory cgroup out of memory: Killed process 7 (name) total-vm:9kB, anon-rss:9kB, file-rss:9kB, shmem-rss:9kB, …`, or with
/// `Out of memory:` in front.
fn killed(text: &str, at_us: u64) -> Option<OomKill> {
    let (why, text) = text.split_once(": Killed process ")?;
    let limit = match why {
        "Memory cgroup out of memory" => OomLimit::SomeGroup,
        "Out of memory" => OomLimit::Host,
        _ => return None,
    };
    let (pid, text) = text.split_once(" (")?;
    let (program, sizes) = text.rsplit_once(") total-vm:")?;
    let kilobytes = |key: &str| -> Option<u64> {
        let (_, rest) = sizes.split_once(key)?;
        rest.split_once("kB")?.0.parse().ok()
    };
    let rss = ["anon-rss:", "file-rss:", "shmem-rss:"].into_iter().map(kilobytes).sum::<Option<u64>>();
    Some(OomKill {
        at_us,
        limit,
        victim_group: None,
        program: program.to_owned(),
        pid: pid.parse().ok()?,
        rss: rss.map(|kilobytes| Bytes(kilobytes * Bytes::KIB)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<(bool, OomLimit, &str, i32, Option<u64>)>) {
        let got = record(text).map(|said| {
            let chosen = matches!(said, Said::Chosen(_));
            let (Said::Chosen(kill) | Said::Killed(kill)) = said;
            (chosen, kill.limit, kill.program, kill.pid, kill.rss.map(|bytes| bytes.0 / Bytes::KIB))
        });
        let expected = expected.map(|(a, b, c, d, e)| (a, b, c.to_owned(), d, e));
        assert_eq!(got, expected, "{text}");
    }

    #[test]
    fn both_lines_are_read_and_nothing_else() {
        let group = |path: &str| OomLimit::Group(path.to_owned());
        check(
            "6,512,99,-;oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/i/s/b/work,\
             task_memcg=/i/s/b/work/e0,task=python3,pid=14531,uid=0\n",
            Some((true, group("/i/s/b/work"), "python3", 14531, None)),
        );
        check(
            "6,1,9,-;oom-kill:constraint=CONSTRAINT_NONE,nodemask=0,2-3,cpuset=/,mems_allowed=0,global_oom,task_memcg=/A,task=p,\
             pid=97,uid=0\n",
            Some((true, OomLimit::Host, "p", 97, None)),
        );
        check(
            "3,2,9,-;Memory cgroup out of memory: Killed process 14531 (python3) total-vm:276584kB, anon-rss:32572kB, \
             file-rss:2820kB, shmem-rss:8kB, UID:0 pgtables:108kB oom_score_adj:0\n SUBSYSTEM=x\n",
            Some((false, OomLimit::SomeGroup, "python3", 14531, Some(35400))),
        );
        check(
            "3,2,9,-;Out of memory: Killed process 5 (a) total-vm:1kB, anon-rss:1kB, file-rss:0kB, shmem-rss:0kB\n",
            Some((false, OomLimit::Host, "a", 5, Some(1))),
        );
        check("6,2,9,-;usb 1-1: new device\n", None);
        check("garbage", None);
    }

    #[test]
    fn a_program_cannot_talk_its_way_into_another_group() {
        let forged = "evil,pid=1,oom_memcg=/x (y) total-vm:0kB";
        check(
            &format!(
                "6,1,9,-;oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),oom_memcg=/real,task_memcg=/real,task={forged},\
                 pid=7,uid=0\n"
            ),
            Some((true, OomLimit::Group("/real".to_owned()), forged, 7, None)),
        );
        // A line that a user program wrote has facility 1, as in priority 14.
        check(
            "14,1,9,-;oom-kill:constraint=CONSTRAINT_NONE,nodemask=0,global_oom,task_memcg=/A,task=p,pid=97,uid=0\n",
            None,
        );
    }
}

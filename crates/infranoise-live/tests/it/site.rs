//! A sweep that a test writes, and a server that shows it.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;

use infranoise_core::testing::{Ending, host, plan, record};
use infranoise_core::{Attempt, Event, Phase, Plan, SandboxId, StopReason, SweepId, TrialKey};
use infranoise_live::serve::{Options, Server, Stop};
use infranoise_store::{JournalWriter, PlanFile, SweepFolder};

/// A clock that ticks whenever it is asked, so that no test waits for one.
pub fn ticking() -> u64 {
    static TICKS: AtomicU64 = AtomicU64::new(1_700_000_000_000);
    TICKS.fetch_add(100, Ordering::Relaxed)
}

/// A sweep in the making. Trials run on the clock of the test: a second for each event.
pub struct Sweep {
    pub folder: SweepFolder,
    pub plan: Plan,
    pub keys: Vec<TrialKey>,
    writer: JournalWriter,
    at_ms: u64,
}

impl Sweep {
    /// Six tasks, three arms, two repeats, begun.
    pub fn begin(root: &Path, name: &str) -> Self {
        Self::planned(root, plan(6, 3, 2), name)
    }

    pub fn planned(root: &Path, mut plan: Plan, name: &str) -> Self {
        plan.sweep = SweepId::try_new(name).expect("a name");
        let (folder, file) = SweepFolder::create(root, &plan).expect("a folder");
        let (writer, _) = JournalWriter::open(&folder.journal_path()).expect("a journal");
        let keys = plan.keys().collect();
        let mut sweep = Self { folder, plan, keys, writer, at_ms: 1_700_000_000_000 };
        sweep.started(&file);
        sweep
    }

    fn started(&mut self, file: &PlanFile) {
        let (at_ms, plan_sha256) = (self.tick(), file.sha256.clone());
        self.tell(&Event::SweepStarted {
            at_ms,
            plan_sha256,
            host: Box::new(host()),
            concurrency: 4,
            resumed: 0,
        });
    }

    pub fn tick(&mut self) -> u64 {
        self.at_ms += 1_000;
        self.at_ms
    }

    pub fn tell(&mut self, event: &Event) {
        self.writer.append(event).expect("is written");
    }

    /// A trial gets its sandbox and comes to its agent phase; its samples lie where its engine would put them.
    pub fn run(&mut self, n: usize, samples: &[(u32, u64, u64)]) {
        let (at_ms, key) = (self.tick(), self.keys[n].clone());
        let sandbox = SandboxId::try_new(format!("s{n}")).expect("a name");
        self.tell(&Event::TrialStarted {
            at_ms,
            key: key.clone(),
            attempt: Attempt(0),
            sandbox,
            waited_ms: 0,
        });
        self.tell(&Event::PhaseStarted { at_ms, key: key.clone(), phase: Phase::Agent });
        let folder = self.trial(n);
        std::fs::create_dir_all(&folder).expect("a folder");
        let mut file = File::create(folder.join("telemetry.csv")).expect("a file");
        let columns = r#"["at_ms","memory_bytes","cpu_us"]"#;
        writeln!(file, r#"{{"telemetry_version":1,"interval_ms":100,"columns":{columns}}}"#).expect("writes");
        let mut last = (0, 0, 0);
        for (at, memory, cpu) in samples {
            let (a, m, c) = (i64::from(*at) - last.0, *memory as i64 - last.1, *cpu as i64 - last.2);
            writeln!(file, "[{a},{m},{c}]").expect("writes");
            last = (i64::from(*at), *memory as i64, *cpu as i64);
        }
    }

    pub fn end(&mut self, n: usize, ending: Ending) {
        let at_ms = self.tick();
        let record = Box::new(record(&self.plan, self.keys[n].clone(), ending));
        self.tell(&Event::TrialEnded { at_ms, record });
    }

    /// Ends every trial that is not ended yet, and the sweep.
    pub fn finish(&mut self, from: usize) {
        for n in from..self.keys.len() {
            let arm = n % self.plan.arms.len();
            let killed = arm == 0 && n.is_multiple_of(2);
            self.end(n, if killed { Ending::CeilingKill } else { Ending::Pass });
        }
        let at_ms = self.tick();
        self.tell(&Event::SweepStopped { at_ms, reason: StopReason::Complete });
    }

    pub fn trial(&self, n: usize) -> PathBuf {
        self.folder.trial(&self.keys[n], Attempt(0))
    }
}

/// A server on loopback, stopped when it is dropped.
pub struct Site {
    pub address: SocketAddr,
    stop: Stop,
    thread: Option<JoinHandle<()>>,
}

impl Site {
    pub fn open(place: &Path) -> Self {
        Self::with_token(place, None)
    }

    pub fn with_token(place: &Path, token: Option<&str>) -> Self {
        let options = Options {
            place: place.to_owned(),
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            token: token.map(str::to_owned),
            hosts: Vec::new(),
            clock: ticking,
            made_by: "test",
        };
        let server = Server::bind(options).expect("listens");
        let (address, stop) = (server.address(), Stop::default());
        let theirs = stop.clone();
        let thread = std::thread::spawn(move || server.run(&theirs).expect("serves"));
        Self { address, stop, thread: Some(thread) }
    }

    /// Asks for a path with the given header lines.
    pub fn ask(&self, path: &str, headers: &[&str]) -> Answer {
        self.request("GET", path, headers)
    }

    pub fn get(&self, path: &str) -> Answer {
        self.ask(path, &["Host: localhost"])
    }

    pub fn request(&self, method: &str, path: &str, headers: &[&str]) -> Answer {
        let mut stream = self.connect(method, path, headers, "close");
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("an answer");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").expect("a head");
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status");
        Answer { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    pub fn connect(&self, method: &str, path: &str, headers: &[&str], connection: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).expect("connects");
        let lines: String = headers.iter().map(|line| format!("{line}\r\n")).collect();
        write!(stream, "{method} {path} HTTP/1.1\r\n{lines}Connection: {connection}\r\n\r\n").expect("asks");
        stream
    }

    /// Events of a sweep, from the beginning.
    pub fn events(&self, sweep: &str) -> Events {
        let path = format!("/r/{sweep}/events");
        Events(BufReader::new(self.connect("GET", &path, &["Host: localhost"], "keep-alive")))
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            thread.join().expect("ends");
        }
    }
}

pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

pub struct Events(BufReader<TcpStream>);

impl Events {
    /// Waits for a part whose content has this in it.
    pub fn until(&mut self, id: &str, has: &str) -> String {
        let mut line = String::new();
        loop {
            line.clear();
            assert!(
                self.0.read_line(&mut line).expect("reads") > 0,
                "the stream ended before `{has}` in {id}"
            );
            let Some(data) = line.strip_prefix("data: ") else { continue };
            let part: serde_json::Value = serde_json::from_str(data).expect("JSON");
            let html = part["html"].as_str().expect("a part");
            if part["id"] == id && html.contains(has) {
                return html.to_owned();
            }
        }
    }
}

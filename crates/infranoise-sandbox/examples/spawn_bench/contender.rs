//! The contenders seen from the side that times them.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use crate::{WORKER, docker};

/// A contender and how long its thing took each time.
pub(crate) struct Contender {
    pub(crate) name: &'static str,
    workers: Vec<Worker>,
    /// How many threads each worker has.
    threads: u32,
    pub(crate) times: Vec<Duration>,
}

impl Contender {
    /// Starts as many side by side as asked; `None` if this machine does not have it.
    pub(crate) fn start(name: &'static str, beside: u32) -> Option<Self> {
        let there = match name.split(' ').next() {
            Some("crun") => Command::new("crun").arg("--version").output().is_ok(),
            Some("docker") => docker::there(),
            _ => true,
        };
        if !there {
            println!("{name}: SKIPPED, not on this machine");
            return None;
        }
        // Ours is one process with many threads, as a sweep is; the others are many processes with one.
        let threads = if name.starts_with("infranoise") { beside } else { 1 };
        let workers = (0..beside / threads).map(|_| Worker::start(name, threads)).collect();
        Some(Self { name, workers, threads, times: Vec::new() })
    }

    /// Does the thing a number of times in each worker and thread; the time of the slowest counts.
    pub(crate) fn round(&mut self, times: u32) {
        let start = Instant::now();
        self.workers.iter_mut().for_each(|worker| worker.ask(times));
        let took: Vec<Duration> = self.workers.iter_mut().map(Worker::nanoseconds).collect();
        // One worker knows best; of several, the time until all were done counts.
        let took = if let [only] = took[..] { only } else { start.elapsed() };
        let number = times * self.threads * u32::try_from(self.workers.len()).unwrap();
        self.times.push(took / number);
    }

    /// CPU time of doing the thing once, of all that takes part: counted in the control group of this whole benchmark.
    pub(crate) fn cost(&self, times: u32) -> Option<Duration> {
        let mut worker = Worker::start(self.name, 1);
        let before = used()?;
        worker.ask(times);
        worker.nanoseconds();
        worker.finish();
        Some((used()? - before) / times)
    }
}

/// CPU time of this benchmark, if `benches/apart.sh` has given it a control group of its own.
fn used() -> Option<Duration> {
    let file = std::env::var("BENCH_USAGE").ok()?;
    Some(Duration::from_nanos(fs::read_to_string(file).ok()?.trim().parse().ok()?))
}

impl Drop for Contender {
    fn drop(&mut self) {
        self.workers.drain(..).for_each(Worker::finish);
    }
}

struct Worker {
    process: Child,
    answers: BufReader<ChildStdout>,
}

impl Worker {
    fn start(name: &str, threads: u32) -> Self {
        let mut process = Command::new(std::env::current_exe().unwrap())
            .args([WORKER, name, &threads.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let answers = BufReader::new(process.stdout.take().unwrap());
        let mut worker = Self { process, answers };
        assert_eq!(worker.answer(), "ready", "`{name}` does not start");
        worker
    }

    fn ask(&mut self, times: u32) {
        writeln!(self.process.stdin.as_mut().unwrap(), "{times}").unwrap();
    }

    fn answer(&mut self) -> String {
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        line.trim().to_owned()
    }

    fn nanoseconds(&mut self) -> Duration {
        Duration::from_nanos(self.answer().parse().unwrap())
    }

    fn finish(mut self) {
        drop(self.process.stdin.take());
        assert!(self.process.wait().unwrap().success());
    }
}

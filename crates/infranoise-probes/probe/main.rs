//! The probe: a static program that uses exactly as much memory, CPU and processes as it is told.
//!
//! It is bind-mounted read-only at `/opt/infranoise/probe` and needs nothing but a kernel. Each command can end with `--say TEXT`,
//! which is written to the standard output if the command succeeded.
//!
//! | command | what it does |
//! |---|---|
//! | `eat --mib N [--steps K] [--pause-ms P] [--hold-ms H]` | touches N MiB of anonymous memory, in K steps with pauses; holds it |
//! | `workers --n N --mib M [--hold-ms H]` | N processes that hold M MiB each at the same time |
//! | `spin --cpu-ms N` | uses N ms of CPU time |
//! | `fork --children N [--hold-ms H]` | N idle processes at the same time |
//! | `cache --file F --mib N [--rounds R]` | reads a file of N MiB R times: page cache, no anonymous memory |
//! | `limit` | writes the memory limit that it sees, in MiB, or `none` |
//! | `sum FILE` | writes the sum of the whole numbers in a file |
//! | `sleep --ms N` | sleeps |
//!
//! Exit codes: 0 done; 2 wrong usage; 10 a worker was ended by a signal or failed; 11 a process was refused; 12 memory was refused;
//! 13 a file could not be read or written.

mod arguments;
mod cpu;
mod files;
mod limit;
mod memory;
mod processes;

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use arguments::Arguments;

/// How a command can fail: the exit code and what is written to the standard error.
struct Failure {
    code: u8,
    says: String,
}

impl Failure {
    /// A command that was called wrongly.
    fn usage(says: impl Into<String>) -> Self {
        Self { code: 2, says: says.into() }
    }

    /// A worker that did not live to its end.
    fn worker(says: impl Into<String>) -> Self {
        Self { code: 10, says: says.into() }
    }

    /// A process that could not be started.
    fn refused(error: &std::io::Error) -> Self {
        Self { code: 11, says: format!("no further process: {error}") }
    }

    /// Memory that was not given.
    fn memory(mib: u64) -> Self {
        Self { code: 12, says: format!("no {mib} MiB to be had") }
    }

    /// A file that does not do.
    fn file(name: &str, error: &std::io::Error) -> Self {
        Self { code: 13, says: format!("{name}: {error}") }
    }
}

fn main() -> ExitCode {
    let mut output = std::io::stdout();
    match carry_out(&mut output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // Nobody may listen: that is no reason to fail otherwise.
            let _ = writeln!(std::io::stderr(), "probe: {}", failure.says);
            ExitCode::from(failure.code)
        }
    }
}

fn carry_out(output: &mut impl Write) -> Result<(), Failure> {
    let mut arguments = Arguments::parse(std::env::args().skip(1))?;
    match arguments.command() {
        "eat" => memory::eat(&mut arguments, output)?,
        "workers" => memory::workers(&mut arguments)?,
        "spin" => cpu::spin(arguments.number("cpu-ms")?)?,
        "fork" => processes::fork(&mut arguments)?,
        "idle" => processes::wait_for_end_of_input(),
        "cache" => files::cache(&mut arguments)?,
        "limit" => say(output, &limit::seen())?,
        "sum" => say(output, &files::sum(&arguments.operand()?)?.to_string())?,
        "sleep" => std::thread::sleep(Duration::from_millis(arguments.number("ms")?)),
        other => return Err(Failure::usage(format!("no command `{other}`"))),
    }
    let last_words = arguments.text("say");
    arguments.finish()?;
    match last_words {
        Some(words) => say(output, &words),
        None => Ok(()),
    }
}

fn say(output: &mut impl Write, words: &str) -> Result<(), Failure> {
    writeln!(output, "{words}")
        .and_then(|()| output.flush())
        .map_err(|error| Failure::file("standard output", &error))
}

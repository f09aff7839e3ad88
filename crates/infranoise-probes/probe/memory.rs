//! Anonymous memory that is really there: every page is written to.

use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};
use std::time::Duration;

use super::arguments::Arguments;
use super::processes::{myself, wait_for_end_of_input};
use super::{Failure, say};

const MIB: u64 = 1 << 20;

/// `eat`: takes memory in steps, holds it and gives it back by ending.
pub(crate) fn eat(arguments: &mut Arguments, output: &mut impl Write) -> Result<(), Failure> {
    let mib = arguments.number("mib")?;
    let steps = arguments.number_or("steps", 1)?.max(1);
    let pause = Duration::from_millis(arguments.number_or("pause-ms", 0)?);
    let hold = Duration::from_millis(arguments.number_or("hold-ms", 0)?);
    let until_input_ends = arguments.number_or("until-input-ends", 0)? == 1;
    let mut taken = Vec::new();
    for step in 1..=steps {
        let before = mib * (step - 1) / steps;
        taken.push(touched(mib * step / steps - before)?);
        std::thread::sleep(pause);
    }
    std::thread::sleep(hold);
    if until_input_ends {
        say(output, "ready")?;
        wait_for_end_of_input();
    }
    black_box(taken);
    Ok(())
}

/// So many MiB, every byte written.
fn touched(mib: u64) -> Result<Vec<u8>, Failure> {
    let refused = || Failure::memory(mib);
    let length = usize::try_from(mib * MIB).map_err(|_| refused())?;
    let mut block = Vec::new();
    block.try_reserve_exact(length).map_err(|_| refused())?;
    // Copied in pieces: a byte at a time would take seconds in a build without optimisation.
    let piece = [1; 64 << 10];
    while block.len() < length {
        block.extend_from_slice(&piece);
    }
    Ok(black_box(block))
}

/// `workers`: processes that hold their memory until the last one has its own, so that the peak is the sum of all.
pub(crate) fn workers(arguments: &mut Arguments) -> Result<(), Failure> {
    let count = arguments.number("n")?;
    let mib = arguments.number("mib")?.to_string();
    let hold = Duration::from_millis(arguments.number_or("hold-ms", 0)?);
    let mut workers = Vec::new();
    for _ in 0..count {
        let mut command = myself()?;
        command.args(["eat", "--mib", &mib, "--until-input-ends", "1"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        workers.push(command.spawn().map_err(|error| Failure::refused(&error))?);
    }
    let ready = workers.iter_mut().filter_map(is_ready).count();
    std::thread::sleep(hold);
    // Dropping a worker's input tells it to end.
    let ends = workers.into_iter().map(|mut worker| {
        drop(worker.stdin.take());
        worker.wait().is_ok_and(|status| status.success())
    });
    let well = ends.filter(|&well| well).count();
    if (ready, well) == (count as usize, count as usize) {
        return Ok(());
    }
    Err(Failure::worker(format!("{well} of {count} workers lived to their end")))
}

/// Waits until a worker has its memory, or is gone.
fn is_ready(worker: &mut Child) -> Option<()> {
    let mut line = String::new();
    BufReader::new(worker.stdout.as_mut()?).read_line(&mut line).ok()?;
    (line.trim() == "ready").then_some(())
}

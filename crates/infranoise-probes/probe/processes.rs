//! Processes that do nothing but be there.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::Failure;
use super::arguments::Arguments;

/// This program once more.
pub(crate) fn myself() -> Result<Command, Failure> {
    let program = std::env::current_exe().map_err(|error| Failure::file("/proc/self/exe", &error))?;
    Ok(Command::new(program))
}

/// Sleeps until the one who started this process wants it to end, or is gone.
pub(crate) fn wait_for_end_of_input() {
    let mut rest = Vec::new();
    // An input that cannot be read has ended.
    let _ = std::io::stdin().read_to_end(&mut rest);
}

/// `fork`: so many children at the same time. At the first that is refused all end.
pub(crate) fn fork(arguments: &mut Arguments) -> Result<(), Failure> {
    let count = arguments.number("children")?;
    let hold = Duration::from_millis(arguments.number_or("hold-ms", 0)?);
    let mut children = Vec::new();
    let mut refused = None;
    for _ in 0..count {
        let child = myself()?.arg("idle").stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
        match child {
            Ok(child) => children.push(child),
            Err(error) => {
                refused = Some(Failure::refused(&error));
                break;
            }
        }
    }
    std::thread::sleep(hold);
    children.into_iter().for_each(end);
    refused.map_or(Ok(()), Err)
}

fn end(mut child: Child) {
    drop(child.stdin.take());
    // A child that is gone already has ended too.
    let _ = child.wait();
}

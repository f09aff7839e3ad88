//! The launcher: a small process with a single thread that makes sandboxes for the engine.
//!
//! The engine's process is large and has many threads: cloning it would copy its page tables and could leave the child waiting for a
//! lock that nobody will release. So it starts this process early and asks it. When the engine dies, the socket closes and the launcher
//! ends; when the launcher ends, the kernel kills every pid 1 that it made, and with each the whole sandbox.

mod child;
mod client;
mod devices;
mod filter;
mod kernel_files;
mod mounts;
pub(crate) mod plan;
mod program;
mod seen;
mod step;

use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, OwnedFd};

use infranoise_supervisor::message::Report;
use rustix::process::{Signal, WaitOptions, set_parent_process_death_signal, setsid, waitpid};

pub(crate) use client::Launcher;
pub use client::LauncherProgram;
#[cfg(feature = "docker")]
pub(crate) use program::bytes as supervisor_program;

use crate::linux::socket::{Received, receive, send};
use crate::linux::{Cloned, Namespaces, clone_into, close_from, standard_input};
use filter::Filter;
use plan::{Ask, SandboxPlan};

/// The hidden first argument that turns a program into the launcher.
pub(crate) const ARGUMENT: &str = "__infranoise-launcher";

/// The longest message that the launcher takes.
const MOST_BYTES: usize = 512 << 10;

/// Becomes the launcher if this process was started as one; then it never returns. To be called at the very top of `main`.
#[expect(
    clippy::exit,
    clippy::disallowed_methods,
    reason = "as the launcher this process is another program"
)]
pub fn main_if_asked() {
    if std::env::args_os().nth(1).as_deref() == Some(OsStr::new(ARGUMENT)) {
        std::process::exit(i32::from(serve().is_err()));
    }
}

/// What every sandbox needs and is made once.
struct Tools {
    supervisor: OwnedFd,
    filter: Filter,
}

fn serve() -> io::Result<()> {
    let engine = standard_input();
    close_from(3)?;
    // The engine's thread that started this process lives as long as the engine; the socket's end says the same a moment later.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    // Not in the terminal's foreground group: Ctrl-C is for the engine alone.
    setsid()?;
    let tools = Tools { supervisor: program::supervisor()?, filter: Filter::new() };
    let mut buffer = vec![0; MOST_BYTES];
    loop {
        match receive(&engine, &mut buffer, rustix::net::RecvFlags::empty())? {
            Received::Closed => return Ok(()),
            Received::Message { length, descriptors } => {
                reap();
                if let Ok(Ask::Make(plan)) = serde_json::from_slice(&buffer[..length]) {
                    make(&tools, &engine, &plan, descriptors);
                }
            }
        }
    }
}

/// Makes one sandbox. What goes wrong is said on the sandbox's own socket, which the engine reads.
fn make(tools: &Tools, engine: &OwnedFd, plan: &SandboxPlan, descriptors: Vec<OwnedFd>) {
    let mut descriptors = descriptors.into_iter();
    let (Some(control), Some(records)) = (descriptors.next(), descriptors.next()) else { return };
    let volume = descriptors.next();
    match clone_into(Namespaces { network: plan.own_network }) {
        Ok(Cloned::Child) => child::become_pid_1(tools, engine, plan, &control, &records, volume.as_ref()),
        Ok(Cloned::Parent { pid, pidfd }) => {
            // If the engine no longer listens, the pidfd is dropped here and pid 1 ends when its control socket closes.
            drop(send(control.as_fd(), &Report::Cloned { pid }.encode(), &[pidfd.as_fd()]));
        }
        Err(error) => {
            let failed =
                Report::Failed { step: "clone3".to_owned(), errno: error.raw_os_error().unwrap_or(0) };
            drop(send(control.as_fd(), &failed.encode(), &[]));
        }
    }
}

/// Takes the dead off the process table.
fn reap() {
    while let Ok(Some(_)) = waitpid(None, WaitOptions::NOHANG) {}
}

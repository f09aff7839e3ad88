//! The engine's end of the launcher.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use rustix::process::{Pid, Signal, kill_process};

use super::ARGUMENT;
use super::plan::Ask;
use crate::linux::socket;

/// Which program becomes the launcher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LauncherProgram {
    /// This very program: its `main` begins with [`main_if_asked`](super::main_if_asked).
    SelfExe,
    /// Another program whose `main` does.
    Path(PathBuf),
}

/// A running launcher. Dropping it ends the launcher and every sandbox that it made.
#[derive(Debug)]
pub(crate) struct Launcher {
    socket: Option<OwnedFd>,
    process: Mutex<Child>,
    pid: u32,
}

impl Launcher {
    /// Starts the launcher. The calling thread has to live as long as the engine: with it the launcher dies.
    pub(crate) fn start(program: &LauncherProgram) -> io::Result<Self> {
        let path = match program {
            LauncherProgram::SelfExe => PathBuf::from("/proc/self/exe"),
            LauncherProgram::Path(path) => path.clone(),
        };
        let (socket, theirs) = socket::pair()?;
        let process = Command::new(path)
            .arg(ARGUMENT)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let pid = process.id();
        Ok(Self { socket: Some(socket), process: Mutex::new(process), pid })
    }

    /// Its process id.
    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }

    /// Whether it has ended.
    pub(crate) fn has_ended(&self) -> bool {
        let mut process = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        process.try_wait().is_ok_and(|status| status.is_some())
    }

    /// Tells it to go on if somebody has stopped it; whether that was so.
    pub(crate) fn wake(&self) -> bool {
        let stopped = std::fs::read_to_string(format!("/proc/{}/stat", self.pid))
            .is_ok_and(|stat| stat.rsplit_once(") ").is_some_and(|(_, state)| state.starts_with(['T', 't'])));
        let pid = i32::try_from(self.pid).ok().and_then(Pid::from_raw);
        // It is our child and not waited for: the number is its own.
        stopped && pid.is_some_and(|pid| kill_process(pid, Signal::CONT).is_ok())
    }

    /// Ends it, whatever it does.
    pub(crate) fn end(&self) {
        let mut process = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        drop(process.kill());
        drop(process.wait());
    }

    /// Asks for something; answers come on the descriptors that go along.
    pub(crate) fn ask(&self, ask: &Ask, descriptors: &[BorrowedFd<'_>]) -> io::Result<()> {
        let bytes = serde_json::to_vec(ask)?;
        let socket = self.socket.as_ref().ok_or(io::ErrorKind::NotConnected)?;
        socket::send(socket.as_fd(), &bytes, descriptors)
    }
}

impl Drop for Launcher {
    fn drop(&mut self) {
        // The launcher ends when its socket closes; a kill makes sure of it if it is stopped.
        self.socket = None;
        let process = self.process.get_mut().unwrap_or_else(PoisonError::into_inner);
        drop(process.kill());
        drop(process.wait());
    }
}

//! A socket that listens inside a sandbox's network and is served from here: how a gateway reaches a sandbox that has no network else.

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::AsFd;
use std::path::Path;
use std::thread;

use rustix::thread::{ThreadNameSpaceType, move_into_thread_name_spaces};

use super::host;
use super::sandbox::Sandbox;
use crate::contract::EngineError;

impl Sandbox {
    /// A TCP socket that listens on the sandbox's own loopback, at this port (0: one that is free), and that only this process can serve: nothing
    /// on the host reaches it, and nothing in the sandbox can take it over. It works as long as the sandbox stands.
    ///
    /// # Errors
    /// If the sandbox is gone, something inside listens there already, or the host does not let a thread enter its network.
    pub fn listen(&self, port: u16) -> Result<TcpListener, EngineError> {
        let state = self.shared.lock();
        let Some((_, pidfd)) = &state.pid1 else { return Err(self.gone("its supervisor has ended")) };
        let own = self.own_network;
        let bind = || -> io::Result<TcpListener> {
            if own {
                move_into_thread_name_spaces(pidfd.as_fd(), ThreadNameSpaceType::NETWORK)?;
            }
            TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        };
        // A thread of its own, which ends in there: a socket belongs to the network that it was made in.
        let bound = thread::scope(|scope| {
            thread::Builder::new()
                .spawn_scoped(scope, bind)?
                .join()
                .unwrap_or_else(|_| Err(io::Error::other("the thread panicked")))
        });
        bound.map_err(host("listen in the sandbox's network", Path::new(self.id().as_str())))
    }
}

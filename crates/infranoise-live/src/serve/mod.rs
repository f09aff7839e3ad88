//! Looking on in a browser: a small server of pages that follow sweeps. It only reads, asks nobody, and lets nobody in who does not belong.
//!
//! ```text
//! listener ── guard (host name, token, headers) ── router ─┬─ page, parts by server-sent events
//!                                                          └─ library ── one worker per followed sweep
//! ```
//!
//! Each followed sweep has one worker thread that makes the parts of its page; viewers share them. A slow viewer gets the newest parts
//! when it can take them, and is dropped when it takes nothing for a minute: nobody keeps a queue.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::Notify;

use crate::{Clock, LiveError};

mod ask;
mod draw;
mod feed;
mod guard;
mod library;
mod listener;
mod logs;
mod moment;
mod page;
mod parts;
mod router;
mod token;
mod trial;
mod worker;

pub use guard::Guard;
pub use token::{LEAST_TOKEN, Token};

/// What a server is started with.
#[derive(Clone, Debug)]
pub struct Options {
    /// A sweep's folder, or a folder of sweeps.
    pub place: PathBuf,
    /// Where to listen.
    pub address: SocketAddr,
    /// Who has it is let in. Needed for any address but loopback; made if not given there.
    pub token: Option<String>,
    /// Names by which this server may be called, besides `localhost` and bare addresses.
    pub hosts: Vec<String>,
    /// The clock.
    pub clock: Clock,
    /// The program and version.
    pub made_by: &'static str,
}

/// A server that listens and does not yet answer.
#[derive(Debug)]
pub struct Server {
    listener: std::net::TcpListener,
    address: SocketAddr,
    guard: Arc<Guard>,
    library: Arc<library::Library>,
}

/// Stops a server from another thread.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Notify>);

impl Stop {
    /// Ends the server; what it was sending is cut off.
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

impl Server {
    /// Takes the address.
    ///
    /// # Errors
    /// If there is no sweep at the place, the address cannot be had, or the token can be guessed.
    pub fn bind(options: Options) -> Result<Self, LiveError> {
        let library = library::Library::open(&options)?;
        let listen = |source| LiveError::Listen { address: options.address, source };
        let listener = std::net::TcpListener::bind(options.address).map_err(listen)?;
        listener.set_nonblocking(true).map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let token = match options.token {
            Some(given) => Some(Token::given(&given)?),
            None if address.ip().is_loopback() => None,
            None => Some(Token::made()?),
        };
        let guard = Guard::new(token, options.hosts, address.port())?;
        Ok(Self { listener, address, guard: Arc::new(guard), library: Arc::new(library) })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What to open in a browser, the token included.
    #[must_use]
    pub fn url(&self) -> String {
        let query = self.guard.token().map(|token| format!("?token={}", token.reveal())).unwrap_or_default();
        format!("http://{}/{query}", self.address)
    }

    /// Answers until it is stopped.
    ///
    /// # Errors
    /// If the system gives what a server needs to nobody.
    pub fn run(self, stop: &Stop) -> Result<(), LiveError> {
        let address = self.address;
        let listen = |source| LiveError::Listen { address, source };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(2)
            .build()
            .map_err(listen)?;
        let ended = runtime.block_on(async {
            let listener = listener::Bounded::new(tokio::net::TcpListener::from_std(self.listener)?);
            let app = router::router(Arc::clone(&self.library), self.guard);
            tokio::select! {
                served = axum::serve(listener, app) => served,
                () = stop.0.notified() => Ok(()),
            }
        });
        runtime.shutdown_background();
        ended.map_err(listen)
    }
}

//! Why nothing can be shown.

use std::io;
use std::path::PathBuf;

use infranoise_store::StoreError;

/// Why nothing can be shown.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// There is no sweep at that place.
    #[error("`{}` holds no sweep", path.display())]
    NothingThere {
        /// The place.
        path: PathBuf,
    },
    /// The sweep cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file of the sweep cannot be read.
    #[error("read `{}`: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The terminal cannot be used.
    #[error("use the terminal: {0}")]
    Terminal(io::Error),
    /// The address cannot be listened on.
    #[error("listen on {address}: {source}")]
    Listen {
        /// The address.
        address: std::net::SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// A token that can be guessed.
    #[error("a token needs at least {least} characters of A-Z, a-z, 0-9, `-`, `_`, `.` or `~`")]
    WeakToken {
        /// The least length.
        least: usize,
    },
    /// The system gave no random bytes.
    #[error("make a token: {0}")]
    NoRandomness(getrandom::Error),
}

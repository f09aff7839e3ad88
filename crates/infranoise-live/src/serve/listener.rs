//! Connections: so many at once, and none that takes and gives nothing for a minute.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// At most so many connections at once; who comes later waits.
pub(super) const CONNECTIONS: usize = 256;

/// A connection on which nothing moved for so long is dropped.
const STALLED: Duration = Duration::from_secs(60);

/// So much of what a viewer has not taken yet lies in the kernel, in bytes; without a limit it would be megabytes for each.
const UNSENT: usize = 256 << 10;

/// Accepts connections while there is room.
#[derive(Debug)]
pub(super) struct Bounded {
    inner: TcpListener,
    room: Arc<Semaphore>,
}

impl Bounded {
    pub(super) fn new(inner: TcpListener) -> Self {
        Self { inner, room: Arc::new(Semaphore::new(CONNECTIONS)) }
    }
}

impl Listener for Bounded {
    type Io = Moving;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Moving, SocketAddr) {
        loop {
            // The semaphore is never closed.
            let Ok(permit) = Arc::clone(&self.room).acquire_owned().await else { continue };
            match self.inner.accept().await {
                Ok((stream, address)) => {
                    // Events are small and should go at once. A system that will have neither still serves.
                    let _ = stream.set_nodelay(true);
                    let _ = rustix::net::sockopt::set_socket_send_buffer_size(&stream, UNSENT);
                    return (Moving { stream, stalled: Box::pin(sleep(STALLED)), _permit: permit }, address);
                }
                // Out of descriptors, most likely: others end and give some back.
                Err(_) => sleep(Duration::from_millis(200)).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.inner.local_addr()
    }
}

/// A connection that has to move.
#[derive(Debug)]
pub(super) struct Moving {
    stream: TcpStream,
    stalled: Pin<Box<Sleep>>,
    _permit: OwnedSemaphorePermit,
}

impl Moving {
    /// What was done counts as movement; what waits is watched.
    fn watch<T>(&mut self, context: &mut Context<'_>, polled: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.stalled.as_mut().reset(Instant::now() + STALLED);
            return polled;
        }
        match self.stalled.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Moving {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.watch(context, polled)
    }
}

impl AsyncWrite for Moving {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watch(context, polled)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        self.watch(context, polled)
    }

    // Viewers share the pieces that wait for them; without this each would get copies.
    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

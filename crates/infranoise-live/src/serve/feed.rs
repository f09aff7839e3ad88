//! Server-sent events: each viewer gets the newest parts as fast as it takes them, and no faster.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use tokio::sync::{mpsc, watch};

use super::worker::Seen;

/// A sign of life where nothing changes.
const STILL_HERE: Duration = Duration::from_secs(15);

/// The stream of a viewer: at most one piece waits; meanwhile newer moments take the place of older ones.
struct Feed(mpsc::Receiver<Bytes>);

impl Stream for Feed {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|piece| piece.map(Ok))
    }
}

/// Answers with events from after a mark on.
pub(super) fn events(sight: watch::Receiver<Seen>, mark: String) -> Response {
    let (to, from) = mpsc::channel(1);
    tokio::spawn(send(sight, mark, to));
    let headers = [(header::CONTENT_TYPE, "text/event-stream")];
    (headers, Body::from_stream(Feed(from))).into_response()
}

async fn send(mut sight: watch::Receiver<Seen>, mark: String, to: mpsc::Sender<Bytes>) {
    // How long a browser waits before it asks again.
    if to.send(Bytes::from_static(b"retry: 3000\n\n")).await.is_err() {
        return;
    }
    let mut seen: Option<u64> = None;
    loop {
        let moment = match &*sight.borrow_and_update() {
            Seen::Moment(moment) => Some(moment.clone()),
            Seen::NotYet | Seen::Failed(_) => None,
        };
        if let Some(moment) = moment {
            let from = seen.unwrap_or_else(|| moment.seen(&mark));
            for part in moment.after(from) {
                if to.send(part.event.clone()).await.is_err() {
                    return;
                }
            }
            seen = Some(moment.number);
        }
        tokio::select! {
            changed = sight.changed() => if changed.is_err() { return },
            () = to.closed() => return,
            () = tokio::time::sleep(STILL_HERE) => {
                if to.send(Bytes::from_static(b": still here\n\n")).await.is_err() {
                    return;
                }
            }
        }
    }
}

//! Questions to a worker that are about one trial.

use tokio::sync::oneshot;

/// A question: how does the trial of this folder stand? The answer is a part of a page, or nothing if there is no such trial.
#[derive(Debug)]
pub(super) struct Ask {
    /// The trial's folder name, as in the page's links. Only compared, never opened.
    pub(super) folder: String,
    /// Who wants to know.
    pub(super) reply: oneshot::Sender<Option<String>>,
}

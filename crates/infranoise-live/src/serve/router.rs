//! Which address shows what.

use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use axum::Router;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use tokio::sync::{oneshot, watch};

use super::ask::Ask;
use super::guard::{Guard, stand};
use super::library::{Library, Refused};
use super::moment::Moment;
use super::worker::Seen;
use super::{feed, page};
use crate::find::written;

/// A sweep that is not read by then is said to be slow.
const PATIENCE: Duration = Duration::from_secs(20);

/// Every address, behind the guard.
pub(super) fn router(library: Arc<Library>, guard: Arc<Guard>) -> Router {
    Router::new()
        .route("/", get(beginning))
        .route("/live.css", get(style))
        .route("/live.js", get(script))
        .route("/r/{sweep}", get(|Path(sweep): Path<String>| async move { slash(&sweep) }))
        .route("/r/{sweep}/", get(sweep))
        .route("/r/{sweep}/events", get(events))
        .route("/r/{sweep}/report.html", get(report))
        .route("/r/{sweep}/analysis.json", get(analysis))
        .route("/r/{sweep}/t/{trial}", get(trial))
        .fallback(|| async { sorry(StatusCode::NOT_FOUND, "There is nothing at this address.") })
        .layer(from_fn_with_state(guard, stand))
        .with_state(library)
}

/// The address of a sweep's page. What is no name of a sweep leads nowhere.
fn slash(sweep: &str) -> Response {
    match infranoise_core::SweepId::try_new(sweep) {
        Ok(name) => Redirect::to(&format!("/r/{name}/")).into_response(),
        Err(_) => unknown(),
    }
}

async fn beginning(State(library): State<Arc<Library>>) -> Response {
    if let Some(only) = library.only() {
        return slash(only);
    }
    let sweeps: Vec<(String, Option<u64>)> = library
        .sweeps()
        .into_iter()
        .map(|(name, path)| {
            let since = written(&path).and_then(|at| at.duration_since(UNIX_EPOCH).ok());
            (name, since.and_then(|since| u64::try_from(since.as_millis()).ok()))
        })
        .collect();
    Html(page::list(&sweeps)).into_response()
}

async fn style() -> Response {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], page::style()).into_response()
}

async fn script() -> Response {
    ([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], page::SCRIPT).into_response()
}

async fn sweep(State(library): State<Arc<Library>>, Path(name): Path<String>) -> Response {
    match moment(&library, &name).await {
        Ok(moment) => Html(page::sweep(&moment, library.only().is_none())).into_response(),
        Err(refused) => refusal(&refused),
    }
}

async fn events(
    State(library): State<Arc<Library>>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let sight = match sight(&library, &name) {
        Ok(sight) => sight,
        Err(refused) => return refusal(&refused),
    };
    // A browser that comes back says what it saw last; one that just came says it in the address.
    let last = headers.get("last-event-id").and_then(|value| value.to_str().ok());
    let since = query.as_deref().and_then(|query| query.strip_prefix("since="));
    feed::events(sight, last.or(since).unwrap_or_default().to_owned())
}

async fn report(State(library): State<Arc<Library>>, Path(name): Path<String>) -> Response {
    let moment = match moment(&library, &name).await {
        Ok(moment) => moment,
        Err(refused) => return refusal(&refused),
    };
    let Some(analysis) = moment.analysis.clone() else {
        return sorry(
            StatusCode::SERVICE_UNAVAILABLE,
            "The first analysis is under way; try again in a moment.",
        );
    };
    match tokio::task::spawn_blocking(move || infranoise_report::html(&analysis)).await {
        // The report brings its own policy in the page: its one script is allowed by its hash.
        Ok(html) => {
            ([(header::CONTENT_SECURITY_POLICY, "frame-ancestors 'none'")], Html(html)).into_response()
        }
        Err(_) => sorry(StatusCode::INTERNAL_SERVER_ERROR, "The report could not be made."),
    }
}

async fn analysis(State(library): State<Arc<Library>>, Path(name): Path<String>) -> Response {
    let analysis = match moment(&library, &name).await {
        Ok(moment) => moment.analysis.clone(),
        Err(refused) => return refusal(&refused),
    };
    match analysis.and_then(|analysis| serde_json::to_string_pretty(&*analysis).ok()) {
        Some(json) => ([(header::CONTENT_TYPE, "application/json")], json).into_response(),
        None => {
            sorry(StatusCode::SERVICE_UNAVAILABLE, "The first analysis is under way; try again in a moment.")
        }
    }
}

async fn trial(
    State(library): State<Arc<Library>>,
    Path((name, folder)): Path<(String, String)>,
    RawQuery(query): RawQuery,
) -> Response {
    let worker = match library.worker(&name) {
        Ok(worker) => worker,
        Err(refused) => return refusal(&refused),
    };
    let (reply, answer) = oneshot::channel();
    if worker.questions().try_send(Ask { folder: folder.clone(), reply }).is_err() {
        return busy();
    }
    match tokio::time::timeout(PATIENCE, answer).await {
        Ok(Ok(Some(part))) if query.as_deref() == Some("part") => Html(part).into_response(),
        Ok(Ok(Some(part))) => Html(page::trial(&name, &folder, &part)).into_response(),
        Ok(Ok(None)) => sorry(StatusCode::NOT_FOUND, "The plan of this sweep holds no such trial."),
        Ok(Err(_)) | Err(_) => busy(),
    }
}

/// A viewer's sight of a sweep.
fn sight(library: &Arc<Library>, name: &str) -> Result<watch::Receiver<Seen>, Refused> {
    library.worker(name).map(|worker| worker.look())
}

/// The newest moment of a sweep, once there is one.
async fn moment(library: &Arc<Library>, name: &str) -> Result<Arc<Moment>, Refused> {
    let mut sight = sight(library, name)?;
    let known = sight.wait_for(|seen| !matches!(seen, Seen::NotYet));
    let seen = match tokio::time::timeout(PATIENCE, known).await {
        Ok(Ok(seen)) => seen.clone(),
        Ok(Err(_)) | Err(_) => Seen::NotYet,
    };
    match seen {
        Seen::Moment(moment) => Ok(moment),
        Seen::Failed(why) => Err(Refused::Failed(why)),
        Seen::NotYet => Err(Refused::Busy),
    }
}

fn refusal(refused: &Refused) -> Response {
    match refused {
        Refused::Unknown => unknown(),
        Refused::Busy => busy(),
        Refused::Failed(why) => sorry(StatusCode::INTERNAL_SERVER_ERROR, why),
    }
}

fn unknown() -> Response {
    sorry(StatusCode::NOT_FOUND, "There is no sweep of this name.")
}

fn busy() -> Response {
    sorry(StatusCode::SERVICE_UNAVAILABLE, "Too much is being looked at; try again in a moment.")
}

fn sorry(status: StatusCode, says: &str) -> Response {
    (status, Html(page::sorry(says))).into_response()
}

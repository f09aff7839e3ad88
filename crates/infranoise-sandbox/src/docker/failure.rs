//! What a daemon's errors mean to whoever drives trials.

use std::error::Error as _;

use bollard::errors::Error;

use super::Flavour;
use crate::contract::{EngineError, ImageFailure};

/// The host, or the daemon, cannot do what was asked.
pub(super) fn incapable(what: impl Into<String>, way_out: impl Into<String>) -> EngineError {
    EngineError::Incapable { what: what.into(), way_out: way_out.into() }
}

/// The daemon did not do what it was asked.
pub(super) fn daemon_error(flavour: Flavour, step: &str, error: &Error) -> EngineError {
    EngineError::Daemon { engine: flavour.name(), step: step.to_owned(), why: whole(error) }
}

/// An error with everything beneath it: the useful part is mostly at the bottom.
pub(super) fn whole(error: &Error) -> String {
    let mut text = match error {
        Error::DockerResponseServerError { message, .. } => message.trim().to_owned(),
        Error::DockerStreamError { error } => error.trim().to_owned(),
        other => other.to_string(),
    };
    let mut source = error.source();
    while let Some(deeper) = source {
        let deeper_text = deeper.to_string();
        if !text.contains(&deeper_text) {
            text = format!("{text}: {deeper_text}");
        }
        source = deeper.source();
    }
    text
}

/// What kept an image from being fetched, by the words that registries and daemons use for it.
pub(super) fn image_failure(text: &str) -> ImageFailure {
    let text = text.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if says(&["toomanyrequests", "too many requests", "429", "rate limit"]) {
        ImageFailure::RateLimited
    } else if says(&["no space left"]) {
        ImageFailure::DiskFull
    } else if says(&["unauthorized", "denied", "authentication required", "no basic auth"]) {
        ImageFailure::Denied
    } else if says(&["manifest unknown", "not found", "no such image", "name unknown", "invalid reference"]) {
        ImageFailure::Missing
    } else if says(&[
        "dial tcp",
        "no such host",
        "i/o timeout",
        "connection refused",
        "connection reset",
        "tls handshake",
        "unexpected eof",
        "network is unreachable",
        "context deadline exceeded",
        "temporary failure in name resolution",
        "server misbehaving",
    ]) {
        ImageFailure::Network
    } else {
        ImageFailure::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registries_words_are_told_apart() {
        let cases = [
            ("toomanyrequests: You have reached your pull rate limit", ImageFailure::RateLimited),
            ("received unexpected HTTP status: 429 Too Many Requests", ImageFailure::RateLimited),
            (
                "Get \"https://r.example/v2/\": dial tcp: lookup r.example: no such host",
                ImageFailure::Network,
            ),
            (
                "Get \"http://127.0.0.1:1/v2/\": dial tcp 127.0.0.1:1: connect: connection refused",
                ImageFailure::Network,
            ),
            ("manifest for a/b:1 not found: manifest unknown: manifest unknown", ImageFailure::Missing),
            ("pull access denied for a/b, repository does not exist", ImageFailure::Denied),
            ("write /var/lib/x: no space left on device", ImageFailure::DiskFull),
            ("something else", ImageFailure::Other),
        ];
        for (text, expected) in cases {
            assert_eq!(image_failure(text), expected, "{text}");
        }
    }
}

//! The list of containers, asked for and read by hand: Podman's service names states that Docker's language, and so the client library, does
//! not know, and only ids and labels are wanted.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use serde::Deserialize;

/// How long a daemon may take for one answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// More than any list of containers.
const MOST_BYTES: u64 = 64 << 20;

/// A container, as far as it is looked at.
#[derive(Debug, Deserialize)]
pub(super) struct Listed {
    #[serde(rename = "Id")]
    pub(super) id: String,
    #[serde(rename = "Labels", default)]
    pub(super) labels: Option<HashMap<String, String>>,
}

/// All containers, running or not, that have every one of the labels, each as `name=value`.
pub(super) fn with_labels(address: &str, labels: &[String]) -> io::Result<Vec<Listed>> {
    let filters = serde_json::json!({ "label": labels }).to_string();
    // The oldest version of the protocol: the answer ends when the connection does.
    let request = format!(
        "GET /v1.40/containers/json?all=1&filters={} HTTP/1.0\r\nHost: localhost\r\n\r\n",
        escaped(&filters)
    );
    let answer = match address.strip_prefix("unix://") {
        Some(path) => {
            let stream = UnixStream::connect(path)?;
            stream.set_read_timeout(Some(PATIENCE))?;
            talk(stream, &request)?
        }
        None => {
            let place = address.trim_start_matches("tcp://").trim_start_matches("http://");
            let stream = TcpStream::connect(place)?;
            stream.set_read_timeout(Some(PATIENCE))?;
            talk(stream, &request)?
        }
    };
    parse(&answer)
}

fn talk(mut stream: impl Read + Write, request: &str) -> io::Result<Vec<u8>> {
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    stream.take(MOST_BYTES).read_to_end(&mut answer)?;
    Ok(answer)
}

fn parse(answer: &[u8]) -> io::Result<Vec<Listed>> {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n");
    let end = end.ok_or_else(|| io::Error::other("the answer has no head"))?;
    let (head, body) = (String::from_utf8_lossy(&answer[..end]), &answer[end + 4..]);
    let status = head.lines().next().unwrap_or_default();
    if status.split(' ').nth(1) != Some("200") {
        return Err(io::Error::other(format!("{status}: {}", String::from_utf8_lossy(body).trim())));
    }
    serde_json::from_slice(body).map_err(io::Error::other)
}

/// Everything but letters and digits, as the address of a request wants it.
fn escaped(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    text.bytes().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_labels_are_read_whatever_else_is_said() {
        let answer = b"HTTP/1.0 200 OK\r\nA: b\r\n\r\n[{\"Id\":\"x\",\"State\":\"stopped\",\"Labels\":{\"a\":\"b\"}},{\"Id\":\"y\",\"Labels\":null}]";
        let read = parse(answer).expect("a list");
        assert_eq!(read.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["x", "y"]);
        assert_eq!(read[0].labels.as_ref().and_then(|labels| labels.get("a")).map(String::as_str), Some("b"));
        assert!(parse(b"HTTP/1.0 500 no\r\n\r\nwhy").expect_err("no list").to_string().contains("why"));
        assert_eq!(escaped("{\"a\"}"), "%7B%22a%22%7D");
    }
}

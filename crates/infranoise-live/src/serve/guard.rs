//! Who is let in: the host name that was asked for, the token, and what every answer tells the browser.
//!
//! A page of somebody else can make a browser ask here, by a name that suddenly points to this machine. Such a question carries that
//! name, and is refused: only `localhost`, bare addresses and names that were allowed are answered.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::token::Token;
use crate::LiveError;

/// Only this server's own script, style and events; no frame, no form, nothing from anywhere else.
pub(super) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
                                 base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Decides who is let in.
#[derive(Debug)]
pub struct Guard {
    token: Option<Token>,
    /// What the browser keeps instead of the token: made anew by each server.
    session: Token,
    cookie: String,
    hosts: Vec<String>,
}

/// What the guard says to a question.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Ruling {
    /// It is answered.
    Let,
    /// The token is right: the browser gets a cookie and asks again without it.
    Welcome(String),
    /// The host name is not ours.
    Stranger,
    /// The token is missing or wrong.
    NoToken,
    /// Nothing here can be changed.
    ReadOnly,
}

impl Guard {
    /// A guard; without a token everybody is let in who asks for a fitting host name.
    ///
    /// # Errors
    /// If the system gives no random bytes.
    pub fn new(token: Option<Token>, hosts: Vec<String>, port: u16) -> Result<Self, LiveError> {
        let hosts = hosts.into_iter().map(|host| host.to_ascii_lowercase()).collect();
        // Cookies do not know ports: the name keeps two servers on one machine apart.
        Ok(Self { token, session: Token::made()?, cookie: format!("infranoise-{port}"), hosts })
    }

    /// The token.
    #[must_use]
    pub fn token(&self) -> Option<&Token> {
        self.token.as_ref()
    }

    fn rule(&self, method: &Method, path: &str, query: Option<&str>, headers: &HeaderMap) -> Ruling {
        if method != Method::GET && method != Method::HEAD {
            return Ruling::ReadOnly;
        }
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        if !host.is_some_and(|host| self.knows(host)) {
            return Ruling::Stranger;
        }
        let Some(token) = &self.token else { return Ruling::Let };
        if self.has_session(headers) || has_bearer(headers, token) {
            return Ruling::Let;
        }
        let pairs = query.into_iter().flat_map(|query| query.split('&'));
        match pairs.filter_map(|pair| pair.strip_prefix("token=")).next() {
            Some(given) if token.is(given) => Ruling::Welcome(path.to_owned()),
            Some(_) | None => Ruling::NoToken,
        }
    }

    /// Whether a host name, with or without a port, is one of ours.
    fn knows(&self, host: &str) -> bool {
        let name = match host.strip_prefix('[') {
            Some(rest) => rest.split(']').next().unwrap_or_default(),
            None => host.split(':').next().unwrap_or_default(),
        };
        let name = name.to_ascii_lowercase();
        name == "localhost" || name.parse::<IpAddr>().is_ok() || self.hosts.contains(&name)
    }

    fn has_session(&self, headers: &HeaderMap) -> bool {
        let cookies = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
        cookies
            .flat_map(|line| line.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .any(|(name, value)| name == self.cookie && self.session.is(value))
    }

    fn welcome(&self, path: &str) -> Response {
        let cookie = format!("{}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie, self.session.reveal());
        // One slash in front, so that it is a path here and not another host.
        let to = format!("/{}", path.trim_start_matches('/'));
        (StatusCode::SEE_OTHER, [(header::LOCATION, to), (header::SET_COOKIE, cookie)]).into_response()
    }
}

fn has_bearer(headers: &HeaderMap, token: &Token) -> bool {
    let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    given.and_then(|given| given.strip_prefix("Bearer ")).is_some_and(|given| token.is(given))
}

/// Stands before every answer.
pub(super) async fn stand(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let uri = request.uri();
    let mut response = match guard.rule(request.method(), uri.path(), uri.query(), request.headers()) {
        Ruling::Let => next.run(request).await,
        Ruling::Welcome(path) => guard.welcome(&path),
        Ruling::Stranger => {
            refusal(StatusCode::MISDIRECTED_REQUEST, "this name is not known here; see --allow-host")
        }
        Ruling::NoToken => refusal(
            StatusCode::UNAUTHORIZED,
            "a token is needed: open the address that `infranoise serve` printed",
        ),
        Ruling::ReadOnly => refusal(StatusCode::METHOD_NOT_ALLOWED, "nothing can be changed here"),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    response
}

fn refusal(status: StatusCode, says: &'static str) -> Response {
    (status, [(header::CONTENT_TYPE, "text/plain; charset=utf-8")], format!("{says}\n")).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "0123456789abcdef";

    fn ruling(guard: &Guard, query: Option<&str>, headers: &[(&str, &str)]) -> Ruling {
        let pairs = headers.iter().map(|(name, value)| {
            (
                name.parse::<header::HeaderName>().expect("a name"),
                value.parse::<HeaderValue>().expect("a value"),
            )
        });
        guard.rule(&Method::GET, "/r/a/", query, &pairs.collect())
    }

    #[test]
    fn names_that_could_point_here_by_deceit_are_refused() {
        let guard = Guard::new(None, vec!["Eval.Example".to_owned()], 1).expect("a guard");
        for (host, known) in [
            ("127.0.0.1:8080", true),
            ("localhost", true),
            ("LOCALHOST:1", true),
            ("[::1]:8080", true),
            ("10.1.2.3:80", true),
            ("eval.example:80", true),
            ("evil.example", false),
            ("localhost.evil.example", false),
            ("127.0.0.1.evil.example", false),
            ("", false),
        ] {
            let expected = if known { Ruling::Let } else { Ruling::Stranger };
            assert_eq!(ruling(&guard, None, &[("host", host)]), expected, "{host}");
        }
        assert_eq!(ruling(&guard, None, &[]), Ruling::Stranger);
        let headers = HeaderMap::from_iter([(header::HOST, HeaderValue::from_static("localhost"))]);
        assert_eq!(guard.rule(&Method::POST, "/", None, &headers), Ruling::ReadOnly);
    }

    #[test]
    fn a_token_is_taken_once_and_then_a_cookie() {
        let token = Token::given(TOKEN).expect("a token");
        let guard = Guard::new(Some(token), Vec::new(), 7).expect("a guard");
        let host = ("host", "localhost");
        let session = format!("a=b; infranoise-7={}", guard.session.reveal());
        let wrong = format!("infranoise-8={}", guard.session.reveal());
        let bearer = format!("Bearer {TOKEN}");
        let right = format!("x=1&token={TOKEN}");
        assert_eq!(ruling(&guard, None, &[host]), Ruling::NoToken);
        assert_eq!(ruling(&guard, Some("token=0123456789abcdeX"), &[host]), Ruling::NoToken);
        assert_eq!(ruling(&guard, Some(&right), &[host]), Ruling::Welcome("/r/a/".to_owned()));
        assert_eq!(ruling(&guard, Some(&right), &[("host", "evil.example")]), Ruling::Stranger);
        assert_eq!(ruling(&guard, None, &[host, ("cookie", &session)]), Ruling::Let);
        assert_eq!(ruling(&guard, None, &[host, ("cookie", &wrong)]), Ruling::NoToken);
        assert_eq!(
            ruling(&guard, None, &[host, ("cookie", &format!("infranoise-7={TOKEN}"))]),
            Ruling::NoToken
        );
        assert_eq!(ruling(&guard, None, &[host, ("authorization", &bearer)]), Ruling::Let);
        let welcome = guard.welcome("//evil.example/");
        assert_eq!(
            welcome.headers().get(header::LOCATION).map(HeaderValue::as_bytes),
            Some(&b"/evil.example/"[..])
        );
    }
}

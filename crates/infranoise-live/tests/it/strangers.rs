//! Who does not belong here gets nothing.

use infranoise_live::LiveError;
use infranoise_live::serve::{Options, Server};

use crate::site::{Site, Sweep, ticking};

const TOKEN: &str = "correct-horse-battery-staple";
const LOCAL: &str = "Host: localhost";

#[test]
fn without_the_token_nothing_is_shown_not_even_the_style() {
    let root = tempfile::tempdir().expect("a folder");
    Sweep::begin(root.path(), "secret").finish(0);
    let site = Site::with_token(root.path(), Some(TOKEN));
    let all = [
        "/",
        "/live.css",
        "/live.js",
        "/r/secret/",
        "/r/secret/events",
        "/r/secret/report.html",
        "/r/secret/t/task-0__1x__0",
        "/nowhere",
    ];
    for path in all {
        for query in
            ["", "?token=", "?token=correct-horse-battery-stapl", "?token=correct-horse-battery-staple2"]
        {
            let answer = site.get(&format!("{path}{query}"));
            assert_eq!(answer.status, 401, "{path}{query}");
            assert!(!answer.body.contains("secret"), "{path}: {}", answer.body);
        }
    }
    let welcome = site.get(&format!("/r/secret/?token={TOKEN}"));
    assert_eq!(welcome.status, 303);
    assert!(
        welcome.head.contains("location: /r/secret/\r\n"),
        "the token does not stay in the address: {}",
        welcome.head
    );
    let cookie = welcome.head.split("set-cookie: ").nth(1).expect("a cookie");
    let cookie = cookie.split("\r\n").next().expect("a line");
    assert!(cookie.contains("httponly") && cookie.contains("samesite=strict"), "{cookie}");
    assert!(!cookie.contains(TOKEN), "the token is not in the cookie");
    let pair = format!("Cookie: {}", cookie.split(';').next().expect("a pair"));
    assert_eq!(site.ask("/r/secret/", &[LOCAL, &pair]).status, 200);
    assert_eq!(site.ask("/r/secret/", &[LOCAL, &format!("Authorization: Bearer {TOKEN}")]).status, 200);
}

#[test]
fn deceitful_names_and_changing_methods_are_refused() {
    let root = tempfile::tempdir().expect("a folder");
    Sweep::begin(root.path(), "open").finish(0);
    let site = Site::open(root.path());
    for host in ["Host: evil.example", "Host: localhost.evil.example:80", "Host: "] {
        assert_eq!(site.ask("/", &[host]).status, 421, "{host}");
    }
    assert_ne!(site.ask("/", &[]).status, 200, "no name at all");
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"] {
        let answer = site.request(method, "/r/open/", &[LOCAL, "Origin: http://evil.example"]);
        assert_eq!(answer.status, 405, "{method}");
        assert!(!answer.head.contains("access-control"), "{method}: {}", answer.head);
    }
}

#[test]
fn no_path_leads_out_of_the_place() {
    let outside = tempfile::tempdir().expect("a folder");
    let root = outside.path().join("runs");
    Sweep::begin(&root, "inside").finish(0);
    Sweep::begin(outside.path(), "outside").finish(0);
    std::fs::write(outside.path().join("secret.txt"), "TOP SECRET").expect("writes");
    let site = Site::open(&root);
    assert_eq!(site.get("/r/inside/").status, 200);
    for path in [
        "/r/../outside/",
        "/r/..%2foutside/",
        "/r/%2e%2e%2foutside/",
        "/r/..%5coutside/",
        "/r//outside/",
        "/r/inside/../../outside/",
        "/r/inside/t/..%2f..%2f..%2fsecret.txt",
        "/r/inside/t/%2fetc%2fpasswd",
        "/r/inside/t/..",
        "/r/inside/t/task-0__1x__0%00",
        "/r/inside%00/",
        "/r/inside%0d%0aset-cookie:%20a=b",
        "/../secret.txt",
        "/r/.../",
        "/r/%ff/",
    ] {
        let answer = site.get(path);
        assert!(matches!(answer.status, 400 | 404), "{path}: {}", answer.status);
        for unwanted in ["TOP SECRET", "root:", "set-cookie: a=b"] {
            assert!(!answer.body.contains(unwanted) && !answer.head.contains(unwanted), "{path}: {unwanted}");
        }
    }
}

#[test]
fn an_open_address_gets_a_token_and_a_weak_one_is_refused() {
    let root = tempfile::tempdir().expect("a folder");
    Sweep::begin(root.path(), "open").finish(0);
    let options = |address: [u8; 4], token: Option<&str>| Options {
        place: root.path().to_owned(),
        address: (address, 0).into(),
        token: token.map(str::to_owned),
        hosts: Vec::new(),
        clock: ticking,
        made_by: "test",
    };
    let everywhere = Server::bind(options([0, 0, 0, 0], None)).expect("listens");
    assert!(everywhere.url().contains("?token="), "{}", everywhere.url());
    let here = Server::bind(options([127, 0, 0, 1], None)).expect("listens");
    assert!(!here.url().contains("token"), "{}", here.url());
    let weak = Server::bind(options([0, 0, 0, 0], Some("1234"))).expect_err("is refused");
    assert!(matches!(weak, LiveError::WeakToken { .. }), "{weak}");
    let empty = tempfile::tempdir().expect("a folder");
    let nothing = Options { place: empty.path().to_owned(), ..options([127, 0, 0, 1], None) };
    assert!(matches!(Server::bind(nothing), Err(LiveError::NothingThere { .. })));
}

//! Many viewers, and slow ones: nobody else notices.

use std::io::Read as _;
use std::net::TcpStream;
use std::time::Duration;

use infranoise_core::testing::Ending;

use crate::site::{Site, Sweep};

#[test]
fn two_hundred_viewers_that_do_not_read_hold_up_nobody() {
    let root = tempfile::tempdir().expect("a folder");
    let mut sweep = Sweep::begin(root.path(), "popular");
    let site = Site::open(root.path());
    let path = "/r/popular/events";
    let slow: Vec<TcpStream> =
        (0..200).map(|_| site.connect("GET", path, &["Host: localhost"], "keep-alive")).collect();
    let mut quick = site.events("popular");
    for n in 0..12 {
        sweep.run(n, &[(0, 1 << 20, 0), (1_000, 2 << 20, 1)]);
        sweep.end(n, Ending::Pass);
        if n % 4 == 3 {
            quick.until("state", &format!("{} of 36", n + 1));
        }
    }
    assert_eq!(site.get("/r/popular/").status, 200, "a page is still served");
    // One of the slow ones wakes up: what it gets is whole, and leads up to now.
    let mut woken = slow.into_iter().next().expect("a viewer");
    woken.set_read_timeout(Some(Duration::from_secs(30))).expect("a limit");
    let mut got = Vec::new();
    let mut chunk = [0; 65_536];
    while !String::from_utf8_lossy(&got).contains("12 of 36") {
        let n = woken.read(&mut chunk).expect("more comes");
        assert!(n > 0, "the stream goes on");
        got.extend_from_slice(&chunk[..n]);
    }
}

#[test]
fn viewers_that_leave_in_the_middle_are_forgotten() {
    let root = tempfile::tempdir().expect("a folder");
    let mut sweep = Sweep::begin(root.path(), "left");
    let site = Site::open(root.path());
    for _ in 0..300 {
        // More than may be connected at once: each has to give its place back.
        let viewer = site.connect("GET", "/r/left/events", &["Host: localhost"], "keep-alive");
        drop(viewer);
    }
    let mut events = site.events("left");
    sweep.end(0, Ending::Pass);
    events.until("state", "1 of 36");
}

//! Names and logs of strangers show as text.

use infranoise_core::Subject;
use infranoise_core::testing::{Ending, plan};

use crate::site::{Site, Sweep};

const HOSTILE: &str = "</title><script>alert(1)</script><img src=x onerror=alert(2)>'\"&\u{1b}[2J\u{202E}\0";

#[test]
fn hostile_names_and_logs_are_text_on_every_page() {
    let root = tempfile::tempdir().expect("a folder");
    let mut plan = plan(2, 2, 1);
    plan.subject = Subject { agent: HOSTILE.to_owned(), model: Some(HOSTILE.to_owned()) };
    plan.engine = HOSTILE.to_owned();
    let mut sweep = Sweep::planned(root.path(), plan, "hostile");
    sweep.run(0, &[(0, 1, 0), (1_000, 2, 1)]);
    let logs = sweep.trial(0).join("agent");
    std::fs::create_dir_all(&logs).expect("a folder");
    std::fs::write(logs.join("<b>name.log"), format!("{HOSTILE}\n").repeat(50)).expect("writes");
    std::fs::write(logs.join("long.log"), "<u>".repeat(1 << 19)).expect("writes");
    std::fs::write(logs.join("bytes.log"), [0xff, 0xfe, 0x00, b'\n', b'<', b's', 0xc0]).expect("writes");
    // The file that grows with samples holds no samples.
    sweep.run(1, &[]);
    std::fs::write(sweep.trial(1).join("telemetry.csv"), "<script>alert(3)</script>\n").expect("writes");
    let site = Site::open(root.path());
    let mut events = site.events("hostile");
    events.until("running", "class=\"mem\"");
    let folder = sweep.keys[0].folder();
    for path in
        ["/r/hostile/".to_owned(), format!("/r/hostile/t/{folder}"), format!("/r/hostile/t/{folder}?part")]
    {
        let page = site.get(&path);
        assert_eq!(page.status, 200, "{path}");
        for unwanted in ["<script>", "<img", "<b>name", "<u>", "\u{1b}", "\u{202E}", "\0"] {
            assert!(!page.body.contains(unwanted), "{unwanted:?} in {path}");
        }
        assert!(page.body.len() < 400_000, "{path}: {} bytes", page.body.len());
    }
    let trial = site.get(&format!("/r/hostile/t/{folder}")).body;
    for wanted in ["&lt;script&gt;alert(1)", "agent/&lt;b&gt;name.log", "⟨U+202E⟩", "more bytes"] {
        assert!(trial.contains(wanted), "{wanted} in the trial's page");
    }
    sweep.end(0, Ending::Fault);
    events.until("ended", &folder);
}

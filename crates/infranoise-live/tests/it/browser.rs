//! What a browser gets: whole pages, and events as the sweep goes on.

use infranoise_core::testing::Ending;
use infranoise_live::serve::Guard;
use infranoise_report::figures::FIGURES;
use infranoise_report::text::escape::markup;

use crate::site::{Site, Sweep};

#[test]
fn a_finished_sweep_is_a_whole_page_without_any_script() {
    let root = tempfile::tempdir().expect("a folder");
    let mut sweep = Sweep::begin(root.path(), "done");
    sweep.run(0, &[]);
    sweep.finish(0);
    let site = Site::open(sweep.folder.path());
    let begin = site.get("/");
    assert_eq!(begin.status, 303);
    assert!(begin.head.contains("location: /r/done/"), "{}", begin.head);
    let page = site.get("/r/done/");
    assert_eq!(page.status, 200);
    for spec in FIGURES.iter().filter(|spec| spec.id != "verdict") {
        assert!(page.body.contains(&markup(spec.question)), "{} is on the page", spec.id);
    }
    assert!(page.body.contains("ceiling kills"), "{}", page.body);
    assert!(page.head.contains("content-security-policy: default-src 'none'"), "{}", page.head);
    for unwanted in ["access-control-allow-origin", "server:"] {
        assert!(!page.head.contains(unwanted), "{unwanted}: {}", page.head);
    }
    // Nothing is loaded from anywhere else, and no script or style stands in the page itself.
    for unwanted in ["src=\"http", "href=\"http", "<style", " style=", " onclick", "url(http"] {
        assert!(!page.body.contains(unwanted), "{unwanted} in the page");
    }
    assert_eq!(page.body.matches("<script").count(), 1);
    for (path, kind) in [
        ("/live.css", "text/css"),
        ("/live.js", "text/javascript"),
        ("/r/done/report.html", "text/html"),
        ("/r/done/analysis.json", "application/json"),
        ("/r/done/t/task-0__1x__0", "text/html"),
    ] {
        let answer = site.get(path);
        assert_eq!(answer.status, 200, "{path}");
        assert!(answer.head.contains(kind), "{path}: {}", answer.head);
        assert!(answer.head.contains("x-content-type-options: nosniff"), "{path}: {}", answer.head);
    }
    let analysis: serde_json::Value =
        serde_json::from_str(&site.get("/r/done/analysis.json").body).expect("JSON");
    assert_eq!(analysis["about"]["recorded"], 36);
}

#[test]
fn events_bring_trials_curves_and_figures_as_the_sweep_goes_on() {
    let root = tempfile::tempdir().expect("a folder");
    let mut sweep = Sweep::begin(root.path(), "going");
    let site = Site::open(root.path());
    assert!(site.get("/").body.contains("/r/going/"), "the list knows it");
    let mut events = site.events("going");
    events.until("running", "No trial is in its sandbox");
    sweep.run(0, &[(0, 8 << 20, 0), (1_000, 32 << 20, 500_000), (2_000, 60 << 20, 1_500_000)]);
    let card = events.until("running", "class=\"mem\"");
    for part in ["task-0", "60 MiB of 64 MiB", "1.00 CPU", "class=\"ceil\"", "class=\"cpu\"", "near"] {
        assert!(card.contains(part), "{part} in {card}");
    }
    let trial = site.get("/r/going/t/task-0__1x__0");
    assert!(trial.body.contains("in phase agent"), "{}", trial.body);
    sweep.end(0, Ending::CeilingKill);
    events.until("causes", "out of memory");
    events.until("ended", "t/task-0__1x__0");
    sweep.finish(1);
    events.until("state", "36 of 36");
    let figure = events.until("fig-causes", "<svg");
    assert!(figure.contains("ceiling"), "{figure}");
}

#[test]
fn a_torn_line_waits_and_a_damaged_one_is_said() {
    let root = tempfile::tempdir().expect("a folder");
    let mut sweep = Sweep::begin(root.path(), "torn");
    sweep.end(0, Ending::Pass);
    let journal = sweep.folder.journal_path();
    let whole = std::fs::read(&journal).expect("reads");
    sweep.end(1, Ending::Pass);
    let longer = std::fs::read(&journal).expect("reads");
    // As a process leaves it that died in mid-write.
    std::fs::write(&journal, &longer[..longer.len() - 10]).expect("writes");
    let site = Site::open(sweep.folder.path());
    let mut events = site.events("torn");
    events.until("state", "1 of 36");
    // The next one cuts the torn line off, and something else goes wrong.
    let mut next = whole.clone();
    next.extend_from_slice(b"{\"v\":1,\"seq\":7,<script>alert(1)</script>}\n");
    next.extend_from_slice(&longer[whole.len()..]);
    std::fs::write(&journal, &next).expect("writes");
    let state = events.until("state", "2 of 36");
    assert!(state.contains("damaged line"), "{state}");
    assert!(!state.contains("<script"), "{state}");
    std::fs::write(&journal, &whole).expect("writes");
    events.until("state", "1 of 36");
}

#[test]
fn a_folder_that_vanishes_leaves_what_was_known() {
    let root = tempfile::tempdir().expect("a folder");
    let mut sweep = Sweep::begin(root.path(), "brief");
    sweep.end(0, Ending::Pass);
    let site = Site::open(root.path());
    let mut events = site.events("brief");
    events.until("state", "1 of 36");
    std::fs::remove_dir_all(sweep.folder.path()).expect("removes");
    events.until("state", "folder is gone");
    let page = site.get("/r/brief/");
    assert_eq!(page.status, 200);
    assert!(page.body.contains("1 of 36"), "{}", page.body);
    assert!(site.get("/").body.contains("no sweep here"), "the list no longer has it");
    assert_eq!(site.get("/r/other/").status, 404);
}

#[test]
fn a_guard_without_a_token_shows_none() {
    assert!(Guard::new(None, Vec::new(), 1).expect("a guard").token().is_none());
}

//! What people see in a terminal, at several sizes.

use infranoise_core::Event;
use infranoise_core::testing::{Ending, plan};
use infranoise_live::follow::Follower;
use infranoise_live::pressure::Reading;
use infranoise_live::view::{Status, View};
use infranoise_live::watch::{Keys, Paint, draw, line, lines, once};
use infranoise_live::{Clock, Thinker};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{Event as Pressed, KeyCode, KeyEvent, KeyModifiers};

use crate::site::{Sweep, ticking};

/// A clock that stands still a minute and a half after the sweep began.
const STILL: Clock = || 1_700_000_090_000;

/// A sweep in the middle: every outcome occurs, and four trials run.
fn middle(root: &std::path::Path) -> Sweep {
    let mut sweep = Sweep::planned(root, plan(8, 6, 2), "middle");
    let endings = [
        Ending::Pass,
        Ending::Pass,
        Ending::CeilingKill,
        Ending::Fail,
        Ending::Pass,
        Ending::SurvivedKill,
        Ending::Fault,
        Ending::Pass,
        Ending::NotStarted,
    ];
    for n in 0..40 {
        sweep.end(n, endings[n % endings.len()]);
    }
    let mib = 1 << 20;
    sweep.run(
        40,
        &[(0, mib, 0), (500, 20 * mib, 200_000), (1_500, 61 * mib, 900_000), (2_500, 62 * mib, 1_900_000)],
    );
    sweep.run(41, &[(0, mib, 0), (1_000, 9 * mib, 100_000)]);
    sweep.run(42, &[]);
    sweep.run(43, &[(0, mib, 0)]);
    sweep
}

fn view(sweep: &Sweep) -> View {
    let mut follower = Follower::open(sweep.folder.path()).expect("opens");
    let mut thinker = Thinker::new(STILL, "test");
    follower.poll();
    thinker.think(follower.now(), |_| ());
    let mut view = View::of(&follower, &thinker, STILL());
    for n in 0..60 {
        let share = f64::from(n) / 100.0;
        view.pressure.push(Reading { cpu: share, memory: share / 10.0, io: 0.0 });
    }
    view
}

fn seen(view: &View, keys: &Keys, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
    terminal.draw(|frame| draw(view, keys, Paint { colour: true }, frame)).expect("draws");
    terminal.backend().to_string()
}

fn pressed(codes: &[KeyCode]) -> Keys {
    let mut keys = Keys::default();
    for code in codes {
        assert!(keys.press(&Pressed::Key(KeyEvent::new(*code, KeyModifiers::NONE))));
    }
    keys
}

#[test]
fn the_middle_of_a_sweep_at_three_sizes() {
    let root = tempfile::tempdir().expect("a folder");
    let view = view(&middle(root.path()));
    for (width, height) in [(80, 24), (120, 40), (60, 12)] {
        let picture = seen(&view, &Keys::default(), width, height);
        insta::assert_snapshot!(format!("middle_{width}x{height}"), picture);
    }
    insta::assert_snapshot!("middle_help", seen(&view, &pressed(&[KeyCode::Char('?')]), 80, 24));
    insta::assert_snapshot!(
        "middle_held",
        seen(&view, &pressed(&[KeyCode::Char('p'), KeyCode::Down]), 80, 20)
    );
    insta::assert_snapshot!("middle_line", line(&view));
}

#[test]
fn no_size_is_too_small_or_too_large() {
    let root = tempfile::tempdir().expect("a folder");
    let mut sweep = middle(root.path());
    sweep.finish(40);
    let view = view(&sweep);
    for (width, height) in [(1, 1), (2, 3), (10, 4), (20, 100), (500, 1), (400, 200), (80, 7)] {
        seen(&view, &pressed(&[KeyCode::Char('?'), KeyCode::PageDown]), width, height);
    }
}

#[test]
fn a_finished_sweep_is_told_in_one_frame_and_in_one_line() {
    let root = tempfile::tempdir().expect("a folder");
    let mut sweep = Sweep::planned(root.path(), plan(6, 3, 1), "done");
    sweep.finish(0);
    let frame = once(sweep.folder.path(), STILL, "test", (100, 30)).expect("a frame");
    insta::assert_snapshot!("done_once", frame);
    let mut said = Vec::new();
    let stop = std::sync::atomic::AtomicBool::new(false);
    let status = lines(sweep.folder.path(), ticking, "test", &stop, &mut |line| said.push(line.to_owned()));
    assert_eq!(status.expect("reads"), Status::Stopped(infranoise_core::StopReason::Complete));
    insta::assert_snapshot!("done_line", said.join("\n"));
}

#[test]
fn the_last_look_of_the_monitor_has_a_line_of_its_own() {
    let root = tempfile::tempdir().expect("a folder");
    let mut view = view(&middle(root.path()));
    view.monitor =
        Some("rounds 1 · trials of both arms 96 · points [interval] +12.0 [−8.0, +32.0]".to_owned());
    let picture = seen(&view, &Keys::default(), 80, 24);
    assert!(picture.contains("Monitor  rounds 1 · trials of both arms 96"), "{picture}");
}

#[test]
fn a_sweep_that_nobody_began_or_that_was_left_alone_is_told_apart() {
    let root = tempfile::tempdir().expect("a folder");
    let mut sweep = Sweep::begin(root.path(), "alone");
    let status = |sweep: &Sweep| view(sweep).status;
    assert_eq!(status(&sweep), Status::Running, "nobody is named in the lock: it may run elsewhere");
    let mut holder = infranoise_store::LockHolder::this_process();
    let name = |holder: &infranoise_store::LockHolder| {
        std::fs::write(sweep.folder.path().join("lock"), serde_json::to_vec(holder).expect("writes"))
            .expect("writes");
    };
    name(&holder);
    assert_eq!(status(&sweep), Status::Running);
    holder.pid = u32::MAX;
    name(&holder);
    assert_eq!(status(&sweep), Status::Abandoned);
    let at_ms = sweep.tick();
    sweep.tell(&Event::SweepStopped { at_ms, reason: infranoise_core::StopReason::Interrupted });
    assert_eq!(status(&sweep), Status::Stopped(infranoise_core::StopReason::Interrupted));
    std::fs::remove_file(sweep.folder.journal_path()).expect("removes");
    assert_eq!(status(&sweep), Status::NotBegun);
}

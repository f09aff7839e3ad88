//! Looking on in a terminal: a screen that follows, one frame as text, or a line now and then.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event;
use ratatui::{DefaultTerminal, Terminal};

use crate::follow::Follower;
use crate::view::{Status, View};
use crate::{Clock, LiveError, Thinker};

mod arms;
mod bar;
mod frame;
mod head;
mod keys;
mod line;
mod paint;
mod running;
mod sides;

pub use frame::draw;
pub use keys::Keys;
pub use line::line;
pub use paint::Paint;
pub(crate) use sides::cause_words;

/// How often files are looked at, in milliseconds.
const EVERY_MS: u64 = 1_000;

/// How often a line is said where there is no terminal, in milliseconds.
const LINE_EVERY_MS: u64 = 10_000;

/// A follower with its thinker: what each way of looking needs.
struct Watched {
    follower: Follower,
    thinker: Thinker,
    clock: Clock,
}

impl Watched {
    fn open(path: &Path, clock: Clock, made_by: &str) -> Result<Self, LiveError> {
        Ok(Self { follower: Follower::open(path)?, thinker: Thinker::new(clock, made_by), clock })
    }

    fn view(&mut self) -> View {
        self.follower.poll();
        if !self.follower.behind() {
            self.thinker.think(self.follower.now(), |_| ());
        }
        View::of(&self.follower, &self.thinker, (self.clock)())
    }

    /// The first view that has read the whole journal.
    fn whole(&mut self) -> View {
        loop {
            let view = self.view();
            if view.status != Status::CatchingUp {
                return view;
            }
        }
    }
}

/// One frame as text of this width and height; empty lines at its end are left out.
///
/// # Errors
/// If there is no sweep.
pub fn once(path: &Path, clock: Clock, made_by: &str, size: (u16, u16)) -> Result<String, LiveError> {
    let view = Watched::open(path, clock, made_by)?.whole();
    let mut terminal = match Terminal::new(TestBackend::new(size.0, size.1)) {
        Ok(terminal) => terminal,
        Err(never) => match never {},
    };
    let keys = Keys::on_paper();
    match terminal.draw(|frame| draw(&view, &keys, Paint { colour: false }, frame)) {
        Ok(_) => Ok(text(terminal.backend().buffer())),
        Err(never) => match never {},
    }
}

/// A buffer as lines of text.
fn text(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area.width).max(1);
    let lines = buffer.content.chunks(width).map(|row| {
        let line: String = row.iter().map(|cell| cell.symbol()).collect();
        line.trim_end().to_owned() + "\n"
    });
    let all: String = lines.collect();
    all.trim_end().to_owned() + "\n"
}

/// A screen that follows until a key, `stop` or the end of the terminal ends it. The terminal is restored however this ends.
///
/// # Errors
/// If there is no sweep, or the terminal cannot be used.
pub fn screen(
    path: &Path,
    clock: Clock,
    made_by: &str,
    paint: Paint,
    stop: &AtomicBool,
) -> Result<(), LiveError> {
    let mut watched = Watched::open(path, clock, made_by)?;
    let mut screen = Screen::take().map_err(LiveError::Terminal)?;
    screen.follow(&mut watched, paint, stop).map_err(LiveError::Terminal)
}

/// The terminal while it is ours. A panic restores it too: ratatui's hook does.
struct Screen(DefaultTerminal);

impl Screen {
    fn take() -> io::Result<Self> {
        ratatui::try_init().map(Self)
    }

    fn follow(&mut self, watched: &mut Watched, paint: Paint, stop: &AtomicBool) -> io::Result<()> {
        let mut keys = Keys::default();
        let mut view = watched.view();
        let mut due_ms = view.at_ms + EVERY_MS;
        while !stop.load(Ordering::Relaxed) {
            self.0.draw(|frame| draw(&view, &keys, paint, frame))?;
            if event::poll(Duration::from_millis(200))? && !keys.press(&event::read()?) {
                return Ok(());
            }
            if (watched.clock)() >= due_ms && !keys.paused() {
                view = watched.view();
                due_ms = view.at_ms + EVERY_MS;
            }
        }
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // Nothing better can be done if the terminal is gone.
        let _ = ratatui::try_restore();
    }
}

/// Says a line now and then until the sweep stops; returns how it stands then.
///
/// # Errors
/// If there is no sweep.
pub fn lines(
    path: &Path,
    clock: Clock,
    made_by: &str,
    stop: &AtomicBool,
    say: &mut dyn FnMut(&str),
) -> Result<Status, LiveError> {
    let mut watched = Watched::open(path, clock, made_by)?;
    let mut due_ms = 0;
    loop {
        let view = watched.view();
        let over = !view.status.goes_on() || stop.load(Ordering::Relaxed);
        if view.at_ms >= due_ms || over {
            say(&line(&view));
            due_ms = view.at_ms + LINE_EVERY_MS;
        }
        if over {
            return Ok(view.status);
        }
        std::thread::sleep(Duration::from_millis(EVERY_MS));
    }
}

//! What keys do.

use ratatui::crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers};

/// What was pressed so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keys {
    paused: bool,
    help: bool,
    scroll: usize,
    paper: bool,
}

impl Keys {
    /// For a frame that nobody can press keys at.
    #[must_use]
    pub fn on_paper() -> Self {
        Self { paper: true, ..Self::default() }
    }

    /// Whether the picture stands still.
    #[must_use]
    pub fn paused(&self) -> bool {
        self.paused
    }

    /// Whether every key is explained.
    #[must_use]
    pub fn help(&self) -> bool {
        self.help
    }

    /// How many running trials are scrolled past.
    #[must_use]
    pub fn scroll(&self) -> usize {
        self.scroll
    }

    /// Whether keys can be pressed.
    #[must_use]
    pub fn any(&self) -> bool {
        !self.paper
    }

    /// Takes an event of the terminal in; false ends the watching.
    pub fn press(&mut self, event: &Event) -> bool {
        let Event::Key(key) = event else { return true };
        if key.kind == KeyEventKind::Release {
            return true;
        }
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c' | 'd') if control => return false,
            KeyCode::Esc if self.help => self.help = false,
            KeyCode::Char('q') | KeyCode::Esc => return false,
            KeyCode::Char('p' | ' ') => self.paused = !self.paused,
            KeyCode::Char('?' | 'h') => self.help = !self.help,
            KeyCode::Down | KeyCode::Char('j') => self.scroll = self.scroll.saturating_add(1),
            KeyCode::Up | KeyCode::Char('k') => self.scroll = self.scroll.saturating_sub(1),
            KeyCode::PageDown => self.scroll = self.scroll.saturating_add(10),
            KeyCode::PageUp => self.scroll = self.scroll.saturating_sub(10),
            KeyCode::Home => self.scroll = 0,
            _ => {}
        }
        true
    }
}

/// Each key with what it does.
pub(super) const HELP: [(&str, &str); 6] = [
    ("q, Esc, Ctrl-C", "quit; the sweep goes on"),
    ("p, space", "hold the picture, and let it go on"),
    ("↑ ↓, j k", "scroll the running trials by one"),
    ("PgUp PgDn", "scroll by ten"),
    ("Home", "back to the first running trial"),
    ("?, h", "show or hide this"),
];

#[cfg(test)]
mod tests {
    use ratatui::crossterm::event::KeyEvent;

    use super::*;

    fn after(presses: &[(KeyCode, KeyModifiers)]) -> Option<Keys> {
        let mut keys = Keys::default();
        for (code, modifiers) in presses {
            if !keys.press(&Event::Key(KeyEvent::new(*code, *modifiers))) {
                return None;
            }
        }
        Some(keys)
    }

    #[test]
    fn keys_do_what_the_screen_says() {
        const NONE: KeyModifiers = KeyModifiers::NONE;
        let quits =
            [(KeyCode::Char('q'), NONE), (KeyCode::Esc, NONE), (KeyCode::Char('c'), KeyModifiers::CONTROL)];
        for quit in quits {
            assert_eq!(after(&[quit]), None, "{quit:?}");
        }
        let down = (KeyCode::Down, NONE);
        assert_eq!(after(&[down, down, (KeyCode::Up, NONE)]).map(|keys| keys.scroll()), Some(1));
        assert_eq!(after(&[(KeyCode::PageUp, NONE)]).map(|keys| keys.scroll()), Some(0));
        assert_eq!(after(&[(KeyCode::Char('p'), NONE)]).map(|keys| keys.paused()), Some(true));
        let help = (KeyCode::Char('?'), NONE);
        assert_eq!(
            after(&[help, (KeyCode::Esc, NONE)]).map(|keys| keys.help()),
            Some(false),
            "the first Esc"
        );
        assert!(after(&[(KeyCode::Char('x'), NONE)]).is_some());
        assert!(Keys::default().press(&Event::Resize(10, 3)));
    }
}

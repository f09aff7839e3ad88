//! Colours, where they are wanted. Outcomes differ by their sign before they do by colour.

use infranoise_core::Shown;
use ratatui::style::{Color, Modifier, Style};

/// Whether colours are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paint {
    /// Whether colours are wanted.
    pub colour: bool,
}

impl Paint {
    /// The style of an outcome.
    pub(super) fn outcome(self, shown: Shown) -> Style {
        let colour = match shown {
            Shown::Pass => Color::Blue,
            Shown::Fail | Shown::NotStarted => Color::Gray,
            Shown::Ceiling => Color::LightRed,
            Shown::Fault => Color::Magenta,
            Shown::Undetermined => Color::Yellow,
        };
        self.with(Style::new(), colour)
    }

    /// Headings.
    pub(super) fn head(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// What matters less.
    pub(super) fn dim(self) -> Style {
        if self.colour { Style::new().fg(Color::DarkGray) } else { Style::new() }
    }

    /// What is near its limit.
    pub(super) fn alarm(self) -> Style {
        self.with(Style::new().add_modifier(Modifier::BOLD), Color::LightRed)
    }

    fn with(self, style: Style, colour: Color) -> Style {
        if self.colour { style.fg(colour) } else { style }
    }
}

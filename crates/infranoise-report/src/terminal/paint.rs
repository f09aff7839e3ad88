//! Colour for terminals, or none.

use infranoise_core::Shown;

/// Paints, or leaves text as it is.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    /// Whether to paint at all.
    pub colour: bool,
}

impl Paint {
    fn code(self, code: &str, text: &str) -> String {
        if self.colour && !text.is_empty() {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }

    /// What matters most.
    #[must_use]
    pub fn bold(self, text: &str) -> String {
        self.code("1", text)
    }

    /// What matters least.
    #[must_use]
    pub fn dim(self, text: &str) -> String {
        self.code("2", text)
    }

    /// The colour of an outcome; the sign or the column beside it says the same.
    #[must_use]
    pub fn outcome(self, shown: Shown, text: &str) -> String {
        let code = match shown {
            Shown::Pass => "38;5;32",
            Shown::Fail => "38;5;245",
            Shown::Ceiling => "38;5;166",
            Shown::Fault => "38;5;133",
            Shown::Undetermined => "38;5;178",
            Shown::NotStarted => "2",
        };
        self.code(code, text)
    }
}

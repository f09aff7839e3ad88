//! The token that lets people in.

use std::fmt::Write as _;

use subtle::ConstantTimeEq as _;

use crate::LiveError;

/// The least length of a token that a person chose.
pub const LEAST_TOKEN: usize = 16;

/// A secret. It is compared in constant time and not printed by accident.
#[derive(Clone)]
pub struct Token(String);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Token {
    /// A token that a person chose.
    ///
    /// # Errors
    /// If it is too short, or would need escaping in an address.
    pub fn given(text: &str) -> Result<Self, LiveError> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.~".contains(c);
        if text.len() < LEAST_TOKEN || !text.chars().all(plain) {
            return Err(LiveError::WeakToken { least: LEAST_TOKEN });
        }
        Ok(Self(text.to_owned()))
    }

    /// A token of 128 random bits.
    ///
    /// # Errors
    /// If the system gives no random bytes.
    pub fn made() -> Result<Self, LiveError> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(LiveError::NoRandomness)?;
        Ok(Self(bytes.iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })))
    }

    /// The token itself.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether this is it, in a time that does not tell how much of it is right.
    #[must_use]
    pub fn is(&self, text: &str) -> bool {
        self.0.as_bytes().ct_eq(text.as_bytes()).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_that_can_be_guessed_or_would_break_an_address_are_refused() {
        for (text, fits) in [
            ("0123456789abcdef", true),
            ("A-Z_a~z.0123456789", true),
            ("short", false),
            ("", false),
            ("0123456789abcde&", false),
            ("0123456789abc def", false),
            ("0123456789abcdeé", false),
        ] {
            assert_eq!(Token::given(text).is_ok(), fits, "{text}");
        }
        let made = Token::made().expect("random bytes");
        assert!(Token::given(made.reveal()).is_ok());
        assert_ne!(made.reveal(), Token::made().expect("random bytes").reveal());
        assert!(made.is(made.reveal()) && !made.is("") && !made.is(&made.reveal()[1..]));
        assert!(!format!("{made:?}").contains(made.reveal()));
    }
}

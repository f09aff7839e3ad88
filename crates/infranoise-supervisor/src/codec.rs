//! Bytes on the control socket: little-endian numbers and length-prefixed strings, nothing else.

use std::fmt;

/// A message that does not parse. Both ends are ours, so this is a bug or an attack, never a version to be lenient with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed;

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("malformed message")
    }
}

impl std::error::Error for Malformed {}

/// Puts a message together.
#[derive(Default)]
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    pub(crate) fn tagged(tag: u8) -> Self {
        Self(vec![tag])
    }

    pub(crate) fn number(mut self, number: u32) -> Self {
        self.0.extend_from_slice(&number.to_le_bytes());
        self
    }

    pub(crate) fn signed(self, number: i32) -> Self {
        self.number(u32::from_ne_bytes(number.to_ne_bytes()))
    }

    pub(crate) fn text(self, text: &str) -> Self {
        let mut next = self.length(text.len());
        next.0.extend_from_slice(text.as_bytes());
        next
    }

    pub(crate) fn texts(self, texts: &[String]) -> Self {
        let next = self.length(texts.len());
        texts.iter().fold(next, |writer, text| writer.text(text))
    }

    pub(crate) fn pairs(self, pairs: &[(String, String)]) -> Self {
        let next = self.length(pairs.len());
        pairs.iter().fold(next, |writer, (name, value)| writer.text(name).text(value))
    }

    pub(crate) fn done(self) -> Vec<u8> {
        self.0
    }

    /// Lengths beyond four gigabytes cannot occur: a message has to fit into one datagram.
    fn length(self, length: usize) -> Self {
        self.number(u32::try_from(length).unwrap_or(u32::MAX))
    }
}

/// Takes a message apart.
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// Splits off the tag.
    pub(crate) fn tagged(bytes: &'a [u8]) -> Result<(u8, Self), Malformed> {
        let (tag, rest) = bytes.split_first().ok_or(Malformed)?;
        Ok((*tag, Self(rest)))
    }

    pub(crate) fn number(&mut self) -> Result<u32, Malformed> {
        let (head, rest) = self.0.split_first_chunk::<4>().ok_or(Malformed)?;
        self.0 = rest;
        Ok(u32::from_le_bytes(*head))
    }

    pub(crate) fn signed(&mut self) -> Result<i32, Malformed> {
        Ok(i32::from_ne_bytes(self.number()?.to_ne_bytes()))
    }

    pub(crate) fn text(&mut self) -> Result<String, Malformed> {
        let length = usize::try_from(self.number()?).map_err(|_| Malformed)?;
        let (head, rest) = self.0.split_at_checked(length).ok_or(Malformed)?;
        self.0 = rest;
        String::from_utf8(head.to_vec()).map_err(|_| Malformed)
    }

    pub(crate) fn texts(&mut self) -> Result<Vec<String>, Malformed> {
        let count = self.number()?;
        (0..count).map(|_| self.text()).collect()
    }

    pub(crate) fn pairs(&mut self) -> Result<Vec<(String, String)>, Malformed> {
        let count = self.number()?;
        (0..count).map(|_| Ok((self.text()?, self.text()?))).collect()
    }

    /// Nothing may be left over.
    pub(crate) fn end(self) -> Result<(), Malformed> {
        if self.0.is_empty() { Ok(()) } else { Err(Malformed) }
    }
}

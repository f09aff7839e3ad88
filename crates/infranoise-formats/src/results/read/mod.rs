//! Reading what strangers wrote: bounded, never following links, never trusting a type.
//!
//! Deliberately absent: what the bytes mean.

mod field;
mod files;
mod json;
mod lines;
mod moment;
mod parallel;
mod text;
mod zip;

pub(super) use field::Field;
pub(super) use files::{Folder, Unread, open, read_all, read_ends, read_lossy};
pub(super) use json::{Keys, first_member_keys, parse, top_keys};
pub(super) use lines::{Line, Lines};
pub(super) use moment::{Zone, moment_ms};
pub(super) use parallel::in_order;
pub(super) use text::{excerpt, without_escapes};
pub(super) use zip::Archive;

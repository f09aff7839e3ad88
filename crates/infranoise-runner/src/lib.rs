//! Which trial when?
//!
//! From tasks, arms and a seed to a plan; from a plan to an order; from the order to trials on an engine, each with its record. The
//! dispatcher knows listeners only as a callback of events: journal, progress bar and live page are three of them.

pub mod admission;
pub mod agents;
pub mod clock;
pub mod dispatch;
pub mod draw;
pub mod halt;
pub mod planning;
pub mod prepare;
pub mod schedule;
pub mod trial;

//! Without root: what an ordinary user's process has to become before it can hold trials to their limits.
//!
//! It takes two things. A subtree of control groups of its own, version 2, which systemd gives on request: the program executes itself
//! again in a delegated scope. And a user namespace, in which it is root over its own files and over what it makes: the process enters
//! one, with many ids where `/etc/subuid` grants them and `newuidmap` is installed, else with one. [`decide`] says what has to be done,
//! [`Scope`] and [`enter`] do it. Where limits cannot be held it is refused: running trials without them would look like a result.

mod decide;
mod enter;
mod scope;
mod situation;

pub use decide::{Way, decide};
pub use enter::{EnterError, Ids, enter};
pub use scope::Scope;
pub use situation::{Situation, in_user_namespace, owner};

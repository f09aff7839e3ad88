//! What happens inside? The pid 1 of every trial.
//!
//! It starts commands when its engine asks, reaps whatever dies, keeps one durable record per command and beats. An exit status is
//! believed only if it comes from here. `infranoise-sandbox` compiles this crate into a small static program and carries it.
//!
//! Deliberately absent: dependencies (std alone, so that a bare `rustc` can build it), limits and namespaces (whoever starts this
//! program has set them), and any name or path by which the sandboxed programs could reach it: it talks over descriptors that it was
//! born with, and nobody inside may look into its memory or its descriptors.

mod codec;
mod command;
pub mod message;
mod record;
mod supervise;
mod sys;

pub use codec::Malformed;
pub use record::BLACK_BOX_BYTES;
pub use supervise::main;

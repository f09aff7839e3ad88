//! The bundled tasks as a reader of Harbor tasks sees them, and as they behave when nothing limits them.

mod bench;
mod folders;
mod program;
mod unlimited;

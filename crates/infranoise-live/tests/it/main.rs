//! Looking on at sweeps that are written meanwhile: real files, a real server, real connections.

mod browser;
mod hostile;
mod site;
mod strangers;
mod terminal;
mod viewers;

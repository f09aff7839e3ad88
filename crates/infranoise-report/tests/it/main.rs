//! Snapshots of everything that a person reads, from hand-made documents.

mod edges;
mod fixture;
mod record;
mod snapshots;

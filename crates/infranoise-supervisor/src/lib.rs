//! The static pid 1 of every trial.

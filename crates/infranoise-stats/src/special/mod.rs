//! Special functions: distributions and their inverses.
//!
//! From `libm` (erfc, ln gamma: one unit in the last place) and `statrs` (normal quantile: 1e-16); the incomplete beta
//! function and its inverses are our own, because `statrs` loses digits where we need them (t quantile 2.8e-9, and an
//! error of the beta function that grows with the number of trials).

pub mod beta;
pub mod gamma;
pub mod hypergeometric;
pub mod normal;
pub mod student;

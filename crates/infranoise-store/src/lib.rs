//! What is on our disk? Run directory, journal and format versions.

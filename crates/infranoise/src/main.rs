//! The command line of infranoise.

fn main() {}

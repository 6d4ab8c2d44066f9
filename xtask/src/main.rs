//! `cargo xtask`: builds and checks.

fn main() {}

//! How much a test run does: `LODESTONE_EFFORT`, set by `cargo xtask test`.

/// As the options of `cargo xtask test`; plain `cargo test` is quick.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    Quick,
    Full,
    Long,
}

/// What the environment asks for.
pub(crate) fn effort() -> Effort {
    match std::env::var("LODESTONE_EFFORT").as_deref() {
        Ok("long") => Effort::Long,
        Ok("full") => Effort::Full,
        _ => Effort::Quick,
    }
}

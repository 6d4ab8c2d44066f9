//! Tests of the rules of all games, by the texts of `notation.md`.

mod reference;
mod reference_perft;

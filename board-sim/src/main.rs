//! `board-sim`: the lodestone board on a PC.

fn main() {}

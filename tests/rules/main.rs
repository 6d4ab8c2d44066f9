//! The rules of all games, proved: cases by rule number, figures counted by others, a second
//! implementation that must agree, and properties of every position.

mod cases;
mod differential;
mod effort;
mod perft;
mod properties;
mod rare;
mod reference;
mod reference_perft;

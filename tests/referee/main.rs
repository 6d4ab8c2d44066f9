//! The referee on the virtual table: real fields, real sensing, hands that play.

mod desk;
mod found;
mod games;
mod hands;
mod invariants;
mod played;
mod scenarios;

//! Playfields, points, directions, lines, sets, and where each game's board lies.
//!
//! Two words for a place, because two numberings meet here. A [`Point`] is a place on the
//! *playfield*, the wood with the magnets' sensors below it: wiring, lights and the referee count
//! in points. A [`Cell`] is a place on a *game's board*, counted in that game's own point order
//! (column letter, then row number): the rules count in cells. A [`Board`] translates between the
//! two and knows the names players use. Nothing here knows a rule or a wire.
//!
//! The hex playfield, one corner towards the player; eleven upright columns, centre f6:
//!
//! ```text
//!               f11
//!            e10   g11          directions, clockwise from the top:
//!          d9   f10   h11            0 up (0,+1)
//!        c8   e9   g10   i11     5 (-1,0)    1 (+1,+1)
//!      b7   d8   f9   h10  j11
//!    a6   c7   e8   g9   i10  k11        *
//!      b6   d7   f8   h9   j10
//!    a5   ...             ...  k10   4 (-1,-1)   2 (+1,0)
//!                                    3 down (0,-1)
//! ```
//!
//! All tables are computed at compile time. Sets are arrays of 64-bit words that are never shifted
//! as a whole, so they are as quick on a 32-bit core as on a PC.

mod board;
mod playfield;
mod set;
#[cfg(test)]
mod tests;

pub use board::{
    Board, Cell, DVONN, GIPF, GIPF_DOTS, GIPF_SPOTS, GLUX_2, GLUX_4, Grid, HEX, LYNGK, Line, Name,
    Room, SQUARE, YINSH, grids, rooms,
};
pub use playfield::{Direction, Playfield, Point};
pub use set::{CellSet, Cells, Index, PointSet, Points, Set};

//! What the board lights up in a position: the real referee at the virtual table.
//!
//! Nothing here knows which light follows from which rule. The pieces are laid out, one is taken
//! in the hand, and the referee is asked what its lights mean.

use std::fmt;

use lodestone::games::any::{Setup, Step};
use lodestone::games::{Game, Player, dvonn, gipf, yinsh};
use lodestone::geometry::{Board, Cell};
use lodestone::light::{Brightness, Frame, Scene};
use lodestone::meaning::{Meaning, Meanings};
use lodestone::referee::{Key, Referee};
use lodestone::sense::{Calibration, Sense, ZeroRun};
use lodestone::wiring::{KEY_LED_COUNT, timing::period_us};

use super::Picture;
use crate::hands::layout;
use crate::table::{Kind, Piece, Pole, Table, Tolerances};

/// Longer than the referee takes to see what was laid out or lifted, shorter than it takes to make
/// a step of it.
const LOOK_MS: u32 = 300;

/// Why a piece cannot be lifted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LiftError {
    /// Nothing stands there, and nothing comes in there.
    Nothing,
    /// The referee does not take the position as laid out.
    NotInPlay,
}

impl fmt::Display for LiftError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LiftError::Nothing => "nothing stands there that could be lifted",
            LiftError::NotInPlay => "the board does not recognise this position",
        })
    }
}

impl std::error::Error for LiftError {}

/// A table with the pieces of a game on it, and its referee.
pub struct Lit {
    table: Table,
    sense: Sense,
    referee: Referee,
    board: &'static Board,
    now_us: u64,
    /// What is to be seen, without its lights.
    picture: Picture,
}

impl Lit {
    /// Lays a game out as it is after these steps, which must be legal.
    pub fn new(setup: &Setup, steps: &[Step]) -> Result<Lit, LiftError> {
        let (referee, _) = Referee::resume(setup, steps.iter().copied());
        let position = *referee.position();
        let board = position.board();
        let mut table = Table::new(board.playfield(), &Tolerances::NONE, 0);
        let mut zeros = ZeroRun::new();
        while !zeros.add(table.scan(0)) {}
        let mut calibration = Calibration::none(board.playfield());
        zeros.finish(&mut calibration);
        let sense = Sense::new(referee.profile(), calibration);
        let picture = Picture::position(&position);
        let mut lit = Lit { table, sense, referee, board, now_us: 0, picture };
        for (cell, pile) in board.cells().zip(layout(&position)) {
            for thing in pile.discs.into_iter().chain(pile.ring) {
                lit.put(cell, thing.piece);
            }
        }
        lit.look();
        if steps.is_empty() {
            lit.referee.key(lit.now_ms(), &mut lit.sense, Key::Ok);
        }
        if lit.referee.is_in_play() { Ok(lit) } else { Err(LiftError::NotInPlay) }
    }

    /// Takes what stands on a cell in the hand. A ring of YINSH that is to move leaves its marker
    /// behind; on a dot of GIPF, a piece to be brought in is put down.
    pub fn lift(&mut self, cell: Cell) -> Result<(), LiftError> {
        let position = *self.referee.position();
        let push = position.steps().find_map(|step| match step {
            Step::Gipf(gipf::Step::Push { from, piece, .. }) if from == cell => Some(piece),
            _ => None,
        });
        if let Some(piece) = push {
            let white = position.turn() == Some(Player::ONE);
            let (body, piece) = match (piece, white) {
                (gipf::Piece::Basic, true) => (Kind::GipfBasic, "w"),
                (gipf::Piece::Basic, false) => (Kind::GipfBasic, "b"),
                (gipf::Piece::Gipf, true) => (Kind::GipfBody, "W"),
                (gipf::Piece::Gipf, false) => (Kind::GipfBody, "B"),
            };
            self.put(cell, Piece::new(body, if white { Pole::Plus } else { Pole::Minus }));
            self.picture.put(cell, piece);
            self.look();
            return Ok(());
        }
        let standing = self.picture.at(cell).to_string();
        if standing.is_empty() {
            return Err(LiftError::Nothing);
        }
        let moves =
            |step| matches!(step, Step::Yinsh(yinsh::Step::MoveRing { from, .. }) if from == cell);
        let marker = position.steps().any(moves).then(|| standing.to_lowercase());
        if let Some(marker) = &marker {
            let pole = if marker == "w" { Pole::Plus } else { Pole::Minus };
            self.put(cell, Piece::new(Kind::Marker, pole));
            self.look();
        }
        self.take(cell, marker.is_some());
        self.picture.put(cell, &marker.unwrap_or_default());
        self.picture.hold(cell, &standing);
        self.look();
        Ok(())
    }

    /// What the lights mean now.
    pub fn meanings(&self) -> Meanings {
        self.referee.meanings()
    }

    /// The same, and where the player to act may begin: pieces that may act, points on which one
    /// may be put.
    pub fn hints(&self) -> Meanings {
        let mut meanings = self.meanings();
        let position = self.referee.position();
        for cell in position.origins() {
            let puts = |step| match step {
                Step::Yinsh(yinsh::Step::PlaceRing(at)) | Step::Dvonn(dvonn::Step::Place(at)) => {
                    at == cell
                }
                Step::Glux(step) => step.cell == cell,
                _ => false,
            };
            let is_put = position.steps().any(puts);
            let meaning = if is_put { Meaning::Destination } else { Meaning::Movable };
            meanings.set(self.board.point(cell), meaning);
        }
        meanings
    }

    /// What is to be seen, without its lights.
    pub fn into_picture(self) -> Picture {
        self.picture
    }

    fn put(&mut self, cell: Cell, piece: Piece) {
        let place = self.table.place_mm(self.board.point(cell));
        self.table.put(piece, place);
    }

    /// Takes everything off a cell, or only the ring.
    fn take(&mut self, cell: Cell, only_ring: bool) {
        let place = self.table.place_mm(self.board.point(cell));
        let ids: Vec<_> = self
            .table
            .pieces()
            .filter(|&id| {
                let (piece, at, _) = self.table.piece(id);
                at == place && (!only_ring || piece.kind.is_ring())
            })
            .collect();
        for id in ids {
            self.table.remove(id);
        }
    }

    fn now_ms(&self) -> u32 {
        (self.now_us / 1000) as u32
    }

    fn look(&mut self) {
        let until_us = self.now_us + u64::from(LOOK_MS) * 1000;
        while self.now_us < until_us {
            self.now_us += u64::from(period_us(self.board.playfield()));
            let now_ms = self.now_ms();
            let events = self.sense.scan(now_ms, self.table.scan(self.now_us));
            self.referee.scan(now_ms, &mut self.sense, &events);
        }
    }
}

/// The lights of these meanings at a time of their rhythms, as bright as the board can.
pub fn frame(meanings: &Meanings, now_ms: u32) -> Frame {
    let lamps = [None; KEY_LED_COUNT];
    Scene { meanings, lamps: &lamps, brightness: Brightness::Highest, touched_ms: now_ms }
        .frame(now_ms)
}

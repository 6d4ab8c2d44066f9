//! Hands that carry out a step on the table in some order a person might choose.

use board_sim::table::{Kind, Pole};
use lodestone::games::any::{Position, Step};
use lodestone::games::{Game, dvonn, gipf, lyngk, yinsh};
use lodestone::geometry::{Cell, CellSet};
use lodestone::referee::Key;

use crate::desk::Desk;

impl Desk {
    /// A pause of up to this long.
    fn pause(&mut self, up_to_ms: u32) {
        let ms = self.random.below(up_to_ms as usize) as u32;
        self.wait(ms);
    }

    fn even(&mut self) -> bool {
        self.random.below(2) == 0
    }

    fn shuffled(&mut self, cells: CellSet) -> Vec<Cell> {
        let mut cells: Vec<Cell> = cells.iter().collect();
        self.random.shuffle(&mut cells);
        cells
    }

    /// Carries out a legal step from `before`.
    pub(crate) fn carry_out(&mut self, before: &Position, step: Step) {
        let mut after = *before;
        after.play_unchecked(step);
        let off = before.table().occupied() - after.table().occupied();
        let own = if before.turn().unwrap().index() == 0 { Pole::Plus } else { Pole::Minus };
        match step {
            Step::Gipf(gipf::Step::Push { from, to, piece }) => {
                self.push(before, from, to, piece, own);
            }
            Step::Gipf(gipf::Step::Take { .. })
            | Step::Yinsh(yinsh::Step::TakeRow { .. } | yinsh::Step::TakeRing(_)) => {
                self.take_off(off);
            }
            Step::Yinsh(yinsh::Step::PlaceRing(cell)) => self.put(cell, Kind::Ring, own),
            Step::Yinsh(yinsh::Step::MoveRing { from, to }) => {
                let jumped =
                    before.table().differs(&after.table()) - CellSet::of(from) - CellSet::of(to);
                self.move_ring(from, to, jumped, own);
            }
            Step::Dvonn(dvonn::Step::Place(cell)) => {
                let strong = after.table().strong.contains(cell);
                self.put(cell, if strong { Kind::StrongFlat } else { Kind::Flat }, Pole::Plus);
            }
            Step::Dvonn(dvonn::Step::Move { from, to })
            | Step::Lyngk(lyngk::Step::Move { from, to }) => {
                let stack = self.lift(from);
                self.wait(150);
                self.pause(300);
                self.drop(to, &stack);
                self.wait(200);
                self.take_off(off - CellSet::of(from));
            }
            Step::Lyngk(lyngk::Step::Claim(colour)) => {
                // Not right after a move, even if that was not committed at once.
                self.wait(2300);
                self.key(Key::Number(colour.index() as u8 + 1));
            }
            Step::Glux(step) => {
                let pole = if step.spots.number() <= 3 { Pole::Plus } else { Pole::Minus };
                let tells_first = self.even();
                // Right after a commit a key would change the last value.
                self.wait(1200);
                if tells_first {
                    self.key(Key::Number(step.spots.number()));
                    self.pause(400);
                }
                self.put(step.cell, Kind::Chip, pole);
                if !tells_first {
                    self.pause(600);
                    self.key(Key::Number(step.spots.number()));
                }
            }
        }
    }

    fn take_off(&mut self, cells: CellSet) {
        for cell in self.shuffled(cells) {
            self.lift(cell);
            self.pause(200);
        }
    }

    /// The piece may wait on its dot; the run is moved on from its far end.
    fn push(&mut self, before: &Position, from: Cell, to: Cell, piece: gipf::Piece, own: Pole) {
        let kind = if piece == gipf::Piece::Gipf { Kind::GipfBody } else { Kind::GipfBasic };
        let board = self.board;
        let direction =
            board.playfield().directions().find(|&d| board.next(from, d) == Some(to)).unwrap();
        let occupied = before.table().occupied();
        let run: Vec<Cell> =
            board.ray(from, direction).take_while(|&cell| occupied.contains(cell)).collect();
        let waits = self.even();
        if waits {
            self.put(from, kind, own);
            self.wait(200);
            self.pause(300);
        }
        for &cell in run.iter().rev() {
            let piece = self.lift(cell);
            self.pause(250);
            self.drop(board.next(cell, direction).unwrap(), &piece);
        }
        if waits {
            let piece = self.lift(from);
            self.pause(200);
            self.drop(to, &piece);
        } else {
            self.put(to, kind, own);
        }
    }

    /// Marker first or ring first; flips in any order, before or after the ring is down.
    fn move_ring(&mut self, from: Cell, to: Cell, jumped: CellSet, own: Pole) {
        let marker_first = self.even();
        if marker_first {
            self.put(from, Kind::Marker, own);
            // Nobody puts a marker in and has the ring off before the marker rests.
            self.wait(170);
            self.pause(300);
        }
        let ring = self.lift_kind(from, true);
        self.wait(100);
        self.pause(250);
        let flips_before = self.even();
        if flips_before {
            self.flip_all(jumped);
        }
        self.drop(to, &ring);
        self.pause(200);
        if !marker_first {
            self.put(from, Kind::Marker, own);
        }
        if !flips_before {
            self.flip_all(jumped);
        }
    }

    fn flip_all(&mut self, cells: CellSet) {
        for cell in self.shuffled(cells) {
            let marker = self.lift(cell);
            self.pause(150);
            self.drop(cell, &marker);
            self.flip(cell);
            self.pause(150);
        }
    }
}

//! A table with pieces, its observer and its referee, under one clock.

use board_sim::table::{
    COMING_DOWN_MM, Fault, Kind, Piece, PieceId, PlaceMm, Pole, Table, Tolerances,
};
use lodestone::games::any::{Position, Setup, Step};
use lodestone::games::{Game, Id};
use lodestone::geometry::{Board, Cell};
use lodestone::meaning::Meaning;
use lodestone::random::SplitMix64;
use lodestone::referee::{Effect, Key, Referee};
use lodestone::sense::{Calibration, Sense, ZeroRun};
use lodestone::wiring::timing::period_us;

/// Higher than anything a sensor sees.
const AWAY_MM: f64 = 400.0;

pub(crate) struct Desk {
    pub(crate) table: Table,
    pub(crate) sense: Sense,
    pub(crate) referee: Referee,
    pub(crate) random: SplitMix64,
    pub(crate) board: &'static Board,
    pub(crate) now_ms: u32,
    now_us: u64,
    /// What stands on every cell, bottom to top.
    pub(crate) stacks: Vec<Vec<PieceId>>,
    /// What is in the hand.
    pub(crate) hand: Vec<PieceId>,
    /// Everything the referee said.
    pub(crate) said: Vec<Effect>,
}

impl Desk {
    pub(crate) fn new(id: Id, seed: u64) -> Desk {
        Desk::resume(id, &[], seed)
    }

    /// A game in which these steps were made; the board is laid out and in play.
    pub(crate) fn resume(id: Id, steps: &[Step], seed: u64) -> Desk {
        let (referee, count) = Referee::resume(&Setup::of(id), steps.iter().copied());
        assert_eq!(count, steps.len(), "all steps are legal");
        let board = referee.position().board();
        let playfield = board.playfield();
        // The whole error budget, without taught gains.
        let mut table = Table::new(playfield, &Tolerances::BUDGET, seed);
        let mut run = ZeroRun::new();
        while !run.add(table.scan(0)) {}
        let mut calibration = Calibration::none(playfield);
        assert!(run.finish(&mut calibration).is_empty(), "every zero is within its tolerance");
        let mut desk = Desk {
            table,
            sense: Sense::new(referee.profile(), calibration),
            referee,
            random: SplitMix64::new(seed),
            board,
            now_ms: 0,
            now_us: 0,
            stacks: vec![Vec::new(); board.cell_count()],
            hand: Vec::new(),
            said: Vec::new(),
        };
        desk.lay(&desk.referee.position().clone());
        desk.wait(300);
        if steps.is_empty() {
            desk.key(Key::Ok);
        }
        desk.said.clear();
        assert!(desk.referee.is_in_play(), "{id}: the board is laid out");
        desk
    }

    /// The same, from step texts.
    pub(crate) fn after(id: Id, texts: &str) -> Desk {
        let mut position = Setup::of(id).position();
        let mut steps = Vec::new();
        for text in texts.split_whitespace() {
            let step = position.parse_step(text.as_bytes()).unwrap();
            assert!(position.play(step).is_ok(), "{text} is legal");
            steps.push(step);
        }
        Desk::resume(id, &steps, 1)
    }

    /// Puts every piece where the position has it.
    fn lay(&mut self, position: &Position) {
        let mut line = String::new();
        position.write_position(&mut line).unwrap();
        let pieces = line.split('|').next().unwrap().to_owned();
        for entry in pieces.split_whitespace() {
            let (name, content) = entry.split_once(':').unwrap();
            let cell = self.cell(name);
            for (kind, pole) in kinds(position, content) {
                let id = self.table.put(Piece::new(kind, pole), self.place(cell));
                self.stacks[cell.index()].push(id);
            }
        }
    }

    pub(crate) fn cell(&self, name: &str) -> Cell {
        self.board.parse(name.as_bytes()).unwrap_or_else(|| panic!("{name} is a cell"))
    }

    fn place(&self, cell: Cell) -> PlaceMm {
        self.table.place_mm(self.board.point(cell))
    }

    pub(crate) fn scan(&mut self) {
        self.now_us += u64::from(period_us(self.board.playfield()));
        self.now_ms = (self.now_us / 1000) as u32;
        let events = self.sense.scan(self.now_ms, self.table.scan(self.now_us));
        let said = self.referee.scan(self.now_ms, &mut self.sense, &events);
        self.said.extend(said);
    }

    pub(crate) fn wait(&mut self, ms: u32) {
        let until_us = self.now_us + u64::from(ms) * 1000;
        while self.now_us < until_us {
            self.scan();
        }
    }

    pub(crate) fn key(&mut self, key: Key) {
        let said = self.referee.key(self.now_ms, &mut self.sense, key);
        self.said.extend(said);
    }

    /// A new piece from beside the board.
    pub(crate) fn put(&mut self, cell: Cell, kind: Kind, pole: Pole) {
        let id = self.table.put(Piece::new(kind, pole), self.place(cell));
        self.stacks[cell.index()].push(id);
    }

    /// Holds what stands on a cell this high above it.
    pub(crate) fn raise(&mut self, cell: Cell, by_mm: f64) {
        for &id in &self.stacks[cell.index()] {
            let place = self.table.piece(id).1;
            if by_mm > 0.0 {
                self.table.move_to(id, place, by_mm);
            }
        }
    }

    /// Takes everything that stands on a cell into the hand.
    pub(crate) fn lift(&mut self, cell: Cell) -> Vec<PieceId> {
        let pieces = std::mem::take(&mut self.stacks[cell.index()]);
        self.away(&pieces);
        pieces
    }

    /// Takes the uppermost pieces of a stack into the hand.
    pub(crate) fn split(&mut self, cell: Cell, count: usize) -> Vec<PieceId> {
        let stack = &mut self.stacks[cell.index()];
        let pieces = stack.split_off(stack.len() - count);
        self.away(&pieces);
        pieces
    }

    fn away(&mut self, pieces: &[PieceId]) {
        for &id in pieces {
            let place = self.table.piece(id).1;
            self.table.move_to(id, place, AWAY_MM);
        }
    }

    /// Sets pieces from the hand down.
    pub(crate) fn drop(&mut self, cell: Cell, pieces: &[PieceId]) {
        let place = self.place(cell);
        let lying = self.stacks[cell.index()].len();
        let is_flat = |id: &PieceId| self.table.piece(*id).0.kind.is_flat();
        if lying > 0 && pieces.iter().all(is_flat) {
            for up_mm in COMING_DOWN_MM {
                self.table.hold_above(pieces, place, lying, up_mm);
                self.scan();
            }
        }
        self.table.set_down_stack(pieces, place);
        self.stacks[cell.index()].extend_from_slice(pieces);
    }

    /// Sets pieces down beside the middle of a point.
    pub(crate) fn drop_aside(&mut self, cell: Cell, pieces: &[PieceId], by_mm: f64) {
        let (x, y) = self.place(cell);
        for &id in pieces {
            self.table.set_down(id, (x, y - by_mm));
            self.stacks[cell.index()].push(id);
        }
    }

    pub(crate) fn flip(&mut self, cell: Cell) {
        for id in self.stacks[cell.index()].clone() {
            self.table.flip(id);
        }
    }

    /// Takes only rings, or only what is not a ring, from a cell.
    pub(crate) fn lift_kind(&mut self, cell: Cell, rings: bool) -> Vec<PieceId> {
        let is_taken =
            |desk: &Desk, id: PieceId| (desk.table.piece(id).0.kind == Kind::Ring) == rings;
        let (taken, left) = std::mem::take(&mut self.stacks[cell.index()])
            .into_iter()
            .partition::<Vec<_>, _>(|&id| is_taken(self, id));
        self.stacks[cell.index()] = left;
        self.away(&taken);
        taken
    }

    pub(crate) fn break_sensor(&mut self, cell: Cell) {
        self.table.set_fault(self.board.point(cell), Some(Fault::Dead));
    }

    /// Moves everything to where the referee expects it, through the air.
    pub(crate) fn put_as_expected(&mut self) {
        let position = *self.referee.position();
        self.lay_out(&position);
    }

    /// Moves everything to where a position has it, through the air.
    pub(crate) fn lay_out(&mut self, position: &Position) {
        for cell in self.board.cells() {
            for id in self.lift(cell) {
                self.table.remove(id);
            }
        }
        self.wait(150);
        self.lay(position);
    }

    /// Steps committed since the last call, as texts; `-` for each time something was taken back.
    pub(crate) fn committed(&mut self) -> String {
        let mut texts = Vec::new();
        for effect in std::mem::take(&mut self.said) {
            match effect {
                Effect::Committed { step, .. } => {
                    let mut text = String::new();
                    self.referee.position().write_step(step, &mut text).unwrap();
                    texts.push(text);
                }
                Effect::Undone(_) => texts.push("-".to_owned()),
                _ => {}
            }
        }
        texts.join(" ")
    }

    /// The names of all cells that mean this, in order.
    pub(crate) fn lit(&self, meaning: Meaning) -> String {
        let meanings = self.referee.meanings();
        let cells =
            self.board.cells().filter(|&c| meanings.at(self.board.point(c)) == Some(meaning));
        cells.map(|cell| self.board.name(cell).to_string()).collect::<Vec<_>>().join(" ")
    }

    /// The rule of the last refusal.
    pub(crate) fn refusal(&self) -> Option<String> {
        self.said.iter().rev().find_map(|effect| match effect {
            Effect::Refused(refused) => {
                Some(refused.why.rule().map_or("none".to_owned(), |rule| rule.to_string()))
            }
            _ => None,
        })
    }
}

/// The bodies of what the position line says of a cell, bottom to top.
fn kinds(position: &Position, content: &str) -> Vec<(Kind, Pole)> {
    let kind = |letter: char| {
        let pole = match (position, letter) {
            (Position::Gipf(_) | Position::Yinsh(_), 'b' | 'B') => Pole::Minus,
            _ => Pole::Plus,
        };
        let kind = match (position, letter) {
            (Position::Gipf(_), 'W' | 'B') => Kind::GipfBody,
            (Position::Gipf(_), _) => Kind::GipfBasic,
            (Position::Yinsh(_), 'W' | 'B') => Kind::Ring,
            (Position::Yinsh(_), _) => Kind::Marker,
            (Position::Dvonn(_), 'r') | (Position::Lyngk(_), 'W') => Kind::StrongFlat,
            _ => Kind::Flat,
        };
        (kind, pole)
    };
    if matches!(position, Position::Glux(_)) {
        let chips = content.as_bytes().chunks(2);
        let pole = |chip: &[u8]| if chip[1] <= b'3' { Pole::Plus } else { Pole::Minus };
        return chips.map(|chip| (Kind::Chip, pole(chip))).collect();
    }
    content.chars().map(kind).collect()
}

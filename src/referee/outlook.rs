//! What whoever shows the game may ask of the referee.

use super::{Phase, Referee};
use crate::games::any::{Position, Step};
use crate::games::dvonn;
use crate::geometry::CellSet;
use crate::meaning::{Kind, Meaning, Meanings};

/// What is going on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Pieces are put where the game begins.
    SetUp,
    /// Pieces are put back.
    Restore,
    /// People play.
    Play,
    /// Something is asked.
    Question,
    /// Something is wrong.
    Mend,
}

impl Referee {
    /// What is going on.
    pub fn stage(&self) -> Stage {
        match self.phase {
            Phase::SetUp => Stage::SetUp,
            Phase::Restore => Stage::Restore,
            Phase::Play if self.question.is_open() => Stage::Question,
            Phase::Play if self.refused.is_some() => Stage::Mend,
            Phase::Play => Stage::Play,
        }
    }

    /// Whether nothing is asked, wrong, or to be done.
    pub fn is_at_ease(&self) -> bool {
        self.stage() == Stage::Play && self.prompted.is_none() && self.swapped.is_none()
    }

    /// GLÜX: the value told for the chip to come, 1..=6.
    pub fn told_value(&self) -> Option<u8> {
        self.told.map(|(spots, _)| spots.number())
    }

    /// The kind of piece to be laid now, where one kind comes after the other: in a set-up, and in
    /// DVONN's placing.
    pub fn kind_to_lay(&self) -> Option<Kind> {
        if self.phase == Phase::SetUp {
            let meanings = self.meanings();
            return meanings.iter().find_map(|(_, meaning)| match meaning {
                Meaning::SetUp(kind) => Some(kind),
                _ => None,
            });
        }
        let Position::Dvonn(game) = self.record.position() else { return None };
        game.to_place().map(|colour| match colour {
            dvonn::Colour::White => Kind::White,
            dvonn::Colour::Black => Kind::Black,
            dvonn::Colour::Red => Kind::Red,
        })
    }

    /// Where pieces of that kind go.
    pub fn cells_to_lay(&self) -> CellSet {
        let (meanings, board) = (self.meanings(), self.board());
        let kind = self.kind_to_lay();
        let is_it = |meaning| matches!(meaning, Meaning::SetUp(k) if Some(k) == kind);
        let points = meanings.iter().filter(|&(_, meaning)| is_it(meaning));
        points.filter_map(|(point, _)| board.cell(point)).collect()
    }
}

/// Games that were left for a while.
impl Referee {
    /// Leads the pieces to where they should be: whatever happened meanwhile was not seen.
    pub fn restore(&mut self, now_ms: u32) {
        if self.phase == Phase::Play {
            (self.phase, self.unrest_ms) = (Phase::Restore, now_ms);
            self.question.close();
            (self.refused, self.prompted) = (None, None);
        }
    }
}

/// To be replaced.
impl Referee {
    #[allow(missing_docs)]
    pub fn tops(&self) -> Meanings {
        self.meanings()
    }
    #[allow(missing_docs)]
    pub fn set_hints(&mut self, _on: bool) {}
    #[allow(missing_docs)]
    pub fn propose(&mut self, _step: Option<Step>) {}
}

//! What whoever shows the game may ask of the referee.

use super::reading::Rank;
use super::{Phase, Referee};
use crate::games::any::{Position, Step};
use crate::games::dvonn;
use crate::meaning::Kind;

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

    /// The record: all steps that are kept, which is all of them up to [`super::STEPS_MAX`].
    pub fn record(&self) -> impl Iterator<Item = Step> {
        self.record.kept()
    }

    /// What would explain the board as it is seen: how it is reached from the game as committed, and
    /// the steps. Only finished ones count; the others are told because people want to know why.
    pub fn explanations(&self) -> impl Iterator<Item = (&'static str, &[Step])> {
        let results = self.reading.results.iter().map(|result| {
            let how = match result.rank {
                Rank::Further => "finished",
                Rank::Amended => "this turn amended",
                Rank::TakenBack => "taken back",
                Rank::AmendedBefore => "the turn before amended",
            };
            (how, result.turn.steps.as_slice())
        });
        let unproved = self.reading.unproved.chunks(1).map(|step| ("landing not seen", step));
        results.chain(unproved)
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
        if let Some((kind, _)) = self.laying() {
            return Some(kind);
        }
        let Position::Dvonn(game) = self.record.position() else { return None };
        game.to_place().map(|colour| match colour {
            dvonn::Colour::White => Kind::White,
            dvonn::Colour::Black => Kind::Black,
            dvonn::Colour::Red => Kind::Red,
        })
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

//! What the referee says: closed lists that whoever listens turns into texts, sounds and messages.

use heapless::Vec;

use crate::games::any::{Reason, Step};
use crate::games::{Id, Outcome, Player, Reason as _, Rule};
use crate::geometry::{Cell, CellSet, PointSet};

/// Effects of one call at most; what comes from two turns in one picture is 18.
pub const EFFECTS_MAX: usize = 24;
/// Candidates of a question at most, one for each number key.
pub const CANDIDATES_MAX: usize = 6;

/// What one call of the referee brought about, in order.
pub type Effects = Vec<Effect, EFFECTS_MAX>;

/// Something the referee says.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// The set-up lies as it should; the game begins.
    Started,
    /// A step is committed.
    Committed {
        /// The step.
        step: Step,
        /// So many steps are now made.
        count: usize,
        /// Who acts next; nobody when the game is over.
        turn: Option<Player>,
        /// The result, when the game is over.
        outcome: Option<Outcome>,
    },
    /// Steps were taken back; so many are left.
    Undone(usize),
    /// Nothing legal explains what lies on the board.
    Refused(Refused),
    /// After a refusal or a restore: all is well again.
    BackInPlay,
    /// Something is to be done on these cells.
    Prompt(Act, CellSet),
    /// Which one? The candidates in the order in which they are numbered.
    Question(Ask, Vec<Cell, CANDIDATES_MAX>),
    /// Something people should know; play goes on.
    Notice(Notice),
}

/// What is to be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// Put a piece there.
    Put,
    /// Take it off.
    Take,
    /// Turn it over.
    Flip,
    /// Lay out the pieces of the set-up.
    SetUp,
    /// Put the pieces back to where they were.
    Restore,
    /// Tell the value of the chip.
    Answer,
    /// Move it to the middle of its point.
    Centre,
    /// Set down what is in the hand, on one of these; if it is not to come back, press OK.
    SetDown,
    /// Press OK: the set-up lies right, or a step is to be made to count.
    Confirm,
    /// Set-up: all that can be seen lies right; these cells cannot be seen. Press OK.
    Unseen,
    /// LYNGK's set-up: one piece of each colour must be left over. OK confirms it, UNDO shows the
    /// colours again.
    LeftOver,
}

/// What a question is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ask {
    /// Where did the stack land?
    Landing,
    /// From where did the stack come? Several may have landed there.
    Origin,
    /// Which of these was meant?
    Which,
    /// Was this done? No sensor can show it.
    Unseen,
    /// Was the last move taken back? It looks like that, or like a slip.
    TakenBack,
    /// Is it off? No sensor shows the whole row.
    TakenOff,
}

/// Something people should know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notice {
    /// So many pieces left the board at once: put back, or end the game.
    Interrupted,
    /// Two different stacks were in the air: are they back in their places?
    Swapped(CellSet),
    /// Something magnetic that is no piece lies on these points.
    Foreign(PointSet),
    /// The memory for steps was full: the way back ends here.
    CheckpointMade,
    /// The value told does not fit the face that is up: turn it over, or tell another one.
    OtherHalf(Cell),
    /// What stood on this cell has to be told, bottom to top; see [`super::Referee::stack`].
    Stood(Cell),
    /// These cells have no sensor to trust: that they are now as they should be is taken for
    /// granted.
    Trusted(CellSet),
}

/// Why what lies on the board is nothing legal, and where one sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refused {
    /// Why.
    pub why: Why,
    /// The cells that show it.
    pub cells: CellSet,
}

/// Why what lies on the board is nothing legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// The step that was tried breaks this rule.
    Step(Reason),
    /// It is this player's turn.
    Turn(Id, Player),
    /// A piece of the wrong colour, kind or face was used: this rule says which one.
    WrongPiece(Rule),
    /// Something that is not to be changed was: this rule says what is.
    WrongChange(Rule),
    /// No step comes near it: pieces lie where they should not, or are missing.
    Unexplained,
}

impl Why {
    /// The rule that is named, if any.
    pub fn rule(self) -> Option<Rule> {
        match self {
            Why::Step(reason) => Some(reason.rule()),
            Why::Turn(id, _) => Some(Rule { letter: id.letter(), number: turn_rule(id) }),
            Why::WrongPiece(rule) | Why::WrongChange(rule) => Some(rule),
            Why::Unexplained => None,
        }
    }
}

/// The rule that says whose turn it is.
const fn turn_rule(id: Id) -> u8 {
    match id {
        Id::GipfBasic | Id::Gipf | Id::GipfTournament | Id::Glux2 | Id::Glux3 | Id::Glux4 => 4,
        Id::Yinsh | Id::YinshBlitz | Id::Dvonn => 1,
        Id::Lyngk | Id::LyngkSix => 2,
    }
}

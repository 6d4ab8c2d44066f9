//! What can be said: one row for every sentence, with its parameters.

use super::Parameter;
use super::parameter::{Places, Refused, Share, Stack, Tally, Who};
use crate::games::{Id, Reason, Refusal, Rule};
use crate::geometry::Board;
use crate::meaning::Kind;

/// Makes the enum of all messages. The fields of a row are the parameters of its sentence, which
/// stand in the tables of the languages as `{field}`.
macro_rules! messages {
    ($($(#[$doc:meta])* $id:ident $({ $($field:ident: $type:ty),* })?,)*) => {
        /// Something to be said to people.
        #[derive(Clone, Copy)]
        pub enum Message<'a> {
            $($(#[$doc])* $id $({
                $(#[doc = concat!("`{", stringify!($field), "}` in the sentence.")] $field: $type,)*
            })?,)*
        }

        impl Message<'_> {
            /// The id under which programs know it.
            pub const fn id(&self) -> &'static str {
                match self {
                    $(Message::$id { .. } => stringify!($id),)*
                }
            }

            /// The parameter of this name.
            pub(super) fn parameter(&self, name: &str) -> Option<Parameter<'_>> {
                match *self {
                    $(Message::$id $({ $($field),* })? => {
                        $($(if name == stringify!($field) {
                            return Some(Parameter::from($field));
                        })*)?
                    })*
                }
                None
            }
        }

        #[cfg(test)]
        impl Message<'static> {
            /// Every message with the names of its parameters.
            pub(super) fn samples() -> std::vec::Vec<(Self, &'static [&'static str])> {
                use super::tests::Sample;
                std::vec![$((
                    Message::$id $({ $($field: Sample::sample()),* })?,
                    &[$($(stringify!($field)),*)?],
                ),)*]
            }
        }
    };
}

messages! {
    // What goes on.
    /// Who is to act.
    ToAct { player: Who },
    /// All is well again.
    BackInPlay,
    /// The history is full: undo reaches back to here.
    UndoEndsHere,
    /// Something is not legal.
    NotLegal { refusal: Refused },
    /// Somebody acts out of turn.
    OtherTurn { player: Who, rule: Rule },
    /// Nothing legal comes near what lies on the board.
    Unexplained { points: Places },
    /// Every stack shows its top piece.
    TopsShown,

    // What is to be done.
    /// A piece goes here.
    PutHere { points: Places },
    /// This comes off.
    TakeOff { points: Places },
    /// This is turned over.
    TurnOver { points: Places },
    /// Pieces that were here are missing.
    PutBack { points: Places },
    /// What lies here does not belong here.
    DoesNotBelong { points: Places },
    /// Another piece belongs here: wrong face, height or kind.
    OtherPieceHere { points: Places },
    /// A piece lies between points.
    CentreIt { points: Places },
    /// GIPF: the pieces of a run are pushed on, from the far end.
    PushOn { points: Places },
    /// GIPF: nobody saw which kind of piece came in: it is shown on one of these dots first.
    ShowOnDot { points: Places },
    /// YINSH: the ring is still in the hand.
    PutRingDown,
    /// A row comes off.
    TakeRow { points: Places },
    /// YINSH: a ring is given for the row.
    GiveRing { points: Places },
    /// DVONN: stacks that lost contact come off.
    TakeLost { points: Places },
    /// LYNGK: a stack of five of one's own comes off.
    TakeFive { points: Places },
    /// GIPF: a row of GIPF-pieces may stay.
    OkLeavesRow { points: Places },
    /// GLÜX: which value the chip shows.
    TellValue { points: Places },
    /// GLÜX: the value is told, the chip is awaited.
    ValueTold { number: u16 },
    /// Nobody saw where a stack went.
    LiftAndSetDown { points: Places },
    /// What stood here.
    StoodHere { points: Places, stack: Stack<'a> },
    /// A move that a host wants to be carried out.
    CarryOut { player: Who, step: &'a str },

    // Set-up.
    /// The board must be empty.
    EmptyBoard { points: Places },
    /// Pieces of this colour go here.
    SetUpColour { colour: Kind, points: Places },
    /// LYNGK: the jokers go here.
    SetUpJokers { points: Places },
    /// LYNGK: what must be left over.
    LeftOver,
    /// Everything lies right.
    SetUpDone,
    /// Everything that can be seen lies right.
    SetUpUnseen { points: Places },
    /// What cannot be seen is taken to be right.
    Trusted { points: Places },
    /// A step counts only when somebody says so.
    OkCounts,
    /// DVONN: who places which piece.
    PlacePiece { player: Who, colour: Kind },
    /// YINSH: who places a ring.
    PlaceRing { player: Who },
    /// GLÜX: who begins where.
    PlaceStart { player: Who, points: Places },

    // Trouble.
    /// Many pieces are gone at once.
    Interrupted,
    /// Many points see something odd.
    SomethingMagnetic,
    /// Sensors that are not trusted any more.
    SensorFailed { points: Places },
    /// The game needs the other playfield.
    OtherPlayfield { game: Id },
    /// The journal takes no more.
    NotStored,
    /// Something was asked that cannot be done now.
    NotNow,
    /// There is no game.
    NoGame,
    /// Something that a host asked for needs somebody at the board.
    HoldOk,

    // Questions.
    /// Several candidates.
    WhichOne { points: Places },
    /// Several origins.
    FromWhere { points: Places },
    /// Was it put here? The sensor cannot tell.
    OnThisPoint { points: Places },
    /// Was the last move taken back? The sensor cannot tell.
    IsTakenBack { points: Places },
    /// Was it taken off? The sensor cannot tell.
    IsOff { points: Places },
    /// GLÜX: the told value is not on the side that lies up.
    TurnOrOtherValue { points: Places },
    /// Two stacks were lifted at the same time.
    BackInPlaces { points: Places },
    /// A game was not finished.
    Resume { game: Id },
    /// A game shall end.
    EndGame,

    // What keys do.
    /// Yes.
    KeyYes,
    /// No.
    KeyNo,
    /// A step back.
    KeyUndo,
    /// To the menu.
    KeyMenu,
    /// A candidate of a question.
    KeyPoint { points: Places },
    /// GLÜX: a value.
    KeyValue { number: u16 },
    /// LYNGK: a claim.
    KeyClaim { colour: Kind },
    /// The top pieces, while it is held.
    KeyTops,
    /// Somebody gives up.
    KeyResign { player: Who },

    // Menu and options.
    /// The games on the keys.
    ChooseGame,
    /// The variants on the keys.
    ChooseVariant,
    /// A game, as the menu calls it.
    Game { game: Id },
    /// All variants of GIPF.
    MenuGipf,
    /// All variants of YINSH.
    MenuYinsh,
    /// DVONN.
    MenuDvonn,
    /// All variants of LYNGK.
    MenuLyngk,
    /// All variants of GLÜX.
    MenuGlux,
    /// The options.
    MenuOptions,
    /// What the board does for itself.
    MenuCare,
    /// Calibration of the zeros.
    MenuZero,
    /// Calibration of the gains.
    MenuGain,
    /// The self-test.
    MenuSelfTest,
    /// Back to where one came from.
    MenuBack,
    /// OK starts the game.
    OkStarts { game: Id },
    /// No handicap.
    NoHandicap,
    /// More pieces in one reserve.
    Handicap { player: Who, number: u16 },
    /// Hints are off.
    HintsOff,
    /// Hints show what is legal.
    HintsLegal,
    /// The step of brightness.
    Brightness { number: u16 },
    /// How long pieces must rest.
    SettleTime { number: u16 },
    /// Steps are committed by OK.
    SettleByOk,
    /// Sounds are on.
    SoundOn,
    /// Sounds are off.
    SoundOff,
    /// The language, in itself.
    LanguageIs,

    // The end.
    /// Somebody won.
    Won { player: Who },
    /// Nobody won.
    Drawn,
    /// Several won.
    Shared { players: Share },
    /// The score.
    Score { score: Tally },
    /// Somebody gave up.
    Resigned { player: Who },
    /// The game was stopped.
    Stopped,

    // Calibration and self-test.
    /// The board must be empty for its zeros.
    CalibrateEmpty,
    /// The zeros are being measured.
    Calibrating,
    /// The zeros are known.
    Calibrated,
    /// Something lies there, or a sensor is out of its range.
    CalibrationRefused { points: Places },
    /// A piece shows how strong the fields are.
    TeachGain { points: Places },
    /// The gains are known.
    GainTaught,
    /// The sensors are sound.
    SelfTestPassed,
    /// These sensors are not.
    SelfTestFailed { points: Places },
    /// Are all lights lit?
    SelfTestLights,
    /// All keys are to be pressed.
    SelfTestKeys,
}

impl Message<'_> {
    /// A refusal on a board.
    pub fn refused<R: Reason>(board: &'static Board, refusal: &Refusal<R>) -> Message<'static> {
        let places = Places { board, cells: refusal.cells };
        Message::NotLegal { refusal: Refused { reason: refusal.reason.into(), places } }
    }
}

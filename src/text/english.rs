//! English.

use super::{Message, Words};
use crate::games::any::Reason;
use crate::games::slip::Slip;
use crate::games::{Id, dvonn, gipf, glux, lyngk, yinsh};
use crate::meaning::Kind;

pub(super) const WORDS: Words = Words {
    sentence,
    reason,
    game,
    colour,
    joker: "joker",
    sides: ["White", "Black"],
    player: "player",
    comma: ", ",
    and: " and ",
    isolates: ["", ""],
};

#[rustfmt::skip] // a table: one row, one line
#[allow(clippy::too_many_lines)] // and as many as there are sentences
fn sentence(message: &Message) -> &'static str {
    match message {
        Message::ToAct { .. } => "{player} to act",
        Message::BackInPlay => "all is in place again",
        Message::UndoEndsHere => "this game is very long: from now on undo reaches back to this point only",
        Message::NotLegal { .. } => "{refusal}",
        Message::OtherTurn { .. } => "it is the turn of {player} {rule}",
        Message::Unexplained { .. } => "no legal move looks like this; put the pieces as the lights show: {points}",
        Message::TopsShown => "the lights show the top piece of every stack",

        Message::PutHere { .. } => "put a piece on {points}",
        Message::TakeOff { .. } => "take off what stands on {points}",
        Message::TurnOver { .. } => "turn over {points}",
        Message::PutBack { .. } => "put back what stood on {points}",
        Message::DoesNotBelong { .. } => "this does not belong here: {points}",
        Message::OtherPieceHere { .. } => "wrong piece or wrong side up on {points}",
        Message::CentreIt { .. } => "centre the piece near {points}",
        Message::PushOn { .. } => "push the pieces on until each stands on its spot: {points}",
        Message::ShowOnDot { .. } => "basic or GIPF-piece? set it on its dot first, then push it in again: {points}",
        Message::PutRingDown => "put the ring down",
        Message::TakeRow { .. } => "take the row off: {points}",
        Message::GiveRing { .. } => "give one of your rings for the row: {points}",
        Message::TakeLost { .. } => "these stacks lost contact, take them off: {points}",
        Message::TakeFive { .. } => "a stack of five of your own, take it off: {points}",
        Message::OkLeavesRow { .. } => "take off what you want of the row {points}; OK = the whole row stays",
        Message::TellValue { .. } => "which value lies on {points}? tell it by its key",
        Message::ValueTold { .. } => "value {number}: put the chip down",
        Message::LiftAndSetDown { .. } => "where did it land? lift it and set it down again: {points}",
        Message::StoodHere { .. } => "on {points} stood, from bottom to top: {stack}",
        Message::CarryOut { .. } => "play this for {player}: {step}",

        Message::EmptyBoard { .. } => "the game begins with an empty board: clear {points}",
        Message::SetUpColour { .. } => "set up {colour}: {points}",
        Message::SetUpJokers { .. } => "set up the jokers: {points}",
        Message::LeftOver => "is exactly one piece of each colour left over? OK = yes, UNDO = show the colours again",
        Message::SetUpDone => "everything is in place: OK starts the game",
        Message::Trusted { .. } => "the board cannot see {points}: it takes them to be as they should",
        Message::OkCounts => "OK makes the move count",
        Message::SetUpUnseen { .. } => "the board cannot see {points}: check them yourselves, then OK",
        Message::PlacePiece { .. } => "{player} places a piece: {colour}",
        Message::PlaceRing { .. } => "{player} places a ring",
        Message::PlaceStart { .. } => "{player} puts a chip on the start {points} and tells its value",

        Message::Interrupted => "game interrupted: put the pieces back as shown, or end the game (hold UNDO)",
        Message::SomethingMagnetic => "is something magnetic on the board? a phone, keys, another piece",
        Message::SensorFailed { .. } => "the board can no longer see {points}; the game goes on, and the board asks where it must",
        Message::OtherPlayfield { .. } => "{game} needs the other playfield",
        Message::NotStored => "the board cannot store this game: it goes on, but a power cut would lose it",
        Message::NotNow => "that is not possible now",
        Message::NoGame => "there is no game",
        Message::HoldOk => "hold OK on the board to allow this",

        Message::WhichOne { .. } => "which one? lift it and set it down again, or press its key: {points}",
        Message::FromWhere { .. } => "where did it come from? touch the point or press its key: {points}",
        Message::OnThisPoint { .. } => "the board cannot see it: was the move to {points}? OK = yes, UNDO = no",
        Message::IsTakenBack { .. } => "was the last move to {points} taken back? OK = yes, UNDO = no",
        Message::IsOff { .. } => "the board cannot see {points}: is the piece off? OK = yes, UNDO = no",
        Message::TurnOrOtherValue { .. } => "the value told is on the other side: turn over {points}, or tell another value",
        Message::BackInPlaces { .. } => "two stacks were lifted: are they back in their places? {points}",
        Message::Resume { .. } => "{game}, unfinished: OK = go on with it, UNDO = drop it",
        Message::EndGame => "end the game? K1 to K4 = this player resigns, OK = stop without a result, UNDO = go on",

        Message::KeyYes => "yes",
        Message::KeyNo => "no",
        Message::KeyUndo => "take back",
        Message::KeyMenu => "menu",
        Message::KeyPoint { .. } => "this one: {points}",
        Message::KeyValue { .. } => "value {number}",
        Message::KeyClaim { .. } => "claim {colour}",
        Message::KeyTops => "show the top pieces",
        Message::KeyResign { .. } => "{player} resigns",

        Message::ChooseGame => "choose a game",
        Message::ChooseVariant => "choose a variant",
        Message::Game { .. } => "{game}",
        Message::MenuGipf => "GIPF",
        Message::MenuYinsh => "YINSH",
        Message::MenuDvonn => "DVONN",
        Message::MenuLyngk => "LYNGK",
        Message::MenuGlux => "GLÜX",
        Message::MenuOptions => "options",
        Message::MenuCare => "calibration and self-test",
        Message::MenuZero => "calibrate the empty board",
        Message::MenuGain => "calibrate with a piece",
        Message::MenuSelfTest => "self-test",
        Message::MenuBack => "back",
        Message::OkStarts { .. } => "{game}: OK starts",
        Message::NoHandicap => "no handicap",
        Message::Handicap { .. } => "handicap: more pieces for {player}: {number}",
        Message::HintsOff => "hints: off",
        Message::HintsLegal => "hints: what is legal",
        Message::Brightness { .. } => "brightness: {number} of 4",
        Message::SettleTime { .. } => "time to settle: {number} ms",
        Message::SettleByOk => "time to settle: until OK",
        Message::SoundOn => "sound: on",
        Message::SoundOff => "sound: off",
        Message::LanguageIs => "language: English",

        Message::Won { .. } => "{player} has won",
        Message::Drawn => "the game is a draw",
        Message::Shared { .. } => "{players} share the victory",
        Message::Score { .. } => "score: {score}",
        Message::Resigned { .. } => "{player} has resigned",
        Message::Stopped => "the game was stopped without a result",

        Message::CalibrateEmpty => "take everything off the board, then OK",
        Message::Calibrating => "measuring: touch nothing",
        Message::Calibrated => "the board is calibrated",
        Message::CalibrationRefused { .. } => "not calibrated: is something on {points}? if not, a sensor is at fault",
        Message::TeachGain { .. } => "put a single piece in the middle of {points}",
        Message::GainTaught => "the board knows the strength of its pieces",
        Message::SelfTestPassed => "self-test passed: all sensors are sound",
        Message::SelfTestFailed { .. } => "self-test: sensors at fault: {points}",
        Message::SelfTestLights => "are all lights lit, in red, green and blue? OK = yes, UNDO = no",
        Message::SelfTestKeys => "press every key; its lamp goes out",
    }
}

fn reason(reason: Reason) -> &'static str {
    match reason {
        Reason::Gipf(reason) => of_gipf(reason),
        Reason::Yinsh(reason) => of_yinsh(reason),
        Reason::Dvonn(reason) => of_dvonn(reason),
        Reason::Lyngk(reason) => of_lyngk(reason),
        Reason::Glux(reason) => of_glux(reason),
        Reason::Slip(slip) => of_slip(slip),
        Reason::OtherGame(_) => "a step of another game",
    }
}

#[rustfmt::skip]
const fn of_gipf(reason: gipf::Reason) -> &'static str {
    use gipf::Reason;
    match reason {
        Reason::NoWayIn => "a piece comes in from a dot onto the spot next to it",
        Reason::LineFull => "no piece can be pushed off: the line is full",
        Reason::ReserveTooSmall => "the reserve has too few pieces for that",
        Reason::FirstMustBeGipf => "the first piece must be a GIPF-piece",
        Reason::NoMoreGipfs => "GIPF-pieces come in only in the tournament game, before any basic piece",
        Reason::NoRow => "there is no row of four on this line",
        Reason::NotTheRun => "a row comes off with every piece that extends it",
        Reason::RowOfTheOther => "a row is taken by its owner",
        Reason::RowsFirst => "rows must be taken first",
        Reason::NotToBeLeft => "only GIPF-pieces in the run may be left standing",
        Reason::Settled => "this line is settled until the next push",
        Reason::NothingToPush => "the game is over: no piece left to push",
        Reason::NoGipfPieceLeft => "the game is over: no GIPF-piece left",
    }
}

#[rustfmt::skip]
const fn of_yinsh(reason: yinsh::Reason) -> &'static str {
    use yinsh::Reason;
    match reason {
        Reason::RingNeedsVacantPoint => "a ring is put on a vacant point",
        Reason::RingsArePlaced => "all rings have been placed",
        Reason::RingsNotPlaced => "all ten rings are placed first",
        Reason::NotOwnRing => "one moves a ring of one's own",
        Reason::NotInLine => "a ring moves in a straight line, at least one step",
        Reason::EndsOnOccupied => "a ring ends on a vacant point",
        Reason::PastTheLanding => "a ring stops on the first vacant point after a jump",
        Reason::RingInTheWay => "a ring never passes or jumps a ring",
        Reason::NobodyCouldMove => "the game is over: nobody could move",
        Reason::NoRow => "a row is five markers of one colour next to each other",
        Reason::RowOfTheOther => "a row is taken by its owner",
        Reason::RowIsDue => "the row is taken first",
        Reason::RingIsDue => "a ring is taken off for the row first",
        Reason::TakesNotOwnRing => "one takes off a ring of one's own",
        Reason::NoRowTaken => "a ring comes off only for a row",
        Reason::RingBeforeNextRow => "the ring comes off before the next row",
        Reason::Won => "the game is over: it has been won",
        Reason::PoolWasEmpty => "the game is over: no marker was left",
    }
}

#[rustfmt::skip]
const fn of_dvonn(reason: dvonn::Reason) -> &'static str {
    use dvonn::Reason;
    match reason {
        Reason::PieceNeedsVacantPoint => "a piece is put on a vacant point",
        Reason::PiecesArePlaced => "all pieces have been placed",
        Reason::PiecesNotPlaced => "all 49 pieces are placed first",
        Reason::NoStack => "no stack stands there",
        Reason::RedAlone => "a single red piece belongs to nobody",
        Reason::StackOfTheOther => "only its controller moves a stack",
        Reason::NotItsHeight => "a stack moves straight on, as far as it is high",
        Reason::EndsOnVacant => "a stack ends on an occupied point",
        Reason::Surrounded => "a stack with six neighbours cannot move",
    }
}

#[rustfmt::skip]
const fn of_lyngk(reason: lyngk::Reason) -> &'static str {
    use lyngk::Reason;
    match reason {
        Reason::LoneJoker => "a joker alone cannot be moved",
        Reason::ColourTaken => "this colour has been claimed already",
        Reason::SecondClaimInTurn => "only one claim in a turn; a move must follow",
        Reason::ThirdClaim => "a player claims at most two colours",
        Reason::NoMoveAfterClaim => "after this claim there would be no move",
        Reason::NoStack => "there is no stack to move",
        Reason::NotHisStack => "the top colour belongs to the other player",
        Reason::VacantEnd => "a move never ends on a vacant point",
        Reason::NotMet => "a stack ends on the first stack it meets on a line",
        Reason::OverFive => "a stack has at most five pieces",
        Reason::ColourTwice => "no colour may occur twice in a stack",
        Reason::SingleOnHigher => "a neutral single piece ends only on a single piece",
        Reason::StackOnHigher => "a neutral stack never ends on a higher one",
        Reason::NobodyHasAStep => "the game is over: nobody has a legal step",
        Reason::OverSix => "a stack has at most six pieces",
        Reason::WonBySix => "the game is over: a stack of six has won",
    }
}

#[rustfmt::skip]
const fn of_glux(reason: glux::Reason) -> &'static str {
    use glux::Reason;
    match reason {
        Reason::NotOnStart => "the first chip goes on the player's start",
        Reason::NoSuchChip => "no chip with this face is left",
        Reason::NothingCounts => "no chip of the player counts to this square",
        Reason::ChipsOnTheWay => "the squares in between must be free",
        Reason::Closed => "a square with two chips is closed",
        Reason::StartOfAnother => "another player's start chip is never covered",
        Reason::Over => "the game is over: nobody can place a chip",
    }
}

#[rustfmt::skip]
const fn of_slip(slip: Slip) -> &'static str {
    match slip {
        Slip::StackedForGipfPiece => "two stacked pieces are no GIPF-piece: use the tall one",
        Slip::LeftOnDot => "nothing stays on a dot",
        Slip::RunNotMoved => "every piece of the run moves exactly one spot",
        Slip::OtherColourPushed => "one brings in pieces of one's own colour, and pieces keep their colour",
        Slip::RowBeforeItsTime => "who pushed takes his rows first, then the other",
        Slip::NotARing => "at first only rings are placed",
        Slip::MarkerOutsideRing => "a marker goes into one of one's own rings",
        Slip::MarkerWrongWayUp => "the marker lies with its player's colour up",
        Slip::NoMarker => "a marker goes into the ring before it moves",
        Slip::WronglyTurned => "just the markers that were jumped are turned over",
        Slip::MoreThanFive => "just five markers of a row come off",
        Slip::SeveralPlaced => "one piece at a time is placed",
        Slip::RedsComeFirst => "the three red pieces come first, and there are no more of them",
        Slip::DvonnStackSplit | Slip::LyngkStackSplit => "a stack is never split",
        Slip::TakenInContact => "only stacks without contact to a red piece are taken out",
        Slip::ClaimAfterMove => "a colour is claimed before the move",
        Slip::NeutralFiveTaken => "a neutral stack of five stays on the board",
        Slip::CountedFromWrongChip => "one counts from uncovered chips of one's own",
    }
}

fn game(id: Id) -> &'static str {
    match id {
        Id::GipfBasic => "GIPF basic",
        Id::Gipf => "GIPF standard",
        Id::GipfTournament => "GIPF tournament",
        Id::Yinsh => "YINSH",
        Id::YinshBlitz => "YINSH blitz",
        Id::Dvonn => "DVONN",
        Id::Lyngk => "LYNGK",
        Id::LyngkSix => "LYNGK six",
        Id::Glux2 => "GLÜX for two",
        Id::Glux3 => "GLÜX for three",
        Id::Glux4 => "GLÜX for four",
    }
}

fn colour(kind: Kind) -> &'static str {
    match kind {
        Kind::White => "white",
        Kind::Black => "black",
        Kind::Blue => "blue",
        Kind::Green => "green",
        Kind::Ivory => "ivory",
        Kind::Red => "red",
    }
}

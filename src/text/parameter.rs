//! What a sentence speaks of: points, players, colours, numbers.

use core::fmt::{self, Write};

use super::Words;
use crate::games::any::Reason;
use crate::games::{Id, Player, Reason as _, Rule, Score, Winners};
use crate::geometry::{Board, CellSet};
use crate::meaning::Kind;

/// So many points are named; the lights show them all.
const NAMED_MAX: usize = 8;

/// Points of a board, by its names. For what is said of the playfield itself, the boards of the
/// playfields.
#[derive(Clone, Copy)]
pub struct Places {
    /// Whose names are used.
    pub board: &'static Board,
    /// Which.
    pub cells: CellSet,
}

/// A player of a game: White or Black where there are colours, else by number.
#[derive(Clone, Copy)]
pub struct Who {
    /// What is played.
    pub game: Id,
    /// Who.
    pub player: Player,
}

/// The pieces of a stack.
#[derive(Clone, Copy)]
pub struct Stack<'a> {
    /// What is played: LYNGK's white pieces are jokers.
    pub game: Id,
    /// From bottom to top.
    pub pieces: &'a [Kind],
}

/// Several who won.
#[derive(Clone, Copy)]
pub struct Share {
    /// What was played.
    pub game: Id,
    /// Who won.
    pub winners: Winners,
}

/// A score with its players.
#[derive(Clone, Copy)]
pub struct Tally {
    /// What is played.
    pub game: Id,
    /// The numbers.
    pub score: Score,
}

/// What is not legal, and where one sees it.
#[derive(Clone, Copy)]
pub struct Refused {
    /// Why.
    pub reason: Reason,
    /// Where.
    pub places: Places,
}

/// Any of these.
pub(super) enum Parameter<'a> {
    Places(Places),
    Who(Who),
    Stack(Stack<'a>),
    Share(Share),
    Tally(Tally),
    Refused(Refused),
    Colour(Kind),
    Game(Id),
    Rule(Rule),
    Number(u16),
    Step(&'a str),
}

macro_rules! from {
    ($($variant:ident from $type:ty;)*) => {
        $(impl<'a> From<$type> for Parameter<'a> {
            fn from(parameter: $type) -> Parameter<'a> {
                Parameter::$variant(parameter)
            }
        })*
    };
}
from! {
    Places from Places;
    Who from Who;
    Stack from Stack<'a>;
    Share from Share;
    Tally from Tally;
    Refused from Refused;
    Colour from Kind;
    Game from Id;
    Rule from Rule;
    Number from u16;
    Step from &'a str;
}

impl Parameter<'_> {
    pub(super) fn write(&self, words: &Words, to: &mut impl Write) -> fmt::Result {
        match *self {
            Parameter::Places(places) => words.isolated(format_args!("{places}"), to),
            Parameter::Who(who) => write_player(words, who, to),
            Parameter::Stack(stack) => write_list(words.comma, stack.pieces, to, |kind, to| {
                let joker = *kind == Kind::White && stack.game.letter() == 'L';
                to.write_str(if joker { words.joker } else { (words.colour)(*kind) })
            }),
            Parameter::Share(Share { game, winners }) => {
                write_list(words.and, winners.iter(), to, |player, to| {
                    write_player(words, Who { game, player }, to)
                })
            }
            Parameter::Tally(Tally { game, score }) => {
                let scores = score.as_slice().iter().enumerate();
                write_list(words.comma, scores, to, |(index, points), to| {
                    write_player(words, Who { game, player: Player::from_index(index) }, to)?;
                    to.write_str(" = ")?;
                    words.isolated(format_args!("{points}"), to)
                })
            }
            Parameter::Refused(refused) => write_refused(words, refused, to),
            Parameter::Colour(kind) => to.write_str((words.colour)(kind)),
            Parameter::Game(game) => to.write_str((words.game)(game)),
            Parameter::Rule(rule) => write_rule(words, rule, to),
            Parameter::Number(number) => words.isolated(format_args!("{number}"), to),
            Parameter::Step(step) => words.isolated(format_args!("{step}"), to),
        }
    }
}

/// `e6 f7`; of many the first eight and a sign that there are more.
impl fmt::Display for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_list(" ", self.cells.iter().take(NAMED_MAX), f, |cell, f| {
            write!(f, "{}", self.board.name(cell))
        })?;
        if self.cells.len() > NAMED_MAX { f.write_str(" ...") } else { Ok(()) }
    }
}

/// `a ring never passes or jumps a ring (e6) [Y8]`
fn write_refused(words: &Words, refused: Refused, to: &mut impl Write) -> fmt::Result {
    let Refused { reason, places } = refused;
    words.literal((words.reason)(reason), to)?;
    if !places.cells.is_empty() {
        to.write_str(" (")?;
        words.isolated(format_args!("{places}"), to)?;
        to.write_char(')')?;
    }
    to.write_char(' ')?;
    write_rule(words, reason.rule(), to)
}

/// `[Y8]`
fn write_rule(words: &Words, rule: Rule, to: &mut impl Write) -> fmt::Result {
    to.write_char('[')?;
    words.isolated(format_args!("{rule}"), to)?;
    to.write_char(']')
}

fn write_player(words: &Words, who: Who, to: &mut impl Write) -> fmt::Result {
    match who.game.letter() {
        'G' | 'Y' | 'D' => to.write_str(words.sides[who.player.index() & 1]),
        _ => {
            to.write_str(words.player)?;
            to.write_char(' ')?;
            words.isolated(format_args!("{}", who.player.number()), to)
        }
    }
}

/// The items one after the other with something in between.
fn write_list<T, W: Write>(
    between: &str,
    items: impl IntoIterator<Item = T>,
    to: &mut W,
    mut write: impl FnMut(T, &mut W) -> fmt::Result,
) -> fmt::Result {
    for (n, item) in items.into_iter().enumerate() {
        to.write_str(if n == 0 { "" } else { between })?;
        write(item, to)?;
    }
    Ok(())
}

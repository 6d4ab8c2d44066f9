//! The texts of the notation as strings: what the tools print of a position.

use lodestone::games::{Game, Player, Reason, Refusal};
use lodestone::geometry::{Board, CellSet};
use lodestone::text::{self, Language, Message};

/// A step as text.
pub fn step<G: Game>(position: &G, step: G::Step) -> String {
    let mut text = String::new();
    position.write_step(step, &mut text).expect("a string takes every step of its own game");
    text
}

/// All legal steps in byte order.
pub fn steps<G: Game>(position: &G) -> Vec<String> {
    let mut steps: Vec<String> = position.steps().map(|s| step(position, s)).collect();
    steps.sort_unstable();
    steps
}

/// The position in one line.
pub fn position<G: Game>(position: &G) -> String {
    let mut text = String::new();
    position.write_position(&mut text).expect("a string takes every position");
    text
}

/// The result as `query result` prints it: `none` while the game goes on.
pub fn result<G: Game>(position: &G) -> String {
    position.outcome().map_or_else(|| "none".into(), |outcome| outcome.to_string())
}

/// The number of the player to act, 0 when the game is over.
pub fn turn<G: Game>(position: &G) -> u8 {
    position.turn().map_or(0, Player::number)
}

/// The score of each player, separated by spaces.
pub fn score<G: Game>(position: &G) -> String {
    let numbers: Vec<String> = position.score().as_slice().iter().map(u16::to_string).collect();
    numbers.join(" ")
}

/// The names of cells in point order, separated by spaces.
pub fn cells(board: &Board, cells: CellSet) -> String {
    let names: Vec<String> = cells.iter().map(|cell| board.name(cell).to_string()).collect();
    names.join(" ")
}

/// Why a step is refused: the reason, the points that show it and the rule.
pub fn refusal<R: Reason>(board: &'static Board, refusal: &Refusal<R>) -> String {
    let mut text = String::new();
    let message = Message::refused(board, refusal);
    text::write(Language::English, &message, &mut text).expect("a string takes every refusal");
    text
}

/// Text from outside made safe to print: at most 40 bytes, `?` for what cannot be printed.
pub fn printable(bytes: &[u8]) -> String {
    let shown = |&byte: &u8| if byte.is_ascii_graphic() { char::from(byte) } else { '?' };
    bytes.iter().take(40).map(shown).collect()
}

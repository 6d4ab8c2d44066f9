//! What is written: one record for each thing that happens to a game, and its bytes.
//!
//! ```text
//! 0      version (high half) and kind (low half)
//! 1, 2   count, low byte first: of a start the game's number, of others their place in the game,
//!        the record after the start being 1; both wrap
//! 3 ..   start       game (place in `Id::ALL`), lot (8 bytes), then
//!                    gipf-basic: handicap (0 none, else 4 x player number + pieces)
//!                    lyngk, lyngk-six: 15 bytes of three pieces each, the first as lowest of
//!                    three digits of base 6 (K B G I R W = 0 to 5); the last byte has one piece
//!        step        1 to 3 bytes, see `step`
//!        undo        nothing
//!        checkpoint  nothing
//!        end         how (0 by the rules, 1 to 4 that player resigned, 5 stopped), result (0 none,
//!                    1 to 4 that player won, 5 draw, 128 + a bit for each player: shared)
//! ```
//!
//! One form for each record: whatever differs from what `encode` would have written is refused. A
//! new version changes the first byte of every record and keeps them within [`READ_MAX`].

use core::fmt::Write;

use heapless::{String, Vec};

use super::step::Packed;
use crate::games::any::{Setup, Step};
use crate::games::{Game, Id, Outcome, Player, Winners, gipf, lyngk};

/// The version of everything here.
pub const VERSION: u8 = 1;
/// The most bytes of a record.
pub const BYTES_MAX: usize = HEAD + 1 + 8 + DEAL;
/// The longest record of any version, so that a later one is recognised and not cut.
pub const READ_MAX: usize = 256;
const HEAD: usize = 3;
/// LYNGK's pieces, three to a byte.
const PIECES: usize = 43;
const DEAL: usize = PIECES.div_ceil(3);
/// Kinds of pieces, in the order of their digits.
const LETTERS: &[u8; 6] = b"KBGIRW";

/// What happens to a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(clippy::large_enum_variant)] // a value on its way to flash
pub enum Record {
    /// A game begins.
    Start {
        /// Which, with its handicap or deal.
        setup: Setup,
        /// What lots were drawn from; 0 when there were none.
        lot: u64,
    },
    /// A step was committed.
    Step(Packed),
    /// The last step was taken back.
    Undo,
    /// From here on undo goes back to here only.
    Checkpoint,
    /// The game is over.
    End(End),
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// By its rules.
    Rules(Outcome),
    /// A player resigned.
    Resigned(Player, Outcome),
    /// Without a result.
    Stopped,
}

/// Why bytes are no record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unreadable {
    /// Of a version this program does not know.
    Version(u8),
    /// Of this version, and not as it writes them.
    Malformed,
}

/// The bytes of a record.
pub(super) type Bytes = Vec<u8, BYTES_MAX>;

impl Record {
    /// The record of a step; `None` for a step no position has.
    pub fn step(step: Step) -> Option<Record> {
        Packed::new(step).map(Record::Step)
    }

    const fn kind(&self) -> u8 {
        match self {
            Record::Start { .. } => 0,
            Record::Step(_) => 1,
            Record::Undo => 2,
            Record::Checkpoint => 3,
            Record::End(_) => 4,
        }
    }

    /// The bytes of a record.
    pub(super) fn encode(&self, count: u16) -> Bytes {
        let [low, high] = count.to_le_bytes();
        let mut bytes: Bytes = [VERSION << 4 | self.kind(), low, high].into_iter().collect();
        match self {
            Record::Start { setup, lot } => {
                let id = id(setup);
                bytes.extend(Id::ALL.iter().position(|&other| other == id).map(|n| n as u8));
                bytes.extend(lot.to_le_bytes());
                match setup {
                    Setup::Gipf(gipf::Variant::Basic(handicap)) => {
                        bytes.extend([handicap.map_or(0, handicap_byte)]);
                    }
                    Setup::Lyngk(_, deal) => bytes.extend(deal_bytes(deal)),
                    _ => {}
                }
            }
            Record::Step(packed) => {
                let (all, length) = packed.bytes();
                bytes.extend(all.into_iter().take(length));
            }
            Record::Undo | Record::Checkpoint => {}
            Record::End(end) => bytes.extend(end_bytes(*end)),
        }
        bytes
    }

    /// The count and the record of these bytes.
    pub fn decode(bytes: &[u8]) -> Result<(u16, Record), Unreadable> {
        let version = bytes.first().ok_or(Unreadable::Malformed)? >> 4;
        if version != VERSION {
            return Err(Unreadable::Version(version));
        }
        let ([head, low, high], body) = bytes.split_first_chunk().ok_or(Unreadable::Malformed)?;
        let record = decode_body(head & 0x0F, body).ok_or(Unreadable::Malformed)?;
        Ok((u16::from_le_bytes([*low, *high]), record))
    }
}

fn decode_body(kind: u8, body: &[u8]) -> Option<Record> {
    Some(match (kind, body) {
        (0, [game, rest @ ..]) => {
            let id = *Id::ALL.get(usize::from(*game))?;
            let (lot, chosen) = rest.split_first_chunk()?;
            Record::Start { setup: setup(id, chosen)?, lot: u64::from_le_bytes(*lot) }
        }
        (1, _) => Record::Step(Packed::from_bytes(body)?),
        (2, []) => Record::Undo,
        (3, []) => Record::Checkpoint,
        (4, &[how, result]) => Record::End(end(how, result)?),
        _ => return None,
    })
}

/// Which game a set-up is of.
pub(super) fn id(setup: &Setup) -> Id {
    setup.position().id()
}

fn setup(id: Id, chosen: &[u8]) -> Option<Setup> {
    Some(match (Setup::of(id), chosen) {
        (even @ Setup::Gipf(gipf::Variant::Basic(_)), [0]) => even,
        (Setup::Gipf(gipf::Variant::Basic(_)), &[byte]) => {
            Setup::Gipf(gipf::Variant::Basic(Some(handicap(byte)?)))
        }
        (Setup::Lyngk(variant, _), bytes) => Setup::Lyngk(variant, deal(bytes.try_into().ok()?)?),
        (Setup::Gipf(gipf::Variant::Basic(_)), _) => return None,
        (fixed, []) => fixed,
        _ => return None,
    })
}

/// From the digits of `1+2`.
fn handicap_byte(handicap: gipf::Handicap) -> u8 {
    let mut text = String::<3>::new();
    match (write!(text, "{handicap}"), text.as_bytes()) {
        (Ok(()), &[player, _, pieces]) => (player - b'0') << 2 | (pieces - b'0'),
        _ => 0,
    }
}

fn handicap(byte: u8) -> Option<gipf::Handicap> {
    gipf::Handicap::parse(&[b'0' + (byte >> 2), b'+', b'0' + (byte & 3)])
}

fn deal_bytes(deal: &lyngk::Deal) -> [u8; DEAL] {
    let mut letters = String::<PIECES>::new();
    // 43 letters always fit.
    let _ = write!(letters, "{deal}");
    let mut bytes = [0; DEAL];
    for (byte, three) in bytes.iter_mut().zip(letters.as_bytes().chunks(3)) {
        let digit = |letter| LETTERS.iter().position(|l| l == letter).unwrap_or(0) as u8;
        *byte = three.iter().rev().fold(0, |number, letter| number * 6 + digit(letter));
    }
    bytes
}

fn deal(bytes: &[u8; DEAL]) -> Option<lyngk::Deal> {
    let mut letters = [0; PIECES];
    for (three, &byte) in letters.chunks_mut(3).zip(bytes) {
        let mut number = byte;
        for letter in three {
            *letter = LETTERS[usize::from(number % 6)];
            number /= 6;
        }
        if number != 0 {
            return None;
        }
    }
    lyngk::Deal::parse(&letters).ok()
}

const STOPPED: u8 = 5;
const DRAW: u8 = 5;
const SHARED: u8 = 0x80;

fn end_bytes(end: End) -> [u8; 2] {
    match end {
        End::Rules(outcome) => [0, outcome_byte(outcome)],
        End::Resigned(player, outcome) => [player.number(), outcome_byte(outcome)],
        End::Stopped => [STOPPED, 0],
    }
}

fn end(how: u8, result: u8) -> Option<End> {
    Some(match how {
        0 => End::Rules(outcome(result)?),
        STOPPED if result == 0 => End::Stopped,
        _ => End::Resigned(player(how)?, outcome(result)?),
    })
}

fn outcome_byte(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Win(player) => player.number(),
        Outcome::Draw => DRAW,
        Outcome::Share(winners) => winners.iter().fold(SHARED, |bits, p| bits | 1 << p.index()),
    }
}

fn outcome(byte: u8) -> Option<Outcome> {
    match byte {
        DRAW => Some(Outcome::Draw),
        SHARED..0x90 => {
            let shares = (0..Player::MAX).filter(|n| byte & 1 << n != 0).map(Player::from_index);
            Some(Outcome::Share(shares.fold(Winners::default(), Winners::with)))
        }
        _ => player(byte).map(Outcome::Win),
    }
}

/// The player with this number, counted from 1.
fn player(number: u8) -> Option<Player> {
    (1..=Player::MAX).contains(&number.into()).then(|| Player::from_index(usize::from(number) - 1))
}

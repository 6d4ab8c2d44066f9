//! The journal on a simulated flash; `cuts` has the power cuts.

mod cuts;
mod flash;
mod nor;
mod records;

use std::vec::Vec;

use embassy_futures::block_on;

use super::{End, History, Journal, Record};
use crate::games::any::{Setup, Step};
use crate::games::{Game, Id, Outcome, Player};
use crate::random::SplitMix64;
use nor::{Fault, Nor, SECTOR};

type Error = super::Error<Fault>;

/// The steps of a random game, to its end or so far.
fn play(id: Id, seed: u64, steps_max: usize) -> Vec<Step> {
    let mut random = SplitMix64::new(seed);
    let mut position = Setup::of(id).position();
    let mut played = Vec::new();
    while played.len() < steps_max && position.turn().is_some() {
        let step = position.steps().nth(random.below(position.step_count())).unwrap();
        position.play_unchecked(step);
        played.push(step);
    }
    played
}

/// A random game with undos as records, without its end.
fn game(id: Id, seed: u64, steps_max: usize) -> Vec<Record> {
    let mut records = std::vec![Record::Start { setup: Setup::of(id), lot: seed }];
    for (n, step) in play(id, seed, steps_max).into_iter().enumerate() {
        let step = Record::step(step).unwrap();
        records.push(step);
        if n % 9 == 4 {
            records.extend([Record::Undo, step]);
        }
        if n % 31 == 30 {
            records.extend([Record::Undo, Record::Undo, records[records.len() - 2], step]);
        }
    }
    records
}

const END: Record = Record::End(End::Resigned(Player::ONE, Outcome::Win(Player::TWO)));

fn open<const W: usize>(nor: Nor<W>) -> Result<Journal<Nor<W>>, Error> {
    let region = 0..nor.sectors() * SECTOR as u32;
    block_on(Journal::open(nor, region))
}

fn append<const W: usize>(journal: &mut Journal<Nor<W>>, record: &Record) -> Result<(), Error> {
    block_on(journal.append(record))
}

fn append_all<const W: usize>(journal: &mut Journal<Nor<W>>, records: &[Record]) {
    for record in records {
        append(journal, record).expect("there is room");
    }
}

/// All records of the flash that are whole, oldest first.
fn all<const W: usize>(journal: &mut Journal<Nor<W>>) -> Vec<Record> {
    let mut records = Vec::new();
    block_on(journal.scan(|_, read| records.push(read.unwrap().1))).unwrap();
    records
}

/// The records of the youngest game.
fn youngest<const W: usize>(journal: &mut Journal<Nor<W>>) -> Vec<Record> {
    let records = all(journal);
    let start = records.iter().rposition(|record| matches!(record, Record::Start { .. }));
    records[start.unwrap_or(records.len())..].to_vec()
}

/// What the records of one game come to.
fn history(records: &[Record]) -> History {
    let mut history = History::new(Setup::Dvonn);
    assert!(records.iter().all(|record| super::follow(&mut history, record)));
    history
}

/// A journal that has come round: full of finished games.
fn come_round<const W: usize>(sectors: usize) -> Journal<Nor<W>> {
    let mut journal = open(Nor::new(sectors)).unwrap();
    let mut seed = 0;
    while journal.flash.erases.iter().sum::<u32>() == 0 {
        append_all(&mut journal, &game(Id::Dvonn, seed, 60));
        append(&mut journal, &END).unwrap();
        seed += 1;
    }
    journal
}

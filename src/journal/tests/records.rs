//! Bytes: golden ones, every step of random games, garbage.

use std::format;
use std::string::String;
use std::vec::Vec;

use super::super::record::Record;
use super::super::{BYTES_MAX, End, Packed, Unreadable, VERSION};
use super::play;
use crate::games::any::Setup;
use crate::games::{Game, Id, Outcome, Player, Winners, gipf, lyngk};
use crate::random::SplitMix64;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
}

#[test]
fn the_bytes_of_every_kind_of_record_stay_as_they_are() {
    let start = |setup| Record::Start { setup, lot: 0x0102_0304_0506_0708 };
    let handicap = gipf::Handicap::parse(b"2+3");
    let deal = lyngk::Deal::parse(b"KKKKKKKKBBBBBBBBGGGGGGGGIIIIIIIIRRRRRRRRWWW").unwrap();
    let step = |id, text: &[u8]| {
        let step = Setup::of(id).position().parse_step(text).unwrap();
        Record::step(step).unwrap()
    };
    let shared = Winners::default().with(Player::ONE).with(Player::from_index(2));
    for (record, bytes) in [
        (start(Setup::Dvonn), "100201050807060504030201"),
        (start(Setup::of(Id::GipfBasic)), "10020100080706050403020100"),
        (start(Setup::Gipf(gipf::Variant::Basic(handicap))), "1002010008070605040302010b"),
        (
            start(Setup::Lyngk(lyngk::Variant::Six, deal)),
            "100201070807060504030201 0000242b2b5556568181a5acacd605",
        ),
        (step(Id::GipfBasic, b"a2-b3"), "11020188"),
        (step(Id::GipfTournament, b"Ga2-b3"), "11020189"),
        (step(Id::Gipf, b"xb2-b5"), "110201891e"),
        (step(Id::Gipf, b"xc2-g4+d3+e4"), "1102015277"),
        (step(Id::Yinsh, b"f6"), "1102012a"),
        (step(Id::Yinsh, b"f6-f9"), "110201c90e"),
        (step(Id::Yinsh, b"xd3-h7"), "1102011924"),
        (step(Id::Yinsh, b"xe5"), "11020175"),
        (step(Id::Dvonn, b"g2"), "1102011c"),
        (step(Id::Dvonn, b"a1-b2"), "11020135"),
        (step(Id::Lyngk, b"R"), "11020104"),
        (step(Id::Lyngk, b"a3-e5"), "1102011a"),
        (step(Id::Glux2, b"c7=4"), "11020193"),
        (Record::Undo, "120201"),
        (Record::Checkpoint, "130201"),
        (Record::End(End::Rules(Outcome::Win(Player::TWO))), "1402010002"),
        (Record::End(End::Rules(Outcome::Share(shared))), "1402010085"),
        (Record::End(End::Resigned(Player::ONE, Outcome::Draw)), "1402010105"),
        (Record::End(End::Stopped), "1402010500"),
    ] {
        assert_eq!(hex(&record.encode(0x0102)), bytes.replace(' ', ""), "{record:?}");
        assert_eq!(Record::decode(&record.encode(0x0102)), Ok((0x0102, record)));
    }
}

#[test]
fn every_legal_step_of_random_games_comes_back() {
    for (seed, id) in Id::ALL.into_iter().enumerate() {
        for round in 0..6 {
            let mut position = Setup::of(id).position();
            for step in play(id, seed as u64 * 100 + round, 300) {
                for legal in position.steps() {
                    let packed = Packed::new(legal).expect("every legal step has a number");
                    assert_eq!(packed.step(id), Some(legal));
                    let Record::Step(back) = read(Record::Step(packed)) else { panic!("a step") };
                    assert_eq!(back, packed);
                }
                position.play_unchecked(step);
            }
        }
    }
}

fn read(record: Record) -> Record {
    Record::decode(&record.encode(7)).expect("what was written can be read").1
}

#[test]
fn every_number_is_one_step_or_none_and_harms_no_position() {
    let mut random = SplitMix64::new(5);
    let two_bytes = (0..=u16::MAX).map(u32::from);
    let three_bytes = (0..100_000).map(|_| random.next() as u32 & 0xFF_FFFF);
    let numbers: Vec<u32> = two_bytes.chain(three_bytes).collect();
    for id in Id::ALL {
        let position = Setup::of(id).position();
        let mut steps = 0;
        for number in &numbers {
            let length = (4 - number.leading_zeros() as usize / 8).max(1);
            let packed = Packed::from_bytes(&number.to_le_bytes()[..length]).unwrap();
            let Some(step) = packed.step(id) else { continue };
            assert_eq!(Packed::new(step), Some(packed), "{id} {step:?}");
            let mut after = position;
            let _ = after.play(step);
            after.play_unchecked(step);
            steps += 1;
        }
        assert!(steps > 500, "{id}");
    }
}

#[test]
fn garbage_is_refused_or_is_exactly_what_would_have_been_written() {
    let mut random = SplitMix64::new(6);
    let deal = Record::Start { setup: Setup::of(Id::Lyngk), lot: 1 }.encode(0);
    let mut readable = 0;
    for round in 0..400_000 {
        let mut bytes = deal.to_vec();
        if round % 2 == 0 {
            bytes = (0..random.below(BYTES_MAX + 4)).map(|_| random.next() as u8).collect();
            if let Some(first) = bytes.first_mut() {
                *first = (*first % 8) | (VERSION << 4);
            }
        } else {
            let at = random.below(bytes.len());
            bytes[at] = random.next() as u8;
        }
        if let Ok((count, record)) = Record::decode(&bytes) {
            assert_eq!(record.encode(count).as_slice(), bytes);
            readable += 1;
        }
    }
    assert!(readable > 1000);
}

#[test]
fn other_versions_are_named() {
    for first in 0..=u8::MAX {
        let read = Record::decode(&[first, 0, 0]);
        if first >> 4 == VERSION {
            assert!(!matches!(read, Err(Unreadable::Version(_))));
        } else {
            assert_eq!(read, Err(Unreadable::Version(first >> 4)));
        }
    }
}

//! The device from the outside: keys, requests and scans in, effects out.

use std::string::String;
use std::vec::Vec;

use super::*;
use crate::games::Id;
use crate::link::Text;
use crate::text::{Language, write};

const EMPTY: [u16; 91] = [2048; 91];

/// A console that is fed scans of one world.
struct Bench {
    console: Console,
    codes: [u16; 91],
    now_ms: u32,
    said: Vec<Effect>,
}

impl Bench {
    fn new() -> Bench {
        let calibration = Calibration::exact(Playfield::Hex);
        let console = Console::new(calibration, Options::default(), 1);
        Bench { console, codes: EMPTY, now_ms: 0, said: Vec::new() }
    }

    fn give(&mut self, input: Input) {
        let mut effects = Effects::new();
        self.console.handle(self.now_ms, input, &mut effects);
        self.said.extend(effects);
    }

    fn wait(&mut self, ms: u32) {
        for _ in 0..ms / 12 {
            self.now_ms += 12;
            let codes = self.codes;
            self.give(Input::Scan(&codes));
        }
    }

    fn tap(&mut self, key: Key) {
        self.give(Input::Key(key, true));
        self.wait(60);
        self.give(Input::Key(key, false));
    }

    fn hold(&mut self, key: Key) {
        self.give(Input::Key(key, true));
        self.wait(LONG_MS + 50);
        self.give(Input::Key(key, false));
    }

    fn host(&mut self, request: ToBoard) -> Option<Answer> {
        self.give(Input::Host(request));
        self.said.iter().rev().find_map(|effect| match effect {
            Effect::Answer(answer) => Some(*answer),
            _ => None,
        })
    }

    fn put(&mut self, name: &str, codes: i16) {
        let board = self.console.referee.position().board();
        let point = board.point(board.parse(name.as_bytes()).unwrap());
        self.codes[point.index()] = 2048_u16.saturating_add_signed(codes);
    }

    fn stored(&self) -> Vec<Record> {
        let record = |effect: &Effect| match effect {
            Effect::Store(record) => Some(*record),
            _ => None,
        };
        self.said.iter().filter_map(record).collect()
    }

    fn headlines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        self.console.headlines(&mut |message| {
            let mut line = String::new();
            write(Language::English, &message, &mut line).unwrap();
            lines.push(line);
        });
        lines
    }
}

/// What a ring reads.
const RING: i16 = 134;

#[test]
fn keys_lead_from_the_menu_into_a_game() {
    let mut bench = Bench::new();
    assert_eq!(bench.headlines(), ["choose a game"]);
    bench.tap(Key::K2);
    assert_eq!(bench.headlines(), ["YINSH: OK starts"]);
    bench.tap(Key::K2);
    bench.tap(Key::Ok);
    assert!(matches!(bench.stored()[..], [Record::Start { setup: Setup::Yinsh(_), .. }]));
    bench.wait(300);
    assert_eq!(bench.console.phase(), Phase::Play);
    bench.put("f6", RING);
    bench.wait(1000);
    let game = bench.console.game().unwrap();
    assert_eq!((game.position().id(), game.step_count()), (Id::YinshBlitz, 1));
    assert!(matches!(bench.stored()[1..], [Record::Step(_)]));
}

#[test]
fn what_is_stored_comes_before_what_is_said() {
    let mut bench = Bench::new();
    let new = ToBoard::NewGame { id: Id::Yinsh, handicap: Text::default(), setup: Text::default() };
    assert_eq!(bench.host(new), Some(Answer::Ack(4)));
    bench.wait(300);
    bench.put("f6", RING);
    bench.wait(1000);
    let at = |found: &dyn Fn(&Effect) -> bool| bench.said.iter().position(found).unwrap();
    let stored = at(&|effect| matches!(effect, Effect::Store(Record::Step(_))));
    let said = at(&|effect| matches!(effect, Effect::Event(Event::Committed { .. })));
    assert!(stored < said);
}

#[test]
fn a_game_of_the_other_playfield_is_refused_and_changes_nothing() {
    let mut bench = Bench::new();
    let new = ToBoard::NewGame { id: Id::Glux2, handicap: Text::default(), setup: Text::default() };
    assert_eq!(bench.host(new), Some(Answer::Error(Failure::OtherPlayfield)));
    bench.tap(Key::K5);
    assert_eq!(bench.headlines(), ["choose a game"]);
    assert!(bench.console.lamps()[4].is_none() && bench.console.lamps()[0].is_some());
}

#[test]
fn long_undo_offers_the_end_and_a_key_resigns() {
    let mut bench = Bench::new();
    bench.tap(Key::K2);
    bench.tap(Key::Ok);
    bench.wait(300);
    bench.hold(Key::Undo);
    assert_eq!(bench.headlines()[0].split('?').next(), Some("end the game"));
    bench.tap(Key::K1);
    let end = End::Resigned(Player::ONE, Outcome::Win(Player::TWO));
    assert_eq!(bench.stored().last(), Some(&Record::End(end)));
    assert_eq!(bench.console.outcome(), Some(Outcome::Win(Player::TWO)));
    bench.tap(Key::Ok);
    assert_eq!(bench.console.phase(), Phase::Menu);
}

#[test]
fn a_game_left_by_the_menu_waits() {
    let mut bench = Bench::new();
    bench.tap(Key::K2);
    bench.tap(Key::Ok);
    bench.wait(300);
    bench.hold(Key::Ok);
    assert_eq!(bench.console.phase(), Phase::Menu);
    bench.tap(Key::Undo);
    bench.wait(300);
    assert_eq!(bench.console.phase(), Phase::Play);
    assert_eq!(bench.stored().len(), 1);
}

#[test]
fn a_board_without_zeros_asks_to_be_emptied_once() {
    let mut bench = Bench::new();
    bench.console = Console::new(Calibration::none(Playfield::Hex), Options::default(), 1);
    bench.codes = [2060; 91];
    bench.codes[3] = 2400;
    bench.wait(100);
    assert_eq!(bench.console.phase(), Phase::Calibration);
    bench.tap(Key::Ok);
    assert!(bench.console.meanings().iter().count() == 1);
    bench.codes[3] = 2050;
    bench.wait(100);
    bench.tap(Key::Ok);
    bench.wait(7000);
    assert_eq!(bench.console.phase(), Phase::Menu);
    assert!(bench.said.contains(&Effect::SaveCalibration));
    assert!(bench.console.calibration().unzeroed().is_empty());
}

#[test]
fn a_game_that_waits_for_its_playfield_ends_when_another_begins() {
    let mut bench = Bench::new();
    let waiting = Setup::of(Id::Glux2).position();
    bench.console.offer(&waiting, 0, [], &mut Effects::new());
    bench.tap(Key::K2);
    bench.tap(Key::Ok);
    let stored = bench.stored();
    assert!(matches!(stored[..], [Record::End(End::Stopped), Record::Start { .. }]), "{stored:?}");
}

#[test]
fn an_unfinished_game_is_offered_and_can_be_refused() {
    for refused in [false, true] {
        let mut bench = Bench::new();
        let base = Setup::of(Id::Yinsh).position();
        let step = base.parse_step(b"f6").unwrap();
        let mut effects = Effects::new();
        bench.console.offer(&base, 0, [step], &mut effects);
        assert!(effects.is_empty());
        assert_eq!(bench.console.phase(), Phase::Resume);
        assert_eq!(bench.console.meanings().iter().count(), 1);
        bench.tap(if refused { Key::Undo } else { Key::Ok });
        if refused {
            assert_eq!(bench.stored(), [Record::End(End::Stopped)]);
            assert_eq!(bench.console.phase(), Phase::Menu);
            continue;
        }
        bench.wait(500);
        assert_eq!(bench.console.phase(), Phase::Resume);
        bench.put("f6", RING);
        bench.wait(1000);
        assert_eq!(bench.console.phase(), Phase::Play);
        assert!(bench.stored().is_empty());
    }
}

#[test]
fn dangerous_requests_need_ok_held() {
    let mut bench = Bench::new();
    assert_eq!(bench.host(ToBoard::EraseJournal), Some(Answer::Error(Failure::HoldOk)));
    bench.give(Input::Key(Key::Ok, true));
    assert_eq!(bench.host(ToBoard::EraseJournal), Some(Answer::EraseJournal));
}

#[test]
fn options_go_round_and_are_kept() {
    let mut bench = Bench::new();
    bench.tap(Key::K6);
    for key in [Key::K1, Key::K2, Key::K3, Key::K4, Key::K5] {
        bench.tap(key);
    }
    let options = bench.console.options();
    assert_eq!((options.hints, options.brightness, options.settle), (false, 4, 1000));
    assert_eq!((options.sound, options.language), (false, Language::Persian));
    assert_eq!(bench.said.iter().filter(|e| **e == Effect::SaveOptions).count(), 5);
    let odd = ToBoard::SetOption { setting: crate::link::Setting::Brightness(9) };
    assert_eq!(bench.host(odd), Some(Answer::Error(Failure::OutOfRange)));
}

#[test]
fn every_key_of_every_menu_has_words() {
    let mut bench = Bench::new();
    for path in [&[][..], &[Key::K1], &[Key::K2], &[Key::K4], &[Key::K6], &[Key::K6, Key::K6]] {
        for &key in path {
            bench.tap(key);
        }
        let lamps = bench.console.lamps();
        for (lamp, key) in lamps.iter().zip([Key::K1, Key::K2, Key::K3, Key::K4, Key::K5, Key::K6])
        {
            assert_eq!(lamp.is_some(), bench.console.legend(key).is_some(), "{path:?} {key:?}");
        }
        assert!(!bench.headlines().is_empty());
        bench.tap(Key::Undo);
    }
}

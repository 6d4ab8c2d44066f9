//! The device from the outside: keys, requests and scans in, effects out.

use std::string::String;
use std::vec::Vec;

use super::*;
use crate::games::Id;
use crate::link::Text;
use crate::text::{Language, Message, write};

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
    assert_eq!(bench.headlines(), ["choose a variant", "YINSH: OK starts"]);
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
fn a_proposed_step_and_a_full_journal_are_told() {
    let mut bench = Bench::new();
    let new = ToBoard::NewGame { id: Id::Yinsh, handicap: Text::default(), setup: Text::default() };
    bench.host(new);
    bench.wait(300);
    bench.host(ToBoard::Propose { step: Text::new("f6").unwrap() });
    assert_eq!(bench.headlines(), ["White places a ring", "play this for White: f6"]);
    bench.put("f6", RING);
    bench.wait(1000);
    assert_eq!(bench.headlines(), ["Black places a ring"], "until a step is committed");
    bench.give(Input::NotStored);
    assert!(bench.headlines()[1].starts_with("the board cannot store this game"));
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
fn it_starts_until_the_self_test_is_over_or_a_key_is_pressed() {
    let mut bench = Bench::new();
    assert_eq!(bench.console.phase(), Phase::StartUp);
    bench.wait(12 * 179);
    assert_eq!((bench.console.phase(), reports(&bench).len()), (Phase::StartUp, 0));
    bench.wait(12);
    assert_eq!((bench.console.phase(), reports(&bench).len()), (Phase::Menu, 1));

    let mut bench = Bench::new();
    bench.tap(Key::K2);
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

/// Whoever sees only the lamps knows what the keys mean, but for menus that look alike.
#[test]
fn lamps_tell_the_menu() {
    let mut bench = Bench::new();
    let (unlike, alike) = (true, false);
    for (path, is_told) in [
        (&[][..], unlike),
        (&[Key::K1], unlike),
        (&[Key::K1, Key::K3], unlike),
        (&[Key::K2], alike),
        (&[Key::K3], unlike),
        (&[Key::K4, Key::K2], alike),
        (&[Key::K6], unlike),
        (&[Key::K6, Key::K6], unlike),
    ] {
        for &key in path {
            bench.tap(key);
        }
        let lamps = bench.console.lamps();
        let has_dim = lamps.contains(&Some(Lamp::Ready));
        let glows = lamps.map(|lamp| match lamp {
            None => Glow::Dark,
            Some(Lamp::Chosen) if has_dim => Glow::Bright,
            Some(_) => Glow::Dim,
        });
        for (index, key) in
            [Key::K1, Key::K2, Key::K3, Key::K4, Key::K5, Key::K6].into_iter().enumerate()
        {
            let words = |message: Message| {
                let mut text = String::new();
                write(Language::English, &message, &mut text).unwrap();
                text
            };
            let options = *bench.console.options();
            let told = legend_by_lamps(&glows, index, Playfield::Hex, options).map(words);
            let is = bench.console.legend(key).map(words).filter(|_| is_told);
            assert_eq!(told, is, "{path:?} {key:?}");
        }
        bench.tap(Key::Undo);
    }
}

/// What the reference piece and basic pieces read.
const PIECE: i16 = 277;

fn reports(bench: &Bench) -> Vec<(Procedure, bool, usize)> {
    let report = |effect: &Effect| match effect {
        Effect::Event(Event::Report { procedure, passed, points }) => {
            Some((*procedure, *passed, points.len()))
        }
        _ => None,
    };
    bench.said.iter().filter_map(report).collect()
}

#[test]
fn a_self_test_runs_at_every_start_and_says_what_is_wrong() {
    let mut bench = Bench::new();
    bench.wait(4000);
    assert_eq!(reports(&bench), [(Procedure::SelfTest, true, 0)]);
    let mut bench = Bench::new();
    bench.codes[7] = 0;
    bench.wait(4000);
    assert_eq!(reports(&bench), [(Procedure::SelfTest, false, 1)]);
    let lit: Vec<_> = bench.console.meanings().iter().collect();
    assert_eq!(lit, [(crate::geometry::Point::new(Playfield::Hex, 7).unwrap(), Meaning::Wrong)]);
    assert_eq!(bench.headlines().len(), 2);
}

/// Lays the reference piece, a little too weak, on the first `count` points, one after the other.
fn walk(bench: &mut Bench, count: usize) {
    for index in 0..count {
        let lit: Vec<_> = bench.console.meanings().iter().map(|(p, m)| (p.index(), m)).collect();
        assert_eq!(lit, [(index, Meaning::Put)]);
        bench.codes[index] = 2048 + 250;
        bench.wait(300);
        bench.codes[index] = 2048;
        bench.wait(120);
    }
}

#[test]
fn a_walk_with_one_piece_teaches_the_gains() {
    let mut bench = Bench::new();
    let before = bench.console.calibration().clone();
    let begin = |bench: &mut Bench| {
        let request = ToBoard::Calibrate { procedure: Procedure::Gain };
        assert_eq!(bench.host(request), Some(Answer::Ack(14)));
        assert_eq!(bench.console.phase(), Phase::Calibration);
        bench.wait(300);
    };
    begin(&mut bench);
    walk(&mut bench, 3);
    bench.tap(Key::Undo);
    assert_eq!(bench.console.calibration(), &before, "what was not finished changes nothing");

    begin(&mut bench);
    walk(&mut bench, 90);
    bench.tap(Key::K1);
    assert_eq!(bench.console.phase(), Phase::Menu, "the last point was left out");
    assert_eq!(reports(&bench).last(), Some(&(Procedure::Gain, false, 1)));
    assert!(bench.said.contains(&Effect::SaveCalibration));
    assert_ne!(bench.console.calibration(), &before);
}

#[test]
fn the_self_test_looks_at_lights_keys_and_sensors() {
    for presses in [6, 5] {
        let mut bench = Bench::new();
        for key in [Key::K6, Key::K6, Key::K3] {
            bench.tap(key);
        }
        assert_eq!(bench.console.phase(), Phase::SelfTest);
        let colours: Vec<_> = (0..4)
            .map(|_| {
                let all: Vec<_> = bench.console.meanings().iter().map(|(_, m)| m).collect();
                assert!(all.len() == 91 && all.iter().all(|m| *m == all[0]));
                bench.wait(1030);
                all[0]
            })
            .collect();
        assert!((0..4).all(|n| !colours[..n].contains(&colours[n])), "{colours:?}");
        bench.tap(Key::Ok);
        for key in [Key::K1, Key::K2, Key::K3, Key::K4, Key::K5, Key::K6].into_iter().take(presses)
        {
            bench.tap(key);
        }
        assert_eq!(bench.console.lamps().iter().flatten().count(), 6 - presses);
        bench.tap(Key::Ok);
        assert_eq!(reports(&bench).last(), Some(&(Procedure::SelfTest, presses == 6, 0)));
        assert_eq!(bench.console.phase(), Phase::Menu);
    }
}

#[test]
fn who_wins_by_resignation_is_lit() {
    let mut bench = Bench::new();
    let base = Setup::of(Id::Yinsh).position();
    let step = base.parse_step(b"f6").unwrap();
    bench.console.offer(&base, 0, [step], &mut Effects::new());
    bench.tap(Key::Ok);
    bench.put("f6", RING);
    bench.wait(1000);
    bench.hold(Key::Undo);
    bench.tap(Key::K2);
    let lit: Vec<_> = bench.console.meanings().iter().map(|(_, meaning)| meaning).collect();
    assert_eq!(lit, [Meaning::Winner(Player::ONE, 0)]);
    bench.tap(Key::Ok);
    assert_eq!(bench.console.meanings().iter().count(), 0);
}

/// DVONN with its first stack.
fn stacks() -> (Bench, usize) {
    let mut bench = Bench::new();
    let base = Setup::of(Id::Dvonn).position();
    let (mut position, mut steps) = (base, Vec::new());
    while steps.len() < 50 {
        let step = position.steps().next().unwrap();
        position.play_unchecked(step);
        steps.push(step);
    }
    bench.console.offer(&base, 0, steps, &mut Effects::new());
    (bench, position.table().occupied().len())
}

#[test]
fn stacks_are_offered_by_their_tops_and_told_one_by_one() {
    let (mut bench, standing) = stacks();
    let kinds = |bench: &Bench| {
        let meanings: Vec<_> =
            bench.console.meanings().iter().map(|(_, meaning)| meaning).collect();
        let of = |kind| meanings.iter().filter(|&&m| m == Meaning::SetUp(kind)).count();
        [of(Kind::White), of(Kind::Black), of(Kind::Red)]
    };
    let offered = kinds(&bench);
    assert!(offered.iter().sum::<usize>() == standing && offered.iter().all(|&count| count > 0));
    bench.tap(Key::Ok);
    bench.wait(3000);
    let told = |effect: &&Effect| matches!(effect, Effect::Event(Event::Notice(Notice::Stood(_))));
    assert_eq!(bench.said.iter().filter(told).count(), 1, "the first stack of several pieces");

    let board = bench.console.referee.position().board();
    for cell in bench.console.referee.expected().occupied() {
        bench.codes[board.point(cell).index()] = 2048_u16.saturating_add_signed(PIECE);
    }
    for cell in bench.console.referee.expected().strong {
        bench.codes[board.point(cell).index()] = 2048 + 561;
    }
    bench.wait(2000);
    assert_eq!(bench.console.phase(), Phase::Play);
    bench.give(Input::Key(Key::K6, true));
    assert_eq!(kinds(&bench), offered, "K6 held shows the tops");
    assert!(bench.headlines().contains(&"the lights show the top piece of every stack".into()));
    bench.give(Input::Key(Key::K6, false));
    assert_eq!(kinds(&bench), [0, 0, 0]);
}

#[test]
fn a_row_is_to_be_taken_before_its_ring() {
    let mut position = Setup::of(Id::YinshBlitz).position();
    let steps =
        "f4 h8 c3 i8 d7 h9 j8 i7 e8 j9 f4-f5 h8-h7 f5-f6 h7-g6 f6-f7 g6-h6 f7-f8 h6-i6 f8-f9";
    for text in steps.split(' ') {
        let step = position.parse_step(text.as_bytes()).unwrap();
        position.play_unchecked(step);
    }
    let cells = |names: &str| -> CellSet {
        names.split(' ').map(|name| position.board().parse(name.as_bytes()).unwrap()).collect()
    };
    let said = |cells| {
        let mut line = String::new();
        write(Language::English, &words::order(&position, Act::Take, cells), &mut line).unwrap();
        line
    };
    assert_eq!(said(cells("f7 f8 c3 f9")), "take the row off: f7 f8");
    assert_eq!(said(cells("c3 f9")), "give one of your rings for the row: c3 f9");
}

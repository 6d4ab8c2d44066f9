use std::collections::HashMap;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::string::String;
use std::vec::Vec;
use std::{format, vec};

use super::*;
use crate::games::yinsh;
use crate::games::{Player, Refusal, Rule, Score, Winners};
use crate::geometry::{CellSet, HEX, YINSH};
use crate::golden;

/// A value to show a sentence with.
pub(super) trait Sample {
    fn sample() -> Self;
}

fn places(names: &[&str]) -> Places {
    let cells = names.iter().map(|name| YINSH.parse(name.as_bytes()).unwrap()).collect();
    Places { board: &YINSH, cells }
}

/// Not White and Black, so that a forgotten parameter is not found by chance.
const PLAYER: Who = Who { game: Id::Glux3, player: Player::TWO };

macro_rules! samples {
    ($($type:ty: $value:expr;)*) => {
        $(impl Sample for $type {
            fn sample() -> Self {
                $value
            }
        })*
    };
}
samples! {
    Places: places(&["e5", "g10"]);
    Who: PLAYER;
    Stack<'static>: Stack { game: Id::Lyngk, pieces: &[Kind::White, Kind::Blue, Kind::Ivory] };
    Share: Share { game: Id::Glux4, winners: Winners::default().with(Player::ONE).with(Player::TWO) };
    Tally: Tally { game: Id::Yinsh, score: Score::of_two(3, 2) };
    Refused: Refused { reason: Reason::Yinsh(yinsh::Reason::RingInTheWay), places: places(&["e5"]) };
    Kind: Kind::Green;
    Id: Id::LyngkSix;
    Rule: Rule { letter: 'X', number: 4 };
    u16: 4;
    &'static str: "f6-f9";
}

fn say(language: Language, message: &Message) -> String {
    let mut text = String::new();
    write(language, message, &mut text).unwrap();
    text
}

/// Every reason of every game, as it is said, without points.
fn refusals() -> Vec<(String, Message<'static>)> {
    let reasons = Reason::all().chain([Reason::OtherGame(Id::Dvonn)]);
    let refused = |reason| Message::refused(&YINSH, &Refusal::new(reason, CellSet::EMPTY));
    reasons.map(|reason| (format!("{reason:?}"), refused(reason))).collect()
}

/// Every message once, then whatever has more than one word for a parameter.
fn everything() -> Vec<(String, Message<'static>)> {
    let samples = Message::samples().into_iter();
    let mut all: Vec<_> = samples.map(|(message, _)| (message.id().into(), message)).collect();
    for kind in Kind::ALL {
        let message = Message::SetUpColour { colour: kind, points: Places::sample() };
        all.push((format!("{kind:?}"), message));
    }
    for game in Id::ALL {
        all.push((format!("{game:?}"), Message::Game { game }));
        let player = Who { game, player: Player::TWO };
        all.push((format!("player 2 of {game:?}"), Message::ToAct { player }));
    }
    all.extend(refusals());
    all
}

#[test]
fn all_sentences_are_golden() {
    let mut text = String::new();
    for (id, message) in everything() {
        let [english, persian] = Language::ALL.map(|language| say(language, &message));
        writeln!(text, "{id}\n    {english}\n    {persian}").unwrap();
    }
    golden::check("src/text/golden/sentences.txt", &text);
}

#[test]
fn every_sentence_uses_all_its_parameters_and_no_others() {
    for (message, parameters) in Message::samples() {
        for language in Language::ALL {
            let sentence = (language.words().sentence)(&message);
            let used: Vec<&str> =
                sentence.split('{').skip(1).map(|rest| rest.split_once('}').unwrap().0).collect();
            let once = |name: &&&str| used.iter().filter(|u| u == name).count() == 1;
            assert!(parameters.iter().all(|name| once(&name)), "{language:?} {sentence}");
            assert_eq!(used.len(), parameters.len(), "{language:?} {sentence}");
        }
    }
}

#[test]
fn no_sentence_is_empty_too_long_or_left_in_the_other_language() {
    for (id, message) in everything() {
        let [english, persian] = Language::ALL.map(|language| say(language, &message));
        for text in [&english, &persian] {
            assert!(!text.trim().is_empty() && text.trim() == text, "{id}");
            assert!(text.chars().count() <= 120, "{id}: {}", text.chars().count());
            assert!(!text.ends_with('.'), "{id}: no final stop");
        }
        assert_ne!(english, persian, "{id}");
        assert!(english.chars().all(|c| c.is_ascii() || c == 'Ü'), "{id}: {english}");
    }
}

/// All that the console and the simulator consist of, without their tests.
fn speakers() -> String {
    let mut text = String::new();
    let mut folders = vec![PathBuf::from("src/console"), PathBuf::from("board-sim/src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().is_some_and(|name| name != "tests.rs") {
                text += &fs::read_to_string(&path).unwrap();
            }
        }
    }
    text
}

/// What nobody says is not kept in two languages.
#[test]
fn every_message_is_said_by_somebody() {
    let said = speakers();
    let mut words: Vec<&str> = said.split(|c: char| !c.is_alphanumeric() && c != ':').collect();
    words.sort_unstable();
    for (message, _) in Message::samples() {
        let name = format!("Message::{}", message.id());
        assert!(words.binary_search(&name.as_str()).is_ok(), "nobody says {name}");
    }
}

/// A point name or a key in the middle of Persian text would else jump to where the reader does not
/// look for it.
#[test]
fn everything_latin_is_isolated_in_persian_and_nothing_else() {
    for (id, message) in everything() {
        let mut isolated = false;
        for c in say(Language::Persian, &message).chars() {
            match c {
                '\u{2066}' | '\u{2069}' => {
                    assert_eq!(isolated, c == '\u{2069}', "{id}: isolates in pairs");
                    isolated = !isolated;
                }
                'A'..='Z' | 'a'..='z' | '0'..='9' => assert!(isolated, "{id}: {c}"),
                '\u{600}'..='\u{6ff}' => assert!(!isolated, "{id}: {c}"),
                _ => {}
            }
            assert!(!matches!(c, '?' | ',' | ';' | 'ي' | 'ك'), "{id}: {c} is not Persian");
            assert!(!c.is_numeric() || c.is_ascii_digit(), "{id}: digits are Latin");
        }
        assert!(!isolated, "{id}");
    }
}

/// Two that read alike, rule and all, would hide which one it was.
#[test]
fn every_reason_has_a_sentence_of_its_own() {
    for language in Language::ALL {
        let mut known: HashMap<String, String> = HashMap::new();
        for (id, message) in refusals() {
            let other = known.insert(say(language, &message), id.clone());
            assert_eq!(other, None, "{language:?} {id}");
        }
    }
}

#[test]
fn a_refusal_says_why_shows_where_and_names_its_rule() {
    let reason = yinsh::Reason::RingInTheWay;
    let refusal = Refusal::new(reason, places(&["e6"]).cells);
    let message = Message::refused(&YINSH, &refusal);
    assert_eq!(say(Language::English, &message), "a ring never passes or jumps a ring (e6) [Y8]");
    let refusal = Refusal::new(yinsh::Reason::RingsNotPlaced, CellSet::EMPTY);
    let message = Message::refused(&YINSH, &refusal);
    assert_eq!(say(Language::English, &message), "all ten rings are placed first [Y2]");
    assert!(say(Language::Persian, &message).ends_with("[\u{2066}Y2\u{2069}]"));
}

#[test]
fn of_many_points_the_first_eight_are_named() {
    let some = |count: usize| {
        let cells = HEX.cells().take(count).collect();
        say(Language::English, &Message::PutBack { points: Places { board: &HEX, cells } })
    };
    assert_eq!(some(8), "put back what stood on a1 a2 a3 a4 a5 a6 b1 b2");
    assert_eq!(some(9), "put back what stood on a1 a2 a3 a4 a5 a6 b1 b2 ...");
}

#[test]
fn players_are_called_as_their_game_calls_them() {
    let to_act = |language, game, index| {
        let player = Who { game, player: Player::from_index(index) };
        say(language, &Message::ToAct { player })
    };
    assert_eq!(to_act(Language::English, Id::Dvonn, 0), "White to act");
    assert_eq!(to_act(Language::English, Id::GipfBasic, 1), "Black to act");
    assert_eq!(to_act(Language::English, Id::Lyngk, 1), "player 2 to act");
    assert_eq!(to_act(Language::English, Id::Glux4, 3), "player 4 to act");
    assert_eq!(to_act(Language::Persian, Id::Yinsh, 1), "نوبت سیاه است");
}

/// A full device: as much as fits, and an error, but no panic.
#[test]
fn a_short_buffer_is_an_error() {
    let mut short = heapless::String::<8>::new();
    assert!(write(Language::English, &Message::BackInPlay, &mut short).is_err());
}

//! The link as seen from both ends, and what becomes of bytes that no end has sent.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use proptest::collection::vec;
use proptest::prelude::*;
use smart_leds::RGB8;

use super::*;
use crate::games::any::{Position, Setup};
use crate::games::{Game, Id, Outcome, Player, Winners};
use crate::geometry::{Board, Point, PointSet};
use crate::light::Frame;
use crate::meaning::{Kind, Meaning, Meanings};
use crate::random::SplitMix64;
use crate::sense::Fault;
use crate::sound::Sound;
use crate::text::Language;

fn text<const MAX: usize>(text: &str) -> Text<'_, MAX> {
    Text::new(text).expect("a text that fits")
}

fn places(indices: &[usize]) -> Places {
    let point = |&index: &usize| Point::new(Playfield::Square, index).expect("a point");
    Places(indices.iter().map(point).collect())
}

/// Bytes as they stand behind a list's length.
fn items<'a, T: serde::Deserialize<'a>>(list: &'a [u8]) -> T {
    postcard::from_bytes(list).expect("valid items")
}

/// The other way round.
fn list(bytes: &[u8]) -> Vec<u8> {
    let mut list = std::vec![0; bytes.len() + 2];
    postcard::to_slice(bytes, &mut list).expect("a length of two bytes").to_vec()
}

/// At least one of each request.
fn requests() -> Vec<ToBoard<'static>> {
    let watch = |lights| ToBoard::Watch { events: true, lights, meanings: false, fields: lights };
    let setup = "KKKKKKKKBBBBBBBBGGGGGGGGIIIIIIIIRRRRRRRRWWW";
    std::vec![
        ToBoard::Hello { version: VERSION },
        ToBoard::GetState,
        ToBoard::GetPosition,
        watch(true),
        watch(false),
        ToBoard::NewGame { id: Id::Yinsh, handicap: text(""), setup: text("") },
        ToBoard::NewGame { id: Id::GipfBasic, handicap: text("1+2"), setup: text("") },
        ToBoard::NewGame { id: Id::LyngkSix, handicap: text("none"), setup: text(setup) },
        ToBoard::Resume,
        ToBoard::Undo,
        ToBoard::Resign { player: Seat(Some(Player::TWO)) },
        ToBoard::Resign { player: Seat(None) },
        ToBoard::Propose { step: text("xc2-g4+d3+e4") },
        ToBoard::Answer { candidate: 5 },
        ToBoard::Key { key: Key::K1, down: true },
        ToBoard::Key { key: Key::Undo, down: false },
        ToBoard::SetOption { setting: Setting::Hints(false) },
        ToBoard::SetOption { setting: Setting::Brightness(4) },
        ToBoard::SetOption { setting: Setting::Settle(2000) },
        ToBoard::SetOption { setting: Setting::Sound(true) },
        ToBoard::SetOption { setting: Setting::Language(Language::Persian) },
        ToBoard::ListGames,
        ToBoard::GetGame { number: 300 },
        ToBoard::Calibrate { procedure: Procedure::Gain },
        ToBoard::SelfTest,
        ToBoard::EnterBootloader,
        ToBoard::EraseJournal,
    ]
}

/// At least one of each answer and event, short enough to be read through.
fn answers() -> Vec<FromBoard<'static>> {
    let options = Options {
        hints: true,
        brightness: 3,
        settle: 500,
        sound: true,
        language: Language::English,
    };
    let (white, over) = (Seat(Some(Player::ONE)), Seat(None));
    std::vec![
        FromBoard::Hello {
            version: VERSION,
            firmware: text("lodestone 0.1.0"),
            playfield: Some(Playfield::Square),
            serial: text("e66138935f2c8a21"),
        },
        FromBoard::State {
            game: Some(Id::Dvonn),
            options,
            count: 1000,
            turn: white,
            phase: Phase::Mend,
            result: text("none"),
        },
        FromBoard::State {
            game: None,
            options,
            count: 0,
            turn: over,
            phase: Phase::Menu,
            result: text("none"),
        },
        FromBoard::Position {
            line: text("b2:b b5:w e2:w e8:b h2:b h5:w | reserve 12 12 captured 0 0"),
        },
        FromBoard::Committed { step: text("f6-f9"), count: 11, turn: white, result: text("none") },
        FromBoard::Undone { count: 10 },
        FromBoard::Prompt { task: Task::Flip, points: places(&[0, 45, 90]) },
        FromBoard::Refused { rule: text("Y8"), points: places(&[224]) },
        FromBoard::Question { points: heapless::Vec::from_slice(&[7, 3]).unwrap() },
        FromBoard::BackInPlay,
        FromBoard::Fault { points: places(&[45]), kind: Fault::Stuck },
        FromBoard::Sound { sound: Sound::Question },
        FromBoard::Lights { leds: items(&[6, 0, 255, 0, 1, 2, 3]) },
        FromBoard::Meanings { points: items(&[6, 45, 9, 2, 46, 14, 7]) },
        FromBoard::Fields { codes: items(&[4, 0x00, 0x08, 0xff, 0x0f]) },
        FromBoard::Health {
            faulty: places(&[]),
            supply: Supply::Charger,
            uptime_s: 86_400,
            resets: 1,
        },
        FromBoard::Ack { request: 4 },
        FromBoard::Error { code: Failure::HoldOk, text: text("HoldOk") },
        FromBoard::Game { number: 7, offset: 0, last: true, text: text("[Game \"yinsh\"]\n") },
        FromBoard::Report { procedure: Procedure::Zero, passed: false, points: places(&[1, 2]) },
    ]
}

fn request_frame(message: &ToBoard) -> Vec<u8> {
    HostEncoder::new().encode(message).expect("every request fits").to_vec()
}

fn answer_frame(message: &FromBoard) -> Vec<u8> {
    BoardEncoder::new().encode(message).expect("every answer fits").to_vec()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

/// A frame around any bytes, made without the encoder.
fn framed(message: &[u8]) -> Vec<u8> {
    let crc = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC);
    let data = [message, &crc.checksum(message).to_le_bytes()].concat();
    let mut frame = std::vec![0; cobs::max_encoding_length(data.len()) + 1];
    let length = cobs::encode(&data, &mut frame);
    frame.truncate(length + 1);
    frame
}

/// What the board makes of bytes that come in pieces of these sizes, over and over.
fn read(bytes: &[u8], sizes: &[usize]) -> Vec<Result<String, FrameError>> {
    let mut decoder = BoardDecoder::new();
    let mut found = Vec::new();
    let mut rest = bytes;
    for &size in sizes.iter().cycle() {
        let mut chunk;
        (chunk, rest) = rest.split_at(size.min(rest.len()));
        while let Some(message) = decoder.next::<ToBoard>(&mut chunk) {
            found.push(message.map(|message| format!("{message:?}")));
        }
        assert!(chunk.is_empty());
        if rest.is_empty() {
            break;
        }
    }
    found
}

fn one(bytes: &[u8]) -> Result<String, FrameError> {
    let found = read(bytes, &[bytes.len()]);
    assert_eq!(found.len(), 1, "{found:?}");
    found[0].clone()
}

/// The name and number of a message, from how it is printed and how it travels.
fn kind(printed: &str, frame: &[u8]) -> (u8, String) {
    let name = printed.split([' ', '{']).next().unwrap_or_default();
    let mut data = frame[..frame.len() - 1].to_vec();
    cobs::decode_in_place(&mut data).unwrap();
    (data[0], name.to_string())
}

#[test]
fn frames_are_the_golden_ones() {
    let mut golden = String::from("# Host to board\n");
    for message in requests() {
        writeln!(golden, "{message:?}\n    {}", hex(&request_frame(&message))).unwrap();
    }
    golden += "# Board to host\n";
    for message in answers() {
        writeln!(golden, "{message:?}\n    {}", hex(&answer_frame(&message))).unwrap();
    }
    crate::golden::check("src/link/golden/frames.txt", &golden);
}

/// By hand: number, fields, CRC-32 as zlib computes it; zeros become distances.
#[test]
fn frames_are_what_the_header_says() {
    // CRC-32 of 01 is a505df1b: no zero anywhere, so one distance of 6.
    assert_eq!(hex(&request_frame(&ToBoard::GetState)), "06 01 1b df 05 a5 00");
    // CRC-32 of 00 01 is 36de2269: the zero in front is a piece of its own.
    assert_eq!(hex(&request_frame(&ToBoard::Hello { version: 1 })), "01 06 01 69 22 de 36 00");
}

#[test]
fn there_is_a_golden_frame_of_every_message_under_its_number() {
    let check = |kinds: BTreeMap<u8, String>, names: &[&str]| {
        let expected = names.iter().enumerate().map(|(n, name)| (n as u8, (*name).to_string()));
        assert_eq!(kinds, expected.collect());
    };
    let kinds = requests().into_iter().map(|m| kind(&format!("{m:?}"), &request_frame(&m)));
    check(kinds.collect(), ToBoard::NAMES);
    let kinds = answers().into_iter().map(|m| kind(&format!("{m:?}"), &answer_frame(&m)));
    check(kinds.collect(), FromBoard::NAMES);
}

#[test]
fn the_page_lists_every_message_under_its_number() {
    let page = include_str!("../../docs/link.md");
    let table = |title: &str| -> Vec<(usize, &str)> {
        let section = page.split(title).nth(1).and_then(|rest| rest.split("\n## ").next());
        let rows = section.expect("the section").lines().filter_map(|line| {
            let mut cells = line.strip_prefix("| ")?.split(" | ");
            Some((cells.next()?.parse().ok()?, cells.next()?.trim_matches('`')))
        });
        rows.collect()
    };
    let numbered = |names: &[&'static str]| -> Vec<(usize, &str)> {
        names.iter().copied().enumerate().collect()
    };
    assert_eq!(table("\n## Host to board\n"), numbered(ToBoard::NAMES));
    assert_eq!(table("\n## Board to host\n"), numbered(FromBoard::NAMES));
    for (bytes, direction) in
        [(TO_BOARD_FRAME_MAX, "to the board has"), (FROM_BOARD_FRAME_MAX, "from the board")]
    {
        assert!(page.contains(&format!("{direction} at most {bytes}")), "{direction}");
    }
}

#[test]
fn both_halves_understand_each_other() {
    let (mut host, mut board) = (HostEncoder::new(), BoardDecoder::new());
    for request in requests() {
        let mut chunk = host.encode(&request).unwrap();
        assert_eq!(board.next(&mut chunk), Some(Ok(request)));
        assert_eq!(board.next::<ToBoard>(&mut chunk), None);
    }
    let (mut board, mut host) = (BoardEncoder::new(), HostDecoder::new());
    for answer in answers() {
        let frame = board.encode(&answer).unwrap();
        // Byte by byte: nothing before the zero, the message with it.
        let (end, start) = frame.split_last().unwrap();
        for byte in start {
            assert_eq!(host.next::<FromBoard>(&mut [*byte].as_slice()), None);
        }
        assert_eq!(host.next(&mut [*end].as_slice()), Some(Ok(answer)));
    }
}

#[test]
fn every_error_says_what_was_wrong_and_the_next_frame_is_read() {
    let mut flipped = framed(&[1]);
    flipped[2] ^= 0x10;
    let new_game = |setup: usize| [&[4, 3, 0, setup as u8], "K".repeat(setup).as_bytes()].concat();
    let cases = [
        (std::vec![0x05, 0x01, 0x01, 0], FrameError::BadCobs),
        (std::vec![0x01, 0], FrameError::Truncated),
        (std::vec![0x04, 0x01, 0x02, 0x03, 0], FrameError::Truncated),
        (framed(&[]), FrameError::Truncated),
        (framed(&[0]), FrameError::Truncated),
        (framed(&[8, 5, b'f']), FrameError::Truncated),
        (flipped, FrameError::Checksum),
        (framed(&[ToBoard::NAMES.len() as u8]), FrameError::UnknownMessage(18)),
        (framed(&[0x80, 0]), FrameError::UnknownMessage(0x80)),
        // Something behind the last field; a bool of 2; player 5; game 11; no UTF-8; a long set-up.
        (framed(&[1, 1]), FrameError::Malformed),
        (framed(&[10, 0, 2]), FrameError::Malformed),
        (framed(&[7, 5]), FrameError::Malformed),
        (framed(&[4, 11, 0, 0]), FrameError::Malformed),
        (framed(&[8, 1, 0xff]), FrameError::Malformed),
        (framed(&new_game(SETUP_MAX + 1)), FrameError::Malformed),
        (framed(&new_game(SETUP_MAX + 20)), FrameError::Oversized),
        ([[1; 5000].as_slice(), &[0]].concat(), FrameError::Oversized),
    ];
    for (bytes, error) in cases {
        assert_eq!(one(&bytes), Err(error), "{}", hex(&bytes));
        let both = [bytes.as_slice(), &request_frame(&ToBoard::Undo)].concat();
        for sizes in [&[1][..], &[7, 64], &[5001]] {
            assert_eq!(read(&both, sizes), [Err(error), Ok("Undo".to_string())], "{error:?}");
        }
    }
    assert_eq!(one(&framed(&new_game(SETUP_MAX))).map(|_| ()), Ok(()));
}

#[test]
fn a_zero_in_front_shakes_off_what_was_on_the_line() {
    assert_eq!(read(&[0, 0, 0], &[1]), []);
    let bytes = [&[0, 0], request_frame(&ToBoard::Undo).as_slice()].concat();
    assert_eq!(one(&bytes), Ok("Undo".to_string()));
    let mut decoder = BoardDecoder::new();
    assert_eq!(decoder.next::<ToBoard>(&mut &[3, 1][..]), None);
    decoder.reset();
    let frame = request_frame(&ToBoard::Undo);
    assert_eq!(decoder.next(&mut frame.as_slice()), Some(Ok(ToBoard::Undo)));
}

#[test]
fn the_board_answers_every_bad_frame_with_a_code_of_its_own() {
    let errors = [
        FrameError::BadCobs,
        FrameError::Oversized,
        FrameError::Truncated,
        FrameError::Checksum,
        FrameError::UnknownMessage(77),
        FrameError::Malformed,
    ];
    for (number, error) in errors.into_iter().enumerate() {
        let code = Failure::from(error);
        assert_eq!(code as usize, number);
        assert_eq!(format!("{error:?}").replace("(77)", ""), format!("{code:?}"));
    }
}

#[test]
fn the_longest_messages_fill_the_longest_frames() {
    let longest = "w".repeat(POSITION_MAX);
    let position = FromBoard::Position { line: text(&longest) };
    assert_eq!(answer_frame(&position).len(), FROM_BOARD_FRAME_MAX);
    let (handicap, setup) = ("none", "K".repeat(SETUP_MAX));
    let new_game =
        ToBoard::NewGame { id: Id::Lyngk, handicap: text(handicap), setup: text(&setup) };
    assert_eq!(request_frame(&new_game).len(), TO_BOARD_FRAME_MAX);

    let all = Places(PointSet::first(Playfield::POINTS_MAX));
    let (lights, codes) = ([255; LIGHTS_MAX], [0xff; CODES_MAX]);
    let (lights, codes) = (list(&lights), list(&codes));
    let mut meanings = Meanings::none(Playfield::Square);
    for point in Playfield::Square.points() {
        meanings.set(point, Meaning::Winner(Player::from_index(3), 255));
    }
    let mut bytes = [0; MEANINGS_MAX];
    let part = "w".repeat(PART_MAX);
    let others = [
        FromBoard::Lights { leds: items(&lights) },
        FromBoard::Fields { codes: items(&codes) },
        FromBoard::Meanings { points: MeaningBytes::pack(&meanings, &mut bytes) },
        FromBoard::Game { number: u32::MAX, offset: u32::MAX, last: true, text: text(&part) },
        FromBoard::Refused { rule: text("X255"), points: all },
        FromBoard::Health {
            faulty: all,
            supply: Supply::Host,
            uptime_s: u32::MAX,
            resets: u16::MAX,
        },
    ];
    for message in others {
        let frame = answer_frame(&message);
        assert!(frame.len() < FROM_BOARD_FRAME_MAX);
        assert_eq!(HostDecoder::new().next(&mut frame.as_slice()), Some(Ok(message)));
    }
    assert_eq!(Encoder::<56>::new().encode(&new_game), Err(Oversized));
}

/// Plays games at random and hands every position and step text to `look`.
fn play(id: Id, games: u64, mut look: impl FnMut(&Position, &str)) {
    for seed in 0..games {
        let mut random = SplitMix64::new(seed);
        let mut position = Setup::of(id).position();
        // GIPF alone has no end by itself.
        for _ in 0..400 {
            let count = position.step_count();
            if count == 0 {
                break;
            }
            let step = position.steps().nth(random.below(count)).expect("one of them");
            let mut text = String::new();
            position.write_step(step, &mut text).unwrap();
            position.play_unchecked(step);
            look(&position, &text);
        }
    }
}

/// The longest line so many pieces can make: all on squares of their own, those with the longest names
/// first; `content` bytes a piece beside its name, a colon and a space.
fn line_bound(board: &Board, pieces: usize, content: usize, rest: &str) -> usize {
    let mut names: Vec<usize> = board.cells().map(|c| board.name(c).to_string().len()).collect();
    names.sort_unstable_by(|a, b| b.cmp(a));
    let squares = names.len().min(pieces);
    // What finds no square of its own lies on others.
    names[..squares].iter().map(|name| name + 2).sum::<usize>() + pieces * content + rest.len()
}

#[test]
fn no_position_line_is_longer_than_the_longest() {
    let mut longest = 0;
    for id in Id::ALL {
        let (pieces, content, rest) = match id {
            Id::GipfBasic | Id::Gipf | Id::GipfTournament => {
                (37, 1, "| reserve 18 18 captured 18 18")
            }
            Id::Yinsh | Id::YinshBlitz => (51 + 10, 1, "| pool 51 rings 3 3"),
            Id::Dvonn => (49, 1, "| left 49"),
            Id::Lyngk | Id::LyngkSix => (43, 1, "| claims KBGIR KBGIR taken 43 43"),
            Id::Glux2 => (2 * 24, 2, "| bag 0/0/0 0/0/0"),
            Id::Glux3 => (3 * 24, 2, "| bag 0/0/0 0/0/0 0/0/0"),
            Id::Glux4 => (4 * 24, 2, "| bag 0/0/0 0/0/0 0/0/0 0/0/0"),
        };
        let bound = line_bound(Setup::of(id).position().board(), pieces, content, rest);
        longest = longest.max(bound);
        play(id, 4, |position, _| {
            let mut line = String::new();
            position.write_position(&mut line).unwrap();
            assert!(line.len() <= bound, "{id}: {line}");
        });
    }
    assert_eq!(longest, POSITION_MAX);
}

#[test]
fn no_text_is_longer_than_its_bound() {
    for id in Id::ALL {
        play(id, 4, |_, step| assert!(step.len() <= STEP_MAX, "{id}: {step}"));
    }
    let longest = "xe2-e8+e2+e3+e4+e5+e6+e7+e8";
    assert_eq!(longest.len(), STEP_MAX);
    let tournament = Setup::of(Id::GipfTournament).position();
    assert!(tournament.parse_step(longest.as_bytes()).is_ok());

    let everybody =
        (0..Player::MAX).map(Player::from_index).fold(Winners::default(), Winners::with);
    assert_eq!(Outcome::Share(everybody).to_string().len(), RESULT_MAX);
    assert_eq!(crate::games::lyngk::Deal::shuffle(0).to_string().len(), SETUP_MAX);
    assert!(format!("shuffle {}", u64::MAX).len() <= SETUP_MAX);
    assert_eq!(crate::games::Rule { letter: 'X', number: 255 }.to_string().len(), RULE_MAX);
    assert_eq!(format!("{:016x}", u64::MAX).len(), SERIAL_MAX);
    // Sentences stand there under their ids alone.
    let sentences = include_str!("../text/golden/sentences.txt").lines();
    let ids = sentences.filter(|line| !line.contains([' ', '(']));
    assert!(ids.map(str::len).max().is_some_and(|longest| (10..=TEXT_ID_MAX).contains(&longest)));
}

#[test]
fn a_text_keeps_its_bound() {
    assert_eq!(Text::<3>::new("abc").map(Text::as_str), Some("abc"));
    assert_eq!(Text::<3>::new("abcd"), None);
    assert!(postcard::from_bytes::<Text<3>>(b"\x03abc").is_ok());
    assert!(postcard::from_bytes::<Text<3>>(b"\x04abcd").is_err());
    let owned: heapless::String<3> = "abc".try_into().unwrap();
    assert_eq!(Text::from(&owned).as_str(), "abc");
}

#[test]
fn points_rise() {
    let read = |bytes: &[u8]| postcard::from_bytes::<Places>(bytes).ok();
    assert_eq!(read(&[0]), Some(places(&[])));
    assert_eq!(read(&[3, 0, 7, 224]), Some(places(&[0, 7, 224])));
    assert_eq!([read(&[2, 7, 7]), read(&[2, 8, 7]), read(&[1, 225])], [None; 3]);
}

#[test]
fn values_of_the_library_have_fixed_numbers() {
    fn check<T>(values: &[T])
    where
        T: Copy + PartialEq + core::fmt::Debug + serde::Serialize + serde::de::DeserializeOwned,
    {
        for (number, &value) in values.iter().enumerate() {
            let byte = [number as u8];
            assert_eq!(postcard::to_slice(&value, &mut [0; 2]).unwrap(), byte, "{value:?}");
            assert_eq!(postcard::from_bytes::<T>(&byte), Ok(value));
        }
        assert!(postcard::from_bytes::<T>(&[values.len() as u8]).is_err());
    }
    check(&Id::ALL);
    check(&Playfield::ALL);
    check(&Sound::ALL);
    check(&Language::ALL);
    check(&[Fault::OutOfRange, Fault::Stuck, Fault::Noisy]);
    check(&[None, Some(0), Some(1), Some(2), Some(3)].map(|n| Seat(n.map(Player::from_index))));
}

#[test]
fn every_meaning_has_a_number_of_its_own() {
    let mut all = Meaning::PLAIN.to_vec();
    all.extend([Meaning::Candidate(0), Meaning::Candidate(255)]);
    all.extend(Kind::ALL.map(Meaning::SetUp));
    for player in (0..Player::MAX).map(Player::from_index) {
        all.extend([
            Meaning::ToAct(player),
            Meaning::Winner(player, 0),
            Meaning::Winner(player, 9),
        ]);
    }
    let mut meanings = Meanings::none(Playfield::Hex);
    for (point, &meaning) in Playfield::Hex.points().skip(1).step_by(2).zip(&all) {
        meanings.set(point, meaning);
    }
    let mut bytes = [0; MEANINGS_MAX];
    let packed = MeaningBytes::pack(&meanings, &mut bytes);
    assert_eq!(packed.iter().collect::<Vec<_>>(), meanings.iter().collect::<Vec<_>>());
    assert_eq!(packed.iter().count(), all.len());

    let valid = |bytes: &[u8]| postcard::from_bytes::<MeaningBytes>(bytes).is_ok();
    assert!(valid(&[6, 0, 0, 0, 224, 17, 255]));
    for bad in [
        &[2, 0, 0][..],
        &[3, 225, 0, 0],
        &[3, 0, 0, 1],
        &[3, 0, 12, 6],
        &[3, 0, 13, 0],
        &[3, 0, 13, 5],
        &[3, 0, 18, 0],
        &[6, 7, 0, 0, 7, 0, 0],
    ] {
        assert!(!valid(bad), "{bad:?}");
    }
}

#[test]
fn lights_are_in_point_order_whatever_the_chain_does() {
    for playfield in Playfield::ALL {
        let colour = |n: usize| RGB8::new(n as u8, 1, 9);
        let mut bytes = [0; LIGHTS_MAX];
        for point in playfield.points() {
            let mut frame = Frame::dark(playfield);
            frame.set_key(2, RGB8::new(3, 0, 0));
            frame.set_point(point, colour(point.index()));
            let lights: Vec<RGB8> =
                LightBytes::pack(playfield, &frame, &mut bytes).iter().collect();
            assert_eq!(lights.len(), crate::wiring::led_count(playfield));
            assert_eq!(lights[2], RGB8::new(3, 0, 0));
            assert_eq!(lights[6 + point.index()], colour(point.index()));
            assert_eq!(lights.iter().filter(|&&led| led != RGB8::default()).count(), 2);
        }
    }
    assert!(postcard::from_bytes::<LightBytes>(&[2, 0, 0]).is_err());
}

#[test]
fn codes_are_sixteen_bits() {
    let mut bytes = [0; CODES_MAX];
    let codes = [2048, 0, 4095, 0x1234];
    let packed = CodeBytes::pack(&codes, &mut bytes);
    assert_eq!(packed.iter().collect::<Vec<_>>(), codes);
    assert_eq!(CodeBytes::pack(&[7; 300], &mut [0; CODES_MAX]).iter().count(), 225);
    assert!(postcard::from_bytes::<CodeBytes>(&[3, 0, 0, 0]).is_err());
}

/// What a bad line does to a stream of frames.
#[derive(Clone, Debug)]
enum Damage {
    Flip(usize, u8),
    Cut(usize, usize),
    Insert(usize, Vec<u8>),
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        (any::<usize>(), 0_u8..8).prop_map(|(at, bit)| Damage::Flip(at, bit)),
        (any::<usize>(), 1_usize..40).prop_map(|(at, length)| Damage::Cut(at, length)),
        (any::<usize>(), vec(any::<u8>(), 1..100)).prop_map(|(at, new)| Damage::Insert(at, new)),
    ]
}

fn apply(stream: &mut Vec<u8>, damage: &Damage) {
    match damage {
        Damage::Flip(at, bit) => {
            let at = at % stream.len().max(1);
            stream.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << bit);
        }
        Damage::Cut(at, length) => {
            let at = at % (stream.len() + 1);
            stream.drain(at..stream.len().min(at + length));
        }
        Damage::Insert(at, new) => {
            let at = at % (stream.len() + 1);
            stream.splice(at..at, new.iter().copied());
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_give_messages_or_errors(
        bytes in vec(prop_oneof![1 => Just(0), 9 => any::<u8>()], 0..2000),
        sizes in vec(1_usize..100, 1..8),
    ) {
        let found = read(&bytes, &sizes);
        // One result for each frame that is not empty and has its zero.
        let frames = bytes.split(|&byte| byte == 0).rev().skip(1).filter(|f| !f.is_empty()).count();
        prop_assert_eq!(found.len(), frames);
        // Nothing depends on where the chunks are cut.
        prop_assert_eq!(found, read(&bytes, &[bytes.len().max(1)]));
    }

    #[test]
    fn what_is_read_is_written_and_read_the_same(
        number in 0_u8..20,
        fields in vec(prop_oneof![3 => 0_u8..5, 1 => any::<u8>()], 0..12),
    ) {
        let frame = framed(&[&[number], fields.as_slice()].concat());
        if let Some(Ok(message)) = BoardDecoder::new().next::<ToBoard>(&mut frame.as_slice()) {
            let (again, mut decoder) = (request_frame(&message), BoardDecoder::new());
            prop_assert_eq!(decoder.next(&mut again.as_slice()), Some(Ok(message)));
        }
        if let Some(Ok(message)) = HostDecoder::new().next::<FromBoard>(&mut frame.as_slice()) {
            let (again, mut decoder) = (answer_frame(&message), HostDecoder::new());
            prop_assert_eq!(decoder.next(&mut again.as_slice()), Some(Ok(message)));
        }
    }

    #[test]
    fn every_frame_that_is_accepted_was_sent(
        which in vec(0..requests().len(), 1..30),
        damages in vec(damage(), 0..6),
        sizes in vec(1_usize..100, 1..8),
    ) {
        let requests = requests();
        let sent: Vec<&ToBoard> = which.iter().map(|&n| &requests[n]).collect();
        let mut stream: Vec<u8> = sent.iter().flat_map(|message| request_frame(message)).collect();
        for damage in &damages {
            apply(&mut stream, damage);
        }
        let sent: Vec<String> = sent.iter().map(|message| format!("{message:?}")).collect();
        // After the damage a zero, and one more frame, which must be read.
        stream.push(0);
        stream.extend(request_frame(&ToBoard::ListGames));
        let mut found = read(&stream, &sizes);
        prop_assert_eq!(found.pop(), Some(Ok("ListGames".to_string())));
        let accepted: Vec<String> = found.into_iter().flatten().collect();
        if damages.is_empty() {
            prop_assert_eq!(accepted, sent);
        } else {
            // In their order, some left out.
            let mut left = sent.iter();
            prop_assert!(accepted.iter().all(|message| left.any(|sent| sent == message)));
        }
    }
}

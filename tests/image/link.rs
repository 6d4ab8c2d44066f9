//! The link over USB: asked and answered, fuzzed, unplugged, not read.

use board_sim::emulator::{Key, Options, ResetReason, What};
use embassy_futures::block_on;
use lodestone::games::Id;
use lodestone::games::any::Setup;
use lodestone::geometry::Playfield;
use lodestone::journal::{End, Record};
use lodestone::link::{BoardDecoder, Failure, FromBoard, HostEncoder, ToBoard, VERSION};
use lodestone::random::SplitMix64;
use lodestone::wiring::flash::JOURNAL;
use lodestone::wiring::led;

use crate::flash::Copy;
use crate::machine::{Machine, Piece, Reader, is_long, settings};

/// Bytes of fuzz in a normal run, and with `LODESTONE_EFFORT=long`.
const FUZZ: usize = 10_000;
const FUZZ_LONG: usize = 1_000_000;

const HELLO: ToBoard<'_> = ToBoard::Hello { version: VERSION };

#[test]
fn hello_is_answered_with_version_playfield_and_serial() {
    for playfield in Playfield::ALL {
        let mut machine = Machine::new(&Options { flash_id: 0x1234_abcd, ..Options::default() });
        machine.emulator.plug(Some(playfield)).unwrap();
        machine.emulator.set_usb_host(true).unwrap();
        machine.run_ms(100);
        machine.send(&HELLO);
        machine.run_ms(20);
        let mut count = 0;
        Reader::new().read(&machine.events, |message| {
            let Ok(FromBoard::Hello { version, firmware, playfield: told, serial }) = message
            else {
                panic!("{message:?}");
            };
            assert_eq!((version, serial.as_str()), (VERSION, "000000001234abcd"));
            assert_eq!(firmware.as_str(), concat!("lodestone ", env!("CARGO_PKG_VERSION")));
            assert_eq!(told, Some(playfield));
            count += 1;
        });
        assert_eq!(count, 2, "a greeting and an answer");
    }
}

#[test]
fn health_tells_supply_and_resets() {
    let mut machine = Machine::started(Playfield::Hex);
    machine.run_ms(2000);
    machine.send(&ToBoard::Watch { events: true, lights: false, meanings: false, fields: false });
    machine.run_ms(50);
    let texts = Reader::new().texts(&machine.events);
    let health = texts.last().unwrap();
    assert!(health.contains("supply: Host, uptime_s: 2, resets: 0"), "{health}");
}

#[test]
fn it_says_that_it_starts_until_the_self_test_is_over() {
    let mut machine =
        Machine::new(&Options { flash: settings(Playfield::Hex), ..Options::default() });
    machine.emulator.plug(Some(Playfield::Hex)).unwrap();
    machine.emulator.set_usb_host(true).unwrap();
    for (ms, phase) in [(1000, "phase: StartUp"), (2000, "phase: Menu")] {
        machine.run_ms(ms);
        machine.send(&ToBoard::GetState);
        machine.run_ms(20);
        let texts = Reader::new().texts(&machine.events);
        assert!(texts.last().is_some_and(|text| text.contains(phase)), "{texts:?}");
    }
}

/// Bytes of all kinds: sound requests, such with a byte changed, and noise.
fn fuzz(random: &mut SplitMix64, length: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let requests = [HELLO, ToBoard::GetState, ToBoard::Undo, ToBoard::EnterBootloader];
    let mut encoder = HostEncoder::new();
    while bytes.len() < length {
        match random.below(3) {
            0 => bytes.extend((0..random.below(200)).map(|_| random.below(256) as u8)),
            kind => {
                let request = &requests[random.below(requests.len())];
                let mut frame = encoder.encode(request).unwrap().to_vec();
                if kind == 1 {
                    let at = random.below(frame.len());
                    frame[at] ^= 1 << random.below(8);
                }
                bytes.extend(frame);
            }
        }
    }
    bytes.truncate(length);
    bytes
}

#[test]
fn any_bytes_are_answered_and_harm_nothing() {
    let length = if is_long() { FUZZ_LONG } else { FUZZ };
    let mut random = SplitMix64::new(13);
    let mut machine = Machine::started(Playfield::Hex);
    machine.run_ms(3000);
    let (mut expects, mut reader) = (BoardDecoder::new(), Reader::new());
    assert_eq!(reader.texts(&machine.events).len(), 2, "the greeting, and how the start went");
    let mut answers = 0;
    for _ in 0..length / 1000 {
        let bytes = fuzz(&mut random, 1000);
        let mut expected = Vec::new();
        let mut chunk = bytes.as_slice();
        while let Some(request) = expects.next::<ToBoard>(&mut chunk) {
            expected.push(match request {
                Ok(ToBoard::Hello { .. }) => "Hello",
                Ok(ToBoard::GetState) => "State",
                Ok(ToBoard::Undo) => "NoGame",
                Ok(ToBoard::EnterBootloader) => "HoldOk",
                Ok(other) => panic!("{other:?} is not among the requests"),
                Err(error) => failure(error.into()),
            });
        }
        machine.emulator.send_usb(&bytes).unwrap();
        let before = machine.events.len();
        machine.run_ms(60);
        let mut answered = Vec::new();
        reader.read(&machine.events[before..], |message| {
            answered.push(match message {
                Ok(FromBoard::Hello { .. }) => "Hello",
                Ok(FromBoard::State { .. }) => "State",
                Ok(FromBoard::Error { code, .. }) => failure(code),
                other => panic!("{other:?}"),
            });
        });
        assert_eq!(answered, expected);
        answers += answered.len();
    }
    println!("{length} bytes of fuzz, {answers} answers");
    assert!(answers > length / 100);
    assert_eq!(machine.resets(), []);
}

/// The failures that this fuzz can bring about.
fn failure(code: Failure) -> &'static str {
    match code {
        Failure::NoGame => "NoGame",
        Failure::HoldOk => "HoldOk",
        _ => "unreadable",
    }
}

#[test]
fn unplugged_in_mid_message_it_begins_anew() {
    let mut machine = Machine::started(Playfield::Hex);
    let request = HostEncoder::new().encode(&HELLO).unwrap().to_vec();
    machine.emulator.set_usb_reading(false).unwrap();
    machine.emulator.send_usb(&[request.as_slice(), &request, &request[..3]].concat()).unwrap();
    machine.run_ms(20);
    machine.emulator.set_usb_host(false).unwrap();
    machine.run_ms(50);
    machine.emulator.set_usb_reading(true).unwrap();
    machine.emulator.set_usb_host(true).unwrap();
    let before = machine.events.len();
    machine.run_ms(50);
    machine.send(&HELLO);
    machine.run_ms(20);
    let texts = Reader::new().texts(&machine.events[before..]);
    assert!(texts.iter().rev().take(2).all(|text| text.contains("Hello")), "{texts:?}");
    let ready = machine.events.iter().filter(|event| event.what == What::UsbReady).count();
    assert_eq!((ready, machine.resets().len()), (2, 0));
}

#[test]
fn a_host_that_does_not_read_stops_nobody_and_hears_everything_afterwards() {
    const REQUESTS: usize = 100;
    let playfield = Playfield::Hex;
    let mut machine = Machine::started(playfield);
    machine.emulator.set_usb_reading(false).unwrap();
    for _ in 0..REQUESTS {
        machine.send(&HELLO);
    }
    machine.run_ms(100);
    let point = playfield.points().next().unwrap();
    machine.set_piece(playfield, point, Piece::North);
    machine.emulator.set_key(Key::Ok, true).unwrap();
    machine.run_ms(2100);
    assert!(machine.has_lit(&[led(playfield, point)]));
    assert!(machine.log().any(|line| line.starts_with("info: key 6 Down")));

    machine.emulator.set_usb_reading(true).unwrap();
    let before = machine.events.len();
    machine.run_ms(100);
    let texts = Reader::new().texts(&machine.events[before..]);
    // What the self-test of the start found comes in between.
    let is_report = |text: &&String| text.contains("Report");
    let (reports, answers): (Vec<_>, Vec<_>) = texts.iter().partition(is_report);
    assert_eq!((reports.len(), answers.len()), (1, REQUESTS), "{texts:?}");
    assert!(answers.iter().all(|text| text.contains("Hello")), "{texts:?}");
}

/// What was answered to a request, and how the board was reset meanwhile.
fn answered(machine: &mut Machine, request: &ToBoard<'_>, ms: u64) -> (String, Vec<ResetReason>) {
    let (events, resets) = (machine.events.len(), machine.resets().len());
    machine.send(request);
    machine.run_ms(ms);
    let answer = Reader::new().texts(&machine.events[events..]).pop().unwrap_or_default();
    (answer, machine.resets()[resets..].iter().map(|(_, reason)| *reason).collect())
}

#[test]
fn the_boot_loader_and_the_end_of_all_games_need_ok_held() {
    let mut journal = Copy::blank().journal();
    block_on(journal.append(&Record::Start { setup: Setup::of(Id::Dvonn), lot: 0 })).unwrap();
    block_on(journal.append(&Record::End(End::Stopped))).unwrap();
    let games = journal.close().0;
    let mut flash = settings(Playfield::Hex);
    flash.push((JOURNAL.start, games.clone()));
    let mut machine = Machine::new(&Options { flash, ..Options::default() });
    machine.emulator.plug(Some(Playfield::Hex)).unwrap();
    machine.emulator.set_usb_host(true).unwrap();
    machine.run_ms(3000);

    for request in [ToBoard::EraseJournal, ToBoard::EnterBootloader] {
        let (answer, resets) = answered(&mut machine, &request, 1000);
        assert!(answer.contains("HoldOk") && resets.is_empty(), "{request:?}: {answer}");
        assert!(Copy::of(&mut machine).0 == games, "{request:?}");
    }
    machine.emulator.set_key(Key::Ok, true).unwrap();
    machine.run_ms(100);
    // 240 sectors of 45 ms, beside everything else.
    let (answer, resets) = answered(&mut machine, &ToBoard::EraseJournal, 15_000);
    assert!(answer.contains("Ack") && resets.is_empty(), "{answer}");
    assert!(Copy::of(&mut machine).0 == Copy::blank().0, "all games are gone");

    for pressed in [false, true] {
        machine.emulator.set_key(Key::Ok, pressed).unwrap();
        machine.run_ms(100);
    }
    let (answer, resets) = answered(&mut machine, &ToBoard::EnterBootloader, 1000);
    assert!(answer.contains("Ack"), "{answer}");
    assert_eq!(resets, [ResetReason::UsbBoot]);
}

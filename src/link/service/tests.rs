//! A console behind its service, and a host that reads as it likes.

use std::boxed::Box;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::*;
use crate::console::{Effects, Input};
use crate::games::Id;
use crate::geometry::PointSet;
use crate::link::{HostDecoder, HostEncoder, Key, Numbered, Options, Procedure, Setting};
use crate::random::SplitMix64;
use crate::sense::Calibration;
use crate::sound::Sound;

/// The board's end of the line with its console, and what the host has not yet read.
struct Line {
    console: Box<Console>,
    service: Service,
    host: HostDecoder,
}

impl Line {
    fn new() -> Line {
        let calibration = Calibration::exact(Playfield::Hex);
        let console = Box::new(Console::new(calibration, Options::default(), 1));
        let mut service = Service::new();
        service.set_serial("0123456789ABCDEF");
        Line { console, service, host: HostDecoder::new() }
    }

    fn opened() -> Line {
        let mut line = Line::new();
        line.service.open(&line.console);
        line.read();
        line
    }

    /// Bytes from the host, as far as they are taken; the others come back.
    fn write<'a>(&mut self, mut bytes: &'a [u8]) -> &'a [u8] {
        while let Some(heard) = self.service.next(&mut bytes) {
            let Ok(request) = heard else { continue };
            let mut effects = Effects::new();
            self.console.handle(0, Input::Host(request), &mut effects);
            effects.iter().for_each(|effect| self.service.tell(&self.console, effect));
        }
        bytes
    }

    fn ask(&mut self, request: &ToBoard) -> Vec<String> {
        assert!(self.write(&frame(request)).is_empty());
        self.read()
    }

    fn event(&mut self, event: Event) {
        self.service.tell(&self.console, &Effect::Event(event));
    }

    /// The host reads all there is.
    fn read(&mut self) -> Vec<String> {
        let bytes = self.service.outgoing().to_vec();
        self.service.sent(bytes.len());
        self.understand(&bytes)
    }

    fn understand(&mut self, mut bytes: &[u8]) -> Vec<String> {
        let mut said = Vec::new();
        while let Some(message) = self.host.next::<FromBoard>(&mut bytes) {
            said.push(match message {
                Ok(FromBoard::Ack { request }) => {
                    format!("Ack {}", ToBoard::NAMES[request as usize])
                }
                Ok(FromBoard::Error { code, .. }) => format!("{code:?}"),
                Ok(message) => message.name().to_string(),
                Err(error) => format!("unreadable: {error:?}"),
            });
        }
        said
    }
}

fn frame(request: &ToBoard) -> Vec<u8> {
    HostEncoder::new().encode(request).expect("every request fits").to_vec()
}

#[allow(clippy::fn_params_excessive_bools)] // as the message
const fn watch(events: bool, lights: bool, meanings: bool, fields: bool) -> ToBoard<'static> {
    ToBoard::Watch { events, lights, meanings, fields }
}

#[test]
fn a_host_that_opens_the_line_is_greeted() {
    let mut line = Line::new();
    line.service.open(&line.console);
    assert_eq!(line.service.outgoing()[0], 0);
    let bytes = line.service.outgoing().to_vec();
    let mut rest = bytes.as_slice();
    let Some(Ok(FromBoard::Hello { serial, playfield, .. })) = line.host.next(&mut rest) else {
        panic!("no Hello");
    };
    assert_eq!((serial.as_str(), playfield), ("0123456789ABCDEF", Some(Playfield::Hex)));
    assert!(rest.is_empty());
}

#[test]
fn nothing_is_kept_for_a_host_that_is_not_there() {
    let mut line = Line::new();
    line.event(Event::BackInPlay);
    line.service.begin_answer();
    assert!(line.service.outgoing().is_empty() && !line.service.is_answering());
    line.service.open(&line.console);
    line.ask(&watch(true, false, false, false));
    line.service.close();
    line.event(Event::BackInPlay);
    assert!(line.service.outgoing().is_empty());
}

#[test]
fn whoever_speaks_is_answered_without_opening() {
    let mut line = Line::new();
    assert_eq!(line.ask(&ToBoard::GetState), ["State"]);
}

#[test]
fn a_frame_cut_by_unplugging_does_not_reach_the_next_host() {
    let mut line = Line::opened();
    let request = frame(&ToBoard::SetOption { setting: Setting::Brightness(1) });
    line.write(&request[..5]);
    line.service.open(&line.console);
    line.read();
    assert_eq!(line.ask(&ToBoard::GetState), ["State"]);
}

#[test]
fn requests_are_answered_in_order_however_the_bytes_come() {
    let mut line = Line::opened();
    let requests = [
        ToBoard::Hello { version: 7 },
        ToBoard::GetPosition,
        ToBoard::NewGame { id: Id::Glux2, handicap: Text::default(), setup: Text::default() },
        ToBoard::NewGame { id: Id::Yinsh, handicap: Text::default(), setup: Text::default() },
        ToBoard::GetPosition,
        ToBoard::Key { key: Key::K1, down: true },
        ToBoard::EraseJournal,
    ];
    let bytes: Vec<u8> = requests.iter().flat_map(frame).collect();
    let expected = ["Hello", "NoGame", "OtherPlayfield", "Ack NewGame", "Position", "Ack Key"];
    let expected = [expected.as_slice(), &["HoldOk"]].concat();
    for size in [1, 3, 64, bytes.len()] {
        let mut line = Line::opened();
        let said: Vec<_> = bytes
            .chunks(size)
            .flat_map(|part| {
                assert!(line.write(part).is_empty());
                line.read()
            })
            .collect();
        assert_eq!(said, expected, "{size} bytes at a time");
    }
    assert!(line.read().is_empty());
}

#[test]
fn bad_frames_are_answered_and_change_nothing() {
    let mut line = Line::opened();
    let before = *line.console.options();
    let mut wrong = frame(&ToBoard::SetOption { setting: Setting::Brightness(1) });
    wrong[2] ^= 4;
    let rounds: [(&[u8], &str); 4] = [
        (&wrong, "Checksum"),
        (&[9, 1, 0], "BadCobs"),
        (&[3, 1, 2, 0], "Truncated"),
        (&[[1; 100].as_slice(), &[0]].concat(), "Oversized"),
    ];
    for (bytes, answer) in rounds {
        line.write(bytes);
        assert_eq!(line.read(), [answer]);
    }
    assert_eq!(line.ask(&ToBoard::GetState), ["State"]);
    assert_eq!(*line.console.options(), before);
}

#[test]
fn noise_never_grows_beyond_the_queue_and_ends_with_an_answer() {
    let mut line = Line::opened();
    let mut random = SplitMix64::new(13);
    for _ in 0..1000 {
        let noise: Vec<u8> = (0..64).map(|_| random.next() as u8 % 16).collect();
        let mut rest = noise.as_slice();
        while !rest.is_empty() {
            rest = line.write(rest);
            assert!(line.read().iter().all(|said| !said.starts_with("unreadable")));
        }
    }
    line.write(&[0]);
    line.read();
    assert_eq!(line.ask(&ToBoard::GetState), ["State"]);
}

#[test]
fn events_are_for_those_who_watch_and_reports_for_all() {
    let mut line = Line::opened();
    let sound = Effect::Sound(Sound::Turn);
    let report =
        || Event::Report { procedure: Procedure::Zero, passed: true, points: PointSet::EMPTY };
    line.event(Event::BackInPlay);
    line.service.tell(&line.console, &sound);
    line.event(report());
    assert_eq!(line.read(), ["Report"]);
    assert_eq!(line.ask(&watch(true, false, false, false)), ["Ack Watch"]);
    line.event(Event::BackInPlay);
    line.service.tell(&line.console, &sound);
    line.event(report());
    assert_eq!(line.read(), ["BackInPlay", "Sound", "Report"]);
}

#[test]
fn lights_and_meanings_are_sent_when_they_change_and_fields_always() {
    let mut line = Line::opened();
    let show = |line: &mut Line, lit: bool| {
        let mut frame = Frame::dark(Playfield::Hex);
        let mut meanings = Meanings::none(Playfield::Hex);
        if lit {
            frame.set_key(0, smart_leds::RGB8::new(9, 9, 9));
            let point = Playfield::Hex.points().next().expect("a first point");
            meanings.set(point, crate::meaning::Meaning::Put);
        }
        line.service.lights(Playfield::Hex, &frame);
        line.service.meanings(&meanings);
        line.service.fields(&[2048; 91]);
        line.read()
    };
    assert!(show(&mut line, false).is_empty());
    line.ask(&watch(false, true, true, true));
    assert_eq!(show(&mut line, false), ["Lights", "Meanings", "Fields"]);
    assert_eq!(show(&mut line, false), ["Fields"]);
    assert_eq!(show(&mut line, true), ["Lights", "Meanings", "Fields"]);
    line.ask(&watch(false, false, true, false));
    assert_eq!(show(&mut line, true), ["Meanings"]);
}

#[test]
fn health_comes_at_once_and_then_now_and_then() {
    let mut line = Line::opened();
    let at = |line: &mut Line, uptime_s| {
        line.service.health(&line.console, uptime_s, Supply::Host, 0);
        line.read().len()
    };
    assert_eq!(at(&mut line, 5), 0);
    line.ask(&watch(true, false, false, false));
    let heard: Vec<u32> = (6..40).filter(|&s| at(&mut line, s) > 0).collect();
    assert_eq!(heard, [6, 16, 26, 36]);
}

#[test]
fn what_shows_a_state_is_skipped_to_the_newest() {
    let mut line = Line::opened();
    line.ask(&watch(false, true, false, true));
    let mut frame = Frame::dark(Playfield::Hex);
    for level in 1..=50 {
        frame.set_key(0, smart_leds::RGB8::new(level, 0, 0));
        line.service.lights(Playfield::Hex, &frame);
        line.service.fields(&[u16::from(level); 91]);
    }
    assert!(line.service.outgoing().len() <= QUEUE - RESERVE);
    assert!(line.read().len() < 8);
    // The host reads again: the newest comes, though it has not changed since.
    line.service.lights(Playfield::Hex, &frame);
    let bytes = line.service.outgoing().to_vec();
    let mut bytes = bytes.as_slice();
    let Some(Ok(FromBoard::Lights { leds })) = line.host.next(&mut bytes) else {
        panic!("no Lights");
    };
    assert_eq!(leds.iter().next().map(|led| led.r), Some(50));
}

#[test]
fn a_host_that_does_not_read_is_not_answered_further() {
    let mut line = Line::opened();
    let many: Vec<u8> = (0..500).flat_map(|_| frame(&ToBoard::GetState)).collect();
    let mut rest = line.write(&many);
    assert!(!rest.is_empty() && line.service.outgoing().len() <= QUEUE);
    let mut answers = line.read();
    while !rest.is_empty() {
        rest = line.write(rest);
        answers.extend(line.read());
    }
    assert_eq!(answers, std::vec!["State"; 500]);
}

#[test]
fn events_that_find_no_room_begin_the_line_anew() {
    let mut line = Line::opened();
    line.ask(&watch(true, true, true, true));
    // The first half of a frame is on its way when the host stops reading.
    line.event(Event::Undone(1));
    let half = line.service.outgoing()[..4].to_vec();
    line.service.sent(4);
    for count in 0..1000 {
        line.event(Event::Undone(count));
    }
    assert_eq!(line.service.watch(), NOTHING);
    let mut bytes = half;
    bytes.extend_from_slice(line.service.outgoing());
    line.service.sent(bytes.len());
    assert_eq!(line.understand(&bytes), ["unreadable: BadCobs", "Hello"]);
    assert_eq!(line.ask(&ToBoard::GetState), ["State"]);
}

#[test]
fn an_event_more_or_less_decides_whether_all_come() {
    let mut line = Line::opened();
    line.ask(&watch(true, false, false, false));
    line.event(Event::BackInPlay);
    let fit = QUEUE / line.service.outgoing().len();
    (1..fit).for_each(|_| line.event(Event::BackInPlay));
    assert_eq!(line.read(), std::vec!["BackInPlay"; fit]);
    (0..=fit).for_each(|_| line.event(Event::BackInPlay));
    assert_eq!(line.read(), ["Hello"]);
}

#[test]
fn a_record_comes_in_parts_while_later_requests_wait() {
    let mut line = Line::opened();
    let record = (0..1000).fold(String::new(), |text, n| text + &n.to_string() + " ");
    line.service.begin_answer();
    let asked = frame(&ToBoard::GetState);
    assert_eq!(line.write(&asked), asked);
    let mut parts = Parts::of(3);
    let mut read = String::new();
    let mut is_last = false;
    while !is_last {
        while line.service.wants_part() && !is_last {
            let mut part = [0; PART_MAX];
            let mut window = parts.window(&mut part);
            core::fmt::Write::write_str(&mut window, &record).expect("windows take all");
            let message = parts.message(window);
            is_last = matches!(message, FromBoard::Game { last: true, .. });
            line.service.send(&line.console, &message);
        }
        let bytes = line.service.outgoing().to_vec();
        line.service.sent(bytes.len());
        let mut bytes = bytes.as_slice();
        while let Some(Ok(FromBoard::Game { number, offset, text, .. })) =
            line.host.next(&mut bytes)
        {
            assert_eq!((number, offset as usize), (3, read.len()));
            read += text.as_str();
        }
    }
    assert_eq!(read, record);
    line.service.end_answer();
    assert_eq!(line.ask(&ToBoard::GetState), ["State"]);
}

#[test]
fn a_record_that_fills_its_last_part_has_no_empty_one_behind_it() {
    let mut parts = Parts::of(0);
    let mut part = [0; PART_MAX];
    let mut window = parts.window(&mut part);
    core::fmt::Write::write_str(&mut window, &"x".repeat(PART_MAX)).expect("windows take all");
    assert!(matches!(parts.message(window), FromBoard::Game { last: true, offset: 0, .. }));
}

#[test]
fn a_line_that_begins_anew_owes_no_answer() {
    let mut line = Line::opened();
    line.ask(&watch(true, false, false, false));
    line.service.begin_answer();
    for _ in 0..1000 {
        line.event(Event::BackInPlay);
    }
    assert!(!line.service.is_answering());
    assert_eq!(line.read(), ["Hello"]);
}

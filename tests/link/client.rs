//! Both real halves of the link: a `Client` and a `Device`.

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use board_sim::client::{Client, Error, Message};
use board_sim::device::Flash;
use board_sim::tty::Tty;
use lodestone::games::Id;
use lodestone::geometry::Playfield;
use lodestone::link::{Failure, FromBoard, HostEncoder, Key, Setting, Text, ToBoard};
use lodestone::sound::Sound;

use crate::board::{Board, flash_with_game};

/// Longer than anything here takes, on any machine.
const LONG: Duration = Duration::from_secs(20);

const EVENTS: ToBoard =
    ToBoard::Watch { events: true, lights: false, meanings: false, fields: false };

fn new_game(id: Id) -> ToBoard<'static> {
    ToBoard::NewGame { id, handicap: Text::default(), setup: Text::default() }
}

fn connect(board: &Board) -> Client {
    Client::connect(board.path()).expect("a board that answers")
}

fn refused(client: &mut Client, request: &ToBoard) -> Failure {
    match client.request(request) {
        Err(Error::Refused(failure)) => failure,
        other => panic!("{request:?}: {other:?}"),
    }
}

fn brightness(client: &mut Client) -> u8 {
    match client.request(&ToBoard::GetState).expect("an answer").get() {
        FromBoard::State { options, .. } => options.brightness,
        other => panic!("{other:?}"),
    }
}

/// Waits for what the board says unasked.
fn event(client: &mut Client, is_it: impl Fn(&FromBoard) -> bool) -> Message {
    let end = Instant::now() + LONG;
    client
        .events(LONG)
        .map(|event| event.expect("the line holds"))
        .take_while(|_| Instant::now() < end)
        .find(|event| is_it(&event.get()))
        .expect("it is said in time")
}

/// Waits until the first player may act: a piece that lies there before would have to be taken off.
fn begun(client: &mut Client) {
    event(client, |message| matches!(message, FromBoard::Sound { sound: Sound::Turn }));
}

fn is_committed(message: &FromBoard, expected: &str) -> bool {
    matches!(message, FromBoard::Committed { step, .. } if step.as_str() == expected)
}

#[test]
fn a_game_is_started_watched_and_read() {
    let board = Board::start(&Flash::erased());
    let mut client = connect(&board);
    assert_eq!(client.about().playfield, Some(Playfield::Hex));
    assert!(client.about().firmware.starts_with("lodestone "));
    client.done(&EVENTS).expect("watched");
    assert_eq!(refused(&mut client, &ToBoard::GetPosition), Failure::NoGame);
    assert_eq!(refused(&mut client, &new_game(Id::Glux2)), Failure::OtherPlayfield);
    client.done(&new_game(Id::Yinsh)).expect("begun");
    begun(&mut client);
    board.put_ring("f6");
    let committed = event(&mut client, |message| is_committed(message, "f6"));
    assert!(matches!(committed.get(), FromBoard::Committed { count: 1, .. }));
    assert!(client.position().expect("a game is on").contains("f6"));
    client.done(&ToBoard::Undo).expect("taken back");
    event(&mut client, |message| matches!(message, FromBoard::Undone { count: 0 }));
}

#[test]
fn keys_and_options_reach_the_board() {
    let board = Board::start(&Flash::erased());
    let mut client = connect(&board);
    client.done(&ToBoard::SetOption { setting: Setting::Brightness(1) }).expect("set");
    assert_eq!(brightness(&mut client), 1);
    let beyond = ToBoard::SetOption { setting: Setting::Brightness(5) };
    assert_eq!(refused(&mut client, &beyond), Failure::OutOfRange);
    let by_ok = ToBoard::SetOption { setting: Setting::Settle(0) };
    client.done(&by_ok).expect("0 is by OK");
    // K2 is YINSH, OK takes the first variant.
    for key in [Key::K2, Key::K1, Key::Ok] {
        client.done(&ToBoard::Key { key, down: true }).expect("pressed");
        client.done(&ToBoard::Key { key, down: false }).expect("released");
    }
    let state = client.request(&ToBoard::GetState).expect("an answer");
    let FromBoard::State { game, .. } = state.get() else { panic!("{state:?}") };
    assert_eq!(game, Some(Id::Yinsh));
}

#[test]
fn a_record_longer_than_a_frame_comes_whole() {
    let (flash, result, words) = flash_with_game();
    let board = Board::start(&flash);
    let mut client = connect(&board);
    let games = client.games().expect("a list");
    let [game] = games.as_slice() else { panic!("{games:?}") };
    assert_eq!(game.text, format!("[Game \"yinsh\"]\n[Result \"{result}\"]\n"));
    let record = client.game(game.number).expect("a record").text;
    let body = record.strip_prefix(&game.text).expect("the tags come first");
    assert_eq!(body.split_whitespace().collect::<Vec<_>>().join(" "), words);
    assert!(matches!(client.game(7), Err(Error::Refused(Failure::NoSuchGame))));
}

#[test]
fn lights_meanings_and_fields_come_to_those_who_watch() {
    let board = Board::start(&Flash::erased());
    let mut client = connect(&board);
    let all = ToBoard::Watch { events: true, lights: true, meanings: true, fields: true };
    client.done(&all).expect("watched");
    client.done(&new_game(Id::Yinsh)).expect("begun");
    event(&mut client, |message| matches!(message, FromBoard::Lights { .. }));
    event(&mut client, |message| matches!(message, FromBoard::Health { .. }));
    event(&mut client, |message| match message {
        FromBoard::Meanings { points } => points.iter().count() > 0,
        _ => false,
    });
    board.put_ring("f6");
    event(&mut client, |message| match message {
        FromBoard::Fields { codes } => codes.iter().any(|code| code == 2048 + 134),
        _ => false,
    });
}

#[test]
fn garbage_in_between_disturbs_nobody() {
    let board = Board::start(&Flash::erased());
    let mut client = connect(&board);
    let mut other = Tty::open(board.path()).expect("a second program on the port");
    for garbage in [b"\0hello?\r\n\0".as_slice(), &[[7; 200].as_slice(), &[0]].concat()] {
        other.write_all(garbage).expect("there is room");
        client.done(&ToBoard::SetOption { setting: Setting::Brightness(2) }).expect("set");
    }
    assert_eq!(brightness(&mut client), 2);
    let errors =
        client.events(Duration::ZERO).map(|event| match event.expect("the line holds").get() {
            FromBoard::Error { code, .. } => code,
            other => panic!("{other:?}"),
        });
    assert_eq!(errors.collect::<Vec<_>>(), [Failure::BadCobs, Failure::Oversized]);
}

#[test]
fn a_host_that_leaves_in_mid_message_leaves_nothing_behind() {
    let board = Board::start(&Flash::erased());
    let mut encoder = HostEncoder::new();
    let setting = ToBoard::SetOption { setting: Setting::Brightness(1) };
    let frame = encoder.encode(&setting).expect("it fits");
    // Without its zero the frame is whole, and the next host may end it before the board sees that
    // the first one is gone.
    for cut in 1..frame.len() - 1 {
        let mut host = Tty::open(board.path()).expect("a port");
        host.write_all(&frame[..cut]).expect("there is room");
        drop(host);
        assert_eq!(brightness(&mut connect(&board)), 3, "cut after {cut} bytes");
    }
}

#[test]
fn a_board_that_is_unplugged_is_found_again() {
    let name = format!("lodestone-link-{}", std::process::id());
    let port = Replugged(std::env::temp_dir().join(name));
    let flash = Flash::erased();
    let board = Board::start(&flash);
    port.leads_to(&board);
    let mut client = Client::connect(&port.0).expect("a board that answers");
    client.done(&EVENTS).expect("watched");
    client.done(&new_game(Id::Yinsh)).expect("begun");
    drop(board);
    assert!(matches!(client.request(&ToBoard::GetState), Err(Error::Gone(_))));
    assert!(matches!(client.request(&ToBoard::GetState), Err(Error::Gone(_))));
    assert!(matches!(client.reconnect(Duration::ZERO), Err(Error::Gone(_))));
    let board = Board::start(&flash);
    port.leads_to(&board);
    client.reconnect(LONG).expect("it is there again");
    // What was watched is watched, and the game is offered.
    client.done(&ToBoard::Resume).expect("the game goes on");
    begun(&mut client);
    board.put_ring("f6");
    event(&mut client, |message| is_committed(message, "f6"));
}

#[test]
fn a_client_without_a_board_says_so() {
    let nowhere = std::env::temp_dir().join("lodestone-no-such-port");
    assert!(matches!(Client::connect(&nowhere), Err(Error::Gone(_))));
}

/// A path that stays when a board comes back under another.
struct Replugged(PathBuf);

impl Replugged {
    fn leads_to(&self, board: &Board) {
        let _ = fs::remove_file(&self.0);
        symlink(board.path(), &self.0).expect("a link in the temporary folder");
    }
}

impl Drop for Replugged {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

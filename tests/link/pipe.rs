//! A board behind a pipe with a second host on its pseudo-terminal: each hears its own answers.

use std::io::{ErrorKind, Read, Write};

use board_sim::device::Flash;
use board_sim::pipe::{Board, HostBoard, Input};
use board_sim::tty::{Pty, Tty};
use lodestone::link::{FromBoard, HostDecoder, HostEncoder, Numbered, ToBoard};

use crate::board::build;

/// The names of all that the host can read.
fn heard(host: &mut Tty) -> Vec<&'static str> {
    let mut bytes = [0; 4096];
    let count = match host.read(&mut bytes) {
        Err(error) if error.kind() == ErrorKind::WouldBlock => 0,
        read => read.expect("the line holds"),
    };
    let (mut decoder, mut rest) = (HostDecoder::new(), &bytes[..count]);
    let mut names = Vec::new();
    while let Some(message) = decoder.next::<FromBoard>(&mut rest) {
        names.push(message.expect("whole frames").name());
    }
    names
}

/// What comes out of the pipe.
fn said(board: &mut HostBoard, now_us: u64, input: Input) -> String {
    serde_json::to_string(&board.handle(now_us, input)).expect("outputs are JSON")
}

#[test]
fn answers_go_to_the_host_that_asked() {
    let pty = Pty::open().expect("this system has pseudo-terminals");
    let mut host = Tty::open(pty.path()).expect("a port");
    let mut board = HostBoard::new(build(Flash::erased()), false, None);
    board.offer(pty);
    let frame = HostEncoder::new().encode(&ToBoard::GetState).expect("it fits").to_vec();
    host.write_all(&frame).expect("there is room");
    assert!(!said(&mut board, 1_000, Input::Tick).contains("state"));
    assert_eq!(heard(&mut host), ["Hello", "State"]);
    assert!(said(&mut board, 2_000, Input::Host(ToBoard::GetState)).contains("state"));
    assert_eq!(heard(&mut host), [""; 0]);
    // A host sees a power cut as the start of a board.
    board.handle(3_000, Input::PowerCut);
    assert_eq!(heard(&mut host), ["Hello"]);
}

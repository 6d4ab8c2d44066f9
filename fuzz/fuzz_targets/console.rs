//! Any bytes as the input of the board behind a pipe: every line that cannot be read is answered by
//! one error and changes nothing, nothing panics, and the same lines give the same bytes again.
//!
//! A scan is some hundred bytes long, which a fuzzer hardly keeps whole: a line `~POINT CODE MS` is
//! written out as so many milliseconds of scans in which that point has that code.
#![no_main]

use std::fmt::Write;

use board_sim::device::{Build, Flash};
use board_sim::pipe::{HostBoard, Session, run};
use libfuzzer_sys::fuzz_target;
use lodestone::geometry::Playfield;
use lodestone::sense::Calibration;

const SCANS_MAX: u32 = 200;

fn board() -> HostBoard {
    let playfield = Playfield::Hex;
    let calibration = Calibration::exact(playfield);
    HostBoard::new(Build { playfield, calibration, seed: 1, flash: Flash::erased() }, true, None)
}

/// The scans a line stands for, from the time after the last line on.
fn scans(line: &[u8], codes: &mut [u16], now_us: &mut u64) -> Option<String> {
    let text = str::from_utf8(line.strip_prefix(b"~")?).ok()?;
    let mut words = text.split(' ');
    let point: usize = words.next()?.parse().ok()?;
    let code: u16 = words.next()?.parse().ok()?;
    let ms: u32 = words.next()?.parse().ok()?;
    *codes.get_mut(point)? = code;
    let list: Vec<String> = codes.iter().map(u16::to_string).collect();
    let mut lines = String::new();
    for _ in 0..(ms / 13).min(SCANS_MAX) {
        *now_us += 13_000;
        writeln!(lines, "{{\"t\":{},\"scan\":[{}]}}", *now_us / 1000, list.join(",")).ok()?;
    }
    Some(lines)
}

fuzz_target!(|data: &[u8]| {
    let (mut codes, mut now_us) = ([2048; 91], 0);
    let mut input = Vec::new();
    for line in data.split(|&byte| byte == b'\n') {
        match scans(line, &mut codes, &mut now_us) {
            Some(lines) => input.extend(lines.into_bytes()),
            None => input.extend([line, b"\n"].concat()),
        }
    }
    let mut session = Session::new(board());
    let mut said = Vec::new();
    for line in input.split_inclusive(|&byte| byte == b'\n') {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let before = session.board().device().console().phase();
        let from = said.len();
        session.handle(line, &mut said).expect("a Vec takes everything");
        if said[from..].starts_with(b"{\"error\"") {
            assert_eq!(said[from..].iter().filter(|&&byte| byte == b'\n').count(), 1);
            assert_eq!(session.board().device().console().phase(), before);
        }
    }
    let mut again = Vec::new();
    run(board(), &input[..], &mut again).expect("a Vec takes everything");
    assert_eq!(String::from_utf8_lossy(&again), String::from_utf8_lossy(&said));
});

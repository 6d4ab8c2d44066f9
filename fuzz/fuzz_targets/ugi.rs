//! Any bytes as a conversation: every line is answered, nothing panics, and after an error the
//! position is what it was before. Counting is kept shallow, for time.
#![no_main]

use board_sim::ugi::Session;
use libfuzzer_sys::fuzz_target;

fn ask(session: &mut Session, line: &[u8]) -> Vec<u8> {
    let mut answer = Vec::new();
    session.handle(line, &mut answer).expect("a Vec takes everything");
    answer
}

fuzz_target!(|data: &[u8]| {
    let mut session = Session::default();
    for line in data.split(|&byte| byte == b'\n') {
        let counts = line.windows(5).any(|word| word == b"perft")
            || line.windows(6).any(|word| word == b"divide");
        if counts && !line.ends_with(b" 1") {
            continue;
        }
        let before = ask(&mut session, b"query board");
        let answer = ask(&mut session, line);
        if answer.starts_with(b"error") {
            assert_eq!(ask(&mut session, b"query board"), before);
        }
    }
});

//! Any bytes as step texts of any game: read or refused, never a panic; what is read writes back
//! to the same bytes, and is played exactly when it is among the legal steps.
#![no_main]

use board_sim::text;
use libfuzzer_sys::fuzz_target;
use lodestone::games::any::Setup;
use lodestone::games::{Game, Id};

fuzz_target!(|data: &[u8]| {
    let Some((&choice, texts)) = data.split_first() else { return };
    let id = Id::ALL[usize::from(choice) % Id::ALL.len()];
    let mut position = Setup::of(id).position();
    for word in texts.split(|&byte| byte == b' ') {
        // A word `.` plays some legal step, so that later phases are reached too.
        if let [b'.', which @ ..] = word {
            let which = which.iter().map(|&byte| usize::from(byte)).sum::<usize>();
            let count = position.step_count().max(1);
            let step = position.steps().nth(which % count);
            step.into_iter().for_each(|step| position.play_unchecked(step));
            continue;
        }
        let Ok(step) = position.parse_step(word) else { continue };
        assert_eq!(text::step(&position, step).as_bytes(), word);
        let legal = position.steps().any(|legal| legal == step);
        let before = position;
        let played = position.play(step);
        assert_eq!(played.is_ok(), legal, "{id} {}", text::step(&before, step));
        if !legal {
            assert!(position == before, "a refused step changed something");
        }
    }
});

//! That the soak sees what it is there to see.

use lodestone::console::Event;
use lodestone::games::{Game, Id};

use super::Plan;
use super::play::{Agenda, Play};
use crate::hands::{CAREFUL, acts};

const PLAN: Plan =
    Plan { id: Id::Yinsh, seed: 1, style: &CAREFUL, faults: 0, taught: true, trace: false };

fn committed(play: &Play, text: &[u8]) -> Event {
    let step = play.position.parse_step(text).expect("a step");
    Event::Committed { step, count: 1, turn: None, outcome: None }
}

/// People mean f6 and have put their ring there.
fn played() -> Play<'static> {
    let mut play = Play::new(&PLAN, 0);
    let step = play.position.parse_step(b"f6").expect("a step");
    play.begin_turn(Agenda::new(&play.position, &[step]));
    play.world.hands.play(acts(&play.position, step));
    while !play.tick().expect("nothing is wrong yet") {}
    play
}

#[test]
fn what_was_done_is_right_and_what_was_not_is_wrong() {
    for (text, is_right) in [(&b"f6"[..], true), (b"f7", false), (b"g6", false)] {
        let mut play = played();
        let heard = play.hear(vec![committed(&play, text)]);
        assert_eq!(heard.is_ok(), is_right, "{heard:?}");
        assert!(heard.is_err() != is_right && heard.err().is_none_or(|failure| failure.is_wrong));
    }
}

#[test]
fn taking_back_what_lies_there_is_wrong() {
    let mut play = played();
    play.hear(vec![committed(&play, b"f6")]).expect("it was done");
    play.begin_turn(Agenda::new(&play.position, &[]));
    assert!(play.hear(vec![Event::Undone(0)]).is_err());
}

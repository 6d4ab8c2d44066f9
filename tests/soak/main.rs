//! Virtual people play every game against the whole device: nothing that was not done is committed,
//! no game gets stuck, questions are rare, and the board is as quick as it should be.
//!
//! The same with more turns: `cargo sim soak --game all --turns 20000`; with sensors that fail, which
//! takes longer: a stage of `cargo xtask test`.

use board_sim::hands::{CAREFUL, SLOPPY, Style};
use board_sim::soak::{HINT_MS, LATE_MS, Plan, Tally, game, soak, spread};
use lodestone::games::Id;

/// Of each game, for each style.
const TURNS: u64 = 500;

fn plan(id: Id, style: &'static Style) -> Plan {
    Plan { id, seed: 1, style, faults: 0, taught: true, trace: false }
}

/// The share of turns that may have a question, in percent: more where a landing may not be felt.
struct Asked {
    dvonn: f64,
    lyngk: f64,
    others: f64,
}

impl Asked {
    fn percent(&self, id: Id) -> f64 {
        match id {
            Id::Dvonn => self.dvonn,
            Id::Lyngk | Id::LyngkSix => self.lyngk,
            _ => self.others,
        }
    }
}

/// Plays all games.
fn play(style: &'static Style, limit: &Asked) {
    for id in Id::ALL {
        let tally = soak(&plan(id, style), TURNS, |_| ());
        assert_eq!((tally.wrong(), tally.stuck()), (0, 0), "{id}: {:?}", tally.failures);
        assert_quick(id, &tally);
        // Hints are timed where a stack is lifted first; of the other games on the image.
        let is_timed = !style.any_order && matches!(id, Id::Dvonn | Id::Lyngk | Id::LyngkSix);
        assert_eq!(!tally.hint_ms.is_empty(), is_timed, "{id}: hints that were timed");
        let asked = tally.questions_percent();
        assert!(asked <= limit.percent(id), "{id}: questions in {asked:.1} % of turns");
    }
}

fn assert_quick(id: Id, tally: &Tally) {
    let [_, _, (late, number)] = spread(&tally.late_ms);
    assert!(!tally.late_ms.is_empty() && late <= LATE_MS, "{id} {number}: {late} ms late");
    let [_, _, (hint, number)] = spread(&tally.hint_ms);
    assert!(hint <= HINT_MS, "{id} {number}: {hint} ms to the hint");
}

#[test]
fn careful_hands() {
    play(&CAREFUL, &Asked { dvonn: 5.0, lyngk: 3.0, others: 1.0 });
}

#[test]
fn sloppy_hands() {
    play(&SLOPPY, &Asked { dvonn: 10.0, lyngk: 8.0, others: 5.0 });
}

/// Games of sloppy hands that were once committed wrongly or got stuck: id, seed, failing sensors,
/// number.
const FOUND: [(Id, u64, usize, u64); 77] = [
    (Id::GipfBasic, 1, 2, 100),      // dot and first spot without a sensor
    (Id::GipfBasic, 1, 2, 242),      // a change of mind that nobody saw
    (Id::GipfBasic, 1, 2, 362),      // two pushes that end alike, neither of which is seen
    (Id::GipfBasic, 1, 2, 279),      // two pushes that end alike
    (Id::Gipf, 1, 0, 352),           // two hands at once, and a reply
    (Id::Gipf, 3, 2, 7),             // a GIPF-piece that waits halfway
    (Id::Gipf, 1, 2, 204),           // a GIPF-piece aside reads like another push
    (Id::Gipf, 1, 2, 323),           // a question by another push that ends alike
    (Id::Gipf, 2, 2, 72),            // a row with two GIPF-pieces that no sensor shows
    (Id::Gipf, 3, 2, 10),            // the next player's push before a row that no sensor shows
    (Id::Gipf, 3, 2, 101),           // a run whose last piece came down elsewhere
    (Id::GipfTournament, 3, 2, 316), // a row that comes off as if its push were taken back
    (Id::GipfTournament, 1, 2, 186), // the same from where no sensor shows the run
    (Id::GipfTournament, 1, 2, 351), // a GIPF-piece halfway that never rested on its dot
    (Id::GipfTournament, 1, 2, 168), // a row of which no sensor shows the last piece
    (Id::GipfTournament, 1, 0, 243), // a run moved on without a new piece
    (Id::GipfTournament, 1, 0, 293), // a GIPF-piece that lies aside
    (Id::GipfTournament, 1, 0, 362), // one that is pushed on, halfway
    (Id::GipfTournament, 5, 2, 53),  // a kind that no dot showed
    (Id::GipfTournament, 3, 2, 30),  // a kind that its dot shows after the question
    (Id::Yinsh, 1, 0, 269),          // swept, and a marker that reads like a ring
    (Id::Yinsh, 1, 2, 118),          // UNDO as a question ends by itself
    (Id::Yinsh, 2, 2, 60),           // swept, and put back beside a dead point
    (Id::Yinsh, 11, 2, 0),           // the last turn amended after the end
    (Id::YinshBlitz, 2, 0, 254),     // a marker pushed aside, and a ring knocked off
    (Id::Dvonn, 1, 2, 30),           // OK just before a question
    (Id::Dvonn, 1, 2, 49),           // a fourth red piece, held still
    (Id::Dvonn, 2, 2, 204),          // the last two placed at once
    (Id::Dvonn, 7, 0, 2),            // stacks lifted, built up again, and one aside
    (Id::Dvonn, 1, 2, 4),            // pieces split off elsewhere, and a stack cleared away
    (Id::Dvonn, 1, 2, 19),           // cleared away before the move, which no sensor shows begin
    (Id::Dvonn, 1, 2, 55),           // a stack from nowhere where the last move began
    (Id::Dvonn, 1, 2, 232),          // cleared away, and a question open
    (Id::Dvonn, 1, 2, 136),          // stacks built up again piece by piece
    (Id::Dvonn, 1, 2, 145),          // a last placement that no sensor shows
    (Id::Dvonn, 1, 2, 201),          // what a move cuts off comes off first
    (Id::Dvonn, 1, 2, 95),           // a reply from where no sensor shows it
    (Id::Dvonn, 1, 2, 107),          // one of two stacks put back, with a piece of the other
    (Id::Dvonn, 1, 2, 242),          // from where no sensor shows it, while others are cleared away
    (Id::Dvonn, 1, 2, 233),          // OK for a landing that was hardly felt
    (Id::Dvonn, 5, 0, 23),           // lifted and set down elsewhere, while another is on its way
    (Id::Lyngk, 1, 2, 272),          // a stack carried piece by piece, and another piece put back
    (Id::Lyngk, 1, 2, 114),          // OK for a move, after a question about the one before
    (Id::Lyngk, 1, 2, 320),          // taken back unseen, and what it left moved on
    (Id::Lyngk, 1, 0, 300),          // one stack aside, and another that landed
    (Id::Lyngk, 11, 2, 2),           // swept, more events than the history holds
    (Id::Lyngk, 3, 2, 458),          // a move from where no sensor shows it, and a piece turned
    (Id::LyngkSix, 1, 0, 72),        // touches from before the first lift
    (Id::LyngkSix, 2, 2, 238),       // OK as a question comes up
    (Id::LyngkSix, 2, 2, 469),       // not taken back, but moved on from where no sensor shows it
    (Id::LyngkSix, 1, 2, 161),       // taken back to where no sensor sees it, off a stack aside
    (Id::LyngkSix, 1, 2, 167),       // a key just before a question
    (Id::LyngkSix, 1, 2, 392),       // a claim pressed just after a question
    (Id::LyngkSix, 1, 2, 200),       // an unseen move, and one on from there
    (Id::LyngkSix, 1, 2, 516),       // a stack that falls over two others
    (Id::LyngkSix, 1, 2, 538),       // a stack that is centred while another is in the hand
    (Id::LyngkSix, 1, 2, 80),        // asked for a stack that the next player moved
    (Id::LyngkSix, 1, 2, 151),       // a part of a stack beside the one on which another came down
    (Id::LyngkSix, 1, 0, 641),       // a part of the stack in the hand
    (Id::Glux2, 1, 2, 89),           // a chip carried slowly over another
    (Id::Glux2, 11, 2, 1),           // a sensor stuck at a bad code of the ADC
    (Id::Glux2, 1, 2, 14),           // a chip touched on the way to the key that answers
    (Id::Glux2, 1, 2, 148),          // the same where one square cannot be seen
    (Id::Glux2, 1, 2, 78),           // the last chip where no sensor sees it
    (Id::Glux2, 1, 0, 113),          // a pile knocked off and set down otherwise
    (Id::Glux2, 1, 0, 217),          // a cover taken off, or not, at the limit of noise
    (Id::Glux2, 1, 2, 191),          // a value told for a chip that was refused
    (Id::Glux3, 1, 0, 37),           // a value told twice, while the chip comes down
    (Id::Glux3, 1, 0, 121),          // a cover off again, and a chip elsewhere
    (Id::Glux3, 1, 0, 208),          // a nudge below a hand with a chip
    (Id::Glux3, 1, 2, 175),          // a pile that lay aside is pushed to its middle
    (Id::Glux3, 1, 2, 169),          // a value told while a square is asked for
    (Id::Glux4, 1, 2, 158),          // the same where two are asked for
    (Id::Glux4, 1, 2, 100),          // a value told just after a question
    (Id::Glux4, 11, 0, 2),           // a nudge on the limit of a cover
    (Id::Glux4, 2, 2, 131),          // a value told for a chip that was taken away again
    (Id::Glux4, 2, 0, 141),          // a covered pile pushed to its middle, as if uncovered
];

#[test]
fn what_was_found_stays_mended() {
    for (id, seed, faults, number) in FOUND {
        let tally = game(&Plan { seed, faults, ..plan(id, &SLOPPY) }, number);
        assert_eq!(tally.failures.len(), 0, "{id} {seed} {number}: {:?}", tally.failures);
    }
}

/// Games with a commit that once came too late: id, seed, hands, number.
const LATE: [(Id, u64, &Style, u64); 7] = [
    (Id::Yinsh, 2, &CAREFUL, 20), // a turn before that took two rows, of which others were looked for
    (Id::Dvonn, 1, &CAREFUL, 94), // a landing that noise proves later
    (Id::Dvonn, 1, &SLOPPY, 250), // the same on a high stack
    (Id::Dvonn, 2, &SLOPPY, 5),   // a single piece set down lower than it was held
    (Id::Glux2, 1, &SLOPPY, 410), // a chip that is held over another first
    (Id::Glux3, 1, &SLOPPY, 107), // one that comes down slowly
    (Id::Glux4, 1, &SLOPPY, 116), // noise where rest begins
];

#[test]
fn what_was_late_stays_quick() {
    for (id, seed, style, number) in LATE {
        let tally = game(&Plan { seed, ..plan(id, style) }, number);
        assert_eq!(tally.failures.len(), 0, "{id} {seed} {number}: {:?}", tally.failures);
        assert_quick(id, &tally);
    }
}

#[test]
fn a_game_is_the_same_whoever_plays_it() {
    let plan = plan(Id::Yinsh, &SLOPPY);
    let [first, second] = [game(&plan, 3), game(&plan, 3)];
    assert_eq!(first.simulated_ms, second.simulated_ms);
    assert_eq!(first.commit_ms, second.commit_ms);
    assert_ne!(first.simulated_ms, game(&plan, 4).simulated_ms);
}

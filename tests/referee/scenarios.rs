//! What people do, and what the board makes of it: one behaviour each, by game.
//!
//! A scenario is a line of acts on a board after some steps:
//!
//! ```text
//!   b3=w      a piece of this kind comes onto b3 from beside the board; `b3,b4=w` two at once;
//!             `b3=w@4` it is held still 4 mm above
//!   b3        what stands on b3 is taken off
//!   b3>b4     what stands on b3 goes to b4; `b3>>b4` the ring of b3 only
//!   b3^b4     the uppermost piece of b3 goes to b4
//!   b3<       the ring of b3 goes into the hand, else what stands there; b4<< sets it down on b4
//!   b3~       what lies on b3 is turned over
//!   b3+10     what stands on b3 is moved aside by 10 mm
//!   300       so many milliseconds pass; between two acts 40 do
//!   OK UNDO K3  a key is pressed
//!   !b3       the sensor of b3 breaks
//! ```
//!
//! and then what it brings about: steps committed (`-` for a take-back), the rule of a refusal
//! (`refused=G5`), whether a question is open, lights by meaning (`put=c3`).

use board_sim::table::{Kind, Pole};
use lodestone::games::any::Setup;
use lodestone::games::{Id, Player};
use lodestone::meaning::{self, Meaning};
use lodestone::referee::{Effect, Key, Referee};

use crate::desk::Desk;

impl Desk {
    /// Carries out the acts of a line.
    fn act(&mut self, acts: &str) {
        for act in acts.split_whitespace() {
            self.act_once(act);
        }
    }

    fn act_once(&mut self, act: &str) {
        if let Ok(ms) = act.parse() {
            return self.wait(ms);
        }
        match act {
            "OK" => self.key(Key::Ok),
            "UNDO" => self.key(Key::Undo),
            _ if act.starts_with('K') => self.key(Key::Number(act[1..].parse().unwrap())),
            _ if act.starts_with('!') => {
                let cell = self.cell(&act[1..]);
                self.break_sensor(cell);
            }
            _ => self.move_pieces(act),
        }
        self.wait(40);
    }

    fn move_pieces(&mut self, act: &str) {
        if let Some((at, kind)) = act.split_once('=') {
            let (kind, height) = kind.split_once('@').unwrap_or((kind, "0"));
            let (kind, pole) = body(kind);
            for at in at.split(',') {
                let cell = self.cell(at);
                self.put(cell, kind, pole);
                self.raise(cell, height.parse().unwrap());
            }
        } else if let Some((from, to)) = act.split_once(">>") {
            let (from, to) = (self.cell(from), self.cell(to));
            let ring = self.lift_kind(from, true);
            self.wait(150);
            self.drop(to, &ring);
        } else if let Some((from, to)) = act.split_once('>') {
            let (from, to) = (self.cell(from), self.cell(to));
            let stack = self.lift(from);
            self.wait(150);
            self.drop(to, &stack);
        } else if let Some((from, to)) = act.split_once('^') {
            let (from, to) = (self.cell(from), self.cell(to));
            let pieces = self.split(from, 1);
            self.wait(150);
            self.drop(to, &pieces);
        } else if let Some((at, by)) = act.split_once('+') {
            let cell = self.cell(at);
            let pieces = self.lift(cell);
            self.drop_aside(cell, &pieces, by.parse().unwrap());
        } else if let Some(at) = act.strip_suffix("<<") {
            let (cell, pieces) = (self.cell(at), std::mem::take(&mut self.hand));
            self.drop(cell, &pieces);
        } else if let Some(at) = act.strip_suffix('<') {
            let cell = self.cell(at);
            self.hand = self.lift_kind(cell, true);
            if self.hand.is_empty() {
                self.hand = self.lift(cell);
            }
        } else if let Some(at) = act.strip_suffix('~') {
            let cell = self.cell(at);
            self.flip(cell);
        } else {
            let cell = self.cell(act);
            self.lift(cell);
        }
    }

    /// What came of it.
    fn outcome(&mut self) -> String {
        let refusal = self.refusal();
        let mut parts = vec![self.committed()];
        parts.extend(refusal.map(|rule| format!("refused={rule}")));
        let meanings = [
            ("put", Meaning::Put),
            ("take", Meaning::Take),
            ("flip", Meaning::Flip),
            ("to", Meaning::Destination),
            ("takes", Meaning::Capture),
            ("wrong", Meaning::Wrong),
            ("missing", Meaning::Missing),
            ("movable", Meaning::Movable),
            ("won", Meaning::Winner(Player::ONE, 0)),
        ];
        for (name, meaning) in meanings {
            let cells = self.lit(meaning);
            if !cells.is_empty() {
                parts.push(format!("{name}={}", cells.replace(' ', ",")));
            }
        }
        let candidates = (0..6).map(|n| self.lit(Meaning::Candidate(n))).filter(|c| !c.is_empty());
        let candidates: Vec<String> = candidates.collect();
        if !candidates.is_empty() {
            parts.push(format!("ask={}", candidates.join(",")));
        }
        parts.retain(|part| !part.is_empty());
        parts.join(" ")
    }
}

fn body(letter: &str) -> (Kind, Pole) {
    match letter {
        "w" => (Kind::GipfBasic, Pole::Plus),
        "b" => (Kind::GipfBasic, Pole::Minus),
        "W" => (Kind::GipfBody, Pole::Plus),
        "B" => (Kind::GipfBody, Pole::Minus),
        "m+" => (Kind::Marker, Pole::Plus),
        "m-" => (Kind::Marker, Pole::Minus),
        "r+" => (Kind::Ring, Pole::Plus),
        "r-" => (Kind::Ring, Pole::Minus),
        "1" => (Kind::Flat, Pole::Plus),
        "2" => (Kind::StrongFlat, Pole::Plus),
        "c+" => (Kind::Chip, Pole::Plus),
        "c-" => (Kind::Chip, Pole::Minus),
        _ => panic!("{letter} is no piece"),
    }
}

/// Steps before, then acts and outcomes in turn.
type Scenario = (&'static str, &'static [(&'static str, &'static str)]);

fn run(id: Id, scenarios: &[Scenario]) {
    let mut failures = Vec::new();
    for (steps, acts) in scenarios {
        let mut desk = Desk::after(id, steps);
        for (act, expected) in *acts {
            desk.act(act);
            let outcome = desk.outcome();
            if outcome != *expected {
                failures.push(format!(
                    "{id} after `{steps}`: `{act}` gave `{outcome}`, not `{expected}`"
                ));
                break;
            }
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

/// A row of four for White, made by his third piece.
const ROW: &str = "e1-e2 c1-c2 e1-e2 g1-g2 e1-e2";

#[test]
fn gipf_basic() {
    run(
        Id::GipfBasic,
        &[
            // 1: over the dot, its targets lit.
            ("", &[("a2=w 300", "take=a2 to=b2,b3"), ("a2>b3 700", "a2-b3")]),
            // 2: straight on the spot: one commit, lowest text.
            ("", &[("b3=w 700", "a2-b3")]),
            // 3: a push by hand.
            ("", &[("a1=w 300 b2>c3 300 a1>b2 700", "a1-b2")]),
            // 4: not centred for long: no red, no commit; then it is.
            ("", &[("b2>c3 c3+6 b2=w 20000", "put=c3"), ("c3>c3 700", "a1-b2")]),
            // 5: net effect of a push through one's own pieces.
            ("", &[("e3=w 700", "e1-e2")]),
            // 6: dropped in the middle.
            ("", &[("d4=w 1000", "refused=G5 wrong=d4"), ("d4 400", "")]),
            // 7: the other's piece.
            ("", &[("a1=b 1000", "refused=G9 wrong=a1"), ("a1 400", "")]),
            // 8: rests on the dot for a minute.
            ("", &[("a2=w 60000", "take=a2 to=b2,b3"), ("a2 400", "")]),
            // 9: a row, off in any order.
            (ROW, &[("e3 e5 e2 e4 700", "xe2-e5")]),
            // 10: with a pause.
            (ROW, &[("e3 e5 e2 10000", "take=e4"), ("e4 700", "xe2-e5")]),
            // Lifted, looked at, put back.
            ("", &[("e2 1000", "refused=none missing=e2"), ("e2=w 600", "")]),
            // 13: amended after the commit.
            ("", &[("b3=w 700", "a2-b3"), ("b3>b4 2000", "- a3-b4")]),
            // Taken back by hand, twice.
            ("a2-b3", &[("b3 700", "-"), ("b3=w 700", "a2-b3"), ("b3 700", "-")]),
            // 14: an early reply.
            ("", &[("b3=w 200 a4=b 300", "a2-b3 take=a4 to=b4,b5"), ("a4>b4 700", "a4-b4")]),
            // 15: b3 cannot be seen: it is asked for, OK commits; not while the piece may be on its
            // way to where it can be seen.
            ("", &[("!b3 3000 a2=w 300 a2 2000", "ask=b3"), ("OK 300", "a2-b3")]),
            ("", &[("!b3 3000 a3=w 300 a3< 500 b4<< 700", "a3-b4")]),
            // What the next player pushes out of sight is not taken back.
            ("a2-b3", &[("a2=b 300 a2+15 b3+15 700", "to=b2"), ("b3>c4 300 a2>b3 700", "a2-b3")]),
            // A run that moved, and no piece for it: b2 cannot be seen, so it is asked for.
            ("", &[("!b2 3000 b2>c3 1500", "ask=b2"), ("UNDO c3 700", "")]),
            // A piece turned over where a push would have moved it out of sight: asked for.
            ("a2-b3", &[("!c4 3000 b3~ 1500", "ask=b3"), ("UNDO b3~ 700", "")]),
            // Undone by key to the set-up, and again.
            (
                "a2-b3 a3-b4",
                &[
                    ("UNDO", "- take=b4"),
                    ("UNDO", "- take=b3,b4"),
                    ("b3 b4 500", ""),
                    ("b3=w 700", "a2-b3"),
                ],
            ),
        ],
    );
}

#[test]
fn gipf() {
    run(
        Id::Gipf,
        &[
            // 11: the GIPF-piece follows later.
            (ROW, &[("e2 e3 e4 3000", "xe2-e5+e5"), ("e5 3000", "- xe2-e5")]),
        ],
    );
}

#[test]
fn gipf_tournament() {
    run(
        Id::GipfTournament,
        &[
            // 12: all four left standing, told by OK.
            (
                "Ge1-e2 Ga3-b4 Ge1-e2 Ga4-b4 Ge1-e2 a2-b3 Ge1-e2",
                &[("5000", "take=e2,e3,e4,e5"), ("OK", "xe2-e5+e2+e3+e4+e5")],
            ),
            // b3 cannot be seen: the dot showed which kind of piece went there.
            ("Ge1-e2 Ga3-b4", &[("!b3 3000 a2=W 300 a2 2000", "ask=b3"), ("OK 300", "Ga2-b3")]),
            // A basic piece as the first one.
            ("", &[("b3=w 1000", "refused=G10 wrong=b3"), ("b3 400", "")]),
        ],
    );
}

/// All rings placed.
const RINGS: &str = "f2 a2 e1 a5 g2 b7 h3 c8 i4 d9";
/// White's ring has left four markers and comes to the fifth.
const FIVE: &str =
    "f2 a2 e1 a5 g2 b7 h3 c8 i4 d9 f2-f3 a2-b3 f3-f4 b3-c4 f4-f5 c4-d5 f5-f6 d5-e6 f6-f7";
/// White has made a row of six.
const SIX: &str = "f2 a2 e1 a5 g2 b7 h3 c8 i4 d9 f2-f3 a2-a3 f3-f4 a3-a4 f4-f6 d9-d8 f6-f7 d8-d7 \
    f7-f8 d7-d6 g2-g5 b7-b6 g5-f5 b6-b5 f5-e5";
const FOUR: &str = "f2 a2 e1 a5 g2 b7 h3 c8 i4 d9 f2-f3 a2-b3 f3-f4 b3-c4 f4-f5 c4-d5 f5-f6 d5-e6";

#[test]
fn yinsh() {
    run(
        Id::Yinsh,
        &[
            // 1, 2: marker first, ring first.
            (RINGS, &[("f2=m+ f2>>f3 700", "f2-f3")]),
            (RINGS, &[("f2>>f3 f2=m+ 700", "f2-f3")]),
            // 3: a pause on the way.
            (RINGS, &[("f2=m+ f2>>f3 300 f3>>f5 700", "f2-f5")]),
            // 4: a rest on the way.
            (RINGS, &[("f2=m+ f2>>f3 2000 f3>>f5 2000", "f2-f3 - f2-f5")]),
            // 5: wrong face.
            (RINGS, &[("f2=m- 1000", "refused=Y3 wrong=f2")]),
            // 6: a forgotten flip waits for ever.
            (
                "f2 a2 e1 a5 g2 b7 h3 c8 i4 d9 f2-f4 a2-a3",
                &[("e1=m+ e1>>g3 20000", "flip=f2"), ("f2~ 700", "e1-g3")],
            ),
            // 7: turned and turned back. 8: turned before the ring lands.
            (
                "f2 a2 e1 a5 g2 b7 h3 c8 i4 d9 f2-f4 a2-a3",
                &[("e1=m+ e1>>g3 f2~ 200 f2~ 3000", "flip=f2"), ("f2~ 700", "e1-g3")],
            ),
            (
                "f2 a2 e1 a5 g2 b7 h3 c8 i4 d9 f2-f4 a2-a3",
                &[("e1=m+ 200 f2~ 200 e1>>g3 700", "e1-g3")],
            ),
            // 9: row and ring.
            (FIVE, &[("f2 f3 f4 f5 f6 f7 1300", "take=e1,g2,h3,i4"), ("300", "xf2-f6 xf7")]),
            // 10: ring in the hand, five off: no commit without its landing.
            (
                FOUR,
                &[
                    (
                        "f6=m+ 200 f6< f2 f3 f4 f5 f6 5000",
                        "takes=b2,c3,d4,e5,f7,f8,f9,f10,g6,g7,h6,h8,i6,i9,j6,j10",
                    ),
                    ("f7<< 2000", "f6-f7 xf2-f6 take=e1,f7,g2,h3,i4"),
                ],
            ),
            // 15: the board is swept, and put back.
            (FIVE, &[("e1< f2 f3 f4 f5 f6 a2 b3 c4 h3 4000", "put=a2,b3,c4,e1,f2,f3,f4,f5,f6,h3")]),
            // 11: a ring lifted, looked at and put back is not given.
            (
                FIVE,
                &[
                    ("f2 f3 f4 f5 f6 700", "xf2-f6 take=e1,f7,g2,h3,i4"),
                    ("e1< 1000 e1<< 300 h3 2000", "xh3"),
                ],
            ),
            // 11 of the mistakes: the ring was given before anybody saw it land: OK accepts that.
            (FOUR, &[("f6=m+ 200 f6< f2 f3 f4 f5 f6 5000 OK", "f6-b2 xf2-f6 xb2")]),
            // Two ends that cannot be seen: OK asks which.
            (RINGS, &[("!f3 !f4 3000 f2=m+ f2>>f3 1500 OK 800", "ask=f3,f4"), ("K1", "f2-f3")]),
            // A ring whose point cannot be seen: whether it has moved is asked for.
            (RINGS, &[("!f2 3000 f2=m+ f2>>f3 2200", "ask=f3"), ("OK 300", "f2-f3")]),
            (RINGS, &[("!f2 3000 f3=m+@4 3000", "ask=f3"), ("UNDO f3 700", "")]),
            // 13: a marker held over the board is no ring.
            (RINGS, &[("g5=m+@4 3000", "put=g5"), ("g5 300", "")]),
            // 8 of the mistakes: six markers taken; either end may come back.
            (
                SIX,
                &[
                    ("f2 f3 f4 f5 f6 f7 1000", "refused=Y13 missing=f2,f7"),
                    ("f2=m+ 1800", "xf3-f7 take=e1,e5,f8,h3,i4"),
                ],
            ),
            // 7 of the mistakes: a ring off its lines, its ends shown.
            (
                RINGS,
                &[(
                    "e1=m+ e1>>f4 1000",
                    "refused=Y4 to=b1,c1,d1,e2,e3,e4,e5,e6,e7,e8,e9,e10 wrong=f4",
                )],
            ),
            // 12: the next player moves before the ring is given.
            (
                FIVE,
                &[
                    ("f2 f3 f4 f5 f6 700", "xf2-f6 take=e1,f7,g2,h3,i4"),
                    ("e6=m- e6>>e7 3000", "take=e1,f7,g2,h3,i4"),
                    ("h3 2000", "xh3 e6-e7 take=a2,b3,c4,d5,e6"),
                ],
            ),
        ],
    );
}

#[test]
fn yinsh_blitz_ends_slowly() {
    run(
        Id::YinshBlitz,
        &[
            // 14: the last ring waits longer, and may be put back until then.
            (
                FIVE,
                &[
                    ("f2 f3 f4 f5 f6 700", "xf2-f6 take=e1,f7,g2,h3,i4"),
                    ("f7< 2500", "take=e1,g2,h3,i4"),
                    ("f7<< 1000", "take=e1,f7,g2,h3,i4"),
                    ("f7 2500", "take=e1,g2,h3,i4"),
                    ("1000", "xf7 won=e1"),
                ],
            ),
        ],
    );
}

/// Placed in point order, reds on a1 a2 a3.
const PLACED: &str = "a1 a2 a3 b1 b2 b3 b4 c1 c2 c3 c4 c5 d1 d2 d3 d4 d5 e1 e2 e3 e4 e5 f1 f2 f3 f4 f5 \
    g1 g2 g3 g4 g5 h1 h2 h3 h4 h5 i1 i2 i3 i4 i5 j2 j3 j4 j5 k3 k4 k5";

/// White has a stack of two on c4, and it is his turn.
const DOUBLE: &str = "a1 a2 a3 b1 b2 b3 b4 c1 c2 c3 c4 c5 d1 d2 d3 d4 d5 e1 e2 e3 e4 e5 f1 f2 f3 f4 f5 \
    g1 g2 g3 g4 g5 h1 h2 h3 h4 h5 i1 i2 i3 i4 i5 j2 j3 j4 j5 k3 k4 k5 b4-c4 k4-j4";

#[test]
fn dvonn() {
    run(
        Id::Dvonn,
        &[
            // 1: a red piece comes first.
            ("", &[("a1=2 700", "a1")]),
            ("", &[("a1=1 1000", "refused=D2 wrong=a1"), ("a1 400", "")]),
            // 2: two at once, until one is lifted.
            ("", &[("a1,a2=2 1000", "refused=D1 wrong=a1,a2"), ("a2 700", "a1")]),
            // 9 of the mistakes: on another one.
            ("a1 a2 a3 b1", &[("b1=1 1000", "refused=D1 wrong=b1"), ("b1^c1 700", "c1")]),
            // 5 of the mistakes: a stack is split.
            (DOUBLE, &[("c4^d4 1000", "refused=D6 put=c4 wrong=d4"), ("d4^c4 1000", "")]),
            // 3: lights, then a move.
            (PLACED, &[("b4< 200", "to=a3,b3,c4,c5"), ("c4<< 700", "b4-c4")]),
            // A hand that lifts also touches what stands beside it.
            (PLACED, &[("j2< k3+3", "to=i1,i2,j3,k3"), ("j2<< 700", "")]),
            // 4: counted wrong.
            (PLACED, &[("b4< 200 c3<< 1000", "refused=D7 to=a3,b3,c4,c5 wrong=c3 missing=b4")]),
            // 5: lifted and back.
            (PLACED, &[("b4< 2000 b4<< 700", "")]),
            // 6: enclosed. 7: the other's.
            (PLACED, &[("f3< 1000", "refused=D9 missing=f3"), ("f3<< 700", "")]),
            (PLACED, &[("k4< 1000", "refused=D5 missing=k4"), ("k4<< 700", "")]),
            // 11: a connected stack taken off.
            (PLACED, &[("e5< 1000", "refused=D5 missing=e5"), ("e5<< 700", "")]),
            // 13: taken back by hand.
            (PLACED, &[("b4>c4 700", "b4-c4"), ("c4^b4 700", "-")]),
            // 12: two stacks lifted together, put back.
            (PLACED, &[("b4< 200 c5 300 c5=1 b4<< 500", "ask=b4,c5"), ("OK 100", "")]),
            // Amended: the stack goes on to another target.
            (PLACED, &[("b4>c4 700", "b4-c4"), ("c4^c5 3000", "- b4-c5")]),
            // An early reply.
            (PLACED, &[("b4>c4 220 k4< 200", "b4-c4 to=j3,j4,k3,k5")]),
        ],
    );
}

#[test]
fn lyngk_is_laid_out_colour_by_colour() {
    let mut desk = Desk::new(Id::Lyngk, 1);
    let jokers = ["b4", "b5", "c6"].map(|name| desk.cell(name));
    let everything: Vec<_> = desk.board.cells().collect();
    desk.referee = Referee::new(&Setup::of(Id::Lyngk));
    let pieces: Vec<_> = everything.iter().map(|&cell| desk.lift(cell)).collect();
    desk.wait(300);
    assert_eq!(desk.lit(Meaning::SetUp(meaning::Kind::White)), "b4 b5 c6");
    for cell in jokers {
        desk.put(cell, Kind::StrongFlat, Pole::Plus);
    }
    desk.wait(300);
    assert_eq!(desk.lit(Meaning::SetUp(meaning::Kind::White)), "");
    assert_eq!(desk.lit(Meaning::SetUp(meaning::Kind::Black)).split(' ').count(), 8);
    for (&cell, pieces) in everything.iter().zip(&pieces) {
        if !jokers.contains(&cell) {
            desk.drop(cell, pieces);
        }
    }
    desk.wait(300);
    desk.said.clear();
    desk.key(Key::Ok);
    assert_eq!(desk.said, [Effect::Started]);
}

#[test]
fn lyngk() {
    run(
        Id::Lyngk,
        &[
            // 2: a move.
            ("", &[("c1>c2 700", "c1-c2")]),
            // 3: a claim, then a lift.
            ("", &[("1500 K5", "R"), ("f3< 300", "to=e2,e3,e4,f5,g3,g5,h6")]),
            // 4: a claim after the move.
            ("", &[("c1>c2 700", "c1-c2"), ("K5", "refused=L5"), ("1500 K5", "R")]),
            // 5: a joker alone.
            ("", &[("b4< 1000", "refused=L3 missing=b4"), ("b4<< 700", "")]),
            // 6: a colour twice.
            ("c1-c2", &[("b2< 200 c2<< 1000", "refused=L12 to=b3,c3 wrong=c2 missing=b2")]),
            // 11: a claim taken back.
            ("", &[("1500 K2", "B"), ("UNDO", "-"), ("c1>c2 700", "c1-c2")]),
        ],
    );
}

#[test]
fn glux() {
    run(
        Id::Glux2,
        &[
            // 1, 2: the value after or before the chip.
            ("", &[("a1=c+ 600", "put=a1"), ("K3 700", "a1=3")]),
            ("", &[("K3 5000 a1=c+ 700", "a1=3")]),
            // 3: the other face.
            ("", &[("a1=c- 600 K3 700", "put=a1"), ("K4 700", "a1=4")]),
            // 4: the next chip is held until the value is told.
            (
                "",
                &[
                    ("a1=c+ 600 m9=c- 600", "put=a1"),
                    ("K3 300", "a1=3 put=m9"),
                    ("600 K4 700", "m9=4"),
                ],
            ),
            // 5: on a target, off the targets.
            ("a1=3 m9=4", &[("d1=c+ 600", "put=d1"), ("d1 400", "")]),
            ("a1=3 m9=4", &[("c1=c+ 1000", "refused=X7 wrong=c1"), ("c1 400", "")]),
            // 6: a cover with the other half.
            ("a1=3 m9=4 d1=2 m5=6", &[("d1=c- 600", "put=d1"), ("K5 700", "d1=5")]),
            // 7: a nudge.
            ("a1=3 m9=4 d1=2 m5=6", &[("d1+1 2000", "")]),
            // 9: a foreign start.
            ("a1=3 m9=4", &[("K3 m9=c+ 1000", "refused=X7 wrong=m9")]),
            // 11: moved to the next target.
            ("a1=3 m9=4", &[("K2 d1=c+ 800", "d1=2"), ("d1>a4 2000", "- a4=2")]),
            // 12: another value right after.
            ("a1=3 m9=4", &[("K2 d1=c+ 700", "d1=2"), ("K1", "- d1=1")]),
            // 14: between two squares.
            ("a1=3 m9=4", &[("K2 d1=c+ d1+9 3000", "to=a4,d1")]),
        ],
    );
}

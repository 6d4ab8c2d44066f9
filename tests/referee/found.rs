//! Scenarios that need a special position: random games are played until one comes up.

use board_sim::hands::{Act, acts};
use board_sim::table::{Kind, Pole};
use lodestone::games::any::{Position, Setup, Step};
use lodestone::games::{Game, Id, Outcome, Player, Reason, dvonn, gipf, glux, lyngk};
use lodestone::geometry::{Cell, CellSet, GIPF_DOTS};
use lodestone::meaning::Meaning;
use lodestone::random::SplitMix64;
use lodestone::referee::{Act as ToDo, Effect, Key, Referee};

use crate::desk::Desk;
use crate::invariants::{cells_lit, ends, height, random_game};

/// The first of many random games for which something is found: its steps and what was found.
fn find<T>(id: Id, most: usize, look: impl Fn(&[Step], &Position) -> Option<T>) -> (Vec<Step>, T) {
    let found = (0..4000).find_map(|seed| {
        let mut random = SplitMix64::new(seed);
        let (steps, position) = random_game(id, 1 + random.below(most), &mut random);
        let found = look(&steps, &position)?;
        Some((steps, found))
    });
    found.unwrap_or_else(|| panic!("{id}: nothing was found"))
}

fn off(before: &Position, step: Step) -> CellSet {
    let mut after = *before;
    after.play_unchecked(step);
    before.table().occupied() - after.table().occupied()
}

fn carry(desk: &mut Desk, (from, to): (Cell, Cell)) {
    let stack = desk.lift(from);
    desk.wait(250);
    desk.drop(to, &stack);
}

fn text(desk: &Desk, step: Step) -> String {
    let mut text = String::new();
    desk.referee.position().write_step(step, &mut text).unwrap();
    text
}

/// DVONN 8 and 9: a landing on a high stack shows nothing. It is asked for, with several targets
/// and with one; a tap answers.
#[test]
fn an_unseen_landing_is_a_question() {
    for is_only in [false, true] {
        let (steps, step) = find(Id::Dvonn, 80, |_, position| {
            position.steps().find(|&step| {
                ends(step).is_some_and(|(from, to)| {
                    let ends = position.destinations(from);
                    let plain = off(position, step) == CellSet::of(from);
                    plain && height(position, to) > 7 && (ends.len() == 1) == is_only
                })
            })
        });
        let mut desk = Desk::resume(Id::Dvonn, &steps, 1);
        let (from, to) = ends(step).unwrap();
        carry(&mut desk, (from, to));
        desk.wait(4000);
        assert!(desk.said.iter().any(|e| matches!(e, Effect::Question(..))), "{:?}", desk.said);
        assert_eq!(desk.committed(), "");
        let stack = desk.lift(to);
        desk.wait(300);
        desk.drop(to, &stack);
        desk.wait(400);
        let expected = text(&desk, step);
        assert_eq!(desk.committed(), expected);
    }
}

/// DVONN 14: the last move waits for longer, then the winner's pieces are counted out.
#[test]
fn the_last_move_ends_the_game_slowly() {
    let (steps, step) = find(Id::Dvonn, 130, |_, position| {
        position.steps().find(|&step| {
            let mut after = *position;
            after.play_unchecked(step);
            let is_low = ends(step).is_some_and(|(_, to)| height(position, to) == 1);
            is_low && matches!(after.outcome(), Some(Outcome::Win(_)))
        })
    });
    let mut desk = Desk::resume(Id::Dvonn, &steps, 1);
    let before = *desk.referee.position();
    carry(&mut desk, ends(step).unwrap());
    desk.wait(200);
    for cell in off(&before, step) - CellSet::of(ends(step).unwrap().0) {
        desk.lift(cell);
    }
    desk.wait(2500);
    assert_eq!(desk.committed(), "");
    desk.wait(1000);
    let expected = text(&desk, step);
    assert_eq!(desk.committed(), expected);
    let Some(Outcome::Win(winner)) = desk.referee.position().outcome() else { panic!() };
    let score = desk.referee.position().score().as_slice()[winner.index()];
    let lit =
        (0..=u8::MAX).filter(|&n| !cells_lit(&desk, Meaning::Winner(winner, n)).is_empty()).count();
    // The last step shows on two of them.
    assert!((score.into()..score as usize + 3).contains(&(lit + 2)), "{lit} of {score}");
}

/// A LYNGK move that wins a stack of five.
fn five(position: &Position) -> Option<Step> {
    position.steps().find(|&step| {
        ends(step)
            .is_some_and(|(_, to)| off(position, step).contains(to) && height(position, to) == 1)
    })
}

/// LYNGK 8 and 9: an own five comes off, at leisure or in one go.
#[test]
fn an_own_five_comes_off() {
    for pause_ms in [1500, 60] {
        let (steps, step) = find(Id::Lyngk, 60, |_, position| five(position));
        let mut desk = Desk::resume(Id::Lyngk, &steps, 1);
        let (from, to) = ends(step).unwrap();
        carry(&mut desk, (from, to));
        desk.wait(pause_ms);
        if pause_ms > 1000 {
            assert_eq!(cells_lit(&desk, Meaning::Take), CellSet::of(to));
        }
        assert_eq!(desk.committed(), "");
        desk.lift(to);
        desk.wait(3200);
        let expected = text(&desk, step);
        assert_eq!(desk.committed(), expected);
    }
}

/// LYNGK 10: a neutral five stays.
#[test]
fn a_neutral_five_stays() {
    let (steps, cell) = find(Id::Lyngk, 60, |_, position| {
        position.turn()?;
        let stacks = position.table().occupied();
        stacks.iter().find(|&cell| height(position, cell) == 5)
    });
    let mut desk = Desk::resume(Id::Lyngk, &steps, 1);
    let stack = desk.lift(cell);
    desk.wait(1200);
    assert_eq!(desk.refusal().as_deref(), Some("L24"));
    assert_eq!(cells_lit(&desk, Meaning::Missing), CellSet::of(cell));
    assert!(desk.said.iter().any(|e| matches!(
        e,
        Effect::Notice(lodestone::referee::Notice::Stood(stood)) if *stood == cell
    )));
    assert_eq!(desk.referee.stack(cell).len(), 5);
    desk.drop(cell, &stack);
    desk.wait(600);
    assert!(desk.referee.is_in_play());
}

/// LYNGK 7: a stack rests on a link and goes on.
#[test]
fn a_pause_on_a_link_is_no_move() {
    let (steps, (step, link)) = find(Id::Lyngk, 30, |_, position| {
        position.steps().find_map(|step| {
            let (_, to) = ends(step)?;
            let carry = acts(position, step).into_iter().next()?;
            let Act::Carry { via, .. } = carry else { return None };
            let low = height(position, to) == 1 && off(position, step).len() == 1;
            Some((step, *via.first()?)).filter(|_| low)
        })
    });
    let mut desk = Desk::resume(Id::Lyngk, &steps, 1);
    let (from, to) = ends(step).unwrap();
    let stack = desk.lift(from);
    desk.wait(250);
    desk.drop(link, &stack);
    desk.wait(300);
    let stack = desk.split(link, stack.len());
    desk.wait(250);
    desk.drop(to, &stack);
    desk.wait(900);
    let expected = text(&desk, step);
    assert_eq!(desk.committed(), expected);
}

/// LYNGK 12: the stack just moved is taken up again and makes a five elsewhere, which comes off.
/// The next player could have lifted that one too.
#[test]
fn an_amended_move_is_no_reply() {
    let (steps, (last, other)) = find(Id::Lyngk, 60, |steps, position| {
        let (&last, earlier) = steps.split_last()?;
        let mut before = Setup::of(Id::Lyngk).position();
        for &step in earlier {
            before.play_unchecked(step);
        }
        let (from, to) = ends(last)?;
        let other = before.steps().find(|&step| {
            let Some((a, c)) = ends(step) else { return false };
            let wins = off(&before, step) == CellSet::of(from) | CellSet::of(c);
            a == from && c != to && wins && position.origins().contains(c)
        })?;
        let plain = off(&before, last) == CellSet::of(from);
        (plain && height(&before, to) == 1).then_some((last, other))
    });
    let mut desk = Desk::resume(Id::Lyngk, &steps, 1);
    let ((_, to), (_, c)) = (ends(last).unwrap(), ends(other).unwrap());
    let moved = desk.stacks[to.index()].len() - 1;
    let stack = desk.split(to, moved);
    desk.wait(400);
    desk.drop(c, &stack);
    desk.wait(300);
    desk.lift(c);
    desk.wait(3500);
    let expected = format!("- {}", text(&desk, other));
    assert_eq!(desk.committed(), expected);
}

/// LYNGK 1 and 13: jokers of the right strength first; what is left over is asked for, and UNDO
/// shows the colours.
#[test]
fn the_set_up_of_lyngk_is_checked() {
    let mut desk = Desk::new(Id::Lyngk, 1);
    desk.referee = Referee::new(&Setup::of(Id::Lyngk));
    let joker = desk.cell("b4");
    let right = desk.lift(joker);
    desk.wait(200);
    desk.put(joker, Kind::Flat, Pole::Plus);
    desk.wait(900);
    assert_eq!(cells_lit(&desk, Meaning::Wrong), CellSet::of(joker));
    desk.key(Key::Ok);
    assert!(!desk.referee.is_in_play());
    desk.lift(joker);
    desk.wait(200);
    desk.drop(joker, &right);
    desk.said.clear();
    desk.wait(400);
    assert_eq!(desk.said, [Effect::Prompt(ToDo::LeftOver, CellSet::EMPTY)]);
    let shown = |desk: &Desk| desk.referee.meanings().iter().count();
    assert_eq!(shown(&desk), 0);
    desk.key(Key::Undo);
    assert_eq!(shown(&desk), desk.board.cell_count());
    assert_eq!(desk.referee.meanings(), desk.referee.tops());
    desk.key(Key::Ok);
    assert_eq!(desk.said.last(), Some(&Effect::Started));
}

/// LYNGK 14: the power was cut with a stack in the hand.
#[test]
fn a_stack_in_the_hand_survives_a_power_cut() {
    let (steps, step) = find(Id::Lyngk, 20, |_, position| {
        position.steps().find(|&step| {
            ends(step)
                .is_some_and(|(_, to)| height(position, to) == 1 && off(position, step).len() == 1)
        })
    });
    let mut desk = Desk::resume(Id::Lyngk, &steps, 1);
    let (from, to) = ends(step).unwrap();
    let stack = desk.lift(from);
    desk.wait(300);
    desk.referee = Referee::resume(&Setup::of(Id::Lyngk), steps.iter().copied()).0;
    desk.wait(500);
    desk.said.clear();
    desk.drop(to, &stack);
    desk.wait(900);
    let expected = text(&desk, step);
    assert_eq!(desk.committed(), expected);
}

/// GLÜX 8: a third chip is too far up to be seen, and nothing is committed.
#[test]
fn two_chips_are_covered_by_none() {
    let (steps, step) = find(Id::Glux2, 60, |_, position| {
        let Position::Glux(game) = position else { return None };
        position.turn()?;
        let spots =
            glux::Spots::all().find(|face| game.bag(game.turn().unwrap())[face.kind()] > 0)?;
        let closed = |&cell: &Cell| {
            let refused = game.check(glux::Step { cell, spots }).err();
            refused.is_some_and(|refused| refused.reason == glux::Reason::Closed)
        };
        let cell = game.board().cells().find(closed)?;
        Some(glux::Step { cell, spots })
    });
    let mut desk = Desk::resume(Id::Glux2, &steps, 1);
    desk.wait(1000);
    desk.key(Key::Number(step.spots.number()));
    desk.put(step.cell, Kind::Chip, Pole::Plus);
    desk.wait(1000);
    assert_eq!(desk.committed(), "");
    assert!(desk.referee.is_in_play());
}

/// GLÜX 10 and 13: used-up kinds have dark keys; who has no square is passed over.
#[test]
fn keys_and_starts_show_what_is_left() {
    let (steps, dark) = find(Id::Glux2, 90, |_, position| {
        let Position::Glux(game) = position else { return None };
        let bag = game.bag(position.turn()?);
        let used_up = |face: &glux::Spots| bag[face.kind()] == 0;
        let dark: u8 = glux::Spots::all().filter(used_up).map(|f| 1 << (f.number() - 1)).sum();
        (dark != 0).then_some(dark)
    });
    let desk = Desk::resume(Id::Glux2, &steps, 1);
    assert_eq!(desk.referee.live_keys(desk.now_ms), !dark & 0b11_1111);

    let (steps, next) = (0..500).find_map(passed_over).expect("somebody is passed over");
    let desk = Desk::resume(Id::Glux4, &steps, 1);
    assert_eq!(cells_lit(&desk, Meaning::ToAct(next)).len(), 1);
}

/// The beginning of a random game up to where somebody is passed over, and who goes on.
fn passed_over(seed: u64) -> Option<(Vec<Step>, Player)> {
    let (steps, _) = random_game(Id::Glux4, 1000, &mut SplitMix64::new(seed));
    let mut position = Setup::of(Id::Glux4).position();
    let at = steps.iter().position(|&step| {
        let next = position.turn().map(|player| (player.index() + 1) % 4);
        position.play_unchecked(step);
        position.turn().is_some_and(|player| Some(player.index()) != next)
    })?;
    Some((steps[..=at].to_vec(), position.turn()?))
}

/// What is illegal is answered with the rule that the games name: stacks moved to wrong places.
#[test]
fn illegal_moves_are_named() {
    let mut tried = 0;
    for (n, id) in (0..).zip([Id::Dvonn, Id::Lyngk, Id::LyngkSix].into_iter().cycle().take(150)) {
        let mut random = SplitMix64::new(300 + n);
        let (steps, position) = random_game(id, 49 + random.below(15), &mut random);
        if position.turn().is_none() {
            continue;
        }
        let stacks: Vec<Cell> = position.table().occupied().iter().collect();
        let from = stacks[random.below(stacks.len())];
        let singles = stacks.iter().filter(|&&to| to != from && height(&position, to) == 1);
        let illegal: Vec<(Cell, String)> = singles
            .filter_map(|&to| {
                let step = match position {
                    Position::Dvonn(_) => Step::Dvonn(dvonn::Step::Move { from, to }),
                    _ => Step::Lyngk(lyngk::Step::Move { from, to }),
                };
                Some((to, position.check(step).err()?.reason.rule().to_string()))
            })
            .collect();
        if illegal.is_empty() {
            continue;
        }
        let (to, rule) = &illegal[random.below(illegal.len())];
        let mut desk = Desk::resume(id, &steps, n);
        carry(&mut desk, (from, *to));
        desk.wait(1200);
        let what = format!("{id} {n}: {from:?} to {to:?}");
        assert_eq!(desk.refusal().as_deref(), Some(rule.as_str()), "{what} {:?}", desk.said);
        assert!(cells_lit(&desk, Meaning::Wrong).contains(*to), "{what}");
        desk.put_as_expected();
        desk.wait(600);
        assert!(desk.referee.is_in_play() && *desk.referee.position() == position, "{what}");
        tried += 1;
    }
    println!("{tried} illegal moves");
    assert!(tried > 40, "{tried} are too few");
}

/// The same for rings, chips and pieces brought in.
#[test]
fn illegal_placements_are_named() {
    let ids = [Id::Yinsh, Id::Glux2, Id::GipfBasic, Id::YinshBlitz, Id::Gipf, Id::GipfTournament];
    let mut tried = 0;
    for (n, id) in (0..).zip(ids.into_iter().cycle().take(180)) {
        let mut random = SplitMix64::new(600 + n);
        let (steps, position) = random_game(id, 12 + random.below(20), &mut random);
        let free: Vec<Cell> = {
            let occupied = position.table().occupied();
            position.board().cells().filter(|&cell| !occupied.contains(cell)).collect()
        };
        let cell = free[random.below(free.len())];
        let mut desk = Desk::resume(id, &steps, n);
        let own = match position.turn() {
            Some(player) if player.index() == 0 => Pole::Plus,
            Some(_) => Pole::Minus,
            None => continue,
        };
        let rule = match position {
            Position::Yinsh(_) => {
                let rings: Vec<Cell> = position.origins().iter().collect();
                let from = rings[random.below(rings.len())];
                let step = Step::Yinsh(lodestone::games::yinsh::Step::MoveRing { from, to: cell });
                let Err(refusal) = position.check(step) else { continue };
                if refusal.reason.rule().number > 9 {
                    continue;
                }
                desk.put(from, Kind::Marker, own);
                desk.wait(200);
                let ring = desk.lift_kind(from, true);
                desk.wait(200);
                desk.drop(cell, &ring);
                refusal.reason.rule().to_string()
            }
            Position::Glux(ref game) => {
                let player = game.turn().unwrap();
                let faces = glux::Spots::all();
                let Some(spots) = { faces }.find(|face| game.bag(player)[face.kind()] > 0) else {
                    continue;
                };
                let Err(refusal) = game.check(glux::Step { cell, spots }) else { continue };
                desk.wait(1000);
                desk.key(Key::Number(spots.number()));
                let pole = if spots.number() <= 3 { Pole::Plus } else { Pole::Minus };
                desk.put(cell, Kind::Chip, pole);
                refusal.reason.rule().to_string()
            }
            _ => {
                let is_inner = position.board().playfield().directions().all(|d| {
                    let next = position.board().next(cell, d);
                    next.is_some_and(|next| !GIPF_DOTS.contains(next))
                });
                let taken = position.steps().any(|step| off(&position, step).len() > 3);
                let ends_a_push = position.steps().any(|step| {
                    let mut after = position;
                    after.play_unchecked(step);
                    after.table().occupied().contains(cell)
                });
                if !is_inner || taken || ends_a_push {
                    continue;
                }
                desk.put(cell, Kind::GipfBasic, own);
                "G5".to_owned()
            }
        };
        desk.wait(1300);
        let what = format!("{id} {n}: {cell:?} {:?}", desk.said);
        assert_eq!(desk.refusal().as_deref(), Some(rule.as_str()), "{what}");
        assert!(cells_lit(&desk, Meaning::Wrong).contains(cell), "{what}");
        desk.put_as_expected();
        desk.wait(600);
        assert!(desk.referee.is_in_play() && *desk.referee.position() == position, "{what}");
        tried += 1;
    }
    println!("{tried} illegal placements");
    assert!(tried > 40, "{tried} are too few");
}

/// The same for what lies on a dot and cannot go in: the other's colour, a kind that is not due.
#[test]
fn illegal_pieces_on_dots_are_named() {
    let ids = [Id::GipfBasic, Id::Gipf, Id::GipfTournament];
    let mut tried = 0;
    for (n, id) in (0..).zip(ids.into_iter().cycle().take(120)) {
        let mut random = SplitMix64::new(900 + n);
        let (steps, position) = random_game(id, random.below(30), &mut random);
        let is_push = |step| matches!(step, Step::Gipf(gipf::Step::Push { .. }));
        if !position.steps().next().is_some_and(is_push) {
            continue;
        }
        let dots: Vec<Cell> = GIPF_DOTS.iter().collect();
        let dot = dots[random.below(dots.len())];
        let (kind, piece) = match random.below(2) {
            0 => (Kind::GipfBasic, gipf::Piece::Basic),
            _ => (Kind::GipfBody, gipf::Piece::Gipf),
        };
        let is_white = position.turn() == Some(Player::ONE);
        let is_own = random.below(2) == 0;
        let pole = if is_white == is_own { Pole::Plus } else { Pole::Minus };
        let board = position.board();
        let next = board.playfield().directions().filter_map(|d| board.next(dot, d));
        let pushes = next
            .filter(|&to| !GIPF_DOTS.contains(to))
            .map(|to| position.check(Step::Gipf(gipf::Step::Push { from: dot, to, piece })));
        let broken: Result<Vec<u8>, ()> =
            pushes.map(|push| push.err().map(|e| e.reason.rule().number).ok_or(())).collect();
        let rule = match broken {
            _ if !is_own => 9,
            Ok(rules) => *rules.iter().min().unwrap(),
            Err(()) => continue,
        };
        let mut desk = Desk::resume(id, &steps, n);
        desk.put(dot, kind, pole);
        desk.wait(1300);
        let what = format!("{id} {n}: {dot:?} {:?}", desk.said);
        assert_eq!(desk.refusal(), Some(format!("G{rule}")), "{what}");
        assert_eq!(cells_lit(&desk, Meaning::Wrong), CellSet::of(dot), "{what}");
        desk.lift(dot);
        desk.wait(600);
        assert!(desk.referee.is_in_play() && *desk.referee.position() == position, "{what}");
        tried += 1;
    }
    println!("{tried} illegal pieces on dots");
    assert!(tried > 40, "{tried} are too few");
}

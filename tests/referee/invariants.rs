//! What must hold from any state: lights show exactly what is legal, looking at a piece is no event,
//! and putting the pieces as expected brings the game back into play.

use board_sim::table::{Kind, Pole};
use lodestone::games::any::{Position, Setup, Step};
use lodestone::games::{Game, Id, dvonn, lyngk};
use lodestone::geometry::{Cell, CellSet};
use lodestone::meaning::Meaning;
use lodestone::random::SplitMix64;
use lodestone::referee::{Effect, Key, SETTLE_MS};

use crate::desk::Desk;

/// A game after so many random steps, or at its end.
pub(crate) fn random_game(id: Id, steps: usize, random: &mut SplitMix64) -> (Vec<Step>, Position) {
    let mut position = Setup::of(id).position();
    let mut made = Vec::new();
    while made.len() < steps && position.turn().is_some() {
        let legal: Vec<Step> = position.steps().collect();
        let step = legal[random.below(legal.len())];
        position.play_unchecked(step);
        made.push(step);
    }
    (made, position)
}

/// All cells that are lit as legal ends.
fn ends_lit(desk: &Desk) -> CellSet {
    cells_lit(desk, Meaning::Destination) | cells_lit(desk, Meaning::Capture)
}

pub(crate) fn cells_lit(desk: &Desk, meaning: Meaning) -> CellSet {
    let meanings = desk.referee.meanings();
    let cells = desk.board.cells();
    cells.filter(|&cell| meanings.at(desk.board.point(cell)) == Some(meaning)).collect()
}

/// A piece of the player to act, for GIPF's dots.
fn own_piece(position: &Position) -> (Kind, Pole) {
    let pole = if position.turn().unwrap().index() == 0 { Pole::Plus } else { Pole::Minus };
    (Kind::GipfBasic, pole)
}

/// The moves of a position as (from, to), if moves are what is to be made.
fn moves_from(position: &Position, origin: Cell) -> CellSet {
    let mut steps = position.steps();
    let is_taking = |step: Step| {
        let mut after = *position;
        after.play_unchecked(step);
        after.table().occupied().len() < position.table().occupied().len()
            && matches!(step, Step::Gipf(_) | Step::Yinsh(_))
    };
    match steps.next() {
        Some(step) if !is_taking(step) => position.destinations(origin),
        _ => CellSet::EMPTY,
    }
}

#[test]
fn every_lift_lights_exactly_the_legal_ends_and_is_no_event() {
    let mut tried = 0;
    for (n, id) in (0..).zip(Id::ALL.into_iter().cycle().take(220)) {
        let mut random = SplitMix64::new(n);
        let most = if id == Id::Dvonn { 75 } else { 40 };
        let (steps, position) = random_game(id, 10 + random.below(most), &mut random);
        if position.turn().is_none() {
            continue;
        }
        let mut desk = Desk::resume(id, &steps, n);
        let gipf = matches!(position, Position::Gipf(_));
        let mut origins: Vec<Cell> = position.origins().iter().collect();
        random.shuffle(&mut origins);
        for origin in origins.into_iter().take(4) {
            let ends = moves_from(&position, origin);
            if ends.is_empty() || ends == CellSet::of(origin) {
                continue;
            }
            if gipf && desk.referee.expected().at(origin).is_none() {
                let (kind, pole) = own_piece(&position);
                desk.put(origin, kind, pole);
            } else {
                desk.hand = desk.lift(origin);
            }
            // At once, and still when it is certain.
            for ms in [1, 300] {
                desk.wait(ms);
                assert!(
                    ends_lit(&desk) == ends,
                    "{id} {n}: {origin:?} after {ms} ms lights {:?}, not {ends:?}",
                    ends_lit(&desk)
                );
            }
            tried += 1;
            if desk.hand.is_empty() {
                desk.lift(origin);
            } else {
                let hand = std::mem::take(&mut desk.hand);
                desk.drop(origin, &hand);
            }
            desk.wait(1000);
            let said: Vec<&Effect> =
                desk.said.iter().filter(|e| !matches!(e, Effect::Prompt(..))).collect();
            assert!(said.is_empty(), "{id} {n}: putting {origin:?} back gave {said:?}");
            assert!(ends_lit(&desk).is_empty(), "{id} {n}");
        }
    }
    println!("{tried} lifts");
    assert!(tried > 200);
}

/// Anything a hand can do in an instant.
fn disturb(desk: &mut Desk, random: &mut SplitMix64) {
    let cells: Vec<Cell> = desk.board.cells().collect();
    let cell = cells[random.below(cells.len())];
    let occupied = !desk.stacks[cell.index()].is_empty();
    match random.below(10) {
        0..=3 if occupied => desk.hand = desk.lift(cell),
        4 if occupied => desk.flip(cell),
        5 => {
            let kinds = match desk.referee.position() {
                Position::Yinsh(_) => [Kind::Marker, Kind::Ring],
                Position::Gipf(_) => [Kind::GipfBasic, Kind::GipfBody],
                Position::Glux(_) => [Kind::Chip, Kind::Chip],
                _ => [Kind::Flat, Kind::StrongFlat],
            };
            let pole = if random.below(2) == 0 { Pole::Plus } else { Pole::Minus };
            desk.put(cell, kinds[random.below(2)], pole);
        }
        6 => desk.key(Key::Undo),
        7 => desk.key(Key::Ok),
        8 => desk.key(Key::Number(1 + random.below(6) as u8)),
        _ => {
            let hand = std::mem::take(&mut desk.hand);
            desk.drop(cell, &hand);
        }
    }
    desk.wait(random.below(900) as u32);
}

#[test]
fn putting_the_pieces_as_expected_brings_the_game_back() {
    let mut tried = 0;
    for (n, id) in (0..).zip(Id::ALL.into_iter().cycle().take(220)) {
        let mut random = SplitMix64::new(1000 + n);
        let most = if id == Id::Dvonn { 75 } else { 40 };
        let (steps, _) = random_game(id, random.below(most), &mut random);
        let mut desk = Desk::resume(id, &steps, n);
        for _ in 0..4 {
            for _ in 0..=random.below(12) {
                disturb(&mut desk, &mut random);
            }
            let before = *desk.referee.position();
            desk.put_as_expected();
            desk.wait(SETTLE_MS);
            let is_set_up = desk.referee.step_count() == 0;
            if is_set_up {
                desk.key(Key::Ok);
            }
            assert!(*desk.referee.position() == before, "{id} {n}: nothing is lost");
            assert!(desk.referee.is_in_play(), "{id} {n}: back in play");
            assert!(cells_lit(&desk, Meaning::Wrong).is_empty(), "{id} {n}");
            assert!(cells_lit(&desk, Meaning::Missing).is_empty(), "{id} {n}");
            // Each refusal was followed by one way back.
            let refused = desk.said.iter().filter(|e| matches!(e, Effect::Refused(_))).count();
            let back = desk.said.iter().filter(|e| matches!(e, Effect::BackInPlay)).count();
            assert!(back >= refused, "{id} {n}: {:?}", desk.said);
            desk.said.clear();
            tried += 1;
        }
    }
    println!("{tried} times");
}

#[test]
fn stacks_left_standing_do_not_stop_the_next_player() {
    let mut tried = 0;
    for (n, id) in (0..).zip([Id::Dvonn, Id::Lyngk].into_iter().cycle().take(400)) {
        let mut random = SplitMix64::new(5000 + n);
        let (steps, before) = random_game(id, 20 + random.below(60), &mut random);
        // A move after which something must be cleared that lies apart from it.
        let clears = before.steps().find_map(|step| {
            let (from, to) = ends(step)?;
            let mut after = before;
            after.play_unchecked(step);
            let off = before.table().occupied() - after.table().occupied() - CellSet::of(from);
            let reply = after.steps().find(|&reply| {
                ends(reply).is_some_and(|(a, b)| {
                    let is_single = |cell: Cell| {
                        height(&after, cell) == 1 && !after.table().strong.contains(cell)
                    };
                    a != to && is_single(b) && after.turn() != before.turn()
                })
            })?;
            let is_single = height(&before, to) == 1 && !before.table().strong.contains(to);
            (!off.is_empty() && is_single).then_some((step, off, after, reply))
        });
        let Some((step, off, after, reply)) = clears else { continue };
        let mut desk = Desk::resume(id, &steps, n);
        let (from, to) = ends(step).unwrap();
        let stack = desk.lift(from);
        desk.wait(200);
        desk.drop(to, &stack);
        desk.wait(2000);
        assert!(*desk.referee.position() == before, "{id} {n}: waits for {off:?}");
        assert!(cells_lit(&desk, Meaning::Take) == off, "{id} {n}: shows {off:?}");
        desk.carry_out(&after, reply);
        desk.wait(3200);
        let mut end = after;
        end.play_unchecked(reply);
        let standing = cells_lit(&desk, Meaning::Take);
        if ends(reply).is_some_and(|(_, b)| off.contains(b)) {
            continue;
        }
        assert!(*desk.referee.position() == end, "{id} {n}: {:?}", desk.said);
        assert!((off - standing).is_empty(), "{id} {n}: {off:?} is still shown, not {standing:?}");
        for cell in off {
            desk.lift(cell);
        }
        desk.wait(500);
        assert!(*desk.referee.position() == end && desk.referee.is_in_play(), "{id} {n}: cleared");
        assert!(cells_lit(&desk, Meaning::Take).is_empty(), "{id} {n}: cleared");
        tried += 1;
    }
    println!("{tried} times");
    assert!(tried > 10, "{tried} are too few");
}

pub(crate) fn ends(step: Step) -> Option<(Cell, Cell)> {
    match step {
        Step::Dvonn(dvonn::Step::Move { from, to })
        | Step::Lyngk(lyngk::Step::Move { from, to }) => Some((from, to)),
        _ => None,
    }
}

pub(crate) fn height(position: &Position, cell: Cell) -> usize {
    match position {
        Position::Dvonn(game) => game.height(cell),
        Position::Lyngk(game) => game.stack(cell).height(),
        _ => 0,
    }
}

#[test]
fn a_turn_put_back_is_taken_back() {
    let picture_games =
        [Id::GipfBasic, Id::Gipf, Id::GipfTournament, Id::Yinsh, Id::YinshBlitz, Id::Dvonn];
    let mut tried = 0;
    for (n, id) in (0..).zip(picture_games.into_iter().cycle().take(120)) {
        let mut random = SplitMix64::new(9000 + n);
        let (mut steps, mut position) = random_game(id, 1 + random.below(40), &mut random);
        // To the end of the turn, where it can be taken back as a whole.
        let mut start = Setup::of(id).position();
        let mut last_start = start;
        for &step in &steps {
            let player = start.turn();
            start.play_unchecked(step);
            if start.turn() != player {
                last_start = start;
            }
        }
        let player = position.turn();
        if last_start != position || player.is_none() {
            continue;
        }
        let mut desk = Desk::resume(id, &steps, n);
        while position.turn() == player {
            let legal: Vec<Step> = position.steps().collect();
            let step = legal[random.below(legal.len())];
            let before = position;
            position.play_unchecked(step);
            if position.table() == before.table() {
                break;
            }
            desk.carry_out(&before, step);
            desk.wait(3200);
            steps.push(step);
        }
        if *desk.referee.position() != position || desk.referee.position().turn() == player {
            continue;
        }
        desk.said.clear();
        desk.lay_out(&last_start);
        desk.wait(1000);
        let undone = desk.said.iter().filter(|e| matches!(e, Effect::Undone(_))).count();
        assert!(*desk.referee.position() == last_start, "{id} {n}: {:?}", desk.said);
        assert!(undone == 1 && desk.referee.is_in_play(), "{id} {n}: {:?}", desk.said);
        tried += 1;
    }
    println!("{tried} times");
    assert!(tried > 40, "{tried} are too few");
}

/// A sensor that fails may hide a step or make it a question; it never makes another one of it.
#[test]
fn dead_sensors_make_no_wrong_commit() {
    let (mut seen, mut hidden) = (0, 0);
    for (n, id) in (0..).zip(Id::ALL.into_iter().cycle().take(330)) {
        let mut random = SplitMix64::new(7000 + n);
        let most = if id == Id::Dvonn { 75 } else { 40 };
        let (steps, mut truth) = random_game(id, random.below(most), &mut random);
        let mut desk = Desk::resume(id, &steps, n);
        for _ in 0..=n % 2 {
            let cells: Vec<Cell> = desk.board.cells().collect();
            desk.break_sensor(cells[random.below(cells.len())]);
        }
        desk.wait(2000);
        for _ in 0..6 {
            let legal: Vec<Step> = truth.steps().collect();
            if legal.is_empty() {
                break;
            }
            let step = legal[random.below(legal.len())];
            let before = truth;
            truth.play_unchecked(step);
            desk.carry_out(&before, step);
            desk.wait(3400);
            let now = *desk.referee.position();
            if now != truth {
                assert!(now == before, "{id} {n}: {step:?} gave {:?}", desk.said);
                hidden += 1;
                break;
            }
            seen += 1;
        }
    }
    println!("{seen} steps seen, {hidden} hidden or asked");
    assert!(seen > 4 * hidden);
}

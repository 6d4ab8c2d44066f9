//! The world without a browser: what pages say, in time.

use std::time::{Duration, Instant};

use lodestone::games::any::Setup;
use lodestone::games::{Game, Id};
use lodestone::link::Phase;
use lodestone::meaning::Meaning;
use lodestone::referee::Referee;

use super::Backend;
use super::protocol::{REQUEST_MAX, Why};
use super::world::{Incoming, Start, World};

const PAGE: u64 = 1;

fn world(game: Id) -> World {
    World::new(Start { game: Some(game), seed: 3, ..Start::default() }).expect("a board")
}

/// A page says something, and a moment passes.
fn say(world: &mut World, text: &str) {
    assert!(text.len() <= REQUEST_MAX);
    world.take_in(Incoming::Said(PAGE, text.into()));
}

/// So much time passes, as fast as it can.
fn wait(world: &mut World, ms: u64) {
    world.let_pass(Duration::from_millis(ms));
}

fn steps(world: &World) -> usize {
    world.console().game().map_or(0, Referee::step_count)
}

/// Where a point is.
fn place(id: Id, name: &str) -> (f64, f64) {
    let board = Setup::of(id).position().board();
    let cell = board.parse(name.as_bytes()).expect("a point of this board");
    crate::draw::place(board.playfield(), board.point(cell))
}

/// The same as pages write it.
fn at(id: Id, name: &str) -> String {
    let (x, y) = place(id, name);
    format!("\"x\":{x},\"y\":{y}")
}

fn bring(world: &mut World, id: Id, item: &str, to: &str) {
    say(world, &format!(r#"{{"take":{{"item":"{item}"}}}}"#));
    wait(world, 300);
    say(world, &format!(r#"{{"drop":{{{},"snap":5}}}}"#, at(id, to)));
    wait(world, 1200);
}

/// What the page has no words for would be an empty line: a refusal, a light, how a turn goes.
#[test]
fn the_page_has_words_for_everything_in_both_languages() {
    let words = include_str!("../../page/words.js");
    let refusals = Why::ALL.map(|why| {
        let name = serde_json::to_value(why).expect("a name");
        name.as_str().expect("a name").to_string()
    });
    let lights = Meaning::PLAIN.map(|meaning| meaning.name().to_string());
    let turns = Id::ALL.map(|id| id.letter().to_string());
    for name in refusals.into_iter().chain(lights).chain(turns) {
        let count = words.matches(&format!(" {name}: \"")).count()
            + words.matches(&format!("\"{name}\": \"")).count();
        assert_eq!(count, 2, "{name} in words.js");
    }
}

#[test]
fn every_set_up_can_be_laid_out_and_played() {
    for id in Id::ALL {
        let mut world = world(id);
        wait(&mut world, 300);
        say(&mut world, r#""lay-out""#);
        wait(&mut world, 1500);
        if world.console().phase() == Phase::SetUp {
            say(&mut world, r#"{"key":{"key":"OK","down":true}}"#);
            wait(&mut world, 100);
            say(&mut world, r#"{"key":{"key":"OK","down":false}}"#);
            wait(&mut world, 300);
        }
        assert_eq!(world.console().phase(), Phase::Play, "{id}");
    }
}

#[test]
fn a_piece_on_a_dot_pushes_what_it_meets() {
    let id = Id::GipfBasic;
    let mut world = world(id);
    say(&mut world, r#"{"start":{"game":"gipf-basic","steps":["e1-e2"]}}"#);
    wait(&mut world, 1500);
    assert_eq!(steps(&world), 1);
    // Two stand on the line now: e2 and e3.
    bring(&mut world, id, "b", "e1");
    let on_dot = world.piece_near(place(id, "e1")).expect("the piece that was brought");
    say(&mut world, &format!(r#"{{"grab":{{"piece":{on_dot},"whole":true,"slide":false}}}}"#));
    say(&mut world, &format!(r#"{{"move":{{{}}}}}"#, at(id, "e2")));
    wait(&mut world, 400);
    say(&mut world, &format!(r#"{{"drop":{{{},"snap":5}}}}"#, at(id, "e2")));
    wait(&mut world, 1500);
    assert_eq!(steps(&world), 2, "{:?}", world.console().phase());
}

#[test]
fn what_cannot_be_read_changes_nothing() {
    let mut world = world(Id::Yinsh);
    wait(&mut world, 300);
    bring(&mut world, Id::Yinsh, "W", "f6");
    assert_eq!(steps(&world), 1);
    let before = world.told();
    let long = "x".repeat(REQUEST_MAX);
    for text in [
        "",
        "[]",
        "nonsense",
        r#"{"grab":{}}"#,
        r#"{"grab":{"piece":77,"whole":true,"slide":false}}"#,
        r#"{"take":{"item":"x"}}"#,
        r#"{"move":{"x":null,"y":0}}"#,
        r#"{"start":{"game":"yinsh","steps":["f6","f6"]}}"#,
        r#"{"fault":{"point":91,"fault":"dead"}}"#,
        r#"{"host":{"request":{"Propose":{"step":"zz"}}}}"#,
        &long,
    ] {
        say(&mut world, text);
    }
    wait(&mut world, 600);
    assert_eq!(world.told(), before);
}

#[test]
fn a_cut_loses_nothing_that_was_committed() {
    let mut world = world(Id::Yinsh);
    wait(&mut world, 300);
    bring(&mut world, Id::Yinsh, "W", "f6");
    say(&mut world, r#"{"power":{"on":false}}"#);
    wait(&mut world, 200);
    say(&mut world, r#"{"power":{"on":true}}"#);
    wait(&mut world, 200);
    assert_eq!((world.console().phase(), steps(&world)), (Phase::Resume, 1));
}

#[test]
fn every_game_that_plays_itself_goes_on() {
    for seed in 0..5 {
        let mut world =
            World::new(Start { seed, demo: Some(8.0), ..Start::default() }).expect("a board");
        wait(&mut world, 500);
        let begun = steps(&world);
        wait(&mut world, 20_000);
        assert!(steps(&world) > begun + 5, "{seed}: {begun} {}", steps(&world));
    }
}

#[test]
fn the_whole_record_is_told() {
    let record = crate::record::read(include_str!("../../../docs/pictures/dvonn.game"));
    let record = record.expect("a record").remove(0);
    let count = record.steps.len();
    let start = Start { replay: Some(record), ..Start::default() };
    let mut world = World::new(start).expect("a board");
    for step in [count, 3, usize::MAX] {
        say(&mut world, &format!(r#"{{"goto":{{"step":{step}}}}}"#));
        wait(&mut world, 1500);
        assert_eq!(steps(&world), step.min(count));
        assert_eq!(world.console().phase(), Phase::Play, "the pieces lie right");
        let [_, _, status] = world.told();
        let status: serde_json::Value = serde_json::from_str(&status.expect("told")).expect("JSON");
        assert_eq!(status["record"].as_array().map(Vec::len), Some(step.min(count)));
    }
}

#[test]
fn a_board_on_a_port_is_shown_and_comes_back() {
    let pty = crate::tty::Pty::open().expect("a pseudo-terminal");
    let path = pty.path().to_owned();
    let here = Backend::Here { pty: Some(pty) };
    let mut board = World::new(Start { game: Some(Id::Yinsh), backend: here, ..Start::default() })
        .expect("a board");
    let port = Backend::Port { path };
    let mut shown = World::new(Start { backend: port, ..Start::default() }).expect("a page");
    let both = |board: &mut World, shown: &mut World, holds: &dyn Fn(&World) -> bool| {
        let end = Instant::now() + Duration::from_secs(20);
        while !holds(shown) {
            assert!(Instant::now() < end, "the page never shows it");
            wait(board, 20);
            wait(shown, 20);
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    both(&mut board, &mut shown, &|shown| shown.count() == Some(0));
    bring(&mut board, Id::Yinsh, "W", "f6");
    both(&mut board, &mut shown, &|shown| shown.count() == Some(1));
    assert!(shown.piece_near(place(Id::Yinsh, "f6")).is_some(), "the ring is drawn");
    // Hands on the page hold nothing; keys are pressed on the board.
    say(&mut shown, r#"{"take":{"item":"B"}}"#);
    say(&mut shown, r#"{"key":{"key":"UNDO","down":true}}"#);
    say(&mut shown, r#"{"key":{"key":"UNDO","down":false}}"#);
    both(&mut board, &mut shown, &|shown| shown.count() == Some(0));
    // Its power goes and comes back.
    say(&mut board, r#"{"power":{"on":false}}"#);
    wait(&mut board, 50);
    say(&mut board, r#"{"power":{"on":true}}"#);
    both(&mut board, &mut shown, &|shown| shown.phase() == Some(Phase::Resume));
}

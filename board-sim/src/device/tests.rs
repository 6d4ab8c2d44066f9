//! What survives, and what hosts read of it.

use lodestone::console::{Effect, Event};
use lodestone::games::{Game, Player};
use lodestone::link::{Key, Seat, Setting, Text, ToBoard};

use super::*;
use crate::record;

fn build() -> Build {
    Build {
        playfield: Playfield::Hex,
        calibration: Calibration::exact(Playfield::Hex),
        seed: 1,
        flash: Flash::erased(),
    }
}

/// A device and the codes of its board.
struct World {
    device: Device,
    codes: Vec<u16>,
    now_us: u64,
}

impl World {
    fn new() -> World {
        World { device: Device::new(build()).0, codes: vec![2048; 91], now_us: 0 }
    }

    fn host(&mut self, request: ToBoard) -> Vec<Output> {
        self.device.handle(self.now_us, Input::Host(request))
    }

    fn wait(&mut self, ms: u64) -> Vec<Output> {
        let mut outputs = Vec::new();
        for _ in 0..ms * 2 / 25 {
            self.now_us += 12_500;
            outputs.extend(self.device.handle(self.now_us, Input::Scan(&self.codes)));
        }
        outputs
    }

    /// Places YINSH's rings, whose codes are 134 from zero.
    fn place(&mut self, names: &str) {
        for name in names.split(' ') {
            let game = self.device.console().game().expect("a game is on");
            let board = game.position().board();
            let point = board.point(board.parse(name.as_bytes()).unwrap());
            let is_white = game.position().turn() == Some(Player::ONE);
            self.codes[point.index()] = if is_white { 2048 + 134 } else { 2048 - 134 };
            let outputs = self.wait(1000);
            let is_commit =
                |o: &Output| matches!(o, Output::Effect(Effect::Event(Event::Committed { .. })));
            assert_eq!(outputs.iter().filter(|o| is_commit(o)).count(), 1, "{name}");
        }
    }

    fn new_yinsh(&mut self) {
        let (handicap, setup) = (Text::default(), Text::default());
        self.host(ToBoard::NewGame { id: Id::Yinsh, handicap, setup });
        self.wait(300);
    }

    fn texts(&mut self, request: ToBoard) -> Vec<String> {
        let text = |output| match output {
            Output::Game { text, .. } => Some(text),
            Output::Effect(_) => None,
        };
        self.host(request).into_iter().filter_map(text).collect()
    }
}

#[test]
fn a_game_survives_a_power_cut_and_can_be_read() {
    let mut world = World::new();
    world.new_yinsh();
    world.place("f6 a5 b6");
    world.host(ToBoard::SetOption { setting: Setting::Brightness(1) });
    world.device.cut();
    assert_eq!(world.device.console().options().brightness, 1);
    let game = world.device.console().game().expect("it is offered");
    assert_eq!(game.step_count(), 3);
    world.host(ToBoard::Resume);
    world.wait(1000);
    world.place("c6 b4");
    let texts = world.texts(ToBoard::GetGame { number: 0 });
    let expected = "[Game \"yinsh\"]\n[Result \"none\"]\n\nf6 a5 b6 c6 b4 none\n";
    assert_eq!(texts, [expected]);
    let read = record::read(&texts[0]).expect("records can be read again");
    assert_eq!(read[0].to_string(), texts[0]);
}

#[test]
fn ended_games_are_listed_oldest_first() {
    let mut world = World::new();
    world.new_yinsh();
    world.host(ToBoard::Resign { player: Seat::default() });
    world.new_yinsh();
    let tags = world.texts(ToBoard::ListGames);
    assert_eq!(tags, vec!["[Game \"yinsh\"]\n[Result \"none\"]\n"; 2]);
    assert_eq!(world.texts(ToBoard::GetGame { number: 7 }), Vec::<String>::new());
}

#[test]
fn erasing_the_journal_needs_ok_held() {
    let mut world = World::new();
    world.new_yinsh();
    world.host(ToBoard::EraseJournal);
    assert_eq!(world.texts(ToBoard::ListGames).len(), 1);
    world.device.handle(world.now_us, Input::Key(Key::Ok, true));
    world.host(ToBoard::EraseJournal);
    assert_eq!(world.texts(ToBoard::ListGames).len(), 0);
    world.device.cut();
    assert!(world.device.console().game().is_none());
}

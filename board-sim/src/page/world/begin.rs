//! How games begin: as a host asks for them, in the middle, from a record, by themselves.

use lodestone::console::Input;
use lodestone::games::any::{Setup, Step};
use lodestone::games::{Game, Id};
use lodestone::geometry::Playfield;
use lodestone::link::{Key, Text, ToBoard};
use lodestone::text::Message;

use super::World;
use crate::device::Flash;
use crate::page::demo::{Demo, begun};
use crate::page::pieces::Item;
use crate::page::protocol::{Refusal, ReplayNews, Why};
use crate::record::Record;
use crate::text;

/// A record that is stepped through: the board goes on from any of its positions.
pub(super) struct Replay {
    pub(super) record: Record,
    texts: Vec<String>,
    at: usize,
}

impl Replay {
    pub(super) fn new(record: Record) -> Replay {
        let texts = record.positions().zip(&record.steps).map(|(p, &step)| text::step(&p, step));
        Replay { texts: texts.collect(), record, at: 0 }
    }

    pub(super) fn news(&self) -> ReplayNews {
        let players: Vec<&str> = ["White", "Black", "Player1", "Player2", "Player3", "Player4"]
            .iter()
            .filter_map(|tag| self.record.tag(tag))
            .collect();
        ReplayNews { name: players.join(" – "), steps: self.texts.clone(), at: self.at }
    }
}

impl World {
    /// A new game, as a host asks for it.
    pub(super) fn start(&mut self, id: Id) -> Result<(), Refusal> {
        self.demo = None;
        let playfield = Setup::of(id).position().board().playfield();
        if !self.mind.is_real() {
            self.plug(playfield);
        } else if playfield != self.playfield {
            return Err(Refusal::Board(Message::OtherPlayfield { game: id }));
        }
        let request = ToBoard::NewGame { id, handicap: Text::default(), setup: Text::default() };
        self.give(Input::Host(request));
        Ok(())
    }

    /// The record after so many steps.
    pub(super) fn go_to(&mut self, step: usize) -> Result<(), Refusal> {
        let replay = self.replay.as_mut().ok_or(Why::NoRecord)?;
        replay.at = step.min(replay.record.steps.len());
        let (setup, steps) = (replay.record.setup, replay.record.steps[..replay.at].to_vec());
        self.go_on_after(setup, &steps)
    }

    /// The visitor takes over what the hands were playing.
    pub(super) fn end_demo(&mut self) {
        let Some(mut demo) = self.demo.take() else { return };
        demo.finish(&mut self.table);
        self.pieces.adopt(demo.things());
        // What lies beside the board is in the trays.
        let beside = |item: &Item| self.table.piece(item.piece).2 > 150.0;
        let away: Vec<_> = self.pieces.items().iter().filter(|i| beside(i)).copied().collect();
        for item in away {
            self.pieces.stow(item.id, &mut self.table);
        }
        self.pieces.recount(&self.table);
    }

    /// The next game that plays itself, on a board of its own flash.
    pub(super) fn start_demo(&mut self, speed: f64) {
        self.grips.clear();
        self.pieces.unpack(None, &mut self.table);
        let Some((mut demo, position, flash)) = Demo::new(self.demos, speed) else { return };
        self.demos += 1;
        self.resume_from(flash, position.board().playfield());
        self.pieces.unpack(Some(demo.id), &mut self.table);
        demo.set_up(&position, &mut self.table);
        self.demo = Some(demo);
    }

    /// A game that goes on after these steps.
    pub(super) fn start_after(&mut self, id: Id, texts: &[String]) -> Result<(), Refusal> {
        let setup = Setup::of(id);
        let (mut position, mut steps) = (setup.position(), Vec::new());
        for text in texts {
            let step = position.parse_step(text.as_bytes()).map_err(|_| Why::NotAStep)?;
            position.play(step).map_err(|_| Why::NotAStep)?;
            steps.push(step);
        }
        self.go_on_after(setup, &steps)
    }

    /// A board whose unfinished game has these steps is powered up, its pieces laid out.
    fn go_on_after(&mut self, setup: Setup, steps: &[Step]) -> Result<(), Refusal> {
        if self.mind.console().is_none() {
            return Err(Why::OnlyHere.into());
        }
        let mut position = setup.position();
        for &step in steps {
            position.play_unchecked(step);
        }
        let flash = begun(setup, steps).ok_or(Refusal::Board(Message::NotNow))?;
        self.grips.clear();
        self.resume_from(flash, position.board().playfield());
        self.lay_out(&position);
        Ok(())
    }

    /// A board with this flash is powered up, and its unfinished game accepted.
    fn resume_from(&mut self, flash: Flash, playfield: Playfield) {
        (self.flash, self.powered) = (flash, true);
        if playfield == self.playfield {
            self.renew_board();
        } else {
            self.plug(playfield);
        }
        self.give(Input::Key(Key::Ok, true));
        self.give(Input::Key(Key::Ok, false));
    }
}

//! The device on a PC: the console of the image with its journal, without a chip.
//!
//! [`Device::handle`] is the one entrance: the pipe, the page, the scenarios and the soak all come
//! in here, so that what one of them shows is true of the others. It carries out what the console
//! wants stored before it gives the effects back, and answers what only the journal knows. Time is
//! an argument; same calls, same effects.

mod flash;
#[cfg(test)]
mod tests;

use embassy_futures::block_on;
use lodestone::console::{Answer, Console, Effect, Effects, Input};
use lodestone::games::Id;
use lodestone::games::any::Setup;
use lodestone::geometry::Playfield;
use lodestone::journal::{GAMES, History, Journal, SETTINGS, Settings, write_tags};
use lodestone::link::{Failure, Numbered, ToBoard};
use lodestone::sense::Calibration;

pub use flash::{Flash, FlashError};

/// Something the device did, in order.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)] // lives for a moment
pub enum Output {
    /// An effect of the console; what was to be stored is.
    Effect(Effect),
    /// A game of the journal, asked for by a host: all of it, or its tags only.
    Game {
        /// Its number.
        number: u32,
        /// The record.
        text: String,
    },
}

/// What stays the same when the power goes.
#[derive(Clone)]
pub struct Build {
    /// The playfield in the frame.
    pub playfield: Playfield,
    /// What a flash without stored calibration begins with.
    pub calibration: Calibration,
    /// For everything drawn by lot.
    pub seed: u64,
    /// Games, options and calibration.
    pub flash: Flash,
}

/// The device.
pub struct Device {
    build: Build,
    console: Box<Console>,
    /// Nothing when the flash does not open; the game goes on without.
    journal: Option<Journal<Flash>>,
    settings: Option<Settings<Flash>>,
}

impl Device {
    /// Powers up.
    pub fn new(build: Build) -> (Device, Vec<Output>) {
        let mut settings = block_on(Settings::open(build.flash.clone(), SETTINGS)).ok();
        let mut journal = block_on(Journal::open(build.flash.clone(), GAMES)).ok();
        let calibration = settings
            .as_mut()
            .and_then(|settings| block_on(settings.calibration(build.playfield)).ok()??.ok())
            .unwrap_or_else(|| build.calibration.clone());
        let options = settings.as_mut().and_then(|settings| block_on(settings.options()).ok()?);
        let options = options.unwrap_or_default();
        let mut console = Box::new(Console::new(calibration, options, build.seed));
        let mut effects = Effects::new();
        if let Some(journal) = &mut journal
            && let Some(number) = journal.unfinished().map(|game| game.number)
            && let Some((history, count)) = loaded(journal, number)
        {
            let before = count - history.depth();
            console.offer(history.base(), before, history.steps(), &mut effects);
        }
        let mut device = Device { build, console, journal, settings };
        let outputs = device.carry_out(0, effects);
        (device, outputs)
    }

    /// The power goes and comes back at once: everything is lost but for the flash.
    pub fn cut(&mut self) -> Vec<Output> {
        let (device, outputs) = Device::new(self.build.clone());
        *self = device;
        outputs
    }

    /// The console, for what is to be seen and read.
    pub fn console(&self) -> &Console {
        &self.console
    }

    /// Takes in what happens at this time since power-up.
    pub fn handle(&mut self, now_us: u64, input: Input) -> Vec<Output> {
        let now_ms = (now_us / 1000) as u32;
        let mut effects = Effects::new();
        self.console.handle(now_ms, input, &mut effects);
        self.carry_out(now_ms, effects)
    }

    fn carry_out(&mut self, now_ms: u32, effects: Effects) -> Vec<Output> {
        let mut outputs = Vec::new();
        for effect in effects {
            match &effect {
                Effect::Store(record) => {
                    let stored = self.journal.as_mut().map(|j| block_on(j.append(record)));
                    if !matches!(stored, Some(Ok(()))) {
                        let mut more = Effects::new();
                        self.console.handle(now_ms, Input::NotStored, &mut more);
                        outputs.extend(more.into_iter().map(Output::Effect));
                    }
                }
                Effect::SaveOptions => self.save_options(),
                Effect::SaveCalibration => {
                    if let Some(settings) = &mut self.settings {
                        // What is not kept is asked for again at the next start.
                        let _ = block_on(settings.store_calibration(self.console.calibration()));
                    }
                }
                Effect::EraseAhead => {
                    if let Some(journal) = &mut self.journal {
                        // What is not erased now is erased when it is needed.
                        let _ = block_on(journal.erase_ahead());
                    }
                }
                Effect::Answer(answer) => {
                    if let Some(answered) = self.answer(*answer) {
                        outputs.extend(answered);
                        continue;
                    }
                }
                Effect::Sound(_) | Effect::Event(_) => {}
            }
            outputs.push(Output::Effect(effect));
        }
        outputs
    }

    /// The answers that only the journal can give; `None` for the others.
    fn answer(&mut self, answer: Answer) -> Option<Vec<Output>> {
        let failed = |code| vec![Output::Effect(Effect::Answer(Answer::Error(code)))];
        Some(match answer {
            Answer::ListGames => self.games().unwrap_or_else(|| failed(Failure::Storage)),
            Answer::Game(number) => match self.game(number) {
                Some(text) => vec![Output::Game { number, text }],
                None => failed(Failure::NoSuchGame),
            },
            Answer::EraseJournal => {
                self.journal = block_on(Journal::format(self.build.flash.clone(), GAMES)).ok();
                let done = self.journal.is_some();
                if done { vec![acked(&ToBoard::EraseJournal)] } else { failed(Failure::Storage) }
            }
            // There is no boot loader to enter: it begins anew.
            Answer::EnterBootloader => self.cut(),
            _ => return None,
        })
    }

    /// The tags of all games, oldest first; the unfinished one is the last.
    fn games(&mut self) -> Option<Vec<Output>> {
        let journal = self.journal.as_mut()?;
        let mut games = Vec::new();
        block_on(journal.finished(|game| games.push(*game))).ok()?;
        games.extend(journal.unfinished());
        let tags = games.iter().map(|game| {
            let mut text = String::new();
            write_tags(game, &mut text).ok()?;
            Some(Output::Game { number: game.number.into(), text })
        });
        tags.chain([Some(acked(&ToBoard::ListGames))]).collect()
    }

    /// The record of one game.
    fn game(&mut self, number: u32) -> Option<String> {
        let number = u16::try_from(number).ok()?;
        let mut text = String::new();
        let mut history = history();
        let journal = self.journal.as_mut()?;
        block_on(journal.write_game(number, &mut history, &mut text)).ok()??;
        Some(text)
    }

    fn save_options(&mut self) {
        if let Some(settings) = &mut self.settings {
            // What is not kept is as before at the next start.
            let _ = block_on(settings.store_options(*self.console.options()));
        }
    }
}

/// A game of the journal and how many steps it has.
fn loaded(journal: &mut Journal<Flash>, number: u16) -> Option<(Box<History>, usize)> {
    let mut history = history();
    let summary = block_on(journal.load(number, &mut history)).ok()??;
    Some((history, summary.steps as usize))
}

/// A request that was carried out here.
fn acked(request: &ToBoard) -> Output {
    Output::Effect(Effect::Answer(Answer::Ack(request.number())))
}

/// Room for a game.
fn history() -> Box<History> {
    Box::new(History::new(Setup::of(Id::GipfBasic)))
}

//! What hosts ask for. A host never changes the position by itself: it asks, people move pieces,
//! the board commits.

use super::menu::{self, Menu};
use super::service::Service;
use super::{Answer, Console, Effect, Effects, State, Watch, push};
use crate::games::any::Setup;
use crate::games::{Game, Id, gipf, lyngk};
use crate::link::{Failure, Key, Numbered, Procedure, ToBoard};
use crate::referee;

impl Console {
    /// Carries out a request, or says why not; nothing is changed then.
    #[inline(never)]
    pub(super) fn request(&mut self, request: &ToBoard, effects: &mut Effects) {
        let answer = match self.carry_out(request, effects) {
            Ok(answer) => answer,
            Err(failure) => Answer::Error(failure),
        };
        push(effects, Effect::Answer(answer));
    }

    fn carry_out(&mut self, request: &ToBoard, effects: &mut Effects) -> Result<Answer, Failure> {
        match *request {
            ToBoard::Hello { .. } => return Ok(Answer::Hello),
            ToBoard::GetState => return Ok(Answer::State),
            ToBoard::GetPosition => {
                return self.game().map(|_| Answer::Position).ok_or(Failure::NoGame);
            }
            ToBoard::Watch { events, lights, meanings, fields } => {
                self.watch = Watch { events, lights, meanings, fields };
            }
            ToBoard::NewGame { id, handicap, setup } => {
                self.new_game(id, handicap.as_str(), setup.as_str(), effects)?;
            }
            ToBoard::Resume => self.resume()?,
            ToBoard::Undo => self.undo_for_host(effects)?,
            ToBoard::Resign { player } => self.end_for_host(player.0, effects)?,
            ToBoard::Propose { step } => self.propose(step.as_str())?,
            ToBoard::Answer { candidate } => self.answer(candidate, effects)?,
            ToBoard::Key { key, down: true } => self.press(key, effects),
            ToBoard::Key { key, down: false } => self.release(key, effects),
            ToBoard::SetOption { setting } => {
                if !self.set(setting, effects) {
                    return Err(Failure::OutOfRange);
                }
            }
            ToBoard::ListGames => return Ok(Answer::ListGames),
            ToBoard::GetGame { number } => return Ok(Answer::Game(number)),
            ToBoard::Calibrate { procedure } => self.service_for_host(procedure)?,
            ToBoard::SelfTest => self.service_for_host(Procedure::SelfTest)?,
            ToBoard::EnterBootloader => return self.guarded(Answer::EnterBootloader),
            ToBoard::EraseJournal => {
                let answer = self.guarded(Answer::EraseJournal)?;
                (self.has_game, self.waits_elsewhere) = (false, false);
                self.state = State::Menu(Menu::Games);
                return Ok(answer);
            }
        }
        Ok(Answer::Ack(request.number()))
    }

    fn new_game(
        &mut self,
        id: Id,
        handicap: &str,
        setup: &str,
        effects: &mut Effects,
    ) -> Result<(), Failure> {
        if menu::playfield(id) != self.playfield() {
            return Err(Failure::OtherPlayfield);
        }
        if matches!(self.state, State::Service(_)) {
            return Err(Failure::NotNow);
        }
        let drawn = self.random.next();
        let setup = chosen(id, handicap, setup, drawn).ok_or(Failure::NoSuchSetup)?;
        self.begin(&setup, effects);
        Ok(())
    }

    fn resume(&mut self) -> Result<(), Failure> {
        match self.state {
            State::Offer => self.go_on(),
            State::Menu(_) if self.has_game => self.back_to_game(),
            _ if self.has_game => return Err(Failure::NotNow),
            _ => return Err(Failure::NoGame),
        }
        Ok(())
    }

    fn undo_for_host(&mut self, effects: &mut Effects) -> Result<(), Failure> {
        if !matches!(self.state, State::Game | State::Over(None)) {
            return Err(self.no_game_now());
        }
        if self.referee.step_count() == 0 {
            return Err(Failure::NotNow);
        }
        let said = self.referee.key(self.now_ms, &mut self.sense, referee::Key::Undo);
        self.relay(&said, effects);
        Ok(())
    }

    fn end_for_host(
        &mut self,
        player: Option<crate::games::Player>,
        effects: &mut Effects,
    ) -> Result<(), Failure> {
        if !self.has_game {
            return Err(Failure::NoGame);
        }
        if self.is_over() {
            return Err(Failure::NotNow);
        }
        match player {
            Some(player) if player.index() < self.referee.position().id().player_count() => {
                self.resign(player, effects);
            }
            Some(_) => return Err(Failure::OutOfRange),
            None => self.stop(effects),
        }
        Ok(())
    }

    fn propose(&mut self, text: &str) -> Result<(), Failure> {
        if !matches!(self.state, State::Game) {
            return Err(self.no_game_now());
        }
        let position = self.referee.position();
        let step = position.parse_step(text.as_bytes()).map_err(|_| Failure::NotAStep)?;
        self.referee.propose(Some(step)).map_err(|_| Failure::NotLegal)
    }

    fn answer(&mut self, candidate: u8, effects: &mut Effects) -> Result<(), Failure> {
        if self.referee.stage() != referee::Stage::Question || !matches!(self.state, State::Game) {
            return Err(Failure::NotNow);
        }
        let candidate = usize::from(candidate);
        if candidate >= self.referee.candidates().len() {
            return Err(Failure::OutOfRange);
        }
        let said = self.referee.answer(self.now_ms, &mut self.sense, candidate);
        self.relay(&said, effects);
        Ok(())
    }

    /// Only where no game is on: pieces would lie about.
    fn service_for_host(&mut self, procedure: Procedure) -> Result<(), Failure> {
        if !matches!(self.state, State::Menu(_)) {
            return Err(Failure::NotNow);
        }
        self.begin_service(match procedure {
            Procedure::Zero => Service::zero(),
            Procedure::Gain => Service::gain(self.calibration()),
            Procedure::SelfTest => Service::self_test(),
        });
        Ok(())
    }

    /// Somebody at the board must allow it.
    fn guarded(&mut self, answer: Answer) -> Result<Answer, Failure> {
        if !self.held.is_down(Key::Ok) {
            return Err(Failure::HoldOk);
        }
        // The press was for this.
        self.held.long = None;
        Ok(answer)
    }

    fn no_game_now(&self) -> Failure {
        if self.has_game { Failure::NotNow } else { Failure::NoGame }
    }
}

/// The set-up that texts ask for; LYNGK's pieces are drawn when nothing is said.
fn chosen(id: Id, handicap: &str, text: &str, drawn: u64) -> Option<Setup> {
    match Setup::of(id) {
        Setup::Gipf(gipf::Variant::Basic(_)) if text.is_empty() => {
            let handicap = match handicap {
                "" | "none" => None,
                text => Some(gipf::Handicap::parse(text.as_bytes())?),
            };
            Some(Setup::Gipf(gipf::Variant::Basic(handicap)))
        }
        Setup::Lyngk(variant, _) if matches!(handicap, "" | "none") => {
            let deal = match text.strip_prefix("shuffle ") {
                Some(seed) => lyngk::Deal::shuffle(decimal(seed)?),
                None if text.is_empty() => lyngk::Deal::shuffle(drawn),
                None => lyngk::Deal::parse(text.as_bytes()).ok()?,
            };
            Some(Setup::Lyngk(variant, deal))
        }
        setup => (text.is_empty() && matches!(handicap, "" | "none")).then_some(setup),
    }
}

/// Digits only: no sign, no blanks.
fn decimal(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

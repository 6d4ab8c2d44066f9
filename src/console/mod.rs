//! The console: the whole device as one state machine without I/O.
//!
//! [`Console::handle`] takes what happens (a scan, a key, a request of a host, time) and adds to a
//! list of [`Effect`]s. What is to be seen is no effect but a question that can be asked at any
//! time: [`Console::meanings`], [`Console::lamps`], [`Console::frame`]. For the firmware's console
//! task and for the simulator; both move bytes and nothing else.
//!
//! ```text
//!            +-> Zero -----+      a board without zeros asks once to be emptied
//!  power-up -+-> Offer ----+-> Menu -> Game (set-up, play, question, mend) -> Over
//!            +-------------+            |  ^ long OK                            |
//!                                       v  |                                    |
//!                                    EndOffer (long UNDO)                       +-> Menu
//! ```
//!
//! *Effects are carried out in their order.* A [`Effect::Store`] must be in flash before the ones
//! behind it are shown to anybody: a committed step is journalled before it is said to be. When it
//! cannot be stored, the caller says so ([`Input::NotStored`]); the game goes on without journal,
//! and people are told once.
//!
//! Number keys act when they go down; OK and UNDO when they come up again, because held for
//! [`LONG_MS`] they mean something else: the menu, the offer to end the game. A game left by the
//! menu waits: UNDO leads back to it. The game's own end is stored when people leave it, so that
//! its last step can be taken back as any other.
//!
//! A short self-test runs beside everything else at every start: after two seconds of scans the
//! sensors that are not sound are reported, and red while nobody plays.
//!
//! What happens at the limits: more effects than fit into the list are dropped, events first
//! noticed by a debug assertion; the list is as long as the longest turn needs. A time that goes
//! back is as good as any other, nothing here waits.

mod host;
mod menu;
mod message;
mod service;
#[cfg(test)]
mod tests;
mod words;

use crate::games::any::{Position, Setup, Step};
use crate::games::{Game, Outcome, Player, Winners};
use crate::geometry::{CellSet, Playfield, PointSet};
use crate::journal::{End, Record};
use crate::light::{Brightness, Frame, Scene};
use crate::link::{Failure, Key, Options, Phase, Procedure, ToBoard};
use crate::meaning::{Kind, Lamp, Lamps, Meaning, Meanings};
use crate::random::SplitMix64;
use crate::referee::{self, Act, Ask, Notice, Referee, Refused, Stage};
use crate::sense::{self, Calibration, Fault, Profile, Sense};
use crate::sound::Sound;
use crate::wiring::KEY_LED_COUNT;

use menu::Menu;
pub use menu::{Glow, legend_by_lamps};
pub use message::{FIRMWARE, Scratch};
use service::Service;
pub use words::{order, to_act};

/// How long OK and UNDO are held to mean the menu and the end of the game.
pub const LONG_MS: u32 = 1000;
/// For so long after a touch every scan may change what is to be seen: longer than a search.
const LIVELY_MS: u32 = 500;
/// From a refusal to its sound: what is mended at once is not worth a noise.
const WRONG_SOUND_MS: u32 = 800;
/// Effects of one call at most: of each of the referee's a record, an event and a sound.
pub const EFFECTS_MAX: usize = 3 * referee::EFFECTS_MAX;

/// What happens to the board.
pub enum Input<'a> {
    /// A scan: the codes of all points in point order.
    Scan(&'a [u16]),
    /// A key goes down or comes up.
    Key(Key, bool),
    /// A host asks for something.
    Host(ToBoard<'a>),
    /// Time passes.
    Tick,
    /// The last [`Effect::Store`] could not be carried out.
    NotStored,
}

/// What is to be done, in this order.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant)] // a list of them is filled and emptied, never moved
pub enum Effect {
    /// To be written to the journal before anything behind it is shown.
    Store(Record),
    /// [`Console::options`] have changed and are to be kept.
    SaveOptions,
    /// The calibration has changed and is to be kept.
    SaveCalibration,
    /// To be heard, if sounds are on.
    Sound(Sound),
    /// To be said to hosts that watch.
    Event(Event),
    /// The answer to a host's request.
    Answer(Answer),
    /// No game is on: the journal may erase ahead.
    EraseAhead,
}

/// Effects of one call, in order.
pub type Effects = heapless::Vec<Effect, EFFECTS_MAX>;

/// What hosts hear unasked.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A step counts.
    Committed {
        /// The step.
        step: Step,
        /// Steps of this game with it.
        count: usize,
        /// Who acts next.
        turn: Option<Player>,
        /// The result, when it is the last.
        outcome: Option<Outcome>,
    },
    /// Steps were taken back; so many are left.
    Undone(usize),
    /// Nothing legal explains what lies on the board.
    Refused(Refused),
    /// Something is to be done.
    Prompt(Act, CellSet),
    /// Which one?
    Question(Ask, heapless::Vec<crate::geometry::Cell, { referee::CANDIDATES_MAX }>),
    /// Something people should know.
    Notice(Notice),
    /// All is well again.
    BackInPlay,
    /// Sensors that are not trusted any more.
    Fault(PointSet, Fault),
    /// Calibration or self-test has ended.
    Report {
        /// Which one.
        procedure: Procedure,
        /// Whether all is well.
        passed: bool,
        /// Where it is not.
        points: PointSet,
    },
}

/// Answers to hosts; those that say more are made from the console by [`Console::message`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)] // as the messages of the link
pub enum Answer {
    Hello,
    State,
    Position,
    /// The request with this number is carried out.
    Ack(u8),
    Error(Failure),
    /// The journal's games are to be listed.
    ListGames,
    /// The game with this number is to be sent.
    Game(u32),
    /// The journal is to be erased.
    EraseJournal,
    /// The boot loader is to be entered.
    EnterBootloader,
}

/// What a host wants to hear unasked.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
#[allow(missing_docs, clippy::struct_excessive_bools)] // as the message of the link
pub struct Watch {
    pub events: bool,
    pub lights: bool,
    pub meanings: bool,
    pub fields: bool,
}

/// What the device is doing.
#[allow(clippy::large_enum_variant)] // there is one, and no heap
enum State {
    /// Somebody chooses.
    Menu(Menu),
    /// An unfinished game is offered.
    Offer,
    /// The referee has it.
    Game,
    /// The game may be ended before its end.
    EndOffer,
    /// The game has ended; how, if not by its rules.
    Over(Option<End>),
    /// The board looks after itself.
    Service(Service),
}

/// The keys that are down.
struct Held {
    keys: u8,
    /// Since when OK or UNDO has been down, until its long meaning was used.
    long: Option<(Key, u32)>,
}

impl Held {
    const fn bit(key: Key) -> u8 {
        1 << key as u8
    }

    const fn is_down(&self, key: Key) -> bool {
        self.keys & Held::bit(key) != 0
    }
}

/// The device.
#[allow(clippy::struct_excessive_bools)] // each says something of its own
pub struct Console {
    now_ms: u32,
    sense: Sense,
    referee: Referee,
    /// Whether the referee has a game that is not ended.
    has_game: bool,
    /// Whether the journal's unfinished game waits for the other playfield.
    waits_elsewhere: bool,
    /// Steps of that game in the journal.
    stored: usize,
    state: State,
    options: Options,
    watch: Watch,
    random: SplitMix64,
    held: Held,
    /// When somebody last moved a piece or pressed a key.
    touched_ms: u32,
    /// Since when something has been wrong without a sound.
    wrong_ms: Option<u32>,
    /// A refusal was said and its end not yet.
    is_refused: bool,
    /// What was last said and still stands: a refusal, a prompt, a question, a notice.
    standing: Option<Event>,
    /// The journal takes nothing.
    is_unstored: bool,
    /// Scans to go until the result of the self-test at the start is known.
    unchecked: u8,
    /// It goes on, and nobody has pressed a key yet.
    is_starting: bool,
}

impl Console {
    /// A device for a `static`, before its power-up: it is too large for a stack.
    #[inline(never)] // or it would be made on the caller's stack and moved
    pub const fn vacant() -> Console {
        Console {
            now_ms: 0,
            sense: Sense::vacant(),
            referee: Referee::vacant(),
            has_game: false,
            waits_elsewhere: false,
            stored: 0,
            state: State::Menu(Menu::Games),
            options: Options::DEFAULT,
            watch: Watch { events: false, lights: false, meanings: false, fields: false },
            random: SplitMix64::new(0),
            held: Held { keys: 0, long: None },
            touched_ms: 0,
            wrong_ms: None,
            is_refused: false,
            standing: None,
            is_unstored: false,
            unchecked: 0,
            is_starting: false,
        }
    }

    /// Power-up, in place, whatever was before: a board without zeros asks for them. The seed is for
    /// everything drawn by lot.
    #[inline(never)]
    pub fn start(&mut self, calibration: Calibration, options: Options, seed: u64) {
        let is_zeroed = calibration.unzeroed().len() < calibration.playfield().point_count();
        self.sense.start(Profile::Pieces, calibration);
        (self.options, self.random) = (options, SplitMix64::new(seed));
        (self.has_game, self.stored, self.is_unstored) = (false, 0, false);
        (self.unchecked, self.is_starting) = (service::START_SCANS, true);
        (self.watch, self.held) = (Watch::default(), Held { keys: 0, long: None });
        (self.now_ms, self.touched_ms, self.wrong_ms, self.standing) = (0, 0, None, None);
        self.state =
            if is_zeroed { State::Menu(Menu::Games) } else { State::Service(Service::zero()) };
    }

    /// Mixes in what nobody can foresee, such as the moment of a press.
    pub fn stir(&mut self, bits: u64) {
        self.random = SplitMix64::new(self.random.next() ^ bits);
    }

    /// As [`Console::start`], by value: only where the stack is large.
    pub fn new(calibration: Calibration, options: Options, seed: u64) -> Console {
        let mut console = Console::vacant();
        console.start(calibration, options, seed);
        console
    }

    /// At power-up: the journal has an unfinished game, which began (or went on after a checkpoint)
    /// at this position after so many steps. It is offered; one that had reached its end is closed.
    #[inline(never)]
    pub fn offer(
        &mut self,
        base: &Position,
        count: usize,
        steps: impl IntoIterator<Item = Step>,
        effects: &mut Effects,
    ) {
        self.referee.resume_at(base, count, steps);
        self.stored = self.referee.step_count();
        self.has_game = true;
        if let Some(outcome) = self.referee.position().outcome() {
            self.close(End::Rules(outcome), effects);
        } else if self.playfield() != self.referee.position().board().playfield() {
            // It waits for its own playfield, until another game begins.
            (self.has_game, self.waits_elsewhere) = (false, true);
        } else if matches!(self.state, State::Menu(_)) {
            self.state = State::Offer;
        }
    }

    /// Takes in what happens.
    pub fn handle(&mut self, now_ms: u32, input: Input, effects: &mut Effects) {
        self.now_ms = now_ms;
        match input {
            Input::Scan(codes) => self.scan(codes, effects),
            Input::Key(key, true) => self.press(key, effects),
            Input::Key(key, false) => self.release(key, effects),
            Input::Host(request) => self.request(&request, effects),
            Input::Tick => {}
            Input::NotStored => self.is_unstored = true,
        }
        self.pass_time(effects);
    }

    /// The playfield in the frame.
    pub fn playfield(&self) -> Playfield {
        self.sense.calibration().playfield()
    }

    /// The options in use.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The calibration in use.
    pub fn calibration(&self) -> &Calibration {
        self.sense.calibration()
    }

    /// What is seen on the board.
    pub fn sense(&self) -> &Sense {
        &self.sense
    }

    /// The game, if there is one: going on, offered or just ended.
    pub fn game(&self) -> Option<&Referee> {
        let is_over = matches!(self.state, State::Over(_));
        (self.has_game || is_over).then_some(&self.referee)
    }

    /// Whether somebody has just touched the board or a key: what is to be seen may change from scan
    /// to scan. Otherwise it changes with an effect or a tick of [`crate::light::TICK_MS`].
    pub fn is_lively(&self) -> bool {
        self.now_ms.wrapping_sub(self.touched_ms) < LIVELY_MS
    }

    /// What the host wants to hear.
    pub fn watch(&self) -> Watch {
        self.watch
    }

    /// Whether this key is down.
    pub fn is_held(&self, key: Key) -> bool {
        self.held.is_down(key)
    }

    /// What the device is doing, in the words of the link.
    pub fn phase(&self) -> Phase {
        match &self.state {
            State::Menu(_) if self.is_starting => Phase::StartUp,
            State::Menu(_) => Phase::Menu,
            State::Offer => Phase::Resume,
            State::Over(_) => Phase::End,
            State::EndOffer => Phase::Question,
            State::Service(service) => service.phase(),
            State::Game => match self.referee.stage() {
                Stage::SetUp => Phase::SetUp,
                Stage::Restore => Phase::Resume,
                Stage::Question => Phase::Question,
                Stage::Mend => Phase::Mend,
                Stage::Play => Phase::Play,
            },
        }
    }

    /// What is to be seen now.
    pub fn frame(&self) -> Frame {
        let brightness = usize::from(self.options.brightness.clamp(1, 4)) - 1;
        let scene = Scene {
            meanings: &self.meanings(),
            lamps: &self.lamps(),
            brightness: Brightness::ALL[brightness],
            touched_ms: self.touched_ms,
        };
        scene.frame(self.now_ms)
    }

    /// What the lights of the points say.
    pub fn meanings(&self) -> Meanings {
        match &self.state {
            State::Menu(_) => service::faults(&self.sense),
            State::Offer => self.offered(),
            State::Service(service) => service.meanings(&self.sense, self.now_ms),
            State::Game | State::EndOffer if self.shows_tops() => self.referee.tops(),
            State::Over(Some(_)) => self.referee.ended(self.outcome()),
            State::Game | State::EndOffer | State::Over(None) => self.referee.meanings(),
        }
    }

    /// The pieces of the offered game, where they stood; of stacks the top ones.
    fn offered(&self) -> Meanings {
        if self.has_stacks() {
            return self.referee.tops();
        }
        let board = self.referee.position().board();
        let mut meanings = Meanings::none(board.playfield());
        let expected = self.referee.expected();
        for cell in expected.occupied() {
            let dark = expected.at(cell).is_some_and(|(sign, _)| sign == crate::sense::Sign::Minus);
            let kind = if dark { Kind::Black } else { Kind::White };
            meanings.set(board.point(cell), Meaning::SetUp(kind));
        }
        meanings
    }

    fn has_stacks(&self) -> bool {
        matches!(self.referee.position(), Position::Dvonn(_) | Position::Lyngk(_))
    }

    /// K6 held in a game of stacks shows the top piece of each; it answers questions as well.
    fn shows_tops(&self) -> bool {
        self.has_stacks() && self.held.is_down(Key::K6) && self.referee.stage() != Stage::Question
    }

    /// LYNGK: nothing is claimed while something is wrong on the table.
    fn claims_wait(&self) -> bool {
        let has_claims = matches!(self.referee.position(), Position::Lyngk(_));
        has_claims && self.referee.stage() == Stage::Mend
    }

    /// What the lamps of K1..K6 say.
    pub fn lamps(&self) -> Lamps {
        match &self.state {
            State::Menu(menu) => menu.lamps(self.playfield(), self.options),
            State::Offer | State::Over(_) => [None; KEY_LED_COUNT],
            State::Service(service) => service.lamps(self.held.keys),
            State::EndOffer => {
                let players = self.referee.position().id().player_count();
                core::array::from_fn(|key| (key < players).then_some(Lamp::Ready))
            }
            State::Game => self.game_lamps(),
        }
    }

    fn game_lamps(&self) -> Lamps {
        let live = if self.claims_wait() { 0 } else { self.referee.live_keys(self.now_ms) };
        let is_question = self.referee.is_answered_by_number();
        core::array::from_fn(|key| {
            let is_live = live & 1 << key != 0;
            match self.referee.position() {
                _ if is_question => is_live.then_some(Lamp::Candidate),
                Position::Lyngk(_) if is_live => Some(Lamp::Kind(words::CLAIMS[key])),
                Position::Glux(_) if self.referee.told_value() == Some(key as u8 + 1) => {
                    Some(Lamp::Chosen)
                }
                _ if is_live => Some(Lamp::Ready),
                _ => self.laid_lamp(key),
            }
        })
    }

    /// While pieces are laid out one kind at a time, the lamp of that kind is lit: in LYNGK's set-up
    /// the claim's key, K6 for jokers; in DVONN's placing K1 white, K2 black, K3 red.
    fn laid_lamp(&self, key: usize) -> Option<Lamp> {
        let laid = self.referee.kind_to_lay()?;
        let keys: &[Kind] = match self.referee.position() {
            Position::Lyngk(_) => &words::LAID_LYNGK,
            _ => &words::LAID_DVONN,
        };
        (keys.get(key) == Some(&laid)).then_some(Lamp::Kind(laid))
    }

    /// On its own: beneath it lies the deepest stack there is, and [`Console::handle`] needs some for
    /// other things.
    #[inline(never)]
    fn scan(&mut self, codes: &[u16], effects: &mut Effects) {
        if codes.len() != self.playfield().point_count() {
            return;
        }
        let events = self.look(codes, effects);
        match &self.state {
            State::Game | State::EndOffer | State::Over(None) => {
                let said = self.referee.scan(self.now_ms, &mut self.sense, &events);
                self.relay(&said, effects);
            }
            State::Service(_) => self.serve(codes, effects),
            State::Menu(_) | State::Offer | State::Over(Some(_)) => {}
        }
    }

    /// Takes a scan in; what has changed on the board.
    #[inline(never)]
    fn look(&mut self, codes: &[u16], effects: &mut Effects) -> sense::Events {
        let events = self.sense.scan(self.now_ms, codes);
        let moved = events.leaving | events.lifted | events.put | events.touched;
        if !moved.is_empty() {
            self.touched_ms = self.now_ms;
        }
        self.report_faults(events.fault_changed, effects);
        self.check_at_start(effects);
        events
    }

    /// Says which sensors have just failed, one event for each kind of fault.
    fn report_faults(&self, changed: PointSet, effects: &mut Effects) {
        for kind in Fault::ALL {
            let is_it = |&point: &crate::geometry::Point| self.sense.fault(point) == Some(kind);
            let points: PointSet = changed.iter().filter(is_it).collect();
            if !points.is_empty() {
                push(effects, Effect::Event(Event::Fault(points, kind)));
            }
        }
    }

    /// Passes on what the referee says, and stores what must not be lost.
    fn relay(&mut self, said: &referee::Effects, effects: &mut Effects) {
        use referee::Effect as Said;
        // A key that is refused while the table is, too: people have one thing to mend at a time.
        let mut is_passed_over = false;
        for effect in said {
            match *effect {
                Said::Started => self.sound(Sound::Turn, effects),
                Said::Committed { step, count, turn, outcome } => {
                    self.store_step(step, count, effects);
                    let event = Event::Committed { step, count, turn, outcome };
                    push(effects, Effect::Event(event));
                    self.standing = None;
                    let sound = if outcome.is_some() { Sound::End } else { Sound::Accepted };
                    self.sound(sound, effects);
                }
                Said::Undone(count) => self.undone(count, effects),
                Said::Refused(_) if self.is_refused => is_passed_over = true,
                Said::BackInPlay if is_passed_over => is_passed_over = false,
                Said::Refused(refused) => {
                    self.is_refused = true;
                    self.wrong_ms = Some(self.now_ms);
                    self.say(Event::Refused(refused), effects);
                }
                Said::BackInPlay => {
                    self.is_refused = false;
                    self.wrong_ms = None;
                    self.standing = None;
                    push(effects, Effect::Event(Event::BackInPlay));
                }
                Said::Prompt(act, cells) => self.say(Event::Prompt(act, cells), effects),
                Said::Question(ask, ref cells) => {
                    self.say(Event::Question(ask, cells.clone()), effects);
                    self.sound(Sound::Question, effects);
                }
                Said::Notice(notice) => {
                    if notice == Notice::CheckpointMade {
                        push(effects, Effect::Store(Record::Checkpoint));
                    }
                    self.say(Event::Notice(notice), effects);
                }
            }
        }
        let is_over = self.referee.position().outcome().is_some();
        match self.state {
            State::Game | State::EndOffer if is_over => self.state = State::Over(None),
            State::Over(None) if !is_over => self.state = State::Game,
            _ => {}
        }
        if self.referee.is_at_ease() {
            self.standing = None;
        }
    }

    fn say(&mut self, event: Event, effects: &mut Effects) {
        self.standing = Some(event.clone());
        push(effects, Effect::Event(event));
    }

    fn sound(&self, sound: Sound, effects: &mut Effects) {
        if self.options.sound {
            push(effects, Effect::Sound(sound));
        }
    }

    fn store_step(&mut self, step: Step, count: usize, effects: &mut Effects) {
        if let Some(record) = Record::step(step) {
            push(effects, Effect::Store(record));
        }
        self.stored = count;
    }

    fn undone(&mut self, count: usize, effects: &mut Effects) {
        for _ in count..self.stored {
            push(effects, Effect::Store(Record::Undo));
        }
        self.stored = count;
        self.standing = None;
        push(effects, Effect::Event(Event::Undone(count)));
    }

    /// Begins a game: the set-up is led by lights.
    fn begin(&mut self, setup: &Setup, effects: &mut Effects) {
        self.close_any(effects);
        self.referee.start(setup);
        self.sense.set_profile(self.referee.profile());
        self.apply_options();
        let lot = self.random.next();
        push(effects, Effect::Store(Record::Start { setup: *setup, lot }));
        (self.has_game, self.stored) = (true, 0);
        (self.state, self.standing, self.wrong_ms) = (State::Game, None, None);
    }

    /// Goes on with the unfinished game: the lights lead the pieces back.
    fn go_on(&mut self) {
        self.sense.set_profile(self.referee.profile());
        self.apply_options();
        self.state = State::Game;
    }

    /// Ends the game that is still open, if any: by its rules if they ended it.
    fn close_any(&mut self, effects: &mut Effects) {
        if self.waits_elsewhere {
            self.close(End::Stopped, effects);
        }
        if self.has_game {
            let outcome = self.referee.position().outcome();
            self.close(outcome.map_or(End::Stopped, End::Rules), effects);
        }
    }

    /// The game is over: nothing of it changes any more.
    fn close(&mut self, end: End, effects: &mut Effects) {
        push(effects, Effect::Store(Record::End(end)));
        push(effects, Effect::EraseAhead);
        (self.has_game, self.waits_elsewhere) = (false, false);
    }

    fn apply_options(&mut self) {
        self.referee.set_settle_ms(self.options.settle.into());
        self.referee.set_hints(self.options.hints);
    }

    fn press(&mut self, key: Key, effects: &mut Effects) {
        if self.held.is_down(key) {
            return;
        }
        (self.touched_ms, self.is_starting) = (self.now_ms, false);
        self.held.keys |= Held::bit(key);
        match number(key) {
            Some(number) => self.number(number, effects),
            None => self.held.long = Some((key, self.now_ms)),
        }
    }

    /// OK and UNDO: a short press means something when it ends.
    fn release(&mut self, key: Key, effects: &mut Effects) {
        if !self.held.is_down(key) {
            return;
        }
        self.held.keys &= !Held::bit(key);
        if self.held.long.is_some_and(|(held, _)| held == key) {
            self.held.long = None;
            self.short(key, effects);
        }
    }

    /// What takes effect by itself: keys held long, the sound of something wrong.
    fn pass_time(&mut self, effects: &mut Effects) {
        let since = |at: u32| self.now_ms.wrapping_sub(at);
        if self.wrong_ms.is_some_and(|at| since(at) >= WRONG_SOUND_MS) {
            self.wrong_ms = None;
            self.sound(Sound::Wrong, effects);
        }
        if let Some((key, at)) = self.held.long
            && self.now_ms.wrapping_sub(at) >= LONG_MS
        {
            self.held.long = None;
            self.long(key);
        }
    }

    /// Held OK leads to the menu, held UNDO offers to end the game.
    fn long(&mut self, key: Key) {
        match (&self.state, key) {
            (State::Game | State::EndOffer | State::Over(_), Key::Ok) => {
                self.state = State::Menu(Menu::Games);
            }
            (State::Game, Key::Undo) => self.state = State::EndOffer,
            _ => {}
        }
    }

    /// A number key, counted from 1.
    fn number(&mut self, number: u8, effects: &mut Effects) {
        match &self.state {
            State::Game => {
                if self.shows_tops() || self.claims_wait() {
                    return;
                }
                let key = referee::Key::Number(number);
                let said = self.referee.key(self.now_ms, &mut self.sense, key);
                self.relay(&said, effects);
            }
            State::Menu(_) => self.choose(menu::Press::Number(number), effects),
            State::EndOffer => {
                let players = self.referee.position().id().player_count();
                if usize::from(number) <= players {
                    self.resign(Player::from_index(usize::from(number) - 1), effects);
                }
            }
            State::Service(_) => self.service_number(number, effects),
            State::Offer | State::Over(_) => {}
        }
    }

    /// OK or UNDO, pressed and let go.
    fn short(&mut self, key: Key, effects: &mut Effects) {
        let is_ok = key == Key::Ok;
        match &self.state {
            State::Game | State::Over(None)
                if is_ok && self.is_over() && self.referee.stage() != Stage::Question =>
            {
                self.close_any(effects);
                self.state = State::Menu(Menu::Games);
            }
            State::Game | State::Over(None) => {
                let key = if is_ok { referee::Key::Ok } else { referee::Key::Undo };
                let said = self.referee.key(self.now_ms, &mut self.sense, key);
                self.relay(&said, effects);
            }
            State::Over(Some(_)) => self.state = State::Menu(Menu::Games),
            State::Menu(_) => {
                self.choose(if is_ok { menu::Press::Ok } else { menu::Press::Undo }, effects);
            }
            State::Offer if is_ok => self.go_on(),
            State::Offer => {
                self.close_any(effects);
                self.state = State::Menu(Menu::Games);
            }
            State::EndOffer if is_ok => self.stop(effects),
            State::EndOffer => self.state = State::Game,
            State::Service(_) => self.service_key(is_ok, effects),
        }
    }

    fn is_over(&self) -> bool {
        self.referee.position().outcome().is_some()
    }

    /// A player gives up: the other wins; of several others all share.
    fn resign(&mut self, player: Player, effects: &mut Effects) {
        let id = self.referee.position().id();
        let others = (0..id.player_count()).map(Player::from_index).filter(|&p| p != player);
        let outcome = if id.player_count() == 2 {
            Outcome::Win(player.other())
        } else {
            Outcome::Share(others.fold(Winners::default(), Winners::with))
        };
        let end = End::Resigned(player, outcome);
        self.close(end, effects);
        self.state = State::Over(Some(end));
        self.sound(Sound::End, effects);
    }

    /// The game ends without a result.
    fn stop(&mut self, effects: &mut Effects) {
        self.close(End::Stopped, effects);
        self.state = State::Over(Some(End::Stopped));
        self.sound(Sound::End, effects);
    }
}

/// The number on a key, if it has one.
const fn number(key: Key) -> Option<u8> {
    match key {
        Key::Ok | Key::Undo => None,
        key => Some(key as u8 + 1),
    }
}

fn push(effects: &mut Effects, effect: Effect) {
    debug_assert!(!effects.is_full(), "more effects than a call can have");
    let _ = effects.push(effect);
}

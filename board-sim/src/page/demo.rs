//! A game that plays itself: virtual hands carry out steps on the table, so that there is
//! something to look at from the first second.

use embassy_futures::block_on;
use lodestone::console::Console;
use lodestone::games::any::{Position, Setup, Step};
use lodestone::games::{Game, Id, dvonn, lyngk};
use lodestone::geometry::Cell;
use lodestone::journal::{GAMES, Journal, Record};
use lodestone::link::{Key, Phase};
use lodestone::random::SplitMix64;

use crate::device::Flash;
use crate::hands::{self, CAREFUL, Hands, Progress, acts};
use crate::table::{PieceId, Table};

/// What is shown one after the other.
const SHOWN: [Id; 5] = [Id::Yinsh, Id::Dvonn, Id::Lyngk, Id::Gipf, Id::Glux2];
/// Steps that are already played when a game appears: its middle is what looks good.
const fn opening(id: Id) -> usize {
    match id.letter() {
        'Y' => 26,
        'D' => 54,
        'L' => 6,
        _ => 12,
    }
}
/// From one step to the next at normal speed, s.
const PAUSE_S: f64 = 0.5;
/// After so long without the board's consent the pieces are put right, s.
const MEND_S: f64 = 4.0;
/// A question is looked at for so long before it is answered, s.
const ANSWER_S: f64 = 1.2;
/// How long the end of a game is looked at, s.
const END_S: f64 = 8.0;

/// A game played by hands.
pub(super) struct Demo {
    pub(super) id: Id,
    pub(super) speed: f64,
    hands: Hands,
    random: SplitMix64,
    /// The hands' own time, which runs faster or slower.
    clock_us: u64,
    /// Since when the hands have had nothing to do, s.
    idle_s: f64,
    /// Steps the board counted when the hands began the last one.
    begun_at: Option<usize>,
    /// Where that one lands, if it is one of a stack.
    landing: Option<Cell>,
}

/// What comes of a moment of it.
pub(super) enum Turn {
    Nothing,
    Press(Key),
    /// The game is over and was looked at.
    Over,
}

impl Demo {
    /// A game of the n-th kind in its middle and the flash it is in; the hands still have to lay it
    /// out with [`Demo::set_up`].
    pub(super) fn new(number: u64, speed: f64) -> Option<(Demo, Position, Flash)> {
        let id = SHOWN[(number % SHOWN.len() as u64) as usize];
        let mut random = SplitMix64::new(number.wrapping_mul(0x9E37_79B9).wrapping_add(7));
        let setup = match Setup::of(id) {
            Setup::Lyngk(variant, _) => Setup::Lyngk(variant, lyngk::Deal::shuffle(random.next())),
            setup => setup,
        };
        let mut position = setup.position();
        let mut steps = Vec::new();
        for _ in 0..opening(id) {
            let Some(step) = choose(&position, &mut random) else { break };
            position.play(step).ok()?;
            steps.push(step);
        }
        let flash = begun(setup, &steps)?;
        let hands = Hands::new(position.board(), &CAREFUL, random.next());
        let demo = Demo {
            id,
            speed,
            hands,
            random,
            clock_us: 0,
            idle_s: 0.0,
            begun_at: None,
            landing: None,
        };
        Some((demo, position, flash))
    }

    pub(super) fn set_up(&mut self, position: &Position, table: &mut Table) {
        self.hands.set_up(position, table);
    }

    /// All pieces.
    pub(super) fn things(&self) -> impl Iterator<Item = (PieceId, hands::Thing)> + '_ {
        self.hands.things()
    }

    /// Lets the hands finish what they are at, at once.
    pub(super) fn finish(&mut self, table: &mut Table) {
        for _ in 0..100 {
            self.clock_us += 1_000_000;
            if self.hands.advance(self.clock_us, table) == Progress::Done {
                break;
            }
        }
    }

    /// A moment passes.
    pub(super) fn advance(&mut self, seconds: f64, console: &Console, table: &mut Table) -> Turn {
        self.clock_us += (seconds * self.speed * 1e6) as u64;
        match self.hands.advance(self.clock_us, table) {
            Progress::Busy => self.idle_s = 0.0,
            Progress::Pressed(key) => return Turn::Press(link_key(key)),
            Progress::Done => {
                self.idle_s += seconds;
                return self.go_on(console);
            }
        }
        Turn::Nothing
    }

    fn go_on(&mut self, console: &Console) -> Turn {
        let Some(referee) = console.game() else { return Turn::Over };
        let position = referee.position();
        let count = referee.step_count();
        let asked = referee.candidates();
        let meant = asked.iter().position(|&cell| Some(cell) == self.landing);
        let by_number = referee.is_answered_by_number();
        let answer =
            meant.and_then(|n| if by_number { NUMBERS.get(n).copied() } else { Some(Key::Ok) });
        match console.phase() {
            Phase::End if self.idle_s > END_S => return Turn::Over,
            Phase::Play if self.begun_at != Some(count) => {
                if self.idle_s > PAUSE_S / self.speed
                    && let Some(step) = choose(position, &mut self.random)
                {
                    self.begun_at = Some(count);
                    self.landing = landing(step);
                    self.idle_s = 0.0;
                    self.hands.play(acts(position, step));
                }
            }
            Phase::Question if self.idle_s > ANSWER_S && answer.is_some() => {
                self.idle_s = 0.0;
                return answer.map_or(Turn::Nothing, Turn::Press);
            }
            Phase::SetUp if self.idle_s > 1.0 => {
                self.idle_s = 0.0;
                return Turn::Press(Key::Ok);
            }
            _ if self.idle_s > MEND_S => {
                // Something was not understood: as before, and again.
                self.begun_at = None;
                self.idle_s = 0.0;
                self.hands.restore(position);
            }
            _ => {}
        }
        Turn::Nothing
    }
}

/// A flash with an unfinished game of these steps.
pub(super) fn begun(setup: Setup, steps: &[Step]) -> Option<Flash> {
    let flash = Flash::erased();
    let mut journal = block_on(Journal::format(flash.clone(), GAMES)).ok()?;
    block_on(journal.append(&Record::Start { setup, lot: 0 })).ok()?;
    for &step in steps {
        block_on(journal.append(&Record::step(step)?)).ok()?;
    }
    Some(flash)
}

/// A step that brings much at once, drawn among the best.
fn choose(position: &Position, random: &mut SplitMix64) -> Option<Step> {
    let mover = position.turn()?.index();
    let mut best: Vec<Step> = Vec::new();
    let mut most = i32::MIN;
    for step in position.steps() {
        let mut next = *position;
        next.play_unchecked(step);
        let gain = |score: &[u16]| {
            let others = score.iter().enumerate().filter(|(player, _)| *player != mover);
            2 * i32::from(score[mover]) - others.map(|(_, s)| i32::from(*s)).sum::<i32>()
        };
        let value = gain(next.score().as_slice());
        if value > most {
            (most, best) = (value, Vec::new());
        }
        if value == most {
            best.push(step);
        }
    }
    (!best.is_empty()).then(|| best[random.below(best.len())])
}

/// Where the stack of a step comes down.
const fn landing(step: Step) -> Option<Cell> {
    match step {
        Step::Dvonn(dvonn::Step::Move { to, .. }) | Step::Lyngk(lyngk::Step::Move { to, .. }) => {
            Some(to)
        }
        _ => None,
    }
}

const NUMBERS: [Key; 6] = [Key::K1, Key::K2, Key::K3, Key::K4, Key::K5, Key::K6];

fn link_key(key: hands::Key) -> Key {
    match key {
        hands::Key::Number(number) => NUMBERS[usize::from(number - 1) % NUMBERS.len()],
        hands::Key::Ok => Key::Ok,
        hands::Key::Undo => Key::Undo,
    }
}

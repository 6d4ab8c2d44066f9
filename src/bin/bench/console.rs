//! One full tick of the console, measured: a scan taken in and the frame of lights made.
//!
//! Pieces jump to where random steps put them, stacks and rows by way of the empty points between;
//! now and then some are taken off that should not be, so that everything legal is looked at in
//! vain. The codes are those of nominal parts.

use lodestone::console::{Console, Effects, Input};
use lodestone::games::any::{Position, Setup, Step};
use lodestone::games::{Game, Id, Table, lyngk};
use lodestone::geometry::{Cell, CellSet, Playfield};
use lodestone::link::{Key, Options, Text, ToBoard};
use lodestone::magnet::{Sign, Strength};
use lodestone::random::SplitMix64;
use lodestone::sense::Calibration;
use lodestone::wiring::timing::period_us;

use super::device::Cost;

/// Few: a tick takes the emulator far longer than the chip.
const TURNS: u32 = 6;
/// Every so many turns pieces are taken off first that should stay.
const DISTURBED: u32 = 3;
/// Scans after which a lift is certain, something is refused, and a result is committed.
const LIFTED: u32 = 10;
const REFUSED: u32 = 80;
const COMMITTED: u32 = 130;
const KEYS: [Key; 6] = [Key::K1, Key::K2, Key::K3, Key::K4, Key::K5, Key::K6];

struct Desk<'a> {
    console: &'a mut Console,
    effects: &'a mut Effects,
    codes: [u16; Playfield::POINTS_MAX],
    playfield: Playfield,
    now_us: u32,
    cost: Cost,
}

/// Plays some turns of this game and reports what a tick costs.
pub(super) fn bench(id: Id, console: &mut Console, effects: &mut Effects) {
    let playfield = Setup::of(id).position().board().playfield();
    console.start(Calibration::exact(playfield), Options::default(), 1);
    let codes = [2048; Playfield::POINTS_MAX];
    let mut desk = Desk { console, effects, codes, playfield, now_us: 0, cost: Cost::new("tick") };
    let game = ToBoard::NewGame { id, handicap: Text::default(), setup: Text::default() };
    desk.give(Input::Host(game));
    let Some(start) = desk.position() else { return };
    desk.show(&start, CellSet::EMPTY);
    desk.wait(LIFTED * 2);
    desk.press(Key::Ok);
    let mut random = SplitMix64::new(1);
    for turn in 0..TURNS {
        desk.turn(&mut random, turn % DISTURBED == 0);
    }
    desk.cost.report(id);
}

impl Desk<'_> {
    fn give(&mut self, input: Input) {
        self.effects.clear();
        self.console.handle(self.now_us / 1000, input, self.effects);
    }

    fn press(&mut self, key: Key) {
        self.give(Input::Key(key, true));
        self.give(Input::Key(key, false));
    }

    fn position(&self) -> Option<Position> {
        self.console.game().map(|referee| *referee.position())
    }

    /// So many ticks.
    fn wait(&mut self, scans: u32) {
        for _ in 0..scans {
            self.now_us += period_us(self.playfield);
            // Noise: a code that never changes is a broken sensor.
            let noise = (self.now_us >> 10 & 1) as u16;
            self.codes.iter_mut().for_each(|code| *code = *code & !1 | noise);
            let Desk { console, effects, codes, playfield, now_us, cost } = self;
            let now_ms = *now_us / 1000;
            effects.clear();
            cost.measure(|| {
                console.handle(now_ms, Input::Scan(&codes[..playfield.point_count()]), effects);
                console.frame()
            });
        }
    }

    fn turn(&mut self, random: &mut SplitMix64, is_disturbed: bool) {
        let Some(before) = self.position() else { return };
        let count = before.step_count();
        if count == 0 {
            return;
        }
        if is_disturbed {
            let gone: CellSet = before.table().occupied().iter().take(3).collect();
            self.show(&before, gone);
            self.wait(REFUSED);
            self.show(&before, CellSet::EMPTY);
            self.wait(LIFTED * 2);
        }
        let Some(step) = before.steps().nth(random.below(count)) else { return };
        let mut after = before;
        after.play_unchecked(step);
        let gone = before.table().occupied() - after.table().occupied();
        self.show(&before, gone);
        self.wait(LIFTED);
        self.show(&after, CellSet::EMPTY);
        self.wait(LIFTED * 2);
        match step {
            Step::Glux(step) => self.press(KEYS[usize::from(step.spots.number()) - 1]),
            Step::Lyngk(lyngk::Step::Claim(colour)) => self.press(KEYS[colour.index()]),
            _ => self.press(Key::Ok),
        }
        self.wait(COMMITTED);
        if let Some(now) = self.position() {
            self.show(&now, CellSet::EMPTY);
            self.wait(LIFTED * 2);
        }
    }

    /// Lays out a position, but for some cells.
    fn show(&mut self, position: &Position, but: CellSet) {
        let (board, table) = (position.board(), position.table());
        self.codes.fill(2048);
        for cell in table.occupied() - but {
            self.codes[board.point(cell).index()] = code(position, &table, cell);
        }
    }
}

/// What a point reads; the pieces of a stack add less the higher they lie.
fn code(position: &Position, table: &Table, cell: Cell) -> u16 {
    const STACKED: [u16; 5] = [0, 69, 96, 109, 116];
    let (sign, strength) = table.at(cell).unwrap_or((Sign::Plus, Strength::Single));
    let height = match position {
        Position::Dvonn(game) => game.height(cell),
        Position::Lyngk(game) => game.stack(cell).height(),
        _ => 1,
    };
    let single = match (position, strength) {
        (Position::Glux(_), _) => 69,
        (_, Strength::Weak) => 134,
        (_, Strength::Single) => 277,
        (_, Strength::Strong) => 520,
    };
    let value = single + STACKED[height.clamp(1, STACKED.len()) - 1];
    match sign {
        Sign::Plus => 2048 + value,
        Sign::Minus => 2048 - value,
    }
}

//! The device, the table and the hands under one clock.

use std::collections::VecDeque;
use std::hint::black_box;
use std::time::{Duration, Instant};

use lodestone::console::{Effect, Event, Input};
use lodestone::geometry::{Board as Cells, Playfield, Point};
use lodestone::link;
use lodestone::meaning::Meanings;
use lodestone::wiring::timing::period_us;

use super::boards::Board;
use crate::device::{Build, Device, Flash, Output};
use crate::hands::{Hands, Key, Layout, Progress, Style};
use crate::table::{Fault, Table, Tolerances};

/// How long a key is held down.
const PRESS_US: u64 = 80_000;

/// People leave no piece further aside than 3 mm.
const SEATED_MM: f64 = 3.5;
/// As high as people hover.
const HOVER_MM: f64 = 21.0;

/// A sensor that will fail.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failing {
    pub(super) at_us: u64,
    pub(super) point: Point,
    pub(super) fault: Fault,
}

/// What is there when people play.
pub(super) struct World {
    pub(super) device: Device,
    pub(super) hands: Hands,
    pub(super) now_us: u64,
    /// Sensors that will fail, in order of time.
    pub(super) failing: VecDeque<Failing>,
    /// What each tick of the console took, if that is measured.
    pub(super) ticks: Option<Vec<Duration>>,
    table: Table,
    period_us: u64,
    /// The key that is down, and when it comes up.
    down: Option<(link::Key, u64)>,
}

impl World {
    /// The device is switched on; the board is empty.
    pub(super) fn new(
        cells: &'static Cells,
        board: &Board,
        style: &'static Style,
        seed: u64,
    ) -> World {
        let playfield = cells.playfield();
        let build = Build {
            playfield,
            calibration: board.calibration.clone(),
            seed,
            flash: Flash::erased(),
        };
        let (device, _) = Device::new(build);
        World {
            device,
            hands: Hands::new(cells, style, seed),
            now_us: 0,
            failing: VecDeque::new(),
            ticks: None,
            table: Table::new(playfield, &Tolerances::BUDGET, board.seed),
            period_us: period_us(playfield).into(),
            down: None,
        }
    }

    /// Goes on to the next scan; what the board said, and how far the hands are.
    pub(super) fn tick(&mut self, said: &mut Vec<Event>) -> Progress {
        self.now_us += self.period_us;
        while let Some(failing) = self.failing.pop_front_if(|f| f.at_us <= self.now_us) {
            self.table.set_fault(failing.point, Some(failing.fault));
        }
        if let Some((key, up_us)) = self.down
            && up_us <= self.now_us
        {
            self.down = None;
            self.give(Input::Key(key, false), said);
        }
        let mut progress = Progress::Busy;
        // One finger: the next key has to wait until the last one is up.
        if self.down.is_none() {
            progress = self.hands.advance(self.now_us, &mut self.table);
            if let Progress::Pressed(key) = progress {
                let key = link_key(key);
                self.down = Some((key, self.now_us + PRESS_US));
                self.give(Input::Key(key, true), said);
            }
        }
        let codes = self.table.scan(self.now_us);
        let begin = self.ticks.is_some().then(Instant::now);
        let outputs = self.device.handle(self.now_us, Input::Scan(codes));
        if let (Some(begin), Some(ticks)) = (begin, &mut self.ticks) {
            black_box(self.device.console().frame());
            ticks.push(begin.elapsed());
        }
        said.extend(outputs.into_iter().filter_map(event));
        progress
    }

    /// Something else than a scan happens.
    pub(super) fn give(&mut self, input: Input, said: &mut Vec<Event>) {
        let outputs = self.device.handle(self.now_us, input);
        said.extend(outputs.into_iter().filter_map(event));
    }

    /// What the lights say.
    pub(super) fn meanings(&self) -> Meanings {
        self.device.console().meanings()
    }

    /// What surely lies where, and what perhaps does: half a pitch aside a piece is nowhere, and as
    /// high as people hover it may be read as lying there.
    pub(super) fn lying(&self) -> [Layout; 2] {
        let perhaps_mm = match self.playfield() {
            Playfield::Hex => 12.0,
            Playfield::Square => 9.0,
        };
        let lying = |near_mm, up_mm| self.hands.lying(&self.table, near_mm, up_mm);
        [lying(SEATED_MM, SEATED_MM), lying(perhaps_mm, HOVER_MM)]
    }

    pub(super) fn playfield(&self) -> Playfield {
        self.table.playfield()
    }

    pub(super) fn now_ms(&self) -> u64 {
        self.now_us / 1000
    }
}

fn event(output: Output) -> Option<Event> {
    match output {
        Output::Effect(Effect::Event(event)) => Some(event),
        _ => None,
    }
}

/// The keys of the board by the hands' names.
fn link_key(key: Key) -> link::Key {
    const NUMBERS: [link::Key; 6] =
        [link::Key::K1, link::Key::K2, link::Key::K3, link::Key::K4, link::Key::K5, link::Key::K6];
    match key {
        Key::Number(number) => NUMBERS[usize::from(number) - 1],
        Key::Ok => link::Key::Ok,
        Key::Undo => link::Key::Undo,
    }
}

//! What runs the board that pages show: the console in this program, or a board elsewhere.

use lodestone::console::{Console, Input};
use lodestone::games::any::Position;
use lodestone::geometry::{Playfield, Point};
use lodestone::link::Phase;
use lodestone::referee::Referee;
use lodestone::wiring;

use super::protocol::{Meant, RefereeNews, Status};
use super::report;
use super::there::There;
use crate::device::{Device, Output};
use crate::port::Port;
use crate::tty::Pty;

/// What runs the board.
pub(super) enum Mind {
    Here(Box<Here>),
    There(Box<There>),
}

/// The device in this program, and a host beside the page if there may be one.
pub(super) struct Here {
    pub(super) device: Device,
    pub(super) port: Option<Port<Pty>>,
}

impl Here {
    pub(super) fn handle(&mut self, now_us: u64, input: Input) -> Vec<Output> {
        match &mut self.port {
            Some(port) => port.handle(&mut self.device, now_us, input),
            None => self.device.handle(now_us, input),
        }
    }

    /// Another device, or the same after a loss of power.
    pub(super) fn replace(&mut self, device: Device) {
        self.device = device;
        self.restart();
    }

    /// The power goes and comes back.
    pub(super) fn cut(&mut self) -> Vec<Output> {
        let outputs = self.device.cut();
        self.restart();
        outputs
    }

    fn restart(&mut self) {
        if let Some(port) = &mut self.port {
            port.restart(&self.device);
        }
    }
}

impl Mind {
    /// The console, if it is here.
    pub(super) fn console(&self) -> Option<&Console> {
        match self {
            Mind::Here(here) => Some(here.device.console()),
            Mind::There(_) => None,
        }
    }

    pub(super) fn phase(&self) -> Option<Phase> {
        match self {
            Mind::Here(here) => Some(here.device.console().phase()),
            Mind::There(there) => there.mirror.phase(),
        }
    }

    /// The position of the game, if there is one.
    pub(super) fn position(&self) -> Option<&Position> {
        match self {
            Mind::Here(here) => here.device.console().game().map(Referee::position),
            Mind::There(there) => there.mirror.position(),
        }
    }

    /// Whether the pieces lie on a real board.
    pub(super) fn is_real(&self) -> bool {
        matches!(self, Mind::There(there) if !there.is_emulated())
    }

    /// Whether it may be slower than real time.
    pub(super) fn is_slow(&self) -> bool {
        matches!(self, Mind::There(there) if there.is_emulated())
    }

    /// Colours of the lamps of K1..K6 and of all points, in point order.
    pub(super) fn lights(&self, playfield: Playfield) -> (Vec<[u8; 3]>, Vec<[u8; 3]>) {
        let chain: Vec<[u8; 3]> = match self {
            Mind::Here(here) => {
                let rgb = |word: u32| {
                    let [g, r, b, _] = word.to_be_bytes();
                    [r, g, b]
                };
                here.device.console().frame().data().map(rgb).collect()
            }
            Mind::There(there) if there.is_emulated() => there.chain(),
            Mind::There(there) => {
                let (keys, points) = there.mirror.lights();
                return (keys.to_vec(), points.to_vec());
            }
        };
        let led = |index: usize| chain.get(index).copied().unwrap_or_default();
        let keys = (0..wiring::KEY_LED_COUNT).map(led).collect();
        let points = playfield.points().map(|point| led(wiring::led(playfield, point)));
        (keys, points.collect())
    }

    pub(super) fn status(&self) -> Status {
        match self {
            Mind::Here(here) => report::status(here.device.console()),
            Mind::There(there) => there.status(),
        }
    }

    pub(super) fn meanings(&self) -> Vec<Meant> {
        match self {
            Mind::Here(here) => report::meanings(here.device.console()),
            Mind::There(there) => there.mirror.meanings(),
        }
    }

    /// Points whose sensors are not trusted.
    pub(super) fn faults(&self) -> Vec<usize> {
        match self {
            Mind::Here(here) => {
                here.device.console().sense().faults().iter().map(Point::index).collect()
            }
            Mind::There(there) => there.mirror.faults(),
        }
    }

    pub(super) fn referee(&self) -> RefereeNews {
        match self {
            Mind::Here(here) => report::referee(here.device.console()),
            Mind::There(there) => there.mirror.referee(),
        }
    }
}

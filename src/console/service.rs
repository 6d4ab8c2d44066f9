//! What the board does for itself: zeros, gains, self-test; people do what the lights say.
//!
//! *Zero*: the empty board, OK, some seconds of quiet. *Gain*: one reference piece walks from lit
//! point to lit point; K1 leaves a point out, OK ends early with what was learnt. *Self-test*: all
//! lights in four colours (OK: all are lit), every key once, and what is known of the sensors.
//! UNDO gives up; what was not finished changes nothing.

use super::menu::Menu;
use super::words::bare_places;
use super::{Console, Effect, Effects, Event, State, push};
use crate::geometry::{Playfield, Point, PointSet};
use crate::link::{Phase, Procedure};
use crate::meaning::{Kind, Lamp, Lamps, Meaning, Meanings};
use crate::sense::{Calibration, Profile, Sense, ZeroRun};
use crate::sound::Sound;
use crate::text::Message;
use crate::wiring::KEY_LED_COUNT;

/// Codes from the middle beyond which something surely lies on a point that has no zero yet.
const LYING_CODES: u16 = 150;
/// How long each colour of the self-test is shown, as a power of two of ms.
const COLOUR_BITS: u32 = 10;
const COLOURS: [Kind; 4] = [Kind::White, Kind::Red, Kind::Green, Kind::Blue];
const ALL_KEYS: u8 = (1 << KEY_LED_COUNT) - 1;
/// Scans of the self-test at the start: enough for every kind of fault but a sensor that never comes
/// to rest.
pub(super) const START_SCANS: u8 = 180;

/// What is being done.
#[allow(clippy::large_enum_variant)] // there is one, and no heap
pub(super) enum Service {
    /// Zeros: waits for OK, or measures. The points on which something lies.
    Zero { run: Option<ZeroRun>, lying: PointSet },
    /// Gains.
    Gain(Teaching),
    /// The lights of the self-test.
    Lights,
    /// Its keys: those pressed so far, and whether the lights were all right.
    Keys { pressed: u8, lights: bool },
}

/// Where the reference piece is.
pub(super) struct Teaching {
    /// The point it shall lie on.
    point: usize,
    /// Points that could not be taught.
    failed: PointSet,
    /// What was known before, for somebody who gives up.
    before: Calibration,
}

/// The sensors that are not trusted, as lights.
pub(super) fn faults(sense: &Sense) -> Meanings {
    let mut meanings = Meanings::none(sense.calibration().playfield());
    sense.faults().iter().for_each(|point| meanings.set(point, Meaning::Wrong));
    meanings
}

impl Service {
    pub(super) fn zero() -> Service {
        Service::Zero { run: None, lying: PointSet::EMPTY }
    }

    pub(super) fn gain(before: &Calibration) -> Service {
        Service::Gain(Teaching { point: 0, failed: PointSet::EMPTY, before: before.clone() })
    }

    pub(super) fn self_test() -> Service {
        Service::Lights
    }

    pub(super) fn phase(&self) -> Phase {
        match self {
            Service::Zero { .. } | Service::Gain(_) => Phase::Calibration,
            Service::Lights | Service::Keys { .. } => Phase::SelfTest,
        }
    }

    pub(super) fn meanings(&self, sense: &Sense, now_ms: u32) -> Meanings {
        let playfield = sense.calibration().playfield();
        let mut meanings = Meanings::none(playfield);
        match self {
            Service::Zero { run: None, lying } => {
                lying.iter().for_each(|point| meanings.set(point, Meaning::Take));
            }
            Service::Zero { .. } => {}
            Service::Gain(teaching) => {
                if let Some(point) = teaching.at(playfield) {
                    meanings.set(point, Meaning::Put);
                }
            }
            Service::Lights => {
                let colour = COLOURS[(now_ms >> COLOUR_BITS) as usize % COLOURS.len()];
                playfield.points().for_each(|point| meanings.set(point, Meaning::SetUp(colour)));
            }
            Service::Keys { .. } => return faults(sense),
        }
        meanings
    }

    pub(super) fn lamps(&self, held: u8) -> Lamps {
        core::array::from_fn(|key| match self {
            Service::Zero { .. } => None,
            Service::Gain(_) => (key == 0).then_some(Lamp::Ready),
            Service::Lights => Some(Lamp::Ready),
            Service::Keys { .. } if held & 1 << key != 0 => Some(Lamp::Chosen),
            Service::Keys { pressed, .. } => (pressed & 1 << key == 0).then_some(Lamp::Ready),
        })
    }

    /// What people are asked to do.
    pub(super) fn message(&self, playfield: Playfield) -> Message<'static> {
        let places = |points: PointSet| bare_places(playfield, points);
        match self {
            Service::Zero { run: None, lying } if lying.is_empty() => Message::CalibrateEmpty,
            Service::Zero { run: None, lying } => {
                Message::CalibrationRefused { points: places(*lying) }
            }
            Service::Zero { .. } => Message::Calibrating,
            Service::Gain(teaching) => {
                Message::TeachGain { points: places(teaching.at(playfield).into_iter().collect()) }
            }
            Service::Lights => Message::SelfTestLights,
            Service::Keys { .. } => Message::SelfTestKeys,
        }
    }
}

impl Teaching {
    fn at(&self, playfield: Playfield) -> Option<Point> {
        Point::new(playfield, self.point)
    }
}

impl Console {
    /// A scan while the board looks after itself. On its own, as all that is large and rare: what
    /// it needs of the stack is not beneath every other scan.
    #[inline(never)]
    pub(super) fn serve(&mut self, codes: &[u16], effects: &mut Effects) {
        let playfield = self.playfield();
        let State::Service(service) = &mut self.state else { return };
        match service {
            Service::Zero { run: None, lying } => {
                let lies = |&(_, &code): &(Point, &u16)| {
                    code.abs_diff(crate::wiring::limits::ZERO_NOMINAL) > LYING_CODES
                };
                *lying = playfield.points().zip(codes).filter(lies).map(|(p, _)| p).collect();
            }
            Service::Zero { run: Some(run), .. } => {
                if run.add(codes) {
                    self.finish_zero(effects);
                }
            }
            Service::Gain(teaching) => {
                let Some(point) = teaching.at(playfield) else { return };
                if self.sense.class(point).is_occupied() && self.sense.teach(point).is_ok() {
                    teaching.point += 1;
                    self.sound(Sound::Accepted, effects);
                    self.finish_gain_at_end(effects);
                }
            }
            Service::Lights | Service::Keys { .. } => {}
        }
    }

    fn finish_zero(&mut self, effects: &mut Effects) {
        let State::Service(Service::Zero { run: Some(run), lying }) = &mut self.state else {
            return;
        };
        let mut calibration = self.sense.calibration().clone();
        let refused = run.finish(&mut calibration);
        // A point that stays without zero is one the game goes on without; more of them mean that
        // something lies there.
        let passed = refused.len() <= 2;
        *lying = refused;
        self.report(Procedure::Zero, passed, refused, effects);
        if passed {
            self.sense.set_calibration(calibration);
            push(effects, Effect::SaveCalibration);
            self.leave_service();
        } else {
            self.state = State::Service(Service::Zero { run: None, lying: refused });
        }
    }

    fn finish_gain_at_end(&mut self, effects: &mut Effects) {
        let State::Service(Service::Gain(teaching)) = &self.state else { return };
        if teaching.at(self.playfield()).is_some() {
            return;
        }
        let failed = teaching.failed;
        push(effects, Effect::SaveCalibration);
        self.report(Procedure::Gain, failed.is_empty(), failed, effects);
        self.leave_service();
    }

    fn report(
        &mut self,
        procedure: Procedure,
        passed: bool,
        points: PointSet,
        effects: &mut Effects,
    ) {
        push(effects, Effect::Event(Event::Report { procedure, passed, points }));
        self.sound(if passed { Sound::Accepted } else { Sound::Wrong }, effects);
    }

    /// To the game that waits, offered as at a start, or to the menu.
    fn leave_service(&mut self) {
        self.state = if self.has_game { State::Offer } else { State::Menu(Menu::Games) };
    }

    /// K1 leaves a point out of the walk; in the self-test every key is tried.
    pub(super) fn service_number(&mut self, number: u8, effects: &mut Effects) {
        let State::Service(service) = &mut self.state else { return };
        match service {
            Service::Gain(teaching) if number == 1 => {
                let point = Point::new(self.sense.calibration().playfield(), teaching.point);
                teaching.failed |= point.into_iter().collect::<PointSet>();
                teaching.point += 1;
                self.finish_gain_at_end(effects);
            }
            Service::Keys { pressed, .. } => *pressed |= 1 << (number - 1),
            _ => {}
        }
    }

    /// OK or UNDO while the board looks after itself.
    #[inline(never)]
    pub(super) fn service_key(&mut self, is_ok: bool, effects: &mut Effects) {
        let is_zeroed = self.sense.calibration().unzeroed().len() < self.playfield().point_count();
        let State::Service(service) = &mut self.state else { return };
        match service {
            Service::Zero { run, lying } if is_ok && run.is_none() && lying.is_empty() => {
                *run = Some(ZeroRun::new());
            }
            Service::Zero { run, .. } if !is_ok && run.is_some() => *run = None,
            Service::Zero { .. } if !is_ok && is_zeroed => self.leave_service(),
            Service::Zero { .. } => {}
            Service::Gain(teaching) if is_ok => {
                teaching.point = Playfield::POINTS_MAX;
                self.finish_gain_at_end(effects);
            }
            Service::Lights => {
                self.state = State::Service(Service::Keys { pressed: 0, lights: is_ok });
            }
            &mut Service::Keys { pressed, lights } if is_ok => {
                let faults = self.sense.faults();
                let passed = lights && pressed == ALL_KEYS && faults.is_empty();
                self.report(Procedure::SelfTest, passed, faults, effects);
                self.leave_service();
            }
            Service::Gain(teaching) => {
                self.sense.set_calibration(teaching.before.clone());
                self.leave_service();
            }
            Service::Keys { .. } => self.leave_service(),
        }
    }

    /// The self-test at the start ends with a scan.
    pub(super) fn check_at_start(&mut self, effects: &mut Effects) {
        if self.unchecked == 1 {
            let points = self.sense.faults();
            let (procedure, passed) = (Procedure::SelfTest, points.is_empty());
            push(effects, Effect::Event(Event::Report { procedure, passed, points }));
        }
        self.unchecked = self.unchecked.saturating_sub(1);
        self.is_starting &= self.unchecked > 0;
    }

    /// Begins to learn gains: with the piece that all sets of this playfield have.
    #[inline(never)]
    pub(super) fn begin_service(&mut self, service: Service) {
        if let Service::Gain(_) = service {
            let profile = match self.playfield() {
                Playfield::Hex => Profile::Pieces,
                Playfield::Square => Profile::Chips,
            };
            self.sense.set_profile(profile);
        }
        self.state = State::Service(service);
    }
}

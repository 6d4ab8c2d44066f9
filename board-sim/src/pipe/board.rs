//! The device on this machine as a board behind the pipe.

use lodestone::console::{self, Effect, Scratch};
use lodestone::games::Game;
use lodestone::geometry::Playfield;
use lodestone::light::Frame;
use lodestone::link::{LIGHTS_MAX, LightBytes};
use lodestone::meaning::{Lamps, Meanings};
use lodestone::text::{self, Language};
use lodestone::wiring::KEY_LED_COUNT;

use super::output::Naming;
use super::{Board, Input, Named, Output, names};
use crate::device::{self, Build, Device};
use crate::port::Port;
use crate::tty::Pty;

pub(super) const KEYS: [&str; KEY_LED_COUNT] = ["K1", "K2", "K3", "K4", "K5", "K6"];

/// The device, and what its lights showed last.
pub struct HostBoard {
    device: Device,
    /// When it last got its power: its clock begins there.
    powered_us: u64,
    /// A host beside the one at the pipe, if there may be one.
    port: Option<Port<Pty>>,
    /// Whether it also says what the lights mean.
    says_meanings: bool,
    /// The language of texts; without one that of the board's options.
    language: Option<Language>,
    meanings: Meanings,
    frame: Frame,
    lights: Named<String>,
    lamps: Lamps,
}

impl HostBoard {
    /// A device at power-up, with all lights dark.
    pub fn new(build: Build, says_meanings: bool, language: Option<Language>) -> HostBoard {
        let playfield = build.playfield;
        let (device, _) = Device::new(build);
        HostBoard {
            device,
            powered_us: 0,
            port: None,
            says_meanings,
            language,
            meanings: Meanings::none(playfield),
            frame: Frame::dark(playfield),
            lights: Named(Vec::new()),
            lamps: [None; KEY_LED_COUNT],
        }
    }

    /// Lets hosts talk to it through a pseudo-terminal as well. They are served whenever something
    /// comes through the pipe.
    pub fn offer(&mut self, pty: Pty) {
        self.port = Some(Port::new(pty));
    }

    /// The device itself.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Lets it happen.
    fn pass_on(&mut self, now_us: u64, input: Input) -> Vec<device::Output> {
        let input = match input {
            Input::Scan(codes) => console::Input::Scan(codes),
            Input::Key(key, down) => console::Input::Key(key, down),
            Input::Host(request) => console::Input::Host(request),
            Input::Tick => console::Input::Tick,
            Input::PowerCut => {
                let mut outputs = self.device.cut();
                self.powered_us = now_us;
                if let Some(port) = &mut self.port {
                    port.restart(&self.device);
                }
                outputs.extend(self.take(now_us, console::Input::Tick));
                return outputs;
            }
        };
        self.take(now_us, input)
    }

    fn take(&mut self, now_us: u64, input: console::Input) -> Vec<device::Output> {
        let now_us = now_us - self.powered_us;
        match &mut self.port {
            Some(port) => port.handle(&mut self.device, now_us, input),
            None => self.device.handle(now_us, input),
        }
    }

    fn said(&self, output: device::Output) -> Option<Output> {
        match output {
            device::Output::Effect(effect) => self.effect(&effect),
            device::Output::Game { number, text } => Some(Output::game(number, &text)),
        }
    }

    fn effect(&self, effect: &Effect) -> Option<Output> {
        let console = self.device.console();
        let mut scratch = Scratch::default();
        let message = console.message(effect, &mut scratch)?;
        let playfield = names(console.playfield());
        let game = console.game().map_or(playfield, |referee| referee.position().board());
        let mut said = String::new();
        if let Effect::Event(event) = effect {
            let language = self.language.unwrap_or(console.options().language);
            console.tell(event, &mut |message| {
                text::write(language, &message, &mut said).expect("a string takes every text");
            });
        }
        Some(Output::of(message, Naming { playfield, game }, said))
    }

    /// What is to be seen, as far as it changed.
    fn shown(&mut self, outputs: &mut Vec<Output>) {
        let console = self.device.console();
        if self.says_meanings {
            let meanings = console.meanings();
            if meanings != self.meanings {
                outputs.push(Output::Meanings(named_meanings(&meanings)));
                self.meanings = meanings;
            }
        }
        let frame = console.frame();
        if frame != self.frame {
            let lights = named_lights(console.playfield(), &frame);
            self.frame = frame;
            // Frames beyond the budget may differ and still leave as the same.
            if lights != self.lights {
                outputs.push(Output::Lights(lights.clone()));
                self.lights = lights;
            }
        }
        let lamps = console.lamps();
        if lamps.map(|lamp| lamp.is_some()) != self.lamps.map(|lamp| lamp.is_some()) {
            let lit = KEYS.into_iter().zip(lamps).filter(|(_, lamp)| lamp.is_some());
            outputs.push(Output::Lamps(lit.map(|(key, _)| key).collect()));
        }
        self.lamps = lamps;
    }
}

impl Board for HostBoard {
    fn playfield(&self) -> Playfield {
        self.device.console().playfield()
    }

    fn handle(&mut self, now_us: u64, input: Input) -> Vec<Output> {
        let said = self.pass_on(now_us, input);
        let mut outputs = said.into_iter().filter_map(|output| self.said(output)).collect();
        self.shown(&mut outputs);
        outputs
    }
}

fn named_meanings(meanings: &Meanings) -> Named<&'static str> {
    let board = names(meanings.playfield());
    let said = meanings.iter().filter_map(|(point, meaning)| {
        Some((board.name(board.cell(point)?).to_string(), meaning.name()))
    });
    Named(said.collect())
}

/// What leaves for the LEDs: dimmed to the budget.
pub fn named_lights(playfield: Playfield, frame: &Frame) -> Named<String> {
    let mut bytes = [0; LIGHTS_MAX];
    let board = names(playfield);
    let points = board.cells().map(|cell| board.name(cell).to_string());
    let all = KEYS.map(String::from).into_iter().chain(points);
    let colours = LightBytes::pack(playfield, frame, &mut bytes).iter();
    let lit = all.zip(colours).filter(|(_, c)| (c.r, c.g, c.b) != (0, 0, 0));
    Named(lit.map(|(name, c)| (name, format!("{:02x}{:02x}{:02x}", c.r, c.g, c.b))).collect())
}

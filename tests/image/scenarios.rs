//! Scenario files on the image: the chip says and shows the same as the console of a PC.
//!
//! What a file expects is tried on the PC (`tests/scenarios`). Here its acts are carried out on both
//! boards, and what comes out is compared: every event with its content, and everything that is to be
//! seen, each in order. When it comes is left out: the chip needs its own time. So is the report of the
//! self-test, which comes two seconds after power, whatever else happens then.
//!
//! What is to be seen on the PC is a row of pictures: what all lights and lamps mean, until something
//! changes. On the chip it is what the LED wire was told. The lights must show the pictures one after
//! the other, in their colours and at this moment of their rhythms, and nothing else ever. Only what
//! stands for less than [`BRIEF_US`] may be on one board alone: a chip that has to think, answers a
//! host or writes to its flash takes the news of some scans together, and of two things that happen
//! at once one is then seen first here, the other there.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::rc::Rc;

use board_sim::pipe::{Board, EmulatedBoard, Event, HostBoard, Input, Named, Output, named_lights};
use board_sim::scenario::{Scenario, run};
use lodestone::geometry::Playfield;
use lodestone::light::{Brightness, Scene, TICK_MS};
use lodestone::meaning::{Lamps, Meanings};
use lodestone::wiring::KEY_LED_COUNT;
use lodestone::wiring::timing::period_us;

use crate::machine::{elf, is_long, on_all_cores};

/// Whose files are played in a normal run: one id of each game.
const IDS: [&str; 5] = ["gipf-basic", "yinsh", "dvonn", "lyngk", "glux-2"];
/// What passes at the end for what is late, ms.
const END_MS: u32 = 1000;
/// What stands for so long is to be seen on both boards, µs: two scans of the slower playfield.
const BRIEF_US: u64 = 50_000;
/// How far the lights may be behind the chip's clock, ms: some scans, if the console had to think.
const BEHIND_MS: u32 = 100;

/// What somebody sees on the PC, until something changes.
#[derive(PartialEq)]
struct Picture {
    meanings: Meanings,
    lamps: Lamps,
    brightness: Brightness,
}

impl Picture {
    /// Of a board without power.
    fn dark(playfield: Playfield) -> Picture {
        let (meanings, lamps) = (Meanings::none(playfield), [None; KEY_LED_COUNT]);
        Picture { meanings, lamps, brightness: Brightness::default() }
    }

    fn of(board: &HostBoard) -> Picture {
        let console = board.device().console();
        let brightness = Brightness::ALL[usize::from(console.options().brightness) - 1];
        Picture { meanings: console.meanings(), lamps: console.lamps(), brightness }
    }

    fn lights(&self, now_ms: u32) -> Named<String> {
        let (meanings, lamps) = (&self.meanings, &self.lamps);
        let scene = Scene { meanings, lamps, brightness: self.brightness, touched_ms: now_ms };
        named_lights(meanings.playfield(), &scene.frame(now_ms))
    }

    fn is_shown_by(&self, sight: &Sight) -> bool {
        let now_ms = (sight.at_us / 1000) as u32;
        let ticks = now_ms.saturating_sub(BEHIND_MS) / TICK_MS..=now_ms / TICK_MS;
        ticks.into_iter().any(|tick| self.lights(tick * TICK_MS) == sight.lights)
    }
}

/// What shines on the chip at a time of its own clock.
#[derive(PartialEq)]
struct Sight {
    at_us: u64,
    lights: Named<String>,
}

impl Sight {
    fn tick(&self) -> u64 {
        self.at_us / 1000 / u64::from(TICK_MS)
    }
}

/// What was said and seen in the course of a scenario.
struct Course<T> {
    said: Vec<Event>,
    seen: Vec<T>,
}

impl<T> Course<T> {
    fn hear(&mut self, outputs: &[Output]) {
        for output in outputs {
            match output {
                Output::Event(Event::Report { .. }) => {}
                Output::Event(event) => self.said.push(wordless(event.clone())),
                _ => {}
            }
        }
    }
}

/// The PC. Pictures are kept with the time they come, µs.
struct Pc {
    board: HostBoard,
    course: Rc<RefCell<Course<(u64, Picture)>>>,
}

impl Pc {
    fn look(&self, now_us: u64, picture: Picture) {
        let seen = &mut self.course.borrow_mut().seen;
        if seen.last().is_none_or(|(_, last)| *last != picture) {
            seen.push((now_us, picture));
        }
    }
}

impl Board for Pc {
    fn playfield(&self) -> Playfield {
        self.board.playfield()
    }

    fn handle(&mut self, now_us: u64, input: Input) -> Vec<Output> {
        if matches!(input, Input::PowerCut) {
            self.look(now_us, Picture::dark(self.playfield()));
        }
        let outputs = self.board.handle(now_us, input);
        self.course.borrow_mut().hear(&outputs);
        self.look(now_us, Picture::of(&self.board));
        outputs
    }
}

/// The chip.
struct Chip {
    board: EmulatedBoard,
    /// When it last got its power, and what has shone since.
    powered_us: u64,
    lights: Named<String>,
    course: Rc<RefCell<Course<Sight>>>,
}

impl Board for Chip {
    fn playfield(&self) -> Playfield {
        self.board.playfield()
    }

    fn handle(&mut self, now_us: u64, input: Input) -> Vec<Output> {
        let is_cut = matches!(input, Input::PowerCut);
        let outputs = self.board.handle(now_us, input);
        let chip_us = self.board.emulator().now().as_micros() as u64;
        if is_cut {
            self.powered_us = chip_us;
        }
        let at_us = chip_us - self.powered_us;
        let mut course = self.course.borrow_mut();
        course.hear(&outputs);
        for output in &outputs {
            if let Output::Lights(lights) = output {
                self.lights = lights.clone();
                course.seen.push(Sight { at_us, lights: lights.clone() });
            }
        }
        course.seen.push(Sight { at_us, lights: self.lights.clone() });
        outputs
    }
}

/// Without the sentence, which only a PC has.
fn wordless(mut event: Event) -> Event {
    if let Event::Refused { text, .. } | Event::Prompt { text, .. } | Event::Question { text, .. } =
        &mut event
    {
        text.clear();
    }
    event
}

/// The acts of a file, without what it expects.
fn acts(text: &str) -> Scenario {
    let line = |line: &str| match line.strip_prefix("> ") {
        Some(expected) => match expected.strip_prefix("nothing ") {
            Some(ms) => format!("> anything\nwait {ms}\n"),
            None => "> anything\n".into(),
        },
        None => format!("{line}\n"),
    };
    let text: String = text.lines().map(line).collect();
    Scenario::read(&format!("{text}wait {END_MS}\n> anything\n")).unwrap()
}

fn course<T, B: Board>(
    scenario: &Scenario,
    start: impl FnOnce(board_sim::device::Build, Rc<RefCell<Course<T>>>) -> B,
) -> Result<Course<T>, String> {
    let course = Rc::new(RefCell::new(Course { said: vec![], seen: vec![] }));
    run(scenario, |build| start(build, course.clone())).map_err(|failure| failure.to_string())?;
    Ok(Rc::into_inner(course).expect("the board is gone").into_inner())
}

/// What is different, if anything is.
fn difference(text: &str) -> Result<(), String> {
    let scenario = acts(text);
    let pc = course(&scenario, |build, course| {
        let dark = Picture::dark(build.playfield);
        let pc = Pc { board: HostBoard::new(build, false, None), course };
        pc.look(0, dark);
        pc.look(0, Picture::of(&pc.board));
        pc
    })?;
    let chip = course(&scenario, |build, course| {
        let board = EmulatedBoard::start(&elf(), &build, false).expect("the emulator starts");
        Chip { board, powered_us: 0, lights: Named(Vec::new()), course }
    })?;
    let at = pc.said.iter().zip(&chip.said).take_while(|(pc, chip)| pc == chip).count();
    if at < pc.said.len() || at < chip.said.len() {
        let said = [&pc.said, &chip.said].map(|said| said.get(at));
        return Err(format!("event {at}: {:?} on the PC, {:?} on the chip", said[0], said[1]));
    }
    unlike(&pc.seen, &chip.seen)
}

/// What is to be seen on one board only. Several pictures may look alike for a while (a blink is
/// dark): all that may be on are followed up.
fn unlike(pictures: &[(u64, Picture)], seen: &[Sight]) -> Result<(), String> {
    let period_us = u64::from(period_us(pictures[0].1.meanings.playfield()));
    let is_brief = |n: usize| {
        let next = pictures.get(n + 1);
        next.is_some_and(|(end_us, _)| end_us - pictures[n].0 < BRIEF_US)
    };
    let can_follow = |from: usize, n: usize| from <= n && (from + 1..n).all(is_brief);
    let mut on = vec![0];
    for run in seen.chunk_by(|one, next| one.lights == next.lights && one.at_us <= next.at_us) {
        for sights in run.chunk_by(|one, next| one.tick() == next.tick()) {
            let next: Vec<usize> = (on[0]..pictures.len())
                .filter(|&n| on.iter().any(|&from| can_follow(from, n)))
                .filter(|&n| pictures[n].1.is_shown_by(&sights[0]))
                .collect();
            if !next.is_empty() {
                on = next;
            } else if run[run.len() - 1].at_us - run[0].at_us + period_us >= BRIEF_US {
                let from = *on.last().expect("one is on");
                let pictures = &pictures[from..pictures.len().min(from + 3)];
                return Err(format!(
                    "{} µs after power the chip shows {:?}; on the PC{}",
                    sights[0].at_us,
                    sights[0].lights.0,
                    told(pictures)
                ));
            }
        }
    }
    if on.iter().any(|&from| can_follow(from, pictures.len())) {
        return Ok(());
    }
    Err(format!("the chip never shows what was on the PC{}", told(&pictures[on[0] + 1..])))
}

fn told(pictures: &[(u64, Picture)]) -> String {
    let told = |(at_us, picture): &(u64, Picture)| {
        let lit: Vec<_> = picture.meanings.iter().collect();
        format!("\n  from {} ms {lit:?}, lamps {:?}", at_us / 1000, picture.lamps)
    };
    pictures.iter().map(told).collect()
}

#[test]
fn scenarios_are_the_same_on_the_chip() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios");
    let mut texts = BTreeMap::new();
    for file in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        if file.extension().is_some_and(|ending| ending == "txt") && name != "open" {
            let text = fs::read_to_string(file).unwrap();
            if is_long() || IDS.contains(&Scenario::read(&text).unwrap().id.name()) {
                texts.insert(name, text);
            }
        }
    }
    let wrong = on_all_cores(texts, |(name, text)| {
        difference(&text).err().map(|difference| format!("{name}: {difference}"))
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

//! Scenario files on the image: the chip says the same as the console of a PC.
//!
//! What a file expects is tried on the PC (`tests/scenarios`). Here its acts are carried out on both
//! boards, and what comes out is compared: every event with its content, in order. When it comes is
//! left out: the chip needs its own time.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::rc::Rc;

use board_sim::pipe::{Board, EmulatedBoard, Event, HostBoard, Input, Output};
use board_sim::scenario::{Scenario, run};
use lodestone::geometry::Playfield;

use crate::machine::{elf, is_long, on_all_cores};

/// Whose files are played in a normal run: one id of each game, and of those the first few.
const IDS: [&str; 5] = ["gipf-basic", "yinsh", "dvonn", "lyngk", "glux-2"];
const FILES: usize = 3;

/// A board whose words are kept.
struct Heard<B> {
    board: B,
    said: Rc<RefCell<Vec<Event>>>,
}

impl<B: Board> Board for Heard<B> {
    fn playfield(&self) -> Playfield {
        self.board.playfield()
    }

    fn handle(&mut self, now_us: u64, input: Input) -> Vec<Output> {
        let outputs = self.board.handle(now_us, input);
        let mut said = self.said.borrow_mut();
        for output in &outputs {
            if let Output::Event(event) = output {
                said.push(wordless(event.clone()));
            }
        }
        drop(said);
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

/// The acts of a file, without what it expects; at the end some time for what is late.
fn acts(text: &str) -> Scenario {
    let line = |line: &str| match line.strip_prefix("> ") {
        Some(expected) => match expected.strip_prefix("nothing ") {
            Some(ms) => format!("> anything\nwait {ms}\n"),
            None => "> anything\n".into(),
        },
        None => format!("{line}\n"),
    };
    let text: String = text.lines().map(line).collect();
    Scenario::read(&(text + "wait 1500\n> anything\n")).unwrap()
}

fn heard<B: Board>(
    scenario: &Scenario,
    start: impl FnOnce(board_sim::device::Build) -> B,
) -> Result<Vec<Event>, String> {
    let said = Rc::new(RefCell::new(Vec::new()));
    let kept = said.clone();
    run(scenario, |build| Heard { board: start(build), said: kept }).map_err(|f| f.to_string())?;
    Ok(said.take())
}

/// What is different, if anything is.
fn difference(text: &str) -> Result<(), String> {
    let scenario = acts(text);
    let host = heard(&scenario, |build| HostBoard::new(build, false, None))?;
    let chip = heard(&scenario, |build| {
        EmulatedBoard::start(&elf(), &build, false).expect("the emulator starts")
    })?;
    let at = host.iter().zip(&chip).take_while(|(host, chip)| host == chip).count();
    if at == host.len() && at == chip.len() {
        return Ok(());
    }
    Err(format!("event {at}: {:?} on the PC, {:?} on the chip", host.get(at), chip.get(at)))
}

#[test]
fn scenarios_are_the_same_on_the_chip() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios");
    let mut texts = BTreeMap::new();
    for file in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        if file.extension().is_some_and(|ending| ending == "txt") && name != "open" {
            texts.insert(name, fs::read_to_string(file).unwrap());
        }
    }
    if !is_long() {
        let mut left = IDS.map(|id| (id, FILES));
        texts.retain(|_, text| {
            let id = Scenario::read(text).unwrap().id.name();
            let Some((_, left)) = left.iter_mut().find(|(known, _)| *known == id) else {
                return false;
            };
            let is_among_them = *left > 0;
            *left = left.saturating_sub(1);
            is_among_them
        });
    }
    let wrong = on_all_cores(texts, |(name, text)| {
        difference(&text).err().map(|difference| format!("{name}: {difference}"))
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

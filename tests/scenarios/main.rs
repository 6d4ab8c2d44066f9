//! Plays every file of this folder on the device of this machine, and looks whether the files cover
//! what they should.

mod disturb;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use board_sim::pipe::HostBoard;
use board_sim::scenario::{Scenario, run};

/// How many scenario ideas the table protocol has for each game,
const IDEAS: [(&str, usize); 5] =
    [("GIPF", 15), ("YINSH", 15), ("DVONN", 14), ("LYNGK", 14), ("GLÜX", 14)];
/// and how many mistakes it lists.
const MISTAKES: [(&str, usize); 6] =
    [("common", 8), ("GIPF", 11), ("YINSH", 12), ("DVONN", 11), ("LYNGK", 11), ("GLÜX", 10)];
/// At least so many files for each game.
const FILES_MIN: usize = 12;

/// The list of those that are known not to hold yet.
const OPEN: &str = "open.txt";

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scenarios"))
}

/// All scenarios by file name, read.
fn scenarios() -> BTreeMap<String, Scenario> {
    let files = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let is_scenario = |file: &PathBuf| {
        file.extension().is_some_and(|ending| ending == "txt") && !file.ends_with(OPEN)
    };
    let texts = files.filter(is_scenario);
    let named = texts.map(|file| {
        let name = file.file_stem().unwrap().to_str().unwrap().to_string();
        let text = fs::read_to_string(file).unwrap();
        let read = Scenario::read(&text).unwrap_or_else(|failure| panic!("{name}: {failure}"));
        (name, read)
    });
    named.collect()
}

/// Those that are known not to hold yet, with the reason.
fn open() -> BTreeMap<String, String> {
    let text = fs::read_to_string(folder().join(OPEN)).unwrap();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (name, reason) = line.split_once(": ").expect("a file and a reason");
            (name.to_string(), reason.to_string())
        })
        .collect()
}

#[test]
fn every_scenario_holds_but_for_the_open_ones() {
    let (scenarios, open) = (scenarios(), open());
    let mut wrong = Vec::new();
    for (name, scenario) in &scenarios {
        let played = run(scenario, |build| HostBoard::new(build, true, None));
        match (played, open.get(name)) {
            (Ok(()), None) | (Err(_), Some(_)) => {}
            (Ok(()), Some(_)) => wrong.push(format!("{name} holds: take it off {OPEN}")),
            (Err(failure), None) => wrong.push(format!("{name}, {failure}")),
        }
    }
    let unknown = open.keys().filter(|name| !scenarios.contains_key(*name));
    wrong.extend(unknown.map(|name| format!("{OPEN}: no file {name}")));
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), scenarios.len(), wrong.join("\n"));
}

#[test]
fn every_idea_and_every_mistake_has_a_scenario() {
    let scenarios = scenarios();
    let mut missing = Vec::new();
    let covered = |what: &str, rows: &[(&str, usize)], of: fn(&Scenario) -> &Vec<String>| {
        let known: Vec<&String> = scenarios.values().flat_map(of).collect();
        let all: Vec<String> =
            rows.iter().flat_map(|(of, n)| (1..=*n).map(move |n| format!("{of} {n}"))).collect();
        let lacking = all.iter().filter(|row| !known.contains(row));
        let invented = known.iter().filter(|row| !all.contains(row));
        lacking
            .map(|row| format!("no file for {what} {row}"))
            .chain(invented.map(|row| format!("there is no {what} {row}")))
            .collect::<Vec<_>>()
    };
    missing.extend(covered("idea", &IDEAS, |scenario| &scenario.ideas));
    missing.extend(covered("mistake", &MISTAKES, |scenario| &scenario.mistakes));
    for (game, _) in IDEAS {
        let letter = scenarios.values().filter(|s| s.id.letter() == letter(game)).count();
        if letter < FILES_MIN {
            missing.push(format!("{letter} files for {game}"));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// The letter of a game's rules.
fn letter(game: &str) -> char {
    if game == "GLÜX" { 'X' } else { game.chars().next().unwrap() }
}

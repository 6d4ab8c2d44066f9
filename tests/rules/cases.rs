//! Rule cases as data: `cases/*.txt`. A new case is a few new lines there, no Rust.
//!
//! Each case names the rules it shows, starts a game, plays steps and says what must hold. The
//! commands stand in [`Case::line`]; `;` starts a comment.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use board_sim::{perft, setup_text, text};
use lodestone::games::any::{Position, Setup};
use lodestone::games::{Game, Id, Reason};

/// A case that is being run: where it stands and the game so far.
struct Case {
    position: Option<Position>,
}

/// What a line of a case must give: nothing, or a sentence about what is wrong.
type Checked = Result<(), String>;

fn expect(what: &str, expected: &str, seen: &str) -> Checked {
    if expected == seen {
        Ok(())
    } else {
        Err(format!("{what}: expected `{expected}`, got `{seen}`"))
    }
}

impl Case {
    fn line(&mut self, line: &str) -> Checked {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.split_whitespace().collect::<Vec<_>>().join(" ");
        if verb == "game" {
            self.position = Some(start(&rest)?.position());
            return Ok(());
        }
        let position = self.position.as_mut().ok_or("`game` must come first")?;
        match verb {
            "steps" => rest.split(' ').try_for_each(|step| play(position, step)),
            "refuse" => refuse(position, &rest),
            "malformed" => match position.parse_step(rest.as_bytes()) {
                Ok(step) => Err(format!("`{rest}` was read as {step:?}")),
                Err(_) => Ok(()),
            },
            "turn" => expect(verb, &rest, &text::turn(position).to_string()),
            "result" => expect(verb, &rest, &text::result(position)),
            "score" => expect(verb, &rest, &text::score(position)),
            "board" => expect(verb, &rest, &text::position(position)),
            "moves" => expect(verb, &rest, &text::steps(position).join(" ")),
            "has" => among(position, &rest, true),
            "hasnt" => among(position, &rest, false),
            "count" => expect(verb, &rest, &position.step_count().to_string()),
            "from" => expect(verb, &rest, &text::cells(position.board(), position.origins())),
            "to" => {
                let (from, to) = rest.split_once(' ').unwrap_or((&rest, ""));
                let cell = position.board().parse(from.as_bytes()).ok_or("no such point")?;
                expect(verb, to, &text::cells(position.board(), position.destinations(cell)))
            }
            "perft" => {
                let (depth, count) = rest.split_once(' ').ok_or("perft DEPTH COUNT")?;
                let depth = depth.parse().map_err(|_| "perft DEPTH COUNT")?;
                expect(verb, count, &perft::leaves(position, depth).to_string())
            }
            _ => Err(format!("unknown command `{verb}`")),
        }
    }
}

/// `ID [handicap H] [setup S]`.
pub(crate) fn start(words: &str) -> Result<Setup, String> {
    let mut words = words.split(' ');
    let id = words.next().unwrap_or_default();
    let id = Id::parse(id.as_bytes()).ok_or(format!("no game `{id}`"))?;
    let mut setup = Setup::of(id);
    while let Some(option) = words.next() {
        let value = words.next().unwrap_or_default();
        setup = match option {
            "handicap" => setup_text::with_handicap(setup, value),
            "setup" => setup_text::with_deal(setup, value),
            _ => return Err(format!("unknown option `{option}`")),
        }
        .map_err(|error| error.to_string())?;
    }
    Ok(setup)
}

/// Plays a step that must be legal.
pub(crate) fn play(position: &mut Position, step: &str) -> Checked {
    let parsed = position.parse_step(step.as_bytes()).map_err(|e| format!("{step}: {e}"))?;
    position.play(parsed).map_err(|refusal| {
        format!("{step} is refused: {}", text::refusal(position.board(), &refusal))
    })
}

/// `STEP RULE CELL ...`: refused by this rule, and just these cells show why.
fn refuse(position: &Position, rest: &str) -> Checked {
    let mut words = rest.splitn(3, ' ');
    let (step, rule) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let parsed = position.parse_step(step.as_bytes()).map_err(|e| format!("{step}: {e}"))?;
    let mut after = *position;
    let Err(refusal) = after.play(parsed) else {
        return Err(format!("{step} is legal"));
    };
    expect(step, rule, &refusal.reason.rule().to_string())?;
    expect(step, words.next().unwrap_or_default(), &text::cells(position.board(), refusal.cells))?;
    if after == *position {
        Ok(())
    } else {
        Err(format!("{step} was refused, yet something changed"))
    }
}

fn among(position: &Position, rest: &str, wanted: bool) -> Checked {
    let steps = text::steps(position);
    let wrong = rest.split(' ').find(|&step| steps.iter().any(|s| s == step) != wanted);
    match wrong {
        Some(step) => Err(format!("{step} is {}legal", if wanted { "not " } else { "" })),
        None => Ok(()),
    }
}

/// A folder beside this file.
pub(crate) fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules").join(name)
}

/// The text files of a folder, by name, without their comments.
pub(crate) fn files(name: &str) -> Vec<(String, String)> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder(name))
        .unwrap_or_else(|e| panic!("{name}: {e}"))
        .map(|entry| entry.expect("readable").path())
        .collect();
    files.sort();
    let read = |path: PathBuf| {
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        (name, fs::read_to_string(&path).expect("text"))
    };
    files.into_iter().map(read).collect()
}

/// The line without its comment.
pub(crate) fn bare(line: &str) -> &str {
    line.split(';').next().unwrap_or_default().trim()
}

/// Every case with the rules it shows: (rules, title, file).
fn titles() -> Vec<(Vec<String>, String, String)> {
    let mut titles = Vec::new();
    for (file, text) in files("cases") {
        for line in text.lines().filter_map(|line| bare(line).strip_prefix("case ")) {
            let (rules, title) = line.split_once(' ').unwrap_or((line, ""));
            let rules = rules.split(',').map(String::from).collect();
            titles.push((rules, title.to_string(), file.clone()));
        }
    }
    titles
}

#[test]
fn all_cases_hold() {
    let mut failures = String::new();
    for (file, text) in files("cases") {
        let mut case = Case { position: None };
        for (number, line) in text.lines().enumerate() {
            let line = bare(line);
            if line.starts_with("case ") {
                case = Case { position: None };
            } else if !line.is_empty()
                && let Err(error) = case.line(line)
            {
                writeln!(failures, "{file}:{}: {error}", number + 1).expect("strings take all");
            }
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

/// The numbers of all rules in the rule books, in their order there.
fn rules() -> Vec<String> {
    let books = ["gipf", "yinsh", "dvonn", "lyngk", "glux"];
    let book = |name| {
        let path = format!("{}/docs/rules/{name}.md", env!("CARGO_MANIFEST_DIR"));
        fs::read_to_string(path).expect("a rule book")
    };
    let number = |line: &str| Some(line.strip_prefix("- **")?.split("**").next()?.to_string());
    books
        .into_iter()
        .flat_map(|name| book(name).lines().filter_map(number).collect::<Vec<_>>())
        .collect()
}

/// `map.md` lists every rule with the cases that show it. Run with `UPDATE=1` to write it anew.
#[test]
fn every_rule_has_a_case_and_the_map_lists_it() {
    let (rules, titles) = (rules(), titles());
    let known = |rule: &String| assert!(rules.contains(rule), "a case names {rule}, no rule does");
    titles.iter().flat_map(|(rules, ..)| rules).for_each(known);
    let mut map = String::from(
        "# Every rule with the cases that show it\n\nMade from `cases/*.txt` by \
         `UPDATE=1 cargo test --test rules map`; the test run compares.\n\n| rule | cases |\n|---|---|\n",
    );
    for rule in &rules {
        let shown: Vec<String> = titles
            .iter()
            .filter(|(rules, ..)| rules.contains(rule))
            .map(|(_, title, file)| format!("{title} (`{file}`)"))
            .collect();
        assert!(!shown.is_empty(), "rule {rule} has no case");
        writeln!(map, "| {rule} | {} |", shown.join("; ")).expect("strings take all");
    }
    let path = folder("map.md");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &map).expect("the map can be written");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == map,
        "tests/rules/map.md is out of date: UPDATE=1 cargo test --test rules map"
    );
}

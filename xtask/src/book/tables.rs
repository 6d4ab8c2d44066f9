//! The tables of the documents, made from the tables in the code.
//!
//! In a document a table stands between `<!-- made: NAME -->` and `<!-- end -->`; the name is one of
//! [`names`]: what it is about, and where it speaks to players the language.

use std::fmt::Write as _;

use anyhow::{Context, Result, bail};
use lodestone::console::{Console, Effects, Input};
use lodestone::games::any::Reason as AnyReason;
use lodestone::games::slip::Slip;
use lodestone::games::{self, Id, Player, Refusal, dvonn, gipf, glux, lyngk, yinsh};
use lodestone::geometry::{CellSet, HEX, Playfield};
use lodestone::keys;
use lodestone::link::{
    Failure, Key, MeaningBytes, Options, Phase, Procedure, Supply, Task, Text, ToBoard,
};
use lodestone::meaning::{Kind, Lamp, Meaning, Meanings, TURN_CORNERS};
use lodestone::sense::{Calibration, Fault};
use lodestone::sound::Sound;
use lodestone::text::{self, Language, Message};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Page, looks, words};

const BEGIN: &str = "<!-- made: ";
const END: &str = "<!-- end -->";

/// What tables there are for players, in each language.
const FOR_PLAYERS: [&str; 11] = [
    "lights", "pieces", "turn", "lamps", "sounds", "keys", "gipf", "yinsh", "dvonn", "lyngk",
    "glux",
];
/// What tables there are for programmers.
const FOR_PROGRAMMERS: [&str; 3] = ["choices", "meanings", "errors"];

/// All names.
fn names() -> impl Iterator<Item = String> {
    let said = |name: &&str| Language::ALL.map(|language| format!("{name} {}", language.code()));
    let players = FOR_PLAYERS.iter().flat_map(said);
    players.chain(FOR_PROGRAMMERS.iter().map(ToString::to_string))
}

/// Tables that no document shows.
pub(super) fn unused(pages: &[Page]) -> Vec<String> {
    let is_shown = |name: &String| {
        let mark = format!("{BEGIN}{name} -->");
        pages.iter().any(|page| page.text.contains(&mark))
    };
    names().filter(|name| !is_shown(name)).map(|name| format!("no page shows: {name}")).collect()
}

/// The text with all its tables made anew.
pub(super) fn made(text: &str) -> Result<String> {
    let mut made = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(BEGIN) {
        let (before, from) = rest.split_at(at);
        let (head, body) = from.split_once(" -->\n").context("a mark without an end")?;
        let (_, after) = body.split_once(END).with_context(|| format!("{head} has no {END}"))?;
        let name = &head[BEGIN.len()..];
        // Blank lines: without them forges take the comment and the table for one paragraph.
        write!(made, "{before}{head} -->\n\n{}\n\n{END}", table(name)?.trim_end())?;
        rest = after;
    }
    Ok(made + rest)
}

fn table(name: &str) -> Result<String> {
    let (what, code) = name.split_once(' ').unwrap_or((name, "en"));
    let language = Language::ALL.into_iter().find(|language| language.code() == code);
    let language = language.with_context(|| format!("no language {code}"))?;
    match what {
        "lights" => lights(language),
        "pieces" => pieces(language),
        "turn" => turn(language),
        "lamps" => lamps(language),
        "sounds" => sounds(language),
        "keys" => keys(language),
        "gipf" => refusals(Id::Gipf, gipf::Reason::ALL, language),
        "yinsh" => refusals(Id::Yinsh, yinsh::Reason::ALL, language),
        "dvonn" => refusals(Id::Dvonn, dvonn::Reason::ALL, language),
        "lyngk" => refusals(Id::Lyngk, lyngk::Reason::ALL, language),
        "glux" => refusals(Id::Glux2, glux::Reason::ALL, language),
        "choices" => choices(),
        "meanings" => meanings(),
        "errors" => errors(),
        _ => bail!("no table is called {name:?}"),
    }
}

/// Every meaning once.
fn all_meanings() -> impl Iterator<Item = Meaning> {
    Meaning::PLAIN.into_iter().chain([
        Meaning::Candidate(0),
        Meaning::SetUp(Kind::White),
        Meaning::ToAct(Player::ONE),
        Meaning::Winner(Player::ONE, 0),
    ])
}

fn lights(language: Language) -> Result<String> {
    let mut table =
        words::head(&[words::LIGHT, words::IN_TIME, words::SAYS, words::NAME], language);
    for meaning in all_meanings() {
        let look = looks::of(meaning, Playfield::Hex);
        let colour = match meaning {
            Meaning::SetUp(_) | Meaning::ToAct(_) | Meaning::Winner(..) => {
                words::own_colour(language).to_owned()
            }
            _ => look.colour(language)?,
        };
        let (rhythm, strip) = (look.rhythm(language)?, code(&look.strip()));
        let says = words::meaning(meaning, language);
        let name = code(meaning.name());
        write!(table, "\n| {colour}{}{rhythm} | {strip} | {says} | {name} |", comma(language))?;
    }
    Ok(table)
}

fn pieces(language: Language) -> Result<String> {
    let mut table = words::head(&[words::PIECES, words::LIGHT], language);
    for kind in Kind::ALL {
        let colour = looks::of(Meaning::SetUp(kind), Playfield::Hex).colour(language)?;
        write!(table, "\n| {} | {colour} |", words::kind(kind, language))?;
    }
    Ok(table)
}

/// Whose turn it is: the player's colour, and where it is shown.
fn turn(language: Language) -> Result<String> {
    let mut table = words::head(&[words::PLAYER, words::LIGHT, words::WHERE], language);
    for player in (0..Player::MAX).map(Player::from_index) {
        let colour = looks::of(Meaning::ToAct(player), Playfield::Square).colour(language)?;
        let corners = TURN_CORNERS.get(player.index());
        let corners = corners.map(|corners| looks::names(Playfield::Hex, corners)).transpose()?;
        let corners = corners.map_or_else(String::new, |names| format!("{names}; "));
        let start = words::start(language);
        write!(table, "\n| {} | {colour} | {corners}{start} |", player.number())?;
    }
    Ok(table)
}

fn lamps(language: Language) -> Result<String> {
    let mut table = words::head(&[words::LIGHT, words::SAYS], language);
    for lamp in [Lamp::Ready, Lamp::Chosen, Lamp::Kind(Kind::Red), Lamp::Candidate] {
        let look = looks::of_lamp(lamp);
        let colour = match lamp {
            Lamp::Kind(_) => words::own_colour(language).to_owned(),
            _ => look.colour(language)?,
        };
        let (rhythm, says) = (look.rhythm(language)?, words::lamp(lamp, language));
        write!(table, "\n| {colour}{}{rhythm} | {says} |", comma(language))?;
    }
    Ok(table)
}

fn sounds(language: Language) -> Result<String> {
    let mut table = words::head(&[words::HEARD, words::SAYS, words::NAME], language);
    for sound in Sound::ALL {
        let [says, heard] = words::sound(sound, language);
        let tones = sound.notes().iter().filter(|note| note.hz > 0);
        let tones: Vec<String> = tones.map(|note| format!("{} Hz", note.hz)).collect();
        let (tones, name) = (code(&tones.join(" ")), code(sound.name()));
        write!(table, "\n| {heard} ({tones}) | {says} | {name} |")?;
    }
    Ok(table)
}

/// A state of the device in which its keys are looked at.
#[derive(Clone, Copy)]
pub(super) enum State {
    Hex,
    Square,
    Variants,
    Options,
    Care,
    End,
}

impl State {
    const ALL: [State; 6] =
        [State::Hex, State::Square, State::Variants, State::Options, State::Care, State::End];

    /// The device, led there by its keys.
    fn console(self, language: Language) -> Console {
        let playfield =
            if matches!(self, State::Square) { Playfield::Square } else { Playfield::Hex };
        let options = Options { language, ..Options::DEFAULT };
        let mut console = Console::new(Calibration::exact(playfield), options, 0);
        let mut now_ms = 0;
        let mut hand = |console: &mut Console, input: Input| {
            now_ms += 2000;
            console.handle(now_ms, input, &mut Effects::new());
        };
        let pressed: &[Key] = match self {
            State::Hex | State::Square | State::End => &[],
            State::Variants => &[Key::K1],
            State::Options => &[Key::K6],
            State::Care => &[Key::K6, Key::K6],
        };
        for &key in pressed {
            hand(&mut console, Input::Key(key, true));
            hand(&mut console, Input::Key(key, false));
        }
        if matches!(self, State::End) {
            let game = ToBoard::NewGame {
                id: Id::Yinsh,
                handicap: Text::default(),
                setup: Text::default(),
            };
            hand(&mut console, Input::Host(game));
            hand(&mut console, Input::Key(Key::Undo, true));
            hand(&mut console, Input::Tick);
        }
        console
    }
}

/// What every key means in the states that have their own meanings.
fn keys(language: Language) -> Result<String> {
    let mut table = format!("| {} |", words::keys_of(language));
    for key in keys::ALL {
        write!(table, " {} |", wire_name(&key)?)?;
    }
    write!(table, "\n|{}", "---|".repeat(keys::ALL.len() + 1))?;
    for state in State::ALL {
        write!(table, "\n| {} |", words::state(state, language))?;
        let console = state.console(language);
        for key in keys::ALL {
            let legend = console.legend(key).map(|message| say(language, &message));
            write!(table, " {} |", legend.transpose()?.unwrap_or_default())?;
        }
    }
    Ok(table)
}

/// What the board says to what a game's rules forbid, by rule number.
fn refusals<R>(game: Id, reasons: &[R], language: Language) -> Result<String>
where
    R: games::Reason + Into<AnyReason>,
{
    let mut rows: Vec<(u8, String)> = Vec::new();
    let slips = Slip::ALL.iter().map(|&slip| AnyReason::from(slip));
    for reason in reasons.iter().map(|&reason| reason.into()).chain(slips) {
        let rule = games::Reason::rule(reason);
        if rule.letter != game.letter() {
            continue;
        }
        let message = Message::refused(&HEX, &Refusal::new(reason, CellSet::EMPTY));
        let said = say(language, &message)?;
        let sentence = said.split(" [").next().unwrap_or_default();
        rows.push((rule.number, sentence.to_owned()));
    }
    rows.sort();
    let mut table = words::head(&[words::RULE, words::BOARD_SAYS], language);
    for (number, sentence) in rows {
        write!(table, "\n| {}{number} | {sentence} |", game.letter())?;
    }
    Ok(table)
}

/// The numbers of meanings on the wire.
fn meanings() -> Result<String> {
    let mut table = "| number | meaning | argument |\n|---|---|---|".to_owned();
    let winners = (1..Player::MAX).map(|index| Meaning::Winner(Player::from_index(index), 0));
    let mut numbered = all_meanings()
        .chain(winners)
        .map(|meaning| Ok((wire(meaning)?[0], meaning)))
        .collect::<Result<Vec<_>>>()?;
    numbered.sort_by_key(|&(number, _)| number);
    for (number, meaning) in numbered {
        let argument = match meaning {
            Meaning::Candidate(_) => "which, from 0".into(),
            Meaning::SetUp(_) => {
                let numbers = Kind::ALL.iter().map(|&kind| {
                    let [_, argument] = wire(Meaning::SetUp(kind))?;
                    Ok(format!("{argument} {}", words::kind(kind, Language::English)))
                });
                numbers.collect::<Result<Vec<String>>>()?.join(", ")
            }
            Meaning::ToAct(_) => "the player".into(),
            Meaning::Winner(player, _) => {
                format!("player {}: which light of the score, from 0", player.number())
            }
            _ => String::new(),
        };
        write!(table, "\n| {number} | `{}` | {argument} |", meaning.name())?;
    }
    Ok(table)
}

/// Number and argument of a meaning.
fn wire(meaning: Meaning) -> Result<[u8; 2]> {
    let mut meanings = Meanings::none(Playfield::Hex);
    let point = Playfield::Hex.points().next().context("no points")?;
    meanings.set(point, meaning);
    let mut buffer = [0; 3 * Playfield::POINTS_MAX];
    let packed = MeaningBytes::pack(&meanings, &mut buffer);
    let mut bytes = [0; 8];
    match *postcard::to_slice(&packed, &mut bytes)? {
        [3, _, number, argument] => Ok([number, argument]),
        ref other => bail!("{meaning:?} is {other:?} on the wire"),
    }
}

/// The numbers of errors on the wire.
fn errors() -> Result<String> {
    let mut table = "| number | error |\n|---|---|".to_owned();
    for (number, name) in values::<Failure>()?.iter().enumerate() {
        write!(table, "\n| {number} | `{name}` |")?;
    }
    Ok(table)
}

/// The values of every choice, in the order of their numbers.
fn choices() -> Result<String> {
    let mut table = "| choice | values, from 0 |\n|---|---|".to_owned();
    for (name, values) in [
        ("game", values::<Id>()?),
        ("playfield", values::<Playfield>()?),
        ("phase", values::<Phase>()?),
        ("key", values::<Key>()?),
        ("language", values::<Language>()?),
        ("what to do", values::<Task>()?),
        ("fault", values::<Fault>()?),
        ("sound", values::<Sound>()?),
        ("supply", values::<Supply>()?),
        ("procedure", values::<Procedure>()?),
    ] {
        write!(table, "\n| {name} | `{}` |", values.join("` `"))?;
    }
    Ok(table)
}

/// The names of all values of a choice, by their numbers on the wire.
fn values<T: DeserializeOwned + Serialize>() -> Result<Vec<String>> {
    let known = (0..=u8::MAX).map_while(|number| postcard::from_bytes::<T>(&[number]).ok());
    known.map(|value| wire_name(&value)).collect()
}

/// What the pipe's page has to name.
pub(super) fn spoken() -> Result<Vec<String>> {
    let mut names: Vec<String> = all_meanings().map(|meaning| meaning.name().into()).collect();
    for mut more in [values::<Task>()?, values::<Fault>()?, values::<Sound>()?] {
        names.append(&mut more);
    }
    Ok(names)
}

/// What something is called where programs read names.
fn wire_name(value: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string(value)?.trim_matches('"').to_owned())
}

fn say(language: Language, message: &Message) -> Result<String> {
    let mut said = String::new();
    text::write(language, message, &mut said)?;
    Ok(said)
}

/// Marks and names keep their direction in every language.
fn code(text: &str) -> String {
    format!("<code dir=\"ltr\">{text}</code>")
}

const fn comma(language: Language) -> &'static str {
    match language {
        Language::English => ", ",
        Language::Persian => "، ",
    }
}

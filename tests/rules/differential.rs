//! The two implementations of the rules against each other, by random play.
//!
//! After every step both must agree on the legal steps, where they begin and end, who acts, the
//! result, the score and the position line. Play is biased towards what is rare: takings, claims,
//! and steps after which pieces are gone or rows are to be taken. A failure prints everything that
//! is needed to see it again.

use std::thread;

use board_sim::text;
use lodestone::games::any::{Position, Setup};
use lodestone::games::{Game, Id};
use lodestone::random::SplitMix64;

use super::cases::{play, start};
use super::effort::{Effort, effort};
use super::rare;
use super::reference::{self, Reference};

/// A game that goes on for so long is cut off.
const STEPS_MAX: usize = 2000;

/// Games per id.
fn games() -> u64 {
    match effort() {
        Effort::Quick => 30,
        Effort::Full => 1000,
        Effort::Long => 5000,
    }
}

/// Both implementations in the same position.
struct Pair {
    fast: Position,
    slow: Box<dyn Reference>,
    played: Vec<String>,
}

impl Pair {
    fn new(id: Id, handicap: &str, setup: &str) -> Pair {
        let handicap_words = match handicap {
            "none" => String::new(),
            handicap => format!(" handicap {handicap}"),
        };
        let setup_words = match setup {
            "" => String::new(),
            setup => format!(" setup {}", setup.replace(' ', ":")),
        };
        let words = format!("{id}{handicap_words}{setup_words}");
        let fast = start(&words).unwrap_or_else(|e| panic!("{words}: {e}")).position();
        let slow = reference::new(&reference::Setup { id: id.name(), handicap, setup });
        Pair { fast, slow, played: Vec::new() }
    }

    fn play(&mut self, step: &str) -> Result<(), String> {
        self.slow.step(step);
        self.played.push(step.into());
        play(&mut self.fast, step)
    }

    fn agree(&self) -> Result<(), String> {
        let (fast, slow) = (&self.fast, &self.slow);
        let same = |what: &str, fast: String, slow: String| {
            if fast == slow { Ok(()) } else { Err(format!("{what}\n fast {fast}\n slow {slow}")) }
        };
        same("position", text::position(fast), slow.board())?;
        same("turn", text::turn(fast).to_string(), slow.turn().to_string())?;
        same("result", text::result(fast), slow.result())?;
        let score: Vec<String> = slow.score().iter().map(u32::to_string).collect();
        same("score", text::score(fast), score.join(" "))?;
        let steps = text::steps(fast);
        same("count", fast.step_count().to_string(), steps.len().to_string())?;
        same("steps", steps.join(" "), slow.moves().join(" "))?;
        let from = slow.from();
        same("from", text::cells(fast.board(), fast.origins()), from.join(" "))?;
        // One origin a position is enough: which, changes with the number of steps played.
        if let Some(point) = from.get(self.played.len() % from.len().max(1)) {
            let cell = fast.board().parse(point.as_bytes()).ok_or("a point")?;
            let to = text::cells(fast.board(), fast.destinations(cell));
            same(&format!("to {point}"), to, slow.to(point).join(" "))?;
        }
        if steps.is_empty() == fast.outcome().is_some() {
            Ok(())
        } else {
            Err("steps are there exactly while there is no result".into())
        }
    }
}

/// Pieces on the board, and whether the step after this one may take something off.
fn look(position: &Position) -> (usize, bool) {
    let line = text::position(position);
    let board = line.split('|').next().unwrap_or_default();
    let pieces = board.split_whitespace().map(str::len).sum();
    let takes = position.steps().next().is_some_and(|s| text::step(position, s).starts_with('x'));
    (pieces, takes)
}

/// A random step; of a handful of candidates one that does something unusual is preferred.
fn choose(position: &Position, random: &mut SplitMix64) -> String {
    let count = position.step_count();
    let (pieces, _) = look(position);
    let mut chosen = None;
    for _ in 0..=random.below(6) {
        let step = position.steps().nth(random.below(count)).expect("there are so many");
        let mut after = *position;
        after.play_unchecked(step);
        let (pieces_after, takes) = look(&after);
        chosen = Some(text::step(position, step));
        if takes || pieces_after < pieces {
            break;
        }
    }
    chosen.expect("at least one candidate")
}

/// Plays one game at random from here on.
fn random_game(pair: &mut Pair, seed: u64) -> Result<(), String> {
    let mut random = SplitMix64::new(seed);
    for _ in 0..STEPS_MAX {
        pair.agree()?;
        if pair.fast.outcome().is_some() {
            break;
        }
        pair.play(&choose(&pair.fast, &mut random))?;
    }
    Ok(())
}

#[track_caller]
fn must_agree(pair: &mut Pair, seed: u64) {
    if let Err(error) = random_game(pair, seed) {
        let (id, played) = (pair.fast.id(), pair.played.join(" "));
        panic!("{id}, seed {seed}, after {}: {played}\n{error}", pair.played.len());
    }
}

fn games_of(id: Id, seeds: impl Iterator<Item = u64>) {
    for seed in seeds {
        let handicap = match (id, seed % 7) {
            (Id::GipfBasic, n @ 1..=3) => format!("1+{n}"),
            (Id::GipfBasic, n @ 4..=6) => format!("2+{}", n - 3),
            _ => "none".into(),
        };
        let lyngk = matches!(Setup::of(id), Setup::Lyngk(..));
        let setup = if lyngk { format!("shuffle {seed}") } else { String::new() };
        must_agree(&mut Pair::new(id, &handicap, &setup), seed);
    }
}

/// Half of the games of an id in each of two threads: the machines have two cores.
fn both_agree(id: Id) {
    let half = games() / 2;
    thread::scope(|scope| {
        scope.spawn(|| games_of(id, 0..half));
        games_of(id, half..games());
    });
}

macro_rules! both_agree_on {
    ($($name:ident: $id:ident;)*) => {
        $(#[test]
        fn $name() {
            both_agree(Id::$id);
        })*
    };
}
both_agree_on! {
    gipf_basic: GipfBasic;
    gipf: Gipf;
    gipf_tournament: GipfTournament;
    yinsh: Yinsh;
    yinsh_blitz: YinshBlitz;
    dvonn: Dvonn;
    lyngk: Lyngk;
    lyngk_six: LyngkSix;
    glux_2: Glux2;
    glux_3: Glux3;
    glux_4: Glux4;
}

/// The rare positions: along each script, and some random games from its end and from inside.
#[test]
fn from_rare_positions() {
    for script in rare::all() {
        let id = Id::parse(script.id.as_bytes()).expect("a script names its game");
        let name = format!("{}-{}", script.id, script.kind);
        for back in [0, 1, 2, 3, 5, 8] {
            for seed in 0..games() / 20 {
                let mut pair = Pair::new(id, &script.handicap, &script.setup);
                for step in &script.steps[..script.steps.len().saturating_sub(back)] {
                    let agreed = if back + seed as usize == 0 { pair.agree() } else { Ok(()) };
                    let played = agreed.and_then(|()| pair.play(step));
                    played.unwrap_or_else(|e| panic!("{name}, at {step}: {e}"));
                }
                must_agree(&mut pair, seed);
            }
        }
    }
}

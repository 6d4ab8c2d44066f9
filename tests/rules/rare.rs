//! Scripted games that end in positions random play seldom or never reaches.
//!
//! Each file of `data/rare` is named after its id and what is rare at its end, `yinsh-pass.game`.
//! First line: id and set-up (LYNGK) or handicap (`gipf-basic`); then steps, separated by white
//! space; `;` starts a comment up to the end of the line. The scripts were found by random search
//! with the second implementation, most by choosing at random, those of players who cannot move by
//! preferring steps that leave few moves. A test below checks that each shows what its name says.

use crate::reference::{Reference, Setup, new};
use std::collections::BTreeSet;
use std::{fs, path::Path};

/// One scripted game.
pub(crate) struct Rare {
    /// What is rare at the end.
    pub(crate) kind: String,
    pub(crate) id: String,
    pub(crate) handicap: String,
    pub(crate) setup: String,
    pub(crate) steps: Vec<String>,
}

impl Rare {
    fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).expect("a script can be read");
        let (first, rest) = text.split_once('\n').expect("a first line");
        let (id, more) = first.split_once(' ').unwrap_or((first, ""));
        let (handicap, setup) =
            if id == "gipf-basic" && !more.is_empty() { (more, "") } else { ("none", more) };
        let name = path.file_stem().expect("a name").to_string_lossy();
        let kind = name.strip_prefix(id).and_then(|kind| kind.strip_prefix('-'));
        let lines = rest.lines().map(|line| line.split(';').next().expect("a first part"));
        Self {
            kind: kind.expect("id-kind.game").into(),
            id: id.into(),
            handicap: handicap.into(),
            setup: setup.into(),
            steps: lines.flat_map(str::split_whitespace).map(String::from).collect(),
        }
    }

    /// The game at its set-up.
    pub(crate) fn start(&self) -> Box<dyn Reference> {
        new(&Setup { id: &self.id, handicap: &self.handicap, setup: &self.setup })
    }
}

/// All scripts, in the order of their names.
pub(crate) fn all() -> Vec<Rare> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules/data/rare");
    let files = fs::read_dir(folder).expect("the folder of scripts");
    let paths = files.map(|file| file.expect("an entry").path()).collect::<BTreeSet<_>>();
    paths.iter().map(|path| Rare::read(path)).collect()
}

/// A position, the step played there and what came of it.
struct Last<'a> {
    before: &'a dyn Reference,
    step: &'a str,
    after: &'a dyn Reference,
}

fn is_claim(step: &str) -> bool {
    step.chars().all(|letter| letter.is_ascii_uppercase())
}

fn has_to_take(game: &dyn Reference) -> bool {
    game.moves().first().is_some_and(|step| step.starts_with('x'))
}

/// The runs or rows to take, whatever is left standing.
fn runs(game: &dyn Reference) -> BTreeSet<String> {
    game.moves().iter().map(|step| step.split('+').next().expect("a run").into()).collect()
}

/// The points named as left standing.
fn left_standing(step: &str) -> impl Iterator<Item = &str> {
    step.split('+').skip(1)
}

/// The words of the position line behind the bar.
fn rest(game: &dyn Reference) -> Vec<String> {
    let line = game.board();
    let (_, rest) = line.split_once("| ").expect("a bar");
    rest.split(' ').map(String::from).collect()
}

/// Contents of the points.
fn contents(game: &dyn Reference) -> Vec<String> {
    let line = game.board();
    let (points, _) = line.split_once('|').expect("a bar");
    points.split_whitespace().filter_map(|word| Some(word.split_once(':')?.1.into())).collect()
}

impl Last<'_> {
    fn is_taking(&self) -> bool {
        self.step.starts_with('x')
    }

    fn same_player_goes_on(&self) -> bool {
        self.after.turn() == self.before.turn()
    }

    fn is_over(&self) -> bool {
        self.after.turn() == 0
    }

    /// A move or a chip ended the turn, which does not go to the next in order.
    fn passes_somebody(&self) -> bool {
        let players = self.before.score().len() as u8;
        self.step.contains(['-', '='])
            && !self.is_taking()
            && !self.is_over()
            && !has_to_take(self.after)
            && self.after.turn() != self.before.turn() % players + 1
    }

    /// A GIPF-piece too many came off while another row, of which nothing came off, still stood:
    /// taking that one first would not have touched this one.
    fn leaves_a_row(&self) -> bool {
        let run = self.step.split('+').next();
        let others = self.before.moves().into_iter().filter(|other| other.split('+').next() != run);
        let mut untouched = others.map(|other| {
            let mut game = self.before.clone_box();
            game.step(&other);
            game.moves().iter().any(|step| step == self.step)
        });
        let last = ["W", "B"].iter().any(|piece| !contents(self.after).contains(&(*piece).into()));
        self.is_taking() && last && untouched.any(|untouched| untouched)
    }

    /// The mover's highest stack has a colour that was claimed after it was full.
    fn has_claimed_obstacle(&self, height: usize) -> bool {
        let claims = &rest(self.after)[usize::from(self.after.turn())];
        is_claim(self.step)
            && contents(self.after)
                .iter()
                .any(|stack| stack.len() == height && claims.contains(&stack[height - 1..]))
    }

    fn shared_best_score(&self) -> bool {
        let score = self.after.score();
        let best = score.iter().max();
        self.is_over() && score.iter().filter(|&points| Some(points) == best).count() > 1
    }

    fn shows(&self, id: &str, kind: &str) -> bool {
        let (before, step, after) = (self.before, self.step, self.after);
        let pool_is_empty = || rest(after)[1] == "0";
        match kind {
            // GIPF
            "crossing-gipf" => {
                let next = after.moves();
                self.same_player_goes_on()
                    && left_standing(step)
                        .any(|p| next.iter().any(|step| left_standing(step).any(|q| p == q)))
            }
            "crossing-rows" => {
                runs(before).len() > 1 && !(has_to_take(after) && self.same_player_goes_on())
            }
            "two-rows" => {
                runs(before).len() > 1 && has_to_take(after) && self.same_player_goes_on()
            }
            "both-last" => {
                after.result() == format!("p{}win", 3 - before.turn())
                    && contents(after).iter().all(|piece| piece == "w" || piece == "b")
            }
            "rows-left-over" => self.is_over() && self.leaves_a_row(),
            "reserve-saved" => {
                has_to_take(after)
                    && !self.same_player_goes_on()
                    && rest(after)[usize::from(after.turn())] == "0"
            }
            "reserve-lost" => !self.is_taking() && self.is_over(),
            // GIPF and YINSH
            "rows-for-both" => {
                self.is_taking() && has_to_take(after) && !self.same_player_goes_on()
            }
            // YINSH
            "empty-pool" => self.is_over() && pool_is_empty(),
            "last-marker" => has_to_take(after) && pool_is_empty(),
            "long-run" => !self.is_taking() && has_to_take(after) && runs(after).len() > 1,
            "second-row" => {
                has_to_take(before) && has_to_take(after) && after.moves()[0].contains('-')
            }
            // Whoever would be next passes.
            "pass" => self.passes_somebody(),
            // DVONN
            "first-pass" => !step.contains('-') && after.turn() == 2,
            // LYNGK
            "claims-only" => !self.is_over() && after.moves().iter().all(|step| is_claim(step)),
            "obstacle" => self.has_claimed_obstacle(if id == "lyngk" { 5 } else { 6 }),
            "six" => self.is_over() && after.score() != before.score(),
            "tie-break" | "middle" => after.result().starts_with('p') && self.shared_best_score(),
            "draw" => after.result() == "draw",
            // GLÜX
            "share" => after.result().starts_with("share"),
            "kind-used-up" => rest(after)[usize::from(after.turn())].contains('0'),
            "no-chip" => rest(after).iter().any(|bag| bag == "0/0/0"),
            _ => panic!("{id}: no check for {kind}"),
        }
    }
}

/// A row of GIPF-pieces only was left standing and is a step again after the next push (G17).
fn is_left_and_found_again(rare: &Rare) -> bool {
    let mut game = rare.start();
    let mut left = None;
    for step in &rare.steps {
        let before = game.board();
        game.step(step);
        if step.starts_with('x') && game.board() == before {
            left = Some(step);
        }
    }
    left.is_some_and(|step| game.moves().contains(step))
}

/// A player passed some time ago and is now to act again (D10).
fn is_back_after_pass(rare: &Rare) -> bool {
    let mut game = rare.start();
    let mut passed = 0;
    for step in &rare.steps {
        let before = game.clone_box();
        game.step(step);
        if (Last { before: &*before, step, after: &*game }).passes_somebody() {
            passed = 3 - game.turn();
        }
    }
    game.turn() == passed
}

#[test]
fn scripts_end_in_what_their_names_say() {
    for rare in all() {
        let mut game = rare.start();
        let (last, steps) = rare.steps.split_last().expect("a script has steps");
        for step in steps {
            game.step(step);
        }
        let before = game.clone_box();
        game.step(last);
        let shown = match &rare.kind[..] {
            "gipf-row-left" => is_left_and_found_again(&rare),
            "back-again" => is_back_after_pass(&rare),
            kind => Last { before: &*before, step: last, after: &*game }.shows(&rare.id, kind),
        };
        assert!(shown, "{} {}: {}", rare.id, rare.kind, game.board());
        assert_eq!(game.moves().is_empty(), game.result() != "none", "{}", rare.kind);
    }
}

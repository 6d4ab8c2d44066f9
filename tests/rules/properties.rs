//! What holds in every position that can be reached, for whatever seed.

use std::collections::BTreeMap;

use board_sim::{record, text};
use lodestone::games::any::{Position, Setup};
use lodestone::games::{Game, Id, lyngk};
use lodestone::geometry::{Board, Cell, Playfield};
use lodestone::random::SplitMix64;
use proptest::prelude::*;
use proptest::sample::select;

/// The positions of a random game, at most so many steps long.
fn walk(setup: Setup, seed: u64, length: usize) -> Vec<Position> {
    let mut random = SplitMix64::new(seed);
    let mut positions = vec![setup.position()];
    for _ in 0..length {
        let mut position = *positions.last().expect("the set-up");
        let count = position.step_count();
        if count == 0 {
            break;
        }
        let step = position.steps().nth(random.below(count)).expect("there are so many");
        position.play(step).expect("steps() gives legal steps");
        positions.push(position);
    }
    positions
}

fn setup_of(id: Id, seed: u64) -> Setup {
    match Setup::of(id) {
        Setup::Lyngk(variant, _) => Setup::Lyngk(variant, lyngk::Deal::shuffle(seed)),
        setup => setup,
    }
}

/// The pieces on the board by letter, and the numbers behind the bar.
fn contents(position: &Position) -> (BTreeMap<char, usize>, Vec<usize>) {
    let line = text::position(position);
    let (board, rest) = line.split_once('|').expect("a position line has a bar");
    let mut pieces = BTreeMap::new();
    for word in board.split_whitespace() {
        let (_, content) = word.split_once(':').expect("point:content");
        content.chars().for_each(|piece| *pieces.entry(piece).or_default() += 1);
    }
    let numbers = rest.split([' ', '/']).filter_map(|word| word.parse().ok()).collect();
    (pieces, numbers)
}

/// Everything that can be counted is still there.
fn pieces_are_conserved(position: &Position) -> Result<(), TestCaseError> {
    let (pieces, numbers) = contents(position);
    let on_board = |letter: char| pieces.get(&letter).copied().unwrap_or(0);
    match position {
        Position::Gipf(_) => {
            let all = if position.id() == Id::GipfBasic { 15 } else { 18 };
            let white = on_board('w') + 2 * on_board('W') + numbers[0] + numbers[2];
            let black = on_board('b') + 2 * on_board('B') + numbers[1] + numbers[3];
            prop_assert_eq!((white, black), (all, all));
        }
        Position::Yinsh(_) => {
            prop_assert_eq!(on_board('w') + on_board('b') + numbers[0], 51);
            prop_assert!(on_board('W') + numbers[1] <= 5 && on_board('B') + numbers[2] <= 5);
        }
        Position::Dvonn(_) => {
            let counts = (on_board('w') <= 23, on_board('b') <= 23, on_board('r') <= 3);
            prop_assert_eq!(counts, (true, true, true));
            // Nothing is taken out during the placing, and reds never are.
            let placed = on_board('w') + on_board('b') + on_board('r');
            prop_assert!(numbers[0] == 0 || placed + numbers[0] == 49);
            prop_assert!(numbers[0] > 46 || on_board('r') == 3);
        }
        Position::Lyngk(_) => {
            let taken: usize = numbers.iter().sum();
            prop_assert_eq!(pieces.values().sum::<usize>() + 5 * taken, 43);
        }
        Position::Glux(_) => {
            // Two digits a chip on the board; the bags hold the rest of 24 chips a player.
            let chips = pieces.values().sum::<usize>() / 2;
            let bags: usize = numbers.iter().sum();
            prop_assert_eq!(chips + bags, 24 * position.id().player_count());
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn positions_stay_valid(id in select(&Id::ALL[..]), seed: u64, length in 0..400usize) {
        for position in walk(setup_of(id, seed), seed, length) {
            pieces_are_conserved(&position)?;
            prop_assert_eq!(position.step_count() == 0, position.outcome().is_some());
            prop_assert_eq!(position.turn().is_none(), position.outcome().is_some());
            prop_assert_eq!(position.step_count(), position.steps().count());
        }
    }

    #[test]
    fn texts_round_trip(id in select(&Id::ALL[..]), seed: u64, length in 0..200usize) {
        let positions = walk(setup_of(id, seed), seed, length);
        let position = positions.last().expect("the set-up");
        for step in position.steps() {
            let written = text::step(position, step);
            prop_assert_eq!(position.parse_step(written.as_bytes()), Ok(step), "{}", written);
        }
    }

    #[test]
    fn any_bytes_are_a_step_or_an_error(id in select(&Id::ALL[..]), bytes: Vec<u8>, seed: u64) {
        let positions = walk(setup_of(id, seed), seed, 60);
        let position = positions.last().expect("the set-up");
        match position.parse_step(&bytes) {
            Ok(step) => prop_assert_eq!(text::step(position, step).into_bytes(), bytes),
            Err(error) => prop_assert!(error.at <= bytes.len()),
        }
    }

    #[test]
    fn records_round_trip(id in select(&Id::ALL[..]), seed: u64, length in 0..200usize) {
        let setup = setup_of(id, seed);
        let positions = walk(setup, seed, length);
        let mut game = record::Record::new(id, setup);
        for pair in positions.windows(2) {
            let step = pair[0].steps().find(|&step| {
                let mut after = pair[0];
                after.play_unchecked(step);
                after == pair[1]
            });
            game.steps.push(step.expect("some step led on"));
        }
        game.result = text::result(positions.last().expect("the set-up"));
        game.tags.push(("Place".into(), "a \"quoted\" place \\ with a bar".into()));
        let read = record::read(&game.to_string());
        prop_assert_eq!(read, Ok(vec![game]));
    }

    /// Turning or mirroring the board, where it looks the same, commutes with play.
    #[test]
    fn symmetries_commute_with_play(
        id in select(&[Id::GipfTournament, Id::Gipf, Id::Yinsh, Id::Dvonn, Id::Lyngk, Id::LyngkSix][..]),
        turn in 0..6usize,
        mirror: bool,
        seed: u64,
        length in 0..150usize,
    ) {
        let Some(symmetry) = Symmetry::new(id, turn, mirror) else { return Ok(()) };
        let setup = setup_of(id, seed);
        let mut twin = symmetry.setup(setup).position();
        for pair in walk(setup, seed, length).windows(2) {
            let mut moves: Vec<String> =
                text::steps(&pair[0]).iter().map(|step| symmetry.text(step)).collect();
            moves.sort_unstable();
            prop_assert_eq!(moves, text::steps(&twin));
            let played = pair[0].steps().find(|&step| {
                let mut after = pair[0];
                after.play_unchecked(step);
                after == pair[1]
            });
            let step = symmetry.text(&text::step(&pair[0], played.expect("some step led on")));
            let parsed = twin.parse_step(step.as_bytes());
            twin.play(parsed.expect("a step text")).expect("the turned step is legal");
            prop_assert_eq!(symmetry.position(&text::position(&pair[1])), text::position(&twin));
        }
    }
}

/// A turn by so many sixths, after a reflection or not, of a board on the hex playfield.
struct Symmetry {
    board: &'static Board,
    turn: usize,
    mirror: bool,
}

impl Symmetry {
    /// `None` where the board (or the set-up on it) does not look the same afterwards.
    fn new(id: Id, turn: usize, mirror: bool) -> Option<Symmetry> {
        let board = Setup::of(id).position().board();
        let symmetry = Symmetry { board, turn, mirror };
        // GIPF's set-up looks the same after turns by thirds only.
        let same_setup = id != Id::Gipf || (turn.is_multiple_of(2) && !mirror);
        (same_setup && board.cells().all(|cell| symmetry.maybe_cell(cell).is_some()))
            .then_some(symmetry)
    }

    fn maybe_cell(&self, cell: Cell) -> Option<Cell> {
        let (column, row) = Playfield::Hex.place(self.board.point(cell));
        // Cube coordinates from the centre; a sixth of a turn is (q, r, s) -> (-r, -s, -q).
        let (mut q, mut r) = (column - 5, row - column - 1);
        if self.mirror {
            (q, r) = (-q, q + r);
        }
        for _ in 0..self.turn {
            (q, r) = (-r, q + r);
        }
        self.board.cell(Playfield::Hex.at(q + 5, r + q + 6)?)
    }

    fn name(&self, name: &str) -> String {
        let cell = self.board.parse(name.as_bytes()).expect("a point");
        self.board.name(self.maybe_cell(cell).expect("a symmetry of the board")).to_string()
    }

    /// In point order.
    fn names<'a>(&self, names: impl Iterator<Item = &'a str>) -> Vec<String> {
        let mut names: Vec<String> = names.map(|name| self.name(name)).collect();
        names.sort_by_key(|name| self.board.parse(name.as_bytes()));
        names
    }

    fn text(&self, step: &str) -> String {
        let at = step.find(|c: char| c.is_ascii_lowercase() && c != 'x').unwrap_or(step.len());
        let (kind, points) = step.split_at(at);
        let mut parts = points.split('+');
        let ends = parts.next().unwrap_or_default();
        if ends.is_empty() {
            return step.into();
        }
        let ends = match kind {
            "x" => self.names(ends.split('-')),
            _ => ends.split('-').map(|name| self.name(name)).collect(),
        };
        let left = self.names(parts);
        let left = left.iter().flat_map(|name| ["+", name]).collect::<String>();
        format!("{kind}{}{left}", ends.join("-"))
    }

    fn position(&self, line: &str) -> String {
        let (board, rest) = line.split_once('|').expect("a position line has a bar");
        let mut words: Vec<(Cell, String)> = board
            .split_whitespace()
            .map(|word| {
                let (point, content) = word.split_once(':').expect("point:content");
                let name = self.name(point);
                (self.board.parse(name.as_bytes()).expect("a point"), format!("{name}:{content} "))
            })
            .collect();
        words.sort();
        let board: String = words.into_iter().map(|(_, word)| word).collect();
        format!("{board}|{rest}")
    }

    fn setup(&self, setup: Setup) -> Setup {
        let Setup::Lyngk(variant, deal) = setup else { return setup };
        let letters = deal.to_string();
        let mut turned = letters.clone().into_bytes();
        for (cell, letter) in self.board.cells().zip(letters.bytes()) {
            turned[self.maybe_cell(cell).expect("a symmetry").index()] = letter;
        }
        Setup::Lyngk(variant, lyngk::Deal::parse(&turned).expect("the same letters"))
    }
}

/// The symmetries must be there, or the test above would say nothing.
#[test]
fn boards_have_their_symmetries() {
    let count = |id| {
        let all = (0..6).flat_map(|turn| [(turn, false), (turn, true)]);
        all.filter(|&(turn, mirror)| Symmetry::new(id, turn, mirror).is_some()).count()
    };
    let counts = [Id::GipfTournament, Id::Gipf, Id::Yinsh, Id::Dvonn, Id::Lyngk].map(count);
    assert_eq!(counts, [12, 3, 12, 4, 12]);
}

//! GIPF after `rules/gipf.md`: basic, standard and tournament.

use super::{Point, Reference, distance, lines, name, next, position_line};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The middle spot, e5. Inside, rows are slanted (see [`Point`]); [`own_name`] says what is printed.
const CENTRE: Point = (5, 5);

/// The 21 lines of spots.
static LINES: LazyLock<Vec<Vec<Point>>> = LazyLock::new(|| {
    let all = (1..=9).flat_map(|column| (1..=9).map(move |row| (column, row)));
    lines(&all.filter(|&point| distance(point, CENTRE) <= 3).collect())
});

/// Columns are counted from 1 at their bottom, which rises by one with every column beyond e.
fn own_name(point: Point) -> String {
    name((point.0, point.1 - (point.0 - CENTRE.0).max(0)))
}

fn own_point(text: &str) -> Point {
    let (column, row) = super::point(text);
    (column, row + (column - CENTRE.0).max(0))
}

#[derive(Clone, Copy)]
struct Piece {
    owner: usize,
    gipf: bool,
}

impl Piece {
    /// Basic pieces it is made of.
    fn count(self) -> u32 {
        if self.gipf { 2 } else { 1 }
    }
}

/// A game of GIPF. Players are 0 and 1 inside.
#[derive(Clone)]
pub(crate) struct Gipf {
    tournament: bool,
    /// G20 holds: all but the basic game.
    loses_without: bool,
    board: BTreeMap<Point, Piece>,
    reserve: [u32; 2],
    captured: [u32; 2],
    /// Who has brought in his first piece; from then on G20 holds for him in the tournament.
    entered: [bool; 2],
    /// Who has brought in a basic piece (G10).
    basic_entered: [bool; 2],
    player: usize,
    /// The player has pushed and now takes his rows; before, he takes those made for him (G14).
    has_pushed: bool,
    /// Lines settled in this player's taking, as indices of `LINES` (G17).
    settled: BTreeSet<usize>,
    winner: Option<usize>,
}

impl Gipf {
    /// The set-up of one of the three ids.
    pub(crate) fn new(id: &str, handicap: &str) -> Self {
        let tournament = id == "gipf-tournament";
        let mut game = Self {
            tournament,
            loses_without: id != "gipf-basic",
            board: BTreeMap::new(),
            reserve: if tournament { [18, 18] } else { [12, 12] }, // G1, G2, G3
            captured: [0, 0],
            entered: [!tournament; 2],
            basic_entered: [!tournament; 2],
            player: 0, // G4
            has_pushed: false,
            settled: BTreeSet::new(),
            winner: None,
        };
        if let Some((player, more)) = handicap.split_once('+') {
            let player = player.parse::<usize>().expect("1 or 2");
            game.reserve[player - 1] += more.parse::<u32>().expect("1 to 3");
        }
        if !tournament {
            for (owner, spots) in [(0, ["b5", "e2", "h5"]), (1, ["b2", "e8", "h2"])] {
                for spot in spots {
                    game.board.insert(own_point(spot), Piece { owner, gipf: game.loses_without });
                }
            }
        }
        game
    }

    /// Whether four or more pieces of the player stand next to each other in this run (G11).
    fn holds_row(&self, run: &[Point], player: usize) -> bool {
        run.windows(4).any(|four| four.iter().all(|spot| self.board[spot].owner == player))
    }

    /// The runs the player has to take: line by line, without gaps (G12, G17).
    fn runs_to_take(&self, player: usize) -> Vec<Vec<Point>> {
        let mut runs = vec![];
        for (index, line) in LINES.iter().enumerate() {
            if self.settled.contains(&index) {
                continue;
            }
            for run in line.split(|spot| !self.board.contains_key(spot)) {
                if self.holds_row(run, player) {
                    runs.push(run.to_vec());
                }
            }
        }
        runs
    }

    /// One step for every choice of GIPF-pieces left standing (G16).
    fn takings(&self, run: &[Point]) -> Vec<String> {
        let text = format!("x{}-{}", own_name(run[0]), own_name(run[run.len() - 1]));
        let mut texts = vec![text];
        for &spot in run {
            if self.board[&spot].gipf {
                let standing = texts.iter().map(|text| format!("{text}+{}", own_name(spot)));
                texts.extend(standing.collect::<Vec<_>>());
            }
        }
        texts
    }

    /// Both ends of every line that is not full (G5 to G8).
    fn pushes(&self) -> Vec<String> {
        let mut texts = vec![];
        for line in LINES.iter() {
            if line.iter().all(|spot| self.board.contains_key(spot)) {
                continue; // G7
            }
            for (first, second) in
                [(line[0], line[1]), (line[line.len() - 1], line[line.len() - 2])]
            {
                let dot = (2 * first.0 - second.0, 2 * first.1 - second.1);
                texts.push(format!("{}-{}", own_name(dot), own_name(first)));
            }
        }
        texts
    }

    fn push(&mut self, text: &str) {
        let gipf = text.starts_with('G');
        let (dot, spot) = text.trim_start_matches('G').split_once('-').expect("dot-spot");
        let (dot, mut spot) = (own_point(dot), own_point(spot));
        let direction = (spot.0 - dot.0, spot.1 - dot.1);
        let piece = Piece { owner: self.player, gipf };
        // G6: each piece of the unbroken run goes to where the next one stood.
        let mut pushed = self.board.insert(spot, piece);
        while let Some(piece) = pushed {
            spot = next(spot, direction);
            pushed = self.board.insert(spot, piece);
        }
        self.reserve[self.player] -= piece.count(); // G9
        self.entered[self.player] = true;
        self.basic_entered[self.player] |= !gipf;
        self.has_pushed = true;
        self.settled.clear(); // G17: looked at again after the next push
    }

    fn take(&mut self, text: &str) {
        let mut points = text[1..].split(['-', '+']).map(own_point);
        let (first, last) = (points.next().expect("one end"), points.next().expect("other end"));
        let standing = points.collect::<Vec<_>>();
        let (index, line) = LINES
            .iter()
            .enumerate()
            .find(|(_, line)| line.contains(&first) && line.contains(&last))
            .expect("both ends lie on a line");
        for spot in line.iter().filter(|&&spot| first <= spot && spot <= last) {
            if standing.contains(spot) {
                continue;
            }
            let piece = self.board.remove(spot).expect("a run has no gaps");
            if piece.owner == self.player {
                self.reserve[piece.owner] += piece.count(); // G12
            } else {
                self.captured[piece.owner] += piece.count();
            }
        }
        self.settled.insert(index); // G17
        // G20, G22: after every taking; the taker first, so that he loses if both have none.
        for loser in [self.player, 1 - self.player] {
            if self.loses_without && self.winner.is_none() && !self.has_gipf(loser) {
                self.winner = Some(1 - loser);
            }
        }
    }

    /// G20; true as well for a player of the tournament game who has not yet begun.
    fn has_gipf(&self, player: usize) -> bool {
        !self.entered[player]
            || self.board.values().any(|piece| piece.owner == player && piece.gipf)
    }

    /// Goes on to the next decision (G13, G14, G19).
    fn advance(&mut self) {
        if self.winner.is_some() || !self.runs_to_take(self.player).is_empty() {
            return;
        }
        if self.has_pushed {
            self.player = 1 - self.player;
            self.has_pushed = false;
            self.settled.clear();
            self.advance();
        } else if self.reserve[self.player] == 0 {
            self.winner = Some(1 - self.player); // G19, G22
        }
    }
}

impl Reference for Gipf {
    fn legal(&self) -> Vec<String> {
        if self.winner.is_some() {
            return vec![];
        }
        let runs = self.runs_to_take(self.player);
        if !runs.is_empty() {
            return runs.iter().flat_map(|run| self.takings(run)).collect();
        }
        let pushes = self.pushes();
        let mut steps = vec![];
        // G10: the first piece is a GIPF-piece; none after the first basic piece.
        if self.entered[self.player] {
            steps.extend(pushes.iter().cloned());
        }
        if self.tournament && !self.basic_entered[self.player] && self.reserve[self.player] >= 2 {
            steps.extend(pushes.iter().map(|push| format!("G{push}")));
        }
        steps
    }

    fn play(&mut self, text: &str) {
        if text.starts_with('x') {
            self.take(text);
        } else {
            self.push(text);
        }
        self.advance();
    }

    fn turn(&self) -> u8 {
        if self.winner.is_some() { 0 } else { self.player as u8 + 1 }
    }

    fn result(&self) -> String {
        self.winner.map_or("none".into(), |winner| format!("p{}win", winner + 1))
    }

    fn score(&self) -> Vec<u32> {
        let on_board = |player| {
            let own = self.board.values().filter(move |piece| piece.owner == player);
            own.map(|piece| piece.count()).sum::<u32>()
        };
        (0..2).map(|player| on_board(player) + self.reserve[player]).collect()
    }

    fn board(&self) -> String {
        let content = |piece: &Piece| match (piece.owner, piece.gipf) {
            (0, false) => 'w',
            (0, true) => 'W',
            (_, false) => 'b',
            (_, true) => 'B',
        };
        let contents = self.board.iter();
        let contents = contents.map(|(&p, piece)| format!("{}:{}", own_name(p), content(piece)));
        let ([r1, r2], [c1, c2]) = (self.reserve, self.captured);
        position_line(
            &contents.collect::<Vec<_>>(),
            &format!("reserve {r1} {r2} captured {c1} {c2}"),
        )
    }

    fn clone_box(&self) -> Box<dyn Reference> {
        Box::new(self.clone())
    }
}

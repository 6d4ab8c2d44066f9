//! GLÜX after `rules/glux.md`: two, three and four players.

use super::{Point, Reference, name, next, point, position_line};
use std::collections::BTreeMap;

/// The way a board looks: last square, start marks by player, rooms as squares and rectangles.
struct Plan {
    last: &'static str,
    starts: &'static [&'static str],
    rooms: [&'static str; 9],
}

const SMALL_ROOMS: [&str; 9] = [
    "a1-b2",
    "e1-i1 e2 g2 i2",
    "l1-m2",
    "b4-c6 d5",
    "f4-h6",
    "k4-l6 j5",
    "a8-b9",
    "e9-i9 e8 g8 i8",
    "l8-m9",
]; // X2
const LARGE_ROOMS: [&str; 9] = [
    "a1-b2",
    "g3-i4 h5",
    "n1-o2",
    "c7-d9 e8",
    "g7-i9",
    "l7-m9 k8",
    "a14-b15",
    "g12-i13 h11",
    "n14-o15",
]; // X1
const MIDDLE_ROOM: usize = 4;

/// X1 to X3, by number of players from two.
static PLANS: [Plan; 3] = [
    Plan { last: "m9", starts: &["a1", "m9"], rooms: SMALL_ROOMS },
    Plan { last: "o15", starts: &["a1", "h15", "o1"], rooms: LARGE_ROOMS },
    Plan { last: "o15", starts: &["a1", "a15", "o15", "o1"], rooms: LARGE_ROOMS },
];

/// Which of the kinds 1/6, 2/5, 3/4 shows this face.
fn kind(spots: usize) -> usize {
    [0, 1, 2, 2, 1, 0][spots - 1]
}

fn room_contains(room: &str, p: Point) -> bool {
    room.split(' ').any(|part| {
        let (low, high) = part.split_once('-').unwrap_or((part, part));
        let (low, high) = (point(low), point(high));
        (low.0..=high.0).contains(&p.0) && (low.1..=high.1).contains(&p.1)
    })
}

#[derive(Clone, Copy)]
struct Chip {
    owner: usize,
    spots: usize,
}

/// A game of GLÜX. Players count from 0 inside.
#[derive(Clone)]
pub(crate) struct Glux {
    plan: &'static Plan,
    /// Bottom to top.
    squares: BTreeMap<Point, Vec<Chip>>,
    /// Chips not yet on the board by kind.
    bags: Vec<[u32; 3]>,
    /// Start chips placed so far.
    started: usize,
    player: usize,
    is_over: bool,
}

impl Glux {
    /// An empty board for so many players.
    pub(crate) fn new(players: usize) -> Self {
        Self {
            plan: &PLANS[players - 2],
            squares: BTreeMap::new(),
            bags: vec![[8, 8, 8]; players],
            started: 0,
            player: 0,
            is_over: false,
        }
    }

    fn players(&self) -> usize {
        self.plan.starts.len()
    }

    fn is_on_board(&self, p: Point) -> bool {
        let last = point(self.plan.last);
        (1..=last.0).contains(&p.0) && (1..=last.1).contains(&p.1)
    }

    /// Where the count from a chip ends, if nothing stands in the way (X7, X8).
    fn count_from(&self, chip: Point, spots: usize, direction: Point) -> Option<Point> {
        let mut p = chip;
        for count in 1..=spots {
            p = next(p, direction);
            if !self.is_on_board(p) || (count < spots && self.squares.contains_key(&p)) {
                return None;
            }
        }
        Some(p)
    }

    /// X9, X10.
    fn may_place(&self, player: usize, p: Point) -> bool {
        let chips = self.squares.get(&p).map_or(0, Vec::len);
        let starts = self.plan.starts.iter().enumerate();
        let mut others = starts.filter(|&(owner, _)| owner != player);
        chips == 0 || chips == 1 && others.all(|(_, start)| point(start) != p)
    }

    fn placements(&self, player: usize) -> Vec<String> {
        let mut steps = vec![];
        for (&square, chips) in &self.squares {
            let upper = chips[chips.len() - 1]; // X11
            if upper.owner != player {
                continue;
            }
            for direction in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
                if let Some(end) = self.count_from(square, upper.spots, direction)
                    && self.may_place(player, end)
                {
                    steps.extend(self.faces(player, &name(end)));
                }
            }
        }
        steps.sort();
        steps.dedup();
        steps
    }

    /// The square with every face the player still has (X6).
    fn faces(&self, player: usize, square: &str) -> Vec<String> {
        let left = (1..=6).filter(|&spots| self.bags[player][kind(spots)] > 0);
        left.map(|spots| format!("{square}={spots}")).collect()
    }

    /// Spots of each player's upper chips in a room (X14).
    fn spots_in(&self, room: &str) -> Vec<usize> {
        let mut spots = vec![0; self.players()];
        for (&square, chips) in &self.squares {
            if room_contains(room, square) {
                let upper = chips[chips.len() - 1];
                spots[upper.owner] += upper.spots;
            }
        }
        spots
    }

    /// X15 to X17.
    fn points_in(&self, room: &str) -> Vec<u32> {
        let spots = self.spots_in(room);
        let better = |own: usize| spots.iter().filter(|&&other| other > own).count();
        let points = |&own: &usize| match (own, better(own)) {
            (0, _) => 0, // X17
            (_, 0) => 4,
            (_, 1) if self.players() > 2 => 2, // with more than one better, two tied for the most
            _ => 0,
        };
        spots.iter().map(points).collect()
    }

    /// X18: the players with the most points and, among these, the most spots in the middle.
    fn winners(&self) -> Vec<usize> {
        let middle = self.spots_in(self.plan.rooms[MIDDLE_ROOM]);
        let ranks = self.score().into_iter().zip(middle).collect::<Vec<_>>();
        let best = ranks.iter().max().expect("there are players");
        (0..self.players()).filter(|&player| ranks[player] == *best).collect()
    }
}

impl Reference for Glux {
    fn legal(&self) -> Vec<String> {
        if self.is_over {
            vec![]
        } else if self.started < self.players() {
            self.faces(self.player, self.plan.starts[self.player]) // X5
        } else {
            self.placements(self.player)
        }
    }

    fn play(&mut self, text: &str) {
        let (square, spots) = text.split_once('=').expect("point=spots");
        let chip = Chip { owner: self.player, spots: spots.parse().expect("1 to 6") };
        self.squares.entry(point(square)).or_default().push(chip);
        self.bags[self.player][kind(chip.spots)] -= 1;
        self.started = (self.started + 1).min(self.players());
        // The next who can place; the others pass (X12). Nobody: the end (X13).
        for _ in 0..self.players() {
            self.player = (self.player + 1) % self.players(); // X4
            if !self.legal().is_empty() {
                return;
            }
        }
        self.is_over = true;
    }

    fn turn(&self) -> u8 {
        if self.is_over { 0 } else { self.player as u8 + 1 }
    }

    fn result(&self) -> String {
        match (self.is_over, &self.winners()[..]) {
            (false, _) => "none".into(),
            (true, &[winner]) => format!("p{}win", winner + 1),
            (true, _) if self.players() == 2 => "draw".into(),
            (true, several) => {
                let numbers = several.iter().map(|player| format!("-{}", player + 1));
                format!("share{}", numbers.collect::<String>())
            }
        }
    }

    fn score(&self) -> Vec<u32> {
        let mut score = vec![0; self.players()];
        for room in self.plan.rooms {
            for (sum, points) in score.iter_mut().zip(self.points_in(room)) {
                *sum += points;
            }
        }
        score
    }

    fn board(&self) -> String {
        let content = |chip: &Chip| format!("{}{}", chip.owner + 1, chip.spots);
        let contents = self.squares.iter().map(|(&p, chips)| {
            format!("{}:{}", name(p), chips.iter().map(content).collect::<String>())
        });
        let bags = self.bags.iter().map(|[a, b, c]| format!(" {a}/{b}/{c}"));
        position_line(&contents.collect::<Vec<_>>(), &format!("bag{}", bags.collect::<String>()))
    }

    fn clone_box(&self) -> Box<dyn Reference> {
        Box::new(self.clone())
    }
}

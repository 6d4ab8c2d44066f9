//! YINSH after `rules/yinsh.md`: normal and blitz.

use super::position_line;
use super::{DIRECTIONS, Point, Reference, distance, lines, more_wins, name, next, point};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The 85 points: all within five of f6 but the corners.
static POINTS: LazyLock<BTreeSet<Point>> = LazyLock::new(|| {
    let corners = ["a1", "a6", "f1", "f11", "k6", "k11"].map(point);
    let all = (1..=11).flat_map(|column| (1..=11).map(move |row| (column, row)));
    all.filter(|&p| distance(p, point("f6")) <= 5 && !corners.contains(&p)).collect()
});

static LINES: LazyLock<Vec<Vec<Point>>> = LazyLock::new(|| lines(&POINTS));

/// A game of YINSH. Players are 0 and 1 inside.
#[derive(Clone)]
pub(crate) struct Yinsh {
    /// Rings that have to be taken off to win (Y18).
    goal: u32,
    rings: BTreeMap<Point, usize>,
    markers: BTreeMap<Point, usize>,
    pool: u32,
    /// Rings taken off.
    off: [u32; 2],
    /// Rings placed so far.
    placed: u32,
    player: usize,
    /// The player has moved and now takes his rows; before, he takes those made for him (Y15).
    has_moved: bool,
    /// A row was taken and its ring not yet (Y17).
    owes_ring: bool,
    result: Option<String>,
}

impl Yinsh {
    /// An empty board (Y1).
    pub(crate) fn new(goal: u32) -> Self {
        Self {
            goal,
            rings: BTreeMap::new(),
            markers: BTreeMap::new(),
            pool: 51,
            off: [0, 0],
            placed: 0,
            player: 0,
            has_moved: false,
            owes_ring: false,
            result: None,
        }
    }

    fn is_vacant(&self, p: Point) -> bool {
        POINTS.contains(&p) && !self.rings.contains_key(&p) && !self.markers.contains_key(&p)
    }

    /// Where the ring can go (Y4 to Y8).
    fn destinations(&self, ring: Point) -> Vec<Point> {
        let mut ends = vec![];
        for direction in DIRECTIONS {
            let mut p = next(ring, direction);
            while self.is_vacant(p) {
                ends.push(p); // Y5
                p = next(p, direction);
            }
            if self.markers.contains_key(&p) {
                while self.markers.contains_key(&p) {
                    p = next(p, direction);
                }
                if self.is_vacant(p) {
                    ends.push(p); // Y6, Y7
                }
            }
        }
        ends
    }

    fn rings_of(&self, player: usize) -> Vec<Point> {
        self.rings.iter().filter(|&(_, &owner)| owner == player).map(|(&p, _)| p).collect()
    }

    /// All ring moves, whether or not the pool has a marker for them.
    fn ring_moves(&self, player: usize) -> Vec<String> {
        let rings = self.rings_of(player).into_iter();
        let pairs =
            rings.flat_map(|ring| self.destinations(ring).into_iter().map(move |p| (ring, p)));
        pairs.map(|(ring, p)| format!("{}-{}", name(ring), name(p))).collect()
    }

    /// Every five neighbours of the player's colour on one line (Y11, Y13).
    fn rows(&self, player: usize) -> Vec<String> {
        let fives = LINES.iter().flat_map(|line| line.windows(5));
        let own = fives.filter(|five| five.iter().all(|p| self.markers.get(p) == Some(&player)));
        own.map(|five| format!("x{}-{}", name(five[0]), name(five[4]))).collect()
    }

    fn move_ring(&mut self, from: Point, to: Point) {
        self.rings.remove(&from);
        self.rings.insert(to, self.player);
        let direction = ((to.0 - from.0).signum(), (to.1 - from.1).signum());
        let mut p = next(from, direction);
        while p != to {
            if let Some(owner) = self.markers.get_mut(&p) {
                *owner = 1 - *owner; // Y9
            }
            p = next(p, direction);
        }
        self.markers.insert(from, self.player); // Y3
        self.pool -= 1;
        self.has_moved = true;
    }

    fn take_row(&mut self, first: Point, last: Point) {
        let direction = ((last.0 - first.0).signum(), (last.1 - first.1).signum());
        let mut p = first;
        for _ in 0..5 {
            self.markers.remove(&p);
            p = next(p, direction);
        }
        self.pool += 5; // Y12
        self.owes_ring = true;
    }

    fn take_ring(&mut self, ring: Point) {
        self.rings.remove(&ring);
        self.off[self.player] += 1;
        self.owes_ring = false;
        if self.off[self.player] == self.goal {
            self.result = Some(format!("p{}win", self.player + 1)); // Y18
        }
    }

    /// Goes on to the next decision.
    fn advance(&mut self) {
        if self.result.is_some() || self.owes_ring || !self.rows(self.player).is_empty() {
            return; // Y12, Y14
        }
        if self.has_moved {
            self.player = 1 - self.player; // Y15, Y16: now the other takes, then moves
            self.has_moved = false;
            self.advance();
        } else if self.pool == 0 {
            self.result = Some(more_wins(&self.off[0], &self.off[1])); // Y20
        } else if self.ring_moves(self.player).is_empty() {
            self.player = 1 - self.player; // Y10
            if self.ring_moves(self.player).is_empty() {
                self.result = Some(more_wins(&self.off[0], &self.off[1]));
            }
        }
    }
}

impl Reference for Yinsh {
    fn legal(&self) -> Vec<String> {
        if self.result.is_some() {
            return vec![];
        }
        if self.placed < 10 {
            return POINTS.iter().filter(|&&p| self.is_vacant(p)).map(|&p| name(p)).collect(); // Y2
        }
        if self.owes_ring {
            return self.rings_of(self.player).iter().map(|&p| format!("x{}", name(p))).collect();
        }
        let rows = self.rows(self.player);
        if rows.is_empty() { self.ring_moves(self.player) } else { rows }
    }

    fn play(&mut self, text: &str) {
        let points = text.trim_start_matches('x').split('-').map(point).collect::<Vec<_>>();
        match (text.starts_with('x'), &points[..]) {
            (true, &[first, last]) => self.take_row(first, last),
            (true, &[ring]) => self.take_ring(ring),
            (false, &[from, to]) => self.move_ring(from, to),
            (_, places) => {
                self.rings.insert(places[0], self.player);
                self.placed += 1;
                self.player = 1 - self.player;
            }
        }
        if self.placed == 10 {
            self.advance();
        }
    }

    fn turn(&self) -> u8 {
        if self.result.is_some() { 0 } else { self.player as u8 + 1 }
    }

    fn result(&self) -> String {
        self.result.clone().unwrap_or("none".into())
    }

    fn score(&self) -> Vec<u32> {
        self.off.to_vec()
    }

    fn board(&self) -> String {
        let mut contents = BTreeMap::new();
        contents.extend(self.markers.iter().map(|(&p, &owner)| (p, ["w", "b"][owner])));
        contents.extend(self.rings.iter().map(|(&p, &owner)| (p, ["W", "B"][owner])));
        let contents = contents.iter().map(|(&p, content)| format!("{}:{content}", name(p)));
        position_line(
            &contents.collect::<Vec<_>>(),
            &format!("pool {} rings {} {}", self.pool, self.off[0], self.off[1]),
        )
    }

    fn clone_box(&self) -> Box<dyn Reference> {
        Box::new(self.clone())
    }
}

//! LYNGK after `rules/lyngk.md`: normal and the six variant.

use super::position_line;
use super::{DIRECTIONS, Point, Reference, SplitMix64, distance, more_wins, name, next, point};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

const COLOURS: [char; 5] = ['K', 'B', 'G', 'I', 'R'];
const JOKER: char = 'W';

/// The 43 points in point order: within three of e5, and the tips.
static POINTS: LazyLock<BTreeSet<Point>> = LazyLock::new(|| {
    let all = (1..=9).flat_map(|column| (1..=9).map(move |row| (column, row)));
    let inner = all.filter(|&p| distance(p, point("e5")) <= 3);
    inner.chain(["a3", "c1", "c7", "g3", "g9", "i7"].map(point)).collect()
});

/// The letters of `shuffle SEED`.
pub(crate) fn shuffled(seed: u64) -> String {
    let mut letters = format!("{}WWW", COLOURS.map(|colour| colour.to_string().repeat(8)).concat());
    let mut random = SplitMix64(seed);
    for i in (1..=42).rev() {
        let j = (random.next() % (i as u64 + 1)) as usize;
        let (a, b) = (letters.as_bytes()[i] as char, letters.as_bytes()[j] as char);
        letters.replace_range(i..=i, &b.to_string());
        letters.replace_range(j..=j, &a.to_string());
    }
    letters
}

fn top(stack: &str) -> char {
    stack.chars().last().expect("a stack has pieces")
}

/// A game of LYNGK. Players are 0 and 1 inside.
#[derive(Clone)]
pub(crate) struct Lyngk {
    six: bool,
    /// Bottom to top.
    stacks: BTreeMap<Point, String>,
    /// Colours of each player in the order claimed.
    claims: [String; 2],
    taken: [u32; 2],
    /// Winning stacks of six (L29).
    sixes: [u32; 2],
    player: usize,
    /// The player has claimed in this turn and now has to move (L5, L7).
    has_claimed: bool,
    result: Option<String>,
}

impl Lyngk {
    /// A drawn set-up: 43 letters or `shuffle SEED` (L1).
    pub(crate) fn new(six: bool, setup: &str) -> Self {
        let letters = match (setup, setup.strip_prefix("shuffle ")) {
            ("", _) => shuffled(0),
            (_, Some(seed)) => shuffled(seed.parse().expect("a seed")),
            (letters, None) => letters.into(),
        };
        assert_eq!(letters.len(), 43, "{letters}");
        Self {
            six,
            stacks: POINTS.iter().copied().zip(letters.chars().map(String::from)).collect(),
            claims: [String::new(), String::new()],
            taken: [0, 0],
            sixes: [0, 0],
            player: 0, // L2
            has_claimed: false,
            result: None,
        }
    }

    fn height_max(&self) -> usize {
        if self.six { 6 } else { 5 } // L11, L27
    }

    /// Whether `moving` may end on `target` (L11 to L16, L28).
    fn may_end(&self, moving: &str, target: &str, claimed: bool) -> bool {
        let occurs_twice = |colour| target.contains(colour) && moving.contains(colour);
        target.len() + moving.len() <= self.height_max()
            && !COLOURS.into_iter().any(occurs_twice)
            && (claimed || target.len() <= moving.len())
    }

    /// The first occupied point on the way from `at`, for a stack that came from `origin`, which
    /// is vacant meanwhile (L10, L22).
    fn first_occupied(&self, origin: Point, at: Point, direction: Point) -> Option<Point> {
        let mut p = next(at, direction);
        while POINTS.contains(&p) {
            if p != origin && self.stacks.contains_key(&p) {
                return Some(p);
            }
            p = next(p, direction);
        }
        None
    }

    /// Where the stack of `origin`, now at `at`, can end: directly or, if its colour is claimed by
    /// the mover, over links, each used once on a path (L10, L17 to L21).
    fn search(
        &self,
        origin: Point,
        claimed: bool,
        at: Point,
        links: &mut Vec<Point>,
        ends: &mut BTreeSet<Point>,
    ) {
        let moving = &self.stacks[&origin];
        for direction in DIRECTIONS {
            let Some(p) = self.first_occupied(origin, at, direction) else {
                continue;
            };
            if self.may_end(moving, &self.stacks[&p], claimed) {
                ends.insert(p);
            }
            if claimed && top(&self.stacks[&p]) == top(moving) && !links.contains(&p) {
                links.push(p);
                self.search(origin, claimed, p, links, ends);
                links.pop();
            }
        }
    }

    fn destinations(&self, player: usize, origin: Point) -> BTreeSet<Point> {
        let colour = top(&self.stacks[&origin]);
        let mut ends = BTreeSet::new();
        // L3, L5, L8
        if colour != JOKER && !self.claims[1 - player].contains(colour) {
            let claimed = self.claims[player].contains(colour);
            self.search(origin, claimed, origin, &mut vec![], &mut ends);
        }
        ends
    }

    fn can_move(&self, player: usize) -> bool {
        self.stacks.keys().any(|&origin| !self.destinations(player, origin).is_empty())
    }

    fn stack_moves(&self, player: usize) -> Vec<String> {
        let mut steps = vec![];
        for &origin in self.stacks.keys() {
            let ends = self.destinations(player, origin);
            steps.extend(ends.iter().map(|&end| format!("{}-{}", name(origin), name(end))));
        }
        steps
    }

    /// Colours the player may claim now (L5, L7).
    fn claimable(&self, player: usize) -> Vec<String> {
        let neutral = |colour: char| !self.claims.iter().any(|claimed| claimed.contains(colour));
        let mut steps = vec![];
        for colour in COLOURS {
            if !self.has_claimed && self.claims[player].len() < 2 && neutral(colour) {
                let mut after = self.clone();
                after.claims[player].push(colour);
                if after.can_move(player) {
                    steps.push(colour.to_string());
                }
            }
        }
        steps
    }

    fn steps_of(&self, player: usize) -> Vec<String> {
        [self.stack_moves(player), self.claimable(player)].concat()
    }

    fn move_stack(&mut self, from: Point, to: Point) {
        let moving = self.stacks.remove(&from).expect("a stack to move");
        let stack = self.stacks.get_mut(&to).expect("a stack to end on");
        stack.push_str(&moving);
        if stack.len() == self.height_max() && self.claims[self.player].contains(top(&moving)) {
            if self.six {
                self.sixes[self.player] = 1;
                self.result = Some(format!("p{}win", self.player + 1)); // L29
                return;
            }
            self.stacks.remove(&to); // L23
            self.taken[self.player] += 1;
        }
        self.has_claimed = false;
        let other = 1 - self.player;
        if !self.steps_of(other).is_empty() {
            self.player = other;
        } else if self.steps_of(self.player).is_empty() {
            // L26, L31; otherwise the other passes (L25)
            self.result = Some(more_wins(&self.standing(0), &self.standing(1)));
        }
    }

    /// Stacks of this height with a colour of the player on top.
    fn held(&self, player: usize, height: usize) -> u32 {
        let high = self.stacks.values().filter(|stack| stack.len() == height);
        high.filter(|stack| self.claims[player].contains(top(stack))).count() as u32
    }

    /// Stacks taken, or in the six variant stacks of five held.
    fn points_won(&self, player: usize) -> u32 {
        if self.six { self.held(player, 5) } else { self.taken[player] }
    }

    /// What counts at the end, the most important first (L26, L31).
    fn standing(&self, player: usize) -> Vec<u32> {
        let first = self.points_won(player);
        [first].into_iter().chain((1..=4).rev().map(|height| self.held(player, height))).collect()
    }
}

impl Reference for Lyngk {
    fn legal(&self) -> Vec<String> {
        if self.result.is_some() { vec![] } else { self.steps_of(self.player) }
    }

    fn play(&mut self, text: &str) {
        if let Some((from, to)) = text.split_once('-') {
            self.move_stack(point(from), point(to));
        } else {
            self.claims[self.player].push_str(text);
            self.has_claimed = true;
        }
    }

    fn turn(&self) -> u8 {
        if self.result.is_some() { 0 } else { self.player as u8 + 1 }
    }

    fn result(&self) -> String {
        self.result.clone().unwrap_or("none".into())
    }

    fn score(&self) -> Vec<u32> {
        (0..2).map(|player| self.points_won(player) + self.sixes[player]).collect()
    }

    fn board(&self) -> String {
        let contents = self.stacks.iter().map(|(&p, stack)| format!("{}:{stack}", name(p)));
        let claims =
            |player: usize| if self.claims[player].is_empty() { "-" } else { &self.claims[player] };
        position_line(
            &contents.collect::<Vec<_>>(),
            &format!(
                "claims {} {} taken {} {}",
                claims(0),
                claims(1),
                self.taken[0],
                self.taken[1]
            ),
        )
    }

    fn clone_box(&self) -> Box<dyn Reference> {
        Box::new(self.clone())
    }
}

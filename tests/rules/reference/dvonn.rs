//! DVONN after `rules/dvonn.md`.

use super::{DIRECTIONS, Point, Reference, more_wins, name, next, point, position_line};
use std::collections::{BTreeMap, BTreeSet};

/// First and last letter of the rows 1 to 5.
const ROWS: [(u8, u8); 5] = [(b'a', b'i'), (b'a', b'j'), (b'a', b'k'), (b'b', b'k'), (b'c', b'k')];
const POINT_COUNT: usize = 49;

fn is_on_board((column, row): Point) -> bool {
    (1..=5).contains(&row) && {
        let (first, last) = ROWS[row as usize - 1];
        (i32::from(first - b'a') + 1..=i32::from(last - b'a') + 1).contains(&column)
    }
}

/// A game of DVONN. Players are 0 and 1 inside.
#[derive(Clone)]
pub(crate) struct Dvonn {
    /// Bottom to top, of `w`, `b` and `r`.
    stacks: BTreeMap<Point, String>,
    /// Pieces placed so far.
    placed: usize,
    player: usize,
    is_over: bool,
}

impl Dvonn {
    /// An empty board (D1).
    pub(crate) fn new() -> Self {
        Self { stacks: BTreeMap::new(), placed: 0, player: 0, is_over: false }
    }

    fn is_occupied(&self, p: Point) -> bool {
        self.stacks.contains_key(&p)
    }

    fn controls(player: usize, stack: &str) -> bool {
        stack.ends_with(['w', 'b'][player]) // D5
    }

    fn stack_moves(&self, player: usize) -> Vec<String> {
        let mut steps = vec![];
        for (&from, stack) in &self.stacks {
            let surrounded = DIRECTIONS.iter().all(|&way| self.is_occupied(next(from, way)));
            if !Self::controls(player, stack) || surrounded {
                continue; // D5, D9
            }
            let height = stack.len() as i32;
            for (columns, rows) in DIRECTIONS {
                let to = next(from, (columns * height, rows * height)); // D7
                if self.is_occupied(to) {
                    steps.push(format!("{}-{}", name(from), name(to))); // D8
                }
            }
        }
        steps
    }

    /// Only what is connected with a red piece stays (D11, D12).
    fn remove_unconnected(&mut self) {
        let red = self.stacks.iter().filter(|(_, stack)| stack.contains('r')).map(|(&p, _)| p);
        let mut connected = BTreeSet::new();
        let mut to_visit = red.collect::<Vec<_>>();
        while let Some(p) = to_visit.pop() {
            if self.is_occupied(p) && connected.insert(p) {
                to_visit.extend(DIRECTIONS.iter().map(|&way| next(p, way)));
            }
        }
        self.stacks.retain(|p, _| connected.contains(p));
    }

    /// The turn goes to `player`, past him (D10), or nowhere (D14).
    fn give_turn(&mut self, player: usize) {
        self.player = player;
        if self.placed == POINT_COUNT && self.stack_moves(player).is_empty() {
            self.player = 1 - player;
            self.is_over = self.stack_moves(self.player).is_empty();
        }
    }
}

impl Reference for Dvonn {
    fn legal(&self) -> Vec<String> {
        if self.is_over {
            return vec![];
        }
        if self.placed < POINT_COUNT {
            let all = (1..=11).flat_map(|column| (1..=5).map(move |row| (column, row)));
            let vacant = all.filter(|&p| is_on_board(p) && !self.is_occupied(p));
            return vacant.map(name).collect(); // D1, D3
        }
        self.stack_moves(self.player)
    }

    fn play(&mut self, text: &str) {
        if let Some((from, to)) = text.split_once('-') {
            let moving = self.stacks.remove(&point(from)).expect("a stack to move");
            self.stacks.get_mut(&point(to)).expect("a stack to end on").push_str(&moving);
            self.remove_unconnected();
        } else {
            let piece = if self.placed < 3 { "r" } else { ["w", "b"][self.player] }; // D2
            self.stacks.insert(point(text), piece.into());
            self.placed += 1;
        }
        if self.placed == POINT_COUNT && !text.contains('-') {
            self.give_turn(0); // D4
        } else {
            self.give_turn(1 - self.player);
        }
    }

    fn turn(&self) -> u8 {
        if self.is_over { 0 } else { self.player as u8 + 1 }
    }

    fn result(&self) -> String {
        let score = self.score();
        if self.is_over { more_wins(&score[0], &score[1]) } else { "none".into() } // D15
    }

    fn score(&self) -> Vec<u32> {
        let pieces = |player| {
            let own = self.stacks.values().filter(|stack| Self::controls(player, stack));
            own.map(|stack| stack.len() as u32).sum()
        };
        vec![pieces(0), pieces(1)]
    }

    fn board(&self) -> String {
        let contents = self.stacks.iter().map(|(&p, stack)| format!("{}:{stack}", name(p)));
        position_line(&contents.collect::<Vec<_>>(), &format!("left {}", POINT_COUNT - self.placed))
    }

    fn clone_box(&self) -> Box<dyn Reference> {
        Box::new(self.clone())
    }
}

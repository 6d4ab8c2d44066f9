//! What people do instead of what they should: the mistakes that hands can make.

use lodestone::games::any::{Position, Step};
use lodestone::games::{Game, Id, lyngk};
use lodestone::geometry::{Cell, CellSet};
use lodestone::random::SplitMix64;

use super::acts::{Act, Key, Part, acts, any_order, carry, claim_key, take_off, tap};
use super::dice::Dice;
use super::layout::{Layout, Thing, layout, occupied};
use crate::table::{Kind, Piece, Pole, place_mm};

/// The mistakes of the table protocol, by what the hand does. Which rule is broken, or whether it
/// happens to be legal, depends on the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mistake {
    /// Something is lifted, looked at and put back.
    LiftAndPutBack,
    /// The step is done, and its last piece lies beside its point.
    BesidePoint,
    /// A sleeve pushes up to three pieces aside, and one falls off the board.
    Knocked,
    /// The next player's hand is there too.
    TwoAtOnce,
    /// Everything is swept off the board.
    Swept,
    /// What moves lands a cell aside.
    NextCell,
    /// What moves lands on a free cell anywhere.
    OnVacant,
    /// What moves lands on an occupied cell anywhere.
    OnOccupied,
    /// The other's colour is brought in, or the wrong face is up.
    WrongColour,
    /// A piece with another magnet is brought in.
    WrongKind,
    /// Something that may not move is moved to where the step goes.
    ForeignOrigin,
    /// An act of the step is forgotten, and what rests on it.
    LeftOut,
    /// A marker that was jumped is not turned over.
    ForgottenFlip,
    /// A piece is turned over that should not be.
    ExtraFlip,
    /// A piece more comes off.
    ExtraRemoved,
    /// The lowest piece of a stack stays behind.
    Split,
    /// A stack falls over: its upper pieces lie on the cells around.
    Topple,
    /// Two pieces are placed.
    TwoPlaced,
    /// A marker is held still above a free cell.
    HeldStill,
    /// A key with another value, or a claim when none is due.
    WrongKey,
}

impl Mistake {
    /// All of them.
    pub const ALL: [Mistake; 20] = [
        Mistake::LiftAndPutBack,
        Mistake::BesidePoint,
        Mistake::Knocked,
        Mistake::TwoAtOnce,
        Mistake::Swept,
        Mistake::NextCell,
        Mistake::OnVacant,
        Mistake::OnOccupied,
        Mistake::WrongColour,
        Mistake::WrongKind,
        Mistake::ForeignOrigin,
        Mistake::LeftOut,
        Mistake::ForgottenFlip,
        Mistake::ExtraFlip,
        Mistake::ExtraRemoved,
        Mistake::Split,
        Mistake::Topple,
        Mistake::TwoPlaced,
        Mistake::HeldStill,
        Mistake::WrongKey,
    ];

    /// What somebody does, in this order, who means a legal step and makes the mistake; `None` where
    /// it cannot be made.
    pub fn acts(self, position: &Position, step: Step, seed: u64) -> Option<Vec<Act>> {
        let mut scene = Scene {
            position,
            step,
            right: acts(position, step),
            before: layout(position),
            dice: Dice(SplitMix64::new(seed)),
        };
        match self {
            Mistake::LiftAndPutBack => scene.lift_and_put_back(),
            Mistake::BesidePoint => scene.beside_point(),
            Mistake::Knocked => scene.knocked(),
            Mistake::TwoAtOnce => scene.two_at_once(),
            Mistake::Swept => {
                let all: CellSet = occupied(&scene.before).collect();
                (!all.is_empty()).then(|| vec![Act::Sweep(all)])
            }
            Mistake::NextCell => scene.land_on(|scene, to, cell| scene.around(to).contains(&cell)),
            Mistake::OnVacant => scene.land_on(|scene, _, cell| scene.is_vacant(cell)),
            Mistake::OnOccupied => scene.land_on(|scene, _, cell| !scene.is_vacant(cell)),
            Mistake::WrongColour => scene.bring_another(other_colour),
            Mistake::WrongKind => scene.bring_another(other_kind),
            Mistake::ForeignOrigin => scene.foreign_origin(),
            Mistake::LeftOut => {
                let left_out = scene.dice.0.below(scene.right.len());
                scene.without(left_out)
            }
            Mistake::ForgottenFlip => {
                let is_flip = |act: &Act| matches!(act, Act::TurnOver(_));
                let flip = scene.right.iter().position(is_flip)?;
                scene.without(flip)
            }
            Mistake::ExtraFlip => scene.and_then_on_another(|before, cell| {
                (!before[cell.index()].discs.is_empty()).then_some(Act::TurnOver(cell))
            }),
            Mistake::ExtraRemoved => {
                scene.and_then_on_another(|before, cell| Some(take_off(before, cell)))
            }
            Mistake::Split => scene.split(),
            Mistake::Topple => scene.topple(),
            Mistake::TwoPlaced => scene.two_placed(),
            Mistake::HeldStill => scene.held_still(),
            Mistake::WrongKey => scene.wrong_key(),
        }
    }
}

/// What a mistake starts from.
struct Scene<'a> {
    position: &'a Position,
    step: Step,
    /// What should be done.
    right: Vec<Act>,
    before: Layout,
    dice: Dice,
}

impl Scene<'_> {
    fn occupied(&self) -> Vec<Cell> {
        occupied(&self.before).collect()
    }

    fn around(&self, cell: Cell) -> Vec<Cell> {
        let board = self.position.board();
        board.playfield().directions().filter_map(|d| board.next(cell, d)).collect()
    }

    fn is_vacant(&self, cell: Cell) -> bool {
        self.before[cell.index()].is_empty()
    }

    fn vacant(&self) -> Vec<Cell> {
        self.position.board().cells().filter(|&cell| self.is_vacant(cell)).collect()
    }

    /// Where the last piece that the step puts on the board goes.
    fn goal(&self) -> Option<Cell> {
        self.right.iter().rev().find_map(goal)
    }

    fn lift_and_put_back(&mut self) -> Option<Vec<Act>> {
        let cell = self.dice.pick(&self.occupied())?;
        Some(vec![tap(&self.before, cell)?])
    }

    /// Towards a neighbouring point, from where it is read too weakly to the middle between them.
    fn beside_point(&mut self) -> Option<Vec<Act>> {
        let cell = self.goal()?;
        let next = self.dice.pick(&self.around(cell))?;
        let share = self.dice.within((0.2, 0.5));
        let by_mm = self.way_mm(cell, next, share);
        let mut acts = self.right.clone();
        acts.push(Act::Shove { cells: CellSet::of(cell), by_mm });
        Some(acts)
    }

    /// A share of the way from a cell to another.
    fn way_mm(&self, from: Cell, to: Cell, share: f64) -> (f64, f64) {
        let board = self.position.board();
        let [from, to] = [from, to].map(|cell| place_mm(board.playfield(), board.point(cell)));
        (share * (to.0 - from.0), share * (to.1 - from.1))
    }

    fn knocked(&mut self) -> Option<Vec<Act>> {
        let first = self.dice.pick(&self.occupied())?;
        let mut near = self.around(first);
        near.retain(|cell| !self.before[cell.index()].is_empty());
        near.truncate(2);
        let next = self.dice.pick(&self.around(first))?;
        let share = self.dice.within((0.2, 0.5));
        let by_mm = self.way_mm(first, next, share);
        let fallen = near.pop().map(|cell| Act::Sweep(CellSet::of(cell)));
        let cells = near.into_iter().chain([first]).collect();
        Some([Act::Shove { cells, by_mm }].into_iter().chain(fallen).collect())
    }

    /// The acts of this step and of one that the next player could make after it, mixed.
    fn two_at_once(&mut self) -> Option<Vec<Act>> {
        let mut next = *self.position;
        next.play(self.step).ok()?;
        if next.turn() == self.position.turn() {
            return None;
        }
        let steps: Vec<Step> = next.steps().collect();
        let reply = self.dice.pick(&steps)?;
        let mut both = self.right.clone();
        both.extend(acts(&next, reply));
        Some(any_order(both, &mut self.dice.0))
    }

    /// One of the step's pieces goes to another cell than its own; to which ones it may is told by
    /// the right one and the cell.
    fn land_on(&mut self, suits: impl Fn(&Self, Cell, Cell) -> bool) -> Option<Vec<Act>> {
        let mut acts = self.right.clone();
        let landings: Vec<usize> = (0..acts.len()).filter(|&n| goal(&acts[n]).is_some()).collect();
        let act = &mut acts[self.dice.pick(&landings)?];
        let right = goal(act)?;
        let is_ring = is_ring(act);
        let mut cells: Vec<Cell> = self.position.board().cells().collect();
        // No ring goes over another.
        cells.retain(|&cell| {
            let fits = !is_ring || self.before[cell.index()].ring.is_none();
            cell != right && fits && suits(self, right, cell)
        });
        let wrong = self.dice.pick(&cells)?;
        if let Act::Bring { to, .. } | Act::Carry { to, .. } = act {
            *to = wrong;
        }
        // What would have come off from the right cell is not there.
        acts.retain(|act| !matches!(act, Act::TakeOff { from, .. } if *from == right));
        Some(acts)
    }

    /// Another piece than the right one is brought in.
    fn bring_another(&mut self, other: fn(Thing) -> Option<Thing>) -> Option<Vec<Act>> {
        let mut acts = self.right.clone();
        let thing = acts.iter_mut().find_map(|act| match act {
            Act::Bring { thing, .. } => Some(thing),
            _ => None,
        })?;
        *thing = other(*thing)?;
        Some(acts)
    }

    /// Something goes to where the step goes that no legal step moves.
    fn foreign_origin(&mut self) -> Option<Vec<Act>> {
        let moved = |act: &Act| match *act {
            Act::Carry { from, part, to, .. } => Some((from, part, to)),
            _ => None,
        };
        let (_, part, to) = self.right.iter().find_map(moved)?;
        let origins = self.position.origins();
        let mut cells = self.occupied();
        cells.retain(|&cell| !origins.contains(cell) && cell != to);
        if part == Part::Ring {
            cells.retain(|cell| self.before[cell.index()].ring.is_some());
        }
        let from = self.dice.pick(&cells)?;
        Some(match part {
            Part::Ring => vec![Act::Carry { from, part, via: Vec::new(), to, slides: false }],
            Part::Top(_) => vec![carry(&self.before, from, to)],
        })
    }

    /// The step without one of its acts and all that need it. Nothing at all is no mistake.
    fn without(&mut self, index: usize) -> Option<Vec<Act>> {
        let (mut left_out, mut done) = (Vec::<Act>::new(), Vec::new());
        for (n, act) in self.right.iter().enumerate() {
            if n == index || left_out.iter().any(|earlier| act.needs(earlier)) {
                left_out.push(act.clone());
            } else {
                done.push(act.clone());
            }
        }
        (!done.is_empty()).then_some(done)
    }

    /// The step, and then something on a cell it does not concern.
    fn and_then_on_another(
        &mut self,
        act: impl Fn(&Layout, Cell) -> Option<Act>,
    ) -> Option<Vec<Act>> {
        let concerned: CellSet =
            self.right.iter().flat_map(Act::touches).map(|(cell, _)| cell).collect();
        let mut cells = self.occupied();
        cells.retain(|&cell| !concerned.contains(cell));
        // Mostly beside the others, such as the sixth of a run.
        let mut near = cells.clone();
        near.retain(|&cell| self.around(cell).iter().any(|&next| concerned.contains(next)));
        let near = if self.dice.chance(0.7) { self.dice.pick(&near) } else { None };
        let cell = near.or_else(|| self.dice.pick(&cells))?;
        let more = act(&self.before, cell)?;
        let mut acts = self.right.clone();
        acts.push(more);
        Some(acts)
    }

    fn split(&mut self) -> Option<Vec<Act>> {
        let mut acts = self.right.clone();
        let count = acts.iter_mut().find_map(|act| match act {
            Act::Carry { part: Part::Top(count @ 2..), .. } => Some(count),
            _ => None,
        })?;
        *count -= 1;
        Some(acts)
    }

    fn topple(&mut self) -> Option<Vec<Act>> {
        let mut stacks = self.occupied();
        stacks.retain(|cell| self.before[cell.index()].discs.len() > 1);
        let from = self.dice.pick(&stacks)?;
        let around = self.around(from);
        let falls = |to: &Cell| Act::Carry {
            from,
            part: Part::Top(1),
            via: Vec::new(),
            to: *to,
            slides: false,
        };
        let count = self.before[from.index()].discs.len() - 1;
        Some(around.iter().take(count).map(falls).collect())
    }

    fn two_placed(&mut self) -> Option<Vec<Act>> {
        let [Act::Bring { thing, to }] = self.right[..] else { return None };
        let mut vacant = self.vacant();
        vacant.retain(|&cell| cell != to);
        let second = self.dice.pick(&vacant)?;
        Some(vec![Act::Bring { thing, to }, Act::Bring { thing, to: second }])
    }

    fn held_still(&mut self) -> Option<Vec<Act>> {
        let thing = self.right.iter().find_map(|act| match act {
            Act::Bring { thing, .. } if thing.piece.kind == Kind::Marker => Some(*thing),
            _ => None,
        })?;
        let over = self.dice.pick(&self.vacant())?;
        let up_mm = self.dice.within((2.0, 6.0));
        Some(vec![Act::Hold { thing, over, up_mm, ms: 3000 }])
    }

    /// GLÜX: another value than the chip shows. LYNGK: a claim after the move.
    fn wrong_key(&mut self) -> Option<Vec<Act>> {
        let mut acts = self.right.clone();
        match (self.position.id(), self.step) {
            (Id::Glux2 | Id::Glux3 | Id::Glux4, _) => {
                let key = acts.iter_mut().find_map(|act| match act {
                    Act::Press(Key::Number(number)) => Some(number),
                    _ => None,
                })?;
                *key = 1 + (*key + self.dice.0.below(5) as u8) % 6;
            }
            (_, Step::Lyngk(lyngk::Step::Move { .. })) => {
                let colour = self.dice.pick(&lyngk::Colour::ALL)?;
                acts.push(Act::Press(claim_key(colour)));
            }
            _ => return None,
        }
        Some(acts)
    }
}

/// Where an act puts something on the board.
fn goal(act: &Act) -> Option<Cell> {
    match *act {
        Act::Bring { to, .. } | Act::Carry { to, .. } => Some(to),
        _ => None,
    }
}

fn is_ring(act: &Act) -> bool {
    match act {
        Act::Bring { thing, .. } => thing.is_ring(),
        Act::Carry { part, .. } => *part == Part::Ring,
        _ => false,
    }
}

/// The other player's piece, or the same with the other face up.
fn other_colour(thing: Thing) -> Option<Thing> {
    let pole = |pole| if pole == Pole::Plus { Pole::Minus } else { Pole::Plus };
    match thing.piece.kind {
        Kind::Marker | Kind::Chip => Some(thing.turned_over()),
        Kind::GipfBasic | Kind::GipfBody | Kind::Ring => {
            let piece = Piece { pole: pole(thing.piece.pole), ..thing.piece };
            let colour = match thing.colour {
                b'w' => b'b',
                b'b' => b'w',
                b'W' => b'B',
                _ => b'W',
            };
            Some(Thing { piece, colour })
        }
        // No sensor could tell.
        Kind::Flat | Kind::StrongFlat => None,
    }
}

/// A piece with the other magnet: basic for GIPF-piece, red for white, and the other way round.
fn other_kind(mut thing: Thing) -> Option<Thing> {
    (thing.piece.kind, thing.colour) = match thing.piece.kind {
        Kind::GipfBasic => (Kind::GipfBody, thing.colour.to_ascii_uppercase()),
        Kind::GipfBody => (Kind::GipfBasic, thing.colour.to_ascii_lowercase()),
        Kind::Flat => (Kind::StrongFlat, b'r'),
        Kind::StrongFlat => (Kind::Flat, b'w'),
        Kind::Ring | Kind::Marker | Kind::Chip => return None,
    };
    Some(thing)
}

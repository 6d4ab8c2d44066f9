//! The pieces on and beside the board: what each looks like, and how many are left in the trays.

use std::collections::BTreeMap;

use lodestone::games::any::Position;
use lodestone::games::{Game, Id};
use lodestone::geometry::{Board, Cell};
use lodestone::random::SplitMix64;

use super::protocol::{ItemNews, PieceNews, TrayNews};
use crate::draw;
use crate::hands::{Pile, Thing, layout, thing_of};
use crate::table::{Kind, PieceId, PlaceMm, Table, distance_mm, place_mm};

/// People seat pieces about this well, mm.
const SEAT_MM: f64 = 0.6;
/// A piece this near to a point stands on it as people see it, mm.
const NEAR_MM: f64 = 12.0;
/// Pieces whose middles are nearer than this may stand on each other, mm.
const STACKED_MM: f64 = 6.0;
/// A gap between two pieces above each other: the upper one hangs in the air, mm.
const GAP_MM: f64 = 0.5;

/// A piece on the table.
#[derive(Clone, Copy)]
pub(super) struct Item {
    /// Its number for the pages; never given again.
    pub(super) id: u32,
    pub(super) piece: PieceId,
    pub(super) thing: Thing,
}

/// Pieces of the same kind beside the board.
struct Pool {
    left: usize,
}

struct TrayItem {
    item: String,
    pool: usize,
}

struct Tray {
    player: usize,
    items: Vec<TrayItem>,
}

/// All pieces of a game.
pub(super) struct Pieces {
    pub(super) game: Option<Id>,
    items: Vec<Item>,
    pools: Vec<Pool>,
    trays: Vec<Tray>,
    next: u32,
    random: SplitMix64,
}

impl Pieces {
    /// Nothing: no game, no pieces.
    pub(super) fn none(seed: u64) -> Pieces {
        let random = SplitMix64::new(seed);
        Pieces {
            game: None,
            items: Vec::new(),
            pools: Vec::new(),
            trays: Vec::new(),
            next: 0,
            random,
        }
    }

    /// Another game's set comes out of its box; what lay on the table is put away.
    pub(super) fn unpack(&mut self, game: Option<Id>, table: &mut Table) {
        for item in self.items.drain(..) {
            table.remove(item.piece);
        }
        self.game = game;
        (self.pools, self.trays) = (Vec::new(), Vec::new());
        let Some(id) = game else { return };
        for (player, groups) in set(id) {
            let mut items = Vec::new();
            for (names, count) in groups {
                let pool = self.pool_of(id, &names).unwrap_or_else(|| {
                    self.pools.push(Pool { left: count });
                    self.pools.len() - 1
                });
                items.extend(names.into_iter().map(|item| TrayItem { item, pool }));
            }
            self.trays.push(Tray { player, items });
        }
    }

    /// The pool of pieces that already lie in another player's tray: red pieces of DVONN and
    /// YINSH's markers are everybody's.
    fn pool_of(&self, id: Id, names: &[String]) -> Option<usize> {
        let wanted = thing_of(id, names.first()?)?;
        let all = self.trays.iter().flat_map(|tray| &tray.items);
        let mut like =
            all.filter(|item| thing_of(id, &item.item).is_some_and(|thing| thing.is_like(&wanted)));
        like.next().map(|item| item.pool)
    }

    pub(super) fn items(&self) -> &[Item] {
        &self.items
    }

    pub(super) fn get(&self, id: u32) -> Option<Item> {
        self.items.iter().find(|item| item.id == id).copied()
    }

    /// A piece from a tray, somewhere above the table.
    pub(super) fn take(&mut self, name: &str, table: &mut Table, at: PlaceMm) -> Option<Item> {
        let item = self.trays.iter().flat_map(|tray| &tray.items).find(|i| i.item == name)?;
        let pool = &mut self.pools[item.pool];
        pool.left = pool.left.checked_sub(1)?;
        let thing = thing_of(self.game?, name)?;
        let piece = table.put(thing.piece, at);
        Some(self.enter(piece, thing))
    }

    fn enter(&mut self, piece: PieceId, thing: Thing) -> Item {
        let item = Item { id: self.next, piece, thing };
        self.next += 1;
        self.items.push(item);
        item
    }

    /// A piece goes back into its tray.
    pub(super) fn stow(&mut self, id: u32, table: &mut Table) {
        let Some(index) = self.items.iter().position(|item| item.id == id) else { return };
        let item = self.items.swap_remove(index);
        table.remove(item.piece);
        let name = self.game.map(|game| item.thing.letters(game)).unwrap_or_default();
        let home = self.trays.iter().flat_map(|tray| &tray.items).find(|i| i.item == name);
        if let Some(home) = home {
            self.pools[home.pool].left += 1;
        }
    }

    pub(super) fn flip(&mut self, id: u32, table: &mut Table) {
        if let Some(item) = self.items.iter_mut().find(|item| item.id == id) {
            table.flip(item.piece);
            item.thing = item.thing.turned_over();
        }
    }

    /// Takes over pieces that somebody else has put on the table.
    pub(super) fn adopt(&mut self, things: impl Iterator<Item = (PieceId, Thing)>) {
        let known: BTreeMap<PieceId, u32> = self.items.iter().map(|i| (i.piece, i.id)).collect();
        self.items.clear();
        for (piece, thing) in things {
            match known.get(&piece) {
                Some(&id) => self.items.push(Item { id, piece, thing }),
                None => drop(self.enter(piece, thing)),
            }
        }
    }

    /// Counts the trays anew: what is not on the table is in them.
    pub(super) fn recount(&mut self, table: &Table) {
        let Some(id) = self.game else { return };
        let game = self.game;
        let mut fresh = Pieces::none(0);
        let mut empty = Table::new(table.playfield(), &crate::table::Tolerances::NONE, 0);
        fresh.unpack(game, &mut empty);
        self.pools = fresh.pools;
        for item in &self.items {
            let name = item.thing.letters(id);
            let home = self.trays.iter().flat_map(|tray| &tray.items).find(|i| i.item == name);
            if let Some(home) = home {
                let pool = &mut self.pools[home.pool];
                pool.left = pool.left.saturating_sub(1);
            }
        }
    }

    /// A place as near to the wanted one as people seat pieces.
    pub(super) fn seat(&mut self, place: PlaceMm) -> PlaceMm {
        let mut off = || (self.random.next() >> 11) as f64 / (1_u64 << 53) as f64 - 0.5;
        (place.0 + SEAT_MM * off(), place.1 + SEAT_MM * off())
    }

    /// Puts all pieces as a position says: those that stand right stay, others go where they are
    /// missing, the rest goes to the trays.
    pub(super) fn lay_out(&mut self, position: &Position, table: &mut Table) {
        let (board, goal) = (position.board(), layout(position));
        let mut loose = Vec::new();
        let mut standing = self.piles(board, table);
        for item in &self.items {
            if !standing.iter().flatten().any(|other| other.id == item.id) {
                loose.push(*item);
            }
        }
        for (pile, wanted) in standing.iter_mut().zip(&goal) {
            let is: Vec<Thing> = pile.iter().map(|item| item.thing).collect();
            if is != listed(wanted) {
                loose.append(pile);
            }
        }
        for (index, wanted) in goal.iter().enumerate() {
            let place = place_mm(board.playfield(), board.point(Cell::new(index)));
            let mut stand = standing[index].clone();
            if stand.is_empty() {
                let things = listed(wanted);
                stand = things.iter().filter_map(|t| self.find(&mut loose, *t, table)).collect();
            }
            let mut z = 0.0;
            for item in stand {
                let place = self.seat(place);
                table.move_to(item.piece, place, if item.thing.is_ring() { 0.0 } else { z });
                z += if item.thing.is_ring() { 0.0 } else { item.thing.piece.kind.height_mm() };
            }
        }
        for item in loose {
            self.stow(item.id, table);
        }
    }

    /// A piece of this kind and this way up: a loose one, else from a tray.
    fn find(&mut self, loose: &mut Vec<Item>, thing: Thing, table: &mut Table) -> Option<Item> {
        if let Some(index) = loose.iter().position(|item| item.thing.is_like(&thing)) {
            let item = loose.swap_remove(index);
            if item.thing != thing {
                self.flip(item.id, table);
            }
            return self.get(item.id);
        }
        let name = thing.letters(self.game?);
        self.take(&name, table, (0.0, 0.0))
    }

    /// What stands on each cell as people see it, discs from the bottom up, then the ring.
    fn piles(&self, board: &Board, table: &Table) -> Vec<Vec<Item>> {
        let mut piles = vec![Vec::new(); board.cell_count()];
        for item in self.upwards(table) {
            let (_, place, z) = table.piece(item.piece);
            let off =
                |cell: &Cell| distance_mm(place_mm(board.playfield(), board.point(*cell)), place);
            let nearest = board.cells().min_by(|a, b| off(a).total_cmp(&off(b)));
            if let Some(cell) = nearest.filter(|cell| off(cell) < NEAR_MM && z < 150.0) {
                piles[cell.index()].push(item);
            }
        }
        for pile in &mut piles {
            pile.sort_by_key(|item| item.thing.is_ring());
        }
        piles
    }

    /// All pieces, the lowest first.
    fn upwards(&self, table: &Table) -> Vec<Item> {
        let mut items = self.items.clone();
        items.sort_by(|a, b| table.piece(a.piece).2.total_cmp(&table.piece(b.piece).2));
        items
    }

    /// The pieces that stand on each other and this one among them, from the bottom up; a ring is
    /// alone.
    pub(super) fn stack_of(&self, id: u32, table: &Table) -> Vec<Item> {
        let stacks = self.stacks(table);
        let is_in = |stack: &&Vec<Item>| stack.iter().any(|item| item.id == id);
        stacks.iter().find(is_in).cloned().unwrap_or_default()
    }

    /// Pieces that stand on each other, from the bottom up. Rings are alone.
    pub(super) fn stacks(&self, table: &Table) -> Vec<Vec<Item>> {
        let mut stacks: Vec<Vec<Item>> = Vec::new();
        for item in self.upwards(table) {
            let (_, place, z) = table.piece(item.piece);
            let stands_on = |stack: &&mut Vec<Item>| {
                let top = stack[stack.len() - 1];
                let (_, at, below) = table.piece(top.piece);
                !item.thing.is_ring()
                    && !top.thing.is_ring()
                    && distance_mm(at, place) < STACKED_MM
                    && (below + top.thing.piece.kind.height_mm() - z).abs() < GAP_MM
            };
            match stacks.iter_mut().find(stands_on) {
                Some(stack) => stack.push(item),
                None => stacks.push(vec![item]),
            }
        }
        stacks
    }

    /// How all pieces are drawn, those in pockets left out.
    pub(super) fn news(&self, table: &Table) -> Vec<PieceNews> {
        let Some(game) = self.game else { return Vec::new() };
        let mut news = Vec::new();
        for stack in self.stacks(table) {
            let (_, _, lift) = table.piece(stack[0].piece);
            for (level, item) in stack.iter().enumerate() {
                let (_, (x, y), _) = table.piece(item.piece);
                if lift > 150.0 {
                    continue;
                }
                let upright = item.thing.piece.kind == Kind::Marker
                    || item.thing.piece.kind == Kind::Ring
                    || item.thing.piece.kind == Kind::Chip;
                news.push(PieceNews {
                    id: item.id,
                    symbol: draw::name(game, &item.thing.letters(game)),
                    x: tenth(x),
                    y: tenth(-y),
                    lift: tenth(lift),
                    stack: stack[0].id,
                    level,
                    of: stack.len(),
                    radius: item.thing.piece.kind.radius_mm(),
                    turned: item.thing.piece.turned && !upright,
                });
            }
        }
        news
    }

    pub(super) fn trays(&self) -> Vec<TrayNews> {
        let Some(game) = self.game else { return Vec::new() };
        let item = |item: &TrayItem| ItemNews {
            item: item.item.clone(),
            symbol: draw::name(game, &item.item),
            radius: thing_of(game, &item.item).map_or(10.0, |t| t.piece.kind.radius_mm()),
        };
        let tray = |tray: &Tray| TrayNews {
            player: tray.player,
            items: tray.items.iter().map(item).collect(),
        };
        self.trays.iter().map(tray).collect()
    }

    /// How many are left of each item of each tray.
    pub(super) fn left(&self) -> Vec<Vec<usize>> {
        let tray = |tray: &Tray| tray.items.iter().map(|item| self.pools[item.pool].left).collect();
        self.trays.iter().map(tray).collect()
    }
}

/// Everything on a cell: discs from the bottom up, then the ring.
fn listed(pile: &Pile<Thing>) -> Vec<Thing> {
    pile.discs.iter().chain(&pile.ring).copied().collect()
}

fn tenth(mm: f64) -> f64 {
    (mm * 10.0).round() / 10.0
}

/// Names of pieces that lie in one pool, and how many there are.
type Group = (Vec<String>, usize);

/// The set of a game: for each player the pieces of the tray.
fn set(id: Id) -> Vec<(usize, Vec<Group>)> {
    let one = |name: &str, count: usize| (vec![name.to_string()], count);
    match id {
        Id::GipfBasic => vec![(1, vec![one("w", 18)]), (2, vec![one("b", 18)])],
        Id::Gipf | Id::GipfTournament => {
            vec![(1, vec![one("w", 18), one("W", 9)]), (2, vec![one("b", 18), one("B", 9)])]
        }
        Id::Yinsh | Id::YinshBlitz => {
            vec![(1, vec![one("W", 5), one("w", 51)]), (2, vec![one("B", 5), one("b", 51)])]
        }
        Id::Dvonn => {
            vec![(1, vec![one("w", 23), one("r", 3)]), (2, vec![one("b", 23), one("r", 3)])]
        }
        Id::Lyngk | Id::LyngkSix => vec![
            (0, vec![one("K", 9), one("B", 9), one("G", 9)]),
            (0, vec![one("I", 9), one("R", 9), one("W", 3)]),
        ],
        Id::Glux2 | Id::Glux3 | Id::Glux4 => (1..=id.player_count())
            .map(|player| {
                let chip = |low: usize| {
                    (vec![format!("{player}{low}"), format!("{player}{}", 7 - low)], 8)
                };
                (player, vec![chip(1), chip(2), chip(3)])
            })
            .collect(),
    }
}

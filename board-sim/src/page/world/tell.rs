//! What pages are told: only what has changed, and everything to who begins to look.

use std::collections::BTreeMap;

use lodestone::games::any::Position;
use lodestone::geometry::{Playfield, Point};
use tokio::sync::mpsc::Sender;

use super::begin::Replay;
use super::{Line, Viewer, World};
use crate::draw;
use crate::page::protocol::{News, PieceNews, Status, json};
use crate::page::report;
use crate::table;

/// Codes and fields go out so often.
const FIELDS_EVERY_US: u64 = 250_000;
/// Lights go out at most so often: a rhythm changes them sixteen times a second, a new meaning at
/// once.
const LIGHTS_EVERY_US: u64 = 15_000;

/// What pages have been told last.
#[derive(Default)]
pub(super) struct Shown {
    pub(super) board: Option<Line>,
    pub(super) trays: Option<Line>,
    pub(super) lights: Option<Line>,
    pub(super) meanings: Option<Line>,
    pub(super) status: Option<Line>,
    pub(super) pieces: BTreeMap<u32, PieceNews>,
    pub(super) lights_at: Option<u64>,
    pub(super) fields_at: Option<u64>,
    /// What a real board's pieces were laid out as.
    pub(super) real: Option<Position>,
}

impl World {
    /// A page begins to look.
    pub(super) fn join(&mut self, page: u64, to: Sender<Line>) {
        let Shown { board, trays, lights, meanings, .. } = &self.shown;
        let all = [board, trays, lights, meanings];
        let pieces: Vec<PieceNews> = self.shown.pieces.values().cloned().collect();
        let pieces = json(&News::Pieces { changed: pieces, gone: Vec::new() });
        let lines = all.into_iter().flatten().chain([&pieces]).chain(&self.shown.status);
        if lines.cloned().all(|line| to.try_send(line).is_ok()) {
            self.viewers.insert(page, Viewer { to, watches_fields: false });
        }
    }

    /// Tells the pages what has changed.
    pub(super) fn tell(&mut self) {
        let now_us = self.clock_us;
        let is_due = |at: Option<u64>, every_us: u64| at.is_none_or(|at| now_us - at >= every_us);
        let board = self.board_news();
        if self.shown.board.as_ref() != Some(&board) {
            self.shown.pieces.clear();
            self.tell_all(&board);
            self.shown.board = Some(board);
        }
        let trays = json(&News::Trays { left: self.pieces.left() });
        if self.shown.trays.as_ref() != Some(&trays) {
            self.tell_all(&trays);
            self.shown.trays = Some(trays);
        }
        self.tell_pieces();
        if is_due(self.shown.lights_at, LIGHTS_EVERY_US) {
            let lights = self.lights();
            if self.shown.lights.as_ref() != Some(&lights) {
                self.tell_all(&lights);
                self.shown.lights = Some(lights);
                self.shown.lights_at = Some(now_us);
            }
            let points = if self.powered { self.mind.meanings() } else { Vec::new() };
            let meanings = json(&News::Meanings { points });
            if self.shown.meanings.as_ref() != Some(&meanings) {
                self.tell_all(&meanings);
                self.shown.meanings = Some(meanings);
            }
        }
        let status = json(&News::Status(Box::new(self.status())));
        if self.shown.status.as_ref() != Some(&status) {
            self.tell_all(&status);
            self.shown.status = Some(status);
        }
        let is_watched = self.viewers.values().any(|viewer| viewer.watches_fields);
        if is_watched && is_due(self.shown.fields_at, FIELDS_EVERY_US) {
            self.shown.fields_at = Some(now_us);
            let fields = self.fields();
            self.viewers.retain(|_, viewer| {
                !viewer.watches_fields || viewer.to.try_send(fields.clone()).is_ok()
            });
        }
    }

    fn tell_pieces(&mut self) {
        let news = self.pieces.news(&self.table);
        let is_there = |id: &u32| news.iter().any(|piece| piece.id == *id);
        let gone: Vec<u32> = self.shown.pieces.keys().filter(|id| !is_there(id)).copied().collect();
        let is_new = |piece: &&PieceNews| self.shown.pieces.get(&piece.id) != Some(*piece);
        let changed: Vec<PieceNews> = news.iter().filter(is_new).cloned().collect();
        if gone.is_empty() && changed.is_empty() {
            return;
        }
        self.shown.pieces = news.into_iter().map(|piece| (piece.id, piece)).collect();
        self.tell_all(&json(&News::Pieces { changed, gone }));
    }

    fn board_news(&self) -> Line {
        let surface = self.surface();
        let board = surface.board();
        let point = |point: Point| {
            let (x, y) = draw::place(self.playfield, point);
            let name = board.cell(point).map(|cell| board.name(cell).to_string());
            ((x * 100.0).round() / 100.0, (y * 100.0).round() / 100.0, name)
        };
        json(&News::Board {
            surface: report::surface_name(surface),
            hex: self.playfield == Playfield::Hex,
            view: draw::view(surface),
            points: self.playfield.points().map(point).collect(),
            trays: self.pieces.trays(),
            step: self.pieces.game.map_or(0.0, |id| draw::stack_step(id, 2)),
        })
    }

    fn lights(&self) -> Line {
        if !self.powered {
            return json(&News::Lights { points: Vec::new(), keys: vec![None; 6] });
        }
        let (keys, points) = self.mind.lights(self.playfield);
        let seen = |rgb: &[u8; 3]| {
            let ([r, g, b], strength) = draw::on_screen(*rgb)?;
            Some((format!("rgb({r},{g},{b})"), (strength * 100.0).round() / 100.0))
        };
        let light = |(index, rgb): (usize, &[u8; 3])| {
            let (colour, strength) = seen(rgb)?;
            Some((index, colour, strength))
        };
        json(&News::Lights {
            points: points.iter().enumerate().filter_map(light).collect(),
            keys: keys.iter().map(seen).collect(),
        })
    }

    fn status(&self) -> Status {
        let is_told = self.powered || self.mind.console().is_none();
        let mut status = if is_told { self.mind.status() } else { Status::default() };
        status.powered = self.powered;
        status.demo = self.demo.as_ref().map(|demo| demo.speed);
        status.can_lay_out &= self.demo.is_none() && !self.mind.is_real();
        status.replay = self.replay.as_ref().map(Replay::news);
        status.noise = self.noise;
        status.ambient = self.ambient;
        status
    }

    fn fields(&self) -> Line {
        let field = |point: Point| {
            let mt = match self.codes.get(point.index()) {
                Some(&code) if self.mind.is_real() => table::nominal_mt(code),
                _ => self.table.field_mt(point),
            };
            (mt * 100.0).round() as i32
        };
        json(&News::Fields {
            codes: &self.codes,
            fields: self.playfield.points().map(field).collect(),
            faults: self.mind.faults(),
            referee: self.mind.referee(),
        })
    }
}

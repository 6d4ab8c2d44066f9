//! Brings picture and history up to date with what a scan showed.

use super::effect::{Effect, Effects, Notice};
use super::landing::{self, FELT_MIN};
use super::picture::{Event, Picture};
use super::refuse::own_sign;
use super::{FOREIGN_POINTS, IDLE_HINT_MS, Phase, Referee, SWAP_MS, TOLD_MS, say, stacks};
use crate::games::any::Position;
use crate::games::{Game, yinsh};
use crate::geometry::{Cell, CellSet, GIPF_DOTS, Point, PointSet};
use crate::magnet::Strength;
use crate::sense::{Class, Events, Profile, Reference, Sense, TOUCH_DELTA};

impl Referee {
    /// Brings picture and history up to date. Apart, because stack is scarce.
    #[inline(never)]
    pub(super) fn observe(
        &mut self,
        now_ms: u32,
        sense: &mut Sense,
        events: &Events,
        effects: &mut Effects,
    ) {
        self.told = self.told.filter(|&(_, at)| now_ms.wrapping_sub(at) < TOLD_MS);
        let board = self.board();
        let cells = |points: PointSet| points.iter().filter_map(|point| board.cell(point));
        self.note_quiet_landings(now_ms, sense);
        self.note_end_read(sense);
        for cell in cells(events.lifted) {
            if self.history.lifted().is_empty() {
                sense.mark(Reference::Lift);
                self.sweep_ms = now_ms;
            } else {
                // What is lifted takes its field with it: that adds up when many are cleared away.
                let is_quiet = |&point: &Point| {
                    sense.change(point, Reference::Lift).is_some_and(|by| by.abs() < TOUCH_DELTA)
                        && !sense.was_lifted_since(point, Reference::Lift)
                };
                let quiet = board.playfield().points().filter(is_quiet).collect();
                sense.mark_at(Reference::Lift, quiet);
            }
            self.history.note(Event::Lift(cell));
            self.known.clear(cell);
            self.lost.remove(cell);
        }
        for cell in cells(events.touched | events.put) {
            self.know(sense, cell);
        }
        for cell in cells(events.touched) {
            let point = board.point(cell);
            let since_lift = sense.change(point, Reference::Lift).unwrap_or(0);
            self.history.note(Event::Touch(cell, since_lift));
            let is_stack = stacks::height(self.record.position(), cell) > 1;
            if is_stack && landing::has_lost(sense, point) {
                self.lost.insert(cell);
            } else {
                self.lost.remove(cell);
            }
        }
        for cell in cells(events.put) {
            self.history.note(Event::Put(cell));
        }
        if self.phase != Phase::Play || self.swept {
            self.know_laid_out(sense);
        }
        self.note_brought(sense);
        let mut picture = Picture::of(sense, self.profile(), board, &self.known);
        self.refuse_rings_from_nowhere(sense, &mut picture);
        let is_fading = |&cell: &Cell| match sense.seen(board.point(cell)) {
            Class::Piece(strength, sign) if self.profile() == Profile::Rings => {
                self.expected.at(cell) != Some((sign, strength))
            }
            seen => !seen.is_occupied(),
        };
        self.fading = picture.unrest.iter().filter(is_fading).collect();
        self.debris &= picture.occupied();
        picture.ignore(self.debris);
        let gone = self.expected.occupied() - picture.occupied() - picture.dead;
        if gone.len() > 1 {
            self.in_the_air |= gone;
        }
        self.swapped = self
            .swapped
            .filter(|&(_, since_ms)| gone.is_empty() && now_ms.wrapping_sub(since_ms) < SWAP_MS);
        // What lies there is stronger than any piece, or near many points and on none.
        let odd = |picture: &Picture| picture.overload | picture.loose;
        let foreign = odd(&picture);
        if foreign.len() > FOREIGN_POINTS && odd(&self.picture).len() <= FOREIGN_POINTS {
            let points = foreign.iter().map(|cell| board.point(cell)).collect();
            say(effects, Effect::Notice(Notice::Foreign(points)));
        }
        if !picture.is_still() {
            self.unrest_ms = now_ms;
        }
        if *events != Events::default() || !picture.is_still() {
            self.event_ms = now_ms;
        }
        self.is_idle = now_ms.wrapping_sub(self.event_ms) >= IDLE_HINT_MS;
        // A touch that changes no class is nothing to walks, and may be noise.
        let is_walked = matches!(self.record.position(), Position::Gipf(_) | Position::Yinsh(_));
        let touched = if is_walked { PointSet::EMPTY } else { events.touched };
        let is_news = picture != self.picture || Events { touched, ..*events } != Events::default();
        self.picture = picture;
        if is_news {
            self.search.clear();
            self.reading.clear();
        }
    }

    /// GIPF: notes a piece that the player in turn has on a dot, even if only for one scan: on its
    /// way in it may push others to where no sensor sees them, which looks like pieces taken back.
    fn note_brought(&mut self, sense: &Sense) {
        let Position::Gipf(game) = self.record.position() else { return };
        let Some(own) = own_sign(game) else { return };
        for dot in GIPF_DOTS {
            let point = game.board().point(dot);
            if let Class::Piece(strength, sign) = sense.seen(point)
                && sign == own
            {
                let is_at_rest = sense.class(point) == sense.seen(point);
                self.history.note_brought(dot, strength, is_at_rest);
            }
        }
    }

    /// YINSH: a marker held still above the board reads like a ring, and so does one that was pushed
    /// far aside. Where more new rings are seen than are in the air, they are not seated; unless a ring
    /// may have left with the marker's coming, which changes a point by as much as a marker put in, and
    /// the level shows the marker alone. While none is in the air, what stands on a marker's point that
    /// nobody lifted is that marker.
    fn refuse_rings_from_nowhere(&mut self, sense: &Sense, picture: &mut Picture) {
        let Position::Yinsh(game) = self.record.position() else { return };
        if matches!(game.steps().next(), Some(yinsh::Step::PlaceRing(_))) {
            return;
        }
        let board = game.board();
        let rings = picture.table.weak | picture.table.strong;
        let in_the_air = self.expected.weak - rings;
        if in_the_air.is_empty() {
            let markers = self.expected.occupied() - self.expected.weak - self.expected.strong;
            for cell in (picture.table.weak & markers) - self.history.lifted() {
                self.take_for_marker(cell, picture);
            }
        }
        let new = picture.table.weak - self.expected.occupied();
        if new.len() <= in_the_air.len() {
            return;
        }
        let mut left = CellSet::EMPTY;
        for cell in self.expected.weak & picture.table.strong {
            if let Class::Piece(Strength::Single, _) = sense.class(board.point(cell)) {
                left.insert(cell);
                self.take_for_marker(cell, picture);
            }
        }
        if new.len() > in_the_air.len() + left.len() {
            for cell in new {
                picture.table.clear(cell);
                picture.loose.insert(cell);
            }
        }
    }

    /// What is seen on this cell is a marker, whatever it looks like.
    fn take_for_marker(&mut self, cell: Cell, picture: &mut Picture) {
        let Some((sign, _)) = picture.table.at(cell) else { return };
        for table in [&mut self.known, &mut picture.table] {
            table.clear(cell);
            table.put(cell, sign, Strength::Single);
        }
    }

    /// DVONN and LYNGK: a landing on a high stack changes its value without any unrest. It is noted
    /// before the stack may be lifted in its turn.
    fn note_quiet_landings(&mut self, now_ms: u32, sense: &Sense) {
        let position = self.record.position();
        let is_stacking = matches!(position, Position::Dvonn(_) | Position::Lyngk(_));
        if !is_stacking || self.history.lifted().is_empty() || self.history.is_unclear() {
            return;
        }
        for cell in self.picture.table.occupied() {
            let change = sense.change(self.board().point(cell), Reference::Lift).unwrap_or(0);
            if change >= FELT_MIN && landing::last_touch(self.history.events(), cell) < change - 1 {
                self.history.note(Event::Touch(cell, change));
                self.event_ms = now_ms;
            }
        }
    }

    /// DVONN and LYNGK: what the end of the last move reads, in case some of it goes back to where no
    /// sensor shows it.
    fn note_end_read(&mut self, sense: &Sense) {
        if let Some((_, to)) = stacks::last_move(&self.record) {
            let point = self.board().point(to);
            if sense.class(point).is_occupied() {
                self.end_read.note(sense.rested(point));
            }
        }
    }

    /// What lies as expected is known to be what it should.
    pub(super) fn know_expected(&mut self) {
        let right = self.expected.occupied() - self.picture.differs(&self.expected);
        for cell in right {
            if let Some((sign, strength)) = self.expected.at(cell) {
                self.known.clear(cell);
                self.known.put(cell, sign, strength);
            }
        }
    }

    /// YINSH: while a picture is to be reached, what may be the right piece counts as it.
    fn know_laid_out(&mut self, sense: &Sense) {
        if self.profile() != Profile::Rings {
            return;
        }
        for cell in self.expected.occupied() {
            let Some((sign, strength)) = self.expected.at(cell) else { continue };
            let point = self.board().point(cell);
            if sense.class(point).sign() == Some(sign) && sense.may_be(point, strength) {
                self.known.clear(cell);
                self.known.put(cell, sign, strength);
            }
        }
    }

    /// Keeps what a cell shows after a change: the change tells more than the level.
    pub(super) fn know(&mut self, sense: &Sense, cell: Cell) {
        let point = self.board().point(cell);
        let class = match self.known.at(cell) {
            // A marker that looks like a ring already, and is only pushed a little further.
            Some((sign, Strength::Single))
                if sense.class(point) == Class::Piece(Strength::Weak, sign)
                    && is_nudge(sense, point) =>
            {
                Class::Piece(Strength::Single, sign)
            }
            Some((sign, was)) if sense.class(point).sign() == Some(sign) => {
                sense.class_knowing(point, was, Reference::Touch)
            }
            // Put on the empty cell, or turned over.
            _ => sense.class_put(point),
        };
        self.known.clear(cell);
        if let Class::Piece(strength, sign) = class {
            self.known.put(cell, sign, strength);
        }
    }

    /// DVONN and LYNGK: different stacks were in the air together and are back.
    pub(super) fn guard_swap(&mut self, now_ms: u32, effects: &mut Effects) {
        let cells = core::mem::take(&mut self.in_the_air);
        if stacks::are_different(self.record.position(), cells) {
            self.swapped = Some((cells, now_ms));
            say(effects, Effect::Notice(Notice::Swapped(cells)));
        }
    }
}

/// Whether a piece has changed by no more than a nudge since it was last touched.
fn is_nudge(sense: &Sense, point: Point) -> bool {
    let most = landing::most_nudge(sense.rested(point).abs());
    sense.change(point, Reference::Touch).is_some_and(|change| change.abs() <= most)
}

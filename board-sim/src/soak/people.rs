//! The people: what they do, and what they make of lights and sentences.

use lodestone::console::Event;
use lodestone::games::any::{Position, Step};
use lodestone::games::{Game, lyngk};
use lodestone::geometry::{Cell, CellSet, Point};
use lodestone::meaning::{Lamp, Meaning};
use lodestone::referee::{Act as Asked, Ask, CANDIDATES_MAX, Notice};

use super::play::{Agenda, Asks, Play, TURNS_MAX};
use super::{Failure, turns};
use crate::hands::{Act, Key, Mistake, Part, acts, layout, tap};
use crate::text;

/// How often people look at the lights, µs.
const LOOK_US: u64 = 100_000;
/// After so long without a sign people try something else, ms: longer than any waiting time.
const SILENCE_MS: u64 = 4500;
/// After so long a light that did not go out is looked at again, ms.
const STILL_LIT_MS: u64 = 2500;
/// A position that nobody meant is accepted when it has stood for so long, ms.
const ACCEPT_MS: u64 = 3300;
/// What people try before they give up.
const TRIES_MAX: u32 = 6;
/// Nobody tries for longer, µs: a swept board is put back in a minute.
const PATIENCE_US: u64 = 300_000_000;
/// Share of forgotten things that are done when the lights ask for them; else all is put back.
const FINISHES: f64 = 0.7;

type Played<T = ()> = Result<T, Failure>;

/// What the lights say at a glance.
#[derive(Default)]
struct Look {
    /// Something is wrong or missing.
    red: bool,
    /// Which one? In the order of the keys.
    candidates: Vec<Cell>,
}

impl Play<'_> {
    /// From the empty board to the end of the game.
    pub(super) fn play(&mut self) -> Played {
        self.set_up()?;
        while self.position.turn().is_some() && self.tally.turns < TURNS_MAX {
            self.turn()?;
        }
        Ok(())
    }

    fn chance(&mut self, share: f64) -> bool {
        (self.random.below(1 << 20) as f64) < share * f64::from(1 << 20)
    }

    fn wait(&mut self, ms: u64) -> Played {
        let until_us = self.world.now_us + 1000 * ms;
        while self.world.now_us < until_us {
            self.tick()?;
        }
        Ok(())
    }

    fn finish_acts(&mut self) -> Played {
        while !self.tick()? {}
        Ok(())
    }

    fn press(&mut self, key: Key) {
        self.world.hands.follow(vec![Act::Press(key)]);
        self.standing = None;
    }

    /// Lays the pieces out as lit and says so.
    fn set_up(&mut self) -> Played {
        let start = self.position;
        self.world.hands.restore(&start);
        self.finish_acts()?;
        for _ in 0..TRIES_MAX {
            self.wait(1000)?;
            let is_asking = |meaning| matches!(meaning, Meaning::SetUp(_) | Meaning::Wrong);
            if self.world.meanings().iter().any(|(_, meaning)| matches!(meaning, Meaning::ToAct(_)))
            {
                return Ok(());
            }
            let lit: Vec<Cell> = self.lit(is_asking);
            let centre = lit.into_iter().map(Act::Centre).collect();
            self.world.hands.follow(centre);
            self.press(Key::Ok);
            self.finish_acts()?;
        }
        Err(self.failure(false, "the set-up is not recognised"))
    }

    fn look(&self) -> Look {
        let (meanings, board) = (self.world.meanings(), self.position.board());
        let mut numbered: Vec<(u8, Cell)> = Vec::new();
        let mut look = Look::default();
        for (point, meaning) in meanings.iter() {
            match (meaning, board.cell(point)) {
                (Meaning::Wrong | Meaning::Missing, _) => look.red = true,
                (Meaning::Candidate(number), Some(cell)) => numbered.push((number, cell)),
                _ => {}
            }
        }
        numbered.sort_unstable();
        // The same light asks after two stacks that may stand in each other's places.
        if self.asks != Asks::Places {
            look.candidates = numbered.into_iter().map(|(_, cell)| cell).collect();
        }
        look
    }

    /// One player's turn, perhaps the next one's too; with what people of this style do wrong.
    fn turn(&mut self) -> Played {
        let style = self.plan.style;
        let pause_ms = 700 + self.random.below(1000) as u64;
        self.wait(pause_ms)?;
        // What slipped since is put right first.
        self.begin_turn(Agenda::new(&self.position, &[]));
        self.drive(0)?;
        let base = self.position;
        let meant = turns::any_turn(&base, &mut self.random);
        self.begin_turn(Agenda::new(&base, &meant));
        self.trace_turn("means");
        let (errs, wavers) = (self.chance(style.mistake), self.chance(style.change_of_mind));
        if wavers && self.change_mind(&meant)? {
            self.end_turn(1);
            return Ok(());
        }
        let slips_at = self.random.below(meant.len());
        for at in 0..meant.len() {
            self.wait_until_told(at)?;
            if errs && at == slips_at && self.slip(at)? {
                if self.agenda.steps.len() != meant.len() {
                    break;
                }
                continue;
            }
            if self.agenda.queued <= at {
                self.perform(at);
            }
            if self.chance(0.5) {
                self.drive(at + 1)?;
                if self.agenda.steps.len() != meant.len() {
                    break;
                }
            }
        }
        let mut count = 1;
        if !self.turn.is_odd && self.chance(style.early_reply) {
            count += u64::from(self.reply_early());
        }
        self.drive(self.agenda.steps.len())?;
        self.end_turn(count);
        Ok(())
    }

    fn end_turn(&mut self, turns: u64) {
        self.tally.turns += turns;
        self.tally.questions += u64::from(self.turn.was_asked);
        self.tally.unfair += u64::from(!self.turn.is_odd && self.turn.was_refused);
    }

    /// Keys that mean something only after what came before, and only while their lamp is lit.
    fn wait_until_told(&mut self, at: usize) -> Played {
        if self.agenda.queued < at || !is_by_key(&self.agenda.positions[at], self.agenda.steps[at])
        {
            return Ok(());
        }
        self.drive(at)?;
        for _ in 0..50 {
            if at >= self.agenda.steps.len() || self.is_lamp_lit(self.agenda.steps[at]) {
                break;
            }
            self.wait(100)?;
        }
        Ok(())
    }

    fn is_lamp_lit(&self, step: Step) -> bool {
        match step {
            Step::Lyngk(lyngk::Step::Claim(colour)) => {
                self.world.device.console().lamps()[colour.index()].is_some()
            }
            _ => true,
        }
    }

    /// GLÜX: the number key whose lamp says that its value is told.
    fn chosen_key(&self) -> Option<u8> {
        let lamps = self.world.device.console().lamps();
        (1..).zip(lamps).find_map(|(key, lamp)| (lamp == Some(Lamp::Chosen)).then_some(key))
    }

    /// The hands do a step after what they are doing.
    fn perform(&mut self, at: usize) {
        let (position, step) = (self.agenda.positions[at], self.agenda.steps[at]);
        // In any order the stack is not what is lifted first.
        let is_first = self.agenda.queued == at && !self.plan.style.any_order;
        if is_first && self.position == position && self.lies_as(&position) {
            self.expect_hint(step);
        }
        self.world.hands.play(acts(&position, step));
        self.agenda.queued = at + 1;
    }

    /// The next player does not wait for the commit. He does in the order of the rules what he
    /// does: a value told before the last chip counts would be told for that one.
    fn reply_early(&mut self) -> bool {
        let end = *self.agenda.end();
        if self.agenda.queued < self.agenda.steps.len() || end.turn().is_none() {
            return false;
        }
        let reply = turns::any_turn(&end, &mut self.random);
        if is_by_key(&end, reply[0]) {
            return false;
        }
        self.tally.early += 1;
        let at = self.agenda.steps.len();
        self.agenda.extend(&reply[..1]);
        self.trace_turn("replies early, in all");
        self.world.hands.follow(acts(&end, reply[0]));
        self.agenda.queued = at + 1;
        let mut after = end;
        after.play_unchecked(reply[0]);
        after.turn() != end.turn()
    }

    /// Makes a mistake instead of a step, and waits until it is mended. `false` where none can be
    /// made.
    fn slip(&mut self, at: usize) -> Played<bool> {
        let (position, step) = (self.agenda.positions[at], self.agenda.steps[at]);
        let mut made = None;
        for _ in 0..20 {
            let mistake = Mistake::ALL[self.random.below(Mistake::ALL.len())];
            if let Some(acts) = mistake.acts(&position, step, self.random.next()) {
                made = Some((mistake, acts));
                break;
            }
        }
        let Some((mistake, mut acts)) = made else { return Ok(false) };
        let late_key = match acts.last() {
            Some(&Act::Press(key)) if matches!(step, Step::Lyngk(_)) && acts.len() > 1 => {
                acts.pop();
                Some(key)
            }
            _ => None,
        };
        self.turn.is_odd = true;
        self.tally.mistakes += 1;
        self.say(|| format!("mistake {mistake:?}"));
        self.world.hands.follow(acts);
        self.agenda.queued = at;
        self.finish_acts()?;
        // Nobody claims while the same keys are candidates.
        if let Some(key) = late_key
            && self.look().candidates.is_empty()
        {
            self.press(key);
            self.finish_acts()?;
        }
        self.drive(at + 1)?;
        self.tally.mended += 1;
        Ok(true)
    }

    /// Plays another turn first, and then takes it back or turns it into what is meant. `true` when
    /// that was all of it.
    fn change_mind(&mut self, meant: &[Step]) -> Played<bool> {
        let base = self.position;
        let Some(first) = turns::another_turn(&base, meant, &mut self.random) else {
            return Ok(false);
        };
        self.turn.is_odd = true;
        self.tally.changes += 1;
        self.agenda = Agenda::new(&base, &first);
        self.trace_turn("first");
        for at in 0..first.len() {
            self.wait_until_told(at)?;
            if at < self.agenda.steps.len() {
                self.perform(at);
            }
        }
        if self.chance(0.5) {
            self.drive(self.agenda.steps.len())?;
        } else {
            self.finish_acts()?;
        }
        let mut also = std::mem::take(&mut self.agenda.positions);
        also.push(self.position);
        let is_amended =
            self.chance(0.5) && !meant.iter().chain(&first).any(|&s| turns::is_claim(s));
        self.agenda = Agenda::new(&base, if is_amended { meant } else { &[] });
        self.agenda.also = also;
        if is_amended {
            self.say(|| "amends".into());
            self.agenda.queued = meant.len();
            let end = *self.agenda.end();
            self.world.hands.restore(&end);
        } else if self.position != base && self.chance(0.5) {
            self.undo_to(&base)?;
        } else {
            self.say(|| "takes back by hand".into());
            self.world.hands.restore(&base);
        }
        self.drive(self.agenda.steps.len())?;
        let is_done = is_amended || self.position != base;
        if !is_done {
            self.agenda = Agenda::new(&base, meant);
        }
        Ok(is_done)
    }

    /// By UNDO, step by step; the pieces follow at the end.
    fn undo_to(&mut self, base: &Position) -> Played {
        self.undoing = true;
        for _ in 0..2 * self.agenda.also.len() {
            if self.position == *base {
                break;
            }
            self.press(Key::Undo);
            self.finish_acts()?;
            self.wait(300)?;
        }
        self.undoing = false;
        self.put_back();
        Ok(())
    }

    /// Everything goes to where the board has it.
    fn put_back(&mut self) {
        self.turn.told_values = 0;
        self.say(|| format!("puts back, red: {}", self.red()));
        let position = self.position;
        self.world.hands.restore(&position);
        self.agenda.queued = self.agenda.index_of(&position).unwrap_or(0);
        self.standing = None;
    }

    /// Everything lies as the board has it, and it is still red: what is lit is set down again.
    fn set_down_again(&mut self) {
        self.say(|| "sets down again".into());
        let lit = self.lit(|meaning| matches!(meaning, Meaning::Wrong | Meaning::Missing));
        self.tap_all(lit.into_iter().collect());
    }

    /// Lifts what stands on these cells and sets it down again.
    fn tap_all(&mut self, cells: CellSet) {
        let lying = self.world.hands.layout();
        let taps = cells.iter().filter_map(|cell| tap(&lying, cell)).collect();
        self.world.hands.follow(taps);
    }

    /// Waits, and does what is asked for, until the board has come to where so many steps lead.
    fn drive(&mut self, goal: usize) -> Played {
        let (mut tries, mut idle_us, mut look_us) = (0, self.world.now_us, 0);
        let patience_us = self.world.now_us + PATIENCE_US;
        loop {
            if !self.tick()? {
                idle_us = self.world.now_us;
                continue;
            }
            if self.world.now_us < look_us {
                continue;
            }
            look_us = self.world.now_us + LOOK_US;
            if self.is_put_away() {
                return Ok(());
            }
            let look = self.look();
            // What the lights asked for may have led further.
            let at = self.agenda.index_of(&self.position);
            let is_there = goal > self.agenda.steps.len() || at.is_some_and(|at| at >= goal);
            let is_clean = !look.red && look.candidates.is_empty();
            let is_asked = matches!(
                self.standing,
                Some(Event::Prompt(Asked::Put | Asked::Flip | Asked::Centre | Asked::Answer, _))
            );
            if is_there && is_clean && !is_asked && self.lies_as(&self.position) {
                return Ok(());
            }
            let quiet_ms = (self.world.now_us - idle_us.max(self.said_us)) / 1000;
            if quiet_ms >= 400 + self.random.below(300) as u64 {
                self.respond(&look, goal, quiet_ms, &mut tries)?;
            }
            if tries > TRIES_MAX || self.world.now_us > patience_us {
                return Err(self.failure(false, &self.describe(&look)));
            }
        }
    }

    /// Whether the game is over and the board shows its menu.
    fn is_put_away(&self) -> bool {
        self.position.turn().is_none() && self.world.device.console().game().is_none()
    }

    fn describe(&self, look: &Look) -> String {
        let board = self.position.board();
        let candidates = text::cells(board, look.candidates.iter().copied().collect());
        format!(
            "nothing helps; the board has {}, red {}, asks {candidates}, last said {:?}",
            text::position(&self.position),
            self.red(),
            self.standing,
        )
    }

    /// What the board makes of what it says nothing about.
    fn silence(&self) -> String {
        let Some(referee) = self.world.device.console().game() else { return "no game".into() };
        let board = self.position.board();
        let picture = referee.picture();
        let explained: Vec<String> =
            referee.explanations().map(|(why, steps)| format!("{why} {steps:?}")).collect();
        format!(
            "silence: {:?}, differs {}, loose {}, dead {}, explained {explained:?}",
            referee.stage(),
            text::cells(board, picture.differs(referee.expected())),
            text::cells(board, picture.loose),
            text::cells(board, picture.dead),
        )
    }

    /// The points that are red, with what the board makes of their sensors.
    fn red(&self) -> String {
        let sense = self.world.device.console().sense();
        let meanings = self.world.meanings();
        let is_red = |m: &(Point, Meaning)| matches!(m.1, Meaning::Wrong | Meaning::Missing);
        let red = meanings.iter().filter(is_red).map(|(point, meaning)| {
            let (class, codes) = (sense.class(point), sense.value(point));
            format!("{meaning:?} {}: {class:?} {codes}", point.index())
        });
        red.collect::<Vec<_>>().join(", ")
    }

    /// What people do about what they see and heard, if anything.
    fn respond(&mut self, look: &Look, goal: usize, quiet_ms: u64, tries: &mut u32) -> Played {
        if let Some(event) = self.standing.take() {
            self.react(&event, look);
            self.forget_said();
            return Ok(());
        }
        if quiet_ms >= STILL_LIT_MS && !look.candidates.is_empty() {
            *tries += 1;
            if tries.is_multiple_of(3) {
                self.give_up_question();
            } else {
                self.answer(&look.candidates, true);
            }
            return Ok(());
        }
        if quiet_ms >= STILL_LIT_MS && look.red {
            *tries += 1;
            if self.lies_as(&self.position) {
                self.set_down_again();
                // Where nothing lies there is nothing to set down.
                self.wait(STILL_LIT_MS)?;
            } else {
                self.put_back();
            }
            return Ok(());
        }
        let lies_right = !look.red && self.lies_as(&self.position);
        match self.agenda.index_of(&self.position) {
            Some(at) if at < goal && lies_right && self.is_lamp_lit(self.agenda.steps[at]) => {
                self.do_next(at, quiet_ms, tries);
            }
            None if lies_right && quiet_ms >= ACCEPT_MS => return self.accept(),
            _ => {}
        }
        if quiet_ms >= SILENCE_MS && !lies_right {
            *tries += 1;
            self.say(|| self.silence());
            // After the end OK leads to the menu.
            let is_over = self.position.turn().is_none();
            if self.dead.is_empty() || is_over || tries.is_multiple_of(2) {
                self.put_back();
            } else {
                self.press(Key::Ok);
            }
        }
        Ok(())
    }

    /// After a mistake or a way back: now as it should be. What was done already and left no trace
    /// is done again.
    fn do_next(&mut self, at: usize, quiet_ms: u64, tries: &mut u32) {
        let is_again = self.agenda.queued > at;
        if !is_again || quiet_ms >= SILENCE_MS {
            *tries += u32::from(is_again);
            self.say(|| "does it".into());
            self.perform(at);
        }
    }

    /// The board has a position that lies there and that nobody meant: it stands, or is undone.
    fn accept(&mut self) -> Played {
        self.tally.unmeant += 1;
        let base = self.agenda.positions[0];
        if self.chance(0.5) || !self.may_stand() {
            self.say(|| "undoes what was not meant".into());
            self.agenda.also.push(self.position);
            self.undo_to(&base)?;
            if self.position == base {
                self.agenda.queued = 0;
                return Ok(());
            }
        }
        self.say(|| "lets it stand".into());
        self.agenda = Agenda::new(&self.position.clone(), &[]);
        Ok(())
    }

    /// Whether the colours are those that the board takes them for: once all are placed, DVONN's count.
    fn may_stand(&self) -> bool {
        match self.position {
            Position::Dvonn(game) if game.to_place().is_none() => {
                self.world.hands.layout() == layout(&self.position)
            }
            _ => true,
        }
    }

    /// What people do when they are told something.
    fn react(&mut self, event: &Event, look: &Look) {
        let at = self.agenda.index_of(&self.position);
        match *event {
            Event::Question(Ask::TakenBack, _) if !look.candidates.is_empty() => {
                let is_back = self.is_last_turn_back();
                self.press(if is_back { Key::Ok } else { Key::Undo });
            }
            Event::Prompt(Asked::Take, _)
                if matches!(self.position, Position::Glux(_)) && self.lies_as(&self.position) =>
            {
                self.press(Key::Ok);
            }
            Event::Question(ref ask, ref cells)
                if *ask != Ask::TakenBack && !look.candidates.is_empty() =>
            {
                self.answer(cells, false);
            }
            Event::Refused(_)
            | Event::Notice(Notice::Interrupted)
            | Event::Prompt(Asked::Restore, _) => self.put_back(),
            Event::Prompt(Asked::Answer, cells) => self.tell_value(at, cells),
            Event::Notice(Notice::OtherHalf(cell)) => self.tell_value(at, CellSet::of(cell)),
            Event::Prompt(act, cells) => self.follow_prompt(act, cells, at),
            _ => {}
        }
    }

    /// Whether what the last turn changed lies as it did before one of its steps, whatever else lies
    /// otherwise.
    fn is_last_turn_back(&self) -> bool {
        let (mut turn, mut at) = (Vec::new(), self.start);
        for &step in &self.told {
            turn.retain(|before: &Position| before.turn() == at.turn());
            turn.push(at);
            at.play_unchecked(step);
        }
        let (lies, has) = (self.world.hands.layout(), layout(&at));
        turn.iter().map(layout).any(|lay| {
            (0..lay.len()).all(|n| lay[n] == has[n] || self.is_same_pile(&lies[n], &lay[n]))
        })
    }

    /// GLÜX: the value of the chip that lies there, if that is the chip that was meant. One that only
    /// slipped is lifted and set down.
    fn tell_value(&mut self, at: Option<usize>, cells: CellSet) {
        let step = at.and_then(|at| self.agenda.steps.get(at).copied());
        let next = at.and_then(|at| self.agenda.positions.get(at + 1).copied());
        match (step, next) {
            (Some(Step::Glux(step)), Some(next))
                if cells == CellSet::of(step.cell)
                    && self.lies_as(&next)
                    && self.turn.told_values < 2 =>
            {
                self.turn.told_values += 1;
                self.press(Key::Number(step.spots.number()));
            }
            _ if self.lies_as(&self.position) => self.tap_all(cells),
            (Some(Step::Glux(step)), Some(next)) if self.lies_as(&next) => {
                self.tap_all(cells - CellSet::of(step.cell));
            }
            _ => self.put_back(),
        }
    }

    fn centre(&mut self, cells: CellSet) {
        let now = self.world.hands.layout();
        let stands = |cell: &Cell| !now[cell.index()].is_empty();
        let centre = cells.iter().filter(stands).map(Act::Centre).collect();
        self.world.hands.follow(centre);
    }

    /// GIPF: the piece that came in goes onto its dot once more, where its kind can be seen.
    fn show_on_dot(&mut self, dots: CellSet, at: usize) {
        let first = self.agenda.steps.get(at).and_then(|&step| turns::end(step));
        let (Some(dot), Some(first)) = (dots.lowest(), first) else { return };
        let carry =
            |from, to| Act::Carry { from, part: Part::Top(1), via: Vec::new(), to, slides: false };
        self.world.hands.follow(vec![carry(first, dot), carry(dot, first)]);
    }

    fn follow_prompt(&mut self, act: Asked, cells: CellSet, at: Option<usize>) {
        let Some(at) = at else { return self.put_back() };
        let now = self.world.hands.layout();
        let target = at.max(self.agenda.queued).min(self.agenda.steps.len());
        let is_done = self.is_same(&now, &layout(&self.agenda.positions[target]));
        match act {
            // What comes next is known.
            Asked::Take if target == at && is_done => {}
            Asked::Centre => self.centre(cells),
            Asked::Put if is_done => self.centre(cells),
            Asked::SetDown if is_done && matches!(self.position, Position::Gipf(_)) => {
                self.show_on_dot(cells, at);
            }
            _ if is_done => {}
            _ if at < self.agenda.steps.len() && self.chance(FINISHES) => {
                self.say(|| "does what is asked for".into());
                let finished = self.agenda.positions[target.max(at + 1)];
                self.world.hands.restore(&finished);
                self.agenda.queued = target.max(at + 1);
            }
            _ => self.put_back(),
        }
    }

    /// Answers rightly: by hand or by key; takes it back where no answer is right.
    fn answer(&mut self, cells: &[Cell], by_key: bool) {
        let at = self.agenda.index_of(&self.position).filter(|&at| at < self.agenda.queued);
        let step = at.map(|at| self.agenda.steps[at]);
        let is_dead = |cell: Cell| self.dead.contains(self.position.board().point(cell));
        // Of what came off, the board asks for what it could not see.
        let came_off =
            |step: &Step| turns::is_taking(*step).then(|| turns::off(&self.position, *step));
        let off = step.as_ref().and_then(came_off);
        let taken = |of: CellSet| {
            let mut asked = cells.iter().copied().filter(|&cell| of.contains(cell));
            asked.clone().find(|&cell| is_dead(cell)).or_else(|| asked.next())
        };
        // Where several lead to the same cell the board asks from where.
        let from = step.and_then(turns::origin).filter(|from| cells.contains(from));
        let (stack, end) = (step.and_then(turns::origin_of_stack), step.and_then(turns::end));
        // Another push that ends alike is right, too: what counts is where a piece has come.
        let brought = || {
            let (mut after, lay) = (self.position, self.position.table().occupied());
            after.play_unchecked(step?);
            (after.table().occupied() - lay).iter().find(|cell| cells.contains(cell))
        };
        // While a landing is asked for it is lit where the stack came from: it may be the next player's.
        let is_asked = !self.lit(|meaning| matches!(meaning, Meaning::Candidate(_))).is_empty();
        let lit = self.lit(|meaning| meaning == Meaning::Origin && is_asked);
        let is_meant = |from| lit.is_empty() || lit.contains(&from) || cells.contains(&from);
        let told = match stack {
            Some(_) if self.asks == Asks::Origin => stack,
            Some(from) => end.filter(|_| is_meant(from)),
            None => {
                let told = from.or(end).filter(|cell| cells.contains(cell)).or_else(brought);
                told.filter(|_| step.and_then(turns::origin).is_none_or(is_meant))
            }
        };
        // After a row the next player may have moved already, and be asked for.
        let after = |at: usize| &self.agenda.steps[at + 1..self.agenda.queued];
        let next = at.into_iter().flat_map(after).find(|&&step| !turns::is_taking(step));
        let next = next.and_then(|&step| turns::end(step)).filter(|cell| cells.contains(cell));
        let right = off.map_or(told, |off| next.or_else(|| taken(off)));
        let number = cells.iter().position(|&cell| Some(cell) == right);
        let tapped = right.filter(|&cell| !is_dead(cell));
        let tapped = tapped.and_then(|cell| tap(&self.world.hands.layout(), cell));
        self.say(|| {
            format!("answers {}", step.map_or("nothing".into(), |s| text::step(&self.position, s)))
        });
        match (number, tapped) {
            (Some(_), Some(tap)) if !by_key && self.chance(0.5) => {
                self.world.hands.follow(vec![tap]);
            }
            // Numbers are values as well, and yes means the one that is lit.
            (Some(_), _) if cells.len() == 1 && matches!(self.position, Position::Glux(_)) => {
                let told = self.chosen_key();
                self.press(match step {
                    Some(Step::Glux(step)) if told.is_some_and(|t| t != step.spots.number()) => {
                        Key::Number(step.spots.number())
                    }
                    _ => Key::Ok,
                });
            }
            (Some(number), _) => self.press(Key::Number(number as u8 + 1)),
            // There may be more than the board can show at a time.
            (None, Some(tap)) if !by_key && cells.len() >= CANDIDATES_MAX => {
                self.world.hands.follow(vec![tap]);
            }
            _ => self.give_up_question(),
        }
    }

    /// No answer is right, or none is taken: the question is cancelled, and the lights lead back.
    fn give_up_question(&mut self) {
        self.press(Key::Undo);
        self.agenda.queued = self.agenda.index_of(&self.position).unwrap_or(0);
    }

    fn trace_turn(&self, does: &str) {
        self.say(|| {
            let steps = self.agenda.steps.iter().zip(&self.agenda.positions);
            let texts: Vec<String> = steps.map(|(&step, at)| text::step(at, step)).collect();
            format!("{:?} {does} {}", self.position.turn(), texts.join(" "))
        });
    }
}

/// Whether a step is told by a key alone.
fn is_by_key(position: &Position, step: Step) -> bool {
    matches!(acts(position, step)[..], [Act::Press(_)])
}

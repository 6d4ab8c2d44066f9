//! The console task: the one place where everything comes together.
//!
//! In come scans, keys, what the host sends, and time; the library's `Console` decides; out go
//! records, lights, sounds and messages, in the order it says. A record is in flash before anything
//! that follows it goes out. Nothing here waits for the host or for the LEDs; flash alone makes it
//! wait.
//!
//! A scan's time is its number times the period, not when this task gets it. Until a playfield is
//! known nothing happens here; when another one is plugged in, everything starts anew with it, as
//! after a loss of power.

use core::future::pending;
use core::pin::{Pin, pin};
use core::sync::atomic::Ordering;
use core::task::{Context, Poll};

use embassy_futures::select::{Either6, select6};
use embassy_rp::clocks::RoscRng;
use embassy_rp::rom_data::reset_to_usb_boot;
use embassy_time::{Duration, Instant, Timer, with_timeout};
use lodestone::console::{Answer, Console, Effect, Effects, Event, Input};
use lodestone::games::Id;
use lodestone::games::any::Setup;
use lodestone::geometry::Playfield;
use lodestone::journal::History;
use lodestone::keys::Change;
use lodestone::light::{Frame, TICK_MS};
use lodestone::link::service::Service;
use lodestone::link::{Failure, FromBoard, Numbered, Text, ToBoard};
use lodestone::wiring::KEY_LED_COUNT;
use static_cell::{ConstStaticCell, StaticCell};

use super::answer::Long;
use super::field::{self, Scan, Scans};
use super::flash::Shared;
use super::hook;
use super::link::{LINE, Line, OUT, Packet};
use super::store::{Failed, Store};
use super::{buzzer, keys, power, stack};

/// For so long all keys say that the board has restarted by itself.
const RESTARTED_MS: u32 = 2000;
/// How long the last answer may take to reach the host before the boot loader takes over.
const FAREWELL: Duration = Duration::from_millis(200);

/// A future whose poll is a function of its own: what it needs of the stack is not beneath all that
/// the task does beside it.
struct Apart<'a, F>(Pin<&'a mut F>);

impl<F: Future> Future for Apart<'_, F> {
    type Output = F::Output;

    #[inline(never)]
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        self.0.as_mut().poll(context)
    }
}

/// What the console needs to know of this start.
pub(super) struct Start {
    pub(super) flash: Shared,
    pub(super) serial: &'static str,
    /// Restarts by watchdog or panic since the power came.
    pub(super) resets: u16,
}

#[embassy_executor::task]
pub(super) async fn run(start: Start, mut scans: Scans) {
    let store = Apart(pin!(Store::open(start.flash))).await;
    // Made here, where it stays: variables of a task are static.
    let mut console = Console::vacant();
    let mut desk = Desk::new(&mut console, start, store);
    let playfield = scans.receive().await.playfield;
    scans.receive_done();
    desk.power_up(playfield).await;
    loop {
        desk.turn(&mut scans).await;
    }
}

/// The console and everything it is concerned with.
struct Desk<'a> {
    console: &'a mut Console,
    service: &'static mut Service,
    effects: &'static mut Effects,
    /// Room for a game of the journal.
    history: &'static mut History,
    store: Store,
    start: Start,
    /// What the LEDs were last told, and at which tick of their rhythms.
    frame: Frame,
    shown_tick: u32,
    /// Whether the time of a key press has gone into the draws by lot.
    is_stirred: bool,
    /// Bytes of the host that wait until there is room for an answer.
    packet: Packet,
    /// An answer in several messages that is under way.
    long: Option<Long>,
}

impl<'a> Desk<'a> {
    /// Puts everything in its place. On its own, so that what it needs of the stack is free again
    /// when it returns.
    #[inline(never)]
    fn new(console: &'a mut Console, start: Start, store: Store) -> Desk<'a> {
        static SERVICE: StaticCell<Service> = StaticCell::new();
        static EFFECTS: ConstStaticCell<Effects> = ConstStaticCell::new(Effects::new());
        static HISTORY: StaticCell<History> = StaticCell::new();
        let service = SERVICE.init_with(Service::new);
        service.set_serial(start.serial);
        Desk {
            console,
            service,
            effects: EFFECTS.take(),
            history: HISTORY.init_with(|| History::new(Setup::of(Id::Dvonn))),
            store,
            start,
            frame: Frame::dark(Playfield::Hex),
            shown_tick: 0,
            is_stirred: false,
            packet: Packet::new(),
            long: None,
        }
    }

    /// Starts with this playfield: what is stored, and the game that was interrupted.
    async fn power_up(&mut self, playfield: Playfield) {
        let calibration = self.store.calibration(playfield).await;
        let options = self.store.options().await;
        self.console.start(calibration, options, RoscRng.next_u64());
        self.frame = Frame::dark(playfield);
        let unfinished = self.store.unfinished().map(|game| game.number);
        if let Some(number) = unfinished
            && let Ok(Some(game)) = self.store.load(number, self.history).await
        {
            let before = game.steps as usize - self.history.depth();
            self.console.offer(self.history.base(), before, self.history.steps(), self.effects);
            self.carry_out(now_ms()).await;
        }
    }

    /// Waits for what happens next, and does what follows from it.
    async fn turn(&mut self, scans: &mut Scans) {
        Apart(pin!(self.listen())).await;
        Apart(pin!(self.go_on_answering())).await;
        let line =
            async { if self.packet.is_empty() { LINE.receive().await } else { pending().await } };
        let outgoing = self.service.outgoing();
        let sent =
            async { if outgoing.is_empty() { pending().await } else { OUT.write(outgoing).await } };
        let tick = Timer::after_millis(TICK_MS.into());
        let (key, scan) = (keys::EVENTS.receive(), scans.receive());
        // In this order: keys and scans come at their own pace, a host can send without end.
        match select6(key, scan, sent, line, hook::REPORT.wait(), tick).await {
            Either6::First(event) => self.key(event).await,
            Either6::Second(scan) => {
                self.scan(scan).await;
                scans.receive_done();
            }
            Either6::Third(count) => self.service.sent(count),
            Either6::Fourth(Line::Bytes(bytes)) => self.packet = bytes,
            Either6::Fourth(Line::Opened) => {
                self.hang_up();
                self.service.open(self.console);
            }
            Either6::Fourth(Line::Closed) => self.hang_up(),
            Either6::Fifth(()) => self.report(),
            Either6::Sixth(()) => self.handle(now_ms(), Input::Tick).await,
        }
    }

    async fn handle(&mut self, now_ms: u32, input: Input<'_>) {
        self.console.handle(now_ms, input, self.effects);
        self.carry_out(now_ms).await;
        self.show(now_ms);
    }

    async fn scan(&mut self, scan: &Scan) {
        if scan.playfield != self.console.playfield() {
            self.power_up(scan.playfield).await;
        }
        let codes = &scan.codes[..scan.playfield.point_count()];
        self.service.fields(codes);
        self.console.handle(scan.at_ms, Input::Scan(codes), self.effects);
        let is_news = !self.effects.is_empty() || self.console.is_lively();
        self.carry_out(scan.at_ms).await;
        if is_news || scan.at_ms / TICK_MS != self.shown_tick {
            self.show(scan.at_ms);
        }
        let uptime_s = Instant::now().as_secs() as u32;
        self.service.health(self.console, uptime_s, power::supply(), self.start.resets);
    }

    async fn key(&mut self, event: lodestone::keys::Event) {
        if !self.is_stirred {
            self.is_stirred = true;
            self.console.stir(Instant::now().as_ticks());
        }
        let is_down = match event.change {
            Change::Down => true,
            Change::Up => false,
            Change::Stuck => return,
        };
        defmt::info!("key {} {} at {} ms", event.key as u8, event.change, event.at_ms);
        self.handle(event.at_ms, Input::Key(event.key, is_down)).await;
    }

    /// Carries out the requests that wait, as far as there is room for answers.
    async fn listen(&mut self) {
        let packet = core::mem::take(&mut self.packet);
        let mut bytes = packet.as_slice();
        while let Some(heard) = self.service.next(&mut bytes) {
            if let Ok(request) = heard {
                let now_ms = now_ms();
                self.console.handle(now_ms, Input::Host(request), self.effects);
                self.carry_out(now_ms).await;
                self.show(now_ms);
            }
        }
        // Never longer than it was.
        self.packet = Packet::from_slice(bytes).unwrap_or_default();
    }

    /// Does what the console wants done, in order.
    async fn carry_out(&mut self, now_ms: u32) {
        let mut all_stored = true;
        for effect in self.effects.iter() {
            match effect {
                Effect::Store(record) => {
                    all_stored &= self.store.append(record).await.is_ok();
                }
                Effect::SaveOptions => self.store.save_options(*self.console.options()).await,
                Effect::SaveCalibration => {
                    self.store.save_calibration(self.console.calibration()).await;
                }
                Effect::EraseAhead => self.store.erase_ahead().await,
                Effect::Sound(sound) => {
                    buzzer::SOUND.signal(*sound);
                    self.service.tell(self.console, effect);
                }
                Effect::Answer(Answer::ListGames) => self.long = Some(Long::list()),
                Effect::Answer(Answer::Game(number)) => self.long = Some(Long::game(*number)),
                Effect::Answer(Answer::EraseJournal) => {
                    let done = self.store.format().await;
                    self.service.send(self.console, &answer(&ToBoard::EraseJournal, done));
                }
                Effect::Answer(Answer::EnterBootloader) => {
                    let ack = answer(&ToBoard::EnterBootloader, Ok(()));
                    self.service.send(self.console, &ack);
                    leave(self.service).await;
                }
                Effect::Event(_) | Effect::Answer(_) => {
                    if let Effect::Event(Event::Report { passed, points, .. }) = effect {
                        defmt::info!("test: passed {}, points at fault {}", passed, points.len());
                    }
                    self.service.tell(self.console, effect);
                }
            }
        }
        self.effects.clear();
        if self.long.is_some() {
            self.service.begin_answer();
        }
        if !all_stored {
            self.console.handle(now_ms, Input::NotStored, self.effects);
            // Says nothing more; what is due by time comes again.
            self.effects.clear();
        }
    }

    /// Sends the next message of a long answer when there is room for it.
    async fn go_on_answering(&mut self) {
        if !self.service.is_answering() {
            self.long = None;
        }
        if let Some(long) = &mut self.long
            && self.service.wants_part()
        {
            long.go_on(&mut self.store, self.history, self.service, self.console).await;
        }
    }

    /// Tells LEDs and host what is to be seen, when it has changed.
    fn show(&mut self, now_ms: u32) {
        self.shown_tick = now_ms / TICK_MS;
        let mut frame = self.console.frame();
        if self.start.resets > 0 && now_ms < RESTARTED_MS {
            (0..KEY_LED_COUNT).for_each(|key| frame.set_key(key, field::FAULT));
        }
        if frame != self.frame {
            self.frame = frame;
            field::light(&self.frame);
        }
        self.service.lights(self.console.playfield(), &self.frame);
        if self.service.watch().meanings {
            self.service.meanings(&self.console.meanings());
        }
    }

    /// The host is gone; what it said last and what it did not hear is forgotten.
    fn hang_up(&mut self) {
        self.service.close();
        self.packet.clear();
        OUT.clear();
    }

    /// What the hook wants to know.
    fn report(&self) {
        defmt::info!("stack: {} bytes used", stack::high_water());
        defmt::info!("resets: {}", self.start.resets);
        defmt::info!("scans left out: {}", field::LEFT_OUT.load(Ordering::Relaxed));
        defmt::info!("flash: {}", self.start.flash.longest());
    }
}

/// The answer to a request that was carried out here.
pub(super) fn answer(request: &ToBoard, done: Result<(), Failed>) -> FromBoard<'static> {
    match done {
        Ok(()) => FromBoard::Ack { request: request.number() },
        Err(Failed) => FromBoard::Error { code: Failure::Storage, text: Text::default() },
    }
}

/// Into the boot loader, when the host has heard that it is so. Nobody comes back from there.
async fn leave(service: &mut Service) {
    let farewell = async {
        while !service.outgoing().is_empty() {
            let count = OUT.write(service.outgoing()).await;
            service.sent(count);
        }
        Timer::after(FAREWELL / 2).await;
    };
    // Without a host that reads there is nobody to wait for.
    let _ = with_timeout(FAREWELL, farewell).await;
    reset_to_usb_boot(0, 0);
}

fn now_ms() -> u32 {
    Instant::now().as_millis() as u32
}

//! What the image writes into flash survives a power cut at any operation, and writing disturbs
//! nobody.

use std::time::Duration;

use board_sim::emulator::{Event, Options, ResetReason, What};
use embassy_futures::block_on;
use lodestone::games::Id;
use lodestone::games::any::Setup;
use lodestone::geometry::Playfield;
use lodestone::journal::{End, GAMES, Journal, Record, VERSION};
use lodestone::link::{Seat, Text, ToBoard};
use lodestone::wiring::flash::{JOURNAL, SECTOR, SETTINGS};
use lodestone::wiring::{self, timing};
use sequential_storage::cache::Cache;
use sequential_storage::queue::{QueueConfig, QueueStorage};

use crate::flash::Copy;
use crate::machine::{Machine, settings};

/// Records of a story: starts and ends of games in turn.
const RECORDS: usize = 5;
/// From a request to its answer at the latest; after a start also the start itself.
const RECORD_MS: u64 = 150;

/// How many records are in a journal that only has games without steps.
fn records(journal: &mut Journal<Copy>) -> usize {
    let mut finished = 0;
    block_on(journal.finished(|game| {
        assert!(game.sound && game.end == Some(End::Stopped), "{game:?}");
        finished += 1;
    }))
    .unwrap();
    2 * finished + usize::from(journal.unfinished().is_some())
}

fn new_game() -> ToBoard<'static> {
    ToBoard::NewGame { id: Id::Dvonn, handicap: Text::default(), setup: Text::default() }
}

/// Has a record written: the start of a game, or the end of the one under way.
fn record(machine: &mut Machine) {
    let is_on = Copy::of(machine).journal().unfinished().is_some();
    machine.send(&if is_on { ToBoard::Resign { player: Seat(None) } } else { new_game() });
    machine.run_ms(RECORD_MS);
}

fn plugged(mut options: Options) -> Machine {
    options.flash.extend(settings(Playfield::Hex));
    let mut machine = Machine::new(&options);
    machine.emulator.plug(Some(Playfield::Hex)).unwrap();
    machine.emulator.set_usb_host(true).unwrap();
    machine
}

#[test]
fn records_are_there_after_a_power_cut() {
    let mut machine = plugged(Options::default());
    for _ in 0..RECORDS {
        record(&mut machine);
    }
    assert_eq!(machine.acks(), RECORDS);
    machine.emulator.cut_power().unwrap();
    machine.run_ms(100);
    assert_eq!(machine.resets().len(), 1);
    assert!(machine.has_logged("info: journal: game 2 unfinished, 0 steps"));
    assert_eq!(records(&mut Copy::of(&mut machine).journal()), RECORDS);
}

#[test]
fn a_cut_in_any_flash_operation_loses_at_most_the_record_under_way() {
    let mut whole = plugged(Options::default());
    for _ in 0..RECORDS {
        record(&mut whole);
    }
    let operations = whole.emulator.flash_operations();
    println!("{RECORDS} records take {operations} flash operations");
    assert!(operations as usize >= RECORDS);
    for operation in 1..=operations {
        let mut machine = plugged(Options::default());
        machine.emulator.cut_power_at(operation).unwrap();
        while machine.resets().is_empty() {
            record(&mut machine);
        }
        assert_eq!(machine.resets()[0].1, ResetReason::PowerCut);
        machine.run_ms(100);
        let promised = machine.acks();
        let kept = records(&mut Copy::of(&mut machine).journal());
        assert!(kept == promised || kept == promised + 1, "{operation}: {kept} of {promised}");
        // And it goes on from there.
        record(&mut machine);
        record(&mut machine);
        assert_eq!(records(&mut Copy::of(&mut machine).journal()), kept + 2, "{operation}");
        assert_eq!(machine.resets().len(), 1);
    }
}

/// The starts of scans among these events.
fn scan_starts(events: &[Event], playfield: Playfield) -> Vec<Duration> {
    let first = wiring::slot(playfield, playfield.points().next().unwrap());
    let start = |event: &Event| match event.what {
        What::Visit(visit) if visit.samples > 0 => {
            ((visit.address, visit.channel) == (first.address, first.channel)).then_some(event.at)
        }
        _ => None,
    };
    events.iter().filter_map(start).collect()
}

#[test]
fn an_erase_costs_some_scans_and_then_they_are_on_their_raster_again() {
    for playfield in Playfield::ALL {
        // Settings seem erased and are not: they are erased again when they are opened.
        let flash = vec![(SETTINGS.start + SECTOR + 100, vec![0])];
        let mut machine = Machine::new(&Options { flash, ..Options::default() });
        machine.emulator.plug(Some(playfield)).unwrap();
        machine.emulator.set_trace(true).unwrap();
        machine.run_ms(400);
        assert_eq!(machine.emulator.flash_operations(), 1);
        let period = Duration::from_micros(timing::period_us(playfield).into());
        let starts = scan_starts(&machine.events, playfield);
        let (mut hole, mut least) = (Duration::ZERO, Duration::MAX);
        for pair in starts.windows(2) {
            let step = pair[1].saturating_sub(pair[0]);
            let rest = (step + period / 2).as_nanos() % period.as_nanos();
            let off = rest.abs_diff((period / 2).as_nanos());
            assert!(off < 5_000, "{playfield:?}: {off} ns off the raster");
            (hole, least) = (hole.max(step), least.min(step));
        }
        println!("{playfield:?}: an erase leaves {hole:?} between two scans");
        assert!(least.abs_diff(period) < Duration::from_micros(5), "{least:?}");
        let erase = Duration::from_millis(45);
        assert!(hole > erase && hole < erase + 2 * period, "{hole:?}");
        assert!(machine.log().all(|line| line.starts_with("info: ")), "none got stuck");
        assert_eq!(machine.resets(), []);
    }
}

/// A game that was begun and stopped.
fn play_none(journal: &mut Journal<Copy>) {
    block_on(journal.append(&Record::Start { setup: Setup::of(Id::Dvonn), lot: 0 })).unwrap();
    block_on(journal.append(&Record::End(End::Stopped))).unwrap();
}

/// A ring that is full of finished games, the next of which needs another sector; which one.
fn full_ring() -> (Vec<u8>, usize) {
    const PER_SECTOR_MAX: u32 = 150;
    let mut journal = Copy::blank().journal();
    (0..PER_SECTOR_MAX * JOURNAL.size / SECTOR).for_each(|_| play_none(&mut journal));
    let mut full = journal.close().0;
    loop {
        let mut journal = Copy(full.clone()).journal();
        play_none(&mut journal);
        let next = journal.close().0;
        let sectors = || full.chunks(SECTOR as usize).zip(next.chunks(SECTOR as usize));
        let changed: Vec<usize> =
            sectors().enumerate().filter_map(|(n, (old, new))| (old != new).then_some(n)).collect();
        match changed[..] {
            [_] => full = next,
            [0, last] if last > 1 => return (full, 0),
            [_, sector] => return (full, sector),
            _ => panic!("{changed:?}"),
        }
    }
}

#[test]
fn sectors_are_erased_before_a_game_and_after_it_but_not_in_it() {
    let (full, next) = full_ring();
    let sector = |bytes: &[u8]| bytes[next * SECTOR as usize..][..SECTOR as usize].to_vec();
    let blank = vec![0xff; SECTOR as usize];
    assert!(sector(&full) != blank, "there are old games");
    let flash = vec![(JOURNAL.start, full)];
    let mut machine = plugged(Options { flash, ..Options::default() });
    while !machine.has_logged("info: journal: no unfinished game") {
        machine.run_ms(1000);
    }
    machine.run_ms(500);
    assert_eq!(machine.emulator.flash_operations(), 2, "two sectors are ready");
    assert!(sector(&Copy::of(&mut machine).0) == blank);

    machine.emulator.set_trace(true).unwrap();
    let before = machine.events.len();
    machine.send(&new_game());
    machine.run_ms(1000);
    let period = Duration::from_micros(timing::period_us(Playfield::Hex).into());
    let starts = scan_starts(&machine.events[before..], Playfield::Hex);
    assert!(starts.len() > 70);
    for pair in starts.windows(2) {
        let step = pair[1].saturating_sub(pair[0]);
        assert!(step.abs_diff(period) < Duration::from_micros(5), "a hole of {step:?}");
    }
    assert!(sector(&Copy::of(&mut machine).0) != blank, "the game is in the next sector");

    let in_game = machine.emulator.flash_operations();
    machine.send(&ToBoard::Resign { player: Seat(None) });
    machine.run_ms(1000);
    let mut journal = Copy::of(&mut machine).journal();
    assert!(journal.unfinished().is_none());
    assert_eq!(block_on(journal.erase_ahead()), Ok(0), "the board has done so");
    assert!(machine.emulator.flash_operations() > in_game + 1, "the end, and an erase");
    assert_eq!(machine.resets(), []);
}

#[test]
fn a_journal_of_another_version_is_refused_by_its_number_and_left_as_it_is() {
    let mut journal = Copy::blank().journal();
    play_none(&mut journal);
    let mut copy = journal.close();
    let config = QueueConfig::try_new(GAMES).unwrap();
    let mut queue = QueueStorage::new(&mut copy, config, Cache::new_uncached());
    block_on(queue.push(&[(VERSION + 1) << 4, 0, 0], false)).unwrap();
    let bytes = copy.0;
    let flash = vec![(JOURNAL.start, bytes.clone())];
    let mut machine = plugged(Options { flash, ..Options::default() });
    machine.run_ms(1000);
    let told = format!(
        "error: journal: of version {}, this image reads {VERSION}; it is left as it is",
        VERSION + 1
    );
    assert!(machine.has_logged(&told), "{:?}", machine.log().last());
    record_nothing(&mut machine, &bytes);
}

#[test]
fn a_long_journal_is_read_beside_everything_else() {
    const COUNT: usize = 3000;
    let mut journal = Copy::blank().journal();
    (0..COUNT).for_each(|_| play_none(&mut journal));
    let flash = vec![(JOURNAL.start, journal.close().0)];
    let mut machine = plugged(Options { flash, ..Options::default() });
    machine.run_ms(2000);
    let opened = |event: &&Event| matches!(&event.what, What::Log(line) if line.text == "journal: no unfinished game");
    let at = machine.events.iter().find(opened).expect("opened by then").at;
    println!("{} records are read in {at:?}", 2 * COUNT);
    assert_eq!(machine.resets(), []);
}

#[test]
fn what_is_no_journal_is_refused_and_left_as_it_is() {
    // No ring has all of its sectors full.
    let bytes = vec![0; JOURNAL.size as usize];
    let flash = vec![(JOURNAL.start, bytes.clone())];
    let mut machine = plugged(Options { flash, ..Options::default() });
    machine.run_ms(1000);
    assert!(machine.has_logged("error: journal: Unreadable"), "{:?}", machine.log().last());
    record_nothing(&mut machine, &bytes);
}

/// A game is played without journal, whose bytes stay what they are.
fn record_nothing(machine: &mut Machine, bytes: &[u8]) {
    machine.send(&new_game());
    machine.run_ms(RECORD_MS);
    assert_eq!(machine.acks(), 1, "the game goes on without");
    assert!(Copy::of(machine).0 == bytes);
    assert_eq!(machine.resets(), []);
}

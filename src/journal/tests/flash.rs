//! What lasts, what is dropped, what is refused.

use super::super::{Key, Settings, Summary};
use super::*;
use crate::geometry::Playfield;
use crate::sense::Calibration;

fn finished<const W: usize>(journal: &mut Journal<Nor<W>>) -> Vec<Summary> {
    let mut games = Vec::new();
    block_on(journal.finished(|game| games.push(*game))).unwrap();
    games
}

fn erases<const W: usize>(journal: &Journal<Nor<W>>) -> u32 {
    journal.flash.erases.iter().sum()
}

#[test]
fn a_game_of_every_kind_is_resumed_where_it_was() {
    for id in Id::ALL {
        let script = game(id, 11, 150);
        let mut journal = open(Nor::<1>::new(8)).unwrap();
        append_all(&mut journal, &script);
        let mut journal = open(journal.close()).unwrap();
        let number = journal.unfinished().unwrap().number;
        let mut resumed = History::new(Setup::Dvonn);
        let summary = block_on(journal.load(number, &mut resumed)).unwrap().unwrap();
        let played = history(&script);
        assert!(summary.sound && summary.steps as usize == played.depth(), "{id}");
        assert_eq!(resumed.position(), played.position(), "{id}");
        assert!(resumed.steps().eq(played.steps()), "{id}");
        assert!(append(&mut journal, &script[0]) == Err(Error::Misplaced));
        append(&mut journal, &END).unwrap();
        assert_eq!(journal.unfinished(), None);
    }
}

#[test]
fn undo_ends_at_a_checkpoint_which_is_due_after_2048_steps() {
    let step = |text: &[u8]| {
        Record::step(Setup::of(Id::Yinsh).position().parse_step(text).unwrap()).unwrap()
    };
    let mut journal = open(Nor::<1>::new(16)).unwrap();
    append(&mut journal, &Record::Start { setup: Setup::of(Id::Yinsh), lot: 0 }).unwrap();
    append(&mut journal, &step(b"f6")).unwrap();
    append(&mut journal, &Record::Checkpoint).unwrap();
    assert_eq!(append(&mut journal, &Record::Undo), Err(Error::Misplaced));
    append(&mut journal, &step(b"a5")).unwrap();
    let mut resumed = History::new(Setup::Dvonn);
    assert!(block_on(journal.load(0, &mut resumed)).unwrap().unwrap().sound);
    assert_eq!(resumed.depth(), 1);
    // The journal counts, the rules judge when it is read.
    for _ in 1..super::super::STEPS_MAX {
        append(&mut journal, &step(b"a4")).unwrap();
    }
    assert_eq!(append(&mut journal, &step(b"a4")), Err(Error::Misplaced));
    let illegal = block_on(journal.load(0, &mut resumed)).unwrap().unwrap();
    assert!(!illegal.sound && resumed.depth() == 2);
    assert_eq!(append(&mut journal, &Record::Checkpoint), Err(Error::Misplaced));
    append(&mut journal, &END).unwrap();
}

#[test]
fn the_oldest_finished_games_go_first_and_all_others_are_listed() {
    let mut journal = come_round::<1>(5);
    append_all(&mut journal, &game(Id::Glux3, 1, 50));
    let games = finished(&mut journal);
    assert!(games.len() > 8 && games[0].number > 0);
    assert!(games.windows(2).all(|two| two[0].number + 1 == two[1].number));
    assert!(games.iter().all(|game| game.sound && game.end.is_some()));
    let unfinished = journal.unfinished().unwrap().number;
    assert_eq!(unfinished, games.last().unwrap().number + 1);
    let mut loaded = History::new(Setup::Dvonn);
    for game in games {
        let again = block_on(journal.load(game.number, &mut loaded)).unwrap().unwrap();
        assert_eq!((again, loaded.depth()), (game, game.steps as usize));
    }
    assert_eq!(block_on(journal.load(unfinished + 1, &mut loaded)), Ok(None));
}

#[test]
fn with_sectors_erased_ahead_a_game_needs_no_erase() {
    let mut journal = come_round::<1>(6);
    for seed in 0..150 {
        block_on(journal.erase_ahead()).unwrap();
        assert_eq!(block_on(journal.erase_ahead()), Ok(0));
        let before = erases(&journal);
        let script = game(Id::Gipf, seed, 400);
        append_all(&mut journal, &script);
        append(&mut journal, &END).unwrap();
        assert_eq!(erases(&journal), before);
    }
    assert!(erases(&journal) > 20);
}

#[test]
fn a_game_that_fills_the_flash_stops_growing_is_kept_and_can_be_ended() {
    let mut journal = come_round::<1>(4);
    let setup = Setup::of(Id::Yinsh);
    let step = Record::step(play(Id::Yinsh, 0, 1)[0]).unwrap();
    append(&mut journal, &Record::Start { setup, lot: 9 }).unwrap();
    let mut records = [step, Record::Undo].into_iter().cycle();
    let full = records.find_map(|record| append(&mut journal, &record).err());
    assert_eq!(full, Some(Error::Full));
    // Something shorter might find room, but would be another game.
    let stored = youngest(&mut journal);
    for record in [step, Record::Undo] {
        assert_eq!(append(&mut journal, &record), Err(Error::Misplaced));
    }
    assert_eq!(youngest(&mut journal), stored);
    assert_eq!(block_on(journal.erase_ahead()), Ok(0));
    let mut journal = open(journal.close()).unwrap();
    let game = *journal.unfinished().unwrap();
    assert!(game.sound && game.lot == 9 && youngest(&mut journal).len() > 3 * 4000 / 12);
    append(&mut journal, &END).unwrap();
    let mut journal = open(journal.close()).unwrap();
    assert_eq!(journal.unfinished(), None);
    append_all(&mut journal, &super::game(Id::Dvonn, 0, 100));
}

#[test]
fn a_damaged_record_ends_what_is_played_and_nothing_is_misread() {
    let script = game(Id::Dvonn, 8, 60);
    let mut journal = open(Nor::<1>::new(4)).unwrap();
    append_all(&mut journal, &script);
    let sound = journal.close();
    let used = sound.bytes.iter().rposition(|&byte| byte != 0xFF).unwrap();
    let mut damaged = 0;
    for at in 40..=used {
        let mut nor = sound.clone();
        nor.bytes[at] ^= 0x10;
        let mut journal = open(nor).unwrap();
        let mut resumed = History::new(Setup::Dvonn);
        let game = block_on(journal.load(0, &mut resumed)).unwrap().unwrap();
        let kept = youngest(&mut journal).len();
        // What is given is what was played up to some record.
        let prefix =
            (1..=script.len()).find(|&n| history(&script[..n]).position() == resumed.position());
        assert!(prefix.is_some(), "{at}");
        if game.sound {
            // It was the last record.
            assert!(kept >= script.len() - 1, "{at}");
        } else {
            damaged += 1;
            assert_eq!(append(&mut journal, &Record::Undo), Err(Error::Misplaced));
        }
        append(&mut journal, &END).unwrap();
        assert_eq!(open(journal.close()).unwrap().unfinished(), None, "{at}");
    }
    assert!(damaged > used / 2);
}

#[test]
fn another_version_and_foreign_data_are_refused_and_untouched() {
    let mut journal = open(Nor::<1>::new(4)).unwrap();
    append_all(&mut journal, &game(Id::Dvonn, 8, 20));
    block_on(journal.push(&[0x25; 200])).unwrap();
    let bytes = journal.flash.bytes.clone();
    let mut nor = journal.close();
    let region = 0..nor.sectors() * SECTOR as u32;
    let refused = block_on(Journal::open(&mut nor, region.clone())).map(|_| ());
    assert_eq!(refused, Err(Error::Version(2)));
    assert_eq!(nor.bytes, bytes);
    nor.bytes.fill(0x5A);
    let refused = block_on(Journal::open(&mut nor, region.clone())).map(|_| ());
    assert_eq!(refused, Err(Error::Unreadable));
    assert!(nor.bytes.iter().all(|&byte| byte == 0x5A));
    let mut journal = block_on(Journal::format(nor, region)).unwrap();
    append_all(&mut journal, &game(Id::Dvonn, 8, 20));
}

#[test]
fn places_that_keep_nothing_are_passed_over_and_a_dead_sector_is_the_end() {
    let script = game(Id::Yinsh, 3, 60);
    let mut nor = Nor::<1>::new(4);
    nor.stuck.extend([30, 200, 201, 555, 900]);
    let mut journal = open(nor).unwrap();
    append_all(&mut journal, &script);
    let mut journal = open(journal.close()).unwrap();
    assert_eq!(youngest(&mut journal), script);
    assert!(journal.unfinished().unwrap().sound);

    let mut nor = Nor::<1>::new(4);
    nor.stuck.extend(SECTOR..2 * SECTOR);
    let mut journal = open(nor).unwrap();
    let long: Vec<Record> = [script[0], script[1]]
        .into_iter()
        .chain([Record::Undo, script[1]].into_iter().cycle().take(600))
        .collect();
    let failed = |(at, record)| Some((at, append(&mut journal, record).err()?));
    let (written, error) = (0..).zip(&long).find_map(failed).expect("it ends there");
    assert!(written > 300 && error == Error::Worn, "{written}: {error:?}");
    let mut journal = open(journal.close()).unwrap();
    assert_eq!(youngest(&mut journal), long[..written]);
}

#[test]
fn a_region_must_be_whole_sectors_and_enough_of_them() {
    assert_eq!(super::super::GAMES, 0x10_0000..0x1F_0000);
    assert_eq!(super::super::SETTINGS, 0x1F_0000..0x20_0000);
    for region in [0..3 * 4096, 0..4 * 4096 + 1, 100..5 * 4096] {
        let opened = block_on(Journal::open(Nor::<1>::new(6), region)).map(|_| ());
        assert_eq!(opened, Err(Error::Region));
    }
    let settings = block_on(Settings::open(Nor::<1>::new(2), 0..4096)).map(|_| ());
    assert_eq!(settings, Err(Error::Region));
}

#[test]
fn settings_keep_each_value_and_write_only_changes() {
    let mut settings = block_on(Settings::open(Nor::<1>::new(4), 0..4 * SECTOR as u32)).unwrap();
    assert_eq!(block_on(settings.calibration(Playfield::Hex)), Ok(None));
    let exact = Playfield::ALL.map(Calibration::exact);
    for calibration in &exact {
        block_on(settings.store_calibration(calibration)).unwrap();
    }
    for n in 0..2000_u16 {
        block_on(settings.store(Key::Options, &n.to_le_bytes())).unwrap();
    }
    let operations = settings.flash.operations;
    block_on(settings.store(Key::Options, &1999_u16.to_le_bytes())).unwrap();
    assert_eq!(settings.flash.operations, operations);
    let mut settings = block_on(Settings::open(settings.close(), 0..4 * SECTOR as u32)).unwrap();
    for calibration in exact {
        let kept = block_on(settings.calibration(calibration.playfield()));
        assert_eq!(kept, Ok(Some(Ok(calibration))));
    }
    assert_eq!(block_on(settings.load(Key::Options, &mut [0; 2])), Ok(Some(&[0xCF, 0x07][..])));
    assert_eq!(block_on(settings.store(Key::Options, &[0; 1000])), Err(Error::Full));
}

/// Some 400 times round eight sectors.
#[test]
fn a_million_records_wear_all_sectors_alike() {
    let mut journal = open(Nor::<1>::new(8)).unwrap();
    let scripts: Vec<Vec<Record>> = Id::ALL.iter().map(|&id| game(id, 77, 200)).collect();
    let mut random = SplitMix64::new(77);
    let mut records = 0;
    while records < 1_000_000 {
        let script = &scripts[random.below(scripts.len())];
        let length = 1 + random.below(script.len());
        if random.below(4) > 0 {
            block_on(journal.erase_ahead()).unwrap();
        }
        append_all(&mut journal, &script[..length]);
        if random.below(100) == 0 {
            journal = open(journal.close()).unwrap();
            assert_eq!(youngest(&mut journal), script[..length]);
        }
        append(&mut journal, &END).unwrap();
        records += length + 1;
    }
    let games = finished(&mut journal);
    assert!(games.len() > 5 && games.iter().all(|game| game.sound));
    let (least, most) = (journal.flash.erases.iter().min(), journal.flash.erases.iter().max());
    assert!(most.unwrap() - least.unwrap() <= 1, "{:?}", journal.flash.erases);
    // 314 steps of two bytes to a sector is what the module promises; starts and ends are longer,
    // undos shorter.
    let per_sector = records as u32 / erases(&journal);
    assert!((300..360).contains(&per_sector), "{per_sector}");
}

//! The power goes in every flash operation of a whole game, and inside it.

use super::nor::Part;
use super::*;

/// Plays on until the power goes; how many records were appended.
fn run<const W: usize>(journal: &mut Journal<Nor<W>>, script: &[Record], ahead: bool) -> usize {
    let mut done = 0;
    for record in script {
        let is_start = matches!(record, Record::Start { .. });
        if ahead && is_start && block_on(journal.erase_ahead()).is_err() {
            break;
        }
        if append(journal, record).is_err() {
            break;
        }
        done += 1;
    }
    done
}

/// Cuts in operation after operation; after each the journal is opened, compared and played to the
/// end. Returns how many operations there were.
fn cut_everywhere<const W: usize>(before: &Nor<W>, script: &[Record], ahead: bool) -> usize {
    for operation in 0.. {
        for part in Part::ALL {
            let mut nor = before.clone();
            nor.cut = Some((operation, part));
            let mut journal = open(nor).expect("no operation while it is opened");
            let done = run(&mut journal, script, ahead);
            if done == script.len() {
                return operation;
            }
            let mut nor = journal.close().powered();
            // Again while it is being opened.
            nor.cut = Some((0, part));
            let nor = match open(nor.clone()) {
                Ok(journal) => journal.close().powered(),
                Err(Error::Flash(Fault::PowerCut)) => {
                    let mut cut = nor;
                    let region = 0..cut.sectors() * SECTOR as u32;
                    let _ = block_on(Journal::open(&mut cut, region));
                    cut.powered()
                }
                Err(error) => panic!("{error:?} after {part:?} of {operation}"),
            };
            let mut journal = open(nor).unwrap_or_else(|e| panic!("{e:?}: {part:?} {operation}"));
            let resumable = journal.unfinished().is_some();
            let kept = if resumable { youngest(&mut journal).len() } else { 0 };
            let fits = kept == done || kept == done + 1;
            assert!(fits, "{part:?} of {operation}: {done} appended, {kept} kept");
            if kept > 0 {
                assert_eq!(youngest(&mut journal), script[..kept], "{part:?} of {operation}");
                assert!(journal.unfinished().unwrap().sound);
            }
            let rest = run(&mut journal, &script[kept..], ahead);
            assert_eq!(kept + rest, script.len(), "{part:?} of {operation}");
            let mut journal = open(journal.close()).unwrap();
            assert_eq!(youngest(&mut journal), script, "{part:?} of {operation}");
        }
    }
    0
}

/// A journal that has come round and has little room left before the next erase.
fn nearly_full<const W: usize>(room: usize) -> Nor<W> {
    let mut journal = come_round::<W>(4);
    loop {
        let before = journal.flash.clone();
        append_all(&mut journal, &[Record::Start { setup: Setup::Dvonn, lot: 0 }, END]);
        // Steps that fit before a sector has to be erased.
        let mut probe = open(journal.flash.clone()).unwrap();
        let erases = probe.flash.erases.clone();
        append_all(&mut probe, &game(Id::Dvonn, 1, room));
        if probe.flash.erases != erases {
            return before.powered();
        }
    }
}

#[test]
fn a_cut_in_any_operation_of_a_game_costs_at_most_the_record_under_way() {
    let script = game(Id::Yinsh, 3, 60);
    let operations = cut_everywhere(&Nor::<1>::new(4), &script, false);
    assert!(operations >= 2 * script.len(), "{operations}");
}

#[test]
fn a_cut_while_sectors_are_erased_during_play_does_neither() {
    let script = game(Id::Dvonn, 4, 40);
    let before = nearly_full::<1>(20);
    cut_everywhere(&before, &script, false);
}

#[test]
fn a_cut_while_sectors_are_erased_ahead_does_neither() {
    let script = game(Id::GipfBasic, 5, 30);
    let before = nearly_full::<4>(20);
    cut_everywhere(&before, &script, true);
}

#[test]
fn a_cut_while_settings_are_replaced_leaves_the_old_or_the_new() {
    use super::super::{Key, Settings};
    let open = |nor: Nor<1>| block_on(Settings::open(nor, 0..4 * SECTOR as u32)).unwrap();
    let value = |n: usize| [n as u8; 700];
    let mut before = open(Nor::new(4));
    block_on(before.store(Key::Options, &[1, 2, 3])).unwrap();
    // Once round, so that what follows has to erase.
    for n in 0..19 {
        block_on(before.store(Key::HexCalibration, &value(n))).unwrap();
    }
    let before = before.close().powered();
    for operation in 0.. {
        for part in Part::ALL {
            let mut nor = before.clone();
            nor.cut = Some((operation, part));
            let mut settings = open(nor);
            let mut store = |n| block_on(settings.store(Key::HexCalibration, &value(n)));
            let last = (19..35).take_while(|&n| store(n).is_ok()).last().unwrap_or(18);
            if last == 34 {
                let erases = settings.flash.erases.iter().zip(&before.erases);
                assert!(erases.map(|(after, before)| after - before).sum::<u32>() >= 3);
                return;
            }
            let mut settings = open(settings.close().powered());
            let mut bytes = [0; 1000];
            let options = block_on(settings.load(Key::Options, &mut bytes)).unwrap();
            assert_eq!(options, Some(&[1, 2, 3][..]), "{part:?} of {operation}");
            let kept = block_on(settings.load(Key::HexCalibration, &mut bytes)).unwrap().unwrap();
            let fits = kept == value(last) || kept == value(last + 1);
            assert!(fits, "{part:?} of {operation}: {last} stored, {} kept", kept[0]);
        }
    }
}

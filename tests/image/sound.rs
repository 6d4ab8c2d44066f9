//! Sounds are heard as written: frequencies, lengths, and a new one cuts off the old one.

use board_sim::emulator::{Event, What};
use lodestone::geometry::Playfield;
use lodestone::sound::{Note, Sound};
use lodestone::wiring::test_hook;

use crate::machine::Machine;

/// The tones among these events: frequency and length in ms.
fn tones(events: &[Event]) -> Vec<(u32, f64)> {
    let tone = |event: &Event| match event.what {
        What::Tone(tone) => Some((tone.hz, tone.end.saturating_sub(event.at).as_secs_f64() * 1e3)),
        _ => None,
    };
    events.iter().filter_map(tone).collect()
}

fn is_heard_as((hz, ms): (u32, f64), note: Note) -> bool {
    let off = f64::from(hz.abs_diff(note.hz.into())) / f64::from(note.hz);
    // A tone ends with a whole period.
    off < 0.005 && (ms - f64::from(note.ms)).abs() < 1.0 + 1e3 / f64::from(note.hz)
}

fn ask(machine: &mut Machine, sound: Sound) {
    let place = Sound::ALL.iter().position(|other| *other == sound).unwrap();
    machine.ask(test_hook::SOUND + place as u32);
}

#[test]
fn every_sound_is_heard_note_by_note() {
    let mut machine = Machine::started(Playfield::Hex);
    for sound in Sound::ALL {
        let before = machine.events.len();
        ask(&mut machine, sound);
        machine.run_ms(1100);
        let heard = tones(&machine.events[before..]);
        let notes: Vec<Note> = sound.notes().iter().copied().filter(|note| note.hz > 0).collect();
        assert_eq!(heard.len(), notes.len(), "{sound:?}: {heard:?}");
        for (tone, note) in heard.iter().zip(notes) {
            assert!(is_heard_as(*tone, note), "{sound:?}: {tone:?} for {note:?}");
        }
        println!("{sound:?}: {heard:?}");
    }
}

#[test]
fn a_new_sound_cuts_off_the_old_one() {
    let mut machine = Machine::started(Playfield::Hex);
    ask(&mut machine, Sound::End);
    ask(&mut machine, Sound::Wrong);
    machine.run_ms(1000);
    let heard = tones(&machine.events);
    let [first, cut, low, lower] = heard[..] else { panic!("{heard:?}") };
    let (old, new) = (Sound::End.notes(), Sound::Wrong.notes());
    assert!(is_heard_as(first, old[0]) && cut.1 < f64::from(old[1].ms) / 1.2, "{heard:?}");
    assert!(is_heard_as(low, new[0]) && is_heard_as(lower, new[2]), "{heard:?}");
}

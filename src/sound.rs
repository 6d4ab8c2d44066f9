//! Sounds: what the piezo plays, as data.
//!
//! The console says which sound; the firmware plays its notes one after the other; hosts read it
//! by name. Each has a shape of its own, so that it is known without looking: up, down, one note,
//! two alike, a small tune. A new sound cuts off the one that plays. Nothing here knows a clock.

/// What is to be heard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(target_os = "none", derive(defmt::Format))]
pub enum Sound {
    /// A step is committed.
    Accepted,
    /// Something is not legal.
    Wrong,
    /// The set-up is done: the first turn begins.
    Turn,
    /// The board asks something.
    Question,
    /// The game is over.
    End,
}

/// A tone, or a silence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Note {
    /// Its frequency; 0 is silence.
    pub hz: u16,
    /// How long it lasts.
    pub ms: u16,
}

const fn note(hz: u16, ms: u16) -> Note {
    Note { hz, ms }
}

impl Sound {
    /// All of them.
    pub const ALL: [Sound; 5] =
        [Sound::Accepted, Sound::Wrong, Sound::Turn, Sound::Question, Sound::End];

    /// The name by which hosts know it.
    pub const fn name(self) -> &'static str {
        match self {
            Sound::Accepted => "accepted",
            Sound::Wrong => "wrong",
            Sound::Turn => "turn",
            Sound::Question => "question",
            Sound::End => "end",
        }
    }

    /// What is played. Most notes lie between 1 and 3 kHz, where a small piezo is loud; wrong is
    /// low and rough on purpose.
    pub const fn notes(self) -> &'static [Note] {
        match self {
            Sound::Accepted => const { &[note(1568, 50), note(2093, 70)] },
            Sound::Wrong => const { &[note(440, 120), note(0, 40), note(330, 240)] },
            Sound::Turn => const { &[note(1319, 60)] },
            Sound::Question => const { &[note(1760, 90), note(0, 90), note(1760, 90)] },
            Sound::End => {
                const { &[note(1047, 120), note(1319, 120), note(1568, 120), note(2093, 360)] }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    #[test]
    fn every_sound_is_short_audible_and_begins_at_once() {
        for sound in Sound::ALL {
            let notes = sound.notes();
            assert!(notes.iter().map(|note| note.ms).sum::<u16>() <= 1000, "{sound:?}");
            assert!(notes.iter().all(|n| n.ms >= 20 && (n.hz == 0 || n.hz >= 300 && n.hz <= 4000)));
            assert!(notes[0].hz > 0 && notes[notes.len() - 1].hz > 0, "{sound:?}");
        }
    }

    /// Up, down or level from note to note: known also by who cannot tell pitches.
    #[test]
    fn no_two_sounds_have_the_same_shape() {
        let shapes = Sound::ALL.map(|sound| {
            let tones: Vec<u16> = sound.notes().iter().map(|n| n.hz).filter(|&hz| hz > 0).collect();
            tones.windows(2).map(|pair| pair[1].cmp(&pair[0])).collect::<Vec<_>>()
        });
        for (n, shape) in shapes.iter().enumerate() {
            assert!(!shapes[..n].contains(shape), "{:?}", Sound::ALL[n]);
        }
    }
}

//! Keys: from bouncing contacts to presses and releases.
//!
//! [`Keys`] is asked at a steady pace ([`POLL_MS`]) which keys read as pressed, and says what that
//! means. It knows no pins and no clock; how long a key was held, whoever gets the events reads
//! from their times.
//!
//! - A key has changed when it reads so [`AGREE`] times in a row; a shorter pulse is no event. The
//!   event's time is that of the first of these readings.
//! - A key that is down from the beginning, or for longer than [`STUCK_MS`], is *stuck*: something
//!   lies on it, or the contact is broken. That is said once, with a release if it was pressed
//!   before; from then on it counts as up until it is really released. No other key suffers.

use heapless::Vec;

use crate::link::Key;

/// How often [`Keys::poll`] is due.
pub const POLL_MS: u32 = 5;
/// So many equal readings in a row count: contacts bounce for 5 ms, bad ones for 10.
pub const AGREE: u8 = 4;
/// Longer than this nobody holds a key on purpose.
pub const STUCK_MS: u32 = 60_000;

/// All keys, in the order of the bits of [`Keys::poll`].
pub const ALL: [Key; 8] =
    [Key::K1, Key::K2, Key::K3, Key::K4, Key::K5, Key::K6, Key::Ok, Key::Undo];

/// What happened to a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// Which one.
    pub key: Key,
    /// What.
    pub change: Change,
    /// When, ms since power-up; wraps.
    pub at_ms: u32,
}

/// What can happen to a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(target_os = "none", derive(defmt::Format))]
pub enum Change {
    /// It was pressed.
    Down,
    /// It was released, or does not count any more.
    Up,
    /// It is ignored until it is released.
    Stuck,
}

/// The most events of one poll: a press that is stuck gives two.
pub const EVENTS_MAX: usize = 2 * ALL.len();

/// What is known of all keys.
#[derive(Clone, Debug)]
pub struct Keys {
    contacts: [Contact; ALL.len()],
}

#[derive(Clone, Copy, Debug)]
struct Contact {
    state: State,
    /// Readings in a row that contradict the state, and the time of the first.
    against: u8,
    since_ms: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Nothing is known yet.
    Unread,
    Up,
    /// Pressed, since this time.
    Down(u32),
    Stuck,
}

impl Keys {
    /// Before the first reading.
    pub const fn new() -> Keys {
        Keys { contacts: [Contact { state: State::Unread, against: 0, since_ms: 0 }; ALL.len()] }
    }

    /// Takes in a reading: bit n is set when the n-th key of [`ALL`] reads as pressed.
    pub fn poll(&mut self, now_ms: u32, pressed: u8) -> Vec<Event, EVENTS_MAX> {
        let mut events = Vec::new();
        for (n, (contact, key)) in self.contacts.iter_mut().zip(ALL).enumerate() {
            contact.read(now_ms, pressed & 1 << n != 0, |change, at_ms| {
                // Never full: a key gives two at most.
                let _ = events.push(Event { key, change, at_ms });
            });
        }
        events
    }
}

impl Default for Keys {
    fn default() -> Keys {
        Keys::new()
    }
}

impl Contact {
    fn read(&mut self, now_ms: u32, pressed: bool, mut tell: impl FnMut(Change, u32)) {
        let expected = matches!(self.state, State::Down(_) | State::Stuck);
        if pressed == expected && self.state != State::Unread {
            self.against = 0;
            if let State::Down(since_ms) = self.state
                && now_ms.wrapping_sub(since_ms) > STUCK_MS
            {
                self.state = State::Stuck;
                tell(Change::Up, now_ms);
                tell(Change::Stuck, now_ms);
            }
            return;
        }
        if self.against == 0 {
            self.since_ms = now_ms;
        }
        self.against += 1;
        if self.state == State::Unread {
            self.first(pressed, tell);
        } else if self.against == AGREE {
            self.turn(pressed, tell);
        }
    }

    /// Until the first readings agree nothing is known; released for one of them is released.
    fn first(&mut self, pressed: bool, mut tell: impl FnMut(Change, u32)) {
        if !pressed {
            (self.state, self.against) = (State::Up, 0);
        } else if self.against == AGREE {
            (self.state, self.against) = (State::Stuck, 0);
            tell(Change::Stuck, self.since_ms);
        }
    }

    fn turn(&mut self, pressed: bool, mut tell: impl FnMut(Change, u32)) {
        self.against = 0;
        let before = self.state;
        self.state = if pressed { State::Down(self.since_ms) } else { State::Up };
        match before {
            State::Stuck => {} // it counted as up all the time
            _ if pressed => tell(Change::Down, self.since_ms),
            _ => tell(Change::Up, self.since_ms),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    const K1: u8 = 1;
    const OK: u8 = 1 << 6;

    /// Polls at the due pace; readings run through as given, with how often each comes.
    struct Bench {
        keys: Keys,
        now_ms: u32,
    }

    impl Bench {
        /// All keys up since the power came, at this time.
        fn idle(now_ms: u32) -> Bench {
            let mut bench = Bench { keys: Keys::new(), now_ms };
            assert_eq!(bench.run(&[(0, 10)]), []);
            bench
        }

        fn run(&mut self, readings: &[(u8, u32)]) -> Vec<(Key, Change, u32)> {
            let mut events = Vec::new();
            for &(pressed, times) in readings {
                for _ in 0..times {
                    let polled = self.keys.poll(self.now_ms, pressed);
                    events.extend(polled.iter().map(|e| (e.key, e.change, e.at_ms)));
                    self.now_ms = self.now_ms.wrapping_add(POLL_MS);
                }
            }
            events
        }
    }

    #[test]
    fn a_press_and_a_release_come_once_with_the_time_of_the_first_reading() {
        let mut bench = Bench::idle(0);
        let down = bench.now_ms;
        let up = down + 40 * POLL_MS;
        let events = bench.run(&[(K1, 40), (0, 40)]);
        assert_eq!(events, [(Key::K1, Change::Down, down), (Key::K1, Change::Up, up)]);
    }

    #[test]
    fn bouncing_is_no_event_and_delays_the_one_that_comes() {
        let mut bench = Bench::idle(0);
        assert_eq!(bench.run(&[(K1, 3), (0, 1), (K1, 3), (0, 5)]), [], "pulses of 15 ms");
        let events = bench.run(&[(K1, 1), (0, 1), (K1, 2), (0, 1), (K1, 20), (0, 3), (K1, 9)]);
        assert_eq!(events.len(), 1, "one press, no release: {events:?}");
        assert_eq!(events[0].1, Change::Down);
    }

    #[test]
    fn keys_do_not_disturb_each_other() {
        use Change::{Down, Up};
        let mut bench = Bench::idle(0);
        let changes: Vec<(Key, Change)> = bench
            .run(&[(K1, 10), (K1 | OK, 10), (OK, 10), (0, 10)])
            .into_iter()
            .map(|(key, change, _)| (key, change))
            .collect();
        assert_eq!(changes, [(Key::K1, Down), (Key::Ok, Down), (Key::K1, Up), (Key::Ok, Up)]);
        for (n, key) in ALL.into_iter().enumerate() {
            assert_eq!(bench.run(&[(1 << n, 10)])[0].0, key);
            bench.run(&[(0, 10)]);
        }
    }

    #[test]
    fn a_key_that_is_down_at_power_up_is_stuck_until_released() {
        let mut bench = Bench { keys: Keys::new(), now_ms: 0 };
        assert_eq!(bench.run(&[(OK, 30_000)]), [(Key::Ok, Change::Stuck, 0)]);
        let other = bench.run(&[(OK | K1, 10), (OK, 10)]);
        assert_eq!(other.len(), 2, "K1 works beside it: {other:?}");
        assert_eq!(bench.run(&[(0, 10)]), [], "its release is no event");
        assert_eq!(bench.run(&[(OK, 10)]).len(), 1, "and from then on it works");
    }

    #[test]
    fn a_pulse_at_power_up_is_nothing() {
        let mut bench = Bench { keys: Keys::new(), now_ms: 0 };
        assert_eq!(bench.run(&[(K1, 3), (0, 10)]), []);
        assert_eq!(bench.run(&[(K1, 10)]).len(), 1);
    }

    #[test]
    fn a_key_held_for_a_minute_is_released_and_stuck() {
        let start = u32::MAX - 30_000; // the clock wraps meanwhile
        let mut bench = Bench::idle(start);
        let down = bench.now_ms;
        assert_eq!(bench.run(&[(K1, STUCK_MS / POLL_MS + 1)]), [(Key::K1, Change::Down, down)]);
        let late = bench.now_ms;
        let events = bench.run(&[(K1, 20_000), (0, 10)]);
        assert_eq!(events, [(Key::K1, Change::Up, late), (Key::K1, Change::Stuck, late)]);
        assert_eq!(bench.run(&[(K1, 10)]).len(), 1);
    }

    /// Whatever is read: presses and releases of a key alternate, and stuck only when it is up.
    #[test]
    fn presses_and_releases_alternate() {
        let mut random = crate::random::SplitMix64::new(7);
        let mut keys = Keys::new();
        let (mut down, mut pressed) = ([false; ALL.len()], 0);
        let mut count = 0;
        for now_ms in (0..2_000_000).step_by(POLL_MS as usize) {
            if random.below(4) == 0 {
                pressed ^= 1 << random.below(8);
            }
            for event in keys.poll(now_ms, pressed) {
                let n = ALL.iter().position(|key| *key == event.key).unwrap();
                assert_eq!(down[n], event.change == Change::Up, "{event:?}");
                down[n] = event.change == Change::Down;
                count += 1;
            }
        }
        assert!(count > 1000);
    }
}

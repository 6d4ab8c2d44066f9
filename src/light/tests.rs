use std::collections::BTreeSet;
use std::fmt::Write;
use std::string::{String, ToString};
use std::vec::Vec;
use std::{format, vec};

use proptest::prelude::*;

use super::*;
use crate::games::Player;
use crate::geometry::{Playfield, Point};
use crate::golden;
use crate::meaning::{Kind, Lamp, Meaning};
use crate::wiring::{self, limits::led_sum_max};

const DARK_KEYS: Lamps = [None; 6];

/// Every meaning, the playfield on which it looks as it does, and its name.
fn rows() -> Vec<(Meaning, Playfield, String)> {
    let hex = Meaning::PLAIN.map(|meaning| (meaning, Playfield::Hex, meaning.name().to_string()));
    let mut rows = Vec::from(hex);
    let mut row = |meaning: Meaning, playfield, more: String| {
        rows.push((meaning, playfield, format!("{} {more}", meaning.name())));
    };
    (0..3).for_each(|n| row(Meaning::Candidate(n), Playfield::Hex, format!("{n}")));
    for kind in Kind::ALL {
        row(Meaning::SetUp(kind), Playfield::Hex, format!("{kind:?}").to_lowercase());
    }
    for playfield in Playfield::ALL {
        for player in (0..if playfield == Playfield::Hex { 2 } else { 4 }).map(Player::from_index) {
            let more = format!("{} {playfield:?}", player.number()).to_lowercase();
            row(Meaning::ToAct(player), playfield, more);
        }
    }
    (0..2).for_each(|n| row(Meaning::Winner(Player::ONE, n), Playfield::Hex, format!("1, {n}")));
    rows
}

#[test]
fn the_table_has_the_names_that_hosts_know() {
    let names: BTreeSet<&str> = rows().iter().map(|(meaning, ..)| meaning.name()).collect();
    let known = "origin destination capture movable put take flip wrong missing candidate \
                 last-from last-to set-up to-act winner";
    assert_eq!(names, known.split(' ').collect());
}

/// How bright the eye finds a colour: ITU-R BT.709, in 256ths.
fn luminance(colour: RGB8) -> u32 {
    54 * u32::from(colour.r) + 183 * u32::from(colour.g) + 19 * u32::from(colour.b)
}

fn hex(colour: RGB8) -> String {
    format!("{:02x}{:02x}{:02x}", colour.r, colour.g, colour.b)
}

/// Two periods, a character for every second tick: `.` is dark, 9 the brightest it gets.
fn timeline(look: Look) -> String {
    let seen: Vec<u32> = (0..2 * look.rhythm.period_ms())
        .step_by(2 * TICK_MS as usize)
        .map(|now_ms| luminance(look.at(now_ms)))
        .collect();
    let peak = *seen.iter().max().unwrap();
    let digit = |seen: &u32| char::from_digit((seen * 9).div_ceil(peak), 10).unwrap();
    seen.iter().map(|seen| if *seen == 0 { '.' } else { digit(seen) }).collect()
}

#[test]
fn timelines_are_golden() {
    let mut text = String::from(
        "meaning          colour        period, and two of them: a character is 128 ms, . is dark\n",
    );
    for (meaning, playfield, name) in rows() {
        let look = Look::of(meaning, playfield);
        let rest = if look.rest == DARK { String::new() } else { format!("/{}", hex(look.rest)) };
        let colour = format!("{}{rest}", hex(look.colour));
        let period = if timeline(look).bytes().all(|level| level == b'9') {
            format!("{:>8} 9", "steady")
        } else {
            format!("{:>5} ms {}", look.rhythm.period_ms(), timeline(look))
        };
        writeln!(text, "{name:16} {colour:13} {period}").unwrap();
    }
    golden::check("src/light/golden/timelines.txt", &text);
}

/// The factor of brightness that everybody sees side by side.
const CLEAR_STEP: u32 = 3;

/// How two lights are told apart by somebody who sees no colours, if they are.
fn told_apart(one: (Meaning, Playfield), other: (Meaning, Playfield)) -> Option<&'static str> {
    let looks = [one, other].map(|(meaning, playfield)| Look::of(meaning, playfield));
    if looks[0].rhythm != looks[1].rhythm {
        return Some("rhythm");
    }
    let (a, b) = (luminance(looks[0].colour), luminance(looks[1].colour));
    if a.max(b) >= CLEAR_STEP * a.min(b) {
        return Some("brightness");
    }
    match (one.0, other.0) {
        (Meaning::Candidate(_), Meaning::Candidate(_)) => Some("who lights up when"),
        (Meaning::Winner(..), Meaning::Winner(..)) => Some("they mean the same"),
        (Meaning::ToAct(_), _) | (_, Meaning::ToAct(_)) => Some("place: corner or start"),
        (Meaning::SetUp(_), Meaning::SetUp(_)) => Some("key lamp: one colour at a time"),
        (Meaning::SetUp(_), _) | (_, Meaning::SetUp(_)) => Some("occasion: before the game"),
        _ => None,
    }
}

#[test]
fn nothing_depends_on_colour_alone() {
    let rows = rows();
    let mut text = String::from("what differs not by rhythm is told apart by ...\n");
    for (n, (meaning, playfield, name)) in rows.iter().enumerate() {
        for (other, other_playfield, other_name) in &rows[..n] {
            let by = told_apart((*meaning, *playfield), (*other, *other_playfield));
            let by = by.unwrap_or_else(|| panic!("{other_name} and {name} differ by colour only"));
            if by != "rhythm" {
                writeln!(text, "{other_name:16} {name:16} {by}").unwrap();
            }
        }
    }
    golden::check("src/light/golden/apart.txt", &text);
}

#[test]
fn wrong_and_missing_are_in_counter_phase() {
    let looks = [Meaning::Wrong, Meaning::Missing].map(|m| Look::of(m, Playfield::Hex));
    for now_ms in (0..4096).step_by(TICK_MS as usize) {
        let [wrong, missing] = looks.map(|look| look.at(now_ms) != DARK);
        assert_ne!(wrong, missing, "{now_ms}");
    }
}

/// More would harm people who are sensitive to them.
#[test]
fn nothing_flashes_more_than_three_times_a_second() {
    for (meaning, playfield, name) in rows() {
        let look = Look::of(meaning, playfield);
        let seen = |now_ms: u32| luminance(look.at(now_ms)) > luminance(look.colour) / 2;
        let rises = |from_ms: u32| {
            let ticks = (from_ms..from_ms + 1000).step_by(TICK_MS as usize);
            ticks.filter(|&now_ms| seen(now_ms) && !seen(now_ms.wrapping_sub(TICK_MS))).count()
        };
        assert!((0..8192).step_by(64).all(|from_ms| rises(from_ms) <= 3), "{name}");
    }
}

fn scene<'a>(meanings: &'a Meanings, lamps: &'a Lamps) -> Scene<'a> {
    Scene { meanings, lamps, brightness: Brightness::Highest, touched_ms: 0 }
}

fn sum(frame: &Frame) -> u32 {
    let bytes = frame.data().flat_map(u32::to_be_bytes);
    bytes.map(u32::from).sum()
}

#[test]
fn every_meaning_is_still_seen_on_a_dimmed_board() {
    for (meaning, playfield, name) in rows() {
        let mut meanings = Meanings::none(playfield);
        meanings.set(Point::new(playfield, 0).unwrap(), meaning);
        let dark = Scene { brightness: Brightness::Lowest, ..scene(&meanings, &DARK_KEYS) };
        let mut times = (0..8192).step_by(64).map(|ms| IDLE_MS + 8192 + ms);
        assert!(times.any(|now_ms| sum(&dark.frame(now_ms)) > 0), "{name}");
    }
}

#[test]
fn each_step_of_brightness_is_brighter() {
    let mut meanings = Meanings::none(Playfield::Hex);
    meanings.set(Point::new(Playfield::Hex, 0).unwrap(), Meaning::Destination);
    let sums = Brightness::ALL
        .map(|brightness| sum(&Scene { brightness, ..scene(&meanings, &DARK_KEYS) }.frame(0)));
    assert_eq!(sums, [20, 40, 80, 160]);
}

#[test]
fn the_board_dims_when_nobody_touches_it_and_a_touch_wakes_it() {
    let mut meanings = Meanings::none(Playfield::Hex);
    meanings.set(Point::new(Playfield::Hex, 0).unwrap(), Meaning::Destination);
    // Also when the clock wraps in between, or the touch is in the same tick.
    for touched_ms in [0, 77, u32::MAX - 1000] {
        let scene = Scene { touched_ms, ..scene(&meanings, &DARK_KEYS) };
        let after = |ms: u32| sum(&scene.frame(touched_ms.wrapping_add(ms)));
        assert_eq!([0, 1, IDLE_MS, IDLE_MS + 128].map(after), [160, 160, 160, 40]);
        let woken = Scene { touched_ms: touched_ms.wrapping_add(IDLE_MS + 128), ..scene };
        assert_eq!(sum(&woken.frame(woken.touched_ms)), 160);
    }
}

#[test]
fn the_clock_may_wrap_without_a_jump() {
    for (meaning, playfield, name) in rows() {
        let look = Look::of(meaning, playfield);
        for ms in (0..look.rhythm.period_ms()).step_by(TICK_MS as usize) {
            let before = 0_u32.wrapping_sub(look.rhythm.period_ms()).wrapping_add(ms);
            assert_eq!(look.at(before), look.at(ms), "{name} {ms}");
        }
    }
}

#[test]
fn keys_shine_as_they_are_told() {
    let meanings = Meanings::none(Playfield::Hex);
    let lamps = [
        Some(Lamp::Ready),
        Some(Lamp::Chosen),
        Some(Lamp::Kind(Kind::Green)),
        Some(Lamp::Candidate),
        None,
        Some(Lamp::Candidate),
    ];
    let keys =
        |now_ms| -> Vec<u32> { scene(&meanings, &lamps).frame(now_ms).data().take(6).collect() };
    let (bright, glow) = (0x00a0_a000, 0x0012_1200);
    // Candidates 3 and 5 light up in their own half-seconds.
    for (slot, third, fifth) in [(0, glow, glow), (3, bright, glow), (5, glow, bright)] {
        let expected = vec![0x1818_1800, 0x7878_7800, 0x8c00_0000, third, 0, fifth];
        assert_eq!(keys(slot * 512), expected, "{slot}");
    }
}

/// A meaning out of any six numbers.
fn any_meaning() -> impl Strategy<Value = Option<Meaning>> {
    let rows: Vec<Meaning> = rows().into_iter().map(|(meaning, ..)| meaning).collect();
    (0..rows.len() * 2, any::<u8>()).prop_map(move |(row, n)| match rows.get(row)? {
        Meaning::Candidate(_) => Some(Meaning::Candidate(n)),
        Meaning::Winner(player, _) => Some(Meaning::Winner(*player, n)),
        meaning => Some(*meaning),
    })
}

fn any_scene() -> impl Strategy<Value = (Meanings, Lamps, Brightness)> {
    let points = proptest::collection::vec(any_meaning(), Playfield::POINTS_MAX);
    let lamp = prop_oneof![
        Just(None),
        Just(Some(Lamp::Ready)),
        Just(Some(Lamp::Chosen)),
        Just(Some(Lamp::Kind(Kind::Ivory))),
        Just(Some(Lamp::Candidate)),
    ];
    let lamps = proptest::array::uniform6(lamp);
    (any::<bool>(), points, lamps, 0..4_usize).prop_map(|(square, points, lamps, brightness)| {
        let playfield = if square { Playfield::Square } else { Playfield::Hex };
        let mut meanings = Meanings::none(playfield);
        for (point, meaning) in playfield.points().zip(points) {
            if let Some(meaning) = meaning {
                meanings.set(point, meaning);
            }
        }
        (meanings, lamps, Brightness::ALL[brightness])
    })
}

proptest! {
    #[test]
    fn the_budget_holds_and_nothing_changes_within_a_tick(
        (meanings, lamps, brightness) in any_scene(),
        (now_ms, touched_ms) in any::<(u32, u32)>(),
        later_ms in 0..TICK_MS,
    ) {
        let now_ms = now_ms & !(TICK_MS - 1);
        let scene = Scene { meanings: &meanings, lamps: &lamps, brightness, touched_ms };
        let frame = scene.frame(now_ms);
        prop_assert!(sum(&frame) <= led_sum_max(meanings.playfield()));
        prop_assert_eq!(&scene.frame(now_ms + later_ms), &frame);
    }
}

#[test]
fn a_meaning_shines_at_its_own_point_only() {
    for playfield in Playfield::ALL {
        for point in playfield.points() {
            let mut meanings = Meanings::none(playfield);
            meanings.set(point, Meaning::Destination);
            let data: Vec<u32> = scene(&meanings, &DARK_KEYS).frame(0).data().collect();
            let lit: Vec<usize> = (0..data.len()).filter(|&led| data[led] != 0).collect();
            assert_eq!(lit, [wiring::led(playfield, point)]);
            assert_eq!(data[lit[0]], 0xa000_0000);
        }
    }
}

/// The largest sums of bytes that leave the board are those of the budget.
#[test]
fn a_full_board_is_held_to_the_budget() {
    for playfield in Playfield::ALL {
        let mut meanings = Meanings::none(playfield);
        playfield.points().for_each(|point| meanings.set(point, Meaning::SetUp(Kind::White)));
        let frame = scene(&meanings, &[Some(Lamp::Chosen); 6]).frame(0);
        let max = led_sum_max(playfield);
        assert!((max - 3 * 231..=max).contains(&sum(&frame)), "{}", sum(&frame));
    }
}

//! The second implementation of the rules: slow, literal, only for tests.
//!
//! It is written from `rules/*.md` and `notation.md` alone and shares nothing with the library, so
//! that a mistake in one of the two shows as a difference. Every game is a plain dictionary from
//! points to what lies there; rule numbers stand beside the code that follows them. Steps go in and
//! out as texts. Whatever is not one of `moves()` makes `step` panic: a test that gets there is
//! wrong.
//!
//! ```text
//! let mut game = new(&Setup { id: "yinsh", handicap: "none", setup: "" });
//! game.step("f6");
//! assert_eq!(game.turn(), 2);
//! ```

use std::collections::BTreeSet;

pub(crate) mod dvonn;
pub(crate) mod gipf;
pub(crate) mod glux;
pub(crate) mod lyngk;
pub(crate) mod yinsh;

/// What one game in progress answers.
pub(crate) trait Reference {
    /// The legal steps in any order; none exactly when the game is over.
    fn legal(&self) -> Vec<String>;

    /// Plays a step that is known to be legal.
    fn play(&mut self, text: &str);

    /// Who acts: 1, 2, ..; 0 when the game is over.
    fn turn(&self) -> u8;

    /// `none`, `p1win`, .., `draw`, `share-1-3`.
    fn result(&self) -> String;

    /// One figure for each player.
    fn score(&self) -> Vec<u32>;

    /// The position line.
    fn board(&self) -> String;

    /// The same game once more.
    fn clone_box(&self) -> Box<dyn Reference>;

    /// All legal steps in byte order.
    fn moves(&self) -> Vec<String> {
        let mut steps = self.legal();
        steps.sort();
        steps
    }

    /// Plays one of `moves()`.
    fn step(&mut self, text: &str) {
        assert!(self.moves().iter().any(|step| step == text), "{text} in {}", self.board());
        self.play(text);
    }

    /// The points at which a step can begin, in point order.
    fn from(&self) -> Vec<String> {
        in_point_order(self.moves().iter().flat_map(|step| spans(step)).map(|(begin, _)| begin))
    }

    /// Where a step that begins at `point` can end, in point order.
    fn to(&self, point: &str) -> Vec<String> {
        let spans = self.moves().iter().flat_map(|step| spans(step)).collect::<Vec<_>>();
        in_point_order(spans.into_iter().filter(|(begin, _)| begin == point).map(|(_, end)| end))
    }
}

/// What has to be known before the first step.
#[expect(clippy::struct_field_names, reason = "the words of the options Handicap and Setup")]
pub(crate) struct Setup<'a> {
    /// One of the eleven ids.
    pub(crate) id: &'a str,
    /// `none` or such as `1+2`; only for `gipf-basic`.
    pub(crate) handicap: &'a str,
    /// LYNGK: 43 letters or `shuffle SEED`, empty = `shuffle 0`. Otherwise empty.
    pub(crate) setup: &'a str,
}

/// A game at its beginning.
pub(crate) fn new(setup: &Setup) -> Box<dyn Reference> {
    match setup.id {
        "gipf-basic" | "gipf" | "gipf-tournament" => {
            Box::new(gipf::Gipf::new(setup.id, setup.handicap))
        }
        "yinsh" => Box::new(yinsh::Yinsh::new(3)),
        "yinsh-blitz" => Box::new(yinsh::Yinsh::new(1)),
        "dvonn" => Box::new(dvonn::Dvonn::new()),
        "lyngk" => Box::new(lyngk::Lyngk::new(false, setup.setup)),
        "lyngk-six" => Box::new(lyngk::Lyngk::new(true, setup.setup)),
        "glux-2" => Box::new(glux::Glux::new(2)),
        "glux-3" => Box::new(glux::Glux::new(3)),
        "glux-4" => Box::new(glux::Glux::new(4)),
        id => panic!("no game {id}"),
    }
}

/// Where a step begins and ends; a row can be named from both ends, a step on one point begins and
/// ends there, a claim has no point.
fn spans(step: &str) -> Vec<(String, String)> {
    if step.chars().all(|letter| letter.is_ascii_uppercase()) {
        return vec![];
    }
    let points = step.trim_start_matches(['x', 'G']).split(['+', '=']).next().expect("has points");
    match points.split_once('-') {
        Some((a, b)) if step.starts_with('x') => vec![(a.into(), b.into()), (b.into(), a.into())],
        Some((a, b)) => vec![(a.into(), b.into())],
        None => vec![(points.into(), points.into())],
    }
}

fn in_point_order(names: impl Iterator<Item = String>) -> Vec<String> {
    names.map(|text| point(&text)).collect::<BTreeSet<_>>().into_iter().map(name).collect()
}

/// Column and row, from 1. In the hex games rows are slanted: the steps to the six neighbours are
/// the same everywhere. Tuples sort in point order.
pub(crate) type Point = (i32, i32);

/// The ways along the three axes of a hex board, and back.
pub(crate) const DIRECTIONS: [Point; 6] = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1)];

/// One step from `point` in `direction`.
pub(crate) fn next(point: Point, direction: Point) -> Point {
    (point.0 + direction.0, point.1 + direction.1)
}

/// How far two points of a hex board lie apart.
pub(crate) fn distance(a: Point, b: Point) -> i32 {
    let (columns, rows) = (a.0 - b.0, a.1 - b.1);
    columns.abs().max(rows.abs()).max((columns - rows).abs())
}

/// `(5, 3)` is `e3`.
pub(crate) fn name(point: Point) -> String {
    format!("{}{}", char::from(b'a' - 1 + point.0 as u8), point.1)
}

/// `e3` is `(5, 3)`.
pub(crate) fn point(name: &str) -> Point {
    let (letter, number) = name.split_at(1);
    (i32::from(letter.as_bytes()[0] - b'a') + 1, number.parse().expect("a row number"))
}

/// All lines of a hex board with more than one point, each from its lowest point up.
pub(crate) fn lines(points: &BTreeSet<Point>) -> Vec<Vec<Point>> {
    let mut lines = vec![];
    for (columns, rows) in [(0, 1), (1, 0), (1, 1)] {
        for &start in points {
            if points.contains(&next(start, (-columns, -rows))) {
                continue;
            }
            let mut line = vec![start];
            while points.contains(&next(line[line.len() - 1], (columns, rows))) {
                line.push(next(line[line.len() - 1], (columns, rows)));
            }
            if line.len() > 1 {
                lines.push(line);
            }
        }
    }
    lines
}

/// `point:content` for each, then the bar and the rest.
pub(crate) fn position_line(contents: &[String], rest: &str) -> String {
    contents.iter().map(String::as_str).chain(["|", rest]).collect::<Vec<_>>().join(" ")
}

/// The winner of two by number, or a draw.
pub(crate) fn more_wins<T: Ord>(first: &T, second: &T) -> String {
    match first.cmp(second) {
        std::cmp::Ordering::Greater => "p1win",
        std::cmp::Ordering::Less => "p2win",
        std::cmp::Ordering::Equal => "draw",
    }
    .into()
}

/// `SplitMix64`: the generator of LYNGK's set-up and of all random play in these tests.
pub(crate) struct SplitMix64(pub(crate) u64);

impl SplitMix64 {
    /// The next 64 bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

//! The pieces: a definition for each, and how they stand on each other.
//!
//! Everything is seen from above and a little from the front, so that a piece shows its side and
//! a stack its layers. Radii are those of the real pieces; sides are drawn as high as it takes to
//! read them. A piece's origin is the middle of its underside. Nothing is told by colour alone:
//! LYNGK's pieces bear their letter, DVONN's red one a ring and studs, GIPF-pieces are taller and
//! inlaid, and each player of GLÜX has spots of another shape.

use std::f64::consts::TAU;

use lodestone::games::{Id, Player};

use super::glyphs::word;
use super::{Mm, family};
use crate::table::Kind;

/// A colour of pieces: lit, plain, in shade, and what is written on it.
struct Paint {
    name: &'static str,
    lit: &'static str,
    plain: &'static str,
    shade: &'static str,
    ink: &'static str,
}

const fn paint(name: &'static str, [lit, plain, shade, ink]: [&'static str; 4]) -> Paint {
    Paint { name, lit, plain, shade, ink }
}

const WHITE: Paint = paint("white", ["#fdf8ec", "#e9dfca", "#a89878", "#5d4f3a"]);
const BLACK: Paint = paint("black", ["#78706a", "#2b2726", "#0d0b0b", "#d9c9ad"]);
const RED: Paint = paint("red", ["#f07a62", "#c5392b", "#6f1712", "#ffe6d6"]);
const BLUE: Paint = paint("blue", ["#79aef2", "#2f67c4", "#16346e", "#e4f0ff"]);
const GREEN: Paint = paint("green", ["#7fd08a", "#2f8f45", "#124a20", "#e6ffe6"]);
const IVORY: Paint = paint("ivory", ["#f7dfa0", "#d9b566", "#876528", "#4d3812"]);
const JOKER: Paint = paint("joker", ["#ffffff", "#eceef2", "#9aa0ab", "#4a5160"]);
const VIOLET: Paint = paint("violet", ["#b99af2", "#7a4fc4", "#3b2070", "#f4ecff"]);
const TEAL: Paint = paint("teal", ["#86dfd8", "#26998f", "#0c504b", "#eafffc"]);
const AMBER: Paint = paint("amber", ["#ffd08a", "#dd8f2c", "#7d480c", "#3d2203"]);

const PAINTS: [&Paint; 10] =
    [&WHITE, &BLACK, &RED, &BLUE, &GREEN, &IVORY, &JOKER, &VIOLET, &TEAL, &AMBER];
/// By player, near to the light that stands for him.
const CHIP_PAINTS: [&Paint; Player::MAX] = [&WHITE, &VIOLET, &TEAL, &AMBER];

/// Inlay of GIPF-pieces and of the red DVONN pieces.
const BRASS: &str = "#d8a850";

/// The most that a stack rises above its lowest piece, so that it does not hide its neighbours.
const RISE_MAX: f64 = 17.0;

/// How high the side of a piece is drawn.
pub(super) const fn side_mm(id: Id, kind: Kind) -> f64 {
    match kind {
        Kind::Marker => 1.7,
        Kind::Ring => 4.0,
        // LYNGK's sides bear letters.
        Kind::Flat | Kind::StrongFlat if matches!(id, Id::Lyngk | Id::LyngkSix) => 4.2,
        Kind::Flat | Kind::StrongFlat => 3.2,
        Kind::GipfBasic => 2.8,
        Kind::GipfBody => 6.0,
        Kind::Chip => 3.0,
    }
}

/// How much higher each piece of a stack is drawn than the one below it; a ring of YINSH goes
/// around its marker.
pub fn stack_step(id: Id, count: usize) -> f64 {
    let side = match id.letter() {
        'Y' => 0.0,
        'X' => side_mm(id, Kind::Chip),
        _ => side_mm(id, Kind::Flat),
    };
    side.min(RISE_MAX / count.saturating_sub(1).max(1) as f64)
}

/// All kinds of pieces as the notation writes them, with the games they belong to.
pub(super) fn all() -> impl Iterator<Item = (Id, String)> {
    let letters =
        [(Id::Gipf, "wbWB"), (Id::Yinsh, "wbWB"), (Id::Dvonn, "wbr"), (Id::Lyngk, "KBGIRW")];
    let plain = letters
        .into_iter()
        .flat_map(|(id, letters)| letters.chars().map(move |letter| (id, letter.to_string())));
    let chips =
        (1..=Player::MAX).flat_map(|player| (1..=6).map(move |spots| format!("{player}{spots}")));
    plain.chain(chips.map(|chip| (Id::Glux4, chip)))
}

/// The name of a piece's definition, from the game and what the notation writes for it: one
/// letter, in GLÜX the player's number and the spots.
pub fn name(id: Id, piece: &str) -> String {
    format!("{}-{piece}", family(id))
}

/// What a piece is made of.
pub(super) fn kind(id: Id, piece: &str) -> Kind {
    match (id.letter(), piece) {
        ('G', "W" | "B") => Kind::GipfBody,
        ('G', _) => Kind::GipfBasic,
        ('Y', "W" | "B") => Kind::Ring,
        ('Y', _) => Kind::Marker,
        ('D', "r") | ('L', "W") => Kind::StrongFlat,
        ('X', _) => Kind::Chip,
        _ => Kind::Flat,
    }
}

fn paint_of(id: Id, piece: &str) -> &'static Paint {
    let first = piece.as_bytes().first().copied().unwrap_or_default();
    match (id.letter(), first) {
        ('X', player) => CHIP_PAINTS[usize::from(player.wrapping_sub(b'1')) % Player::MAX],
        ('L', b'B') => &BLUE,
        ('L', b'G') => &GREEN,
        ('L', b'I') => &IVORY,
        ('L', b'W') => &JOKER,
        ('L', b'R') | ('D', b'r') => &RED,
        (_, b'b' | b'B' | b'K') => &BLACK,
        _ => &WHITE,
    }
}

/// The definitions of all pieces and of their shadow.
pub(super) fn symbols() -> String {
    let mut out: String = PAINTS.iter().map(|paint| gradients(paint)).collect();
    out += "<radialGradient id='paint-shadow'><stop offset='.62' stop-color='#000' \
            stop-opacity='.6'/><stop offset='1' stop-color='#000' stop-opacity='0'/>\
            </radialGradient>\n<circle id='shadow' r='1' fill='url(#paint-shadow)'/>\n";
    let spot = |(number, path)| format!("<path id='spot-{number}' d='{path}'/>\n");
    out += &(1..).zip(SPOTS).map(spot).collect::<String>();
    let piece = |(id, piece): (Id, String)| {
        format!("<g id='{}'>{}</g>\n", name(id, &piece), drawing(id, &piece))
    };
    out + &all().map(piece).collect::<String>()
}

fn gradients(paint: &Paint) -> String {
    let Paint { name, lit, plain, shade, .. } = paint;
    format!(
        "<linearGradient id='paint-{name}-top' x1='.2' y1='0' x2='.75' y2='1'>\
         <stop offset='0' stop-color='{lit}'/><stop offset='.55' stop-color='{plain}'/>\
         <stop offset='1' stop-color='{plain}'/></linearGradient>\n\
         <linearGradient id='paint-{name}-rim' x1='.2' y1='0' x2='.75' y2='1'>\
         <stop offset='0' stop-color='{lit}'/><stop offset='.5' stop-color='{plain}'/>\
         <stop offset='1' stop-color='{shade}'/></linearGradient>\n\
         <linearGradient id='paint-{name}-side'>\
         <stop offset='0' stop-color='{shade}'/><stop offset='.3' stop-color='{plain}'/>\
         <stop offset='.65' stop-color='{plain}'/><stop offset='1' stop-color='{shade}'/>\
         </linearGradient>\n"
    )
}

fn drawing(id: Id, piece: &str) -> String {
    let (kind, paint) = (kind(id, piece), paint_of(id, piece));
    let (r, side) = (kind.radius_mm(), side_mm(id, kind));
    match kind {
        Kind::Ring => ring(side, paint),
        Kind::Marker => disc(kind, side, paint) + &circle(-side, r * 0.5, paint.ink, 0.5, 0.35),
        Kind::GipfBasic => disc(kind, side, paint) + &circle(-side, r * 0.62, paint.ink, 0.5, 0.3),
        Kind::GipfBody => disc(kind, side, paint) + &seam(r, -side / 2.0) + &inlay(-side, r),
        Kind::Chip => disc(kind, side, paint) + &chip_face(piece, -side, paint),
        Kind::Flat | Kind::StrongFlat if id.letter() == 'L' => {
            let side_letter = word(piece, (0.0, r - side / 2.0 - 0.1), 2.9, paint.ink);
            disc(kind, side, paint) + &side_letter + &word(piece, (0.0, -side), 8.0, paint.ink)
        }
        Kind::StrongFlat => {
            disc(kind, side, paint) + &studs(r) + &circle(-side, r * 0.7, BRASS, 0.9, 0.9)
        }
        Kind::Flat => disc(kind, side, paint),
    }
}

/// A round body: side, chamfer, face.
fn disc(kind: Kind, side: f64, paint: &Paint) -> String {
    let (r, name) = (kind.radius_mm(), paint.name);
    let face = if kind == Kind::Chip { r - 1.5 } else { r - 1.1 };
    format!(
        "{}<circle cy='-{side}' r='{}' fill='url(#paint-{name}-rim)' stroke='{}' \
         stroke-opacity='.5' stroke-width='.3'/>\
         <circle cy='-{side}' r='{}' fill='url(#paint-{name}-top)'/>",
        outside(r, side, name),
        Mm(r - 0.15),
        paint.lit,
        Mm(face)
    )
}

/// The outer side of a round body, from its upper to its lower edge.
fn outside(r: f64, side: f64, paint: &str) -> String {
    format!(
        "<path d='M-{r} 0A{r} {r} 0 0 0 {r} 0V-{side}A{r} {r} 0 0 1-{r}-{side}Z' \
         fill='url(#paint-{paint}-side)'/>\
         <path d='M-{r} 0A{r} {r} 0 0 0 {r} 0' fill='none' stroke='#000' stroke-opacity='.55' \
         stroke-width='.5'/>"
    )
}

/// A ring: what one sees of its inner wall, its outer side, its upper face.
fn ring(side: f64, paint: &Paint) -> String {
    let (r, hole, name) = (Kind::Ring.radius_mm(), Kind::Ring.hole_mm(), paint.name);
    let round = |r: f64| format!("M-{r}-{side}A{r} {r} 0 1 1 {r}-{side}A{r} {r} 0 1 1-{r}-{side}Z");
    let inside = format!(
        "<path d='M-{hole}-{side}A{hole} {hole} 0 0 1 {hole}-{side}\
         V0A{hole} {hole} 0 0 0-{hole} 0Z' fill='{}'/>",
        paint.shade
    );
    let face = format!(
        "<path d='{}{}' fill-rule='evenodd' fill='url(#paint-{name}-rim)'/>\
         <circle cy='-{side}' r='{}' fill='none' stroke='url(#paint-{name}-top)' \
         stroke-width='1.8'/>",
        round(r),
        round(hole),
        Mm(f64::midpoint(r, hole))
    );
    inside + &outside(r, side, name) + &face
}

fn circle(y: f64, r: f64, colour: &str, width: f64, opacity: f64) -> String {
    format!(
        "<circle cy='{}' r='{}' fill='none' stroke='{colour}' stroke-width='{width}' \
         stroke-opacity='{opacity}'/>",
        Mm(y),
        Mm(r)
    )
}

/// The joint between the two halves of a GIPF-piece.
fn seam(r: f64, y: f64) -> String {
    format!(
        "<path d='M-{r} {y}A{r} {r} 0 0 0 {r} {y}' fill='none' stroke='{BRASS}' \
         stroke-width='.9'/>"
    )
}

/// What a GIPF-piece bears on top.
fn inlay(y: f64, r: f64) -> String {
    let corner = |n: i32| {
        let (angle, radius) = (f64::from(n) / 12.0 * TAU, if n % 2 == 0 { 0.36 } else { 0.2 });
        format!("{} {}", Mm(angle.sin() * r * radius), Mm(y - angle.cos() * r * radius))
    };
    let star: Vec<String> = (0..12).map(corner).collect();
    let star = format!("<polygon points='{}' fill='{BRASS}'/>", star.join(" "));
    circle(y, r * 0.66, BRASS, 1.3, 1.0) + &star
}

/// Studs along the lower edge, where a stack leaves even a thin layer free.
fn studs(r: f64) -> String {
    let stud = |n: i32| {
        let angle = f64::from(n) * 0.26;
        let (x, y) = (angle.sin() * r, angle.cos() * r - 0.75);
        format!("<circle cx='{}' cy='{}' r='.55' fill='#ffd98a'/>", Mm(x), Mm(y))
    };
    (-4..=4).map(stud).collect()
}

/// The spots of the four players: round, square, triangle, lozenge.
const SPOTS: [&str; Player::MAX] = [
    "M-1.35 0A1.35 1.35 0 1 1 1.35 0A1.35 1.35 0 1 1-1.35 0Z",
    "M-1.2-1.2H1.2V1.2H-1.2Z",
    "M0-1.65L1.6 1.15H-1.6Z",
    "M0-1.75L1.55 0L0 1.75L-1.55 0Z",
];

/// Where the spots of a face are, in steps from its middle, as on a die.
const FACES: [&[(i8, i8)]; 6] = [
    &[(0, 0)],
    &[(-1, 1), (1, -1)],
    &[(-1, 1), (0, 0), (1, -1)],
    &[(-1, -1), (-1, 1), (1, -1), (1, 1)],
    &[(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
    &[(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
];

fn chip_face(piece: &str, y: f64, paint: &Paint) -> String {
    let mut numbers = piece.bytes().map(|digit| usize::from(digit.wrapping_sub(b'1')));
    let (player, face) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    let spots = FACES[face % FACES.len()].iter().map(|&(column, row)| {
        let (x, y) = (f64::from(column) * 3.1, y + f64::from(row) * 3.7);
        format!(
            "<use href='#spot-{}' x='{}' y='{}' fill='{}'/>",
            player + 1,
            Mm(x),
            Mm(y),
            paint.ink
        )
    });
    circle(y, Kind::Chip.radius_mm() - 1.5, paint.shade, 0.4, 0.6) + &spots.collect::<String>()
}

/// What stands on one point, bottom to top, as the notation writes it (`wwr`, `1426`), around the
/// middle of the point, with its shadow.
pub fn pile(id: Id, content: &str) -> String {
    let Some(bottom) = pieces(id, content).next() else { return String::new() };
    let kind = kind(id, bottom);
    let shadow = format!(
        "<use href='#shadow' transform='translate(2 {}) scale({})'/>",
        Mm(side_mm(id, kind) / 2.0 + 1.5),
        Mm(kind.radius_mm() * 1.22)
    );
    shadow + &stack(id, content)
}

/// The same without the shadow. DVONN's stacks bear their height.
pub fn stack(id: Id, content: &str) -> String {
    let pieces: Vec<&str> = pieces(id, content).collect();
    let (Some(bottom), Some(top)) = (pieces.first(), pieces.last()) else { return String::new() };
    let side = side_mm(id, kind(id, bottom));
    let step = stack_step(id, pieces.len());
    let level = |level: usize| side / 2.0 - step * level as f64;
    let uses = pieces
        .iter()
        .enumerate()
        .map(|(n, piece)| format!("<use href='#{}' y='{}'/>", name(id, piece), Mm(level(n))));
    let uses: String = uses.collect();
    if id != Id::Dvonn || pieces.len() == 1 {
        return uses;
    }
    let face = (0.0, level(pieces.len() - 1) - side);
    uses + &word(&pieces.len().to_string(), face, 7.0, paint_of(id, top).ink)
}

/// The pieces of a pile, bottom to top.
fn pieces(id: Id, content: &str) -> impl Iterator<Item = &str> {
    let size = if id.letter() == 'X' { 2 } else { 1 };
    (0..content.len()).step_by(size).filter_map(move |n| content.get(n..n + size))
}

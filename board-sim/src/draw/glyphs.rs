//! Letters and digits as strokes: pictures look the same everywhere, and need no font.
//!
//! Only what names of points, colours of LYNGK and heights of stacks need: a..o, 0..9, `K B G I R
//! W`. A glyph stands on y = 0; capitals and digits are [`HEIGHT`] high. It is drawn in
//! `currentColor`.

use std::fmt::Write;

use super::Mm;

/// Height of capitals and digits, in units of the paths below.
const HEIGHT: f64 = 6.4;
/// Between two glyphs.
const GAP: f64 = 1.7;

/// Glyph, width, path.
const GLYPHS: [(char, f64, &str); 31] = [
    ('0', 4.0, "M0-4.4A2 2 0 0 1 4-4.4V-2A2 2 0 0 1 0-2Z"),
    ('1', 1.9, "M0-5L1.9-6.4V0"),
    ('2', 4.0, "M.1-4.9A1.9 1.9 0 1 1 3.5-3.4L0 0H4"),
    ('3', 4.0, "M.3-5.7A1.7 1.55 0 1 1 1.9-3.4A1.9 1.75 0 1 1 .1-.9"),
    ('4', 4.2, "M3.1 0V-6.4L0-2H4.2"),
    ('5', 4.0, "M3.7-6.4H.7L.4-3.5A2 2 0 1 1 .1-.8"),
    ('6', 4.0, "M3.2-6.4Q.2-4.6 0-2A2 2 0 1 0 .1-2.6"),
    ('7', 4.0, "M0-6.4H4L1.4 0"),
    ('8', 3.6, "M1.8-3.5A1.5 1.45 0 1 1 1.81-3.5A1.8 1.75 0 1 1 1.8-3.5"),
    ('9', 4.0, "M.8 0Q3.8-1.8 4-4.4A2 2 0 1 0 3.9-3.8"),
    ('a', 4.0, "M4-4V0M4-2A2 2 0 1 1 0-2A2 2 0 1 1 4-2"),
    ('b', 4.0, "M0-6.4V0M0-2A2 2 0 1 1 4-2A2 2 0 1 1 0-2"),
    ('c', 3.6, "M3.5-3.3A2 2 0 1 0 3.5-.7"),
    ('d', 4.0, "M4-6.4V0M4-2A2 2 0 1 1 0-2A2 2 0 1 1 4-2"),
    ('e', 4.0, "M0-2H4A2 2 0 1 0 3.4-.6"),
    ('f', 2.9, "M2.9-6.3Q1.1-6.5 1.1-4.6V0M0-4H2.7"),
    ('g', 4.0, "M4-4V.2Q4 2 2.2 2Q1 2 .4 1.3M4-2A2 2 0 1 1 0-2A2 2 0 1 1 4-2"),
    ('h', 4.0, "M0-6.4V0M0-2A2 2 0 0 1 4-2V0"),
    ('i', 0.2, "M.1-4V0M.1-6.05V-5.95"),
    ('j', 1.4, "M1.2-4V.6Q1.2 2-.2 2M1.2-6.05V-5.95"),
    ('k', 3.5, "M0-6.4V0M3.2-4L0-1.5M1.2-2.4L3.5 0"),
    ('l', 1.2, "M0-6.4V-1.2Q0 0 1.2 0"),
    ('m', 6.0, "M0-4V0M0-2.5A1.5 1.5 0 0 1 3-2.5V0M3-2.5A1.5 1.5 0 0 1 6-2.5V0"),
    ('n', 4.0, "M0-4V0M0-2A2 2 0 0 1 4-2V0"),
    ('o', 4.0, "M4-2A2 2 0 1 1 0-2A2 2 0 1 1 4-2"),
    ('K', 4.2, "M0-6.4V0M4-6.4L0-2.4M1.5-3.8L4.2 0"),
    ('B', 3.9, "M0-6.4V0H2.2A1.75 1.75 0 0 0 2.2-3.5H0M2.2-3.5A1.45 1.45 0 0 0 2.2-6.4H0"),
    ('G', 4.6, "M4.3-5.2A2.5 3.2 0 1 0 4.6-2.9H2.8"),
    ('I', 2.4, "M1.2-6.4V0M0-6.4H2.4M0 0H2.4"),
    ('R', 4.1, "M0 0V-6.4H2.2A1.75 1.75 0 0 1 2.2-2.9H0M2.1-2.9L4.1 0"),
    ('W', 6.0, "M0-6.4L1.5 0L3-5.2L4.5 0L6-6.4"),
];

/// The definitions, `glyph-a` and so on.
pub(super) fn symbols() -> String {
    let paths = GLYPHS.iter().map(|(glyph, _, path)| {
        format!(
            "<path id='glyph-{glyph}' d='{path}' fill='none' stroke='currentColor' \
             stroke-width='1.05' stroke-linecap='round' stroke-linejoin='round'/>\n"
        )
    });
    paths.collect()
}

/// Writes a word around a middle, with capitals so many mm high. What has no glyph is left out.
pub(super) fn word(text: &str, (x, y): (f64, f64), height: f64, colour: &str) -> String {
    let of = |c: char| GLYPHS.iter().find(|(glyph, ..)| *glyph == c);
    let glyphs: Vec<_> = text.chars().filter_map(of).collect();
    let width: f64 = glyphs.iter().map(|(_, width, _)| width + GAP).sum::<f64>() - GAP;
    let scale = height / HEIGHT;
    let mut out = format!(
        "<g color='{colour}' transform='translate({} {}) scale({})'>",
        Mm(x - width * scale / 2.0),
        Mm(y + height / 2.0),
        Mm(scale),
    );
    let mut at = 0.0;
    for (glyph, width, _) in glyphs {
        write!(out, "<use href='#glyph-{glyph}' x='{}'/>", Mm(at)).expect("a string takes it");
        at += width + GAP;
    }
    out + "</g>"
}

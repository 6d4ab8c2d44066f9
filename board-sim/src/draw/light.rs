//! The lights: the slot in the plate and the halo around the point, in the LED's true colour.
//!
//! `halo` is drawn in `currentColor` around the middle of its point. A screen is not an LED: it
//! shows the hue at full strength, and how bright it is as opacity. The eye sees about the square
//! root of what an LED gives.

use lodestone::geometry::{Playfield, Point};
use lodestone::light::Frame;
use lodestone::wiring;

use super::{Mm, place};

/// The middle of the LED and the end of its light slot, from its point: towards the lower right,
/// where no centred piece hides them.
pub(super) const fn slot(playfield: Playfield) -> ((f64, f64), (f64, f64)) {
    match playfield {
        Playfield::Hex => ((6.25, 10.83), (8.66, 15.0)),
        Playfield::Square => ((7.5, 7.5), (10.4, 10.4)),
    }
}

/// The definitions: `halo-hex` and `halo-square`.
pub(super) fn symbols() -> String {
    Playfield::ALL.map(symbol).concat()
}

/// The name of the definition.
pub const fn halo_name(playfield: Playfield) -> &'static str {
    match playfield {
        Playfield::Hex => "halo-hex",
        Playfield::Square => "halo-square",
    }
}

fn symbol(playfield: Playfield) -> String {
    let ((x1, y1), (x2, y2)) = slot(playfield);
    let (x, y) = (f64::midpoint(x1, x2), f64::midpoint(y1, y2));
    let name = halo_name(playfield);
    // The halo is strongest where the largest piece ends.
    let (halo, glow) = match playfield {
        Playfield::Hex => (20.5, 10.0),
        Playfield::Square => (14.0, 7.0),
    };
    let fade = |id: &str, stops: &[(f64, f64)]| {
        let stop = |(offset, opacity): &(f64, f64)| {
            format!("<stop offset='{offset}' stop-color='#fff' stop-opacity='{opacity}'/>")
        };
        let stops: String = stops.iter().map(stop).collect();
        format!("<radialGradient id='{name}-{id}'>{stops}</radialGradient>\n")
    };
    fade(
        "ring",
        &[(0.0, 0.3), (0.4, 0.34), (0.6, 0.8), (0.68, 0.86), (0.8, 0.4), (0.9, 0.12), (1.0, 0.0)],
    ) + &fade("glow", &[(0.0, 1.0), (0.3, 0.6), (0.65, 0.16), (1.0, 0.0)])
        + &format!(
            "<mask id='{name}-mask' maskUnits='userSpaceOnUse' x='-40' y='-40' width='80' \
             height='80'>\
             <circle r='{halo}' fill='url(#{name}-ring)'/>\
             <circle cx='{0}' cy='{1}' r='{glow}' fill='url(#{name}-glow)'/></mask>\n\
             <g id='{name}'><rect x='-40' y='-40' width='80' height='80' fill='currentColor' \
             mask='url(#{name}-mask)'/>\
             <path d='M{x1} {y1}L{x2} {y2}' stroke='currentColor' stroke-width='2.4' \
             stroke-linecap='round'/>\
             <path d='M{x1} {y1}L{x2} {y2}' stroke='#fff' stroke-opacity='.6' stroke-width='1' \
             stroke-linecap='round'/></g>\n",
            Mm(x),
            Mm(y),
        )
}

/// Hue and opacity of an LED on a screen; `None` when it is dark.
pub fn on_screen([r, g, b]: [u8; 3]) -> Option<([u8; 3], f64)> {
    let peak = r.max(g).max(b);
    // A little white: no LED is as pure as a screen's primaries look.
    let hue = |byte: u8| (40 + u32::from(byte) * 215 / u32::from(peak)) as u8;
    (peak > 0).then(|| ([hue(r), hue(g), hue(b)], (f64::from(peak) / 255.0).sqrt()))
}

/// The halos of all LEDs that shine.
pub fn halos(playfield: Playfield, frame: &Frame) -> String {
    let words: Vec<u32> = frame.data().collect();
    let halo = |point: Point| {
        let [g, r, b, _] = words.get(wiring::led(playfield, point))?.to_be_bytes();
        let ([r, g, b], opacity) = on_screen([r, g, b])?;
        let (x, y) = place(playfield, point);
        Some(format!(
            "<use href='#{}' x='{}' y='{}' color='rgb({r},{g},{b})' opacity='{}'/>\n",
            halo_name(playfield),
            Mm(x),
            Mm(y),
            Mm(opacity)
        ))
    };
    playfield.points().filter_map(halo).collect()
}

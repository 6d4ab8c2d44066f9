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
    let (wide, near) = match playfield {
        Playfield::Hex => (19.0, 13.0),
        Playfield::Square => (14.0, 9.0),
    };
    let fade = |id: &str, stops: [f64; 3]| {
        format!(
            "<radialGradient id='{name}-{id}'><stop stop-color='#fff' stop-opacity='{}'/>\
             <stop offset='.5' stop-color='#fff' stop-opacity='{}'/>\
             <stop offset='.78' stop-color='#fff' stop-opacity='{}'/>\
             <stop offset='1' stop-color='#fff' stop-opacity='0'/></radialGradient>\n",
            stops[0], stops[1], stops[2]
        )
    };
    fade("wide", [0.75, 0.5, 0.16])
        + &fade("near", [0.9, 0.3, 0.07])
        + &format!(
            "<mask id='{name}-mask' maskUnits='userSpaceOnUse' x='-40' y='-40' width='80' height='80'>\
             <circle r='{wide}' fill='url(#{name}-wide)'/>\
             <circle cx='{0}' cy='{1}' r='{near}' fill='url(#{name}-near)'/></mask>\n\
             <g id='{name}'><rect x='-40' y='-40' width='80' height='80' fill='currentColor' \
             mask='url(#{name}-mask)'/>\
             <path d='M{x1} {y1}L{x2} {y2}' stroke='currentColor' stroke-width='2.8' \
             stroke-linecap='round'/>\
             <path d='M{x1} {y1}L{x2} {y2}' stroke='#fff' stroke-opacity='.75' stroke-width='1.3' \
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

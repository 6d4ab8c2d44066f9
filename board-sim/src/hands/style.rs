//! How people handle pieces: every figure of both styles.
//!
//! A style may be made worse, never kinder. Shares are of 1; ranges are drawn from evenly.

/// From the first to the second.
pub(super) type Range = (f64, f64);

/// The figures of a style.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Style {
    /// Its name.
    pub name: &'static str,
    /// Pieces are set down at most this far from their point, mm.
    pub seat_mm: f64,
    /// Speed of lifting, mm/s.
    pub lift_mm_s: Range,
    /// Speed of carrying, mm/s.
    pub carry_mm_s: Range,
    /// Speed of setting down, mm/s.
    pub lower_mm_s: Range,
    /// Speed of sliding, mm/s.
    pub slide_mm_s: Range,
    /// How high above the board pieces are carried, mm.
    pub carry_mm: Range,
    /// What the hand needs from one act to the next, ms.
    pub between_ms: Range,
    /// Share of carries to a free point that slide, if nothing is in the way.
    pub slide: f64,
    /// Share of pushes in which a run is moved by contact; else piece by piece from its far end.
    pub contact: f64,
    /// Share of slides with a pause on the way, and its length, ms.
    pub pause: f64,
    /// See `pause`.
    pub pause_ms: Range,
    /// Share of landings before which the piece hovers over its place, how high, mm,
    pub hover: f64,
    /// See `hover`.
    pub hover_mm: Range,
    /// and for how long, ms.
    pub hover_ms: Range,
    /// Share of landings that are lifted a little and set down again.
    pub again: f64,
    /// Share of links on which a stack is set down for a pause, not just carried over.
    pub link: f64,
    /// Share of acts that push a neighbour, and how far, mm.
    pub nudge: f64,
    /// See `nudge`.
    pub nudge_mm: f64,
    /// Share of carries during which the other hand does what comes next.
    pub hold: f64,
    /// Whether acts come in any order that the table allows, not in that of the rules.
    pub any_order: bool,
    /// Share of turns with a mistake.
    pub mistake: f64,
    /// Share of turns that are played differently first.
    pub change_of_mind: f64,
    /// Share of turns that begin before the last one has settled.
    pub early_reply: f64,
}

/// A person who takes care.
pub static CAREFUL: Style = Style {
    name: "careful",
    seat_mm: 1.0,
    lift_mm_s: (100.0, 300.0),
    carry_mm_s: (250.0, 500.0),
    lower_mm_s: (80.0, 200.0),
    slide_mm_s: (100.0, 250.0),
    carry_mm: (35.0, 70.0),
    between_ms: (150.0, 400.0),
    slide: 0.1,
    contact: 0.5,
    pause: 0.02,
    pause_ms: (100.0, 800.0),
    hover: 0.0,
    hover_mm: (2.0, 20.0),
    hover_ms: (0.0, 1000.0),
    again: 0.0,
    link: 0.1,
    nudge: 0.02,
    nudge_mm: 0.3,
    hold: 0.0,
    any_order: false,
    mistake: 0.005,
    change_of_mind: 0.005,
    early_reply: 0.05,
};

/// A person who does not.
pub static SLOPPY: Style = Style {
    name: "sloppy",
    seat_mm: 3.0,
    lift_mm_s: (80.0, 400.0),
    carry_mm_s: (200.0, 700.0),
    lower_mm_s: (50.0, 300.0),
    slide_mm_s: (60.0, 400.0),
    carry_mm: (20.0, 70.0),
    between_ms: (50.0, 600.0),
    slide: 0.3,
    contact: 0.7,
    pause: 0.1,
    pause_ms: (100.0, 800.0),
    hover: 0.1,
    hover_mm: (2.0, 20.0),
    hover_ms: (0.0, 1000.0),
    again: 0.05,
    link: 0.5,
    nudge: 0.15,
    nudge_mm: 1.0,
    hold: 0.15,
    any_order: true,
    mistake: 0.05,
    change_of_mind: 0.03,
    early_reply: 0.2,
};

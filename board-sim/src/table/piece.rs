//! What the pieces are made of: bodies and the magnets in them.

use super::magnet::{Dipole, Disc};

/// The bodies that people put on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// YINSH marker: turning it over is the flip.
    Marker,
    /// YINSH ring: turning it over changes nothing.
    Ring,
    /// White and black of DVONN, the colours of LYNGK.
    Flat,
    /// Red of DVONN, joker of LYNGK.
    StrongFlat,
    /// Basic piece of GIPF.
    GipfBasic,
    /// GIPF-piece: one taller body that stands for two basic pieces.
    GipfBody,
    /// GLÜX chip.
    Chip,
}

/// Sizes in mm and the magnets of a kind.
struct Body {
    radius: f64,
    /// Radius of the hole; 0 for all but the ring.
    hole: f64,
    height: f64,
    /// Height of the magnets' centre above the underside.
    magnet: f64,
    discs: &'static [Disc],
}

/// Magnets of a ring and the radius of the circle they stand on, mm.
const RING_MAGNETS: u32 = 10;
const RING_RADIUS: f64 = 10.05;

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 7] = [
        Kind::Marker,
        Kind::Ring,
        Kind::Flat,
        Kind::StrongFlat,
        Kind::GipfBasic,
        Kind::GipfBody,
        Kind::Chip,
    ];

    const fn body(self) -> Body {
        const FIVE: &[Disc] = &[Disc { diameter: 5.0, moment: 18.594, above: 0.0 }];
        const FIVE_TWICE: &[Disc] = &[
            Disc { diameter: 5.0, moment: 18.594, above: -0.5 },
            Disc { diameter: 5.0, moment: 18.594, above: 0.5 },
        ];
        const THREE: &[Disc] = &[Disc { diameter: 3.0, moment: 6.694, above: 0.0 }];
        let (radius, hole, height, magnet, discs) = match self {
            Kind::Marker => (8.0, 0.0, 5.0, 2.5, FIVE),
            Kind::Ring => (12.0, 8.75, 14.0, 7.0, THREE),
            Kind::Flat => (10.0, 0.0, 6.0, 2.5, FIVE),
            Kind::StrongFlat => (10.0, 0.0, 6.0, 2.5, FIVE_TWICE),
            Kind::GipfBasic => (14.0, 0.0, 6.0, 2.5, FIVE),
            Kind::GipfBody => (14.0, 0.0, 11.0, 2.5, FIVE_TWICE),
            Kind::Chip => (9.0, 0.0, 8.0, 4.0, THREE),
        };
        Body { radius, hole, height, magnet, discs }
    }

    /// Outer radius, mm.
    pub const fn radius_mm(self) -> f64 {
        self.body().radius
    }

    /// Radius of its hole, mm; 0 when it has none.
    pub const fn hole_mm(self) -> f64 {
        self.body().hole
    }

    /// How high it is, mm: what a piece on top of it is raised by.
    pub const fn height_mm(self) -> f64 {
        self.body().height
    }

    /// Whether it is one of those that make stacks.
    pub const fn is_flat(self) -> bool {
        matches!(self, Kind::Flat | Kind::StrongFlat)
    }

    /// Whether it has a hole that goes over other pieces.
    pub const fn is_ring(self) -> bool {
        self.body().hole > 0.0
    }
}

/// Which pole a piece shows: what a sensor below it reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pole {
    /// North up (a ring: north outward): codes above the zero.
    Plus,
    /// South up (a ring: north inward): codes below the zero.
    Minus,
}

/// A piece as it is made and as it lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Its body and magnets.
    pub kind: Kind,
    /// What it reads when it lies the right way up.
    pub pole: Pole,
    /// Whether it lies upside down.
    pub turned: bool,
}

impl Piece {
    /// A piece that lies the right way up.
    pub const fn new(kind: Kind, pole: Pole) -> Piece {
        Piece { kind, pole, turned: false }
    }

    /// Its magnets with their places relative to the middle of its underside, at nominal strength.
    pub(super) fn magnets(self) -> Magnets {
        let body = self.kind.body();
        let sign = if self.pole == Pole::Plus { 1.0 } else { -1.0 };
        let height = if self.turned { body.height - body.magnet } else { body.magnet };
        if self.kind.is_ring() {
            let moment = sign * body.discs[0].moment;
            return Magnets { near: radial(moment, height), far: radial(moment, height) };
        }
        // Turned over, the other pole looks up; a radial magnet looks outward either way.
        let sign = if self.turned { -sign } else { sign };
        let mut near = Vec::new();
        let mut far = 0.0;
        for disc in body.discs {
            let above = if self.turned { -disc.above } else { disc.above };
            near.extend(disc.six(sign, height + above));
            far += sign * disc.moment;
        }
        Magnets { near, far: vec![Dipole::upright(0.0, 0.0, height, far)] }
    }
}

/// A piece's magnets twice: true to shape, and as few dipoles as a distant sensor needs.
pub(super) struct Magnets {
    pub(super) near: Vec<Dipole>,
    pub(super) far: Vec<Dipole>,
}

fn radial(moment: f64, height: f64) -> Vec<Dipole> {
    (0..RING_MAGNETS)
        .map(|n| {
            Dipole::radial(f64::from(n) / f64::from(RING_MAGNETS), RING_RADIUS, height, moment)
        })
        .collect()
}

//! The field of small magnets: every disc as six dipoles.
//!
//! A single dipole in a disc's centre is 10 % too strong at the sensor right below; six on a circle
//! of radius d / (2 sqrt 2) are within 1 %. Lengths in mm, moments in mA·m², fields in mT.

use std::f64::consts::TAU;

/// A point magnet.
#[derive(Clone, Copy)]
pub(super) struct Dipole {
    place: [f64; 3],
    moment: [f64; 3],
}

/// An upright disc magnet of a piece.
pub(super) struct Disc {
    pub(super) diameter: f64,
    pub(super) moment: f64,
    /// Its centre above that of all magnets of the piece.
    pub(super) above: f64,
}

/// Beyond this distance (squared, mm²) a disc is one dipole: less than 0.002 mT of difference.
pub(super) const FAR_SQUARED: f64 = 25.0 * 25.0;

impl Disc {
    /// The disc as six dipoles at this height, north up for a sign of +1.
    pub(super) fn six(&self, sign: f64, height: f64) -> impl Iterator<Item = Dipole> {
        let (radius, moment) = (self.diameter / 8_f64.sqrt(), sign * self.moment / 6.0);
        (0..6).map(move |n| {
            let (sin, cos) = (TAU * f64::from(n) / 6.0).sin_cos();
            Dipole::upright(radius * cos, radius * sin, height, moment)
        })
    }
}

impl Dipole {
    /// North up for a positive moment.
    pub(super) fn upright(x: f64, y: f64, z: f64, moment: f64) -> Dipole {
        Dipole { place: [x, y, z], moment: [0.0, 0.0, moment] }
    }

    /// Standing on a circle at this share of a turn, north outward for a positive moment.
    pub(super) fn radial(turn: f64, radius: f64, z: f64, moment: f64) -> Dipole {
        let (sin, cos) = (TAU * turn).sin_cos();
        Dipole { place: [radius * cos, radius * sin, z], moment: [moment * cos, moment * sin, 0.0] }
    }

    /// The upright part of the field at a place relative to the piece.
    #[inline]
    fn bz(&self, at: [f64; 3]) -> f64 {
        let [x, y, z] = [0, 1, 2].map(|axis| at[axis] - self.place[axis]);
        let [mx, my, mz] = self.moment;
        let squared = x * x + y * y + z * z;
        let along = mx * x + my * y + mz * z;
        100.0 * (3.0 * along * z / squared - mz) / (squared * squared.sqrt())
    }
}

/// The upright part of the field of many dipoles.
#[inline]
pub(super) fn bz(dipoles: &[Dipole], at: [f64; 3]) -> f64 {
    dipoles.iter().map(|dipole| dipole.bz(at)).sum()
}

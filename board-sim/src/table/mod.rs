//! The table: pieces with magnets over a playfield, and the codes its sensors give.
//!
//! For the virtual hands, the soak and the tests of `sense`. Pieces lie or hang at any place and
//! height; every sensor sees the sum of all their fields, with the zero, gain, depth, drift and
//! noise drawn for it and the steps of the ADC. Everything comes from one seed: same calls, same
//! codes.
//!
//! Important terms: a *place* is (x, y) in mm from the middle of the playfield, y away from the
//! player, and z the height of a piece's underside above the playing surface.
//!
//! Where the model stops: pieces are never tilted and never push, attract or overlap each other;
//! [`Table::resting_height_mm`] is the only thing that knows of bodies. A disc is six dipoles (1 %
//! or 0.005 mT from exact), the magnets of a ring one each and all equally strong. A scan happens
//! at one instant. Noise is white and its eight samples are already averaged. Settling of the
//! multiplexers, supply and light are not modelled.
//!
//! ```
//! use board_sim::table::{Kind, Piece, Pole, Table, Tolerances};
//! use lodestone::geometry::Playfield;
//!
//! let mut table = Table::new(Playfield::Hex, &Tolerances::NONE, 1);
//! let f6 = Playfield::Hex.at(5, 6).unwrap();
//! table.put(Piece::new(Kind::Marker, Pole::Plus), table.place_mm(f6));
//! assert_eq!(table.scan(0)[f6.index()], 2048 + 277);
//! ```

mod magnet;
mod piece;
mod sensor;
#[cfg(test)]
mod tests;

use lodestone::geometry::{Playfield, Point};
use lodestone::random::SplitMix64;

pub use piece::{Kind, Piece, Pole};
pub use sensor::{Fault, Tolerances, nominal_mt};

use piece::Magnets;
use sensor::Sensor;

/// How high a stack is, scan by scan, that a hand lowers onto another at 200 mm/s, mm.
pub const COMING_DOWN_MM: [f64; 8] = [20.0, 17.5, 15.0, 12.5, 10.0, 7.5, 5.0, 2.5];

/// A place on the playing surface, mm from the middle of the playfield.
pub type PlaceMm = (f64, f64);

/// A piece on a [`Table`]. Ids of removed pieces are given again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PieceId(usize);

/// A piece and where it is.
struct Placed {
    piece: Piece,
    place: PlaceMm,
    z_mm: f64,
    /// Its magnets' strength, 1 = nominal.
    strength: f64,
    magnets: Magnets,
    /// What it adds at every sensor, mT.
    field: Vec<f64>,
}

/// Pieces this high are in somebody's pocket: they add nothing anywhere.
const AWAY_MM: f64 = 300.0;

/// A playfield with its sensors and the pieces on and above it.
pub struct Table {
    playfield: Playfield,
    places: Vec<PlaceMm>,
    sensors: Vec<Sensor>,
    pieces: Vec<Option<Placed>>,
    /// The field of all pieces at every sensor, mT.
    field: Vec<f64>,
    ambient_mt: f64,
    tolerances: Tolerances,
    draws: SplitMix64,
    noise: SplitMix64,
    codes: Vec<u16>,
}

impl Table {
    /// An empty playfield whose sensors are drawn from the seed. Sensors, pieces and noise have a
    /// stream each: another number of scans does not change the next piece.
    pub fn new(playfield: Playfield, tolerances: &Tolerances, seed: u64) -> Table {
        let mut seeds = SplitMix64::new(seed);
        let mut random = SplitMix64::new(seeds.next());
        let count = playfield.point_count();
        Table {
            playfield,
            places: playfield.points().map(|point| place_mm(playfield, point)).collect(),
            sensors: (0..count).map(|_| Sensor::draw(tolerances, &mut random)).collect(),
            pieces: Vec::new(),
            field: vec![0.0; count],
            ambient_mt: 0.0,
            tolerances: *tolerances,
            draws: SplitMix64::new(seeds.next()),
            noise: SplitMix64::new(seeds.next()),
            codes: vec![0; count],
        }
    }

    /// The playfield.
    pub fn playfield(&self) -> Playfield {
        self.playfield
    }

    /// Where a point is.
    pub fn place_mm(&self, point: Point) -> PlaceMm {
        self.places[point.index()]
    }

    /// A new piece, set down there on whatever lies there.
    pub fn put(&mut self, piece: Piece, place: PlaceMm) -> PieceId {
        let strength = 1.0 + sensor::even(&mut self.draws, self.tolerances.magnet);
        self.put_of_strength(piece, place, strength)
    }

    /// The same with magnets of a known strength (1 = nominal), such as a picked reference piece.
    pub fn put_of_strength(&mut self, piece: Piece, place: PlaceMm, strength: f64) -> PieceId {
        let placed = Placed {
            piece,
            place,
            z_mm: self.resting_height_mm(piece.kind, place),
            strength,
            magnets: piece.magnets(),
            field: vec![0.0; self.places.len()],
        };
        let slot = self.pieces.iter().position(Option::is_none).unwrap_or(self.pieces.len());
        if slot == self.pieces.len() {
            self.pieces.push(None);
        }
        self.pieces[slot] = Some(placed);
        self.refresh(slot);
        PieceId(slot)
    }

    /// Moves a piece; nothing else moves with it.
    pub fn move_to(&mut self, id: PieceId, place: PlaceMm, z_mm: f64) {
        let placed = self.placed_mut(id);
        (placed.place, placed.z_mm) = (place, z_mm);
        self.refresh(id.0);
    }

    /// Sets a piece down there on whatever lies there.
    pub fn set_down(&mut self, id: PieceId, place: PlaceMm) {
        let kind = self.placed(id).piece.kind;
        // Out of its own way first.
        self.placed_mut(id).z_mm = AWAY_MM;
        let height = self.resting_height_mm(kind, place);
        self.move_to(id, place, height);
    }

    /// Holds a stack this high above a place where so many flat pieces lie.
    pub fn hold_above(&mut self, stack: &[PieceId], place: PlaceMm, lying: usize, up_mm: f64) {
        for (n, &id) in stack.iter().enumerate() {
            let below = (lying + n) as f64;
            self.move_to(id, place, below * Kind::Flat.height_mm() + up_mm);
        }
    }

    /// Sets a stack down, its first piece lowest.
    pub fn set_down_stack(&mut self, stack: &[PieceId], place: PlaceMm) {
        // Out of its own way first.
        for &id in stack {
            self.move_to(id, place, AWAY_MM);
        }
        for &id in stack {
            self.set_down(id, place);
        }
    }

    /// Turns a piece over where it is.
    pub fn flip(&mut self, id: PieceId) {
        let placed = self.placed_mut(id);
        placed.piece.turned = !placed.piece.turned;
        placed.magnets = placed.piece.magnets();
        self.refresh(id.0);
    }

    /// Takes a piece off for good. One that comes back is better moved far up: it keeps its magnets.
    pub fn remove(&mut self, id: PieceId) {
        let placed = self.pieces[id.0].take().expect("the piece is on the table");
        for (sum, old) in self.field.iter_mut().zip(&placed.field) {
            *sum -= old;
        }
    }

    /// A piece, its place and its height.
    pub fn piece(&self, id: PieceId) -> (Piece, PlaceMm, f64) {
        let placed = self.placed(id);
        (placed.piece, placed.place, placed.z_mm)
    }

    /// All pieces.
    pub fn pieces(&self) -> impl Iterator<Item = PieceId> + '_ {
        (0..self.pieces.len()).filter(|&slot| self.pieces[slot].is_some()).map(PieceId)
    }

    /// How high the underside of a piece would come to rest there: on top of every piece whose body
    /// is below its middle. Rings and other pieces go into each other.
    pub fn resting_height_mm(&self, kind: Kind, place: PlaceMm) -> f64 {
        let below = self.pieces.iter().flatten().filter(|other| {
            other.z_mm < AWAY_MM
                && other.piece.kind.is_ring() == kind.is_ring()
                && distance_mm(other.place, place) < other.piece.kind.radius_mm()
        });
        below.map(|other| other.z_mm + other.piece.kind.height_mm()).fold(0.0, f64::max)
    }

    /// The pieces' field at a sensor, mT; without noise and tolerances of the sensor but its depth.
    pub fn field_mt(&self, point: Point) -> f64 {
        self.field[point.index()]
    }

    /// A field that all sensors see, mT: the earth's, less what it was when the board was zeroed.
    pub fn set_ambient_mt(&mut self, mt: f64) {
        self.ambient_mt = mt;
    }

    /// Another noise of the sensors from now on, codes rms.
    pub fn set_noise_codes(&mut self, codes: f64) {
        self.tolerances.noise_codes = codes;
    }

    /// Breaks a sensor, or mends it with `None`.
    pub fn set_fault(&mut self, point: Point, fault: Option<Fault>) {
        self.sensors[point.index()].fault = fault;
    }

    /// The code of every point, in point order, as measured at this time since power-up.
    pub fn scan(&mut self, now_us: u64) -> &[u16] {
        let rms = self.tolerances.noise_codes;
        for ((code, sensor), field) in self.codes.iter_mut().zip(&self.sensors).zip(&self.field) {
            *code = sensor.code(field + self.ambient_mt, now_us, rms, &mut self.noise);
        }
        &self.codes
    }

    fn placed(&self, id: PieceId) -> &Placed {
        self.pieces[id.0].as_ref().expect("the piece is on the table")
    }

    fn placed_mut(&mut self, id: PieceId) -> &mut Placed {
        self.pieces[id.0].as_mut().expect("the piece is on the table")
    }

    /// Computes what a piece adds at every sensor again, and the sums with it.
    fn refresh(&mut self, slot: usize) {
        let Some(placed) = &mut self.pieces[slot] else { return };
        for (sensor, &(x, y)) in self.places.iter().enumerate() {
            let z = -self.sensors[sensor].depth - placed.z_mm;
            let at = [x - placed.place.0, y - placed.place.1, z];
            let far = at.iter().map(|d| d * d).sum::<f64>() > magnet::FAR_SQUARED;
            let dipoles = if far { &placed.magnets.far } else { &placed.magnets.near };
            let new = if placed.z_mm < AWAY_MM { magnet::bz(dipoles, at) } else { 0.0 };
            let new = new * placed.strength;
            self.field[sensor] += new - placed.field[sensor];
            placed.field[sensor] = new;
        }
    }
}

/// Where a point of a playfield is.
pub fn place_mm(playfield: Playfield, point: Point) -> PlaceMm {
    let (column, row) = playfield.place(point);
    let (column, row) = (f64::from(column), f64::from(row));
    match playfield {
        Playfield::Hex => {
            let columns = column - 5.0;
            (columns * 30.0 * 0.75_f64.sqrt(), 30.0 * (row - 6.0 - columns / 2.0))
        }
        Playfield::Square => (22.0 * (column - 7.0), 22.0 * (row - 8.0)),
    }
}

/// How far two places are from each other.
pub fn distance_mm(a: PlaceMm, b: PlaceMm) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

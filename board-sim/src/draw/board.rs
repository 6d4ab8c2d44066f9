//! The board below the pieces: plate, lines, points, rooms, light slots, names at the rim.

use lodestone::games::any::{Position, Setup};
use lodestone::games::{Game, Id, Player};
use lodestone::geometry::{
    self, Board, Cell, CellSet, Direction, GIPF_DOTS, Playfield, Point, Room, rooms,
};

use super::glyphs::word;
use super::{Mm, light, place, view};

/// What is drawn: a game's board, or a playfield on which nothing is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Surface {
    /// The board of a game.
    Game(Id),
    /// All points of a playfield under its own names.
    Bare(Playfield),
}

impl Surface {
    /// Its cells and their names.
    pub fn board(self) -> &'static Board {
        match self {
            Surface::Game(id) => Setup::of(id).position().board(),
            Surface::Bare(Playfield::Hex) => &geometry::HEX,
            Surface::Bare(Playfield::Square) => &geometry::SQUARE,
        }
    }

    fn is_gipf(self) -> bool {
        matches!(self, Surface::Game(id) if id.letter() == 'G')
    }
}

/// Colours of what is on the plate.
const LINE: &str = "#c9a674";
const NAME: &str = "#b79a70";

pub(super) const SYMBOLS: &str = "\
<linearGradient id='paint-frame' x2='.4' y2='1'><stop stop-color='#4a382b'/>\
<stop offset='.5' stop-color='#2e221a'/><stop offset='1' stop-color='#221811'/></linearGradient>
<radialGradient id='paint-field' cx='.42' cy='.34' r='.8'><stop stop-color='#6a4d37'/>\
<stop offset='.55' stop-color='#513a2a'/><stop offset='1' stop-color='#38281d'/></radialGradient>
";

/// The board as a group: everything that never moves. Nothing of it is needed to read a position
/// but lines and names, so it can be left behind the pieces as one picture.
pub fn board(surface: Surface) -> String {
    let board = surface.board();
    let playfield = board.playfield();
    let mut out = String::from("<g class='board'>\n");
    out += &plate(playfield);
    out += &slots(playfield);
    out += &match playfield {
        Playfield::Hex => lines(surface) + &rim_names(board),
        Playfield::Square => squares(surface) + &side_names(board),
    };
    out + "</g>\n"
}

/// Frame and inlaid field.
fn plate(playfield: Playfield) -> String {
    let [x, y, width, height] = view(playfield).map(|edge| edge + 0.0);
    let edge = |inset: f64, paint: &str| {
        format!(
            "<rect x='{}' y='{}' width='{}' height='{}' rx='{}' {paint}/>\n",
            Mm(x + inset),
            Mm(y + inset),
            Mm(width - 2.0 * inset),
            Mm(height - 2.0 * inset),
            Mm(14.0 - inset),
        )
    };
    edge(0.5, "fill='url(#paint-frame)'")
        + &edge(1.0, "fill='none' stroke='#8a6a4c' stroke-opacity='.55' stroke-width='.7'")
        + &match playfield {
            Playfield::Hex => {
                hexagon(178.0, "fill='url(#paint-field)' stroke='#170f0a' stroke-width='1.6'")
                    + &hexagon(
                        175.0,
                        "fill='none' stroke='#b08550' stroke-opacity='.5' stroke-width='.6'",
                    )
            }
            Playfield::Square => {
                edge(11.0, "fill='url(#paint-field)' stroke='#170f0a' stroke-width='1.6'")
                    + &edge(
                        13.0,
                        "fill='none' stroke='#b08550' stroke-opacity='.5' stroke-width='.6'",
                    )
            }
        }
}

/// A hexagon around the middle, one corner towards the player, with softened corners.
fn hexagon(radius: f64, paint: &str) -> String {
    let corner = |n: i32, turn: f64| {
        let angle = (f64::from(n) * 60.0 + turn).to_radians();
        format!("{} {} ", Mm(angle.sin() * radius), Mm(-angle.cos() * radius))
    };
    let points: String = (0..6).flat_map(|n| [corner(n, -2.0), corner(n, 2.0)]).collect();
    format!("<polygon points='{}' {paint} stroke-linejoin='round'/>\n", points.trim_end())
}

/// The slots through which the lights shine; every point of the playfield has one.
fn slots(playfield: Playfield) -> String {
    let (inner, outer) = light::slot(playfield);
    let mut path = String::new();
    for point in playfield.points() {
        let (x, y) = place(playfield, point);
        path += &format!(
            "M{} {}L{} {}",
            Mm(x + inner.0),
            Mm(y + inner.1),
            Mm(x + outer.0),
            Mm(y + outer.1)
        );
    }
    format!(
        "<path d='{path}' fill='none' stroke='#1a110b' stroke-opacity='.55' stroke-width='2.2' \
         stroke-linecap='round'/>\n"
    )
}

/// Lines and points of a hexagonal board.
fn lines(surface: Surface) -> String {
    let board = surface.board();
    let all: CellSet = board.cells().collect();
    let dots: CellSet = match surface.is_gipf() {
        true => GIPF_DOTS.iter().collect(),
        false => CellSet::EMPTY,
    };
    let at = |cell: Cell| place(board.playfield(), board.point(cell));
    let mut path = String::new();
    for line in board.lines(all) {
        let end = board.ray(line.start, line.direction).nth(line.length - 2).unwrap_or(line.start);
        let second = board.next(line.start, line.direction).unwrap_or(end);
        // The edge of GIPF's board is no line: pieces come in from its dots.
        if dots.contains(line.start) && dots.contains(second) {
            continue;
        }
        let ((x1, y1), (x2, y2)) = (at(line.start), at(end));
        path += &format!("M{} {}L{} {}", Mm(x1), Mm(y1), Mm(x2), Mm(y2));
    }
    let mut out = format!(
        "<path d='{path}' fill='none' stroke='#140c07' stroke-opacity='.5' stroke-width='2' \
         stroke-linecap='round' transform='translate(.4 .6)'/>\n\
         <path d='{path}' fill='none' stroke='{LINE}' stroke-width='1' stroke-linecap='round'/>\n"
    );
    for cell in board.cells() {
        let (x, y) = at(cell);
        let (radius, fill) = if dots.contains(cell) { (3.6, "#2a1d14") } else { (1.9, LINE) };
        out += &format!(
            "<circle cx='{}' cy='{}' r='{radius}' fill='{fill}' stroke='{LINE}' \
             stroke-width='.8'/>\n",
            Mm(x),
            Mm(y)
        );
    }
    out
}

/// The names of the outermost points, outside of them.
fn rim_names(board: &Board) -> String {
    const OUT: f64 = 18.5;
    let playfield = board.playfield();
    let name = |cell: Cell| {
        let free = |d: &Direction| board.next(cell, *d).is_none();
        let (mut out_x, mut out_y) = (0.0, 0.0);
        for direction in playfield.directions().filter(free) {
            let angle = (direction.index() as f64 * 60.0).to_radians();
            out_x += angle.sin();
            out_y -= angle.cos();
        }
        let length = out_x.hypot(out_y);
        let (x, y) = place(playfield, board.point(cell));
        let at = (x + out_x / length * OUT, y + out_y / length * OUT);
        (length > 0.1).then(|| word(&board.name(cell).to_string(), at, 5.0, NAME) + "\n")
    };
    board.cells().filter_map(name).collect()
}

const PITCH: f64 = 22.0;

/// The squares of GLÜX: paths, rooms and starts.
fn squares(surface: Surface) -> String {
    let board = surface.board();
    let rooms: &[Option<Room>] = match surface {
        Surface::Game(Id::Glux2) => &rooms::GLUX_2,
        Surface::Game(_) => &rooms::GLUX_4,
        Surface::Bare(_) => &[],
    };
    let square = |cell: Cell, size: f64, paint: &str| {
        let (x, y) = place(board.playfield(), board.point(cell));
        format!(
            "<rect x='{}' y='{}' width='{size}' height='{size}' rx='1.5' {paint}/>\n",
            Mm(x - size / 2.0),
            Mm(y - size / 2.0)
        )
    };
    let mut out = String::new();
    for (cell, room) in board.cells().zip(rooms) {
        let paint = match room {
            Some(Room::MIDDLE) => "fill='#d9a04e' fill-opacity='.5'",
            Some(_) => "fill='#c98b52' fill-opacity='.32'",
            None => continue,
        };
        out += &square(cell, PITCH, paint);
    }
    let paint = format!("fill='none' stroke='{LINE}' stroke-opacity='.6' stroke-width='.7'");
    out += &board.cells().map(|cell| square(cell, PITCH - 2.0, &paint)).collect::<String>();
    if let Surface::Game(id) = surface {
        out += &starts(id);
    }
    out
}

/// Where each player of GLÜX begins.
fn starts(id: Id) -> String {
    let Position::Glux(game) = Setup::of(id).position() else { return String::new() };
    let start = |player: usize| {
        let point: Point = game.board().point(game.start(Player::from_index(player)));
        let at = place(Playfield::Square, point);
        format!(
            "<circle cx='{}' cy='{}' r='7' fill='none' stroke='{LINE}' stroke-width='.9'/>{}\n",
            Mm(at.0),
            Mm(at.1),
            word(&(player + 1).to_string(), at, 6.0, LINE)
        )
    };
    (0..id.player_count()).map(start).collect()
}

/// Letters below, numbers on the left.
fn side_names(board: &Board) -> String {
    const OUT: f64 = 16.0;
    let name = |cell: Cell| {
        let (x, y) = place(board.playfield(), board.point(cell));
        let name = board.name(cell).to_string();
        let (letter, number) = name.split_at(1);
        let below =
            if number == "1" { word(letter, (x, y + OUT), 5.0, NAME) } else { String::new() };
        let left =
            if letter == "a" { word(number, (x - OUT, y), 5.0, NAME) } else { String::new() };
        below + &left
    };
    board.cells().map(name).collect::<String>() + "\n"
}

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
<linearGradient id='paint-frame' x2='0' y2='1'><stop stop-color='#4a382b'/>\
<stop offset='.5' stop-color='#2e221a'/><stop offset='1' stop-color='#221811'/></linearGradient>
<linearGradient id='paint-field' x2='0' y2='1'><stop stop-color='#7c573b'/>\
<stop offset='.55' stop-color='#5a3e2a'/><stop offset='1' stop-color='#3f2c1e'/></linearGradient>
<radialGradient id='paint-screw' cx='.35' cy='.3' r='.8'><stop stop-color='#f2d79a'/>\
<stop offset='.5' stop-color='#b98a45'/><stop offset='1' stop-color='#5e411b'/></radialGradient>
<g id='screw'><circle r='3.6' fill='#120b07' fill-opacity='.6'/>\
<circle r='2.9' fill='url(#paint-screw)'/>\
<path d='M-1.9 1.1L1.9-1.1' stroke='#4a3113' stroke-width='.8'/></g>
";

/// The board as a group: everything that never moves. Nothing of it is needed to read a position
/// but lines and names, so it can be left behind the pieces as one picture.
pub fn board(surface: Surface) -> String {
    let board = surface.board();
    let playfield = board.playfield();
    let mut out = String::from("<g class='board'>\n");
    out += &plate(surface);
    out += &slots(surface);
    out += &match playfield {
        Playfield::Hex => lines(surface) + &rim_names(board),
        Playfield::Square => squares(surface) + &side_names(board),
    };
    out + "</g>\n"
}

/// From the middle of the hexagonal field to its corners.
const FIELD_RADIUS: f64 = 178.0;

/// Frame and inlaid field, held by four brass screws.
fn plate(surface: Surface) -> String {
    const RIM: &str = "fill='none' stroke='#8a6a4c' stroke-opacity='.55' stroke-width='.7'";
    const FIELD: &str = "fill='url(#paint-field)' stroke='#170f0a' stroke-width='1.6'";
    const INLAY: &str = "fill='none' stroke='#b08550' stroke-opacity='.5' stroke-width='.6'";
    let [x, y, width, height] = view(surface);
    let edge = |inset: f64, paint: &str| {
        format!(
            "<rect x='{}' y='{}' width='{}' height='{}' rx='{}' {paint}/>\n",
            Mm(x + inset),
            Mm(y + inset),
            Mm(width - 2.0 * inset),
            Mm(height - 2.0 * inset),
            Mm(f64::max(12.0 - inset, 3.0)),
        )
    };
    let frame = edge(0.5, "fill='url(#paint-frame)'") + &edge(1.0, RIM);
    let (field, margin) = match surface.board().playfield() {
        Playfield::Hex => {
            (hexagon(FIELD_RADIUS, FIELD) + &hexagon(FIELD_RADIUS - 3.0, INLAY), 15.0)
        }
        Playfield::Square => (edge(12.0, FIELD) + &edge(14.0, INLAY), 7.0),
    };
    let (across, up) = (width / 2.0 - margin, height / 2.0 - margin);
    let screws = [(-across, -up), (across, -up), (-across, up), (across, up)];
    let screw = |(x, y): (f64, f64)| format!("<use href='#screw' x='{}' y='{}'/>\n", Mm(x), Mm(y));
    frame + &field + &screws.map(screw).concat()
}

/// A hexagon around the middle, one corner towards the player, with rounded corners.
fn hexagon(radius: f64, paint: &str) -> String {
    // Where the rounding begins: on the edge, this far from the corner in degrees.
    const ROUND: f64 = 5.0;
    let at = |angle: f64, radius: f64| {
        let angle = angle.to_radians();
        format!("{} {}", Mm(angle.sin() * radius), Mm(-angle.cos() * radius))
    };
    let edge = radius * 30_f64.to_radians().cos() / (30.0 - ROUND).to_radians().cos();
    let corner = |n: i32| {
        let angle = f64::from(n) * 60.0;
        let begin = if n == 0 { 'M' } else { 'L' };
        format!(
            "{begin}{}Q{} {}",
            at(angle - ROUND, edge),
            at(angle, radius),
            at(angle + ROUND, edge)
        )
    };
    format!("<path d='{}Z' {paint}/>\n", (0..6).map(corner).collect::<String>())
}

/// The slots through which the lights shine.
fn slots(surface: Surface) -> String {
    let board = surface.board();
    let playfield = board.playfield();
    let (inner, outer) = light::slot(playfield);
    // On the hexagon, points beside the board say whose turn it is.
    let is_lit = |point: &Point| playfield == Playfield::Hex || board.cell(*point).is_some();
    let slot = |point: Point| {
        let (x, y) = place(playfield, point);
        stroke((x + inner.0, y + inner.1), (x + outer.0, y + outer.1))
    };
    format!(
        "<path d='{}' fill='none' stroke='#1a110b' stroke-opacity='.3' stroke-width='1.8' \
         stroke-linecap='round'/>\n",
        playfield.points().filter(is_lit).map(slot).collect::<String>()
    )
}

/// Lines and points of a hexagonal board.
fn lines(surface: Surface) -> String {
    let board = surface.board();
    let all: CellSet = board.cells().collect();
    let dots: CellSet = if surface.is_gipf() { GIPF_DOTS.iter().collect() } else { CellSet::EMPTY };
    let at = |cell: Cell| place(board.playfield(), board.point(cell));
    let ends = board.lines(all).map(|line| {
        let end = board.ray(line.start, line.direction).nth(line.length - 2);
        let second = board.next(line.start, line.direction);
        // The edge of GIPF's board is no line: pieces come in from its dots.
        let is_edge = dots.contains(line.start) && second.is_some_and(|cell| dots.contains(cell));
        (is_edge, stroke(at(line.start), at(end.unwrap_or(line.start))))
    });
    let (edge, inner): (Vec<_>, Vec<_>) = ends.partition(|(is_edge, _)| *is_edge);
    let [edge, path] =
        [edge, inner].map(|lines| lines.into_iter().map(|(_, path)| path).collect::<String>());
    let dot = |cell: Cell| {
        let (x, y) = at(cell);
        let (radius, fill) = if dots.contains(cell) { (3.6, "#2a1d14") } else { (1.9, LINE) };
        format!(
            "<circle cx='{}' cy='{}' r='{radius}' fill='{fill}' stroke='{LINE}' \
             stroke-width='.8'/>\n",
            Mm(x),
            Mm(y)
        )
    };
    format!(
        "{}<path d='{path}' fill='none' stroke='#140c07' stroke-opacity='.5' stroke-width='2' \
         stroke-linecap='round' transform='translate(.4 .6)'/>\n\
         <path d='{path}' fill='none' stroke='{LINE}' stroke-linecap='round'/>\n{}",
        area(board, &(edge + &path)),
        board.cells().map(dot).collect::<String>()
    )
}

/// A straight line, as part of a path.
fn stroke((x1, y1): (f64, f64), (x2, y2): (f64, f64)) -> String {
    format!("M{} {}L{} {}", Mm(x1), Mm(y1), Mm(x2), Mm(y2))
}

/// The part of the field that is played on, where it is not nearly all of it.
fn area(board: &Board, lines: &str) -> String {
    if board.cell_count() > board.playfield().point_count() * 3 / 4 {
        return String::new();
    }
    // Thick strokes along the lines run together.
    format!(
        "<clipPath id='field'>{}</clipPath>\n<path d='{lines}' clip-path='url(#field)' \
         fill='none' stroke='#1d120b' stroke-opacity='.26' stroke-width='58' \
         stroke-linecap='round'/>\n",
        hexagon(FIELD_RADIUS - 3.0, "")
    )
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
            Some(Room::MIDDLE) => "fill='#e0a44c' fill-opacity='.5'",
            Some(_) => "fill='#d09355' fill-opacity='.36'",
            None => continue,
        };
        out += &square(cell, PITCH, paint);
    }
    let paint = format!("fill='none' stroke='{LINE}' stroke-opacity='.6' stroke-width='.7'");
    out += &board.cells().map(|cell| square(cell, PITCH - 2.0, &paint)).collect::<String>();
    if let Surface::Game(id) = surface {
        out += &walls(board, rooms);
        out += &starts(id);
    }
    out
}

/// The outlines of the rooms.
fn walls(board: &Board, rooms: &[Option<Room>]) -> String {
    let mut path = String::new();
    for cell in board.cells().filter(|cell| rooms[cell.index()].is_some()) {
        let (x, y) = place(board.playfield(), board.point(cell));
        for direction in board.playfield().directions() {
            let beyond = board.next(cell, direction).and_then(|next| rooms[next.index()]);
            if beyond == rooms[cell.index()] {
                continue;
            }
            let (half, turn) = (PITCH / 2.0, (direction.index() as f64 * 90.0).to_radians());
            let (out_x, out_y) = (turn.sin() * half, -turn.cos() * half);
            let (x, y) = (x + out_x, y + out_y);
            path += &stroke((x - out_y, y + out_x), (x + out_y, y - out_x));
        }
    }
    format!(
        "<path d='{path}' fill='none' stroke='#f0c588' stroke-width='1.3' \
         stroke-linecap='round'/>\n"
    )
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

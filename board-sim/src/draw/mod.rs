//! The board as a picture: SVG made of definitions and their placements.
//!
//! For the tool `render`, for the page and for the pictures in the documents. Everything that can
//! be seen is defined once ([`symbols`]) and then placed with `<use>`, so that a page can move
//! pieces and switch lights with the very same drawings:
//!
//! ```text
//!   gipf-w  yinsh-W  dvonn-r  lyngk-K  glux-14   a piece: game, `-`, what the notation writes
//!   shadow                                       of radius 1, to be scaled to its piece
//!   halo-hex  halo-square                        the light of a point, in `currentColor`
//!   glyph-a  glyph-7                             a letter or digit, in `currentColor`
//! ```
//!
//! Units are millimetres on the plate, the middle of the playfield is (0, 0), y grows downwards;
//! [`view`] is the part of the plate that is shown. A piece's origin is the middle of its
//! underside, a halo's is its point. No fonts, no scripts, no styles from outside: the picture
//! looks the same in a browser and as PNG, on dark and on light pages.

mod board;
mod glyphs;
mod light;
mod lit;
mod pieces;
mod png;
#[cfg(test)]
mod tests;

use std::fmt;

use lodestone::games::any::Position;
use lodestone::games::{Game, Id};
use lodestone::geometry::{Cell, Playfield, Point};
use lodestone::light::Frame;

use crate::{table, text};
pub use board::{Surface, board};
pub use light::{halo_name, halos, on_screen};
pub use lit::{LiftError, Lit, frame};
pub use pieces::{name, pile, stack, stack_step};
pub use png::{PngError, png};

/// A length or a factor as it is written: two digits after the point, no more than needed.
struct Mm(f64);

impl fmt::Display for Mm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding 0 makes a negative zero plain.
        write!(f, "{}", (self.0 * 100.0).round() / 100.0 + 0.0)
    }
}

/// The game a definition belongs to, whatever the variant.
pub const fn family(id: Id) -> &'static str {
    match id.letter() {
        'G' => "gipf",
        'Y' => "yinsh",
        'D' => "dvonn",
        'L' => "lyngk",
        _ => "glux",
    }
}

/// Where a point is, mm from the middle, y downwards.
pub fn place(playfield: Playfield, point: Point) -> (f64, f64) {
    let (x, y) = table::place_mm(playfield, point);
    (x, -y)
}

/// What is shown of the plate, as a `viewBox`: left, top, width, height in mm; the middle of the
/// playfield is the middle of the view.
pub fn view(surface: Surface) -> [f64; 4] {
    let (width, height) = match surface {
        // Played in the middle of the square playfield; the rest of it shows nothing.
        Surface::Game(Id::Glux2) => (344.0, 262.0),
        _ => match surface.board().playfield() {
            Playfield::Hex => (344.0, 380.0),
            Playfield::Square => (388.0, 388.0),
        },
    };
    [-width / 2.0, -height / 2.0, width, height]
}

/// All definitions, as one `<defs>`.
pub fn symbols() -> String {
    format!(
        "<defs>\n{}{}{}{}</defs>\n",
        board::SYMBOLS,
        light::symbols(),
        glyphs::symbols(),
        pieces::symbols()
    )
}

/// What stands on the board and how it is lit.
#[derive(Clone, Debug)]
pub struct Picture {
    surface: Surface,
    /// What stands on cells, as the notation writes it.
    piles: Vec<(Cell, String)>,
    /// What is held above a cell.
    held: Option<(Cell, String)>,
    halos: String,
}

impl Picture {
    /// An empty board.
    pub fn of(surface: Surface) -> Picture {
        Picture { surface, piles: Vec::new(), held: None, halos: String::new() }
    }

    /// A position as it stands on the table.
    pub fn position(position: &Position) -> Picture {
        let line = text::position(position);
        let board = position.board();
        let pile = |word: &str| {
            let (name, content) = word.split_once(':')?;
            Some((board.parse(name.as_bytes())?, content.to_string()))
        };
        let piles = line.split(' ').take_while(|&word| word != "|").filter_map(pile).collect();
        Picture { piles, ..Picture::of(Surface::Game(position.id())) }
    }

    /// What stands on a cell, bottom to top; empty when nothing does.
    pub fn at(&self, cell: Cell) -> &str {
        self.piles.iter().find(|(at, _)| *at == cell).map_or("", |(_, content)| content)
    }

    /// Puts something on a cell, instead of what stands there; nothing, when it is empty.
    pub fn put(&mut self, cell: Cell, content: &str) {
        self.piles.retain(|(at, _)| *at != cell);
        if !content.is_empty() {
            self.piles.push((cell, content.to_string()));
        }
    }

    /// Holds something above a cell.
    pub fn hold(&mut self, cell: Cell, content: &str) {
        self.held = Some((cell, content.to_string()));
    }

    /// The playfield that it lies on.
    pub fn playfield(&self) -> Playfield {
        self.surface.board().playfield()
    }

    /// Lights it.
    pub fn light(&mut self, frame: &Frame) {
        self.halos = halos(self.playfield(), frame);
    }

    /// The whole picture as an SVG document.
    pub fn svg(&self) -> String {
        let [x, y, width, height] = view(self.surface);
        format!(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='{x} {y} {width} {height}'>\n\
             {}{}<g class='lights' style='mix-blend-mode:screen'>\n{}</g>\n\
             <g class='pieces'>\n{}</g>\n</svg>\n",
            symbols(),
            board(self.surface),
            self.halos,
            self.pieces()
        )
    }

    /// The pieces, the ones behind first.
    fn pieces(&self) -> String {
        let Surface::Game(id) = self.surface else { return String::new() };
        let board = self.surface.board();
        let at = |cell: Cell| place(board.playfield(), board.point(cell));
        let mut piles: Vec<_> = self.piles.iter().map(|(c, content)| (at(*c), content)).collect();
        piles.sort_by(|((x1, y1), _), ((x2, y2), _)| y1.total_cmp(y2).then(x1.total_cmp(x2)));
        let group = |&((x, y), content): &((f64, f64), &String)| {
            let (x, y) = (Mm(x), Mm(y));
            format!("<g transform='translate({x} {y})'>{}</g>\n", pile(id, content))
        };
        let mut out: String = piles.iter().map(group).collect();
        if let Some((cell, content)) = &self.held {
            let (x, y) = at(*cell);
            out += &held(id, content, (x, y));
        }
        out
    }
}

/// A pile in the hand: raised and nearer to the eye, its shadow still where it came from.
fn held(id: Id, content: &str, (x, y): (f64, f64)) -> String {
    format!(
        "<use href='#shadow' transform='translate({} {}) scale(16)' opacity='.38'/>\
         <g transform='translate({} {}) scale(1.12)'>{}</g>\n",
        Mm(x + 3.0),
        Mm(y + 4.0),
        Mm(x - 6.0),
        Mm(y - 13.0),
        stack(id, content)
    )
}

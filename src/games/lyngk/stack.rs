//! Pieces, and stacks of them in one 32-bit word.

/// A colour that can be claimed. White is none (L3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Colour {
    /// `K`.
    Black,
    /// `B`.
    Blue,
    /// `G`.
    Green,
    /// `I`.
    Ivory,
    /// `R`.
    Red,
}

impl Colour {
    /// How many there are.
    pub const COUNT: usize = 5;
    /// In the order in which texts list them.
    pub const ALL: [Colour; Colour::COUNT] =
        [Colour::Black, Colour::Blue, Colour::Green, Colour::Ivory, Colour::Red];

    /// Its place in [`Colour::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// As texts write it.
    pub const fn letter(self) -> char {
        Piece::Coloured(self).letter()
    }

    /// The colour with this letter.
    pub fn from_letter(letter: u8) -> Option<Colour> {
        Colour::ALL.into_iter().find(|colour| colour.letter() == char::from(letter))
    }
}

/// A piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Piece {
    /// One of the five colours.
    Coloured(Colour),
    /// White; stands for any colour, and never moves alone (L3).
    Joker,
}

impl Piece {
    /// The kinds of pieces, in the order in which texts list them.
    pub const ALL: [Piece; 6] = [
        Piece::Coloured(Colour::Black),
        Piece::Coloured(Colour::Blue),
        Piece::Coloured(Colour::Green),
        Piece::Coloured(Colour::Ivory),
        Piece::Coloured(Colour::Red),
        Piece::Joker,
    ];

    /// As texts write it.
    pub const fn letter(self) -> char {
        const LETTERS: [char; 6] = ['K', 'B', 'G', 'I', 'R', 'W'];
        LETTERS[self.index()]
    }

    /// The piece with this letter.
    pub fn from_letter(letter: u8) -> Option<Piece> {
        Piece::ALL.into_iter().find(|piece| piece.letter() == char::from(letter))
    }

    /// Its place in [`Piece::ALL`].
    pub const fn index(self) -> usize {
        match self {
            Piece::Coloured(colour) => colour.index(),
            Piece::Joker => Colour::COUNT,
        }
    }
}

/// What stands on a cell: nothing, or up to six pieces.
///
/// ```text
///   bit 26..24   22..18        17..0
///       height   colours in it pieces, three bits each (1 + index), the lowest at the bottom
/// ```
///
/// Height and colours follow from the pieces; they are kept because every step asks for them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Stack(u32);

/// The most pieces any variant stacks (L27).
pub(super) const HEIGHT_MAX: u32 = 6;
const PIECE_BITS: u32 = 3;
const PIECE: u32 = (1 << PIECE_BITS) - 1;
const PIECES: u32 = (1 << (HEIGHT_MAX * PIECE_BITS)) - 1;
const COLOURS_SHIFT: u32 = HEIGHT_MAX * PIECE_BITS;
const COLOURS: u32 = (1 << Colour::COUNT) - 1;
const HEIGHT_SHIFT: u32 = 24;
const HEIGHT: u32 = 7;

impl Stack {
    /// No piece.
    pub const EMPTY: Stack = Stack(0);

    /// One piece.
    pub const fn single(piece: Piece) -> Stack {
        let colours = match piece {
            Piece::Coloured(colour) => 1 << colour.index(),
            Piece::Joker => 0,
        };
        Stack(1 << HEIGHT_SHIFT | colours << COLOURS_SHIFT | (piece.index() as u32 + 1))
    }

    /// Whether there is no piece.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many pieces it has.
    #[inline]
    pub const fn height(self) -> usize {
        (self.0 >> HEIGHT_SHIFT & HEIGHT) as usize
    }

    /// The colours in it, a bit for each.
    #[inline]
    pub(super) const fn colours(self) -> u32 {
        self.0 >> COLOURS_SHIFT & COLOURS
    }

    /// Whether this colour is in it.
    #[inline]
    pub const fn has(self, colour: Colour) -> bool {
        self.colours() & 1 << colour.index() != 0
    }

    /// Whether a colour of this stack is in the other too; jokers are no colour (L12).
    #[inline]
    pub const fn shares_colour(self, other: Stack) -> bool {
        self.colours() & other.colours() != 0
    }

    /// The piece on top, which decides whose stack it is (L9).
    #[inline]
    pub fn top(self) -> Option<Piece> {
        self.piece(self.height().checked_sub(1)?)
    }

    /// From bottom to top.
    pub fn pieces(self) -> impl Iterator<Item = Piece> {
        (0..self.height()).filter_map(move |level| self.piece(level))
    }

    /// The piece at a level, 0 at the bottom, below the height.
    #[inline]
    fn piece(self, level: usize) -> Option<Piece> {
        let code = (self.0 & PIECES) >> (level as u32 * PIECE_BITS) & PIECE;
        Piece::ALL.get((code as usize).wrapping_sub(1)).copied()
    }

    /// This stack as a whole on top of the other (L9). Both together have at most six pieces;
    /// with more the result has no meaning.
    #[inline]
    #[must_use]
    pub const fn put_on(self, below: Stack) -> Stack {
        let lift = below.height() as u32 * PIECE_BITS;
        let pieces = (self.0 & PIECES) << lift & PIECES | below.0 & PIECES;
        let colours = self.colours() | below.colours();
        let height = (self.height() + below.height()) as u32 & HEIGHT;
        Stack(height << HEIGHT_SHIFT | colours << COLOURS_SHIFT | pieces)
    }
}

//! Sets of points or cells as bit words.
//!
//! One 64-bit word serves GIPF, DVONN and LYNGK, two serve YINSH and the hex playfield, four serve
//! the square one. A set never shifts: single bits come from a table, because variable shifts of
//! long integers are calls on a Cortex-M0+.
//!
//! What the rules do all the time with one or two words is done in place. What the referee does
//! with four is a call on the chip: written out everywhere it would be a fifth of the image.

use core::marker::PhantomData;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Sub};

use super::{Cell, Point};

/// What a set holds: a newtype around a small index.
pub trait Index: Copy {
    /// Its place in the order of its kind.
    fn index(self) -> usize;
    /// The value with this index; only [`Set`] calls it, with indices it was given.
    fn from_index(index: usize) -> Self;
}

impl Index for Point {
    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }
    #[inline]
    fn from_index(index: usize) -> Point {
        Point(index as u8)
    }
}

impl Index for Cell {
    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }
    #[inline]
    fn from_index(index: usize) -> Cell {
        Cell(index as u8)
    }
}

/// Cells of a board of at most 64 `W` cells.
pub type Cells<const W: usize> = Set<Cell, W>;
/// Points of a playfield of at most 64 `W` points.
pub type Points<const W: usize> = Set<Point, W>;
/// Cells of any board.
pub type CellSet = Cells<4>;
/// Points of any playfield.
pub type PointSet = Points<4>;

/// A set of points or cells; iterates in their order.
pub struct Set<T, const W: usize> {
    words: [u64; W],
    of: PhantomData<T>,
}

/// Bit n of a word, without a 64-bit shift at run time.
const BIT: [u64; 64] = {
    let mut bits = [0; 64];
    let mut n = 0;
    while n < 64 {
        bits[n] = 1 << n;
        n += 1;
    }
    bits
};

/// From so many words on operations are calls.
const WIDE: usize = 3;

/// The number of the lowest bit that is set: a chip without an instruction for it needs a table.
#[cfg_attr(target_os = "none", inline(never))]
const fn lowest_bit(word: u64) -> usize {
    word.trailing_zeros() as usize
}

/// How many bits are set.
#[cfg_attr(target_os = "none", inline(never))]
const fn bit_count(word: u64) -> usize {
    word.count_ones() as usize
}

/// What is done with wide sets.
mod wide {
    macro_rules! by_word {
        ($($name:ident: |$a:ident, $b:ident| $word:expr;)*) => {
            $(#[cfg_attr(target_os = "none", inline(never))]
            pub(super) fn $name<const W: usize>(one: &[u64; W], other: &[u64; W]) -> [u64; W] {
                let mut words = [0; W];
                for w in 0..W {
                    let ($a, $b) = (one[w], other[w]);
                    words[w] = $word;
                }
                words
            })*
        };
    }
    by_word! {
        and: |a, b| a & b;
        or: |a, b| a | b;
        xor: |a, b| a ^ b;
        sub: |a, b| a & !b;
    }

    #[cfg_attr(target_os = "none", inline(never))]
    pub(super) const fn is_empty(words: &[u64]) -> bool {
        let (mut any, mut w) = (0, 0);
        while w < words.len() {
            any |= words[w];
            w += 1;
        }
        any == 0
    }

    #[cfg_attr(target_os = "none", inline(never))]
    pub(super) const fn has(words: &[u64], index: usize) -> bool {
        index / 64 < words.len() && words[index / 64] & super::BIT[index % 64] != 0
    }

    #[cfg_attr(target_os = "none", inline(never))]
    pub(super) fn take_lowest(words: &mut [u64]) -> Option<usize> {
        let (w, word) = words.iter_mut().enumerate().find(|(_, word)| **word != 0)?;
        let bit = super::lowest_bit(*word);
        *word &= *word - 1;
        Some(w * 64 + bit)
    }
}

impl<T, const W: usize> Set<T, W> {
    /// No member.
    pub const EMPTY: Self = Set { words: [0; W], of: PhantomData };

    /// The members 0..count.
    pub const fn first(count: usize) -> Self {
        let mut set = Self::EMPTY;
        let mut w = 0;
        while w < W && count > 64 * w {
            let rest = count - 64 * w;
            set.words[w] = if rest < 64 { BIT[rest] - 1 } else { u64::MAX };
            w += 1;
        }
        set
    }

    /// This set and the member with that index; for tables made at compile time.
    #[must_use]
    #[inline]
    pub const fn with_index(mut self, index: usize) -> Self {
        self.words[index / 64] |= BIT[index % 64];
        self
    }

    /// Whether the member with that index is in; for tables made at compile time.
    #[inline]
    pub const fn has_index(&self, index: usize) -> bool {
        if W >= WIDE {
            return wide::has(&self.words, index);
        }
        self.words[index / 64] & BIT[index % 64] != 0
    }

    /// Its words, lowest members first.
    #[inline]
    pub const fn words(&self) -> &[u64; W] {
        &self.words
    }

    /// A set from its words.
    #[inline]
    pub const fn from_words(words: [u64; W]) -> Self {
        Set { words, of: PhantomData }
    }

    /// Whether it has no member.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        if W >= WIDE {
            return wide::is_empty(&self.words);
        }
        let (mut any, mut w) = (0, 0);
        while w < W {
            any |= self.words[w];
            w += 1;
        }
        any == 0
    }

    /// How many members it has.
    #[inline]
    pub const fn len(&self) -> usize {
        let (mut count, mut w) = (0, 0);
        while w < W {
            count += bit_count(self.words[w]);
            w += 1;
        }
        count
    }

    /// The same members in a set for larger boards.
    #[inline]
    pub fn widen<const V: usize>(self) -> Set<T, V> {
        const { assert!(V >= W, "a set can only be widened") };
        let mut words = [0; V];
        words[..W].copy_from_slice(&self.words);
        Set { words, of: PhantomData }
    }
}

impl<T: Index, const W: usize> Set<T, W> {
    /// Just this member.
    #[inline]
    pub fn of(member: T) -> Self {
        Self::EMPTY.with_index(member.index())
    }

    /// Whether this is a member.
    #[inline]
    pub fn contains(&self, member: T) -> bool {
        self.has_index(member.index())
    }

    /// Takes a member in.
    #[inline]
    pub fn insert(&mut self, member: T) {
        self.words[member.index() / 64] |= BIT[member.index() % 64];
    }

    /// Takes a member out.
    #[inline]
    pub fn remove(&mut self, member: T) {
        self.words[member.index() / 64] &= !BIT[member.index() % 64];
    }

    /// The lowest member.
    #[inline]
    pub fn lowest(&self) -> Option<T> {
        let w = self.words.iter().position(|&word| word != 0)?;
        Some(T::from_index(w * 64 + lowest_bit(self.words[w])))
    }

    /// The highest member.
    #[inline]
    pub fn highest(&self) -> Option<T> {
        let w = self.words.iter().rposition(|&word| word != 0)?;
        Some(T::from_index(w * 64 + 63 - self.words[w].leading_zeros() as usize))
    }

    /// The members in order.
    #[inline]
    pub fn iter(self) -> Iter<T, W> {
        Iter(self)
    }
}

/// The members of a [`Set`] in order.
#[derive(Clone)]
pub struct Iter<T, const W: usize>(Set<T, W>);

impl<T: Index, const W: usize> Iterator for Iter<T, W> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        if W >= WIDE {
            return wide::take_lowest(&mut self.0.words).map(T::from_index);
        }
        for (w, word) in self.0.words.iter_mut().enumerate() {
            if *word != 0 {
                let bit = lowest_bit(*word);
                *word &= *word - 1;
                return Some(T::from_index(w * 64 + bit));
            }
        }
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.len();
        (len, Some(len))
    }
}

impl<T: Index, const W: usize> IntoIterator for Set<T, W> {
    type Item = T;
    type IntoIter = Iter<T, W>;

    fn into_iter(self) -> Iter<T, W> {
        self.iter()
    }
}

impl<T: Index, const W: usize> FromIterator<T> for Set<T, W> {
    fn from_iter<I: IntoIterator<Item = T>>(members: I) -> Self {
        let mut set = Self::EMPTY;
        members.into_iter().for_each(|member| set.insert(member));
        set
    }
}

/// Operators word by word; the last one is set difference.
macro_rules! operators {
    ($($operator:ident::$method:ident as $wide:ident: |$a:ident, $b:ident| $word:expr;)*) => {
        $(#[allow(clippy::suspicious_arithmetic_impl)] // a set difference is no sum
        impl<T, const W: usize> $operator for Set<T, W> {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                let words = if W >= WIDE {
                    wide::$wide(&self.words, &other.words)
                } else {
                    core::array::from_fn(|w| {
                        let ($a, $b) = (self.words[w], other.words[w]);
                        $word
                    })
                };
                Set { words, of: PhantomData }
            }
        })*
    };
}
operators! {
    BitAnd::bitand as and: |a, b| a & b;
    BitOr::bitor as or: |a, b| a | b;
    BitXor::bitxor as xor: |a, b| a ^ b;
    Sub::sub as sub: |a, b| a & !b;
}

impl<T, const W: usize> BitAndAssign for Set<T, W> {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl<T, const W: usize> BitOrAssign for Set<T, W> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl<T, const W: usize> BitXorAssign for Set<T, W> {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        *self = *self ^ other;
    }
}

// Derived impls would ask the same of T, which is only a marker.
impl<T, const W: usize> Clone for Set<T, W> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, const W: usize> Copy for Set<T, W> {}
impl<T, const W: usize> PartialEq for Set<T, W> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.words == other.words
    }
}
impl<T, const W: usize> Eq for Set<T, W> {}
impl<T, const W: usize> core::hash::Hash for Set<T, W> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.words.hash(state);
    }
}
impl<T, const W: usize> Default for Set<T, W> {
    fn default() -> Self {
        Self::EMPTY
    }
}
impl<T: Index + core::fmt::Debug, const W: usize> core::fmt::Debug for Set<T, W> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

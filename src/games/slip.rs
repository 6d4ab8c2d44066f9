//! Slips of the hand: what the rules forbid on the table, but no step can say.
//!
//! A step names what somebody wants; a hand can also split a stack, turn the wrong marker over
//! or place two pieces at once. The referee finds these; they carry rule numbers like every other refusal.

reasons! {
    /// What a hand did that no step can say.
    pub enum Slip {
        /// G2: two stacked basic pieces stand where a GIPF-piece, a taller body, belongs.
        StackedForGipfPiece = 'G' 2,
        /// G5: a piece was left on a dot.
        LeftOnDot = 'G' 5,
        /// G6: the pieces of the run were not moved by one spot each.
        RunNotMoved = 'G' 6,
        /// G9: a piece of the other's colour was brought in, or one was turned over.
        OtherColourPushed = 'G' 9,
        /// G14: a row was taken before its owner's time.
        RowBeforeItsTime = 'G' 14,
        /// Y2: something else than a ring was placed.
        NotARing = 'Y' 2,
        /// Y3: a marker was put beside the rings, or into one of the other's.
        MarkerOutsideRing = 'Y' 3,
        /// Y3: the marker lies with the other's colour up.
        MarkerWrongWayUp = 'Y' 3,
        /// Y3: the ring moved and left no marker.
        NoMarker = 'Y' 3,
        /// Y9: a marker was turned that was not jumped, or not turned though it was.
        WronglyTurned = 'Y' 9,
        /// Y13: more than five markers came off.
        MoreThanFive = 'Y' 13,
        /// D1: several pieces were placed at once.
        SeveralPlaced = 'D' 1,
        /// D2: a red piece where none is due, or another where a red one is.
        RedsComeFirst = 'D' 2,
        /// D6: part of a stack was moved.
        DvonnStackSplit = 'D' 6,
        /// D11: a stack was taken out that has contact.
        TakenInContact = 'D' 11,
        /// L5: the claim came after the move.
        ClaimAfterMove = 'L' 5,
        /// L9: part of a stack was moved.
        LyngkStackSplit = 'L' 9,
        /// L24: a neutral stack of five was taken off.
        NeutralFiveTaken = 'L' 24,
        /// X11: it was counted from a covered chip or another player's.
        CountedFromWrongChip = 'X' 11,
    }
}

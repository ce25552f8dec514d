//! The integer value of a finished game, the two sides that it is seen by, and intervals of it.

use std::fmt;
use std::ops::{Add, Neg, Not, Sub};

/// One of the two players: `First` makes the first move of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The side that moves first.
    First,
    /// The side that moves second.
    Second,
}

impl Side {
    /// Both sides, in order.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// 0 for `First`, 1 for `Second`.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }

    /// +1 for `First`, -1 for `Second`: turns a value for `First` into the side's own and back.
    #[inline]
    pub fn sign(self) -> i16 {
        1 - 2 * (self as i16)
    }
}

impl Not for Side {
    type Output = Side;

    #[inline]
    fn not(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

/// Result of a game in points, seen by `Side::First`: positive when `First` wins, 0 for a draw.
///
/// Connect Four: plus or minus (1 + half the free cells left after the winning stone, rounded down). Reversi: discs.
/// Dots and Boxes: boxes. -32768 is not used, so that every margin can be negated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Margin(pub i16);

impl Margin {
    /// A draw.
    pub const DRAW: Margin = Margin(0);

    /// This result from `side`'s own viewpoint: positive when `side` wins.
    #[inline]
    pub fn seen_by(self, side: Side) -> i16 {
        self.0 * side.sign()
    }

    /// The margin for `First` that `side` sees as `points`.
    #[inline]
    pub fn won_by(side: Side, points: i16) -> Margin {
        Margin(points * side.sign())
    }

    /// The side that won, or `None` for a draw.
    #[inline]
    pub fn winner(self) -> Option<Side> {
        match self.0.signum() {
            1 => Some(Side::First),
            -1 => Some(Side::Second),
            _ => None,
        }
    }
}

impl Neg for Margin {
    type Output = Margin;

    #[inline]
    fn neg(self) -> Margin {
        Margin(-self.0)
    }
}

impl Add for Margin {
    type Output = Margin;

    #[inline]
    fn add(self, other: Margin) -> Margin {
        Margin(self.0 + other.0)
    }
}

impl Sub for Margin {
    type Output = Margin;

    #[inline]
    fn sub(self, other: Margin) -> Margin {
        Margin(self.0 - other.0)
    }
}

impl fmt::Display for Margin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 { f.write_str("0") } else { write!(f, "{:+}", self.0) }
    }
}

/// A closed interval of margins, seen by `Side::First`, in which the result under best play is proven to lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// `First` gets at least this.
    pub lower: Margin,
    /// `First` gets at most this.
    pub upper: Margin,
}

impl Bounds {
    /// The interval from `lower` to `upper`, both included.
    #[inline]
    pub fn new(lower: Margin, upper: Margin) -> Bounds {
        debug_assert!(lower <= upper, "bounds the wrong way round: {lower} > {upper}");
        Bounds { lower, upper }
    }

    /// The interval that `side` sees as `lower ..= upper`: the reverse of [`seen_by`](Bounds::seen_by).
    #[inline]
    pub fn won_by(side: Side, lower: i16, upper: i16) -> Bounds {
        match side {
            Side::First => Bounds::new(Margin(lower), Margin(upper)),
            Side::Second => Bounds::new(Margin(-upper), Margin(-lower)),
        }
    }

    /// The intersection: the bounds that two proofs of one margin prove together.
    #[inline]
    pub fn and(self, other: Bounds) -> Bounds {
        Bounds::new(self.lower.max(other.lower), self.upper.min(other.upper))
    }

    /// The interval that holds only `margin`.
    #[inline]
    pub fn exact(margin: Margin) -> Bounds {
        Bounds { lower: margin, upper: margin }
    }

    /// Whether only one margin is left.
    #[inline]
    pub fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    /// Whether `margin` lies inside.
    #[inline]
    pub fn contains(self, margin: Margin) -> bool {
        self.lower <= margin && margin <= self.upper
    }

    /// This interval as `(lower, upper)` points from `side`'s own viewpoint.
    #[inline]
    pub fn seen_by(self, side: Side) -> (i16, i16) {
        match side {
            Side::First => (self.lower.0, self.upper.0),
            Side::Second => (-self.upper.0, -self.lower.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn viewpoints_are_mirror_images() {
        let margin = Margin(5);
        assert_eq!(margin.seen_by(Side::First), 5);
        assert_eq!(margin.seen_by(Side::Second), -5);
        assert_eq!(Margin::won_by(Side::Second, 3), Margin(-3));
        assert_eq!(Margin(-3).winner(), Some(Side::Second));
        let bounds = Bounds::new(Margin(-2), Margin(7));
        assert_eq!(bounds.seen_by(Side::Second), (-7, 2));
        assert_eq!(Bounds::won_by(Side::Second, -7, 2), bounds);
        assert_eq!(Bounds::won_by(Side::First, -2, 7), bounds);
        assert_eq!(bounds.and(Bounds::new(Margin(0), Margin(9))), Bounds::new(Margin(0), Margin(7)));
    }
}

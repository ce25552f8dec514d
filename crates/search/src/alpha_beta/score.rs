//! Scores, search windows and search results.
//!
//! Scores are points from the current position on, seen by the side to move, so that positions reached with different
//! scores share an entry; a move adds the points it scores. Where the same side moves again (an extra turn), the window
//! is not negated.

use banyan_core::{Bounds, Margin, Side};

/// Larger than any score; its negative is smaller than any.
pub(super) const INFINITE: i32 = i32::MAX / 2;

/// An open interval of scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    /// A null window, which tests whether a score exceeds `alpha`.
    pub(super) fn null(alpha: i32) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// The window as the next mover sees it after `gain` points for the mover.
    #[inline(always)]
    pub(super) fn after(self, gain: i32, turned: bool) -> Window {
        if turned {
            Window { alpha: gain - self.beta, beta: gain - self.alpha }
        } else {
            Window { alpha: self.alpha - gain, beta: self.beta - gain }
        }
    }
}

/// A failed window is widened by this factor, and the second time to infinity. Guess, untuned.
pub(super) const WIDEN: i32 = 4;

/// How far a window reaches after it failed; `first` is how far it reached at first.
pub(super) fn widened(reach: i32, first: i32) -> i32 {
    if reach == first { first.saturating_mul(WIDEN) } else { INFINITE }
}

/// A score; whether it is a bound follows from the window of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SearchResult {
    pub(super) score: i32,
    /// Whether no horizon cut the search, so that it holds at any depth.
    pub(super) full: bool,
}

impl SearchResult {
    /// The result of a second search after the first returned at least `tested`. If they contradict each other (the
    /// table has changed in between), the score is a bound from the other side and proves nothing.
    #[inline(always)]
    pub(super) fn confirming(self, tested: SearchResult) -> SearchResult {
        SearchResult { full: self.full && self.score >= tested.score, ..self }
    }

    /// The result of a stopped search, which is not used.
    pub(super) const NOTHING: SearchResult = SearchResult { score: 0, full: false };
}

/// The best move so far.
pub(super) struct Best<M> {
    pub(super) score: i32,
    pub(super) full: bool,
    /// The move, and the key of its child.
    pub(super) child: Option<(M, u64)>,
}

/// Bounds of the final margin as scores from `scored` on, seen by `mover`, where a point is `unit`.
#[inline(always)]
pub(super) fn relative_scores(bounds: Bounds, scored: Margin, mover: Side, unit: i32) -> (i32, i32) {
    let score = |margin: Margin| (i32::from(margin.0) - i32::from(scored.0)) * unit * i32::from(mover.sign());
    let (one, other) = (score(bounds.lower), score(bounds.upper));
    (one.min(other), one.max(other))
}

//! Many playouts, two at a time, which hides the latency of finding threats.

use banyan_core::{Bounds, Game, Playout, Rng};

use super::layout::BoardLayout;
use super::threat_playout::Line;
use super::{ConnectFour, Grid, State};

/// A source of games. (A closure might not be compiled for the same instruction set.)
pub(super) trait Supply<C> {
    /// The next game, if there is one. Positions with exact bounds are skipped, with their result written to `out`.
    fn next(&mut self, out: &mut [Playout]) -> Option<(QueuedState, Line<C>)>;
}

/// A position of the queue that is being played out.
#[derive(Clone, Copy)]
pub(super) struct QueuedState {
    /// Its index in the queue.
    pub(super) index: usize,
    /// Its bounds by the rules.
    pub(super) bounds: Bounds,
}

impl QueuedState {
    /// The state `index` of the queue; `None` if its bounds are exact, with the result written to `out`.
    #[inline(always)]
    pub(super) fn of<B: Grid>(
        game: &ConnectFour<B>,
        index: usize,
        state: &State<B>,
        out: &mut [Playout],
    ) -> Option<QueuedState> {
        let bounds = game.bounds(state);
        if bounds.is_exact() {
            out[index] = Playout::new(bounds.lower, bounds);
            return None;
        }
        Some(QueuedState { index, bounds })
    }
}

impl<B: Grid> ConnectFour<B> {
    /// Plays out all games of `games` by all rules, and writes the results to `out`.
    #[inline(always)]
    pub(super) fn play_pairs<V: BoardLayout<B>>(
        &self,
        layout: &V,
        mut games: impl Supply<V::Cells>,
        out: &mut [Playout],
        rng: &mut Rng,
    ) {
        let mut draws = rng.clone();
        let mut pair = [games.next(out), games.next(out)];
        while let [Some((_, one)), Some((_, two))] = &mut pair {
            let first = self.advance(layout, one, &|_| true, &mut draws);
            let second = self.advance(layout, two, &|_| true, &mut draws);
            for (i, end) in [first, second].into_iter().enumerate() {
                if let (Some((queued, line)), Some(margin)) = (&pair[i], end) {
                    out[queued.index] = line.proves(margin, queued.bounds);
                    pair[i] = games.next(out);
                }
            }
        }
        for (queued, mut line) in pair.into_iter().flatten() {
            let margin = self.finish(layout, &mut line, |_| true, &mut draws);
            out[queued.index] = line.proves(margin, queued.bounds);
        }
        *rng = draws;
    }
}

//! Many playouts, two at a time: while one waits for its threats the other moves on.

use banyan_core::{Bounds, Game, Playout, Rng};

use super::layout::BoardLayout;
use super::threat_playout::Line;
use super::{ConnectFour, Grid, State};

/// Where the games come from. (A closure might not be compiled for the same processor.)
pub(super) trait Supply<C> {
    /// The next game, if there is one. Positions whose bounds are their result are written to `out` and passed over.
    fn next(&mut self, out: &mut [Playout]) -> Option<(Seat, Line<C>)>;
}

/// A position that is played out.
#[derive(Clone, Copy)]
pub(super) struct Seat {
    /// Its number.
    pub(super) index: usize,
    /// Its bounds.
    pub(super) bounds: Bounds,
}

impl Seat {
    /// State number `index`, unless its bounds are its result, which is written to `out` then.
    #[inline(always)]
    pub(super) fn of<B: Grid>(
        game: &ConnectFour<B>,
        index: usize,
        state: &State<B>,
        out: &mut [Playout],
    ) -> Option<Seat> {
        let bounds = game.bounds(state);
        if bounds.is_exact() {
            out[index] = Playout::new(bounds.lower, bounds);
            return None;
        }
        Some(Seat { index, bounds })
    }
}

impl<B: Grid> ConnectFour<B> {
    /// Plays out by all rules what there is, and writes the results to `out`.
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
                if let (Some((seat, line)), Some(margin)) = (&pair[i], end) {
                    out[seat.index] = line.proves(margin, seat.bounds);
                    pair[i] = games.next(out);
                }
            }
        }
        for (seat, mut line) in pair.into_iter().flatten() {
            let margin = self.finish(layout, &mut line, |_| true, &mut draws);
            out[seat.index] = line.proves(margin, seat.bounds);
        }
        *rng = draws;
    }
}

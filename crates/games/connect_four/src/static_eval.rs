//! Static evaluation: cells that complete a four, and the side that will play on them.
//!
//! A move below a cell on which the other side wins loses. Once the rest of the board is full a side must play one, and
//! which side gets a cell then follows from parity (Allis 1988, A Knowledge-Based Approach of Connect-Four, chapter 3;
//! on 6x7 odd rows go to the first side, even rows to the second).

use banyan_core::{FINE, Game, Side};

use super::{ConnectFour, Grid, State};

/// Bound of the evaluation, so that the smallest proven win, a whole point, exceeds any evaluation.
pub(super) const MOST: i32 = FINE - 1;

/// Weight of a cell that decides its column by parity, on an empty and on a full board. In these units, also those of
/// the following weights, 32 is an expected result of tanh 1; tuned by logistic regression on 25 000 positions of
/// self-play between Monte Carlo searches of 500 playouts on 6x7, 5x7 and 9x10 with a hole, and rounded.
const DECISIVE: [i32; 2] = [10, 42];
/// Weight of any other free cell that completes a four.
const COMPLETION: i32 = 3;
/// Weight of four cells in a line with two stones or more and no enemy stone.
const PAIR: i32 = 2;
/// Weight of four cells in a line without an enemy stone.
const LINE: i32 = 1;
/// Weight of the right to move.
const TEMPO: i32 = 6;

/// The scale of the evaluation, see [`Knowledge::eval_scale`](banyan_core::Knowledge::eval_scale).
pub(super) const SCALE: i32 = 32;

impl<B: Grid> ConnectFour<B> {
    /// The static evaluation for `First`; less than a point either way.
    pub(super) fn static_points(&self, state: &State<B>) -> i32 {
        let mover = self.to_move(state);
        let others = self.others(state);
        let (first, second) = if mover == Side::First { (state.own, others) } else { (others, state.own) };
        let free = self.valid.and_not(state.filled);
        let wins = [first, second].map(|stones| self.completions(stones).and(free));
        let landing = self.landing(state.filled);
        let sign = i32::from(mover.sign());
        if !wins[mover.index()].and(landing).is_empty() {
            return sign * MOST;
        }
        if wins[(!mover).index()].and(landing).count() > 1 {
            return -sign * MOST;
        }
        let lines = self.line_points(first, free) - self.line_points(second, free);
        let points = self.column_points(state, wins) + lines + sign * TEMPO;
        points.clamp(-MOST, MOST)
    }

    /// Points for cells that complete a four, given by side, seen by `First`: in each column the lowest one that its
    /// side gets by parity decides.
    #[inline(always)]
    fn column_points(&self, state: &State<B>, [first, second]: [B; 2]) -> i32 {
        let (kept_first, kept_second) = (first.and(self.late_first), second.and_not(self.late_first));
        let kept = kept_first.or(kept_second);
        // In each column a carry runs through the cells below the lowest of these and ends in it.
        let lowest = self.board.and_not(kept).plus(self.bottom).and(kept);
        let (deciding_first, deciding_second) = (kept_first.and(lowest), kept_second.and(lowest));
        let [early, late] = DECISIVE;
        let decisive = early + (late - early) * i32::from(state.ply) / i32::from(self.cells);
        let difference = |a: B, b: B| a.count() as i32 - b.count() as i32;
        let n_decisive = difference(deciding_first, deciding_second);
        decisive * n_decisive + COMPLETION * (difference(first, second) - n_decisive)
    }

    /// Points for the lines that a side can still complete.
    #[inline(always)]
    fn line_points(&self, stones: B, free: B) -> i32 {
        let room = stones.or(free);
        let points = self.steps.0.map(|step| {
            let line = lines_of(room, step as u32);
            LINE * line.count() as i32 + PAIR * line.and(pairs_of(stones, step as u32)).count() as i32
        });
        points.iter().sum()
    }

    /// The lines with two stones or more that a side can still complete.
    #[inline(always)]
    pub(super) fn open_pairs(&self, stones: B, free: B) -> u32 {
        let room = stones.or(free);
        let counts = self.steps.0.map(|step| lines_of(room, step as u32).and(pairs_of(stones, step as u32)).count());
        counts.iter().sum()
    }

    /// Ordering score of the move from `before` to `after`: a win, then a block, then new threats, each above any
    /// centrality.
    pub(super) fn order_score(&self, before: &State<B>, after: &State<B>, centrality: u8) -> i32 {
        if after.won {
            return 1 << 16;
        }
        let stone = after.filled.and_not(before.filled);
        let blocks = !self.completions(self.others(before)).and(stone).is_empty();
        let open = self.completions(self.others(after)).and_not(after.filled).count();
        i32::from(centrality) + 32 * open as i32 + (i32::from(blocks) << 12)
    }
}

/// The first cells of all fours in a line in the direction `step` of which two or more have stones.
#[inline(always)]
fn pairs_of<B: Grid>(stones: B, step: u32) -> B {
    let [a, b, c, d]: [B; 4] = std::array::from_fn(|i| stones.down(i as u32 * step));
    a.and(b).or(c.and(d)).or(a.or(b).and(c.or(d)))
}

/// The first cells of all fours in a line within `room`, in the direction `step`. None crosses into the next column,
/// since `room` never has the spare bit on top of a column.
#[inline(always)]
pub(super) fn lines_of<B: Grid>(room: B, step: u32) -> B {
    let pairs = room.and(room.down(step));
    pairs.and(pairs.down(2 * step))
}

//! Batches of `threat` playouts: states wait in a queue until a lane is free.

use std::iter::Enumerate;
use std::slice::Iter;

use banyan_bits::cpu::U16x16;
use banyan_core::{Bounds, Margin, Playout, Rng};

use super::lanes::{Boards, COLUMNS, Columns, Ends, GAMES, MARGIN, PerGame, SideBoards};
use super::layout::{BoardLayout, ColumnLayout, WordLayout, prefers_columns_in_pairs};
use super::pairs::{QueuedState, Supply};
use super::random::Streams;
use super::threat_playout::Line;
use super::{ConnectFour, Grid, State};

/// Fewest states for which lanes are faster, on 6x7 compared with single playouts. On 12x12 with a hole (Intel Xeon,
/// AVX-512) a playout alone makes 1.47 M playouts/s, pairs 1.8 M from 8 states at once, lanes 2.4 M from 12, 2.9 M from
/// 16, 3.8 M from 64 and 4.2 M from 1024.
const LANES_FROM: usize = 10;

/// Fewest states for which a queue is faster than single playouts; on words of 64 bits pairs gain nothing.
pub(super) const fn min_batch<B: Grid>() -> usize {
    if B::WIDTH > 64 { 2 } else { LANES_FROM }
}

/// With at most this many games left in lanes and an empty queue, pairs are faster: 1.07 times as many playouts/s from
/// 64 states, 1.37 from 16.
const FEW: usize = 4;

/// States to be played out.
pub(super) struct Queue<'a, B: Grid> {
    pub(super) game: &'a ConnectFour<B>,
    pub(super) states: &'a [State<B>],
    pub(super) rng: &'a mut Rng,
    /// `[states.len()]`
    pub(super) out: &'a mut [Playout],
}

/// Plays out all states, compiled for AVX-512. (Measured: 1.15 times as many `threat` Connect Four playouts in lanes.)
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi2")]
fn play_out_wide<B: Grid>(queue: Queue<'_, B>) {
    queue.play_out_inlined();
}

impl<B: Grid> Queue<'_, B> {
    /// Plays out all states.
    pub(super) fn play_out(self) {
        #[cfg(target_arch = "x86_64")]
        if banyan_bits::cpu::has_avx512() {
            // SAFETY: `has_avx512` has detected every feature that the function is compiled for.
            return unsafe { play_out_wide(self) };
        }
        self.play_out_inlined();
    }

    #[inline(always)]
    fn play_out_inlined(self) {
        // A constant, so that the other layout is not compiled.
        if const { prefers_columns_in_pairs::<B>() } {
            let layout = ColumnLayout::new(&self.game.packing);
            self.play_out_in(&layout);
        } else {
            let layout = WordLayout { game: self.game };
            self.play_out_in(&layout);
        }
    }

    #[inline(always)]
    fn play_out_in<V: BoardLayout<B>>(self, layout: &V) {
        if self.states.len() >= LANES_FROM {
            let mut table = LaneTable::new(self);
            while table.n_playing > FEW {
                table.step();
            }
            let (game, mut draws) = (table.queue.game, table.queue.rng.clone());
            let out = std::mem::take(&mut table.queue.out);
            game.play_pairs(layout, RemainingGames { table: &table, layout, lane: 0 }, out, &mut draws);
            *table.queue.rng = draws;
            return;
        }
        let Queue { game, states, rng, out } = self;
        game.play_pairs(layout, NextStates { game, layout, states: states.iter().enumerate() }, out, rng);
    }
}

/// The states of the queue in order.
struct NextStates<'a, B, V> {
    game: &'a ConnectFour<B>,
    layout: &'a V,
    states: Enumerate<Iter<'a, State<B>>>,
}

impl<B: Grid, V: BoardLayout<B>> Supply<V::Cells> for NextStates<'_, B, V> {
    #[inline(always)]
    fn next(&mut self, out: &mut [Playout]) -> Option<(QueuedState, Line<V::Cells>)> {
        loop {
            let (index, state) = self.states.next()?;
            if let Some(queued) = QueuedState::of(self.game, index, state, out) {
                return Some((queued, Line::new::<B, V>(self.layout, self.layout.load(state), state.ply, 0)));
            }
        }
    }
}

/// The running games, one per lane.
struct LaneTable<'a, B: Grid> {
    queue: Queue<'a, B>,
    /// The next state of the queue.
    next: usize,
    n_playing: usize,
    streams: Streams,
    /// Side of `sides` that is to move in every game.
    sides: [SideBoards; 2],
    turn: usize,
    boards: Boards,
    ply: PerGame,
    /// Mask: games that neither move nor end in this step.
    idle: PerGame,
    /// Mask: lanes without a game.
    vacant: PerGame,
    queued: [QueuedState; GAMES],
}

impl<'a, B: Grid> LaneTable<'a, B> {
    #[inline(always)]
    fn new(queue: Queue<'a, B>) -> LaneTable<'a, B> {
        let mut table = LaneTable {
            next: 0,
            n_playing: GAMES,
            streams: Streams::new(queue.rng),
            queue,
            sides: [SideBoards::EMPTY, SideBoards::EMPTY],
            turn: 0,
            boards: Boards::EMPTY,
            ply: PerGame::ZERO,
            idle: PerGame::ZERO,
            vacant: PerGame::ZERO,
            queued: [QueuedState { index: 0, bounds: Bounds::exact(Margin::DRAW) }; GAMES],
        };
        for lane in 0..GAMES {
            table.refill(lane);
        }
        let columns = &table.queue.game.by_column;
        table.sides.iter_mut().for_each(|side| side.complete(columns));
        table.idle = table.vacant;
        table
    }

    /// Plays one move in every running game; lanes whose game is over load the next state.
    #[inline(always)]
    fn step(&mut self) {
        let columns: &Columns = &self.queue.game.by_column;
        let [first, second] = &mut self.sides;
        let sides = if self.turn == 0 { [first, second] } else { [second, first] };
        let ends = self.boards.step(columns, sides, &self.streams.next(), &self.idle);
        for g in 0..GAMES {
            self.ply[g] += 1 & !self.idle[g];
        }
        self.idle = self.vacant;
        let ended = U16x16::from_array(&ends.ended.0);
        let ended = ended.meets(ended);
        if ended != 0 {
            self.end(ended, &ends);
        }
        self.sides[self.turn].complete(&self.queue.game.by_column);
        self.turn ^= 1;
    }

    /// Writes the results of the finished games in `lanes`, a bit mask, and refills these lanes. Not inlined, as few
    /// steps end a game.
    #[inline(never)]
    fn end(&mut self, mut lanes: u32, ends: &Ends) {
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize;
            lanes &= lanes - 1;
            // The step has already counted a ply.
            let ply = self.ply[lane] - 1;
            let is_odd = usize::from(!ply.is_multiple_of(2));
            let (plies, first_wins) = match (ends.win[lane] != 0, ends.no_move[lane] != 0) {
                (true, _) => (1, is_odd == 0),
                (false, true) => (2, is_odd == 1),
                (false, false) => (3, is_odd == 0),
            };
            let game = self.queue.game;
            let points = if ply == game.cells { 0 } else { game.points_at(ply + plies) };
            let margin = Margin(if first_wins { points } else { -points });
            let [first, second] = [self.turn ^ is_odd, self.turn ^ is_odd ^ 1];
            let QueuedState { index, bounds } = self.queued[lane];
            let lower = if self.sides[second].chose[lane] != 0 { bounds.lower } else { margin };
            let upper = if self.sides[first].chose[lane] != 0 { bounds.upper } else { margin };
            self.queue.out[index] = Playout::new(margin, Bounds { lower, upper });
            self.refill(lane);
        }
    }

    /// Loads the next state without exact bounds into a lane. Its side to move becomes the side that moved in this
    /// step: after one idle step the winning cells of both sides are computed and it is that side's turn.
    #[inline(always)]
    fn refill(&mut self, lane: usize) {
        self.idle[lane] = u16::MAX;
        while let Some(state) = self.queue.states.get(self.next) {
            let index = self.next;
            self.next += 1;
            if let Some(queued) = QueuedState::of(self.queue.game, index, state, self.queue.out) {
                self.queued[lane] = queued;
                self.load(lane, state);
                return;
            }
        }
        self.n_playing -= 1;
        self.vacant[lane] = u16::MAX;
    }

    #[inline(always)]
    fn load(&mut self, lane: usize, state: &State<B>) {
        let game = self.queue.game;
        let [first, second] = &mut self.sides;
        let [mover, other] = if self.turn == 0 { [first, second] } else { [second, first] };
        let [own, enemy, filled] = game.packing.unpack(state.own, state.filled);
        for four in 0..game.by_column.n.div_ceil(4) {
            let [mut own, mut enemy, mut filled] = [own[four], enemy[four], filled[four]];
            for c in 4 * four..4 * four + 4 {
                self.boards.filled[c][lane] = filled as u16;
                mover.stones[MARGIN + c][lane] = own as u16;
                other.stones[MARGIN + c][lane] = enemy as u16;
                (filled, own, enemy) = (filled >> 16, own >> 16, enemy >> 16);
            }
        }
        mover.chose[lane] = 0;
        other.chose[lane] = 0;
        self.ply[lane] = state.ply;
    }
}

/// The games still running in the lanes from `lane` on.
struct RemainingGames<'a, B: Grid, V> {
    table: &'a LaneTable<'a, B>,
    layout: &'a V,
    lane: usize,
}

impl<B: Grid, V: BoardLayout<B>> Supply<V::Cells> for RemainingGames<'_, B, V> {
    #[inline(always)]
    fn next(&mut self, out: &mut [Playout]) -> Option<(QueuedState, Line<V::Cells>)> {
        loop {
            let lane = (self.lane..GAMES).find(|&lane| self.table.vacant[lane] == 0)?;
            self.lane = lane + 1;
            let (queued, line) = (self.table.queued[lane], self.line(lane));
            // A step of the lanes does not test whether the board is full.
            if self.table.ply[lane] < self.table.queue.game.cells {
                return Some((queued, line));
            }
            out[queued.index] = line.proves(Margin::DRAW, queued.bounds);
        }
    }
}

impl<B: Grid, V: BoardLayout<B>> RemainingGames<'_, B, V> {
    /// The game of a lane.
    #[inline(always)]
    fn line(&self, lane: usize) -> Line<V::Cells> {
        let LaneTable { turn, sides, boards, ply, idle, .. } = self.table;
        // A lane that was just refilled is idle for one step.
        let mover = turn ^ usize::from(idle[lane] & 1);
        let [mover, other] = [&sides[mover], &sides[mover ^ 1]];
        let (mut own, mut enemy, mut filled) = ([0; COLUMNS], [0; COLUMNS], [0; COLUMNS]);
        for c in 0..COLUMNS {
            own[c] = mover.stones[MARGIN + c][lane];
            enemy[c] = other.stones[MARGIN + c][lane];
            filled[c] = boards.filled[c][lane];
        }
        let cells = [self.layout.store(&own), self.layout.store(&enemy), self.layout.store(&filled)];
        let is_odd = ply[lane] % 2;
        let chose = u32::from(mover.chose[lane] & 1) << is_odd | u32::from(other.chose[lane] & 1) << (is_odd ^ 1);
        Line::new::<B, V>(self.layout, cells, ply[lane], chose)
    }
}

#[cfg(test)]
mod tests {
    use banyan_core::Game;

    use super::super::Shape;
    use super::*;

    #[test]
    fn wide_vectors_give_the_same_results() {
        let shape = Shape::parse("9x10,hole=c4,hole=h1").expect("a board");
        let game = ConnectFour::<u128>::new(shape);
        let states = [game.start(); 500];
        let results = |play_out: for<'a> fn(Queue<'a, u128>)| {
            let mut out = vec![Playout::new(Margin(99), Bounds::exact(Margin(99))); states.len()];
            play_out(Queue { game: &game, states: &states, rng: &mut Rng::new(4), out: &mut out });
            out
        };
        let (narrow, wide) = (results(|queue| queue.play_out_inlined()), results(|queue| queue.play_out()));
        assert_eq!(narrow, wide);
    }
}

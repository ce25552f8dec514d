//! Many `threat` playouts at once: states wait in a queue until a lane's game is over.

use std::iter::Enumerate;
use std::slice::Iter;

use banyan_core::cpu::{U16x16, has_avx512};
use banyan_core::{Bounds, Margin, Playout, Rng};

use super::lanes::{Boards, COLUMNS, Camp, Columns, Ends, GAMES, MARGIN, PerGame};
use super::layout::{BoardLayout, ColumnLayout, WordLayout, sees_columns_in_pairs};
use super::pairs::{Seat, Supply};
use super::random::Streams;
use super::threat_playout::Line;
use super::{ConnectFour, Grid, State};

/// From so many states on lanes are quicker, on 6x7 than one playout after another. On 12x12 with a hole (Intel Xeon,
/// AVX-512) a playout alone makes 1.47 M playouts/s, pairs 1.8 M from 8 states at once, lanes 2.4 M from 12, 2.9 M from
/// 16, 3.8 M from 64 and 4.2 M from 1024.
const LANES_FROM: usize = 10;

/// From so many states on a queue is quicker than one playout after another: two at a time gain nothing by words.
pub(super) const fn worthwhile<B: Grid>() -> usize {
    if B::WIDTH > 64 { 2 } else { LANES_FROM }
}

/// With so few games left in lanes, which no others follow, pairs are quicker: with it 1.07 times as many playouts/s
/// from 64 states, 1.37 from 16.
const FEW: usize = 4;

/// States to be played out.
pub(super) struct Queue<'a, B: Grid> {
    pub(super) game: &'a ConnectFour<B>,
    pub(super) states: &'a [State<B>],
    pub(super) rng: &'a mut Rng,
    /// `[states]`
    pub(super) out: &'a mut [Playout],
}

/// Plays out all states in a function of its own that is compiled for AVX-512 too. (Measured: 1.15 times as many `threat`
/// Connect Four playouts in lanes.)
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi2")]
fn play_out_wide<B: Grid>(queue: Queue<'_, B>) {
    queue.play_out_here();
}

impl<B: Grid> Queue<'_, B> {
    /// Plays out all states.
    pub(super) fn play_out(self) {
        #[cfg(target_arch = "x86_64")]
        if has_avx512() {
            // SAFETY: every feature the function is compiled for has just been found.
            return unsafe { play_out_wide(self) };
        }
        self.play_out_here();
    }

    #[inline(always)]
    fn play_out_here(self) {
        if sees_columns_in_pairs::<B>() {
            let layout = ColumnLayout::new(&self.game.dealing);
            self.play_out_as_seen(&layout);
        } else {
            let layout = WordLayout { game: self.game };
            self.play_out_as_seen(&layout);
        }
    }

    #[inline(always)]
    fn play_out_as_seen<V: BoardLayout<B>>(self, layout: &V) {
        if self.states.len() >= LANES_FROM {
            let mut table = LaneTable::new(self);
            while table.n_playing > FEW {
                table.step();
            }
            let (game, mut draws) = (table.queue.game, table.queue.rng.clone());
            let out = std::mem::take(&mut table.queue.out);
            game.play_pairs(layout, Left { table: &table, layout, lane: 0 }, out, &mut draws);
            *table.queue.rng = draws;
            return;
        }
        let Queue { game, states, rng, out } = self;
        game.play_pairs(layout, Begun { game, layout, states: states.iter().enumerate() }, out, rng);
    }
}

/// States one after another.
struct Begun<'a, B, V> {
    game: &'a ConnectFour<B>,
    layout: &'a V,
    states: Enumerate<Iter<'a, State<B>>>,
}

impl<B: Grid, V: BoardLayout<B>> Supply<V::Cells> for Begun<'_, B, V> {
    #[inline(always)]
    fn next(&mut self, out: &mut [Playout]) -> Option<(Seat, Line<V::Cells>)> {
        loop {
            let (index, state) = self.states.next()?;
            if let Some(seat) = Seat::of(self.game, index, state, out) {
                return Some((seat, Line::new::<B, V>(self.layout, self.layout.deal(state), state.ply, 0)));
            }
        }
    }
}

/// The games in play.
struct LaneTable<'a, B: Grid> {
    queue: Queue<'a, B>,
    /// The next state of the queue.
    next: usize,
    n_playing: usize,
    streams: Streams,
    /// Camp `turn` is to move in every game.
    camps: [Camp; 2],
    turn: usize,
    boards: Boards,
    ply: PerGame,
    /// Mask: games that neither move nor end in this step.
    idle: PerGame,
    /// Mask: lanes without a game.
    parked: PerGame,
    seats: [Seat; GAMES],
}

impl<'a, B: Grid> LaneTable<'a, B> {
    #[inline(always)]
    fn new(queue: Queue<'a, B>) -> LaneTable<'a, B> {
        let mut table = LaneTable {
            next: 0,
            n_playing: GAMES,
            streams: Streams::new(queue.rng),
            queue,
            camps: [Camp::EMPTY, Camp::EMPTY],
            turn: 0,
            boards: Boards::EMPTY,
            ply: PerGame::ZERO,
            idle: PerGame::ZERO,
            parked: PerGame::ZERO,
            seats: [Seat { index: 0, bounds: Bounds::exact(Margin::DRAW) }; GAMES],
        };
        for lane in 0..GAMES {
            table.refill(lane);
        }
        let columns = &table.queue.game.by_column;
        table.camps.iter_mut().for_each(|camp| camp.complete(columns));
        table.idle = table.parked;
        table
    }

    /// One move in every game that goes on; in the lanes of those that are over the next states are laid out.
    #[inline(always)]
    fn step(&mut self) {
        let columns: &Columns = &self.queue.game.by_column;
        let [first, second] = &mut self.camps;
        let camps = if self.turn == 0 { [first, second] } else { [second, first] };
        let ends = self.boards.step(columns, camps, &self.streams.next(), &self.idle);
        for g in 0..GAMES {
            self.ply[g] += 1 & !self.idle[g];
        }
        self.idle = self.parked;
        let ended = U16x16::from_array(&ends.ended.0);
        let ended = ended.meets(ended);
        if ended != 0 {
            self.end(ended, &ends);
        }
        self.camps[self.turn].complete(&self.queue.game.by_column);
        self.turn ^= 1;
    }

    /// Writes down the games of some `lanes`, a bit each, that are over, and takes up others. A step seldom ends games, so
    /// this code is not among that of the steps.
    #[inline(never)]
    fn end(&mut self, mut lanes: u32, ends: &Ends) {
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize;
            lanes &= lanes - 1;
            // The step has counted a ply.
            let ply = self.ply[lane] - 1;
            let is_odd = usize::from(!ply.is_multiple_of(2));
            let (plies, first_wins) = match (ends.win[lane] != 0, ends.stuck[lane] != 0) {
                (true, _) => (1, is_odd == 0),
                (false, true) => (2, is_odd == 1),
                (false, false) => (3, is_odd == 0),
            };
            let game = self.queue.game;
            let points = if ply == game.cells { 0 } else { game.points_at(ply + plies) };
            let margin = Margin(if first_wins { points } else { -points });
            let [first, second] = [self.turn ^ is_odd, self.turn ^ is_odd ^ 1];
            let Seat { index, bounds } = self.seats[lane];
            let lower = if self.camps[second].chose[lane] != 0 { bounds.lower } else { margin };
            let upper = if self.camps[first].chose[lane] != 0 { bounds.upper } else { margin };
            self.queue.out[index] = Playout::new(margin, Bounds { lower, upper });
            self.refill(lane);
        }
    }

    /// Puts the next state that is not settled into a lane. Its side to move becomes the camp that moved in this step:
    /// by the time the wins of both camps have been found, after one idle step, it is its turn.
    #[inline(always)]
    fn refill(&mut self, lane: usize) {
        self.idle[lane] = u16::MAX;
        while let Some(state) = self.queue.states.get(self.next) {
            let index = self.next;
            self.next += 1;
            if let Some(seat) = Seat::of(self.queue.game, index, state, self.queue.out) {
                self.seats[lane] = seat;
                self.lay_out(lane, state);
                return;
            }
        }
        self.n_playing -= 1;
        self.parked[lane] = u16::MAX;
    }

    #[inline(always)]
    fn lay_out(&mut self, lane: usize, state: &State<B>) {
        let game = self.queue.game;
        let [first, second] = &mut self.camps;
        let [mover, other] = if self.turn == 0 { [first, second] } else { [second, first] };
        let [own, enemy, filled] = game.dealing.deal(state);
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

/// The games that are left on a table, from lane `lane` on.
struct Left<'a, B: Grid, V> {
    table: &'a LaneTable<'a, B>,
    layout: &'a V,
    lane: usize,
}

impl<B: Grid, V: BoardLayout<B>> Supply<V::Cells> for Left<'_, B, V> {
    #[inline(always)]
    fn next(&mut self, out: &mut [Playout]) -> Option<(Seat, Line<V::Cells>)> {
        loop {
            let lane = (self.lane..GAMES).find(|&lane| self.table.parked[lane] == 0)?;
            self.lane = lane + 1;
            let (seat, line) = (self.table.seats[lane], self.line(lane));
            // A step of the lanes does not look whether it fills the board.
            if self.table.ply[lane] < self.table.queue.game.cells {
                return Some((seat, line));
            }
            out[seat.index] = line.proves(Margin::DRAW, seat.bounds);
        }
    }
}

impl<B: Grid, V: BoardLayout<B>> Left<'_, B, V> {
    /// The game of a lane.
    #[inline(always)]
    fn line(&self, lane: usize) -> Line<V::Cells> {
        let LaneTable { turn, camps, boards, ply, idle, .. } = self.table;
        // Whoever has just sat down lets a step pass.
        let mover = turn ^ usize::from(idle[lane] & 1);
        let [mover, other] = [&camps[mover], &camps[mover ^ 1]];
        let (mut own, mut enemy, mut filled) = ([0; COLUMNS], [0; COLUMNS], [0; COLUMNS]);
        for c in 0..COLUMNS {
            own[c] = mover.stones[MARGIN + c][lane];
            enemy[c] = other.stones[MARGIN + c][lane];
            filled[c] = boards.filled[c][lane];
        }
        let dealt = [self.layout.gather(&own), self.layout.gather(&enemy), self.layout.gather(&filled)];
        let is_odd = ply[lane] % 2;
        let chose = u32::from(mover.chose[lane] & 1) << is_odd | u32::from(other.chose[lane] & 1) << (is_odd ^ 1);
        Line::new::<B, V>(self.layout, dealt, ply[lane], chose)
    }
}

#[cfg(test)]
mod tests {
    use banyan_core::Game;

    use super::super::Shape;
    use super::*;

    #[test]
    fn wide_vectors_change_nothing() {
        let shape = Shape::parse("9x10,hole=c4,hole=h1").expect("a board");
        let game = ConnectFour::<u128>::new(shape);
        let states = [game.start(); 500];
        let played_out = |play_out: for<'a> fn(Queue<'a, u128>)| {
            let mut out = vec![Playout::new(Margin(99), Bounds::exact(Margin(99))); states.len()];
            play_out(Queue { game: &game, states: &states, rng: &mut Rng::new(4), out: &mut out });
            out
        };
        let (narrow, wide) = (played_out(|queue| queue.play_out_here()), played_out(|queue| queue.play_out()));
        assert_eq!(narrow, wide);
    }
}

//! Many guided playouts at once: states wait in a queue until a lane's game is over.

use banyan_core::cpu::{Isa, Kernel};
use banyan_core::{Bounds, Game, Guided, Margin, Rng};

use super::lanes::{Boards, COLUMNS, Camp, Columns, Ends, GAMES, MARGIN, PerGame};
use super::random::Streams;
use super::{ConnectFour, Grid, Place, Shape, State};

/// From so many states on, lanes are quicker than one playout after another, but for the smallest boards. On 12x12 with a
/// hole and AVX2, lanes play 1.3 M playouts/s from 8 states at once, 2.1 M from 16 and 4.0 M from 1024, for 0.8 M one after
/// another; on 6x7 they are ahead from some 12.
pub(super) const WORTHWHILE: usize = 8;

/// States to be played out.
pub(super) struct Queue<'a, B: Grid> {
    pub(super) game: &'a ConnectFour<B>,
    pub(super) states: &'a [State<B>],
    pub(super) rng: &'a mut Rng,
    /// `[states]`
    pub(super) out: &'a mut [Guided],
}

impl<B: Grid> Kernel for Queue<'_, B> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, _isa: I) {
        let mut table = Table::new(self);
        while table.n_playing > 0 {
            table.step();
        }
    }
}

/// How a board word is dealt out to lanes: four columns of 16 bits at a time.
#[derive(Clone, Debug)]
pub(super) struct Dealing {
    /// Bits from a column to the next in a board word.
    stride: u32,
    /// The lowest bits of two columns of 32 bits, as many as the stride.
    low: u64,
    /// `[columns / 4]`: cells that are no holes, and holes.
    valid: [u64; COLUMNS / 4],
    holes: [u64; COLUMNS / 4],
}

impl Dealing {
    pub(super) fn of(shape: &Shape) -> Dealing {
        let stride = shape.stride();
        let (mut valid, mut holes) = ([0; COLUMNS / 4], [0; COLUMNS / 4]);
        for place in shape.places() {
            let Place { column, row } = place;
            let set = if shape.is_hole(place) { &mut holes } else { &mut valid };
            set[column as usize / 4] |= 1 << (16 * (column % 4) + row);
        }
        Dealing { stride, low: 0x1_0000_0001 * ((1 << stride) - 1), valid, holes }
    }

    /// The `four`-th four columns of a set of cells; bits off the board may be set.
    #[inline(always)]
    fn columns<B: Grid>(&self, set: B, four: usize) -> u64 {
        let packed = set.slice(4 * self.stride * four as u32);
        // First two columns go up together, then one of each two.
        let pairs = (packed & ((1 << (2 * self.stride)) - 1)) | packed >> (2 * self.stride) << 32;
        (pairs & self.low) | (pairs << (16 - self.stride) & self.low << 16)
    }
}

/// The games in play.
struct Table<'a, B: Grid> {
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

/// The state that a lane plays out.
#[derive(Clone, Copy)]
struct Seat {
    index: usize,
    /// Its bounds.
    bounds: Bounds,
}

impl<'a, B: Grid> Table<'a, B> {
    #[inline(always)]
    fn new(queue: Queue<'a, B>) -> Table<'a, B> {
        let mut table = Table {
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
        if ends.ended.any() {
            self.end(&ends);
        }
        self.camps[self.turn].complete(&self.queue.game.by_column);
        self.turn ^= 1;
    }

    /// Writes down the games that are over and takes up others.
    #[inline(never)]
    fn end(&mut self, ends: &Ends) {
        let mut lanes = (0..GAMES).fold(0, |set, lane| set | u32::from(ends.ended[lane] & 1) << lane);
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
            self.queue.out[index] = Guided::new(margin, Bounds { lower, upper });
            self.refill(lane);
        }
    }

    /// Puts the next state that is not settled into a lane. Its side to move becomes the camp that moved in this step: by
    /// the time the wins of both camps have been found, after one idle step, it is its turn.
    #[inline(always)]
    fn refill(&mut self, lane: usize) {
        self.idle[lane] = u16::MAX;
        while let Some(state) = self.queue.states.get(self.next) {
            let index = self.next;
            self.next += 1;
            let bounds = self.queue.game.bounds(state);
            if bounds.is_exact() {
                self.queue.out[index] = Guided::new(bounds.lower, bounds);
                continue;
            }
            self.seats[lane] = Seat { index, bounds };
            self.lay_out(lane, state);
            return;
        }
        self.n_playing -= 1;
        self.parked[lane] = u16::MAX;
    }

    #[inline(always)]
    fn lay_out(&mut self, lane: usize, state: &State<B>) {
        let game = self.queue.game;
        let dealing = &game.dealing;
        let [first, second] = &mut self.camps;
        let [mover, other] = if self.turn == 0 { [first, second] } else { [second, first] };
        for four in 0..game.by_column.n.div_ceil(4) {
            let (valid, holes) = (dealing.valid[four], dealing.holes[four]);
            let mut filled = dealing.columns(state.filled, four) & (valid | holes);
            let mut own = dealing.columns(state.own, four) & valid;
            let mut enemy = filled & !own & valid;
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

#[cfg(test)]
mod tests {
    use banyan_core::cpu::{Portable, dispatch};

    use super::*;

    /// The results of playouts from one state, in functions compiled for any processor of this kind and for wide vectors.
    struct BothWays<'a>(&'a ConnectFour<u128>, &'a [State<u128>]);

    impl Kernel for BothWays<'_> {
        type Output = [Vec<Guided>; 2];

        #[inline(always)]
        fn run<I: Isa>(self, isa: I) -> [Vec<Guided>; 2] {
            [false, true].map(|wide| {
                let mut out = vec![Guided::new(Margin(99), Bounds::exact(Margin(99))); self.1.len()];
                let mut rng = Rng::new(4);
                let queue = Queue { game: self.0, states: self.1, rng: &mut rng, out: &mut out };
                if wide {
                    isa.call_wide(queue)
                } else {
                    isa.call(queue)
                }
                out
            })
        }
    }

    #[test]
    fn wide_vectors_change_nothing() {
        let shape = Shape::parse("9x10,hole=c4,hole=h1").expect("a board");
        let game = ConnectFour::<u128>::new(shape);
        let states = [game.start(); 500];
        let [narrow, wide] = dispatch(BothWays(&game, &states));
        let [portable, _] = BothWays(&game, &states).run(Portable);
        assert_eq!(narrow, portable);
        assert_eq!(wide, portable);
    }
}

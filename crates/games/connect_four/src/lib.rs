//! Connect Four on any board from 4x4 to 15x16, with any number of holes.
//!
//! A stone falls past holes to the lowest free cell of its column. Holes break lines. Four or more in a line win; a
//! full board is a draw.

mod evaluators;
mod exact;
mod forced_moves;
mod grid;
mod knowledge;
mod lanes;
mod layout;
mod lines;
mod mirror;
mod moves;
pub mod node_eval;
mod packing;
mod pairs;
mod picture;
mod planes;
mod playouts;
mod position;
pub mod priors;
mod queue;
mod random;
mod reasons;
mod shape;
mod static_eval;
mod strategies;
mod threat_playout;
mod threat_rules;
mod threats;

use banyan_core::{Bounds, Game, Margin, MoveList, Side, Symmetry};

use lanes::Columns;
use packing::ColumnPacking;
use strategies::Strategies;

pub use evaluators::{NodeEvaluator, PolicyPriors};
pub use exact::ExactValues;
pub use grid::{Grid, Steps};
pub use knowledge::ConnectFourKnowledge;
pub use node_eval::NodeFeatures;
pub use planes::BoardPlanes;
pub use playouts::{ThreatPlayouts, UniformMoves};
pub use priors::PriorFeatures;
pub use shape::{Place, Shape, Word};
pub use threat_rules::ThreatRules;
pub use threats::Threats;

/// The rules on one board, kept in words of type `B`.
#[derive(Clone, Debug)]
pub struct ConnectFour<B> {
    shape: Shape,
    steps: Steps,
    cells: u16,
    /// The lowest cell of every column, hole or not.
    bottom: B,
    /// Every cell, hole or not.
    board: B,
    /// The cells that `First` gets by parity, see [`static_eval`].
    late_first: B,
    /// Every cell that is no hole.
    valid: B,
    holes: B,
    /// The most holes right above one another.
    highest_pile: u32,
    /// `[columns]`: the cells of each column that are no holes.
    columns: Vec<B>,
    /// 65536 / stride, rounded up: divides a bit number by the stride.
    reciprocal: u32,
    by_column: Columns,
    packing: ColumnPacking,
    strategies: Strategies<B>,
}

/// The stones on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<B> {
    /// Stones of the side to move.
    own: B,
    /// Stones of both sides, and the holes.
    filled: B,
    /// Number of stones.
    ply: u16,
    /// Whether the last stone completed four in a line.
    won: bool,
}

/// Number of stones on the board at the earliest win of `First` and of `Second`.
const EARLIEST_WIN: [u16; 2] = [7, 8];

impl<B: Grid> ConnectFour<B> {
    /// The rules on a board of this shape.
    ///
    /// # Panics
    /// If the shape needs a wider word than `B`; see [`Shape::word`].
    pub fn new(shape: Shape) -> ConnectFour<B> {
        assert!(shape.bits() <= B::WIDTH, "a board of {} bits needs a wider word", shape.bits());
        let set = |places: &mut dyn Iterator<Item = Place>| {
            places.fold(B::EMPTY, |set, place| set.or(B::single(shape.bit(place))))
        };
        let bottom = set(&mut shape.places().filter(|place| place.row == 0));
        let valid = set(&mut shape.places().filter(|&place| !shape.is_hole(place)));
        let holes = set(&mut shape.holes());
        let column = |c| set(&mut shape.places().filter(|&p| p.column == c && !shape.is_hole(p)));
        let columns: Vec<B> = (0..shape.columns()).map(column).collect();
        let steps = Steps::of_stride(shape.stride());
        let reciprocal = 65536u32.div_ceil(shape.stride());
        let (mut highest_pile, mut piles) = (0, holes);
        while !piles.is_empty() {
            highest_pile += 1;
            piles = piles.and(piles.up(1));
        }
        let cells = shape.cells() as u16;
        let (board, late_first) = (valid.or(holes), set(&mut shape.late_first()));
        let (by_column, packing) = (Columns::of(&shape), ColumnPacking::of(&shape));
        let strategies = Strategies::new(valid, late_first, &columns);
        ConnectFour {
            steps,
            cells,
            bottom,
            board,
            late_first,
            valid,
            holes,
            highest_pile,
            columns,
            reciprocal,
            by_column,
            packing,
            strategies,
            shape,
        }
    }

    /// The board.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The owner of the stone on `place`, which must be on the board.
    pub fn owner(&self, state: &State<B>, place: Place) -> Option<Side> {
        let bit = self.shape.bit(place);
        if state.own.has(bit) {
            return Some(self.to_move(state));
        }
        self.others(state).has(bit).then(|| !self.to_move(state))
    }

    /// The cell where a stone in `column` would land, unless the column is full.
    pub fn landing_place(&self, state: &State<B>, column: u32) -> Option<Place> {
        let landing = self.landing(state.filled).and(*self.columns.get(column as usize)?);
        (!landing.is_empty()).then(|| Place { column, row: landing.lowest() - column * self.shape.stride() })
    }

    /// The cells where the next stone may land, one per column that has room, given stones and holes.
    #[inline(always)]
    fn landing(&self, filled: B) -> B {
        filled.plus(self.bottom).and(self.valid)
    }

    /// The column of a bit. Exact, as rounding adds less than 256 / 65536, for bits below 256, to a quotient whose
    /// fraction is at most 1 - 1 / 16.
    #[inline(always)]
    fn column(&self, bit: u32) -> u8 {
        ((bit * self.reciprocal) >> 16) as u8
    }

    /// Stones of the side that is not to move.
    #[inline(always)]
    fn others(&self, state: &State<B>) -> B {
        state.filled.xor(state.own).xor(self.holes)
    }

    /// The position with these stones of the mover and of the other side; every other part is computed from scratch.
    fn with_stones(&self, own: B, others: B) -> State<B> {
        let ply = (own.count() + others.count()) as u16;
        State { own, filled: own.or(others).or(self.holes), ply, won: !self.lines(others).is_empty() }
    }

    /// Points of a win by stone number `ply`, seen by the winner; 0 if the board has fewer cells.
    #[inline(always)]
    fn points_at(&self, ply: u16) -> i16 {
        self.cells.checked_sub(ply).map_or(0, |free| 1 + (free / 2) as i16)
    }
}

impl<B: Grid> Game for ConnectFour<B> {
    type State = State<B>;
    type Move = u8;

    #[inline]
    fn start(&self) -> State<B> {
        State { own: B::EMPTY, filled: self.holes, ply: 0, won: false }
    }

    #[inline(always)]
    fn to_move(&self, state: &State<B>) -> Side {
        if state.ply.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    #[inline(always)]
    fn result(&self, state: &State<B>) -> Option<Margin> {
        if state.won {
            return Some(Margin::won_by(!self.to_move(state), self.points_at(state.ply)));
        }
        (state.ply == self.cells).then_some(Margin::DRAW)
    }

    #[inline]
    fn moves(&self, state: &State<B>, out: &mut MoveList<u8>) {
        if !state.won {
            out.extend(self.landing(state.filled).ones().map(|bit| self.column(bit)));
        }
    }

    #[inline]
    fn move_count(&self, state: &State<B>, _: &mut MoveList<u8>) -> usize {
        if state.won { 0 } else { self.landing(state.filled).count() as usize }
    }

    #[inline(always)]
    fn play(&self, state: &mut State<B>, mv: u8) {
        let stone = self.landing(state.filled).and(self.columns[mv as usize]);
        debug_assert!(!stone.is_empty() && !state.won, "move {mv} is illegal in {state:?}");
        let mover = state.own.or(stone);
        state.own = self.others(state);
        state.filled = state.filled.or(stone);
        state.ply += 1;
        state.won = mover.has_four(&self.steps);
    }

    #[inline(always)]
    fn ply(&self, state: &State<B>) -> u16 {
        state.ply
    }

    fn max_plies(&self) -> u16 {
        self.cells
    }

    /// The sum of own stones and all stones is unique for every position of a board: within a column, positions with
    /// the same number of stones differ by subtraction; with more stones because k stones and the k or fewer own ones
    /// sum to at most twice the mask of the k stones, which is less than the mask of k + 1 stones. Adding the constant
    /// holes changes nothing, and the spare bit on top keeps the sum within its column.
    #[inline]
    fn key(&self, state: &State<B>) -> u64 {
        state.own.plus(state.filled).hash_with(4)
    }

    fn margin_range(&self) -> Bounds {
        self.bounds(&self.start())
    }

    /// The best case of each side is a win at its earliest remaining ply.
    #[inline]
    fn bounds(&self, state: &State<B>) -> Bounds {
        if let Some(margin) = self.result(state) {
            return Bounds::exact(margin);
        }
        let mover = self.to_move(state);
        let soonest = |side: Side| {
            let next = if side == mover { state.ply + 1 } else { state.ply + 2 };
            Margin::won_by(side, self.points_at(next.max(EARLIEST_WIN[side.index()])))
        };
        Bounds::new(soonest(Side::Second), soonest(Side::First))
    }

    #[inline]
    fn centrality(&self, mv: u8) -> u8 {
        let last = self.columns.len() as u8 - 1;
        last - (2 * mv).abs_diff(last)
    }

    fn symmetries(&self) -> u8 {
        if self.shape.is_symmetric() { 2 } else { 1 }
    }

    fn transform(&self, state: &State<B>, symmetry: Symmetry) -> State<B> {
        if symmetry == Symmetry::default() { *state } else { self.mirrored(state) }
    }

    fn transform_move(&self, mv: u8, symmetry: Symmetry) -> u8 {
        if symmetry == Symmetry::default() { mv } else { self.columns.len() as u8 - 1 - mv }
    }

    fn recomputed(&self, state: &State<B>) -> State<B> {
        let (own, others) = (state.own.and(self.valid), self.others(state).and(self.valid));
        self.with_stones(own, others)
    }
}

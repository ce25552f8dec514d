//! Dots and Boxes: players draw edges between dots; completing a box scores it and gives another move.
//!
//! A position is the set of drawn edges in one word of bits. The future depends only on that set and the mover; the
//! boxes completed so far are the score, and the owners of boxes are stored for the picture only.

mod chains;
mod degrees;
mod edge_text;
mod exact;
mod features;
mod knowledge;
mod layout;
mod loony;
mod notation;
mod offers;
mod order;
mod planes;
mod playout;
mod playouts;
mod reasons;
mod settled;
mod shape;
mod solver_key;
mod static_eval;
mod structure;
mod tactical_playout;
mod undominated;

use banyan_bits::Bits;
use banyan_core::{Bounds, Game, Margin, MoveList, Side, Symmetry};

use degrees::Grid;
use layout::Layout;
use solver_key::SolverKey;

pub use exact::{ExactEndings, SafePlayouts};
pub use features::{StructureFeatures, WindowFeatures};
pub use knowledge::DotsAndBoxesKnowledge;
pub use planes::BoardPlanes;
pub use playouts::{TacticalPlayouts, UniformMoves};
pub use shape::{Line, Shape, Word};
pub use structure::{BoxString, ChainStructure, Remaining, StringKind};

/// Dots and Boxes on a board of one [`Shape`], kept in words `B` of at least [`Shape::bits`] bits.
///
/// A move is an edge by its number in [`Shape`]; a margin is a difference of boxes.
#[derive(Clone, Debug)]
pub struct DotsAndBoxes<B> {
    layout: Layout<B>,
    grid: Grid<B>,
    solver_key: SolverKey<B>,
}

/// Drawn edges, boxes scored and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<B> {
    drawn: B,
    /// Box `b` of `First` is number `b`, of `Second` number `b + n_boxes`. The owner may be unknown: a position text
    /// may contain only the score, or not even that.
    owned: B,
    /// Boxes scored, by side. Their sum is below the number of closed boxes only after a position text without a score.
    scored: [u8; 2],
    /// Boxes not closed yet.
    open: u8,
    mover: Side,
}

impl<B: Bits> DotsAndBoxes<B> {
    /// The game on a board of this shape.
    ///
    /// # Panics
    /// If `B` has fewer than [`Shape::bits`] bits.
    pub fn new(shape: Shape) -> DotsAndBoxes<B> {
        assert!(shape.bits() <= B::WIDTH, "{shape:?} needs {} bits, the word has {}", shape.bits(), B::WIDTH);
        let layout = Layout::new(shape);
        let solver_key = SolverKey::new(shape, layout.border, &layout.images);
        DotsAndBoxes { grid: Grid::new(&layout), layout, solver_key }
    }

    /// The board.
    pub fn shape(&self) -> Shape {
        self.layout.shape
    }

    /// The drawn edges.
    pub fn drawn(&self, state: &State<B>) -> B {
        state.drawn
    }

    /// Boxes scored so far by `side`.
    pub fn scored(&self, state: &State<B>, side: Side) -> u8 {
        state.scored[side.index()]
    }

    /// Appends the edges that close a box, else those that put no box on offer, else all undrawn ones.
    pub fn casual_moves(&self, state: &State<B>, out: &mut MoveList<u8>) {
        out.extend(self.grid.casual(self.undrawn(state)).ones().map(|edge| edge as u8));
    }

    /// The number of the box in `owned` if `side` owns it.
    #[inline(always)]
    fn owned_number(&self, number: u32, side: Side) -> u32 {
        number + side.index() as u32 * self.layout.shape.n_boxes()
    }

    #[inline(always)]
    fn undrawn(&self, state: &State<B>) -> B {
        self.layout.edges.and_not(state.drawn)
    }
}

impl<B: Bits> Game for DotsAndBoxes<B> {
    type State = State<B>;
    type Move = u8;

    fn start(&self) -> State<B> {
        let open = self.layout.shape.n_boxes() as u8;
        State { drawn: B::EMPTY, owned: B::EMPTY, scored: [0; 2], open, mover: Side::First }
    }

    /// After the end: the side that drew the last edge.
    #[inline(always)]
    fn to_move(&self, state: &State<B>) -> Side {
        state.mover
    }

    #[inline(always)]
    fn result(&self, state: &State<B>) -> Option<Margin> {
        // Every edge bounds a box, so no box is open exactly when every edge is drawn.
        (state.open == 0).then(|| self.score(state))
    }

    #[inline(always)]
    fn moves(&self, state: &State<B>, out: &mut MoveList<u8>) {
        out.extend(self.undrawn(state).ones().map(|edge| edge as u8));
    }

    #[inline]
    fn move_count(&self, state: &State<B>, _: &mut MoveList<u8>) -> usize {
        self.undrawn(state).count() as usize
    }

    #[inline(always)]
    fn play(&self, state: &mut State<B>, mv: u8) {
        debug_assert!(self.undrawn(state).has(u32::from(mv)), "edge {mv} is drawn or off the board");
        state.drawn = state.drawn.or(B::single(u32::from(mv)));
        let neighbours = &self.layout.neighbours[usize::from(mv)];
        let mut closed = 0;
        for (edges, &number) in neighbours.edges.iter().zip(&neighbours.numbers) {
            if edges.and_not(state.drawn).is_empty() {
                state.owned = state.owned.or(B::single(self.owned_number(u32::from(number), state.mover)));
                closed += 1;
            }
        }
        state.scored[state.mover.index()] += closed;
        state.open -= closed;
        if closed == 0 {
            state.mover = !state.mover;
        }
    }

    #[inline(always)]
    fn ply(&self, state: &State<B>) -> u16 {
        state.drawn.count() as u16
    }

    fn max_plies(&self) -> u16 {
        self.layout.shape.n_edges() as u16
    }

    #[inline(always)]
    fn key(&self, state: &State<B>) -> u64 {
        state.drawn.hash_with(state.mover.index() as u64)
    }

    fn margin_range(&self) -> Bounds {
        let all = self.layout.shape.n_boxes() as i16;
        Bounds::new(Margin(-all), Margin(all))
    }

    #[inline(always)]
    fn score(&self, state: &State<B>) -> Margin {
        Margin(i16::from(state.scored[0]) - i16::from(state.scored[1]))
    }

    #[inline(always)]
    fn bounds(&self, state: &State<B>) -> Bounds {
        let open = Margin(i16::from(state.open));
        Bounds::new(self.score(state) - open, self.score(state) + open)
    }

    /// Rows plus columns, minus the Manhattan distance from the centre, in half steps.
    fn centrality(&self, mv: u8) -> u8 {
        let shape = self.layout.shape;
        let (down, right) = layout::middle(shape, mv);
        (shape.rows() - down.abs_diff(shape.rows()) + shape.columns() - right.abs_diff(shape.columns())) as u8
    }

    fn symmetries(&self) -> u8 {
        self.layout.images.len() as u8
    }

    fn transform(&self, state: &State<B>, symmetry: Symmetry) -> State<B> {
        let images = &self.layout.images[usize::from(symmetry.0)];
        let n_boxes = self.layout.shape.n_boxes();
        let drawn = state.drawn.ones().map(|edge| u32::from(images.edges[edge as usize]));
        let owned = state.owned.ones().map(|number| {
            let offset = if number < n_boxes { 0 } else { n_boxes };
            u32::from(images.boxes[(number - offset) as usize]) + offset
        });
        State { drawn: collect(drawn), owned: collect(owned), ..*state }
    }

    fn transform_move(&self, mv: u8, symmetry: Symmetry) -> u8 {
        self.layout.images[usize::from(symmetry.0)].edges[usize::from(mv)]
    }

    /// Recounts the open boxes, and the score if the owner of every closed box is known.
    fn recomputed(&self, state: &State<B>) -> State<B> {
        let mut recomputed = *state;
        let closed = self.layout.closed(state.drawn).count() as u32;
        recomputed.open = (self.layout.shape.n_boxes() - closed) as u8;
        if state.owned.count() == closed {
            recomputed.scored = [0; 2];
            for number in state.owned.ones() {
                recomputed.scored[usize::from(number >= self.layout.shape.n_boxes())] += 1;
            }
        }
        recomputed
    }
}

fn collect<B: Bits>(numbers: impl Iterator<Item = u32>) -> B {
    numbers.fold(B::EMPTY, |set, number| set.or(B::single(number)))
}

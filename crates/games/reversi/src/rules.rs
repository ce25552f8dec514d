//! Placing, turning, passing and counting.

use banyan_bits::Bits;
use banyan_core::{Bounds, Game, Margin, MoveList, Rng, Side, Symmetry};

use super::squares::{row_and_column, square_at};
use super::{Counting, Place, Reversi, State};

impl<B: Bits> Game for Reversi<B> {
    type State = State<B>;
    type Move = Place;

    fn start(&self) -> State<B> {
        let (row, column) = (self.shape.rows() / 2, self.shape.columns() / 2);
        let pair = |a: u32, b: u32| B::single(a).or(B::single(b));
        let black = pair(square_at::<B>(row - 1, column), square_at::<B>(row, column - 1));
        let white = pair(square_at::<B>(row - 1, column - 1), square_at::<B>(row, column));
        self.position(black, white, Side::First, 0)
    }

    #[inline(always)]
    fn to_move(&self, state: &State<B>) -> Side {
        state.to_move
    }

    #[inline]
    fn result(&self, state: &State<B>) -> Option<Margin> {
        let over = state.placements.is_empty() && self.placements(state.other, state.own).is_empty();
        over.then(|| self.final_margin(state.own, state.other, state.to_move))
    }

    #[inline]
    fn moves(&self, state: &State<B>, out: &mut MoveList<Place>) {
        out.extend(state.placements.ones().map(|square| Place(square as u8)));
        if state.placements.is_empty() && self.result(state).is_none() {
            out.push(Place::PASS);
        }
    }

    #[inline]
    fn move_count(&self, state: &State<B>, _: &mut MoveList<Place>) -> usize {
        let count = state.placements.count() as usize;
        // A pass is a move.
        if count > 0 { count } else { usize::from(self.result(state).is_none()) }
    }

    #[inline]
    fn play(&self, state: &mut State<B>, mv: Place) {
        let (mut own, mut other) = (state.own, state.other);
        if mv == Place::PASS {
            debug_assert!(state.placements.is_empty(), "a pass where a disc can be placed: {state:?}");
        } else {
            debug_assert!(state.placements.has(mv.0.into()), "{mv:?} is not legal: {state:?}");
            (own, other) = self.place(own, other, mv.0.into());
        }
        let placements = self.placements(other, own);
        *state = State { own: other, other: own, placements, ply: state.ply + 1, to_move: !state.to_move };
    }

    #[inline(always)]
    fn ply(&self, state: &State<B>) -> u16 {
        state.ply.into()
    }

    /// At most one pass per placement, as every pass is followed by a placement.
    fn max_plies(&self) -> u16 {
        2 * (self.shape.squares() as u16 - 4)
    }

    /// The empty squares.
    #[inline]
    fn plies_left(&self, state: &State<B>) -> u16 {
        self.empty(state.own, state.other).count() as u16
    }

    /// By the discs on the board, which grow by one unless a side passes: nearly every game fills the board, and few
    /// hold more than a pass or two.
    #[inline]
    fn phase(&self, state: &State<B>) -> f32 {
        let placed = (state.own.count() + state.other.count()).saturating_sub(4);
        placed as f32 / (self.shape.squares() - 4) as f32
    }

    #[inline(always)]
    fn key(&self, state: &State<B>) -> u64 {
        state.own.hash_with(state.other.hash_with(state.to_move as u64))
    }

    fn margin_range(&self) -> Bounds {
        let all = Margin(self.shape.squares() as i16);
        Bounds::new(-all, all)
    }

    /// By the distance from the centre; a pass is the only move wherever it is legal.
    #[inline]
    fn centrality(&self, mv: Place) -> u8 {
        if mv == Place::PASS {
            return 0;
        }
        let (row, column) = row_and_column::<B>(mv.0.into());
        // In half squares, so that the centre of an even board is a whole number.
        let off =
            (2 * row + 1).abs_diff(self.shape.rows()).pow(2) + (2 * column + 1).abs_diff(self.shape.columns()).pow(2);
        u8::MAX - off as u8
    }

    fn symmetries(&self) -> u8 {
        self.board_symmetries()
    }

    fn transform(&self, state: &State<B>, symmetry: Symmetry) -> State<B> {
        let map =
            |set: B| set.ones().fold(B::EMPTY, |out, square| out.or(B::single(self.map_square(square, symmetry))));
        State { own: map(state.own), other: map(state.other), placements: map(state.placements), ..*state }
    }

    fn transform_move(&self, mv: Place, symmetry: Symmetry) -> Place {
        if mv == Place::PASS { mv } else { Place(self.map_square(mv.0.into(), symmetry) as u8) }
    }

    fn recomputed(&self, state: &State<B>) -> State<B> {
        let turns_some = |&square: &u32| self.turns_some(state.own, state.other, square);
        let squares = self.empty(state.own, state.other).ones().filter(turns_some);
        State { placements: squares.fold(B::EMPTY, |set, square| set.or(B::single(square))), ..*state }
    }
}

impl<B: Bits> Reversi<B> {
    /// The position with these discs.
    pub(super) fn position(&self, black: B, white: B, to_move: Side, ply: u8) -> State<B> {
        let (own, other) = match to_move {
            Side::First => (black, white),
            Side::Second => (white, black),
        };
        State { own, other, placements: self.placements(own, other), ply, to_move }
    }

    /// Plays uniformly random moves to the end. Returns the final margin, and which sides ever had two moves or more.
    ///
    /// Inlined: as a separate function it takes 1.9 times the instructions, since the compiler then keeps the four axes in four registers.
    #[inline(always)]
    pub(super) fn play_out(&self, state: State<B>, rng: &mut Rng) -> (Margin, [bool; 2]) {
        let State { mut own, mut other, mut to_move, .. } = state;
        // A local copy, so that the generator stays in registers.
        let mut local = rng.clone();
        let mut chose = [false; 2];
        loop {
            let mut runs = self.lines.opponent_runs(own, other);
            let mut placements = runs.placements(self.empty(own, other));
            if placements.is_empty() {
                (own, other, to_move) = (other, own, !to_move);
                runs = self.lines.opponent_runs(own, other);
                placements = runs.placements(self.empty(own, other));
                if placements.is_empty() {
                    break;
                }
            }
            let n_placements = placements.count();
            chose[to_move.index()] |= n_placements > 1;
            let square = placements.select(local.below(n_placements));
            let turned = self.lines.turned(&runs, square);
            (own, other) = (other.xor(turned), own.or(turned).or(B::single(square)));
            to_move = !to_move;
        }
        *rng = local;
        (self.final_margin(own, other, to_move), chose)
    }

    #[inline(always)]
    pub(super) fn empty(&self, own: B, other: B) -> B {
        self.board.and_not(own.or(other))
    }

    #[inline(always)]
    pub(super) fn placements(&self, own: B, other: B) -> B {
        self.lines.opponent_runs(own, other).placements(self.empty(own, other))
    }

    /// The discs of the mover and of the other side after a disc on `square`.
    #[inline(always)]
    pub(super) fn place(&self, own: B, other: B, square: u32) -> (B, B) {
        let turned = self.lines.turned_by(own, other, square);
        (own.or(turned).or(B::single(square)), other.and_not(turned))
    }

    /// Whether a disc on `square` turns any, by walking from square to square.
    fn turns_some(&self, own: B, other: B, start: u32) -> bool {
        let (row, column) = row_and_column::<B>(start);
        let at = |way: (i32, i32), steps: i32| {
            let (row, column) = (row as i32 + way.0 * steps, column as i32 + way.1 * steps);
            let on_board =
                (0..self.shape.rows() as i32).contains(&row) && (0..self.shape.columns() as i32).contains(&column);
            on_board.then(|| square_at::<B>(row as u32, column as u32))
        };
        let ways = (-1..=1).flat_map(|rows| (-1..=1).map(move |columns| (rows, columns))).filter(|&way| way != (0, 0));
        ways.into_iter().any(|way| {
            let run = (1..).take_while(|&steps| at(way, steps).is_some_and(|square| other.has(square))).count() as i32;
            run > 0 && at(way, run + 1).is_some_and(|square| own.has(square))
        })
    }

    #[inline(always)]
    pub(super) fn final_margin(&self, own: B, other: B, to_move: Side) -> Margin {
        let difference = difference(own, other, to_move);
        match self.shape.counting() {
            Counting::Discs => difference,
            Counting::WinnerTakesEmpties => {
                Margin(difference.0 + difference.0.signum() * self.empty(own, other).count() as i16)
            }
        }
    }
}

/// Discs of `First` minus discs of `Second`.
#[inline(always)]
pub(super) fn difference<B: Bits>(own: B, other: B, to_move: Side) -> Margin {
    Margin::won_by(to_move, own.count() as i16 - other.count() as i16)
}

//! Why a move loses something: corners, passes, the parity of empty regions, mobility and discs that cannot be turned any more.

use banyan_bits::Bits;
use banyan_core::{Game, Line, Mistake, Notation, Reason, Side};

use super::squares::row_and_column;
use super::{Place, Reversi, State};

/// The most reasons for one mistake.
const MOST_REASONS: usize = 2;
/// The most empty squares at which the parity of regions is a reason. Guess: before, regions still merge and split.
const PARITY_EMPTIES: u32 = 16;
/// The least difference of legal moves that is a reason. Guess.
const MOBILITY: u32 = 2;

/// A mistake with the positions after both moves, in which the other side is to move.
struct Compared<'a, B> {
    before: &'a State<B>,
    after: State<B>,
    better: State<B>,
    mistake: &'a Mistake<Place>,
}

impl<B: Bits> Reversi<B> {
    /// The reasons of a mistake, for [`Knowledge::reasons`](banyan_core::Knowledge::reasons).
    pub(super) fn reasons(&self, before: &State<B>, mistake: &Mistake<Place>) -> Vec<Reason> {
        let (after, better) = (self.after(before, mistake.mv), self.after(before, mistake.better.moves[0]));
        let compared = Compared { before, after, better, mistake };
        let finders = [
            Reversi::corner_given,
            Reversi::corner_missed,
            Reversi::pass_missed,
            Reversi::pass_allowed,
            Reversi::last_move_lost,
            Reversi::even_region,
            Reversi::discs_kept,
            Reversi::mobility_given,
            Reversi::mobility_lost,
        ];
        finders.iter().filter_map(|find| find(self, &compared)).take(MOST_REASONS).collect()
    }

    /// The other side can take a corner that it could not take after the better move.
    fn corner_given(&self, at: &Compared<'_, B>) -> Option<Reason> {
        let corners = self.areas.corners();
        let given = at.after.placements.and(corners).and_not(at.better.placements);
        let corner = given.ones().next()?;
        let was_open = self.placements(at.before.other, at.before.own).has(corner);
        let square = self.square(at.mistake.mv);
        let near = self.areas.neighbours_of(corner);
        let kind = match square {
            _ if was_open => "corner-left",
            Some(square) if near.diagonal.has(square) => "corner-given-x-square",
            Some(square) if near.beside.has(square) => "corner-given-c-square",
            _ => "corner-given",
        };
        Some(self.about_square(Reason::new(kind, at.after.to_move), corner))
    }

    /// The better move takes a corner.
    fn corner_missed(&self, at: &Compared<'_, B>) -> Option<Reason> {
        let corner = self.square(at.mistake.better.moves[0]).filter(|&square| self.areas.corners().has(square))?;
        Some(self.about_square(Reason::new("corner-missed", at.before.to_move), corner))
    }

    /// After the better move the other side has to pass.
    fn pass_missed(&self, at: &Compared<'_, B>) -> Option<Reason> {
        let passes = |state: &State<B>| state.placements.is_empty() && self.result(state).is_none();
        (passes(&at.better) && !passes(&at.after)).then(|| Reason::new("pass-missed", at.before.to_move))
    }

    /// The expected answer leaves the mover without a move, which no answer to the better move does.
    fn pass_allowed(&self, at: &Compared<'_, B>) -> Option<Reason> {
        let leaves_none = |state: &State<B>, mv: Place| {
            let next = self.after(state, mv);
            next.placements.is_empty() && self.result(&next).is_none()
        };
        let answer = *at.mistake.answer.moves.first()?;
        let mut answers = at.better.placements.ones().map(|square| Place(square as u8));
        let is_new =
            answer != Place::PASS && leaves_none(&at.after, answer) && !answers.any(|mv| leaves_none(&at.better, mv));
        let name = || self.print_move(&at.after, answer);
        is_new.then(|| Reason::new("pass-allowed", at.after.to_move).name("answer", name()))
    }

    /// Both lines are best play to the end of the game: the mover places the last disc in the better one only.
    fn last_move_lost(&self, at: &Compared<'_, B>) -> Option<Reason> {
        let answered = [&[at.mistake.mv], at.mistake.answer.moves.as_slice()].concat();
        let answered = Line { moves: answered, is_proven: at.mistake.answer.is_proven };
        let mover = at.before.to_move;
        let is_lost = self.last_placed(at.before, &answered)? != mover;
        let is_lost = is_lost && self.last_placed(at.before, &at.mistake.better)? == mover;
        let line = || answered.moves.iter().map(|&mv| self.print_move(at.before, mv)).collect();
        is_lost.then(|| Reason { line: line(), ..Reason::new("last-move-lost", !mover) })
    }

    /// The side that places the last disc of a proven line to the end of the game.
    fn last_placed(&self, start: &State<B>, line: &Line<Place>) -> Option<Side> {
        let (mut state, mut last) = (*start, None);
        for &mv in &line.moves {
            last = if mv == Place::PASS { last } else { Some(state.to_move) };
            self.play(&mut state, mv);
        }
        last.filter(|_| line.is_proven && self.result(&state).is_some())
    }

    /// The better move makes more discs safe for ever: discs joined to an own corner along an edge without a gap.
    fn discs_kept(&self, at: &Compared<'_, B>) -> Option<Reason> {
        let safe = |state: &State<B>| self.areas.anchored(state.other).count() as i32;
        let (n, other) = (safe(&at.after), safe(&at.better));
        let reason = || Reason::new("safe-discs-missed", at.before.to_move);
        (other > n).then(|| reason().number("n", other).number("instead", n))
    }

    /// Near the end: the move enters a region of an even number of empty squares, the better move one of an odd number.
    fn even_region(&self, at: &Compared<'_, B>) -> Option<Reason> {
        let empty = self.empty(at.before.own, at.before.other);
        let region = |mv: Place| Some(self.region(empty, self.square(mv)?));
        let (entered, other) = (region(at.mistake.mv)?, region(at.mistake.better.moves[0])?);
        let (n_entered, n_other) = (entered.count(), other.count());
        let is_parity = empty.count() <= PARITY_EMPTIES && n_entered.is_multiple_of(2) && !n_other.is_multiple_of(2);
        let reason = Reason::new("even-region", at.after.to_move);
        is_parity.then(|| Reason {
            cells: entered.ones().map(|square| self.cell(square)).collect(),
            ..reason.number("n", n_entered as i32).number("instead", n_other as i32)
        })
    }

    /// The other side has more moves than after the better move.
    fn mobility_given(&self, at: &Compared<'_, B>) -> Option<Reason> {
        let (n, other) = (at.after.placements.count(), at.better.placements.count());
        let reason = Reason::new("mobility-given", at.after.to_move);
        (n >= other + MOBILITY).then(|| reason.number("n", n as i32).number("instead", other as i32))
    }

    /// The mover keeps fewer moves on the board, were it its turn again, than after the better move.
    fn mobility_lost(&self, at: &Compared<'_, B>) -> Option<Reason> {
        let own = |state: &State<B>| self.placements(state.other, state.own).count();
        let (n, other) = (own(&at.after), own(&at.better));
        let reason = Reason::new("mobility-lost", at.after.to_move);
        (other >= n + MOBILITY).then(|| reason.number("n", n as i32).number("instead", other as i32))
    }

    /// The empty squares connected with `square`, across corners too.
    fn region(&self, empty: B, square: u32) -> B {
        let mut region = B::single(square);
        loop {
            let larger = self.areas.around(region).and(empty);
            if larger == region {
                return region;
            }
            region = larger;
        }
    }

    fn after(&self, state: &State<B>, mv: Place) -> State<B> {
        let mut next = *state;
        self.play(&mut next, mv);
        next
    }

    /// The square of a move; `None` for a pass.
    fn square(&self, mv: Place) -> Option<u32> {
        (mv != Place::PASS).then_some(mv.0.into())
    }

    fn about_square(&self, reason: Reason, square: u32) -> Reason {
        let name = super::moves_text::place_text::<B>(Place(square as u8));
        Reason { cells: vec![self.cell(square)], ..reason.name("square", name) }
    }

    /// The index of a square in the picture.
    fn cell(&self, square: u32) -> usize {
        let (row, column) = row_and_column::<B>(square);
        (row * self.shape.columns() + column) as usize
    }
}

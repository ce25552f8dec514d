//! Why a move loses something: boxes left or offered, boxes that are better handed back, and control.

use std::collections::HashMap;

use banyan_bits::Bits;
use banyan_core::{Game, Line, Mistake, Notation, Reason, Side};

use super::chains::{Chain, chains};
use super::offers::{Offer, Offers};
use super::{DotsAndBoxes, Remaining, State};

/// The most reasons for one mistake.
const MOST_REASONS: usize = 2;
/// The most safe edges among which the last one is searched for. Guess: a few milliseconds.
const MOST_SAFE: u32 = 14;

/// A mistake with the positions around it.
struct Compared<'a, B> {
    before: &'a State<B>,
    mistake: &'a Mistake<u8>,
    better: u8,
    /// The side that made the mistake.
    mover: Side,
    /// The undrawn edges before the moves.
    undrawn: B,
    /// Those that close no box and put none on offer.
    safe: B,
    /// The boxes that the mover can take at once, and what follows.
    own: Offers<B>,
    /// The boxes that the other side can take after the move that was made, and after the better one, if they close no box.
    offered: Option<Offers<B>>,
    offered_by_better: Option<Offers<B>>,
}

impl<B: Bits> DotsAndBoxes<B> {
    /// The reasons of a mistake, for [`Knowledge::reasons`](banyan_core::Knowledge::reasons).
    pub(super) fn reasons(&self, before: &State<B>, mistake: &Mistake<u8>) -> Vec<Reason> {
        let (undrawn, better) = (self.undrawn(before), mistake.better.moves[0]);
        let degrees = self.grid.degrees(undrawn);
        let offered = |mv: u8| {
            let closes = !self.closed_by(undrawn, mv).is_empty();
            (!closes).then(|| self.grid.take_offers(undrawn.and_not(B::single(mv.into()))))
        };
        let compared = Compared {
            before,
            mistake,
            better,
            mover: before.mover,
            undrawn,
            safe: undrawn.and_not(self.grid.edges_of(degrees.one.or(degrees.two))),
            own: self.grid.take_offers(undrawn),
            offered: offered(mistake.mv),
            offered_by_better: offered(better),
        };
        let finders = [
            DotsAndBoxes::boxes_left,
            DotsAndBoxes::boxes_not_handed_back,
            DotsAndBoxes::offered_with_safe_edges,
            DotsAndBoxes::offered_more,
            DotsAndBoxes::offer_with_a_way_back,
            DotsAndBoxes::boxes_not_offered,
            DotsAndBoxes::control_lost,
            DotsAndBoxes::runs_out_of_safe_edges,
        ];
        finders.iter().filter_map(|find| find(self, &compared)).take(MOST_REASONS).collect()
    }

    /// The move takes no box where the better move takes one: boxes were left, or handed back.
    fn boxes_left(&self, at: &Compared<'_, B>) -> Option<Reason> {
        let offered = at.offered.as_ref().filter(|_| at.offered_by_better.is_none())?;
        let handed_back = self.tails(at.undrawn).find(|tail| tail.0 == u32::from(at.mistake.mv));
        let reason = match handed_back {
            Some((_, n)) => self.counted("handed-back", n, !at.mover),
            None => self.counted("boxes-left", at.own.n_boxes, !at.mover),
        };
        let can_take = self.grid.degrees(at.undrawn.and_not(B::single(at.mistake.mv.into()))).one;
        Some(Reason { cells: indices(can_take), ..reason.number("taken", offered.n_boxes) })
    }

    /// The better move hands back the last boxes on offer, after which the other side has to move first elsewhere.
    fn boxes_not_handed_back(&self, at: &Compared<'_, B>) -> Option<Reason> {
        let (_, n) = self.tails(at.undrawn).find(|tail| tail.0 == u32::from(at.better))?;
        let is_refused = (at.own.n_boxes, at.own.back) == (n, n) && !at.own.rest.is_empty();
        is_refused.then(|| {
            let cells = self.closed_by(at.undrawn, at.mistake.mv);
            let is_taken = at.offered.is_none();
            let is_control = self.grid.safe(&self.grid.degrees(at.own.rest), at.own.rest).is_empty();
            let kind = if is_taken && is_control { "control-given-up" } else { "not-handed-back" };
            Reason { cells: indices(cells), ..self.counted(kind, n, !at.mover) }
        })
    }

    /// The move puts boxes on offer while there are safe edges, one of which is better.
    fn offered_with_safe_edges(&self, at: &Compared<'_, B>) -> Option<Reason> {
        let offered = at.offered.as_ref().filter(|_| self.is_quiet(at) && !at.safe.has(at.mistake.mv.into()))?;
        let chain = at.safe.has(at.better.into()).then(|| self.chain_of(at.undrawn, at.mistake.mv)).flatten()?;
        let kind = match (chain.is_loop, chain.n_boxes) {
            (true, _) => "offered-loop",
            (false, 1) => "offered-box",
            (false, _) => "offered-chain",
        };
        let reason = Reason::new(kind, !at.mover).number("length", chain.n_boxes as i32);
        let reason = reason.number("taken", offered.n_boxes).number("n", at.safe.count() as i32);
        Some(Reason { cells: indices(chain.boxes), edges: indices(at.safe), ..reason })
    }

    /// Both moves put boxes on offer, the move that was made more of them.
    fn offered_more(&self, at: &Compared<'_, B>) -> Option<Reason> {
        let (offered, by_better) = self.both_offer(at)?;
        let more = offered.n_boxes > by_better.n_boxes;
        let chain = more.then(|| self.chain_of(at.undrawn, at.mistake.mv)).flatten()?;
        let reason = self.counted("offered-more", offered.n_boxes, !at.mover).number("instead", by_better.n_boxes);
        Some(Reason { cells: indices(chain.boxes), ..reason })
    }

    /// Both moves offer as many boxes, but after the move that was made the other side can hand some back, and after the better one fewer;
    /// or it must hand back fewer in order to keep control.
    fn offer_with_a_way_back(&self, at: &Compared<'_, B>) -> Option<Reason> {
        let (offered, by_better) = self.both_offer(at)?;
        let is_equal = offered.n_boxes == by_better.n_boxes;
        let kind = match (offered.back, by_better.back) {
            (1.., 0) if is_equal => "offered-softly",
            (2, 4) if is_equal => "offered-cheaply",
            _ => return None,
        };
        let chain = self.chain_of(at.undrawn, at.mistake.mv)?;
        let reason = self.counted(kind, offered.back, !at.mover).number("instead", by_better.back);
        Some(Reason { cells: indices(chain.boxes), ..reason })
    }

    /// The better move gives boxes away although there are safe edges, one of which was drawn; that this costs more is proven.
    fn boxes_not_offered(&self, at: &Compared<'_, B>) -> Option<Reason> {
        let is_drawn_safe = self.is_quiet(at) && at.safe.has(at.mistake.mv.into());
        let is_proven = at.mistake.before.is_exact() && at.mistake.after.is_exact();
        let by_better = at.offered_by_better.as_ref().filter(|_| is_drawn_safe && is_proven)?;
        let chain = (by_better.n_boxes > 0).then(|| self.chain_of(at.undrawn, at.better)).flatten()?;
        let reason = self.counted("not-sacrificed", by_better.n_boxes, !at.mover);
        Some(Reason { cells: indices(chain.boxes), ..reason })
    }

    /// Both lines are proven and reach the point at which no safe edge is left: the other side is in control there, and the mover after the
    /// better move.
    fn control_lost(&self, at: &Compared<'_, B>) -> Option<Reason> {
        let played = [&[at.mistake.mv], at.mistake.answer.moves.as_slice()].concat();
        let played = Line { moves: played, is_proven: at.mistake.answer.is_proven };
        let ((lost, line), (kept, _)) =
            (self.at_last(at.before, &played)?, self.at_last(at.before, &at.mistake.better)?);
        let is_lost = lost.favoured == Some(!at.mover) && kept.favoured == Some(at.mover);
        let (n, other) = (lost.n_long_chains(), kept.n_long_chains());
        let kind = if lost.needs_even == at.mover { "control-lost-even" } else { "control-lost-odd" };
        let reason = self.counted(kind, n as i32, !at.mover).number("instead", other as i32);
        (is_lost && n > 0 && n != other).then_some(Reason { line, ..reason })
    }

    /// Both moves are safe: if both sides draw safe edges as long as there are any, the mover can be made to draw the first other edge, which
    /// the other side has to do after the better move.
    fn runs_out_of_safe_edges(&self, at: &Compared<'_, B>) -> Option<Reason> {
        let is_safe = |mv: u8| at.safe.has(mv.into());
        if !self.is_quiet(at) || !is_safe(at.mistake.mv) || !is_safe(at.better) || at.safe.count() > MOST_SAFE {
            return None;
        }
        let mut known = HashMap::new();
        // Whether the other side, which moves there, draws the last safe edge.
        let mut is_last = |mv: u8| self.draws_last_safe(at.undrawn.and_not(B::single(mv.into())), &mut known);
        let (n, other) = (self.n_safe_after(at, at.mistake.mv), self.n_safe_after(at, at.better));
        let runs_out = is_last(at.mistake.mv) && !is_last(at.better);
        runs_out.then(|| self.counted("runs-out-of-safe-edges", n, !at.mover).number("instead", other))
    }

    fn n_safe_after(&self, at: &Compared<'_, B>, mv: u8) -> i32 {
        self.safe_edges(at.undrawn.and_not(B::single(mv.into()))).count() as i32
    }

    /// Whether the side to move draws the last safe edge if both sides try to, in a position without boxes on offer.
    fn draws_last_safe(&self, undrawn: B, known: &mut HashMap<B, bool>) -> bool {
        if let Some(&last) = known.get(&undrawn) {
            return last;
        }
        let last =
            self.safe_edges(undrawn).ones().any(|edge| !self.draws_last_safe(undrawn.and_not(B::single(edge)), known));
        known.insert(undrawn, last);
        last
    }

    /// The safe edges of a position without boxes on offer.
    fn safe_edges(&self, undrawn: B) -> B {
        self.grid.safe(&self.grid.degrees(undrawn), undrawn)
    }

    /// The first position of a proven line in which no safe edge is left and no box is on offer, with the moves that lead to it.
    fn at_last(&self, start: &State<B>, line: &Line<u8>) -> Option<(Remaining, Vec<String>)> {
        let mut state = *start;
        for (i, &mv) in line.moves.iter().enumerate().filter(|_| line.is_proven) {
            self.play(&mut state, mv);
            let undrawn = self.undrawn(&state);
            let degrees = self.grid.degrees(undrawn);
            if degrees.one.is_empty() && !undrawn.is_empty() && self.grid.safe(&degrees, undrawn).is_empty() {
                let moves = line.moves[..=i].iter().map(|&mv| self.print_move(start, mv)).collect();
                let remaining = self.chain_structure(&state).remaining;
                // Where chains meet, some of them join before the end.
                return remaining.exact_value.is_some().then_some((remaining, moves));
            }
        }
        None
    }

    /// No box can be taken.
    fn is_quiet(&self, at: &Compared<'_, B>) -> bool {
        at.own.n_boxes == 0
    }

    /// What the other side can take if both moves put boxes on offer and close none, in a position where no box can be taken.
    fn both_offer<'a>(&self, at: &'a Compared<'_, B>) -> Option<(&'a Offers<B>, &'a Offers<B>)> {
        let both = at.offered.as_ref().zip(at.offered_by_better.as_ref());
        both.filter(|(played, better)| self.is_quiet(at) && played.n_boxes > 0 && better.n_boxes > 0)
    }

    /// The chain or loop that an edge of a quiet position belongs to.
    fn chain_of(&self, undrawn: B, mv: u8) -> Option<Chain<B>> {
        let degrees = self.grid.degrees(undrawn);
        chains(&self.grid, &degrees, undrawn, degrees.two).find(|chain| chain.edges.has(mv.into()))
    }

    /// The edges that hand boxes back, and how many boxes.
    fn tails(&self, undrawn: B) -> impl Iterator<Item = (u32, i32)> + '_ {
        let degrees = self.grid.degrees(undrawn);
        let offers = degrees.one.ones().map(move |number| self.grid.offer(&degrees, undrawn, B::single(number)));
        offers.filter_map(|offer| match offer {
            Offer::Tail(tail) => Some((tail.give.lowest(), tail.n_boxes)),
            Offer::Free(..) => None,
        })
    }

    /// The boxes that an edge closes.
    fn closed_by(&self, undrawn: B, mv: u8) -> B {
        let edge = B::single(mv.into());
        let closed = |number: &u32| self.layout.boxes[*number as usize].and(undrawn) == edge;
        (0..self.layout.shape.n_boxes()).filter(closed).fold(B::EMPTY, |set, number| set.or(B::single(number)))
    }

    fn counted(&self, kind: &'static str, n: i32, side: Side) -> Reason {
        Reason::new(kind, side).number("n", n)
    }
}

fn indices<B: Bits>(set: B) -> Vec<usize> {
    set.ones().map(|number| number as usize).collect()
}

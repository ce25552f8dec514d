//! The edges that an exact search must try: every other edge is proven to be no better than one of them.
//!
//! In the following, v(G) is the number of boxes that the mover wins from G on minus those of the opponent, Gx is G
//! with edge x drawn, and a box *on offer* has one undrawn edge. The tests check every rule on all positions of small
//! boards.
//!
//! **Take or hand back.** Let e be the last edge of a box b on offer, and x an edge that closes nothing, neither now nor
//! once e is drawn. After x the opponent can still draw e, so v(Gx) >= 1 + v(Gxe); drawing e and then x wins
//! 1 - v(Gex), while x alone wins -v(Gx) <= -1 - v(Gex). So while b is on offer, the only edge beside captures that can
//! be best is one that closes a box after e: the other edge f of the box c beyond e, where c has just these two.
//!
//! **Free captures.** If there is no such f, because beyond e lies the ground or c has one, three or four undrawn
//! edges, then e is best: let y be another capture. If e is free after y as well, then by induction v(Gy) is what e
//! wins there, and e and y can be drawn in either order. If it is not, y has just taken the third edge of c from a box
//! on offer, as e would have; b and that box are then equivalent, and so are Gy and Ge.
//!
//! **Long chains.** The same e is best if the box d beyond f has two edges, f and g, and the box beyond g is not on
//! offer (the chain is open at its far end, or longer). Against f: it leaves b and c, which the opponent takes with e,
//! a free capture, and then d, so it wins at most -3 - v(Gefg); e and then g, which closes nothing, leave the opponent
//! c and d, also free, and win 1 - 2 - v(Gefg). Against another capture y: either the chain stays as described, or y
//! takes the fifth box of a chain on offer at both ends, and Gy and Ge are equivalent. If d is itself on offer, f is a
//! capture; e and f are equivalent.
//!
//! The remaining case is tails, of two boxes that are open at the far end or of four on offer at both ends: only e and
//! f can be best. With two tails, no f can be best, as it is none of the edges that the other tail allows. Both ends of
//! a tail of four are equivalent.
//!
//! **Quiet positions.** With no box on offer, border edges of the same box are equivalent, since each runs from that
//! box to the ground. Once one edge of a chain is drawn, the opponent takes all of it, or all but a tail that it hands
//! back by its last edge; then all edges of the chain are drawn, whichever was first. A tail can be handed back after
//! any edge of a chain of three or more was drawn, never with one box, and with two unless the edge between them was
//! drawn, which gives the opponent fewer options. So one edge of each chain is enough, and for two boxes it is the one
//! between them. All edges of a loop are equivalent.

use banyan_bits::Bits;
use banyan_core::MoveList;

use super::DotsAndBoxes;
use super::chains::chains;
use super::degrees::Degrees;
use super::offers::Offer;

impl<B: Bits> DotsAndBoxes<B> {
    /// Appends the undominated edges.
    pub(super) fn undominated_edges(&self, undrawn: B, out: &mut MoveList<u8>) {
        let degrees = self.grid.degrees(undrawn);
        let start = out.len();
        let mut handed_back = B::EMPTY;
        for number in degrees.one.ones() {
            match self.grid.offer(&degrees, undrawn, B::single(number)) {
                Offer::Free(edge, _) => {
                    out.truncate(start);
                    out.push(edge.lowest() as u8);
                    return;
                }
                // The far end of a tail of four yields the same edge.
                Offer::Tail(tail) if !handed_back.and(tail.give).is_empty() => {}
                Offer::Tail(tail) => {
                    handed_back = handed_back.or(tail.give);
                    out.push(tail.take.lowest() as u8);
                }
            }
        }
        match handed_back.count() {
            0 => out.extend(self.not_equivalent(&degrees, undrawn).ones().map(|edge| edge as u8)),
            1 => out.push(handed_back.lowest() as u8),
            _ => {}
        }
    }

    /// The undrawn edges of a quiet position, one of each set of equivalent ones.
    fn not_equivalent(&self, degrees: &Degrees<B>, undrawn: B) -> B {
        let mut kept = undrawn;
        for chain in chains(&self.grid, degrees, undrawn, degrees.two) {
            let edge = self.grid.inner_edge(&chain, undrawn);
            kept = kept.and_not(chain.edges).or(edge);
        }
        for number in degrees.more.ones() {
            let border = self.layout.boxes[number as usize].and(undrawn).and(self.layout.border);
            if border.count() > 1 {
                kept = kept.and_not(border).or(B::single(border.lowest()));
            }
        }
        kept
    }
}

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
//! What remains are tails, of two boxes that are open at the far end or of four on offer at both ends: {e, f} is all
//! that matters. With two tails, no f can be best, as it is none of the edges that the other tail allows. Both ends of
//! a tail of four are equivalent.
//!
//! **Quiet positions.** With no box on offer, border edges of the same box are equivalent, since each runs from that
//! box to the ground. Once one edge of a chain is drawn, the opponent takes all of it, or all but a tail that it hands
//! back by its last edge; all edges of the chain are drawn then, whichever came first. A tail can be handed back after
//! any edge of a chain of three or more was drawn, never with one box, and with two unless the edge between them was
//! drawn, which gives the opponent fewer options. So one edge of each chain is enough, and for two boxes it is the one
//! between them. All edges of a loop are equivalent.

use banyan_core::MoveList;
use banyan_core::bits::Bits;

use super::coins::Coins;

/// What is proven about a box on offer.
enum Offer {
    /// Taking it is best.
    Free,
    /// It begins a tail, which may be handed back by this edge.
    Tail(u32),
}

impl<B: Bits> Coins<'_, B> {
    /// Appends the undominated edges.
    pub(super) fn undominated(&self, out: &mut MoveList<u8>) {
        let start = out.len();
        let mut handed_back = B::EMPTY;
        for number in 0..self.layout.shape.n_boxes() {
            let left = self.left(number);
            if left.count() != 1 {
                continue;
            }
            let edge = left.lowest();
            match self.offer(number, edge) {
                Offer::Free => {
                    out.truncate(start);
                    out.push(edge as u8);
                    return;
                }
                // The far end of a tail of four names the same edge.
                Offer::Tail(back) if handed_back.has(back) => {}
                Offer::Tail(back) => {
                    handed_back = handed_back.or(B::single(back));
                    out.push(edge as u8);
                }
            }
        }
        match handed_back.count() {
            0 => out.extend(self.quiet().ones().map(|edge| edge as u8)),
            1 => out.push(handed_back.lowest() as u8),
            _ => {}
        }
    }

    /// The case of the box `b` with the single undrawn edge `e`.
    fn offer(&self, b: u32, e: u32) -> Offer {
        let Some((c, f)) = self.next_in_chain(b, e) else { return Offer::Free };
        let Some(d) = self.beyond(c, f) else { return Offer::Tail(f) };
        match self.left(d).count() {
            1 => Offer::Free,
            2 => {
                let g = self.left(d).and_not(B::single(f)).lowest();
                let closed = self.beyond(d, g).is_some_and(|last| self.left(last).count() == 1);
                if closed { Offer::Tail(f) } else { Offer::Free }
            }
            _ => Offer::Tail(f),
        }
    }

    /// The box beyond `edge` and its other edge, if it has two.
    #[inline(always)]
    fn next_in_chain(&self, number: u32, edge: u32) -> Option<(u32, u32)> {
        let next = self.beyond(number, edge)?;
        let left = self.left(next);
        (left.count() == 2).then(|| (next, left.and_not(B::single(edge)).lowest()))
    }

    /// The undrawn edges, one of each set of equivalent ones; no box is on offer.
    fn quiet(&self) -> B {
        let (mut kept, mut seen) = (self.undrawn, 0u128);
        for number in 0..self.layout.shape.n_boxes() {
            let left = self.left(number);
            if left.count() == 2 && seen >> number & 1 == 0 {
                let chain = self.chain(number, &mut seen);
                kept = kept.and_not(chain.edges).or(B::single(chain.inner));
            } else if left.count() > 2 {
                let border = left.and(self.layout.border);
                if border.count() > 1 {
                    kept = kept.and_not(border).or(B::single(border.lowest()));
                }
            }
        }
        kept
    }
}

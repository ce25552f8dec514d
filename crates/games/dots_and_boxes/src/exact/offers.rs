//! Taking the boxes on offer, down to a quiet position.

use banyan_core::bits::Bits;

use super::degrees::Grid;

/// A position with boxes on offer, after which the side to move has one choice at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Offers<B> {
    /// Boxes that it can take.
    pub(super) n_boxes: i32,
    /// The last of them, which it can hand back instead: 0, 2 or 4.
    pub(super) back: i32,
    /// The undrawn edges that remain either way. No box is on offer there.
    pub(super) rest: B,
}

impl<B: Bits> Offers<B> {
    /// The value for the side to move, where `rest` is that of the remaining edges for whoever moves there.
    #[inline(always)]
    pub(super) fn value(&self, rest: i32) -> i32 {
        if self.back == 0 { self.n_boxes + rest } else { self.n_boxes - self.back + (rest + self.back).abs() }
    }
}

impl<B: Bits> Grid<B> {
    /// Takes the boxes on offer in `undrawn`. The cases are those of `undominated.rs`, where they are proven; with tails of
    /// two and of four boxes, the latter are taken first, for handing back two costs less.
    pub(super) fn take_offers(&self, mut undrawn: B) -> Offers<B> {
        let mut n_boxes = 0;
        loop {
            let degrees = self.degrees(undrawn);
            if degrees.one.is_empty() {
                return Offers { n_boxes, back: 0, rest: undrawn };
            }
            // The edges of a tail, the edge that takes its first box, the edge that hands it back, and its boxes.
            let mut tail: Option<(B, B, B, i32)> = None;
            let mut n_tails = 0;
            let mut take = None;
            for number in degrees.one.ones() {
                let first = B::single(number);
                let e = self.edges_of(first).and(undrawn);
                let c = self.beside(&degrees, first);
                if c.and(degrees.two).is_empty() {
                    take = Some((e, if c.and(degrees.one).is_empty() { 1 } else { 2 }));
                    break;
                }
                let f = self.edges_of(c).and(undrawn).and_not(e);
                let d = self.beside(&degrees, c).and_not(first);
                let found = if d.is_empty() || !d.and(degrees.more).is_empty() {
                    Some((e.or(f), e, f, 2))
                } else if !d.and(degrees.one).is_empty() {
                    None
                } else {
                    let g = self.edges_of(d).and(undrawn).and_not(f);
                    let last = self.beside(&degrees, d).and_not(c);
                    (!last.and(degrees.one).is_empty()).then_some((e.or(f).or(g), e, f, 4))
                };
                match (found, tail) {
                    (None, _) => {
                        take = Some((e, 1));
                        break;
                    }
                    // The far end of a tail of four.
                    (Some((_, _, f, _)), Some((_, _, other, _))) if f == other => {}
                    (Some(found), _) => {
                        n_tails += 1;
                        if tail.is_none_or(|(_, _, _, back)| found.3 > back) {
                            tail = Some(found);
                        }
                    }
                }
            }
            match (take, tail) {
                (Some((edge, taken)), _) => {
                    undrawn = undrawn.and_not(edge);
                    n_boxes += taken;
                }
                (None, Some((edges, _, _, back))) if n_tails == 1 => {
                    return Offers { n_boxes: n_boxes + back, back, rest: undrawn.and_not(edges) };
                }
                (None, Some((_, edge, _, _))) => {
                    undrawn = undrawn.and_not(edge);
                    n_boxes += 1;
                }
                (None, None) => unreachable!("a box on offer is free or begins a tail"),
            }
        }
    }
}

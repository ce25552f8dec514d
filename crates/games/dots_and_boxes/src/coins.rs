//! A position as strings and coins: an open box is a coin, an undrawn edge a string from it to the neighbouring coin or
//! to the ground (Berlekamp, Conway and Guy, Winning Ways, chapter 16).

use banyan_core::bits::Bits;

use super::layout::Layout;

/// The open boxes and the undrawn edges between them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coins<'a, B> {
    pub(super) layout: &'a Layout<B>,
    pub(super) undrawn: B,
}

/// Connected boxes with two undrawn edges each: a chain, or a loop if it ends where it begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chain<B> {
    /// The undrawn edges of its boxes.
    pub(super) edges: B,
    pub(super) n_boxes: u32,
    pub(super) is_loop: bool,
    /// One of its edges; between two of its boxes if it has two or more.
    pub(super) inner: u32,
}

impl<B: Bits> Coins<'_, B> {
    /// The undrawn edges of a box.
    #[inline(always)]
    pub(super) fn left(&self, number: u32) -> B {
        self.layout.boxes[number as usize].and(self.undrawn)
    }

    /// The neighbouring box across an edge of this box; `None` on the border.
    #[inline(always)]
    pub(super) fn beyond(&self, number: u32, edge: u32) -> Option<u32> {
        let neighbours = &self.layout.neighbours[edge as usize];
        let [one, other] = neighbours.numbers.map(u32::from);
        // A missing box comes second.
        (!neighbours.edges[1].has(Layout::<B>::NEVER)).then_some(if one == number { other } else { one })
    }

    /// The edges that close a box, else those that put no box on offer, else all undrawn ones.
    pub(super) fn casual(&self) -> B {
        let (mut closing, mut safe) = (B::EMPTY, self.undrawn);
        for number in 0..self.layout.shape.n_boxes() {
            let left = self.left(number);
            match left.count() {
                1 => closing = closing.or(left),
                2 => safe = safe.and_not(left),
                _ => {}
            }
        }
        match (closing.is_empty(), safe.is_empty()) {
            (false, _) => closing,
            (true, false) => safe,
            (true, true) => self.undrawn,
        }
    }

    /// The chain through `start`, which has two undrawn edges; its boxes are added to `seen`.
    #[inline]
    pub(super) fn chain(&self, start: u32, seen: &mut u128) -> Chain<B> {
        let edges = self.left(start);
        let mut chain = Chain { edges, n_boxes: 1, is_loop: false, inner: edges.lowest() };
        *seen |= 1 << start;
        for way in edges.ones() {
            let (mut at, mut edge) = (start, way);
            while let Some(next) = self.beyond(at, edge) {
                let left = self.left(next);
                if left.count() != 2 {
                    break;
                }
                if *seen >> next & 1 == 1 {
                    // Only a loop leads back into the chain.
                    chain.is_loop = true;
                    break;
                }
                *seen |= 1 << next;
                chain.n_boxes += 1;
                chain.edges = chain.edges.or(left);
                chain.inner = edge;
                (at, edge) = (next, left.and_not(B::single(edge)).lowest());
            }
            if chain.is_loop {
                break;
            }
        }
        chain
    }
}

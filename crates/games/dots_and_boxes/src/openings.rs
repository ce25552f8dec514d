//! Moves that open a chain or a loop where no box is on offer.

use banyan_core::bits::Bits;

use super::chains::{Chain, chains};
use super::degrees::{Degrees, Grid};
use super::loony::{BACK, kind};
use super::offers::Offers;

impl<B: Bits> Grid<B> {
    /// Adds what the moves that offer boxes leave to the other side, the fewest boxes first: one move for each chain that ends
    /// in a box with three or more undrawn edges, and for the smallest isolated chain or loop of each kind.
    #[inline]
    pub(super) fn push_openings(&self, degrees: &Degrees<B>, undrawn: B, openings: &mut Vec<Offers<B>>) {
        let begin = openings.len();
        let mut smallest: [Option<Chain<B>>; 3] = [None; 3];
        for chain in chains(self, degrees, undrawn, degrees.two) {
            if chain.isolated {
                let smallest = &mut smallest[kind(chain.n_boxes, chain.is_loop)];
                if smallest.is_none_or(|other| chain.n_boxes < other.n_boxes) {
                    *smallest = Some(chain);
                }
            } else {
                openings.push(self.opened(undrawn, &chain));
            }
        }
        openings.extend(smallest.into_iter().flatten().map(|chain| self.opened(undrawn, &chain)));
        // By insertion: there are few.
        for end in begin + 1..openings.len() {
            let mut place = end;
            while place > begin && openings[place - 1].n_boxes > openings[place].n_boxes {
                openings.swap(place - 1, place);
                place -= 1;
            }
        }
    }

    /// What opening a chain or loop leaves to the other side.
    #[inline]
    fn opened(&self, undrawn: B, chain: &Chain<B>) -> Offers<B> {
        let rest = undrawn.and_not(chain.edges);
        if self.degrees(rest).one.is_empty() {
            let back = BACK[kind(chain.n_boxes, chain.is_loop)];
            return Offers { n_boxes: chain.n_boxes as i32, back, rest };
        }
        // Both ends lead to the same box, which is taken too. A chain of two is opened between its boxes.
        let opening =
            if chain.n_boxes == 2 { self.inner_edge(chain, undrawn) } else { B::single(chain.edges.lowest()) };
        self.take_offers(undrawn.and_not(opening))
    }
}

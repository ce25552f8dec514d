//! Solver key: one key for positions whose values for the side to move are equal for simple reasons.
//!
//! The boxes won from here on depend only on the undrawn edges, not on the mover, and are equal for symmetric
//! positions. Border edges of the same box are equivalent, as each connects that box to the ground (in corners: Barker
//! and Korf 2012, Solving Dots-And-Boxes), so drawn ones are replaced by the lowest.

use banyan_bits::Bits;

use super::layout::Images;
use super::shape::Shape;

/// Edges mapped by one table lookup.
const GROUP: u32 = 4;

/// Tables of the images of groups of edges by symmetries.
#[derive(Clone, Debug)]
pub(super) struct SolverKey<B> {
    /// `[symmetry][group][edges of the group]`: their image.
    images: Vec<Vec<[B; 1 << GROUP]>>,
    /// Pairs of equivalent edges, the lower one first.
    equivalent: Vec<[u32; 2]>,
}

impl<B: Bits> SolverKey<B> {
    pub(super) fn new(shape: Shape, border: B, images: &[Images]) -> SolverKey<B> {
        let n_groups = shape.n_edges().div_ceil(GROUP);
        let group = |images: &Images, group: u32| {
            std::array::from_fn(|edges| {
                let sent = (0..GROUP).filter(|i| edges >> i & 1 == 1).filter_map(|i| {
                    images.edges.get((group * GROUP + i) as usize).map(|&edge| B::single(u32::from(edge)))
                });
                sent.fold(B::EMPTY, B::or)
            })
        };
        let images = images.iter().map(|images| (0..n_groups).map(|i| group(images, i)).collect()).collect();
        SolverKey { images, equivalent: equivalent(shape, border) }
    }

    /// The key of the positions with these edges drawn.
    #[inline(always)]
    pub(super) fn of(&self, drawn: B) -> u64 {
        let keys = self.images.iter().map(|groups| self.lowered(image(groups, drawn)).hash_with(2));
        keys.min().expect("the identity is always there")
    }

    /// `drawn`, with drawn edges replaced by the lowest equivalent ones.
    #[inline(always)]
    fn lowered(&self, mut drawn: B) -> B {
        for &[low, high] in &self.equivalent {
            if drawn.has(high) && !drawn.has(low) {
                drawn = drawn.xor(B::single(high)).or(B::single(low));
            }
        }
        drawn
    }
}

#[inline(always)]
fn image<B: Bits>(groups: &[[B; 1 << GROUP]], drawn: B) -> B {
    let mut image = B::EMPTY;
    let mut left = drawn;
    for group in groups {
        image = image.or(group[left.low_word() as usize % (1 << GROUP)]);
        left = left.down(GROUP);
    }
    image
}

/// Pairs of border edges of the same box, in an order in which comparing pair by pair sorts each box's edges.
pub(super) fn equivalent<B: Bits>(shape: Shape, border: B) -> Vec<[u32; 2]> {
    let mut pairs = Vec::new();
    for number in 0..shape.n_boxes() {
        let mut sides = shape.sides(number).map(u32::from).to_vec();
        sides.retain(|&edge| border.has(edge));
        sides.sort_unstable();
        for end in (1..sides.len()).rev() {
            pairs.extend((0..end).map(|i| [sides[i], sides[i + 1]]));
        }
    }
    pairs
}

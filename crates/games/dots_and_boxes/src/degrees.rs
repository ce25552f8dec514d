//! Sets of boxes by their number of undrawn edges, by bit operations on all boxes at once.
//!
//! A set of boxes is kept in the same word as a set of edges.

use banyan_core::bits::Bits;
use banyan_core::cpu::{gather_bits, scatter_bits};

use crate::layout::Layout;

/// Boxes by undrawn edges: where each has them, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Degrees<B> {
    /// The boxes whose upper, lower, left and right edge is undrawn.
    above: B,
    below: B,
    left: B,
    right: B,
    /// The boxes on offer: one edge is undrawn.
    pub(crate) one: B,
    /// The boxes in chains and loops: two edges are undrawn.
    pub(crate) two: B,
    /// The boxes with three or four undrawn edges: junctions, where chains end.
    pub(crate) more: B,
}

impl<B: Bits> Degrees<B> {
    /// The boxes that are not closed.
    #[inline(always)]
    pub(crate) fn open(&self) -> B {
        self.one.or(self.two).or(self.more)
    }
}

/// Geometry of a board as shifts and masks.
#[derive(Clone, Debug)]
pub(crate) struct Grid<B> {
    columns: u32,
    n_horizontal: u32,
    boxes: Vec<B>,
    /// Every box, those of the first and those of the last column.
    all: B,
    first: B,
    last: B,
    /// Numbers of the vertical edges, counted from 0, that are left and right edges of boxes; for one machine word.
    lefts: u64,
    rights: u64,
}

impl<B: Bits> Grid<B> {
    pub(crate) fn new(layout: &Layout<B>) -> Grid<B> {
        let shape = layout.shape;
        let n_horizontal = (shape.rows() + 1) * shape.columns();
        let set =
            |numbers: &mut dyn Iterator<Item = u32>| numbers.fold(B::EMPTY, |set, number| set.or(B::single(number)));
        let column = |column: u32| set(&mut (0..shape.rows()).map(|row| row * shape.columns() + column));
        let vertical = |side: usize| {
            let edges = (0..shape.n_boxes()).map(|number| u32::from(shape.sides(number)[side]) - n_horizontal);
            edges.filter(|&edge| edge < 64).fold(0, |set, edge| set | 1 << edge)
        };
        Grid {
            columns: shape.columns(),
            n_horizontal,
            boxes: layout.boxes.clone(),
            all: set(&mut (0..shape.n_boxes())),
            first: column(0),
            last: column(shape.columns() - 1),
            lefts: vertical(2),
            rights: vertical(3),
        }
    }

    /// The boxes by their edges in `undrawn`.
    #[inline(always)]
    pub(crate) fn degrees(&self, undrawn: B) -> Degrees<B> {
        if B::WIDTH == 64 { self.degrees_by_shifts(undrawn.low_word()) } else { self.degrees_by_box(undrawn) }
    }

    #[inline(always)]
    fn degrees_by_shifts(&self, undrawn: u64) -> Degrees<B> {
        let all = self.all.low_word();
        let vertical = undrawn >> self.n_horizontal;
        let (above, below) = (undrawn & all, undrawn >> self.columns & all);
        let (left, right) = (gather_bits(vertical, self.lefts), gather_bits(vertical, self.rights));
        // Four numbers of one bit are added in every box: `odd` is the lowest bit of the sum, `pairs` and `four` the others.
        let (sum, carry) = (above ^ below, above & below);
        let (other_sum, other_carry) = (left ^ right, left & right);
        let odd = sum ^ other_sum;
        let both = sum & other_sum;
        let pairs = carry ^ other_carry ^ both;
        let four = carry & other_carry;
        let set = B::from_low_word;
        Degrees {
            above: set(above),
            below: set(below),
            left: set(left),
            right: set(right),
            one: set(odd & !pairs),
            two: set(pairs & !odd),
            more: set(odd & pairs | four),
        }
    }

    fn degrees_by_box(&self, undrawn: B) -> Degrees<B> {
        let mut degrees = Degrees {
            above: B::EMPTY,
            below: B::EMPTY,
            left: B::EMPTY,
            right: B::EMPTY,
            one: B::EMPTY,
            two: B::EMPTY,
            more: B::EMPTY,
        };
        for (number, &edges) in (0u32..).zip(&self.boxes) {
            let left = edges.and(undrawn);
            if left.is_empty() {
                continue;
            }
            let number_set = B::single(number);
            let has = |edge: u32| if undrawn.has(edge) { number_set } else { B::EMPTY };
            let left_edge = self.n_horizontal + number / self.columns * (self.columns + 1) + number % self.columns;
            degrees.above = degrees.above.or(has(number));
            degrees.below = degrees.below.or(has(number + self.columns));
            degrees.left = degrees.left.or(has(left_edge));
            degrees.right = degrees.right.or(has(left_edge + 1));
            let class = match left.count() {
                1 => &mut degrees.one,
                2 => &mut degrees.two,
                _ => &mut degrees.more,
            };
            *class = class.or(number_set);
        }
        degrees
    }

    /// The boxes that share an undrawn edge with a box of the set.
    #[inline(always)]
    pub(crate) fn beside(&self, degrees: &Degrees<B>, boxes: B) -> B {
        let up = boxes.and(degrees.above).down(self.columns);
        let down = boxes.and(degrees.below).up(self.columns).and(self.all);
        let left = boxes.and(degrees.left).and_not(self.first).down(1);
        let right = boxes.and(degrees.right).and_not(self.last).up(1);
        up.or(down).or(left).or(right)
    }

    /// The boxes that share undrawn edges with two or more boxes of the set.
    pub(crate) fn beside_two_of(&self, degrees: &Degrees<B>, boxes: B) -> B {
        let up = boxes.and(degrees.above).down(self.columns);
        let down = boxes.and(degrees.below).up(self.columns).and(self.all);
        let left = boxes.and(degrees.left).and_not(self.first).down(1);
        let right = boxes.and(degrees.right).and_not(self.last).up(1);
        up.and(down).or(left.and(right)).or(up.or(down).and(left.or(right)))
    }

    /// All edges of the boxes.
    #[inline(always)]
    pub(crate) fn edges_of(&self, boxes: B) -> B {
        if B::WIDTH == 64 {
            let boxes = boxes.low_word();
            let vertical = scatter_bits(boxes, self.lefts) | scatter_bits(boxes, self.rights);
            B::from_low_word(boxes | boxes << self.columns | vertical << self.n_horizontal)
        } else {
            boxes.ones().fold(B::EMPTY, |edges, number| edges.or(self.boxes[number as usize]))
        }
    }

    /// The boxes of the set that are connected with `seed` by undrawn edges, those of `seed` included.
    #[inline(always)]
    pub(crate) fn connected(&self, degrees: &Degrees<B>, seed: B, set: B) -> B {
        let mut reached = seed;
        loop {
            let more = reached.or(self.beside(degrees, reached).and(set));
            if more == reached {
                return reached;
            }
            reached = more;
        }
    }

    /// The edges that can be drawn without putting a box on offer, while none is on offer.
    #[inline(always)]
    pub(crate) fn safe(&self, degrees: &Degrees<B>, undrawn: B) -> B {
        undrawn.and_not(self.edges_of(degrees.two))
    }
}

#[cfg(test)]
mod tests {
    use banyan_core::Rng;

    use super::*;
    use crate::Shape;

    fn random_set<B: Bits>(rng: &mut Rng, below: u32) -> B {
        (0..below).filter(|_| rng.below(2) == 0).fold(B::EMPTY, |set, number| set.or(B::single(number)))
    }

    #[test]
    fn both_forms_agree_with_counting_edges() {
        let mut rng = Rng::new(1);
        for size in ["1x1", "1x5", "3x2", "5x5", "1x20"] {
            let layout = Layout::<u64>::new(Shape::parse(size).expect("a size"));
            let grid = Grid::new(&layout);
            for _ in 0..300 {
                let undrawn = random_set::<u64>(&mut rng, layout.shape.n_edges());
                let degrees = grid.degrees(undrawn);
                assert_eq!(degrees, grid.degrees_by_box(undrawn), "{size} {undrawn:#x}");
                for (number, edges) in layout.boxes.iter().enumerate() {
                    let place = [degrees.one, degrees.two, degrees.more].map(|set| set.has(number as u32));
                    let count = (edges & undrawn).count_ones();
                    assert_eq!(place, [count == 1, count == 2, count > 2], "{size} {undrawn:#x} box {number}");
                }
                let boxes = random_set::<u64>(&mut rng, layout.shape.n_boxes());
                let edges = boxes.ones().fold(0, |edges, number| edges | layout.boxes[number as usize]);
                assert_eq!(grid.edges_of(boxes), edges, "{size} {boxes:#x}");
            }
        }
    }

    #[test]
    fn neighbours_share_an_undrawn_edge() {
        let mut rng = Rng::new(2);
        fn check<B: Bits>(size: &str, rng: &mut Rng) {
            let layout = Layout::<B>::new(Shape::parse(size).expect("a size"));
            let grid = Grid::new(&layout);
            for _ in 0..100 {
                let undrawn = random_set::<B>(rng, layout.shape.n_edges());
                let boxes = random_set::<B>(rng, layout.shape.n_boxes());
                let found = grid.beside(&grid.degrees(undrawn), boxes);
                for (number, edges) in (0..).zip(&layout.boxes) {
                    let shares = |other: u32| {
                        other != number && !edges.and(layout.boxes[other as usize]).and(undrawn).is_empty()
                    };
                    assert_eq!(found.has(number), boxes.ones().any(shares), "{size} {undrawn:?} box {number}");
                }
            }
        }
        check::<u64>("4x5", &mut rng);
        check::<u128>("6x7", &mut rng);
        check::<[u64; 3]>("9x9", &mut rng);
    }
}

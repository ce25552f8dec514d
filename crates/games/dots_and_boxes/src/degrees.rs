//! Sets of boxes by their number of undrawn edges, by bit operations on all boxes at once.
//!
//! A set of boxes is kept in the same word as a set of edges.

use banyan_bits::Bits;
use banyan_bits::cpu::FixedMask;

use crate::layout::Layout;
use crate::shape::Shape;

/// Number of boxes from which their edges are found row by row rather than box by box, on boards of several machine words.
const FEW: u32 = 8;

/// Sets of boxes by the sides on which they have undrawn edges, and by the number of these.
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
    rows: u32,
    columns: u32,
    n_horizontal: u32,
    /// `[box]`: its edges.
    boxes: Vec<B>,
    /// Every box, the boxes of the first column, and those of the last column.
    all: B,
    first: B,
    last: B,
    /// Numbers of the vertical edges, counted from 0, that are left and right edges of boxes; for one machine word.
    lefts: FixedMask,
    rights: FixedMask,
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
            rows: shape.rows(),
            columns: shape.columns(),
            n_horizontal,
            boxes: layout.boxes.clone(),
            all: set(&mut (0..shape.n_boxes())),
            first: column(0),
            last: column(shape.columns() - 1),
            lefts: FixedMask::new(vertical(2)),
            rights: FixedMask::new(vertical(3)),
        }
    }

    /// The boxes by their edges in `undrawn`.
    #[inline(always)]
    pub(crate) fn degrees(&self, undrawn: B) -> Degrees<B> {
        let (left, right) = self.left_and_right(undrawn);
        let (above, below) = (undrawn.and(self.all), undrawn.down(self.columns).and(self.all));
        // Four numbers of one bit are added in every box: `odd` is the lowest bit of the sum, `pairs` and `four` the others.
        let (sum, carry) = (above.xor(below), above.and(below));
        let (other_sum, other_carry) = (left.xor(right), left.and(right));
        let odd = sum.xor(other_sum);
        let both = sum.and(other_sum);
        let pairs = carry.xor(other_carry).xor(both);
        let four = carry.and(other_carry);
        Degrees {
            above,
            below,
            left,
            right,
            one: odd.and_not(pairs),
            two: pairs.and_not(odd),
            more: odd.and(pairs).or(four),
        }
    }

    /// The boxes whose left, and those whose right edge is in `undrawn`.
    #[inline(always)]
    fn left_and_right(&self, undrawn: B) -> (B, B) {
        if B::WIDTH == 64 {
            let vertical = undrawn.low_word() >> self.n_horizontal;
            let side = |edges: &FixedMask| B::from_low_word(edges.gather(vertical));
            return (side(&self.lefts), side(&self.rights));
        }
        // The last row first: each row is inserted below those that follow it.
        let mut rows = [0u64; Shape::MAX_EDGES as usize / 2];
        let mut vertical = shifted(undrawn, self.n_horizontal, B::down);
        for row in &mut rows[..self.rows as usize] {
            *row = vertical.low_word();
            vertical = shifted(vertical, self.columns + 1, B::down);
        }
        let in_row = (1 << self.columns) - 1;
        rows[..self.rows as usize].iter().rev().fold((B::EMPTY, B::EMPTY), |(left, right), row| {
            let put = |side: B, row: u64| side.up(self.columns).or(B::from_low_word(row & in_row));
            (put(left, *row), put(right, row >> 1))
        })
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
            let vertical = self.lefts.scatter(boxes) | self.rights.scatter(boxes);
            return B::from_low_word(boxes | boxes << self.columns | vertical << self.n_horizontal);
        }
        if boxes.count() < FEW {
            return boxes.ones().fold(B::EMPTY, |edges, number| edges.or(self.boxes[number as usize]));
        }
        let mut rows = [0u64; Shape::MAX_EDGES as usize / 2];
        let (mut left, in_row) = (boxes, (1 << self.columns) - 1);
        for row in &mut rows[..self.rows as usize] {
            *row = left.low_word() & in_row;
            left = left.down(self.columns);
        }
        let vertical = rows[..self.rows as usize]
            .iter()
            .rev()
            .fold(B::EMPTY, |edges, row| shifted(edges, self.columns + 1, B::up).or(B::from_low_word(row | row << 1)));
        boxes.or(boxes.up(self.columns)).or(shifted(vertical, self.n_horizontal, B::up))
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

    /// The edges that close a box, else those that put no box on offer, else all undrawn ones.
    pub(crate) fn casual(&self, undrawn: B) -> B {
        let degrees = self.degrees(undrawn);
        let closing = self.edges_of(degrees.one).and(undrawn);
        let safe = self.safe(&degrees, undrawn);
        match (closing.is_empty(), safe.is_empty()) {
            (false, _) => closing,
            (true, false) => safe,
            (true, true) => undrawn,
        }
    }

    /// The edges that can be drawn without putting a box on offer, while none is on offer.
    #[inline(always)]
    pub(crate) fn safe(&self, degrees: &Degrees<B>, undrawn: B) -> B {
        undrawn.and_not(self.edges_of(degrees.two))
    }
}

/// Shifts every number by `n`, which may be a machine word or more, with a function that shifts by less.
#[inline(always)]
fn shifted<B: Bits>(mut set: B, mut n: u32, shift: impl Fn(B, u32) -> B) -> B {
    while n > 0 {
        let step = n.min(63);
        set = shift(set, step);
        n -= step;
    }
    set
}

#[cfg(test)]
mod tests {
    use banyan_core::Rng;

    use super::*;

    fn random_set<B: Bits>(rng: &mut Rng, below: u32) -> B {
        (0..below).filter(|_| rng.below(2) == 0).fold(B::EMPTY, |set, number| set.or(B::single(number)))
    }

    #[test]
    fn boxes_are_classed_by_counting_their_edges() {
        fn check<B: Bits>(size: &str, rng: &mut Rng) {
            let layout = Layout::<B>::new(Shape::parse(size).expect("a size"));
            let grid = Grid::new(&layout);
            for _ in 0..300 {
                let undrawn = random_set::<B>(rng, layout.shape.n_edges());
                let degrees = grid.degrees(undrawn);
                for (number, edges) in (0..).zip(&layout.boxes) {
                    let has = layout.shape.sides(number).map(|edge| undrawn.has(edge.into()));
                    let sides = [degrees.above, degrees.below, degrees.left, degrees.right];
                    assert_eq!(sides.map(|set| set.has(number)), has, "{size} {undrawn:?} box {number}");
                    let place = [degrees.one, degrees.two, degrees.more].map(|set| set.has(number));
                    let count = edges.and(undrawn).count();
                    assert_eq!(place, [count == 1, count == 2, count > 2], "{size} {undrawn:?} box {number}");
                }
                let boxes = random_set::<B>(rng, layout.shape.n_boxes());
                let edges = boxes.ones().fold(B::EMPTY, |edges, number| edges.or(layout.boxes[number as usize]));
                assert_eq!(grid.edges_of(boxes), edges, "{size} {boxes:?}");
            }
        }
        let mut rng = Rng::new(1);
        for size in ["1x1", "1x5", "3x2", "5x5", "1x20"] {
            check::<u64>(size, &mut rng);
            check::<[u64; 3]>(size, &mut rng);
        }
        for size in ["7x7", "1x41", "41x1"] {
            check::<u128>(size, &mut rng);
        }
        for size in ["9x9", "1x63", "63x1", "2x37", "1x62"] {
            check::<[u64; 3]>(size, &mut rng);
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

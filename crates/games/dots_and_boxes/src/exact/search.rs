//! Null-window search of quiet positions.

use banyan_bits::Bits;
use banyan_exact::TableAccess;

use crate::chains::{Chain, chains, loony_value};
use crate::degrees::{Degrees, Grid};
use crate::layout::{self, Layout};
use crate::loony::{BACK, kind};
use crate::offers::Offers;
use crate::shape::Shape;
use crate::solver_key::equivalent;

/// Symmetries of a square board. On other boards each counts twice.
pub(super) const SYMMETRIES: usize = 8;

/// Images of a set of edges by the first N symmetries, of which the first is the identity.
type Images<B, const N: usize> = [B; N];

/// Tables that follow from the size of a board.
#[derive(Clone, Debug)]
pub(super) struct Board<B> {
    shape: Shape,
    pub(super) grid: Grid<B>,
    /// `[edge]`: its images by the symmetries.
    images: Vec<Images<B, SYMMETRIES>>,
    /// Pairs of equivalent edges.
    equivalent: Vec<[u32; 2]>,
    /// Every edge, in the order in which they are tried: those of the first set by their numbers, then those of the next.
    order: Vec<B>,
}

impl<B: Bits> Board<B> {
    /// The tables for a board. The order in which edges are tried differs by `thread`.
    pub(super) fn new(layout: &Layout<B>, grid: &Grid<B>, thread: u32) -> Board<B> {
        let shape = layout.shape;
        let image = |edge: u32, i: usize| B::single(layout.images[i % layout.images.len()].edges[edge as usize].into());
        Board {
            shape,
            grid: grid.clone(),
            images: (0..shape.n_edges()).map(|edge| std::array::from_fn(|i| image(edge, i))).collect(),
            equivalent: equivalent(shape, layout.border),
            order: order(layout, thread),
        }
    }

    pub(super) fn shape(&self) -> Shape {
        self.shape
    }

    fn images_of<const N: usize>(&self, edges: B) -> Images<B, N> {
        edges.ones().fold([B::EMPTY; N], |all, edge| {
            let images = &self.images[edge as usize];
            std::array::from_fn(|i| all[i].or(images[i]))
        })
    }

    #[inline(always)]
    fn without<const N: usize>(&self, images: &Images<B, N>, edge: u32) -> Images<B, N> {
        let removed = &self.images[edge as usize];
        std::array::from_fn(|i| images[i].and_not(removed[i]))
    }

    #[inline(always)]
    fn without_all<const N: usize>(&self, images: &Images<B, N>, edges: B) -> Images<B, N> {
        edges.ones().fold(*images, |images, edge| self.without(&images, edge))
    }

    /// The key: the least of the images, in each of which undrawn edges are replaced by the lowest equivalent ones. In
    /// boards of one machine word it names a position of the same value exactly, whatever N is; in others it is a hash.
    #[inline(always)]
    fn key<const N: usize>(&self, images: &Images<B, N>) -> u64 {
        let mut lowered = *images;
        for &[low, high] in &self.equivalent {
            let both = B::single(low).or(B::single(high));
            for set in &mut lowered {
                let swap = set.has(high) & !set.has(low);
                *set = set.xor(if swap { both } else { B::EMPTY });
            }
        }
        let key = |set: B| if B::WIDTH == 64 { set.low_word() } else { set.hash_with(2) };
        lowered.into_iter().map(key).fold(u64::MAX, u64::min)
    }

    /// `edges` without the higher of two equivalent ones.
    #[inline(always)]
    fn without_equivalent(&self, edges: B) -> B {
        self.equivalent.iter().fold(edges, |edges, &[low, high]| {
            if edges.has(low) && edges.has(high) { edges.and_not(B::single(high)) } else { edges }
        })
    }
}

/// The edges from the centre outwards, by the Manhattan distance of their middles. (Measured at 38 undrawn edges of 5x5: median
/// of positions 77 thousand, as they are numbered 89, from the border inwards 110. With orders that differ from position to position fewer
/// positions recur: in six positions with 40 undrawn edges, by the bounds of the children 1.16 to 1.20 times as many are visited, by the
/// parity of the safe edges that are left 1.27 to 1.43 times.) Further threads go around the centre from another side, so that they visit
/// other positions first.
fn order<B: Bits>(layout: &Layout<B>, thread: u32) -> Vec<B> {
    let shape = layout.shape;
    let images = &layout.images[thread as usize % layout.images.len()].edges;
    let with_distance = |edge: u8| {
        let (down, right) = layout::middle(shape, edge);
        let (rows, columns) = (down.abs_diff(shape.rows()), right.abs_diff(shape.columns()));
        (rows + columns, rows.max(columns), images[usize::from(edge)], edge)
    };
    let mut order: Vec<_> = (0..shape.n_edges() as u8).map(with_distance).collect();
    order.sort_unstable();
    let set = |edges: &[(_, _, _, u8)]| edges.iter().fold(B::EMPTY, |set, &(.., edge)| set.or(B::single(edge.into())));
    order.chunk_by(|edge, next| edge.3 < next.3).map(set).collect()
}

/// One search: a board and the table. Positions that the first N symmetries map onto each other share an entry.
pub(super) struct Search<'a, B, const N: usize> {
    board: &'a Board<B>,
    pub(super) table: TableAccess<'a>,
    /// Stack of the keys and edges of the children to be searched, for all positions from the root on: those of the last position are at
    /// the end.
    children: Vec<(u64, u32)>,
    /// Likewise, the results of the moves that offer boxes.
    offers: Vec<Offers<B>>,
}

impl<'a, B: Bits, const N: usize> Search<'a, B, N> {
    pub(super) fn new(board: &'a Board<B>, table: TableAccess<'a>) -> Search<'a, B, N> {
        Search { board, table, children: Vec::new(), offers: Vec::new() }
    }

    /// Whether the side to move wins at least `points` from here on; `None` if stopped. `points` has the parity of the
    /// number of open boxes.
    pub(super) fn reaches(&mut self, undrawn: B, points: i32) -> Option<bool> {
        let degrees = self.board.grid.degrees(undrawn);
        if degrees.one.is_empty() {
            let images = self.board.images_of(undrawn);
            return self.quiet_reaches(&images, self.board.key(&images), points);
        }
        let offers = self.board.grid.take_offers(undrawn);
        let images = self.board.images_of(offers.rest);
        if offers.back == 0 {
            return self.quiet_reaches(&images, self.board.key(&images), points - offers.n_boxes);
        }
        // n - t + |v + t| >= points.
        let distance = points - offers.n_boxes + offers.back;
        Some(distance <= 0 || !self.is_within(&images, -offers.back, distance - 2)?)
    }

    /// Whether the value of a quiet position differs from `centre` by at most `distance`, both of the parity of its values.
    fn is_within(&mut self, images: &Images<B, N>, centre: i32, distance: i32) -> Option<bool> {
        if distance < 0 {
            return Some(false);
        }
        let key = self.board.key(images);
        Some(
            self.quiet_reaches(images, key, centre - distance)?
                && !self.quiet_reaches(images, key, centre + distance + 2)?,
        )
    }

    /// Whether the side to move wins at least `points` from a quiet position with this key on; `None` if stopped.
    fn quiet_reaches(&mut self, images: &Images<B, N>, key: u64, points: i32) -> Option<bool> {
        let grid = &self.board.grid;
        let undrawn = images[0];
        let degrees = grid.degrees(undrawn);
        let open = degrees.open().count() as i32;
        if points > open || points <= -open {
            return Some(points <= -open);
        }
        if degrees.more.is_empty() {
            return Some(loony_value(grid, &degrees, undrawn) >= points);
        }
        let (mut lower, mut upper) = (-open, open);
        if let Some(entry) = self.table.get(key) {
            (lower, upper) = (entry.lower.into(), entry.upper.into());
            if lower >= points || upper < points {
                return Some(lower >= points);
            }
        }
        self.table.count()?;
        let before = self.table.nodes;
        let reaches = self.any_move_reaches(images, &degrees, points)?;
        if reaches {
            lower = points;
        } else {
            upper = points - 2;
        }
        self.table.put(key, (lower, upper), 0, before);
        Some(reaches)
    }

    fn any_move_reaches(&mut self, images: &Images<B, N>, degrees: &Degrees<B>, points: i32) -> Option<bool> {
        let safe = self.board.without_equivalent(self.board.grid.safe(degrees, images[0]));
        Some(
            (!safe.is_empty() && self.any_safe_edge_reaches(images, safe, points)?)
                || self.any_offer_reaches(images, degrees, points)?,
        )
    }

    /// Whether some safe edge leaves the other side at most `-points`.
    fn any_safe_edge_reaches(&mut self, images: &Images<B, N>, safe: B, points: i32) -> Option<bool> {
        let board = self.board;
        // The values that a position can have are two apart.
        let too_much = 2 - points;
        // The entries of all children are looked up before any child is searched.
        let begin = self.children.len();
        for edge in board.order.iter().flat_map(|set| set.and(safe).ones()) {
            let key = board.key(&board.without(images, edge));
            self.table.prefetch(key);
            self.children.push((key, edge));
        }
        let mut end = begin;
        for i in begin..self.children.len() {
            let child = self.children[i];
            match self.table.get(child.0) {
                Some(entry) if i32::from(entry.upper) < too_much => {
                    self.children.truncate(begin);
                    return Some(true);
                }
                Some(entry) if i32::from(entry.lower) >= too_much => {}
                _ => {
                    self.children[end] = child;
                    end += 1;
                }
            }
        }
        self.children.truncate(end);
        let mut reaches = false;
        for i in begin..end {
            let (key, edge) = self.children[i];
            if !self.quiet_reaches(&board.without(images, edge), key, too_much)? {
                reaches = true;
                break;
            }
        }
        self.children.truncate(begin);
        Some(reaches)
    }

    /// Whether opening some chain or loop leaves the other side at most `-points`.
    fn any_offer_reaches(&mut self, images: &Images<B, N>, degrees: &Degrees<B>, points: i32) -> Option<bool> {
        let undrawn = images[0];
        let begin = self.offers.len();
        self.push_offers(degrees, undrawn);
        let mut reaches = false;
        for i in begin..self.offers.len() {
            let Offers { n_boxes, back, rest } = self.offers[i];
            let images = self.board.without_all(images, undrawn.and_not(rest));
            reaches = if back == 0 {
                !self.quiet_reaches(&images, self.board.key(&images), 2 - points - n_boxes)?
            } else {
                // n - t + |v + t| <= -points.
                self.is_within(&images, -back, back - n_boxes - points)?
            };
            if reaches {
                break;
            }
        }
        self.offers.truncate(begin);
        Some(reaches)
    }

    /// Adds the results of the moves that offer boxes, those with the fewest boxes first: one move for each chain that ends
    /// in a box with three or more undrawn edges, and for the smallest isolated chain or loop of each kind.
    fn push_offers(&mut self, degrees: &Degrees<B>, undrawn: B) {
        let begin = self.offers.len();
        let mut smallest: [Option<Chain<B>>; 3] = [None; 3];
        for chain in chains(&self.board.grid, degrees, undrawn, degrees.two) {
            if chain.isolated {
                let smallest = &mut smallest[kind(chain.n_boxes, chain.is_loop)];
                if smallest.is_none_or(|other| chain.n_boxes < other.n_boxes) {
                    *smallest = Some(chain);
                }
            } else {
                let offer = self.offer(undrawn, &chain);
                self.offers.push(offer);
            }
        }
        for chain in smallest.into_iter().flatten() {
            let offer = self.offer(undrawn, &chain);
            self.offers.push(offer);
        }
        // Insertion sort, because there are few.
        for end in begin + 1..self.offers.len() {
            let mut place = end;
            while place > begin && self.offers[place - 1].n_boxes > self.offers[place].n_boxes {
                self.offers.swap(place - 1, place);
                place -= 1;
            }
        }
    }

    /// The boxes on offer and the remaining edges after a chain or loop is opened.
    #[inline]
    fn offer(&self, undrawn: B, chain: &Chain<B>) -> Offers<B> {
        let grid = &self.board.grid;
        let rest = undrawn.and_not(chain.edges);
        if grid.degrees(rest).one.is_empty() {
            let back = BACK[kind(chain.n_boxes, chain.is_loop)];
            return Offers { n_boxes: chain.n_boxes as i32, back, rest };
        }
        // Both ends lead to the same box, which is taken too. A chain of two is opened between its boxes.
        let opening =
            if chain.n_boxes == 2 { grid.inner_edge(chain, undrawn) } else { B::single(chain.edges.lowest()) };
        grid.take_offers(undrawn.and_not(opening))
    }
}

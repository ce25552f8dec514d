//! Lookup tables: the boxes beside an edge, and the images of edges and boxes by symmetries.

use banyan_bits::Bits;

use super::shape::{Line, Shape};

/// The one or two boxes that an edge bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbours<B> {
    /// The four edges of each box. A missing box has the edge that is never drawn, so it is never closed.
    pub(super) edges: [B; 2],
    /// The number of each box.
    pub(super) numbers: [u8; 2],
}

/// Tables that follow from the shape.
#[derive(Clone, Debug)]
pub(super) struct Layout<B> {
    pub(super) shape: Shape,
    /// Every edge of the board.
    pub(super) edges: B,
    /// The edges that bound one box only.
    pub(super) border: B,
    /// `[edge]`; one entry for every `u8`, so that indexing needs no bounds check.
    pub(super) neighbours: Box<[Neighbours<B>; 256]>,
    /// `[box]`: its four edges.
    pub(super) boxes: Vec<B>,
    /// `[symmetry]`: its images.
    pub(super) images: Vec<Images>,
}

/// The images of edges and boxes by one symmetry.
#[derive(Clone, Debug)]
pub(super) struct Images {
    /// `[edge]`: its image.
    pub(super) edges: Vec<u8>,
    /// `[box]`: its image.
    pub(super) boxes: Vec<u8>,
}

impl<B: Bits> Layout<B> {
    /// The edge that is never drawn: the highest bit, so that it comes after every real edge.
    pub(super) const NEVER: u32 = B::WIDTH - 1;

    pub(super) fn new(shape: Shape) -> Layout<B> {
        let set = |edges: &[u8]| edges.iter().fold(B::EMPTY, |set, &edge| set.or(B::single(u32::from(edge))));
        let boxes: Vec<B> = (0..shape.n_boxes()).map(|number| set(&shape.sides(number))).collect();
        let n_symmetries = if shape.rows() == shape.columns() { 8 } else { 4 };
        let on_border = |edge: &u32| boxes.iter().filter(|sides| sides.has(*edge)).count() == 1;
        Layout {
            shape,
            border: (0..shape.n_edges()).filter(on_border).fold(B::EMPTY, |set, edge| set.or(B::single(edge))),
            edges: (0..shape.n_edges()).fold(B::EMPTY, |set, edge| set.or(B::single(edge))),
            neighbours: neighbours(&boxes),
            boxes,
            images: (0..n_symmetries).map(|symmetry| images(shape, symmetry)).collect(),
        }
    }

    /// The boxes that are closed when `drawn` is drawn.
    pub(super) fn closed(&self, drawn: B) -> impl Iterator<Item = u32> {
        (0u32..).zip(&self.boxes).filter(move |(_, edges)| edges.and_not(drawn).is_empty()).map(|(number, _)| number)
    }
}

fn neighbours<B: Bits>(boxes: &[B]) -> Box<[Neighbours<B>; 256]> {
    let nowhere = Neighbours { edges: [B::single(Layout::<B>::NEVER); 2], numbers: [0; 2] };
    let mut all = Box::new([nowhere; 256]);
    let mut found = [0; 256];
    for (number, &edges) in boxes.iter().enumerate() {
        for edge in edges.ones() {
            let (neighbours, n_found) = (&mut all[edge as usize], &mut found[edge as usize]);
            neighbours.edges[*n_found] = edges;
            neighbours.numbers[*n_found] = number as u8;
            *n_found += 1;
        }
    }
    all
}

/// Symmetry numbers are sets of three bits: 1 swaps left and right, 2 swaps top and bottom, 4 then transposes rows and
/// columns.
fn images(shape: Shape, symmetry: u8) -> Images {
    // The middle of an edge or box in half steps from the top left dot: (down, right).
    let image = |(down, right): (u32, u32)| {
        let right = if symmetry & 1 != 0 { 2 * shape.columns() - right } else { right };
        let down = if symmetry & 2 != 0 { 2 * shape.rows() - down } else { down };
        if symmetry & 4 != 0 { (right, down) } else { (down, right) }
    };
    let edges = (0..shape.n_edges() as u8).map(|edge| {
        let (down, right) = image(middle(shape, edge));
        let line = if down % 2 == 0 { Line::Horizontal } else { Line::Vertical };
        shape.edge(line, down / 2, right / 2).expect("a symmetry maps edges to edges")
    });
    let boxes = (0..shape.n_boxes()).map(|number| {
        let (down, right) = image((2 * (number / shape.columns()) + 1, 2 * (number % shape.columns()) + 1));
        (down / 2 * shape.columns() + right / 2) as u8
    });
    Images { edges: edges.collect(), boxes: boxes.collect() }
}

/// The middle of `edge` in half steps from the top left dot: down, right.
pub(super) fn middle(shape: Shape, edge: u8) -> (u32, u32) {
    match shape.place(edge) {
        (Line::Horizontal, row, column) => (2 * row, 2 * column + 1),
        (Line::Vertical, row, column) => (2 * row + 1, 2 * column),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_edges_bound_two_boxes_and_border_edges_one() {
        let layout = Layout::<u64>::new(Shape::default());
        let n_boxes =
            |edge: usize| layout.neighbours[edge].edges.iter().filter(|edges| !edges.has(Layout::<u64>::NEVER)).count();
        assert_eq!((0..60).filter(|&edge| n_boxes(edge) == 1).count(), 20);
        assert_eq!((0..60).filter(|&edge| n_boxes(edge) == 2).count(), 40);
    }

    #[test]
    fn symmetries_map_boxes_with_their_edges() {
        for options in ["1x1", "3x3", "2x4", "5x1"] {
            let layout = Layout::<u64>::new(Shape::parse(options).expect("a size"));
            for (symmetry, images) in layout.images.iter().enumerate() {
                for (number, edges) in layout.boxes.iter().enumerate() {
                    let moved = edges.ones().fold(0, |set, edge| set | 1 << images.edges[edge as usize]);
                    let there = layout.boxes[usize::from(images.boxes[number])];
                    assert_eq!(moved, there, "{options} symmetry {symmetry} box {number}");
                }
            }
        }
    }
}

//! Features of positions for learned evaluations: the edges around each two by two boxes, and counts of safe edges, chains and loops.

use banyan_bits::Bits;
use banyan_inference::Features;

use crate::{DotsAndBoxes, State, StringKind};

/// Rows and columns of boxes in a window.
const SIDE: u32 = 2;
/// Maximal number of edges of a window: six horizontal and six vertical ones.
const MOST_EDGES: usize = 12;
/// Plies that share their weights.
const STAGE: u32 = 2;

/// The undrawn edges of each window of two by two boxes, where a window and its images under the symmetries of the board share
/// their weights; the weights differ by the number of undrawn edges, two of which make a stage.
#[derive(Clone, Debug)]
pub struct WindowFeatures {
    size: String,
    windows: Vec<Window>,
    /// The number of different windows, up to symmetries.
    n_classes: usize,
    n_stages: usize,
}

#[derive(Clone, Debug)]
struct Window {
    /// In the order of the corresponding edges of the first window of its class.
    edges: Vec<u8>,
    class: usize,
}

impl WindowFeatures {
    /// The features of this board; boards with less than two rows or columns have windows of one.
    pub fn new<B: Bits>(game: &DotsAndBoxes<B>) -> WindowFeatures {
        let shape = game.shape();
        let (height, width) = (SIDE.min(shape.rows()), SIDE.min(shape.columns()));
        let mut windows: Vec<Window> = Vec::new();
        let mut n_classes = 0;
        for row in 0..=shape.rows() - height {
            for column in 0..=shape.columns() - width {
                let boxes = (0..height * width).map(|i| (row + i / width) * shape.columns() + column + i % width);
                let mut edges: Vec<u8> = boxes.flat_map(|number| shape.sides(number)).collect();
                edges.sort_unstable();
                edges.dedup();
                let known = windows.iter().find_map(|window| {
                    // Whether an image of that window lies here.
                    let image = |images: &crate::layout::Images| -> Option<Vec<u8>> {
                        let moved: Vec<u8> = window.edges.iter().map(|&edge| images.edges[usize::from(edge)]).collect();
                        moved.iter().all(|edge| edges.contains(edge)).then_some(moved)
                    };
                    let moved = game.layout.images.iter().find_map(image)?;
                    Some(Window { edges: moved, class: window.class })
                });
                windows.push(known.unwrap_or_else(|| {
                    n_classes += 1;
                    Window { edges, class: n_classes - 1 }
                }));
            }
        }
        WindowFeatures { size: shape.size(), windows, n_classes, n_stages: (shape.n_edges() / STAGE) as usize + 1 }
    }
}

impl<B: Bits> Features<DotsAndBoxes<B>> for WindowFeatures {
    fn layout(&self) -> String {
        format!("dots-and-boxes-{}-windows-1", self.size)
    }

    fn n_weights(&self) -> usize {
        (self.n_stages * self.n_classes) << MOST_EDGES
    }

    fn append(&self, game: &DotsAndBoxes<B>, state: &State<B>, out: &mut Vec<u32>) {
        let undrawn = game.undrawn(state);
        let stage = (undrawn.count() / STAGE) as usize;
        out.extend(self.windows.iter().map(|window| {
            let bit = |(place, &edge): (usize, &u8)| usize::from(undrawn.has(edge.into())) << place;
            let pattern: usize = window.edges.iter().enumerate().map(bit).sum();
            (((stage * self.n_classes + window.class) << MOST_EDGES) + pattern) as u32
        }));
    }
}

/// The [windows](WindowFeatures), and counts that decide which side is in control: safe edges, long and short chains, loops and
/// junctions, each with the parity of the undrawn edges, and the value by the chain rule with the number of safe edges.
#[derive(Clone, Debug)]
pub struct StructureFeatures {
    windows: WindowFeatures,
    n_window_weights: usize,
    n_edges: u32,
}

/// Counts below these limits have separate features; larger ones share the feature of the largest.
const SAFE: u32 = 32;
const CHAINS: u32 = 8;
const LOOPS: u32 = 4;
const JUNCTIONS: u32 = 16;
/// Limit to which the value by the chain rule is clamped, for either side.
const POINTS: i32 = 12;

/// A mixed-radix number from pairs of digit and radix; digits are clamped to their radix.
fn number(digits: &[(u32, u32)]) -> u32 {
    digits.iter().fold(0, |number, &(digit, radix)| number * radix + digit.min(radix - 1))
}

impl StructureFeatures {
    /// The features of this board.
    pub fn new<B: Bits>(game: &DotsAndBoxes<B>) -> StructureFeatures {
        let windows = WindowFeatures::new(game);
        let n_window_weights = Features::<DotsAndBoxes<B>>::n_weights(&windows);
        StructureFeatures { windows, n_window_weights, n_edges: game.shape().n_edges() }
    }

    /// The sizes of the groups of features after the windows.
    fn groups(&self) -> [u32; 5] {
        [
            (self.n_edges + 1) * SAFE,
            2 * SAFE * CHAINS * LOOPS,
            SAFE * (2 * POINTS as u32 + 1),
            2 * JUNCTIONS * CHAINS * CHAINS,
            2 * CHAINS * CHAINS * CHAINS,
        ]
    }
}

impl<B: Bits> Features<DotsAndBoxes<B>> for StructureFeatures {
    fn layout(&self) -> String {
        format!("dots-and-boxes-{}-structure-1", self.windows.size)
    }

    fn n_weights(&self) -> usize {
        self.n_window_weights + self.groups().iter().sum::<u32>() as usize
    }

    fn append(&self, game: &DotsAndBoxes<B>, state: &State<B>, out: &mut Vec<u32>) {
        self.windows.append(game, state, out);
        let (structure, undrawn) = (game.chain_structure(state), game.undrawn(state));
        let count = |of: &dyn Fn(&StringKind, u32) -> bool| {
            structure.strings.iter().filter(|string| of(&string.kind, string.boxes.count())).count() as u32
        };
        let chains_of = |length: u32| (count(&|kind, n| *kind == StringKind::Chain && n == length), CHAINS);
        let long = (count(&|kind, n| *kind == StringKind::Chain && n > 2), CHAINS);
        let loops = (count(&|kind, _| *kind == StringKind::Loop), LOOPS);
        let safe = (structure.safe.count(), SAFE);
        let junctions = (structure.junctions.count(), JUNCTIONS);
        let parity = (undrawn.count() % 2, 2);
        let points = game.grid.static_points(undrawn).clamp(-POINTS, POINTS) + POINTS;
        let numbers = [
            number(&[(undrawn.count(), self.n_edges + 1), safe]),
            number(&[parity, safe, long, loops]),
            number(&[safe, (points as u32, 2 * POINTS as u32 + 1)]),
            number(&[parity, junctions, long, chains_of(2)]),
            number(&[parity, long, chains_of(1), chains_of(2)]),
        ];
        let mut start = self.n_window_weights as u32;
        for (number, size) in numbers.into_iter().zip(self.groups()) {
            out.push(start + number);
            start += size;
        }
    }
}

#[cfg(test)]
mod tests {
    use banyan_core::{Game, MoveList, Rng, Symmetry};

    use super::*;
    use crate::Shape;

    fn features<B: Bits>(game: &DotsAndBoxes<B>, windows: &WindowFeatures, state: &State<B>) -> Vec<u32> {
        let mut found = Vec::new();
        windows.append(game, state, &mut found);
        found.sort_unstable();
        found
    }

    #[test]
    fn windows_of_the_championship_board_are_of_three_classes() {
        let of = |size: &str| WindowFeatures::new(&DotsAndBoxes::<u64>::new(Shape::parse(size).expect("a size")));
        assert_eq!((of("5x5").windows.len(), of("5x5").n_classes), (16, 3));
        assert_eq!((of("2x2").windows.len(), of("2x2").n_classes), (1, 1));
        assert_eq!((of("3x4").windows.len(), of("3x4").n_classes), (6, 2));
        assert_eq!((of("1x4").windows.len(), of("1x4").n_classes), (3, 2));
        assert_eq!((of("1x1").windows.len(), of("1x1").n_classes), (1, 1));
    }

    #[test]
    fn every_undrawn_edge_is_seen_and_no_number_is_too_large() {
        let mut rng = Rng::new(5);
        for size in ["5x5", "3x4", "1x4", "1x1"] {
            let game = DotsAndBoxes::<u64>::new(Shape::parse(size).expect("a size"));
            let (windows, structure) = (WindowFeatures::new(&game), StructureFeatures::new(&game));
            let (mut state, mut moves) = (game.start(), MoveList::new());
            while game.result(&state).is_none() {
                let before = features(&game, &windows, &state);
                let mut all = Vec::new();
                structure.append(&game, &state, &mut all);
                let n_all = Features::<DotsAndBoxes<u64>>::n_weights(&structure);
                assert!(all.len() == before.len() + 5 && all.iter().all(|&feature| (feature as usize) < n_all));
                let n_weights = Features::<DotsAndBoxes<u64>>::n_weights(&windows);
                assert!(before.iter().all(|&feature| (feature as usize) < n_weights), "{size}: {before:?}");
                moves.clear();
                game.moves(&state, &mut moves);
                game.play(&mut state, moves[rng.below(moves.len() as u32) as usize]);
                assert_ne!(features(&game, &windows, &state), before, "{size}");
            }
        }
    }

    #[test]
    fn classes_are_shared_by_the_images_of_a_position() {
        // Sums over the edges of a window are equal in all images; patterns need not be if a window has symmetries.
        let game = DotsAndBoxes::<u64>::new(Shape::parse("5x5").expect("a size"));
        let (windows, mut rng) = (WindowFeatures::new(&game), Rng::new(6));
        for _ in 0..50 {
            let (mut state, mut moves) = (game.start(), MoveList::new());
            for _ in 0..rng.below(50) {
                moves.clear();
                game.moves(&state, &mut moves);
                game.play(&mut state, moves[rng.below(moves.len() as u32) as usize]);
            }
            let counts = |state: &State<u64>| {
                let of = |feature: &u32| (feature >> MOST_EDGES, (feature & ((1 << MOST_EDGES) - 1)).count_ones());
                let mut counts: Vec<(u32, u32)> = features(&game, &windows, state).iter().map(of).collect();
                counts.sort_unstable();
                counts
            };
            for symmetry in 0..8 {
                let image = game.transform(&state, Symmetry(symmetry));
                assert_eq!(counts(&image), counts(&state));
            }
        }
    }
}

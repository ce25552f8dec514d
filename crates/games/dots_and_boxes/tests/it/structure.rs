//! The structure of positions, against a walk from box to box.

use banyan_bits::Bits;
use banyan_core::{Game, Notation, Prover, Rng, Side};
use banyan_dots_and_boxes::{ChainStructure, DotsAndBoxes, ExactEndings, Shape, State, StringKind};

use crate::game;

/// A position as a list of undrawn edges.
#[derive(Clone)]
struct Walk {
    shape: Shape,
    undrawn: Vec<bool>,
}

impl Walk {
    fn of<B: Bits>(game: &DotsAndBoxes<B>, state: &State<B>) -> Walk {
        let undrawn = (0..game.shape().n_edges()).map(|edge| !game.drawn(state).has(edge)).collect();
        Walk { shape: game.shape(), undrawn }
    }

    fn edges(&self, number: u32) -> Vec<u8> {
        self.shape.sides(number).into_iter().filter(|&edge| self.undrawn[usize::from(edge)]).collect()
    }

    fn degree(&self, number: u32) -> usize {
        self.edges(number).len()
    }

    fn neighbours(&self, number: u32) -> Vec<u32> {
        let edges = self.edges(number);
        let shares = |&other: &u32| other != number && self.edges(other).iter().any(|edge| edges.contains(edge));
        (0..self.shape.n_boxes()).filter(shares).collect()
    }

    fn is_in_string(&self, number: u32) -> bool {
        (1..=2).contains(&self.degree(number))
    }

    /// The boxes of each string.
    fn strings(&self) -> Vec<Vec<u32>> {
        let mut strings: Vec<Vec<u32>> = Vec::new();
        for start in (0..self.shape.n_boxes()).filter(|&number| self.is_in_string(number)) {
            if strings.iter().any(|string| string.contains(&start)) {
                continue;
            }
            let (mut string, mut next) = (vec![start], 0);
            while let Some(&number) = string.get(next) {
                for other in self.neighbours(number) {
                    if self.is_in_string(other) && !string.contains(&other) {
                        string.push(other);
                    }
                }
                next += 1;
            }
            string.sort_unstable();
            strings.push(string);
        }
        strings
    }

    fn kind(&self, string: &[u32]) -> StringKind {
        if string.iter().any(|&number| self.degree(number) == 1) {
            return StringKind::OnOffer;
        }
        let within = |&number: &u32| self.neighbours(number).iter().filter(|other| string.contains(other)).count();
        if string.iter().all(|number| within(number) == 2) { StringKind::Loop } else { StringKind::Chain }
    }

    fn is_isolated(&self, string: &[u32]) -> bool {
        string.iter().all(|&number| self.neighbours(number).iter().all(|&other| self.degree(other) < 3))
    }

    /// Takes every box that can be taken; returns their number.
    fn take_all(&mut self) -> u32 {
        let n_open = |walk: &Walk| (0..walk.shape.n_boxes()).filter(|&number| walk.degree(number) > 0).count() as u32;
        let before = n_open(self);
        while let Some(number) = (0..self.shape.n_boxes()).find(|&number| self.degree(number) == 1) {
            let edge = self.edges(number)[0];
            self.undrawn[usize::from(edge)] = false;
        }
        before - n_open(self)
    }

    /// Lengths of strings of a kind, ascending.
    fn lengths(&self, kind: StringKind) -> Vec<u32> {
        let strings = self.strings();
        let mut lengths: Vec<u32> =
            strings.iter().filter(|string| self.kind(string) == kind).map(|string| string.len() as u32).collect();
        lengths.sort_unstable();
        lengths
    }

    /// Whether the side to move makes the last turn if `n_long` long chains and the loops are played with control to the end.
    fn mover_is_last(&self, n_long: u32) -> bool {
        let n_edges = self.undrawn.iter().filter(|&&undrawn| undrawn).count() as i32;
        let n_boxes = (0..self.shape.n_boxes()).filter(|&number| self.degree(number) > 0).count() as i32;
        (n_edges - n_boxes + n_long as i32 - 1).rem_euclid(2) == 0
    }
}

fn set<B: Bits>(numbers: impl IntoIterator<Item = u32>) -> B {
    numbers.into_iter().fold(B::EMPTY, |set, number| set.or(B::single(number)))
}

fn compare<B: Bits>(game: &DotsAndBoxes<B>, state: &State<B>, found: &ChainStructure<B>) {
    let walk = Walk::of(game, state);
    let shape = game.shape();
    let text = game.print_position(state);
    let strings = walk.strings();
    assert_eq!(found.strings.len(), strings.len(), "{text}");
    for string in &found.strings {
        let boxes: Vec<u32> = string.boxes.ones().collect();
        assert!(strings.contains(&boxes), "{boxes:?} of {text}");
        assert_eq!(string.kind, walk.kind(&boxes), "{boxes:?} of {text}");
        assert_eq!(string.is_isolated, walk.is_isolated(&boxes), "{boxes:?} of {text}");
        let edges = boxes.iter().flat_map(|&number| walk.edges(number)).map(u32::from);
        assert_eq!(string.edges, set(edges), "{boxes:?} of {text}");
    }
    let offered_first = found.strings.iter().skip_while(|string| string.kind == StringKind::OnOffer);
    assert!(offered_first.into_iter().all(|string| string.kind != StringKind::OnOffer), "{text}");
    let meets = |&number: &u32| {
        let n_strings = walk.neighbours(number).iter().filter(|&&other| walk.is_in_string(other)).count();
        walk.degree(number) >= 3 && n_strings >= 2
    };
    assert_eq!(found.junctions, set((0..shape.n_boxes()).filter(meets)), "{text}");
    // An edge is safe if no box beside it has fewer than two others left.
    let safe = |&edge: &u32| {
        let beside = |number: &u32| shape.sides(*number).contains(&(edge as u8));
        walk.undrawn[edge as usize] && (0..shape.n_boxes()).filter(beside).all(|number| walk.degree(number) > 2)
    };
    assert_eq!(found.safe, set((0..shape.n_edges()).filter(safe)), "{text}");

    let mut rest = walk.clone();
    assert_eq!(found.n_on_offer, rest.take_all(), "{text}");
    let remaining = &found.remaining;
    let (chains, loops) = (rest.lengths(StringKind::Chain), rest.lengths(StringKind::Loop));
    assert_eq!((&remaining.chains, &remaining.loops), (&chains, &loops), "{text}");
    let n_long = chains.iter().filter(|&&n| n >= 3).count() as u32;
    assert_eq!(remaining.n_long_chains(), n_long, "{text}");
    let mover = game.to_move(state);
    let last = |is_mover: bool| if is_mover { mover } else { !mover };
    assert_eq!(remaining.needs_even, last(rest.mover_is_last(0)), "{text}");
    let favoured = match found.n_hand_back {
        _ if !rest.undrawn.contains(&true) => None,
        0 if n_long == 0 && loops.is_empty() => None,
        0 => Some(last(rest.mover_is_last(n_long))),
        _ => Some(mover),
    };
    assert_eq!(remaining.favoured, favoured, "{text}");
    let is_settled = (0..shape.n_boxes()).all(|number| rest.degree(number) < 3);
    assert_eq!(remaining.exact_value.is_some(), is_settled, "{text}");
}

#[test]
fn every_part_is_found_by_a_walk_from_box_to_box() {
    fn check<B: Bits>(size: &str) {
        let game = game::<B>(size);
        let mut rng = Rng::new(31);
        let n_edges = game.shape().n_edges();
        for i in 0..600 {
            // Half of the positions come from play that gives nothing away while it can, as real ones do.
            let mut state = game.start();
            let mut moves = Vec::new();
            for _ in 0..rng.below(n_edges) {
                moves.clear();
                if i % 2 == 0 {
                    game.casual_moves(&state, &mut moves)
                } else {
                    game.moves(&state, &mut moves)
                }
                game.play(&mut state, moves[rng.below(moves.len() as u32) as usize]);
            }
            compare(&game, &state, &game.chain_structure(&state));
        }
    }
    for size in ["1x1", "1x7", "2x2", "3x4", "4x3", "5x5", "1x21", "7x7", "9x9"] {
        with_word!(size, check());
    }
    check::<[u64; 3]>("3x3");
}

#[test]
fn the_exact_value_is_that_of_the_solver_and_the_rule_of_parity_holds_in_loony_endings() {
    let game = game::<u64>("4x4");
    let (mut rng, mut prover) = (Rng::new(32), ExactEndings::new(1 << 20));
    let (mut exact, mut ruled, mut loony) = (0, 0, 0);
    for _ in 0..3000 {
        let mut state = game.start();
        let mut moves = Vec::new();
        for _ in 0..18 + rng.below(20) {
            moves.clear();
            game.casual_moves(&state, &mut moves);
            game.play(&mut state, moves[rng.below(moves.len() as u32) as usize]);
        }
        let found = game.chain_structure(&state);
        let Some(value) = found.remaining.exact_value else { continue };
        exact += 1;
        let (mover, score) = (game.to_move(&state), game.score(&state).seen_by(game.to_move(&state)));
        let least = value as i16 + score;
        let mut reaches = |points| {
            let bounds = prover.reaches(&game, &state, points, &mut |_| Some(u64::MAX)).expect("not stopped");
            bounds.seen_by(mover).0 >= points
        };
        assert!(reaches(least) && !reaches(least + 1), "{value} of {}", game.print_position(&state));
        let remaining = &found.remaining;
        let only_long = remaining.n_long_chains() as usize == remaining.chains.len();
        if found.n_on_offer == 0 && only_long {
            // Where only long chains and loops are left, the side not to move is in control.
            loony += 1;
            assert_eq!(remaining.favoured, Some(!mover), "{}", game.print_position(&state));
            assert!(-value >= remaining.controlled_value, "{}", game.print_position(&state));
            if remaining.controlled_value >= 2 {
                assert_eq!(-value, remaining.controlled_value, "{}", game.print_position(&state));
                ruled += 1;
            }
        }
    }
    assert!(exact > 500 && loony > 100 && ruled > 50, "{exact} {loony} {ruled}");
}

#[test]
fn the_long_chain_rule_is_that_of_the_books() {
    // The first player wants dots and long chains to make an even number.
    for (size, even) in [("5x5", Side::First), ("4x4", Side::Second), ("3x3", Side::First), ("3x4", Side::First)] {
        let game = game::<u64>(size);
        let found = game.chain_structure(&game.start());
        assert_eq!((found.remaining.needs_even, found.remaining.favoured), (even, None), "{size}");
    }
}

#[test]
fn the_structure_is_told_in_words_and_marks() {
    let game = game::<u64>("3x3");
    //   +-+-+-+
    //         |   three boxes on offer, open at the far end,
    //   +-+-+-+
    //             a chain of three,
    //   +-+-+-+
    //             and a row of safe edges
    //   + + + +
    let state = game.parse_position("111/111/111/000/0001/0000/0000 x").expect("a position");
    let structure = game.structure(&state).expect("the game has a theory");
    let facts: Vec<_> = structure.facts.iter().map(|fact| (fact.name, fact.number, fact.text.as_str())).collect();
    let expected = [
        ("safe-edges", Some(7), "7"),
        ("on-offer", Some(3), "3, the last 2 of which can be handed back"),
        ("chains", Some(1), "1 (3)"),
        ("long-chains", Some(1), "1"),
        ("loops", Some(0), "0"),
        ("junctions", Some(0), "0"),
        ("isolated", Some(2), "2"),
        ("controlled-value", Some(3), "+3"),
        ("parity", None, "X needs an even number of long chains, O an odd number"),
        ("favoured", None, "X"),
    ];
    assert_eq!(facts, expected);
    let parts: Vec<_> = structure.parts.iter().map(|part| (part.kind, part.label.as_str(), &part.cells[..])).collect();
    let expected = [("on-offer", "+3", &[0, 1, 2][..]), ("long-chain", "C3", &[3, 4, 5]), ("safe-edge", "", &[])];
    assert_eq!(parts, expected);
    assert_eq!(structure.parts[0].moves, ["v0,0", "v0,1", "v0,2"]);
    assert_eq!(structure.parts[2].moves, ["h3,0", "h3,1", "h3,2", "v2,0", "v2,1", "v2,2", "v2,3"]);
    assert_eq!(structure.parts[2].edges, [9, 10, 11, 20, 21, 22, 23]);
    let over = game.parse_position("111/111/111/111/1111/1111/1111 x").expect("a position");
    assert_eq!(game.structure(&over), None);
}

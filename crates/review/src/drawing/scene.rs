//! The contents of a search picture: cards for positions, links for moves, and their labels.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use banyan_catalog::view::{EdgeView, Exploration, NodeView, Proof};

/// The size limits of a picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// Maximum number of cards.
    pub(super) cards: usize,
    /// Maximum number of cards at the same distance from the root.
    pub(super) across: usize,
}

/// A position in the picture: a node of the search, or the target of a move without a node.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Card {
    /// The side to move, as an index of `sides`; `None` without a node.
    pub(super) mover: Option<usize>,
    pub(super) outcome: Outcome,
    /// Lines of text, the most important first.
    pub(super) lines: Vec<String>,
    /// The position as text; empty without a node.
    pub(super) position: String,
}

/// The proven winner, if any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Open,
    Draw,
    /// The side with this index wins.
    Win(usize),
}

/// A move in the picture.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Link {
    /// Index of the source card.
    pub(super) from: usize,
    /// Index of the target card.
    pub(super) to: usize,
    /// The side that moves, as an index of `sides`.
    pub(super) mover: usize,
    /// The move, its visits, and its prior if any.
    pub(super) lines: Vec<String>,
    /// Share of the visits of the moves from the same position, 0 .. 1.
    pub(super) share: f64,
}

#[derive(Debug, Default)]
pub(super) struct Scene {
    /// The cards, starting with the root.
    pub(super) cards: Vec<Card>,
    pub(super) links: Vec<Link>,
}

/// A move whose target may get a card. The order of the fields is the priority for cards.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    visits: u64,
    earlier: Reverse<(usize, usize)>,
    depth: usize,
}

/// The cards created so far.
struct Deal<'a> {
    exploration: &'a Exploration,
    /// `[nodes]`: the card of each node.
    card_of: Vec<Option<usize>>,
    /// Moves whose target has its own card, as (node, edge), with that card.
    leaves: Vec<((usize, usize), usize)>,
    /// `[n_cards]`, in order.
    cards: Vec<Card>,
}

impl Scene {
    /// The most visited positions that fit into `room`, each with a path from the root.
    pub(super) fn new(exploration: &Exploration, room: Room) -> Scene {
        if exploration.nodes.is_empty() {
            return Scene::default();
        }
        let mut deal =
            Deal { exploration, card_of: vec![None; exploration.nodes.len()], leaves: Vec::new(), cards: Vec::new() };
        deal.all(room);
        deal.finish()
    }
}

impl Deal<'_> {
    fn all(&mut self, room: Room) {
        let mut candidates = BinaryHeap::new();
        let mut across = vec![0; room.cards + 1];
        self.node(0, 0, &mut candidates);
        while let Some(Candidate { earlier: Reverse((node, i)), depth, .. }) = candidates.pop() {
            if self.cards.len() >= room.cards {
                break;
            }
            let to = self.exploration.nodes[node].edges[i].to;
            if across[depth] >= room.across || to.is_some_and(|to| self.card_of[to].is_some()) {
                continue;
            }
            across[depth] += 1;
            match to {
                Some(to) => self.node(to, depth, &mut candidates),
                None => {
                    self.leaves.push(((node, i), self.cards.len()));
                    self.cards.push(leaf(self.exploration, node, i));
                }
            }
        }
    }

    /// Creates a card for a node, and makes its moves candidates.
    fn node(&mut self, node: usize, depth: usize, candidates: &mut BinaryHeap<Candidate>) {
        let nodes = &self.exploration.nodes;
        self.card_of[node] = Some(self.cards.len());
        self.cards.push(card(self.exploration, &nodes[node]));
        let settling = settling(&nodes[node]);
        for (i, edge) in nodes[node].edges.iter().enumerate() {
            let own = edge.to.map_or(edge.visits, |to| nodes[to].visits);
            // A proof may need few visits, but it determines the value of the position.
            let settles = Some(i) == settling;
            let visits = if settles { own.max(nodes[node].visits) } else { own };
            if visits > 0 || settles {
                candidates.push(Candidate { visits, earlier: Reverse((node, i)), depth: depth + 1 });
            }
        }
    }

    /// Links the cards, and notes on each the number of moves not shown.
    fn finish(mut self) -> Scene {
        let mut links = Vec::new();
        for (n, node) in self.exploration.nodes.iter().enumerate() {
            let Some(from) = self.card_of[n] else { continue };
            let total: u64 = node.edges.iter().map(|edge| edge.visits).sum();
            let (mut moves, mut visits) = (0, 0);
            for (i, edge) in node.edges.iter().enumerate() {
                let leaf = || self.leaves.iter().find(|&&(key, _)| key == (n, i)).map(|&(_, card)| card);
                match edge.to.map_or_else(leaf, |to| self.card_of[to]) {
                    Some(to) => links.push(link((from, to), node, edge, total)),
                    None => (moves, visits) = (moves + 1, visits + edge.visits),
                }
            }
            if visits > 0 {
                self.cards[from].lines.push(format!("{} more: {visits}", counted(moves, "move")));
            }
        }
        Scene { cards: self.cards, links }
    }
}

/// The move that proves the bounds of a node, unless all moves are needed.
fn settling(node: &NodeView) -> Option<usize> {
    let known = node.proof.filter(|proof| proof.lower > 0 || proof.lower == proof.upper)?;
    node.edges.iter().position(|edge| edge.proof.is_some_and(|proof| proof.lower == known.lower))
}

fn card(exploration: &Exploration, node: &NodeView) -> Card {
    let (mover, sides) = (mover(node), &exploration.sides);
    let mut lines = vec![chance(&sides[mover], node.win_percent()), counted(node.visits, "visit")];
    lines.extend(node.proof.map(|proof| in_words(proof, mover, sides)));
    let outcome = node.proof.map_or(Outcome::Open, |proof| outcome(proof, mover));
    Card { mover: Some(mover), outcome, lines, position: node.position.clone() }
}

fn leaf(exploration: &Exploration, node: usize, edge: usize) -> Card {
    let node = &exploration.nodes[node];
    let (mover, sides, edge) = (mover(node), &exploration.sides, &node.edges[edge]);
    let mut lines = vec![chance(&sides[mover], edge.win_percent())];
    lines.extend(edge.proof.map(|proof| in_words(proof, mover, sides)));
    let outcome = edge.proof.map_or(Outcome::Open, |proof| outcome(proof, mover));
    Card { mover: None, outcome, lines, position: String::new() }
}

fn link((from, to): (usize, usize), node: &NodeView, edge: &EdgeView, total: u64) -> Link {
    let mut lines = vec![edge.mv.clone(), edge.visits.to_string()];
    lines.extend(edge.prior.map(|prior| format!("p {:.1} %", 100.0 * prior)));
    Link { from, to, mover: mover(node), lines, share: edge.visits as f64 / total.max(1) as f64 }
}

fn mover(node: &NodeView) -> usize {
    usize::from(node.to_move == "second")
}

fn chance(side: &str, percent: f64) -> String {
    format!("{side} {percent:.1} %")
}

fn counted(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

fn outcome(proof: Proof, mover: usize) -> Outcome {
    match proof {
        Proof { lower: 1.., .. } => Outcome::Win(mover),
        Proof { upper: ..0, .. } => Outcome::Win(1 - mover),
        Proof { lower: 0, upper: 0 } => Outcome::Draw,
        _ => Outcome::Open,
    }
}

/// The proven bounds in words, with the side named so that the viewpoint is clear.
fn in_words(proof: Proof, mover: usize, sides: &[String; 2]) -> String {
    let (me, other) = (&sides[mover], &sides[1 - mover]);
    let by = |low: i16, high: i16| if low == high { low.to_string() } else { format!("{low} to {high}") };
    match proof {
        Proof { lower: 0, upper: 0 } => "draw".to_owned(),
        Proof { lower: lower @ 1.., upper } => format!("{me} wins by {}", by(lower, upper)),
        Proof { lower, upper: upper @ ..0 } => format!("{other} wins by {}", by(-upper, -lower)),
        Proof { lower: 0, .. } => format!("{me} wins or draws"),
        Proof { upper: 0, .. } => format!("{other} wins or draws"),
        Proof { lower, upper } => format!("{me} {lower:+} to {upper:+}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_names_who_wins() {
        let sides = ["X".to_owned(), "O".to_owned()];
        for (lower, upper, mover, expected) in [
            (3, 3, 0, "X wins by 3"),
            (3, 3, 1, "O wins by 3"),
            (-18, -2, 0, "O wins by 2 to 18"),
            (-2, -2, 1, "X wins by 2"),
            (0, 0, 1, "draw"),
            (0, 4, 0, "X wins or draws"),
            (-4, 0, 0, "O wins or draws"),
            (-4, 2, 1, "O -4 to +2"),
        ] {
            assert_eq!(in_words(Proof { lower, upper }, mover, &sides), expected);
        }
    }
}

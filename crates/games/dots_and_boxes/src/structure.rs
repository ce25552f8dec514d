//! The structure of a position by the theory of the game: chains, loops, junctions, safe edges, and the side in control.
//!
//! Sources: Berlekamp 2000, The Dots and Boxes Game; Buzzard and Ciere 2014, Playing simple loony dots and boxes endgames
//! optimally.

use banyan_bits::Bits;
use banyan_core::{Fact, Fill, Notation, Part, Side, Structure, sort_by_order};

use super::chains::{chains, loony_value};
use super::offers::Offers;
use super::{DotsAndBoxes, State};

/// Least number of boxes of a long chain: one in which two boxes can be handed back whichever edge opens it.
const LONG: u32 = 3;

/// The structure of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainStructure<B> {
    /// Chains and loops, those on offer first, otherwise in the order of their lowest boxes.
    pub strings: Vec<BoxString<B>>,
    /// Boxes with three or four undrawn edges, two or more of which lead into strings.
    pub junctions: B,
    /// Undrawn edges that close no box and put none on offer.
    pub safe: B,
    /// Boxes that the side to move can take before it has to draw another edge.
    pub n_on_offer: u32,
    /// Number of the last of them, which it can hand back instead so that the other side has to draw another edge: 0, 2 or 4.
    pub n_hand_back: u32,
    /// The chains and loops that remain after that.
    pub remaining: Remaining,
}

/// A chain or a loop of boxes with two undrawn edges or one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoxString<B> {
    /// Whether it is a chain or a loop, and whether it can be taken.
    pub kind: StringKind,
    /// Its boxes, by number.
    pub boxes: B,
    /// Their undrawn edges.
    pub edges: B,
    /// Whether neither end leads to a box with three or more undrawn edges.
    pub is_isolated: bool,
}

/// Kinds of strings of boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StringKind {
    /// One undrawn edge of its first box is left, and perhaps of its last: it can be taken now.
    OnOffer,
    /// Two undrawn edges in each box, and two ends.
    Chain,
    /// Two undrawn edges in each box, and no end.
    Loop,
}

/// Chains and loops that remain when the boxes on offer are gone, whichever side took them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remaining {
    /// Lengths of the chains, ascending.
    pub chains: Vec<u32>,
    /// Lengths of the loops, ascending.
    pub loops: Vec<u32>,
    /// The boxes that the side in control of all long chains and loops wins more than the other, if it keeps control to the end and
    /// nothing else counts: the sum of length - 4 of long chains and of length - 8 of loops, and a bonus for the last ones. Less than
    /// 2: giving up control earlier may be better.
    pub controlled_value: i32,
    /// The side that needs an even number of long chains in order to make the last turn, and with it to be in control.
    pub needs_even: Side,
    /// The side that will make the last turn with the present number of long chains; the side to move if it can hand boxes back. `None`
    /// while there are no long chains and no loops, and when nothing remains.
    pub favoured: Option<Side>,
    /// Boxes that the side to move wins more than the other from here on, those on offer included; `None` unless the rest is isolated
    /// chains and loops only.
    pub exact_value: Option<i32>,
}

impl Remaining {
    /// Number of long chains: three boxes or more.
    pub fn n_long_chains(&self) -> u32 {
        self.chains.iter().filter(|&&n| n >= LONG).count() as u32
    }

    /// Whether no edge remains.
    fn is_empty(&self) -> bool {
        self.exact_value.is_some() && self.chains.is_empty() && self.loops.is_empty()
    }
}

impl<B: Bits> DotsAndBoxes<B> {
    /// The structure of a position.
    pub fn chain_structure(&self, state: &State<B>) -> ChainStructure<B> {
        let (grid, undrawn) = (&self.grid, self.undrawn(state));
        let degrees = grid.degrees(undrawn);
        let in_strings = degrees.one.or(degrees.two);
        let (mut strings, quiet): (Vec<BoxString<B>>, Vec<_>) = chains(grid, &degrees, undrawn, in_strings)
            .map(|chain| BoxString {
                kind: match (chain.boxes.and(degrees.one).is_empty(), chain.is_loop) {
                    (false, _) => StringKind::OnOffer,
                    (true, false) => StringKind::Chain,
                    (true, true) => StringKind::Loop,
                },
                boxes: chain.boxes,
                edges: chain.edges,
                is_isolated: chain.isolated,
            })
            .partition(|string| string.kind == StringKind::OnOffer);
        strings.extend(quiet);
        let offers = grid.take_offers(undrawn);
        ChainStructure {
            strings,
            junctions: grid.beside_two_of(&degrees, in_strings).and(degrees.more),
            safe: undrawn.and_not(grid.edges_of(in_strings)),
            n_on_offer: offers.n_boxes as u32,
            n_hand_back: offers.back as u32,
            remaining: self.remaining(&offers, state.mover),
        }
    }

    fn remaining(&self, offers: &Offers<B>, mover: Side) -> Remaining {
        let (grid, undrawn) = (&self.grid, offers.rest);
        let degrees = grid.degrees(undrawn);
        let (mut lengths, mut loops) = (Vec::new(), Vec::new());
        for chain in chains(grid, &degrees, undrawn, degrees.two) {
            if chain.is_loop { &mut loops } else { &mut lengths }.push(chain.n_boxes);
        }
        lengths.sort_unstable();
        loops.sort_unstable();
        let n_long = lengths.iter().filter(|&&n| n >= LONG).count() as u32;
        // Every turn but the last ends with an edge that closes nothing. The number of these is that of the edges minus that of the boxes,
        // plus one for each edge that closes two boxes. The side in control makes one such edge in each long chain but the last, and an
        // even number in each loop but the last; if that is a loop, one at its end.
        let mover_is_last = |n_long: u32| !(undrawn.count() + degrees.open().count() + n_long).is_multiple_of(2);
        let favoured = match (undrawn.is_empty(), offers.back > 0) {
            (true, _) => None,
            (false, true) => Some(mover),
            (false, false) if n_long == 0 && loops.is_empty() => None,
            (false, false) => Some(if mover_is_last(n_long) { mover } else { !mover }),
        };
        let is_settled = degrees.more.is_empty();
        Remaining {
            controlled_value: controlled_value(&lengths, &loops),
            chains: lengths,
            loops,
            needs_even: if mover_is_last(0) { mover } else { !mover },
            favoured,
            exact_value: is_settled.then(|| offers.value(loony_value(grid, &degrees, undrawn))),
        }
    }

    /// The structure in words, for [`Notation::structure`].
    pub(super) fn structure_in_words(&self, state: &State<B>) -> Structure {
        let found = self.chain_structure(state);
        Structure { facts: self.facts(&found), parts: self.parts(state, &found) }
    }

    fn facts(&self, found: &ChainStructure<B>) -> Vec<Fact> {
        let remaining = &found.remaining;
        let number = |name, value: u32| Fact { name, number: Some(value as i32), text: value.to_string() };
        let lengths = |name, lengths: &[u32]| {
            let list: Vec<String> = lengths.iter().map(u32::to_string).collect();
            let text = if list.is_empty() { "0".to_owned() } else { format!("{} ({})", list.len(), list.join(" ")) };
            Fact { name, number: Some(lengths.len() as i32), text }
        };
        let on_offer = match found.n_hand_back {
            0 => found.n_on_offer.to_string(),
            back => format!("{}, the last {back} of which can be handed back", found.n_on_offer),
        };
        let [even, odd] = [remaining.needs_even, !remaining.needs_even].map(|side| self.side_name(side));
        let n_isolated = found.strings.iter().filter(|string| string.is_isolated).count() as u32;
        let mut facts = vec![
            number("safe-edges", found.safe.count()),
            Fact { name: "on-offer", number: Some(found.n_on_offer as i32), text: on_offer },
            lengths("chains", &remaining.chains),
            number("long-chains", remaining.n_long_chains()),
            lengths("loops", &remaining.loops),
            number("junctions", found.junctions.count()),
            number("isolated", n_isolated),
            signed("controlled-value", remaining.controlled_value),
        ];
        if !remaining.is_empty() {
            let parity = format!("{even} needs an even number of long chains, {odd} an odd number");
            let favoured = remaining.favoured.map_or("nobody yet".to_owned(), |side| self.side_name(side).to_owned());
            facts.push(Fact { name: "parity", number: None, text: parity });
            facts.push(Fact { name: "favoured", number: None, text: favoured });
        }
        if let Some(value) = remaining.exact_value {
            facts.push(signed("exact-value", value));
        }
        facts
    }

    fn parts(&self, state: &State<B>, found: &ChainStructure<B>) -> Vec<Part> {
        let moves = |edges: B| edges.ones().map(|edge| self.print_move(state, edge as u8)).collect::<Vec<_>>();
        let indices = |set: B| set.ones().map(|number| number as usize).collect::<Vec<_>>();
        let (offered, quiet): (Vec<_>, Vec<_>) =
            found.strings.iter().partition(|string| string.kind == StringKind::OnOffer);
        let in_string = |string: &BoxString<B>| {
            let n_boxes = string.boxes.count();
            let (kind, letter, fill) = match string.kind {
                StringKind::OnOffer => ("on-offer", "+", Fill::Striped),
                StringKind::Loop => ("loop", "L", Fill::Dotted),
                StringKind::Chain if n_boxes < LONG => ("short-chain", "C", Fill::Plain),
                StringKind::Chain => ("long-chain", "C", Fill::Hatched),
            };
            Part {
                kind,
                label: format!("{letter}{n_boxes}"),
                note: if string.is_isolated { "isolated" } else { "ends in an open region" },
                fill,
                cells: indices(string.boxes),
                edges: Vec::new(),
                moves: moves(string.edges),
            }
        };
        let mut parts: Vec<Part> = offered.into_iter().map(in_string).collect();
        let mut strings: Vec<Part> = quiet.into_iter().map(in_string).collect();
        sort_by_order(&mut strings, |a, b| a.kind < b.kind);
        parts.extend(strings);
        parts.extend(found.junctions.ones().map(|number| Part {
            kind: "junction",
            label: "J".to_owned(),
            note: "",
            fill: Fill::Crossed,
            cells: vec![number as usize],
            edges: Vec::new(),
            moves: moves(self.layout.boxes[number as usize].and(self.undrawn(state))),
        }));
        if !found.safe.is_empty() {
            parts.push(Part {
                kind: "safe-edge",
                label: String::new(),
                note: "",
                fill: Fill::Plain,
                cells: Vec::new(),
                edges: indices(found.safe),
                moves: moves(found.safe),
            });
        }
        parts
    }
}

/// A fact: the number of boxes that one side wins more than the other, with its sign.
fn signed(name: &'static str, value: i32) -> Fact {
    Fact { name, number: Some(value), text: if value == 0 { "0".to_owned() } else { format!("{value:+}") } }
}

/// The controlled value of chains and loops of these lengths; chains of one or two boxes do not count.
fn controlled_value(chains: &[u32], loops: &[u32]) -> i32 {
    let long = || chains.iter().filter(|&&n| n >= LONG).map(|&n| n as i32);
    let bonus = match (long().next(), loops.is_empty()) {
        (None, true) => 0,
        (None, false) => 8,
        (Some(_), false) if long().all(|n| n == LONG as i32) => 6,
        (Some(_), _) => 4,
    };
    long().map(|n| n - 4).sum::<i32>() + loops.iter().map(|&n| n as i32 - 8).sum::<i32>() + bonus
}

//! All moves as first (AMAF): for each node and each move of either side, the mean result of the simulations through the node
//! in which that side plays the move from there on. Those before the node was made do not count.
//!
//! The value of a child becomes `(1 - b) mean + b amaf`, with b constant (alpha-AMAF), or falling with the visits:
//! `b = m / (m + n + bias m n)` for m simulations that play the move at once or later, n of them at once (RAVE; Gelly and Silver 2011, section
//! 4.4, and Cazenave 2015). GRAVE takes the statistics of the closest node above with more than a number of visits (Cazenave 2015,
//! algorithm 2).

use banyan_bits::cpu::LANES;
use banyan_core::{Side, SimulatedMove};

use super::graph::NodeId;
use super::layout::PRUNED;
use crate::options::{Amaf, Config};

/// The simulations that play a move.
#[derive(Clone, Copy, Default)]
struct Simulations {
    n: u32,
    /// Mean reward, seen by the first side.
    mean: f32,
}

/// A move of a simulation.
#[derive(Clone, Copy)]
struct Played {
    /// The place of its statistics in a block: twice its identity, and one more for the second side.
    place: u32,
    /// The number of the last move before it with the same identity, from 1; 0 for none.
    before: u32,
    /// One more than the largest identity from this move on.
    n_identities: u32,
}

/// The statistics of a node.
#[derive(Default)]
struct Block {
    /// The key of its node, since nodes are recycled.
    key: u64,
    /// The number of simulations.
    n: u32,
    /// `[identity][side]`
    moves: Vec<[Simulations; 2]>,
}

/// The statistics of all nodes, and what a selection reads of them.
pub(crate) struct AmafTable {
    variant: Amaf,
    weight: f32,
    bias: f32,
    /// Simulations that a node must have more than, with GRAVE.
    least_visits: u32,
    /// `[node]`: one more than the number of its block; 0 if it has none.
    numbers: Vec<u32>,
    blocks: Vec<Block>,
    /// Bytes of the blocks and their numbers, and the limit from which on no block is made.
    bytes: usize,
    most_bytes: usize,
    /// The number of the block that the descent reads.
    reference: Option<usize>,
    /// `[identity]`: the last simulation with this move, by either side, and the number of the last such move in it, from 1.
    seen: Vec<(u64, u32)>,
    /// The number of the simulation, from 1.
    simulation: u64,
    /// Its moves.
    played: Vec<Played>,
    /// Buffers of [`AmafMeans`].
    means: Vec<u32>,
    weights: Vec<u32>,
}

/// Bits of the children's AMAF means, seen by the first side, and of the weights with which they count; padded.
#[derive(Clone, Copy)]
pub(crate) struct AmafMeans<'a> {
    pub(crate) means: &'a [u32],
    pub(crate) weights: &'a [u32],
}

impl AmafTable {
    /// An empty table; `None` if the settings need none.
    pub(crate) fn new(config: &Config) -> Option<Box<AmafTable>> {
        (config.amaf != Amaf::Off).then(|| {
            Box::new(AmafTable {
                variant: config.amaf,
                weight: config.amaf_weight,
                bias: config.amaf_bias,
                least_visits: config.amaf_ref,
                numbers: Vec::new(),
                blocks: Vec::new(),
                bytes: 0,
                most_bytes: config.memory_mib as usize * (1 << 20) / 4,
                reference: None,
                seen: Vec::new(),
                simulation: 0,
                played: Vec::new(),
                means: Vec::new(),
                weights: Vec::new(),
            })
        })
    }

    /// Removes all statistics.
    pub(crate) fn clear(&mut self) {
        self.numbers.clear();
        self.blocks.clear();
        self.bytes = 0;
        self.reference = None;
    }

    /// Begins a search: makes room if the table is more than half full.
    pub(crate) fn begin_search(&mut self) {
        if self.bytes > self.most_bytes / 2 {
            self.clear();
        }
    }

    /// The block of a node, if it has one.
    fn find(&self, node: NodeId, key: u64) -> Option<usize> {
        let number = *self.numbers.get(node.0 as usize)?;
        let block = (number as usize).checked_sub(1)?;
        (self.blocks[block].key == key).then_some(block)
    }

    /// The block of a node, made if there is room.
    fn block(&mut self, node: NodeId, key: u64) -> Option<usize> {
        let at = node.0 as usize;
        if at >= self.numbers.len() {
            self.bytes += (at + 1 - self.numbers.len()) * size_of::<u32>();
            self.numbers.resize(at + 1, 0);
        }
        if let Some(block) = (self.numbers[at] as usize).checked_sub(1) {
            if self.blocks[block].key != key {
                // The node was recycled.
                self.blocks[block].moves.fill([Simulations::default(); 2]);
                self.blocks[block].key = key;
                self.blocks[block].n = 0;
            }
            return Some(block);
        }
        if self.bytes >= self.most_bytes {
            return None;
        }
        self.bytes += size_of::<Block>();
        self.blocks.push(Block { key, n: 0, moves: Vec::new() });
        self.numbers[at] = self.blocks.len() as u32;
        Some(self.blocks.len() - 1)
    }

    /// A simulation through nodes with these keys, from the root down: the move that node i plays is `moves[i]`, and the moves after
    /// the last node are those of the tree's last edges and the playout. Every node counts, for each side and move, the first time that
    /// the move is played from there on.
    pub(crate) fn learn(&mut self, nodes: &[(NodeId, u64)], moves: &[SimulatedMove], reward: f32) {
        self.begin_simulation(moves);
        for (i, &(node, key)) in nodes.iter().enumerate() {
            let Some(block) = self.block(node, key) else { continue };
            let AmafTable { blocks, played, bytes, .. } = self;
            let Block { n, moves: list, .. } = &mut blocks[block];
            *n += 1;
            let n_identities = played.get(i).map_or(0, |mv| mv.n_identities as usize);
            if list.len() < n_identities {
                *bytes += (n_identities - list.len()) * size_of::<[Simulations; 2]>();
                list.reserve_exact(n_identities - list.len());
                list.resize(n_identities, [Simulations::default(); 2]);
            }
            let list = list.as_flattened_mut();
            for mv in played[i..].iter().filter(|mv| mv.before as usize <= i) {
                let played = &mut list[mv.place as usize];
                played.n += 1;
                played.mean += (reward - played.mean) / played.n as f32;
            }
        }
    }

    /// Notes the moves of a simulation.
    fn begin_simulation(&mut self, moves: &[SimulatedMove]) {
        let AmafTable { seen, simulation, played, .. } = self;
        *simulation += 1;
        played.clear();
        played.extend(moves.iter().map(|mv| {
            let place = 2 * u32::from(mv.identity) + mv.side.index() as u32;
            Played { place, before: 0, n_identities: place / 2 + 1 }
        }));
        for i in (1..played.len()).rev() {
            played[i - 1].n_identities = played[i - 1].n_identities.max(played[i].n_identities);
        }
        let n_identities = played.first().map_or(0, |mv| mv.n_identities as usize);
        if seen.len() < n_identities {
            seen.resize(n_identities, (0, 0));
        }
        for (mv, at) in played.iter_mut().zip(1..) {
            let (last, before) = std::mem::replace(&mut seen[(mv.place / 2) as usize], (*simulation, at));
            mv.before = if last == *simulation { before } else { 0 };
        }
    }

    /// Arrives at a node of a descent, at the root if `first`: later values come from its statistics, or with GRAVE from those of the node
    /// above that the last ones came from, unless the node has enough simulations.
    pub(crate) fn arrive(&mut self, node: NodeId, key: u64, first: bool) {
        let found = self.find(node, key);
        let is_enough = found.is_some_and(|block| self.blocks[block].n > self.least_visits);
        if first || self.variant != Amaf::Grave || is_enough {
            self.reference = found;
        }
    }

    /// Memory taken, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The statistics that the descent reads: `[identity][side]`.
    fn moves(&self) -> &[[Simulations; 2]] {
        self.reference.map_or(&[], |block| &self.blocks[block].moves)
    }

    /// The means of the simulations in which a side plays each of these moves later, seen by the first side; `None` without one, or if they have
    /// no weight.
    pub(crate) fn values(&self, mover: Side, identities: &[u16]) -> impl Iterator<Item = Option<f32>> {
        let counts = self.variant != Amaf::Alpha || self.weight > 0.0;
        let moves = self.moves();
        identities.iter().map(move |&identity| {
            let Simulations { n, mean } = simulations(moves, mover, identity);
            (n > 0 && counts).then_some(mean)
        })
    }

    /// The input of a selection among tried children with these identities and visits.
    pub(crate) fn prepare(&mut self, mover: Side, identities: &[u16], visits: &[u32]) -> AmafMeans<'_> {
        let (mut means, mut weights) = (std::mem::take(&mut self.means), std::mem::take(&mut self.weights));
        means.clear();
        weights.clear();
        let moves = self.moves();
        let all = identities.iter().map(|&identity| simulations(moves, mover, identity));
        means.extend(all.clone().map(|simulations| simulations.mean.to_bits()));
        weights.extend(all.zip(visits).map(|(simulations, &n)| self.share(simulations.n, n & !PRUNED).to_bits()));
        let padded = identities.len() + LANES;
        means.resize(padded, 0);
        weights.resize(padded, 0);
        (self.means, self.weights) = (means, weights);
        AmafMeans { means: &self.means, weights: &self.weights }
    }

    /// The number of simulations through a node with a move of a side, and their mean reward, seen by the first side.
    #[cfg(test)]
    pub(crate) fn of_node(&self, node: NodeId, key: u64, side: Side, identity: u16) -> (u32, f32) {
        let moves = self.find(node, key).and_then(|block| self.blocks[block].moves.get(usize::from(identity)));
        moves.map_or((0, 0.0), |sides| (sides[side.index()].n, sides[side.index()].mean))
    }

    /// The weight of `m` simulations that play a move at once or later, for a child with `n` visits.
    fn share(&self, m: u32, n: u32) -> f32 {
        if m == 0 {
            return 0.0;
        }
        let (m, n) = (m as f32, n as f32);
        if self.variant == Amaf::Alpha { self.weight } else { m / (m + n + self.bias * m * n) }
    }
}

/// The simulations that play a move of a side, in a list of all moves.
#[inline(always)]
fn simulations(moves: &[[Simulations; 2]], mover: Side, identity: u16) -> Simulations {
    moves.get(usize::from(identity)).map_or(Simulations::default(), |sides| sides[mover.index()])
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: (NodeId, u64) = (NodeId(3), 30);
    const BELOW: (NodeId, u64) = (NodeId(7), 70);

    fn table(settings: &str) -> AmafTable {
        *AmafTable::new(&settings.parse().expect("settings")).expect("a table")
    }

    fn moves(list: &[(Side, u16)]) -> Vec<SimulatedMove> {
        list.iter().map(|&(side, identity)| SimulatedMove { side, identity }).collect()
    }

    /// Two simulations: 1 and 2 by turns with a win of the first side, then 2 and 1. The first side plays 1 again at the end of the first.
    fn learnt(settings: &str) -> AmafTable {
        let mut table = table(settings);
        let (first, second) = (Side::First, Side::Second);
        table.learn(&[ROOT, BELOW], &moves(&[(first, 1), (second, 2), (first, 5), (second, 5), (first, 1)]), 1.0);
        table.learn(&[ROOT], &moves(&[(first, 2), (second, 1), (first, 5)]), 0.0);
        table
    }

    #[test]
    fn each_node_counts_the_moves_played_from_there_on_once() {
        let table = learnt("amaf=rave");
        let of = |(node, key), side, identity| table.of_node(node, key, side, identity);
        let (first, second) = (Side::First, Side::Second);
        assert_eq!([of(ROOT, first, 1), of(ROOT, first, 2), of(ROOT, first, 5)], [(1, 1.0), (1, 0.0), (2, 0.5)]);
        assert_eq!([of(ROOT, second, 2), of(ROOT, second, 1)], [(1, 1.0), (1, 0.0)]);
        // The second side plays 5 after the first one has.
        assert_eq!(of(ROOT, second, 5), (0, 0.0));
        // One simulation only, and of the two moves 1 the one after it.
        assert_eq!([of(BELOW, first, 1), of(BELOW, first, 5), of(BELOW, second, 2)], [(1, 1.0), (1, 1.0), (1, 1.0)]);
        assert_eq!(of(BELOW, first, 2), (0, 0.0));
        // A node made in the same place has another key.
        assert_eq!(table.of_node(ROOT.0, 31, first, 1), (0, 0.0));
    }

    #[test]
    fn weights_are_those_of_the_formulas() {
        // m = 2 simulations play 5; n = 4 visits: 2 / (2 + 4 + 1/2 2 4) = 1/5; none without simulations.
        let mut rave = learnt("amaf=rave,amaf-bias=0.5");
        rave.arrive(ROOT.0, ROOT.1, true);
        let read = |words: &[u32]| words[..3].iter().map(|&word| f32::from_bits(word)).collect::<Vec<f32>>();
        let prepared = rave.prepare(Side::First, &[5, 1, 9], &[4, 0, 3]);
        assert_eq!((read(prepared.means), read(prepared.weights)), (vec![0.5, 1.0, 0.0], vec![0.2, 1.0, 0.0]));
        let mut alpha = learnt("amaf=alpha,amaf-weight=0.25");
        alpha.arrive(ROOT.0, ROOT.1, true);
        let prepared = alpha.prepare(Side::First, &[5, 1, 9], &[4, 0, 3]);
        assert_eq!(read(prepared.weights), [0.25, 0.25, 0.0]);
    }

    #[test]
    fn the_closest_node_with_enough_visits_is_read() {
        let mut grave = learnt("amaf=grave,amaf-ref=1");
        let below = [BELOW];
        let value = |table: &AmafTable| table.values(Side::First, &[5]).next().expect("one");
        grave.arrive(ROOT.0, ROOT.1, true);
        assert_eq!(value(&grave), Some(0.5));
        grave.arrive(BELOW.0, BELOW.1, false);
        assert_eq!(value(&grave), Some(0.5));
        // A node without statistics, as after they were cleared.
        grave.arrive(NodeId(4), 40, false);
        assert_eq!(value(&grave), Some(0.5));
        grave.learn(&below, &moves(&[(Side::Second, 2)]), 1.0);
        grave.arrive(BELOW.0, BELOW.1, false);
        assert_eq!(value(&grave), Some(1.0));
        // Others read every node's own statistics.
        let mut rave = learnt("amaf=rave");
        rave.arrive(BELOW.0, BELOW.1, false);
        assert_eq!(value(&rave), Some(1.0));
        rave.arrive(NodeId(4), 40, false);
        assert_eq!(value(&rave), None);
    }

    #[test]
    fn a_full_table_makes_no_more_blocks_until_the_next_search() {
        let mut table = table("amaf=rave");
        table.most_bytes = 300;
        let played = moves(&[(Side::First, 20)]);
        for node in 1..10 {
            table.learn(&[(NodeId(node), u64::from(node))], &played, 1.0);
        }
        // 21 moves of 16 bytes, the block and its number are more than 300.
        assert_eq!(table.blocks.len(), 1);
        table.begin_search();
        assert_eq!((table.blocks.len(), table.bytes), (0, 0));
    }
}

//! Values of positions of isolated chains and loops, and of those with one junction in addition, where every move offers boxes.
//!
//! **The smallest isolated chain of one or two boxes is opened first** if no chain that ends at a junction has one or two
//! boxes. That is, with v(P) the value of a position P for the side to move, and s such a chain: v(P + s) = -(s + v(P)).
//!
//! Proof, by induction on the number of chains and loops. Those of one or two boxes that are larger are no better
//! (`exact/mod.rs`). Any other move takes n boxes, of which t can be handed back, t = 2 and n >= 3 or t = 4 and n >= 4, and
//! leaves Q of P. No move makes a chain of one or two boxes: where a junction is left with two chains, they become one of a box more
//! than both have. So v(Q + s) = -(s + w), w = v(Q), by induction, and the move wins t - n - |v(Q + s) + t|. It is no better if
//!
//! (1) v(P) <= max(n - 2 t + w, n - 2 s - w).
//!
//! Let P have no chain of one or two boxes, and so Q none: w <= 0 and v(P) <= 0, since no move wins more than t - n. With
//! t = 4 the second number is n - 4 >= 0 or more. With t = 2 it is n - 4 - w or more, which is less than 0 only for n = 3
//! and w = 0; then the number of boxes in P is odd, for values have the parity of the boxes left, and so v(P) <= -1. If P has
//! such chains, let r >= s be the smallest, P = R + r and Q = S + r: by induction v(P) = -(r + v(R)) and w = -(r + v(S)),
//! and (1) becomes v(R) >= min(2 t - n + v(S), -n - 2 (r - s) - v(S)). The move that leaves S of R wins
//! t - n - |v(S) + t| = min(2 t - n + v(S), -n - v(S)), which is enough.

/// More boxes than any board has.
const MOST: usize = 96;
/// Not less than (b + 1) (c + 1) for b chains of three or more boxes and c loops of four or more, 3 b + 4 c < [`MOST`].
const PAIRS: usize = 256;
/// Enough pairs for most endings.
const FEW_PAIRS: usize = 16;
/// Of the three chains that end at a junction, one of each kind need be opened.
const MOST_JOINTS: usize = 2;

/// Boxes that can be handed back, by kind: chains of one or two boxes, chains of three or more, and loops.
pub(super) const BACK: [i32; 3] = [0, 2, 4];

/// The kind of a chain or loop, as an index of [`BACK`].
#[inline(always)]
pub(super) fn kind(n_boxes: u32, is_loop: bool) -> usize {
    match (is_loop, n_boxes) {
        (true, _) => 2,
        (false, 3..) => 1,
        (false, _) => 0,
    }
}

/// The sizes of the isolated chains and loops of a position.
#[derive(Clone, Debug)]
pub(super) struct Loony {
    sizes: [Sizes; 3],
}

/// The sizes of one kind.
#[derive(Clone, Debug)]
struct Sizes {
    list: [u8; MOST],
    n: usize,
}

impl Sizes {
    const NONE: Sizes = Sizes { list: [0; MOST], n: 0 };

    /// The sizes in descending order: those of the `i` largest come first, and the next to be opened is the last of them.
    #[inline(always)]
    fn sorted(&mut self) -> &[u8] {
        let list = &mut self.list[..self.n];
        list.sort_unstable_by(|a, b| b.cmp(a));
        list
    }
}

impl Loony {
    /// No chains and no loops.
    #[inline(always)]
    pub(super) fn new() -> Loony {
        Loony { sizes: [Sizes::NONE; 3] }
    }

    /// Adds a chain or a loop.
    #[inline(always)]
    pub(super) fn add(&mut self, n_boxes: u32, is_loop: bool) {
        let sizes = &mut self.sizes[kind(n_boxes, is_loop)];
        sizes.list[sizes.n] = n_boxes as u8;
        sizes.n += 1;
    }

    /// The value for the side to move.
    #[inline]
    pub(super) fn value(&mut self) -> i32 {
        if self.pairs() <= FEW_PAIRS { self.value_in::<FEW_PAIRS>() } else { self.value_in::<PAIRS>() }
    }

    /// The number of pairs of a set of the largest chains of three or more boxes and a set of the largest loops.
    fn pairs(&self) -> usize {
        (self.sizes[1].n + 1) * (self.sizes[2].n + 1)
    }

    /// The value, from the values of all possible remainders, computed from the end of the game on: the largest of each kind remain to the
    /// last.
    fn value_in<const N: usize>(&mut self) -> i32 {
        let [short, long, loops] = &mut self.sizes;
        let (short, long, loops) = (short.sorted(), long.sorted(), loops.sorted());
        let width = loops.len() + 1;
        let mut values = [0i32; N];
        for n_long in 0..=long.len() {
            for n_loops in 0..=loops.len() {
                let at = n_long * width + n_loops;
                values[at] =
                    if at == 0 { 0 } else { best(&values, at, width, [last(long, n_long), last(loops, n_loops)]) };
            }
        }
        with_short(short, values[long.len() * width + loops.len()])
    }

    /// The value for the side to move of these chains and loops with a junction, three of whose edges are undrawn, and the chains there,
    /// which lead to no other junction: opening one of them is one of the `joints`, of which there are [`MOST_JOINTS`] at most.
    pub(super) fn value_with_junction(&mut self, joints: &[Joint]) -> i32 {
        if self.pairs() <= FEW_PAIRS {
            self.value_with_junction_in::<FEW_PAIRS>(joints)
        } else {
            self.value_with_junction_in::<PAIRS>(joints)
        }
    }

    fn value_with_junction_in<const N: usize>(&mut self, joints: &[Joint]) -> i32 {
        let [short, long, loops] = &mut self.sizes;
        let (short, long, loops) = (short.sorted(), long.sorted(), loops.sorted());
        let width = loops.len() + 1;
        // Values without the junction, with the remainder of the junction after each of the joints, and with the whole junction.
        let (mut without, mut joined, mut whole) = ([0i32; N], [[0i32; N]; MOST_JOINTS], [0i32; N]);
        // If a chain at the junction is short, it may have to be opened before a short isolated one.
        let beside = if joints.iter().any(|joint| joint.back == 0) { short.len() } else { 0 };
        for n_short in 0..=beside {
            let taken = last(short, n_short);
            for n_long in 0..=long.len() {
                for n_loops in 0..=loops.len() {
                    let at = n_long * width + n_loops;
                    let next = [last(long, n_long), last(loops, n_loops)];
                    without[at] = match taken {
                        Some(n_boxes) => given(n_boxes, without[at]),
                        None if at == 0 => 0,
                        None => best(&without, at, width, next),
                    };
                    let mut most = best(&whole, at, width, next);
                    if let Some(n_boxes) = taken {
                        most = most.max(given(n_boxes, whole[at]));
                    }
                    for (joint, values) in joints.iter().zip(&mut joined) {
                        let rest = match (joint.left, taken) {
                            (None, _) => without[at],
                            (Some(_), Some(n_boxes)) => given(n_boxes, values[at]),
                            (Some((n_boxes, is_loop)), None) => {
                                let (kind, back) = if is_loop { (1, BACK[2]) } else { (0, BACK[1]) };
                                // Of its kind only the smallest need be opened: this one, or one of the others.
                                if next[kind].is_some_and(|other| other < n_boxes) {
                                    best(values, at, width, next)
                                } else {
                                    let mut others = next;
                                    others[kind] = None;
                                    best(values, at, width, others).max(opened(n_boxes, back, without[at]))
                                }
                            }
                        };
                        values[at] = rest;
                        let value = match joint.back {
                            0 => given(joint.n_boxes, rest),
                            back => opened(joint.n_boxes, back, rest),
                        };
                        most = most.max(value);
                    }
                    whole[at] = most;
                }
            }
        }
        with_short(&short[beside..], whole[long.len() * width + loops.len()])
    }
}

/// The smallest of the `n` largest.
#[inline(always)]
fn last(sizes: &[u8], n: usize) -> Option<u8> {
    n.checked_sub(1).map(|last| sizes[last])
}

/// The best of opening the next chain of three or more boxes and the next loop. `values` are those of the remaining positions.
#[inline(always)]
fn best<const N: usize>(values: &[i32; N], at: usize, width: usize, [long, loops]: [Option<u8>; 2]) -> i32 {
    let mut best = i32::MIN;
    if let Some(n_boxes) = long {
        best = opened(n_boxes, BACK[1], values[at - width]);
    }
    if let Some(n_boxes) = loops {
        best = best.max(opened(n_boxes, BACK[2], values[at - 1]));
    }
    best
}

/// The value of a position of this `value` plus isolated chains of one or two boxes, whose `sizes` are descending.
#[inline(always)]
fn with_short(sizes: &[u8], value: i32) -> i32 {
    sizes.iter().fold(value, |value, &n_boxes| given(n_boxes, value))
}

/// The value of opening a chain of which nothing can be handed back, for the side that opens it; `rest` is the value of the rest.
#[inline(always)]
fn given(n_boxes: u8, rest: i32) -> i32 {
    -(i32::from(n_boxes) + rest)
}

/// Opening one of the chains that end at a junction with three undrawn edges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joint {
    /// The boxes that are taken, of which `back` can be handed back.
    pub(super) n_boxes: u8,
    pub(super) back: i32,
    /// The remainder of the junction: the number of boxes of an isolated chain of three or more boxes or of a loop, and whether it is a
    /// loop; `None` if the junction is taken too.
    pub(super) left: Option<(u8, bool)>,
}

/// The value of opening `n_boxes`, of which `back` can be handed back, for the side that opens them; `rest` is the
/// value of the rest for the side that moves there.
#[inline(always)]
fn opened(n_boxes: u8, back: i32, rest: i32) -> i32 {
    back - i32::from(n_boxes) - (rest + back).abs()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// The value for the side to move by trying every chain and every loop, smallest first or not.
    fn plain(chains: &[u8], loops: &[u8], known: &mut HashMap<(Vec<u8>, Vec<u8>), i32>) -> i32 {
        if chains.is_empty() && loops.is_empty() {
            return 0;
        }
        let key = (chains.to_vec(), loops.to_vec());
        if let Some(&value) = known.get(&key) {
            return value;
        }
        let without = |list: &[u8], i: usize| [&list[..i], &list[i + 1..]].concat();
        let mut best = i32::MIN;
        for (i, &n) in chains.iter().enumerate() {
            let rest = plain(&without(chains, i), loops, known);
            best = best.max(if n < 3 { -(i32::from(n) + rest) } else { opened(n, 2, rest) });
        }
        for (i, &n) in loops.iter().enumerate() {
            best = best.max(opened(n, 4, plain(chains, &without(loops, i), known)));
        }
        known.insert(key, best);
        best
    }

    /// All lists of sizes from `least` on, ascending, by `step`, with a sum of at most `most`.
    fn lists(least: u8, step: u8, most: u8) -> Vec<Vec<u8>> {
        let mut all = vec![Vec::new()];
        let mut n = least;
        while n <= most {
            all.extend(lists(n, step, most - n).into_iter().map(|rest| [vec![n], rest].concat()));
            n += step;
        }
        all
    }

    fn value(chains: &[u8], loops: &[u8]) -> i32 {
        let mut loony = Loony::new();
        chains.iter().for_each(|&n| loony.add(n.into(), false));
        loops.iter().for_each(|&n| loony.add(n.into(), true));
        loony.value()
    }

    #[test]
    fn the_smallest_of_each_kind_is_enough() {
        let mut known = HashMap::new();
        for loops in lists(4, 1, 14) {
            for chains in lists(1, 1, 14 - loops.iter().sum::<u8>()) {
                assert_eq!(value(&chains, &loops), plain(&chains, &loops, &mut known), "{chains:?} {loops:?}");
            }
        }
        assert!(known.len() > 1000, "{} positions", known.len());
    }

    #[test]
    fn the_controlled_value_is_a_lower_bound_and_exact_from_two_on() {
        // Buzzard and Ciere 2014, Playing simple loony dots and boxes endgames optimally, after Berlekamp: the boxes that the side in
        // control wins, with a bonus for the last components. The numbers of endings are from an independent count.
        let (mut endings, mut determined) = (0, 0);
        for loops in lists(4, 2, 25) {
            for chains in lists(3, 1, 25 - loops.iter().sum::<u8>()) {
                let bonus = match (chains.is_empty(), loops.is_empty()) {
                    (true, true) => 0,
                    (true, false) => 8,
                    (false, false) if chains.iter().all(|&n| n == 3) => 6,
                    (false, _) => 4,
                };
                let sum = |list: &[u8], less: i32| list.iter().map(|&n| i32::from(n) - less).sum::<i32>();
                let controlled = sum(&chains, 4) + sum(&loops, 8) + bonus;
                let value = -value(&chains, &loops);
                assert!(value >= controlled, "{chains:?} {loops:?}: {value}, controlled {controlled}");
                endings += 1;
                if controlled >= 2 {
                    assert_eq!(value, controlled, "{chains:?} {loops:?}");
                    determined += 1;
                }
            }
        }
        assert_eq!((endings, determined), (2140, 1627));
    }
}

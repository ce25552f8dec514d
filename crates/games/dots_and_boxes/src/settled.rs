//! Values of positions without safe edges and without boxes on offer, where every move opens a chain or a loop.
//!
//! Each undrawn edge there belongs to a chain or a loop, so that a position is a small graph: chains, each of whose ends is at the
//! border or at a junction, a box with three or four undrawn edges. Opening a chain removes it, and two chains that are
//! left at a junction become one. The search works on that graph, by alpha-beta with a table, down to one junction with three edges or none.
//!
//! **Of like chains only the smallest need be opened**: of isolated ones of a kind (`exact/mod.rs` has the proof), and of those
//! of a kind that lead from one junction to the border. For these the proof is the same: two positions that differ in the
//! length of one such chain, but not in its kind, have the same moves, and what it becomes a part of is longer by the same
//! number of boxes.

use banyan_core::bits::Bits;

use super::chains::{Chain, chains};
use super::degrees::{Degrees, Grid};
use super::loony::{BACK, Joint, Loony, kind};

/// Entries of the table, as a power of two. (Measured on 5x5: 2^12 to 2^16 take the same time, 2^18 more.)
const TABLE_BITS: u32 = 14;
/// The border in place of a junction.
const BORDER: u8 = u8::MAX;
/// Beyond every value.
const INFINITE: i32 = 1000;

/// A chain or a loop.
#[derive(Clone, Copy, Debug)]
struct Arm<B> {
    edges: B,
    n_boxes: u8,
    is_loop: bool,
    /// The junctions at its ends by number, or [`BORDER`].
    ends: [u8; 2],
}

impl<B: Bits> Arm<B> {
    fn kind(&self) -> usize {
        kind(self.n_boxes.into(), self.is_loop)
    }

    /// How many of its ends are at the junction.
    fn ends_at(&self, junction: u8) -> usize {
        usize::from(self.ends[0] == junction) + usize::from(self.ends[1] == junction)
    }

    /// The end other than that at the junction.
    fn beyond(&self, junction: u8) -> u8 {
        if self.ends[0] == junction { self.ends[1] } else { self.ends[0] }
    }
}

/// Bounds of the value of a position; without undrawn edges there is no entry.
#[derive(Clone, Copy, Debug)]
struct Entry<B> {
    undrawn: B,
    lower: i16,
    upper: i16,
}

/// A position.
#[derive(Clone, Copy, Debug)]
struct Ending<B> {
    undrawn: B,
    /// Its chains in the list.
    begin: usize,
    end: usize,
    n_junctions: u32,
}

/// Values positions of one board, and remembers some of them.
#[derive(Clone, Debug)]
pub(super) struct SettledValues<B> {
    table: Vec<Entry<B>>,
    /// The chains of the position, of that after the move that is being tried, and so on, those of each with the smallest first; and
    /// old ones.
    arms: Vec<Arm<B>>,
    /// With more junctions than this only the smallest chain is opened: the value is an estimate.
    most_junctions: u32,
}

impl<B: Bits> SettledValues<B> {
    /// An empty table. Values of positions with up to so many junctions are exact.
    pub(super) fn new(most_junctions: u32) -> SettledValues<B> {
        let none = Entry { undrawn: B::EMPTY, lower: 0, upper: 0 };
        SettledValues { table: vec![none; 1 << TABLE_BITS], arms: Vec::new(), most_junctions }
    }

    /// The boxes that the side to move wins more than the other from here on.
    #[inline]
    pub(super) fn value(&mut self, grid: &Grid<B>, degrees: &Degrees<B>, undrawn: B) -> i32 {
        let known = &self.table[place(undrawn)];
        if known.undrawn == undrawn && known.lower == known.upper {
            return known.lower.into();
        }
        self.arms.clear();
        self.arms.extend(chains(grid, degrees, undrawn, degrees.two).map(|chain| arm(grid, degrees, &chain)));
        self.arms.sort_unstable_by_key(|arm| arm.n_boxes);
        let ending = Ending { undrawn, begin: 0, end: self.arms.len(), n_junctions: degrees.more.count() };
        self.search(ending, -INFINITE, INFINITE)
    }

    /// The value, or an upper bound of it that is `low` or less, or a lower bound that is `high` or more.
    fn search(&mut self, ending: Ending<B>, low: i32, high: i32) -> i32 {
        let Ending { undrawn, begin, end, n_junctions } = ending;
        if n_junctions == 0 {
            return self.loony_value(begin, end);
        }
        // An estimate depends on the order of chains of one size, and so on how the position was reached: it is not remembered.
        let is_estimate = n_junctions > self.most_junctions;
        let known = self.table[place(undrawn)];
        let (mut lower, mut upper) = (-INFINITE, INFINITE);
        if known.undrawn == undrawn {
            (lower, upper) = (known.lower.into(), known.upper.into());
            if lower >= high || lower == upper {
                return lower;
            }
            if upper <= low {
                return upper;
            }
        }
        if n_junctions == 1
            && let Some(value) = self.value_with_junction(begin, end)
        {
            self.table[place(undrawn)] = Entry { undrawn, lower: value as i16, upper: value as i16 };
            return value;
        }
        let mut best = -INFINITE;
        let mut likes = Likes::default();
        for opened in begin..end {
            let arm = self.arms[opened];
            if likes.meet(&arm) {
                continue;
            }
            let floor = best.max(low);
            let back = BACK[arm.kind()];
            // The value is `back - n` at most: of the n boxes the other side hands `back` back at most. More boxes than those of the
            // chain may be taken.
            let most = back - i32::from(arm.n_boxes);
            if back > 0 && most <= floor && !is_estimate {
                best = best.max(most);
                continue;
            }
            let (rest, n_boxes) = self.open(ending, opened);
            let value = if back == 0 {
                -(n_boxes + self.search(rest, -high - n_boxes, -floor - n_boxes))
            } else {
                // The value, back - n - |v + back|, is above the floor where v is closer to -back than that.
                let distance = back - n_boxes - floor;
                let beside =
                    if distance <= 0 { 0 } else { self.search(rest, -back - distance, -back + distance) + back };
                back - n_boxes - beside.abs()
            };
            best = best.max(value);
            if best >= high || is_estimate {
                break;
            }
        }
        if is_estimate {
            return best;
        }
        if best > low {
            lower = lower.max(best);
        }
        if best < high {
            upper = upper.min(best);
        }
        self.table[place(undrawn)] = Entry { undrawn, lower: lower as i16, upper: upper as i16 };
        best
    }

    /// The value of chains and loops that are all isolated.
    fn loony_value(&self, begin: usize, end: usize) -> i32 {
        let mut loony = Loony::new();
        self.arms[begin..end].iter().rev().for_each(|arm| loony.add(arm.n_boxes.into(), arm.is_loop));
        loony.value()
    }

    /// The value where there is one junction, if three of its edges are undrawn.
    fn value_with_junction(&self, begin: usize, end: usize) -> Option<i32> {
        let (mut loony, mut places, mut n, mut n_ends) = (Loony::new(), [0; 4], 0, 0);
        for place in (begin..end).rev() {
            let arm = &self.arms[place];
            let ends = arm.ends.iter().filter(|&&end| end != BORDER).count();
            if ends == 0 {
                loony.add(arm.n_boxes.into(), arm.is_loop);
            } else {
                places[n & 3] = place;
                n += 1;
                n_ends += ends;
            }
        }
        if n_ends != 3 {
            return None;
        }
        let arm = |i: usize| self.arms[places[i]];
        let joint = |opened: Arm<B>, left: (u8, bool)| Joint {
            n_boxes: opened.n_boxes,
            back: BACK[opened.kind()],
            left: Some(left),
        };
        if n == 2 {
            // One has both ends at the junction: with it all is taken.
            let (tail, circle) = if arm(0).ends.contains(&BORDER) { (arm(0), arm(1)) } else { (arm(1), arm(0)) };
            let all = Joint { n_boxes: circle.n_boxes + 1 + tail.n_boxes, back: BACK[circle.kind()], left: None };
            return Some(loony.value_with_junction(&[joint(tail, (circle.n_boxes + 1, true)), all]));
        }
        let of = |i: usize, j: usize, k: usize| joint(arm(i), (arm(j).n_boxes + 1 + arm(k).n_boxes, false));
        // The last is the smallest; of each kind that is enough.
        let second = if arm(1).kind() == arm(2).kind() { of(0, 1, 2) } else { of(1, 0, 2) };
        let n_kinds = 1 + usize::from(arm(0).kind() != arm(2).kind());
        Some(loony.value_with_junction(&[of(2, 0, 1), second][..n_kinds]))
    }

    /// Lists the chains that are left when one has been opened and taken; returns the position, and the boxes taken.
    fn open(&mut self, ending: Ending<B>, opened: usize) -> (Ending<B>, i32) {
        let arm = self.arms[opened];
        let begin = ending.end;
        let end = begin + (ending.end - ending.begin) - 1;
        if self.arms.len() < end {
            self.arms.resize(end, arm);
        }
        self.arms.copy_within(ending.begin..opened, begin);
        self.arms.copy_within(opened + 1..ending.end, begin + opened - ending.begin);
        let mut n_boxes = i32::from(arm.n_boxes);
        let mut rest = Ending { undrawn: ending.undrawn.and_not(arm.edges), begin, end, ..ending };
        let [one, other] = arm.ends;
        self.settle(&mut rest, one, &mut n_boxes);
        if other != one {
            self.settle(&mut rest, other, &mut n_boxes);
        }
        (rest, n_boxes)
    }

    /// Accounts for a chain that no longer ends at a junction.
    #[inline]
    fn settle(&mut self, rest: &mut Ending<B>, junction: u8, n_boxes: &mut i32) {
        if junction == BORDER {
            return;
        }
        // Without branches: a place is overwritten unless the chain there ends at the junction.
        let (mut n_ends, mut places) = (0, [0; 4]);
        for (place, arm) in self.arms[rest.begin..rest.end].iter().enumerate() {
            places[n_ends & 3] = place;
            n_ends += arm.ends_at(junction);
        }
        if n_ends > 2 {
            return;
        }
        rest.n_junctions -= 1;
        let first = rest.begin + places[0];
        let arm = self.arms[first];
        if n_ends == 1 {
            // Both ends of the opened chain were here: the junction and the chain that is left are taken with it.
            self.remove(rest, first);
            *n_boxes += 1 + i32::from(arm.n_boxes);
            rest.undrawn = rest.undrawn.and_not(arm.edges);
            return self.settle_next(rest, arm.beyond(junction), n_boxes);
        }
        let joined = if arm.ends_at(junction) == 2 {
            Arm { n_boxes: arm.n_boxes + 1, is_loop: true, ends: [BORDER; 2], ..arm }
        } else {
            let second = self.arms[rest.begin + places[1]];
            self.remove(rest, rest.begin + places[1]);
            Arm {
                edges: arm.edges.or(second.edges),
                n_boxes: arm.n_boxes + second.n_boxes + 1,
                is_loop: false,
                ends: [arm.beyond(junction), second.beyond(junction)],
            }
        };
        let mut place = first;
        while place + 1 < rest.end && self.arms[place + 1].n_boxes < joined.n_boxes {
            self.arms[place] = self.arms[place + 1];
            place += 1;
        }
        self.arms[place] = joined;
    }

    fn remove(&mut self, from: &mut Ending<B>, place: usize) {
        self.arms.copy_within(place + 1..from.end, place);
        from.end -= 1;
    }

    /// [`settle`](Self::settle), where it calls itself.
    #[cold]
    fn settle_next(&mut self, rest: &mut Ending<B>, junction: u8, n_boxes: &mut i32) {
        self.settle(rest, junction, n_boxes);
    }
}

/// Which kinds of chains that are isolated or lead from a junction to the border have been met.
#[derive(Clone, Copy, Debug, Default)]
struct Likes(u64);

impl Likes {
    /// Whether a like chain was met before.
    #[inline(always)]
    fn meet<B: Bits>(&mut self, arm: &Arm<B>) -> bool {
        let [one, other] = arm.ends;
        let place = match one.min(other) {
            BORDER => arm.kind(),
            junction if one.max(other) == BORDER => BACK.len() + 2 * usize::from(junction) + arm.kind(),
            _ => return false,
        };
        // Without room for a junction its chains are all opened.
        let bit = 1u64.checked_shl(place as u32).unwrap_or(0);
        let met = self.0 & bit != 0;
        self.0 |= bit;
        met
    }
}

/// The place of a position in the table.
#[inline(always)]
fn place<B: Bits>(undrawn: B) -> usize {
    (undrawn.hash_with(3) >> (u64::BITS - TABLE_BITS)) as usize
}

/// A chain with its ends. Junctions are numbered from the first on.
#[inline(always)]
fn arm<B: Bits>(grid: &Grid<B>, degrees: &Degrees<B>, chain: &Chain<B>) -> Arm<B> {
    let mut ends = [BORDER; 2];
    if !chain.isolated {
        let number = |junction: u32| degrees.more.ones().take_while(|&other| other < junction).count() as u8;
        let mut junctions = grid.beside(degrees, chain.boxes).and(degrees.more).ones();
        let first = junctions.next().expect("it is not isolated");
        ends[0] = number(first);
        ends[1] = match junctions.next() {
            Some(second) => number(second),
            None if grid.edges_of(B::single(first)).and(chain.edges).count() == 2 => ends[0],
            None => BORDER,
        };
    }
    Arm { edges: chain.edges, n_boxes: chain.n_boxes as u8, is_loop: chain.is_loop, ends }
}

#[cfg(test)]
mod tests {
    use banyan_core::{Game, Notation, Prover, Rng};

    use super::*;
    use crate::{DotsAndBoxes, ExactEndings, Shape};

    /// Draws random safe edges while there are any.
    fn settled<B: Bits>(game: &DotsAndBoxes<B>, rng: &mut Rng) -> B {
        let mut undrawn = game.undrawn(&game.start());
        loop {
            let safe = game.grid.safe(&game.grid.degrees(undrawn), undrawn);
            if safe.is_empty() {
                return undrawn;
            }
            undrawn = undrawn.and_not(safe.random_single(rng));
        }
    }

    /// Compares with the solver; returns the number of positions, and of those with a junction.
    fn check<B: Bits>(size: &str, n: u32) -> [u32; 2] {
        let game = DotsAndBoxes::<B>::new(Shape::parse(size).expect("a size"));
        let mut rng = Rng::new(3);
        // One table for all positions, as in a search.
        let mut values = SettledValues::new(u32::MAX);
        let mut with_junctions = 0;
        for _ in 0..n {
            let undrawn = settled(&game, &mut rng);
            let degrees = game.grid.degrees(undrawn);
            let mut state = game.start();
            for edge in game.undrawn(&state).and_not(undrawn).ones() {
                game.play(&mut state, edge as u8);
            }
            let value =
                game.score(&state).seen_by(game.to_move(&state)) + values.value(&game.grid, &degrees, undrawn) as i16;
            let mut solver = ExactEndings::new(1 << 16);
            let mut lower = |points| {
                let bounds = solver.reaches(&game, &state, points, &mut |_| Some(u64::MAX)).expect("not stopped");
                bounds.seen_by(game.to_move(&state)).0
            };
            assert!(lower(value) >= value && lower(value + 2) < value + 2, "{value}: {}", game.print_position(&state));
            with_junctions += u32::from(!degrees.more.is_empty());
        }
        [n, with_junctions]
    }

    #[test]
    fn estimates_do_not_depend_on_what_was_valued_before() {
        let game = DotsAndBoxes::<u128>::new(Shape::parse("7x7").expect("a size"));
        let mut rng = Rng::new(4);
        let (mut exact, mut estimates) = (SettledValues::new(u32::MAX), SettledValues::new(2));
        let [mut n_exact, mut n_estimates, mut n_wrong] = [0; 3];
        for _ in 0..300 {
            let undrawn = settled(&game, &mut rng);
            let degrees = game.grid.degrees(undrawn);
            let estimate = estimates.value(&game.grid, &degrees, undrawn);
            assert_eq!(estimate, SettledValues::new(2).value(&game.grid, &degrees, undrawn), "{undrawn:x}");
            assert!(estimate.unsigned_abs() <= degrees.open().count(), "{estimate}: {undrawn:x}");
            match degrees.more.count() {
                0..=2 => {
                    assert_eq!(estimate, exact.value(&game.grid, &degrees, undrawn), "{undrawn:x}");
                    n_exact += 1;
                }
                3..=4 => {
                    n_wrong += u32::from(estimate != exact.value(&game.grid, &degrees, undrawn));
                    n_estimates += 1;
                }
                _ => {}
            }
        }
        assert!(n_exact > 10 && n_estimates > 10 && 2 * n_wrong < n_estimates, "{n_exact}, {n_wrong} of {n_estimates}");
    }

    #[test]
    fn values_are_those_of_the_solver() {
        for (size, [n, with_junctions]) in [
            ("3x3", check::<u64>("3x3", 1000)),
            ("5x5", check::<u64>("5x5", 1000)),
            ("2x7", check::<u128>("2x7", 500)),
            ("6x6", check::<u128>("6x6", 200)),
        ] {
            assert!(4 * with_junctions > n, "{size}: {with_junctions} of {n} with junctions");
        }
    }
}

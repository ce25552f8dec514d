//! Values of positions without safe edges and without boxes on offer, where every move opens a chain or a loop.
//!
//! Each undrawn edge there belongs to a chain or a loop, so that a position is a small graph: chains, each of whose ends is at
//! the border or at a junction, a box with three or four undrawn edges. Opening a chain removes it, and two remaining chains at a junction
//! become one. The search works on that graph, by alpha-beta with a table, down to one junction with three edges or none.
//!
//! **Of similar chains only the smallest need be opened**: of isolated ones of a kind (`exact/mod.rs` has the proof), and of those
//! of a kind that lead from one junction to the border. For these the proof is the same: two positions that differ in the
//! length of one such chain, but not in its kind, have the same moves, and a chain or loop that it becomes a part of is longer by the same
//! number of boxes, and of a kind that does not depend on it. `loony.rs` has the cases in which one move is enough.
//!
//! Chains at junctions are opened before isolated ones. (Measured for 36ea878, instructions for 100,000 positions of 5x5 after
//! random safe edges: ordered by size alone 1.25 times as many if isolated ones come first among equals, and 1.05 times if they
//! come last.)

use banyan_bits::Bits;

use super::chains::{Chain, chains};
use super::degrees::{Degrees, Grid};
use super::loony::{BACK, Joint, Loony, kind};

/// Entries of the table, as a power of two. (Measured on 5x5: 2^12 to 2^16 take the same time, 2^18 more.)
const TABLE_BITS: u32 = 14;
/// Stands for the border instead of a junction.
const BORDER: u8 = u8::MAX;
/// Larger than every value.
const INFINITE: i32 = 1000;

/// A chain or a loop.
#[derive(Clone, Copy, Debug)]
struct Arm<B> {
    edges: B,
    n_boxes: u8,
    is_loop: bool,
    /// The junctions at its ends by number, in ascending order, or [`BORDER`].
    ends: [u8; 2],
}

impl<B: Bits> Arm<B> {
    fn kind(&self) -> usize {
        kind(self.n_boxes.into(), self.is_loop)
    }

    /// Whether neither end is at a junction.
    fn is_isolated(&self) -> bool {
        self.ends[0] == BORDER
    }

    /// The number of its ends at the junction.
    fn ends_at(&self, junction: u8) -> usize {
        usize::from(self.ends[0] == junction) + usize::from(self.ends[1] == junction)
    }

    /// The end other than that at the junction.
    fn beyond(&self, junction: u8) -> u8 {
        if self.ends[0] == junction { self.ends[1] } else { self.ends[0] }
    }
}

/// Bounds of the value of a position; an entry without undrawn edges is empty.
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
    /// The chains that end at a junction, and the isolated chains and loops: places in the list, those of each with the smallest first.
    attached: Places,
    isolated: Places,
    /// The list is free from here on.
    top: usize,
    n_junctions: u32,
}

/// Consecutive places in the list.
#[derive(Clone, Copy, Debug)]
struct Places {
    begin: usize,
    end: usize,
}

/// Computes values of positions of one board, with a table of values.
#[derive(Clone, Debug)]
pub(super) struct SettledValues<B> {
    table: Vec<Entry<B>>,
    /// The chains of the position, then the chains changed by each move on the path; beyond them are obsolete ones.
    arms: Vec<Arm<B>>,
    /// With more junctions than this only the smallest chain is opened, and the value is an estimate.
    most_junctions: u32,
}

impl<B: Bits> SettledValues<B> {
    /// An empty table. Values of positions with at most `most_junctions` junctions are exact.
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
        self.arms.sort_unstable_by_key(|arm| (arm.is_isolated(), arm.n_boxes));
        let top = self.arms.len();
        let n_attached = self.arms.iter().take_while(|arm| !arm.is_isolated()).count();
        let (attached, isolated) = (Places { begin: 0, end: n_attached }, Places { begin: n_attached, end: top });
        let ending = Ending { undrawn, attached, isolated, top, n_junctions: degrees.more.count() };
        self.search(ending, -INFINITE, INFINITE)
    }

    /// The value, or an upper bound of it that is `low` or less, or a lower bound that is `high` or more.
    fn search(&mut self, ending: Ending<B>, low: i32, high: i32) -> i32 {
        let Ending { undrawn, attached, isolated, n_junctions, .. } = ending;
        if n_junctions == 0 {
            return self.loony(isolated).value();
        }
        debug_assert!(
            [attached, isolated].iter().all(|list| self.arms[list.begin..list.end].is_sorted_by_key(|arm| arm.n_boxes)),
            "the smallest come first",
        );
        // An estimate depends on the order of chains of one size, and so on the path to the position: it is not stored.
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
            && let Some(value) = self.value_with_junction(attached, isolated)
        {
            self.table[place(undrawn)] = Entry { undrawn, lower: value as i16, upper: value as i16 };
            return value;
        }
        let (attached, isolated) = self.worth_opening(ending, is_estimate);
        let mut best = -INFINITE;
        let mut likes = Likes::default();
        for opened in (attached.begin..attached.end).chain(isolated.begin..isolated.end) {
            let arm = self.arms[opened];
            if likes.meet(&arm) {
                continue;
            }
            let floor = best.max(low);
            let back = BACK[arm.kind()];
            // The value is at most `back - n`: of the n boxes the other side hands back at most `back`. It may take more boxes than those
            // of the chain.
            let most = back - i32::from(arm.n_boxes);
            if back > 0 && most <= floor {
                best = best.max(most);
                continue;
            }
            let (rest, n_boxes) = self.open(ending, opened);
            let value = if back == 0 {
                -(n_boxes + self.search(rest, -high - n_boxes, -floor - n_boxes))
            } else {
                // The value, back - n - |v + back|, is above the floor if v differs from -back by less than this distance.
                let distance = back - n_boxes - floor;
                let beside =
                    if distance <= 0 { 0 } else { self.search(rest, -back - distance, -back + distance) + back };
                back - n_boxes - beside.abs()
            };
            best = best.max(value);
            if best >= high {
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

    /// The chains to try, at junctions and isolated: for an estimate only the smallest; and only the smallest isolated one if that is
    /// proven to be best (`loony.rs`).
    fn worth_opening(&self, ending: Ending<B>, is_estimate: bool) -> (Places, Places) {
        let Ending { attached, isolated, .. } = ending;
        let none = Places { begin: 0, end: 0 };
        let first = |places: Places| Places { end: places.begin + 1, ..places };
        if isolated.begin == isolated.end {
            return (if is_estimate { first(attached) } else { attached }, none);
        }
        let (smallest, lonely) = (self.arms[attached.begin], self.arms[isolated.begin]);
        if is_estimate && smallest.n_boxes <= lonely.n_boxes {
            (first(attached), none)
        } else if is_estimate || lonely.kind() == 0 && smallest.kind() != 0 {
            (none, first(isolated))
        } else {
            (attached, isolated)
        }
    }

    /// The position after a chain has been opened and taken, and the number of boxes taken.
    fn open(&mut self, ending: Ending<B>, opened: usize) -> (Ending<B>, i32) {
        if self.arms[opened].is_isolated() {
            self.open_isolated(ending, opened)
        } else {
            self.open_attached(ending, opened)
        }
    }

    fn loony(&self, isolated: Places) -> Loony {
        let mut loony = Loony::new();
        self.arms[isolated.begin..isolated.end].iter().rev().for_each(|arm| loony.add(arm.n_boxes.into(), arm.is_loop));
        loony
    }

    /// The value of a position with one junction; `None` unless three edges of the junction are undrawn.
    fn value_with_junction(&self, attached: Places, isolated: Places) -> Option<i32> {
        let joint = |opened: &Arm<B>, left: (u8, bool)| Joint {
            n_boxes: opened.n_boxes,
            back: BACK[opened.kind()],
            left: Some(left),
        };
        match &self.arms[attached.begin..attached.end] {
            [one, two] if one.ends[1] == BORDER || two.ends[1] == BORDER => {
                // One chain has both ends at the junction: if it is opened, the junction and the other chain are taken too.
                let (tail, circle) = if one.ends[1] == BORDER { (one, two) } else { (two, one) };
                let all = Joint { n_boxes: circle.n_boxes + 1 + tail.n_boxes, back: BACK[circle.kind()], left: None };
                let joints = [joint(tail, (circle.n_boxes + 1, true)), all];
                Some(self.loony(isolated).value_with_junction(&joints))
            }
            three @ [small, middle, large] if three.iter().all(|arm| arm.ends[1] == BORDER) => {
                let of =
                    |one: &Arm<B>, two: &Arm<B>, three: &Arm<B>| joint(one, (two.n_boxes + 1 + three.n_boxes, false));
                // The smallest of each kind is enough.
                let second =
                    if middle.kind() == small.kind() { of(large, small, middle) } else { of(middle, small, large) };
                let n_kinds = 1 + usize::from(large.kind() != small.kind());
                let joints = [of(small, middle, large), second];
                Some(self.loony(isolated).value_with_junction(&joints[..n_kinds]))
            }
            _ => None,
        }
    }

    /// The position without an isolated chain or loop, and the number of boxes of that.
    fn open_isolated(&mut self, ending: Ending<B>, opened: usize) -> (Ending<B>, i32) {
        let arm = self.arms[opened];
        let Ending { isolated, top, .. } = ending;
        let n = isolated.end - isolated.begin;
        self.make_room(top + n);
        let (old, new) = self.arms.split_at_mut(top);
        let mut end = 0;
        for (place, arm) in (isolated.begin..).zip(&old[isolated.begin..isolated.end]) {
            new[end] = *arm;
            end += usize::from(place != opened);
        }
        let isolated = Places { begin: top, end: top + end };
        let undrawn = ending.undrawn.and_not(arm.edges);
        (Ending { undrawn, isolated, top: isolated.end, ..ending }, arm.n_boxes.into())
    }

    /// The position after a chain that ends at a junction has been opened and taken, and the number of boxes taken.
    fn open_attached(&mut self, ending: Ending<B>, opened: usize) -> (Ending<B>, i32) {
        let arm = self.arms[opened];
        let Ending { attached, top, .. } = ending;
        let [one, other] = arm.ends;
        let n = attached.end - attached.begin;
        self.make_room(top + n);
        let (old, new) = self.arms.split_at_mut(top);
        let new = &mut new[..n];
        // Branchless: a place is overwritten unless its chain stays, and a noted place is overwritten unless the chain there ends at the
        // junction.
        let (mut end, mut ends) = (0, EndsAt::default());
        for (place, arm) in (attached.begin..).zip(&old[attached.begin..attached.end]) {
            new[end] = *arm;
            let stays = usize::from(place != opened);
            ends.note(top + end, stays * arm.ends_at(one));
            end += stays;
        }
        let attached = Places { begin: top, end: top + end };
        let undrawn = ending.undrawn.and_not(arm.edges);
        let mut rest = Ending { undrawn, attached, top: attached.end, ..ending };
        let mut n_boxes = i32::from(arm.n_boxes);
        self.settle(&mut rest, one, ends, &mut n_boxes);
        if other != one && other != BORDER {
            self.settle_next(&mut rest, other, &mut n_boxes);
        }
        (rest, n_boxes)
    }

    /// Updates a junction from which a chain was removed: two remaining ends are joined; a single one is taken with the junction.
    fn settle(&mut self, rest: &mut Ending<B>, junction: u8, ends: EndsAt, n_boxes: &mut i32) {
        if ends.n > 2 {
            return;
        }
        rest.n_junctions -= 1;
        let [first, second, ..] = ends.places;
        let arm = self.arms[first];
        if ends.n == 1 {
            // Both ends of the opened chain were here: the junction and the chain that is left are taken with it.
            self.remove(rest, first);
            *n_boxes += 1 + i32::from(arm.n_boxes);
            rest.undrawn = rest.undrawn.and_not(arm.edges);
            let beyond = arm.beyond(junction);
            if beyond != BORDER {
                self.settle_next(rest, beyond, n_boxes);
            }
            return;
        }
        if arm.ends == [junction; 2] {
            self.remove(rest, first);
            return self.isolate(rest, Arm { n_boxes: arm.n_boxes + 1, is_loop: true, ends: [BORDER; 2], ..arm });
        }
        let other = self.arms[second];
        let (one, two) = (arm.beyond(junction), other.beyond(junction));
        let joined = Arm {
            edges: arm.edges.or(other.edges),
            n_boxes: arm.n_boxes + other.n_boxes + 1,
            is_loop: false,
            ends: [one.min(two), one.max(two)],
        };
        self.remove(rest, second);
        if joined.is_isolated() {
            self.remove(rest, first);
            self.isolate(rest, joined);
        } else {
            let mut place = first;
            while place + 1 < rest.attached.end && self.arms[place + 1].n_boxes < joined.n_boxes {
                self.arms[place] = self.arms[place + 1];
                place += 1;
            }
            self.arms[place] = joined;
        }
    }

    /// Counts the remaining ends at a junction from which a chain was removed, and updates it.
    fn settle_next(&mut self, rest: &mut Ending<B>, junction: u8, n_boxes: &mut i32) {
        let Places { begin, end } = rest.attached;
        let mut ends = EndsAt::default();
        for (place, arm) in (begin..).zip(&self.arms[begin..end]) {
            ends.note(place, arm.ends_at(junction));
        }
        self.settle(rest, junction, ends, n_boxes);
    }

    /// Removes a chain from those that end at a junction.
    fn remove(&mut self, rest: &mut Ending<B>, place: usize) {
        for place in place + 1..rest.attached.end {
            self.arms[place - 1] = self.arms[place];
        }
        rest.attached.end -= 1;
    }

    /// Adds an isolated chain or loop.
    fn isolate(&mut self, rest: &mut Ending<B>, arm: Arm<B>) {
        let Places { begin, end } = rest.isolated;
        let top = rest.top;
        self.make_room(top + end - begin + 1);
        let mut place = begin;
        while place < end && self.arms[place].n_boxes < arm.n_boxes {
            self.arms[place - begin + top] = self.arms[place];
            place += 1;
        }
        self.arms[place - begin + top] = arm;
        for place in place..end {
            self.arms[place - begin + top + 1] = self.arms[place];
        }
        rest.isolated = Places { begin: top, end: top + end - begin + 1 };
        rest.top = rest.isolated.end;
    }

    /// Extends the list to at least `len` places.
    #[inline(always)]
    fn make_room(&mut self, len: usize) {
        if self.arms.len() < len {
            self.arms.resize(len, self.arms[0]);
        }
    }
}

/// The ends of chains at a junction.
#[derive(Clone, Copy, Debug, Default)]
struct EndsAt {
    n: usize,
    /// The places of the chains; a chain with both ends there has one place.
    places: [usize; 4],
}

impl EndsAt {
    #[inline(always)]
    fn note(&mut self, place: usize, n_ends: usize) {
        self.places[self.n & 3] = place;
        self.n += n_ends;
    }
}

/// Kinds of chains already met, among those that are isolated or lead from a junction to the border.
#[derive(Clone, Copy, Debug, Default)]
struct Likes(u64);

impl Likes {
    /// Whether a similar chain was met before.
    #[inline(always)]
    fn meet<B: Bits>(&mut self, arm: &Arm<B>) -> bool {
        let place = match arm.ends {
            [BORDER, _] => arm.kind(),
            [junction, BORDER] => BACK.len() + 2 * usize::from(junction) + arm.kind(),
            _ => return false,
        };
        // Junctions beyond the bits of the word are not tracked: all their chains are opened.
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
mod tests;

//! The choice of a child: UCB1 over eight children at a time.

use banyan_core::cpu::{Isa, LANES, Lanes};
use banyan_core::{Rng, Side};

use super::config::TieBreak;

/// What selection needs to know about a node.
pub(crate) struct Selection<'a> {
    /// Visits of the children and padding.
    pub(crate) visits: &'a [u32],
    /// Bits of their mean rewards, seen by the first side, and padding.
    pub(crate) means: &'a [u32],
    /// How many children there are.
    pub(crate) len: usize,
    /// Whose move it is.
    pub(crate) mover: Side,
    /// The exploration weight.
    pub(crate) c: f32,
    /// `2 c^2 ln N`: then UCB1 is `mean + sqrt(exploration / n)`.
    pub(crate) exploration: f32,
}

/// The child to descend into, and what is known of it by the way.
pub(crate) struct Selected {
    pub(crate) index: usize,
    /// Sum of visits times mean reward over all children, for the backup.
    pub(crate) sum: f32,
    /// The child's own `2 c^2 ln N`.
    pub(crate) exploration: f32,
}

/// `2 c^2 ln N` for a node with `visits` visits, at least one.
#[inline(always)]
pub(crate) fn exploration<I: Isa>(isa: I, c: f32, visits: u32) -> f32 {
    2.0 * c * c * natural_logs(isa, isa.splat(visits as f32)).to_array()[0]
}

/// Sum of visits times mean reward over all children.
#[inline(always)]
pub(crate) fn weighted_sum<I: Isa>(isa: I, visits: &[u32], means: &[u32], len: usize) -> f32 {
    let zero = isa.splat(0.0);
    let mut sum = zero;
    for from in (0..len).step_by(LANES) {
        let (n, mean) = (isa.lanes_from_counts(eight(visits, from)), isa.lanes_from_bits(eight(means, from)));
        sum = sum.plus(n.times(mean).first(len - from, zero));
    }
    sum.total()
}

/// The child with the largest UCB1 value `mean + c sqrt(2 ln N / n)` (Auer, Cesa-Bianchi and Fischer 2002, figure 1,
/// with their constant made a parameter), all children having been visited. `scores` is room to work in.
#[inline(always)]
pub(crate) fn ucb1<I: Isa>(
    isa: I,
    node: &Selection<'_>,
    ties: Ties<'_, impl Fn(usize) -> u8>,
    scores: &mut Vec<[f32; LANES]>,
) -> Selected {
    if node.len <= LANES {
        // One descent is one long chain of dependent arithmetic. The logarithms that the next node will need are taken
        // for all children here, beside that chain (measured: Connect Four, 1.68 M simulations/s for 1.47 M).
        let logs = natural_logs(isa, isa.lanes_from_counts(eight(node.visits, 0)));
        let explorations = isa.splat(2.0 * node.c * node.c).times(logs).to_array();
        let (score, sum) = score_eight(isa, node, 0);
        let best = score.highest();
        let mask = score.equals(isa.splat(best));
        let index = match mask.count_ones() {
            1 => mask.trailing_zeros() as usize,
            _ => pick(isa, &[score.to_array()], best, ties),
        };
        return Selected { index, sum: sum.total(), exploration: explorations[index] };
    }
    let mut sum = isa.splat(0.0);
    let mut best = isa.splat(f32::NEG_INFINITY);
    scores.clear();
    for from in (0..node.len).step_by(LANES) {
        let (score, part) = score_eight(isa, node, from);
        sum = sum.plus(part);
        best = best.max(score);
        scores.push(score.to_array());
    }
    let index = pick(isa, scores, best.highest(), ties);
    Selected { index, sum: sum.total(), exploration: exploration(isa, node.c, node.visits[index]) }
}

/// The UCB1 values of eight neighbouring children, and their visits times mean rewards; minus infinity and 0 behind the
/// last child.
#[inline(always)]
fn score_eight<I: Isa>(isa: I, node: &Selection<'_>, from: usize) -> (I::Lanes, I::Lanes) {
    let n = isa.lanes_from_counts(eight(node.visits, from));
    let mean = isa.lanes_from_bits(eight(node.means, from));
    let own_mean = isa.splat(f32::from(node.mover.sign())).times(mean);
    let score = own_mean.plus(isa.splat(node.exploration).over(n).sqrt());
    let inside = node.len - from;
    (score.first(inside, isa.splat(f32::NEG_INFINITY)), n.times(mean).first(inside, isa.splat(0.0)))
}

/// How to decide between equal scores.
pub(crate) struct Ties<'a, C> {
    pub(crate) by: TieBreak,
    /// How central each child is.
    pub(crate) centrality: C,
    pub(crate) rng: &'a mut Rng,
}

/// The index of `best` in `scores`, by `ties` if there are several.
#[inline(always)]
pub(crate) fn pick<I: Isa>(isa: I, scores: &[[f32; LANES]], best: f32, ties: Ties<'_, impl Fn(usize) -> u8>) -> usize {
    let wanted = isa.splat(best);
    let mut first = None;
    let mut equals = 0;
    for (group, eight) in scores.iter().enumerate() {
        let mask = isa.lanes_from_bits(&eight.map(f32::to_bits)).equals(wanted);
        if mask != 0 {
            first = first.or(Some(group * LANES + mask.trailing_zeros() as usize));
            equals += mask.count_ones();
        }
    }
    let first = first.expect("the best score is one of them");
    if equals == 1 || ties.by == TieBreak::First { first } else { break_tie(scores, best, equals, ties) }
}

#[cold]
fn break_tie(scores: &[[f32; LANES]], best: f32, equals: u32, ties: Ties<'_, impl Fn(usize) -> u8>) -> usize {
    let scores = scores.as_flattened();
    let mut among = (0..scores.len()).filter(|&i| scores[i] == best);
    let chosen = match ties.by {
        TieBreak::First => among.next(),
        TieBreak::Random => among.nth(ties.rng.below(equals) as usize),
        // The negative index makes the first of several the largest.
        TieBreak::Central => among.max_by_key(|&i| ((ties.centrality)(i), -(i as isize))),
    };
    chosen.expect("there are equals")
}

/// Eight neighbouring words.
#[inline(always)]
fn eight(words: &[u32], from: usize) -> &[u32; LANES] {
    words[from..from + LANES].try_into().expect("lists are padded")
}

/// ln of eight whole numbers from 1 up, to 3e-7 relative: the library's own logarithm differs between systems, and the
/// same seed must give the same search everywhere. Exponent and mantissa apart, the latter by the series of artanh.
#[inline(always)]
fn natural_logs<I: Isa>(isa: I, numbers: I::Lanes) -> I::Lanes {
    let one = isa.splat(1.0);
    let (exponent, mantissa) = numbers.split();
    let t = mantissa.plus(isa.splat(-1.0)).over(mantissa.plus(one));
    let t2 = t.times(t);
    let tail = [1.0 / 7.0, 1.0 / 5.0, 1.0 / 3.0, 1.0];
    let series = tail.iter().fold(isa.splat(1.0 / 9.0), |sum, &term| isa.splat(term).plus(t2.times(sum)));
    exponent.times(isa.splat(std::f32::consts::LN_2)).plus(t.times(isa.splat(2.0)).times(series))
}

#[cfg(test)]
mod tests {
    use banyan_core::cpu::Portable;

    use super::*;

    #[test]
    fn the_logarithm_is_good_to_single_precision() {
        for n in (1..2000).chain([65_535, 1 << 20, 123_456_789, u32::MAX]) {
            let (ours, exact) = (f64::from(exploration(Portable, 0.5, n)), f64::from(n as f32).ln() / 2.0);
            assert!((ours - exact).abs() <= 3e-7 * exact.max(1.0), "half of ln {n}: {ours} for {exact}");
        }
    }

    /// The formula as the paper writes it, in double precision and one child after another.
    fn plain_ucb1(tallies: &[(u32, f32)], mover: Side, c: f64) -> Vec<f64> {
        let total: u32 = tallies.iter().map(|&(n, _)| n).sum();
        let ucb = |&(n, mean): &(u32, f32)| {
            let own = if mover == Side::First { f64::from(mean) } else { 1.0 - f64::from(mean) };
            own + c * (2.0 * f64::from(total).ln() / f64::from(n)).sqrt()
        };
        tallies.iter().map(ucb).collect()
    }

    #[test]
    fn selection_follows_the_published_formula() {
        let mut rng = Rng::new(11);
        for round in 0..2000 {
            let len = 1 + rng.below(40) as usize;
            let tallies: Vec<(u32, f32)> = (0..len).map(|_| (1 + rng.below(500), rng.unit() as f32)).collect();
            let mover = Side::BOTH[round % 2];
            let mut visits: Vec<u32> = tallies.iter().map(|t| t.0).collect();
            let mut means: Vec<u32> = tallies.iter().map(|t| t.1.to_bits()).collect();
            // What lies behind the children must not matter.
            visits.extend([0, 1, u32::MAX, 7, 0, 0, 9, 9]);
            means.extend([f32::NAN.to_bits(), u32::MAX, 0, 1e9f32.to_bits(), 0, 0, 0, 0]);
            let total = tallies.iter().map(|t| t.0).sum();
            let node = Selection {
                visits: &visits,
                means: &means,
                len,
                mover,
                c: 0.7,
                exploration: exploration(Portable, 0.7, total),
            };
            let ties = Ties { by: TieBreak::First, centrality: |_| 0, rng: &mut rng };
            let selected = ucb1(Portable, &node, ties, &mut Vec::new());
            let plain = plain_ucb1(&tallies, mover, 0.7);
            let best = plain.iter().copied().fold(f64::MIN, f64::max);
            assert!(best - plain[selected.index] < 1e-5, "chose {} of {plain:?}", selected.index);
            let sum: f64 = tallies.iter().map(|t| f64::from(t.0) * f64::from(t.1)).sum();
            assert!((f64::from(selected.sum) - sum).abs() < 1e-2);
            assert_eq!(selected.sum, weighted_sum(Portable, &visits, &means, len));
        }
    }

    #[test]
    fn ties_are_broken_as_asked() {
        let scores = [[1.0, 3.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0], [3.0, 3.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0]];
        let mut rng = Rng::new(2);
        let mut picked = |by| {
            let centrality = |i: usize| [0, 1, 9, 0, 0, 0, 0, 0, 5, 5, 9, 0, 0, 0, 0, 0][i];
            pick(Portable, &scores, 3.0, Ties { by, centrality, rng: &mut rng })
        };
        assert_eq!(picked(TieBreak::First), 1);
        assert_eq!(picked(TieBreak::Central), 8);
        let mut seen = [0; 16];
        for _ in 0..3000 {
            seen[picked(TieBreak::Random)] += 1;
        }
        assert!([1, 8, 9].iter().all(|&i| (850..1150).contains(&seen[i])), "{seen:?}");
        assert_eq!(seen.iter().sum::<i32>(), seen[1] + seen[8] + seen[9]);
    }
}

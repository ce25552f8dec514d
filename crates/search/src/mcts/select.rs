//! The choice of a child: UCB1 over eight children at a time.

use banyan_core::{Rng, Side};

use super::config::TieBreak;

/// Children scored at once. Scores are written for whole groups, so lists carry as much padding.
pub(crate) const LANES: usize = 8;

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
    /// `2 c^2 ln N`: then UCB1 is `mean + sqrt(exploration / n)`.
    pub(crate) exploration: f32,
}

/// The child to descend into, and the visit-weighted sum of all children's rewards, for the backup.
pub(crate) struct Selected {
    pub(crate) edge: usize,
    pub(crate) sum: f32,
}

/// `2 c^2 ln N` for a node with `visits` visits.
#[inline(always)]
pub(crate) fn exploration(c: f32, visits: u32) -> f32 {
    2.0 * c * c * natural_log(visits)
}

/// Sum of visits times mean reward over all children.
#[inline(always)]
pub(crate) fn weighted_sum(visits: &[u32], means: &[u32], len: usize) -> f32 {
    let mut sums = [0.0f32; LANES];
    for from in (0..len).step_by(LANES) {
        let (n, mean) = (lanes(visits, from), lanes(means, from));
        for i in 0..LANES {
            let term = n[i] as i32 as f32 * f32::from_bits(mean[i]);
            sums[i] += if from + i < len { term } else { 0.0 };
        }
    }
    fold(sums)
}

/// The child with the largest UCB1 value `mean + c sqrt(2 ln N / n)` (Auer, Cesa-Bianchi and Fischer 2002, figure 1,
/// with their constant made a parameter), all children having been visited. `scores` is room to work in.
#[inline(always)]
pub(crate) fn ucb1(
    node: &Selection<'_>,
    tie: TieBreak,
    centrality: impl Fn(usize) -> u8,
    rng: &mut Rng,
    scores: &mut Vec<f32>,
) -> Selected {
    let sign = f32::from(node.mover.sign());
    let mut sums = [0.0f32; LANES];
    let mut best = [f32::NEG_INFINITY; LANES];
    if scores.len() < node.len + LANES {
        scores.resize(node.len + LANES, 0.0);
    }
    for from in (0..node.len).step_by(LANES) {
        let (n, mean) = (lanes(node.visits, from), lanes(node.means, from));
        let mut score = [0.0f32; LANES];
        for i in 0..LANES {
            let n = n[i] as i32 as f32;
            let mean = f32::from_bits(mean[i]);
            let inside = from + i < node.len;
            let ucb = sign * mean + (node.exploration / n).sqrt();
            score[i] = if inside { ucb } else { f32::NEG_INFINITY };
            sums[i] += if inside { n * mean } else { 0.0 };
            best[i] = if score[i] > best[i] { score[i] } else { best[i] };
        }
        scores[from..from + LANES].copy_from_slice(&score);
    }
    let best = best.into_iter().fold(f32::NEG_INFINITY, |a, b| if b > a { b } else { a });
    Selected { edge: pick(&scores[..node.len], best, tie, centrality, rng), sum: fold(sums) }
}

/// The index of `best` in `scores`, by `tie` if there are several.
#[inline(always)]
pub(crate) fn pick(scores: &[f32], best: f32, tie: TieBreak, centrality: impl Fn(usize) -> u8, rng: &mut Rng) -> usize {
    let first = scores.iter().position(|&score| score == best).expect("the best score is one of them");
    if tie == TieBreak::First {
        return first;
    }
    let equals = scores[first..].iter().map(|&score| u32::from(score == best)).sum();
    if equals == 1 { first } else { break_tie(scores, best, first, equals, tie, centrality, rng) }
}

#[cold]
fn break_tie(
    scores: &[f32],
    best: f32,
    first: usize,
    equals: u32,
    tie: TieBreak,
    centrality: impl Fn(usize) -> u8,
    rng: &mut Rng,
) -> usize {
    let mut among = (first..scores.len()).filter(|&i| scores[i] == best);
    match tie {
        TieBreak::First => first,
        TieBreak::Random => among.nth(rng.below(equals) as usize).expect("fewer than there are equals"),
        // `rev` because `max_by_key` keeps the last of several.
        TieBreak::Central => {
            let among: Vec<usize> = among.collect();
            among.into_iter().rev().max_by_key(|&i| centrality(i)).expect("the first is one of them")
        }
    }
}

#[inline(always)]
fn lanes(words: &[u32], from: usize) -> [u32; LANES] {
    words[from..from + LANES].try_into().expect("lists are padded")
}

/// Sums in a fixed order, so that every machine rounds alike.
#[inline(always)]
fn fold(sums: [f32; LANES]) -> f32 {
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

/// ln of a whole number from 1 up, to 2e-7 relative: the library's own differs between systems, and the same seed must
/// give the same search everywhere. Exponent from the bits, mantissa in [sqrt 1/2, sqrt 2) by the series of artanh.
#[inline(always)]
pub(crate) fn natural_log(n: u32) -> f32 {
    const SQRT_HALF_BITS: u32 = 0x3f35_04f3;
    let bits = (n as f32).to_bits();
    let above = bits.wrapping_sub(SQRT_HALF_BITS);
    let exponent = (above as i32 >> 23) as f32;
    let mantissa = f32::from_bits((above & 0x007f_ffff) + SQRT_HALF_BITS);
    let t = (mantissa - 1.0) / (mantissa + 1.0);
    let t2 = t * t;
    let series = 2.0 * t * (1.0 + t2 * (1.0 / 3.0 + t2 * (0.2 + t2 * (1.0 / 7.0 + t2 * (1.0 / 9.0)))));
    exponent * std::f32::consts::LN_2 + series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_good_to_single_precision() {
        for n in (1..2000).chain([65_535, 1 << 20, 123_456_789, u32::MAX]) {
            let (ours, exact) = (f64::from(natural_log(n)), f64::from(n as f32).ln());
            assert!((ours - exact).abs() <= 3e-7 * exact.max(1.0), "ln {n}: {ours} for {exact}");
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
            let node = Selection { visits: &visits, means: &means, len, mover, exploration: exploration(0.7, total) };
            let selected = ucb1(&node, TieBreak::First, |_| 0, &mut rng, &mut Vec::new());
            let plain = plain_ucb1(&tallies, mover, 0.7);
            let best = plain.iter().copied().fold(f64::MIN, f64::max);
            assert!(best - plain[selected.edge] < 1e-5, "chose {} of {plain:?}", selected.edge);
            let sum: f64 = tallies.iter().map(|t| f64::from(t.0) * f64::from(t.1)).sum();
            assert!((f64::from(selected.sum) - sum).abs() < 1e-2);
            assert_eq!(selected.sum, weighted_sum(&visits, &means, len));
        }
    }

    #[test]
    fn ties_are_broken_as_asked() {
        let scores = [1.0, 3.0, 2.0, 3.0, 3.0, 0.0];
        let centrality = |i: usize| [0, 1, 9, 5, 5, 9][i];
        let mut rng = Rng::new(2);
        assert_eq!(pick(&scores, 3.0, TieBreak::First, centrality, &mut rng), 1);
        assert_eq!(pick(&scores, 3.0, TieBreak::Central, centrality, &mut rng), 3);
        let mut seen = [0; 6];
        for _ in 0..3000 {
            seen[pick(&scores, 3.0, TieBreak::Random, centrality, &mut rng)] += 1;
        }
        assert!([1, 3, 4].iter().all(|&i| (850..1150).contains(&seen[i])), "{seen:?}");
        assert_eq!(seen[0] + seen[2] + seen[5], 0);
    }
}

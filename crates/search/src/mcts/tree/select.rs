//! Selection: UCB1, UCB1-Tuned, KL-UCB and PUCT over eight children at a time.

use banyan_bits::cpu::{F32x8, LANES};
use banyan_core::Side;

use super::amaf::AmafMeans;
use super::columns::Column;
use super::graph::{Graph, NodeId};
use super::kl_ucb::KlUcb;
use super::lanes::{Score, eight, natural_logs, numbers};
use super::layout::PRUNED;
use super::params::Params;
use super::ties::{Ties, pick};
use super::virtual_loss::Losses;
use crate::options::Selection;

/// The part of a node that selection reads: its tried children. Every list is padded by eight words.
pub(crate) struct Children<'a> {
    /// Visits; the top bit marks pruned children, which are not searched any more.
    pub(crate) visits: &'a [u32],
    /// Bits of the mean rewards, seen by the first side.
    pub(crate) means: &'a [u32],
    /// The number of children.
    pub(crate) len: usize,
    /// The side to move.
    pub(crate) mover: Side,
    /// The child with a bonus, and the bonus, which is divided by one more than its visits.
    pub(crate) bonus: Option<(usize, f32)>,
    /// The value of children without a node, if it is not their own mean.
    pub(crate) leaves: Option<LeafMeans<'a>>,
    /// Bits of the minimax values of static evaluations, seen by the first side, and the weight with which they count; padded.
    pub(crate) minimax: Option<(&'a [u32], f32)>,
    /// Static evaluations that give a bonus.
    pub(crate) heuristic: Option<Heuristic<'a>>,
    /// All moves as first, mixed with the values.
    pub(crate) amaf: Option<AmafMeans<'a>>,
    /// Pending visits that count as losses.
    pub(crate) losses: Option<Losses<'a>>,
}

impl<'a> Children<'a> {
    /// `len` children by their statistics alone.
    #[inline(always)]
    pub(crate) fn of(visits: &'a [u32], means: &'a [u32], len: usize, mover: Side) -> Children<'a> {
        let (bonus, leaves, minimax, heuristic, amaf, losses) = (None, None, None, None, None, None);
        Children { visits, means, len, mover, bonus, leaves, minimax, heuristic, amaf, losses }
    }
}

/// Static evaluations of the children as rewards, which give them a bonus.
#[derive(Clone, Copy)]
pub(crate) struct Heuristic<'a> {
    /// Their bits, seen by the first side; padded.
    pub(crate) values: &'a [u32],
    pub(crate) weight: f32,
    /// The lowest reward, seen by the mover, from which they are counted.
    pub(crate) lowest: f32,
}

/// UCB1: `mean + sqrt(exploration / n)`.
#[derive(Clone, Copy)]
pub(crate) struct Ucb1 {
    /// `2 c^2 ln N`.
    pub(crate) exploration: f32,
    /// `2 c^2` of the children's own exploration terms, which are computed on the side; 0 if they are not needed.
    pub(crate) factor: f32,
}

/// UCB1-Tuned: `mean + range c sqrt(ln N / n min(1/4, square - mean^2 + sqrt(2 ln N / n)))`, rewards being counted in
/// units of their range from 0 on.
pub(crate) struct Tuned<'a> {
    /// Bits of the mean squares of the children's rewards.
    pub(crate) squares: &'a [u32],
    pub(crate) c: f32,
    /// `ln N`.
    pub(crate) log: f32,
    /// Highest minus lowest reward.
    pub(crate) range: f32,
}

/// PUCT: `mean + P exploration / (1 + n)`.
pub(crate) struct Puct<'a> {
    /// Bits of the children's priors, if there are any; else all priors are `1 / len`.
    pub(crate) priors: Option<&'a [u32]>,
    pub(crate) uniform: f32,
    /// `c sqrt(N)`.
    pub(crate) exploration: f32,
}

/// The value of children without a node: the mean of their own mean and their parent's initial value.
#[derive(Clone, Copy)]
pub(crate) struct LeafMeans<'a> {
    /// Handles, padded; 0 without a node.
    pub(crate) handles: &'a [u32],
    /// The initial value, seen by the first side.
    pub(crate) start: f32,
}

impl Score for Ucb1 {
    /// A child claimed by another thread may have no visit yet: 0 visits count as almost 0, so that the score is the
    /// highest possible, and a number even without exploration (0 / 0 is not).
    #[inline(always)]
    fn score(&self, n: F32x8, mean: F32x8, _from: usize, _inside: usize) -> F32x8 {
        mean + (F32x8::splat(self.exploration) / n.max(F32x8::splat(f32::MIN_POSITIVE))).sqrt()
    }
}

impl Score for Tuned<'_> {
    #[inline(always)]
    fn score(&self, n: F32x8, mean: F32x8, from: usize, inside: usize) -> F32x8 {
        let (log, shrink) = (F32x8::splat(self.log), F32x8::splat(1.0 / (self.range * self.range)));
        let (quarter, minus, zero) = (F32x8::splat(-0.25), F32x8::splat(-1.0), F32x8::splat(0.0));
        let square = numbers(self.squares, from, inside);
        // Without a visit as by UCB1, and with a finite share, for c may be 0.
        let share = log / n.max(F32x8::splat(1e-30));
        let variance = ((square + minus * mean * mean) * shrink).max(zero);
        let unsure = variance + (share + share).sqrt();
        // min(a, b) = -max(-a, -b).
        let least = minus * (minus * unsure).max(quarter);
        mean + F32x8::splat(self.c * self.range) * (share * least).sqrt()
    }
}

impl Score for Puct<'_> {
    #[inline(always)]
    fn score(&self, n: F32x8, mean: F32x8, from: usize, inside: usize) -> F32x8 {
        let prior = match self.priors {
            Some(priors) => numbers(priors, from, inside),
            None => F32x8::splat(self.uniform),
        };
        mean + prior * F32x8::splat(self.exploration) / (F32x8::splat(1.0) + n)
    }
}

/// The value alone, without exploration.
struct ValueOnly;

impl Score for ValueOnly {
    #[inline(always)]
    fn score(&self, _n: F32x8, mean: F32x8, _from: usize, _inside: usize) -> F32x8 {
        mean
    }
}

/// The selected child, and what was computed on the side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Selected {
    pub(crate) index: usize,
    /// Minus infinity if every child is pruned.
    pub(crate) score: f32,
    /// Over all children that are not pruned: the sum of visits, and of visits times mean reward.
    pub(crate) weight: f32,
    pub(crate) sum: f32,
    /// The child's own `2 c^2 ln N`, by UCB1 only.
    pub(crate) exploration: f32,
}

/// `factor ln N` for a node with `visits` visits, at least one; a factor of 0 skips the logarithm.
#[inline(always)]
pub(crate) fn exploration(factor: f32, visits: u32) -> f32 {
    if factor == 0.0 {
        return 0.0;
    }
    factor * natural_logs(F32x8::splat(visits as f32)).to_array()[0]
}

/// Sum of visits, and of visits times mean reward, over all children that are not pruned.
#[inline(always)]
pub(crate) fn weighted_sum(visits: &[u32], means: &[u32], len: usize) -> (f32, f32) {
    let zero = F32x8::splat(0.0);
    let (mut weight, mut sum) = (zero, zero);
    for from in (0..len).step_by(LANES) {
        let (n, mean) = stats_of_eight(visits, means, from, len - from);
        let n = n.max(zero);
        weight = weight + n;
        sum = sum + n * mean;
    }
    (weight.sum(), sum.sum())
}

/// A node that selects, as formulas read it.
pub(crate) struct Selecting<'a> {
    pub(crate) params: &'a Params,
    pub(crate) graph: &'a Graph,
    pub(crate) node: NodeId,
    /// N.
    pub(crate) visits: u32,
    /// `factor ln N`.
    pub(crate) exploration: f32,
    pub(crate) c: f32,
    /// The lowest reward, seen by the mover.
    pub(crate) lowest: f32,
}

/// The best of `children` by the formula of the settings. `scores` is scratch memory.
#[inline(always)]
pub(crate) fn by_formula(
    node: &Selecting<'_>,
    children: &Children<'_>,
    ties: Ties<'_>,
    scores: &mut Vec<[f32; LANES]>,
) -> Selected {
    let Selecting { params, graph, node, visits, exploration: log, c, lowest } = *node;
    let len = graph.len(node);
    let column = |column| graph.column(node, len, column);
    match params.selection {
        Selection::Ucb1 => {
            let exploration = if params.varied { log * c * c } else { log };
            ucb1(children, Ucb1 { exploration, factor: params.factor }, ties, scores)
        }
        Selection::Ucb1Tuned => {
            let squares = column(Column::Square).expect("kept with this formula");
            // Heads store 2 ln N.
            let rule = Tuned { squares, c, log: log / 2.0, range: params.reward_range };
            with_exploration(tuned(children, &rule, ties, scores), params, children)
        }
        Selection::KlUcb => {
            // Heads store 2 ln N.
            let rule = KlUcb::new(c, log / 2.0, lowest, params.reward_range);
            with_exploration(best_of(children, &rule, ties, scores), params, children)
        }
        Selection::Puct => {
            let exploration = c * (visits as f32).sqrt();
            let rule = Puct { priors: column(Column::Prior), uniform: 1.0 / len as f32, exploration };
            puct(children, &rule, ties, scores)
        }
        Selection::First => first(children),
    }
}

/// The selected child with its own exploration term, which shared nodes store themselves.
#[inline(always)]
fn with_exploration(selected: Selected, params: &Params, children: &Children<'_>) -> Selected {
    let visits = children.visits[selected.index] & !PRUNED;
    let factor = if params.shared { 0.0 } else { params.factor };
    Selected { exploration: exploration(factor, visits.max(1)), ..selected }
}

/// The child with the largest UCB1 value (Auer, Cesa-Bianchi and Fischer 2002, figure 1, with their constant made a
/// parameter). All children that are not pruned have visits. `scores` is scratch memory.
#[inline(always)]
pub(crate) fn ucb1(node: &Children<'_>, rule: Ucb1, ties: Ties<'_>, scores: &mut Vec<[f32; LANES]>) -> Selected {
    if node.len <= LANES {
        // One descent is one long chain of dependent arithmetic. The logarithms that the next node will need are taken
        // for all children here, beside that chain (measured in a game of 7 moves: 1.68 M simulations/s for 1.47 M), and stay
        // in a register: read from an array, they cost up to a tenth of a search wherever the stack put that array across
        // two cache lines (0.67 for 0.62 s of CPU time; the same game, 500,000 playouts).
        let explorations = if rule.factor > 0.0 {
            // A child without a visit has an exploration term of 0. (The logarithm of 0 would make the next node's
            // scores not a number, and the index chosen then may lie behind the last child.)
            let n = F32x8::from_counts(eight(node.visits, 0)).max(F32x8::splat(1.0));
            let logs = natural_logs(n);
            F32x8::splat(rule.factor) * logs
        } else {
            F32x8::splat(0.0)
        };
        let (score, weight, sum) = score_eight(node, 0, &rule);
        let best = score.largest();
        let mask = score.equal_lanes(F32x8::splat(best));
        let index = match mask.count_ones() {
            1 => mask.trailing_zeros() as usize,
            _ => pick(&[score.to_array()], best, ties),
        };
        let exploration = explorations.lane(index);
        return Selected { index, score: best, weight: weight.sum(), sum: sum.sum(), exploration };
    }
    let selected = best_of(node, &rule, ties, scores);
    let visits = node.visits[selected.index];
    Selected { exploration: exploration(rule.factor, visits.max(1)), ..selected }
}

/// The child with the largest UCB1-Tuned value (the same paper, section 4).
#[inline(always)]
pub(crate) fn tuned(node: &Children<'_>, rule: &Tuned<'_>, ties: Ties<'_>, scores: &mut Vec<[f32; LANES]>) -> Selected {
    best_of(node, rule, ties, scores)
}

/// The child with the largest PUCT value (Rosin 2011; Silver et al. 2017).
#[inline(always)]
pub(crate) fn puct(node: &Children<'_>, rule: &Puct<'_>, ties: Ties<'_>, scores: &mut Vec<[f32; LANES]>) -> Selected {
    best_of(node, rule, ties, scores)
}

/// The first child that is not pruned.
pub(crate) fn first(node: &Children<'_>) -> Selected {
    let (weight, sum) = weighted_sum(node.visits, node.means, node.len);
    // Pruned children have negative visits.
    let open = node.visits[..node.len].iter().position(|&visits| (visits as i32) >= 0);
    let score = if open.is_some() { 0.0 } else { f32::NEG_INFINITY };
    Selected { index: open.unwrap_or(0), score, weight, sum, exploration: 0.0 }
}

/// The value of each child as formulas see it, before they add their exploration term, and with every bonus.
pub(crate) fn values(node: &Children<'_>) -> Vec<f32> {
    let eights = (0..node.len).step_by(LANES).map(|from| score_eight(node, from, &ValueOnly).0.to_array());
    eights.flatten().take(node.len).collect()
}

/// The child with the largest score.
#[inline(always)]
pub(super) fn best_of(
    node: &Children<'_>,
    rule: &impl Score,
    ties: Ties<'_>,
    scores: &mut Vec<[f32; LANES]>,
) -> Selected {
    if node.len <= 2 * LANES {
        return best_of_two_groups(node, rule, ties);
    }
    let (mut weight, mut sum) = (F32x8::splat(0.0), F32x8::splat(0.0));
    let mut best = F32x8::splat(f32::NEG_INFINITY);
    scores.clear();
    for from in (0..node.len).step_by(LANES) {
        let (scored, n, part) = score_eight(node, from, rule);
        (weight, sum) = (weight + n, sum + part);
        best = best.max(scored);
        scores.push(scored.to_array());
    }
    let score = best.largest();
    let index = pick(scores, score, ties);
    Selected { index, score, weight: weight.sum(), sum: sum.sum(), exploration: 0.0 }
}

/// The child with the largest score among at most sixteen: the scores stay in registers.
#[inline(always)]
fn best_of_two_groups(node: &Children<'_>, rule: &impl Score, ties: Ties<'_>) -> Selected {
    let (low, mut weight, mut sum) = score_eight(node, 0, rule);
    let mut high = F32x8::splat(f32::NEG_INFINITY);
    if node.len > LANES {
        let (scored, n, part) = score_eight(node, LANES, rule);
        high = scored;
        (weight, sum) = (weight + n, sum + part);
    }
    let score = low.max(high).largest();
    let best = F32x8::splat(score);
    let mask = low.equal_lanes(best) | high.equal_lanes(best) << LANES;
    let index = match mask.count_ones() {
        1 => mask.trailing_zeros() as usize,
        _ => pick(&[low.to_array(), high.to_array()], score, ties),
    };
    Selected { index, score, weight: weight.sum(), sum: sum.sum(), exploration: 0.0 }
}

/// The scores of eight adjacent children, minus infinity for pruned ones and behind the last; and their visits and
/// visits times mean rewards, which are 0 there.
#[inline(always)]
fn score_eight(node: &Children<'_>, from: usize, rule: &impl Score) -> (F32x8, F32x8, F32x8) {
    let (zero, never, inside) = (F32x8::splat(0.0), F32x8::splat(f32::NEG_INFINITY), node.len - from);
    let (n, mean) = stats_of_eight(node.visits, node.means, from, inside);
    let mut seen = mean;
    if let Some(leaves) = node.leaves {
        // Handles differ from 0 by one or more, the mark of pending leaves by minus one.
        let handle = F32x8::from_counts(eight(leaves.handles, from));
        let distance = handle.max(F32x8::splat(-1.0) * handle) + F32x8::splat(-0.5);
        let middle = F32x8::splat(0.5) * (mean + F32x8::splat(leaves.start));
        seen = mean.unless_negative(distance, middle);
    }
    if let Some(losses) = node.losses {
        seen = losses.included(n, seen, from, inside);
    }
    if let Some((minimax, weight)) = node.minimax {
        // Lanctot et al. 2014, equation 2.
        seen = seen + F32x8::splat(weight) * (numbers(minimax, from, inside) + F32x8::splat(-1.0) * seen);
    }
    if let Some(amaf) = node.amaf {
        let (later, weight) = (numbers(amaf.means, from, inside), numbers(amaf.weights, from, inside));
        seen = seen + weight * (later + F32x8::splat(-1.0) * seen);
    }
    let sign = F32x8::splat(f32::from(node.mover.sign()));
    let own_mean = sign * seen;
    let mut score = rule.score(n, own_mean, from, inside);
    if let Some((index, bonus)) = node.bonus
        && (from..from + LANES).contains(&index)
    {
        let mut raised = [0; LANES];
        raised[index - from] = bonus.to_bits();
        score = score + F32x8::from_bits(&raised) / (F32x8::splat(1.0) + n);
    }
    if let Some(Heuristic { values, weight, lowest }) = node.heuristic {
        // Chaslot et al. 2008, section 3.2: H / (n + 1).
        let value = sign * numbers(values, from, inside) + F32x8::splat(-lowest);
        let bonus = F32x8::splat(weight) * value;
        score = score + bonus / (F32x8::splat(1.0) + n);
    }
    let weight = n.max(zero);
    (score.unless_negative(n, never), weight, weight * mean)
}

/// Visits and mean rewards of eight adjacent children, the first `inside` of which belong to the node: pruned ones and
/// those behind the last have negative visits, and behind the last the mean is 0.
///
/// The words behind the last child are handles, which as floats are subnormal: arithmetic with those is slow on some
/// processors. (Measured: with these words excluded, searches of a game of 12 moves are 1.15 to 1.29 times as fast
/// on an Intel Xeon. Only the speed depends on it, so no test detects it.)
#[inline(always)]
fn stats_of_eight(visits: &[u32], means: &[u32], from: usize, inside: usize) -> (F32x8, F32x8) {
    let n = F32x8::from_counts(eight(visits, from)).first(inside, F32x8::splat(-1.0));
    (n, numbers(means, from, inside))
}

#[cfg(test)]
mod tests;

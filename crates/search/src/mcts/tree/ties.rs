//! Tie-breaking between equal scores.

use banyan_bits::cpu::{F32x8, LANES};
use banyan_core::Rng;

use crate::options::TieBreak;

/// The tie-breaking rule and its inputs.
pub(crate) struct Ties<'a> {
    pub(crate) by: TieBreak,
    /// The centrality of each child.
    pub(crate) centrality: &'a dyn Fn(usize) -> u8,
    pub(crate) rng: &'a mut Rng,
}

/// The index of `best` in `scores`; `ties` decides between several.
#[inline(always)]
pub(crate) fn pick(scores: &[[f32; LANES]], best: f32, ties: Ties<'_>) -> usize {
    let wanted = F32x8::splat(best);
    let mut first = None;
    let mut equals = 0;
    for (group, eight) in scores.iter().enumerate() {
        let mask = F32x8::from_bits(&eight.map(f32::to_bits)).equal_lanes(wanted);
        if mask != 0 {
            first = first.or(Some(group * LANES + mask.trailing_zeros() as usize));
            equals += mask.count_ones();
        }
    }
    let first = first.expect("the best score is one of them");
    if equals == 1 || ties.by == TieBreak::First { first } else { break_tie(scores, best, equals, ties) }
}

#[cold]
fn break_tie(scores: &[[f32; LANES]], best: f32, equals: u32, ties: Ties<'_>) -> usize {
    let scores = scores.as_flattened();
    if best == f32::NEG_INFINITY {
        // Every child is pruned; the padding has the same score.
        return 0;
    }
    let mut among = (0..scores.len()).filter(|&i| scores[i] == best);
    let chosen = match ties.by {
        TieBreak::First => among.next(),
        TieBreak::Random => among.nth(ties.rng.below(equals) as usize),
        // The negative index prefers the first of equals.
        TieBreak::Central => among.max_by_key(|&i| ((ties.centrality)(i), -(i as isize))),
    };
    chosen.expect("there are equals")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_are_broken_by_the_rule() {
        let scores = [[1.0, 3.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0], [3.0, 3.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0]];
        let mut rng = Rng::new(2);
        let mut picked = |by| {
            let centrality = |i: usize| [0, 1, 9, 0, 0, 0, 0, 0, 5, 5, 9, 0, 0, 0, 0, 0][i];
            pick(&scores, 3.0, Ties { by, centrality: &centrality, rng: &mut rng })
        };
        let nothing = [[f32::NEG_INFINITY; 8]];
        let centrality = |i: usize| [3, 5][i];
        let ties = Ties { by: TieBreak::Central, centrality: &centrality, rng: &mut Rng::new(1) };
        assert_eq!(pick(&nothing, f32::NEG_INFINITY, ties), 0);
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

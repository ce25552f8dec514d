use banyan_core::Rng;

use super::*;
use crate::options::TieBreak;

#[test]
fn the_logarithm_is_good_to_single_precision() {
    for n in (1..2000).chain([65_535, 1 << 20, 123_456_789, u32::MAX]) {
        let (ours, exact) = (f64::from(exploration(0.5, n)), f64::from(n as f32).ln() / 2.0);
        assert!((ours - exact).abs() <= 3e-7 * exact.max(1.0), "half of ln {n}: {ours} for {exact}");
    }
}

/// The formula as given in the paper, in double precision and one child after another.
fn plain_ucb1(stats_of_eight: &[(u32, f32)], mover: Side, c: f64) -> Vec<f64> {
    let total: u32 = stats_of_eight.iter().map(|&(n, _)| n).sum();
    let ucb = |&(n, mean): &(u32, f32)| {
        let own = if mover == Side::First { f64::from(mean) } else { 1.0 - f64::from(mean) };
        own + c * (2.0 * f64::from(total).ln() / f64::from(n)).sqrt()
    };
    stats_of_eight.iter().map(ucb).collect()
}

#[test]
fn selection_follows_the_published_formula() {
    let mut rng = Rng::new(11);
    for round in 0..2000 {
        let len = 1 + rng.below(40) as usize;
        let stats_of_eight: Vec<(u32, f32)> = (0..len).map(|_| (1 + rng.below(500), rng.unit() as f32)).collect();
        let mover = Side::BOTH[round % 2];
        let mut visits: Vec<u32> = stats_of_eight.iter().map(|t| t.0).collect();
        let mut means: Vec<u32> = stats_of_eight.iter().map(|t| t.1.to_bits()).collect();
        // The padding must not matter.
        visits.extend([0, 1, u32::MAX, 7, 0, 0, 9, 9]);
        means.extend([f32::NAN.to_bits(), u32::MAX, 0, 1e9f32.to_bits(), 0, 0, 0, 0]);
        let total = stats_of_eight.iter().map(|t| t.0).sum();
        // Some are pruned: never chosen, and left out of the sums.
        let pruned = |i: usize| round % 3 == 0 && len > 2 && i % 3 == 1;
        (0..len).filter(|&i| pruned(i)).for_each(|i| visits[i] |= 1 << 31);
        let raised = rng.below(2 * len as u32) as usize;
        let bonus = (raised < len).then_some((raised, 3.0));
        let node = Children { bonus, ..Children::of(&visits, &means, len, mover) };
        let ties = Ties { by: TieBreak::First, centrality: &|_| 0, rng: &mut rng };
        let factor = 2.0 * 0.7 * 0.7;
        let rule = Ucb1 { exploration: exploration(factor, total), factor };
        let selected = ucb1(&node, rule, ties, &mut Vec::new());
        let mut plain = plain_ucb1(&stats_of_eight, mover, 0.7);
        if raised < len {
            plain[raised] += 3.0 / (f64::from(stats_of_eight[raised].0) + 1.0);
        }
        let open = || (0..len).filter(|&i| !pruned(i));
        let best = open().map(|i| plain[i]).fold(f64::MIN, f64::max);
        assert!(!pruned(selected.index) && best - plain[selected.index] < 1e-5, "chose {selected:?} of {plain:?}");
        let sum: f64 = open().map(|i| f64::from(stats_of_eight[i].0) * f64::from(stats_of_eight[i].1)).sum();
        let weight: u32 = open().map(|i| stats_of_eight[i].0).sum();
        assert!((f64::from(selected.sum) - sum).abs() < 1e-2 && selected.weight == weight as f32);
        assert_eq!((selected.weight, selected.sum), weighted_sum(&visits, &means, len));
        if len <= LANES {
            let own = exploration(factor, stats_of_eight[selected.index].0);
            assert!((selected.exploration - own).abs() < 1e-6);
        }
    }
}

#[test]
fn a_child_claimed_by_another_thread_without_a_visit_is_chosen() {
    let mut rng = Rng::new(13);
    for round in 0..4000 {
        let len = 1 + rng.below(20) as usize;
        // Often no child has a visit, and the exploration term is 0 if the node has one visit or c is 0.
        let visits_of = [1, 2, 9][round % 3];
        let mut visits: Vec<u32> = (0..len).map(|_| rng.below(visits_of)).collect();
        let mut means: Vec<u32> =
            visits.iter().map(|&n| if n == 0 { 0 } else { (rng.unit() as f32).to_bits() }).collect();
        let total = 1 + visits.iter().sum::<u32>();
        visits.extend([0, 1, u32::MAX, 7, 0, 0, 9, 9]);
        means.extend([f32::NAN.to_bits(), u32::MAX, 0, 1e9f32.to_bits(), 0, 0, 0, 0]);
        let mover = Side::BOTH[round % 2];
        let node = Children::of(&visits, &means, len, mover);
        let factor = [0.0, 0.98][round / 2 % 2];
        let rule = Ucb1 { exploration: exploration(factor, total), factor };
        let selected = ucb1(&node, rule, first(&mut rng), &mut Vec::new());
        assert!(selected.index < len, "chose {selected:?} of {len} children");
        assert!(selected.score > f32::NEG_INFINITY, "{selected:?}");
        assert!((0.0..100.0).contains(&selected.exploration), "{selected:?}");
        if rule.exploration > 0.0 && visits[..len].contains(&0) {
            assert_eq!(visits[selected.index], 0, "{selected:?} of {visits:?}");
        }
        let (c, log) = ([0.0, 0.7][round / 2 % 2], exploration(1.0, total));
        let selected = tuned(&node, &Tuned { squares: &means, c, log, range: 2.0 }, first(&mut rng), &mut Vec::new());
        assert!(selected.index < len && selected.score.is_finite(), "chose {selected:?} of {len} children");
        if c * log > 0.0 && visits[..len].contains(&0) {
            assert_eq!(visits[selected.index], 0, "{selected:?} of {visits:?}");
        }
    }
}

fn first(rng: &mut Rng) -> Ties<'_> {
    Ties { by: TieBreak::First, centrality: &|_| 0, rng }
}

#[test]
fn tuned_and_puct_follow_the_published_formulas_and_unvisited_values_are_blended() {
    let mut rng = Rng::new(12);
    for round in 0..1000 {
        let len = 1 + rng.below(30) as usize;
        let mover = Side::BOTH[round % 2];
        let mut lists: [Vec<u32>; 4] = Default::default();
        let (mut tuned_best, mut puct_best) = (f64::MIN, f64::MIN);
        let (mut by_tuned, mut by_puct) = (Vec::new(), Vec::new());
        let total = 1000.0f64;
        for _ in 0..len {
            let (n, mean, prior) = (1 + rng.below(300), rng.unit(), rng.unit());
            // Of rewards 0 and 1 the mean square is the mean, of others less.
            let square = mean * mean + (mean - mean * mean) * rng.unit();
            lists[0].push(n);
            [mean, square, prior].iter().zip(1..).for_each(|(&x, i)| lists[i].push((x as f32).to_bits()));
            let own = if mover == Side::First { mean } else { -mean };
            let share = total.ln() / f64::from(n);
            let v = square - mean * mean + (2.0 * share).sqrt();
            by_tuned.push(own + 0.9 * (share * v.min(0.25)).sqrt());
            by_puct.push(own + 1.3 * prior * total.sqrt() / (1.0 + f64::from(n)));
            tuned_best = tuned_best.max(by_tuned[by_tuned.len() - 1]);
            puct_best = puct_best.max(by_puct[by_puct.len() - 1]);
        }
        lists.iter_mut().for_each(|list| list.extend([f32::NAN.to_bits(); LANES]));
        let node = Children::of(&lists[0], &lists[1], len, mover);
        let mut ties = Rng::new(1);
        let rule = Tuned { squares: &lists[2], c: 0.9, log: total.ln() as f32, range: 1.0 };
        let chosen = tuned(&node, &rule, first(&mut ties), &mut Vec::new());
        assert!(tuned_best - by_tuned[chosen.index] < 1e-4, "{} of {by_tuned:?}", chosen.index);
        let rule = Puct { priors: Some(&lists[3]), uniform: 0.0, exploration: 1.3 * total.sqrt() as f32 };
        let chosen = puct(&node, &rule, first(&mut ties), &mut Vec::new());
        assert!(puct_best - by_puct[chosen.index] < 1e-4, "{} of {by_puct:?}", chosen.index);
        // Children without a node count as the mean of their own mean and the initial value; their share of the
        // parent's sums is unchanged. The handle u32::MAX marks a pending leaf.
        let mut handles: Vec<u32> = (0..len).map(|_| [0, 1, 1 << 31, u32::MAX][rng.below(4) as usize]).collect();
        handles.extend([0; LANES]);
        let start = rng.unit() as f32;
        let node = Children { leaves: Some(LeafMeans { handles: &handles, start }), ..node };
        let with_leaves = puct(&node, &rule, first(&mut ties), &mut Vec::new());
        assert_eq!((with_leaves.weight, with_leaves.sum), (chosen.weight, chosen.sum));
        let sign = f64::from(mover.sign());
        for (score, (&mean, &handle)) in by_puct.iter_mut().zip(lists[1].iter().zip(&handles)) {
            let mean = f64::from(f32::from_bits(mean));
            *score += if handle == 0 { sign * (f64::from(start) - mean) / 2.0 } else { 0.0 };
        }
        let best = by_puct.iter().copied().fold(f64::MIN, f64::max);
        assert!(best - by_puct[with_leaves.index] < 1e-4, "{} of {by_puct:?}", with_leaves.index);
    }
}

#[test]
fn static_evaluations_are_mixed_in_and_added_by_the_formulas() {
    // Two children of the second side with one and three visits and a mean of 1/2 each.
    let (mut visits, mut means) = ([1, 3, 0, 0, 0, 0, 0, 0].to_vec(), [0.5f32.to_bits(); 8].to_vec());
    let values = [0.25f32, 0.0].map(f32::to_bits);
    let mut column = values.to_vec();
    [&mut visits, &mut means, &mut column].into_iter().for_each(|list| list.resize(16, 0));
    let selected = |minimax, heuristic| {
        let (mover, len) = (Side::Second, 2);
        let node = Children { minimax, heuristic, ..Children::of(&visits, &means, len, mover) };
        let mut rng = Rng::new(1);
        let ties = Ties { by: TieBreak::First, centrality: &|_| 0, rng: &mut rng };
        let selected = ucb1(&node, Ucb1 { exploration: 0.0, factor: 0.0 }, ties, &mut Vec::new());
        (selected.index, selected.score, selected.sum)
    };
    // -((1 - 0.4) 0.5 + 0.4 0); the sum of the rewards is that of the means.
    assert_eq!(selected(Some((&column, 0.4)), None), (1, -0.3, 2.0));
    // Rewards from 0 to 1: the second side counts them from -1 on. -0.5 + 2 (1 - 0.25) / 2 for the first child, -0.5 + 2 (1 - 0) / 4 for the other.
    let heuristic = Heuristic { values: &column, weight: 2.0, lowest: -1.0 };
    assert_eq!(selected(None, Some(heuristic)), (0, 0.25, 2.0));
}

//! Moves of the root that a symmetry of the position maps onto each other are equivalent: they share the statistics and proofs that the
//! search found for each of them.

use banyan_core::{Bounds, Game, Margin, MoveStat, Symmetry, sort_by_order};

/// Gives symmetric moves the same visits, up to one, and the same values, proofs and principal variations, mapped. The
/// order is unchanged; the caller should sort all moves but the first again.
pub(super) fn share_statistics<G: Game>(game: &G, state: &G::State, moves: &mut [MoveStat<G::Move>]) {
    let symmetries: Vec<Symmetry> =
        (1..game.symmetries()).map(Symmetry).filter(|&symmetry| game.transform(state, symmetry) == *state).collect();
    if symmetries.is_empty() {
        return;
    }
    let mut is_done = vec![false; moves.len()];
    for first in 0..moves.len() {
        if is_done[first] {
            continue;
        }
        // The symmetries of a position are a group, so one of them leads from the first move to each of the others.
        let source = moves[first].clone();
        let image = |symmetry: Symmetry| {
            let mv = game.transform_move(source.mv, symmetry);
            let place = moves.iter().position(|stat| stat.mv == mv)?;
            (place > first).then_some((place, symmetry))
        };
        let mut images: Vec<(usize, Symmetry)> = symmetries.iter().filter_map(|&symmetry| image(symmetry)).collect();
        sort_by_order(&mut images, |a, b| a.0 < b.0);
        images.dedup_by_key(|&mut (place, _)| place);
        if images.is_empty() {
            continue;
        }
        let members: Vec<usize> = [first].into_iter().chain(images.iter().map(|&(place, _)| place)).collect();
        let pooled = pooled(&members.iter().map(|&place| &moves[place]).collect::<Vec<_>>());
        // The sum of visits is unchanged: the first moves get one more if it is not divisible.
        let n_members = members.len() as u64;
        for (i, place) in (0..).zip(members) {
            is_done[place] = true;
            let stat = &mut moves[place];
            stat.visits = (pooled.visits + n_members - 1 - i) / n_members;
            (stat.value, stat.proof) = (pooled.value, pooled.proof);
        }
        for (place, symmetry) in images {
            moves[place].pv = source.pv.iter().map(|&mv| game.transform_move(mv, symmetry)).collect();
        }
    }
}

/// The statistics of several symmetric moves.
struct Pooled {
    /// Visits of all moves together.
    visits: u64,
    value: f64,
    proof: Option<Bounds>,
}

/// The sum of visits; the mean value by visits, or that of a move whose result is proven; the intersection of all proven bounds.
fn pooled<M>(members: &[&MoveStat<M>]) -> Pooled {
    let visits: u64 = members.iter().map(|stat| stat.visits).sum();
    let decided = members.iter().find(|stat| stat.proof.is_some_and(decides));
    let mean = || {
        let sum: f64 = members.iter().map(|stat| stat.value * stat.visits as f64).sum();
        if visits == 0 { members[0].value } else { sum / visits as f64 }
    };
    Pooled {
        visits,
        value: decided.map_or_else(mean, |stat| stat.value),
        proof: members.iter().filter_map(|stat| stat.proof).reduce(Bounds::and),
    }
}

/// Whether bounds decide the result: win, draw or loss.
fn decides(bounds: Bounds) -> bool {
    bounds.is_exact() || bounds.lower > Margin::DRAW || bounds.upper < Margin::DRAW
}

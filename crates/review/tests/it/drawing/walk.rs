//! Searches of real games without a search: random walks that prefer the earlier moves, with counted visits. Positions with the same
//! key share a node, as in a search of a graph.

use std::collections::HashMap;

use banyan_core::{Bounds, Explored, ExploredEdge, ExploredNode, Game, Rng};

/// Visits of each move of a position.
struct Counted<G: Game> {
    state: G::State,
    visits: u64,
    moves: Vec<(G::Move, u64)>,
}

/// The positions visited by `n_walks` walks from the start of `game`.
pub(crate) fn walk<G: Game>(game: &G, n_walks: u64, seed: u64, most_nodes: usize) -> Explored<G::Move> {
    let counted = count(game, n_walks, seed);
    let after = |node: &Counted<G>, mv: G::Move| {
        let mut state = node.state.clone();
        game.play(&mut state, mv);
        game.key(&state)
    };
    let mut keys = vec![game.key(&game.start())];
    // The most visited first, among those below the ones already taken.
    while keys.len() < most_nodes {
        let below = keys.iter().flat_map(|key| counted[key].moves.iter().map(|&(mv, _)| after(&counted[key], mv)));
        let free = below.filter(|key| counted.contains_key(key) && !keys.contains(key));
        let Some(next) = free.max_by_key(|key| (counted[key].visits, *key)) else { break };
        keys.push(next);
    }
    keys[1..].sort_by_key(|key| std::cmp::Reverse(counted[key].visits));
    let node = |key: &u64| {
        let node = &counted[key];
        let edge = |&(mv, visits): &(G::Move, u64)| {
            let to = after(node, mv);
            let value = f64::from(to as i16) / 32768.0;
            let prior = (seed % 2 == 1).then(|| 1.0 / node.moves.len() as f64);
            ExploredEdge { mv, visits, value, prior, proof: None, to: keys.iter().position(|&key| key == to) }
        };
        let proof = Some(game.bounds(&node.state)).filter(|&bounds| bounds != game.margin_range());
        let edges = node.moves.iter().map(edge).collect();
        let value = f64::from(*key as i16) / 32768.0;
        ExploredNode { to_move: game.to_move(&node.state), visits: node.visits, value, proof, edges }
    };
    Explored { nodes: keys.iter().map(node).collect() }
}

fn count<G: Game>(game: &G, n_walks: u64, seed: u64) -> HashMap<u64, Counted<G>> {
    let mut counted: HashMap<u64, Counted<G>> = HashMap::new();
    let mut rng = Rng::new(seed);
    for _ in 0..n_walks {
        let mut state = game.start();
        loop {
            let node = counted.entry(game.key(&state)).or_insert_with(|| {
                let mut moves = Vec::new();
                game.moves(&state, &mut moves);
                Counted { state: state.clone(), visits: 0, moves: moves.into_iter().map(|mv| (mv, 0)).collect() }
            });
            node.visits += 1;
            let n = node.moves.len() as u32;
            // Each walk makes one node; finished games have no moves.
            if node.visits == 1 || n == 0 {
                break;
            }
            let i = rng.below(n).min(rng.below(n)).min(rng.below(n)) as usize;
            node.moves[i].1 += 1;
            game.play(&mut state, node.moves[i].0);
        }
    }
    for node in counted.values_mut() {
        node.moves.sort_by_key(|&(_, visits)| std::cmp::Reverse(visits));
    }
    counted
}

/// A position proven to lie in `bounds`, as in [`Bounds::new`].
pub(crate) fn between(lower: i16, upper: i16) -> Option<Bounds> {
    Some(Bounds::new(banyan_core::Margin(lower), banyan_core::Margin(upper)))
}

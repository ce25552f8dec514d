//! Checks of a game's knowledge against exact values.

use std::cmp::Ordering;

use banyan_core::{Game, Knowledge, Margin, Notation, Rng};

use crate::{Exact, after, listed, random_game};

/// The share of pairs of positions with different exact margins that are ordered correctly, 0 .. 1: by the static
/// evaluation, and by the static margin. Ties count half. The positions are those of 60 random games from `from_ply`
/// on.
pub fn order_agreement<G: Game>(game: &G, knowledge: &mut impl Knowledge<G>, from_ply: u16) -> [f64; 2] {
    let (mut rng, mut exact) = (Rng::new(3), Exact::new(game));
    let mut seen: Vec<(Margin, [i32; 2])> = Vec::new();
    for _ in 0..60 {
        for state in random_game(game, &mut rng) {
            if game.ply(&state) >= from_ply && game.result(&state).is_none() {
                let margin = i32::from(knowledge.static_margin(game, &state).0);
                seen.push((exact.margin(&state), [knowledge.static_eval(game, &state), margin]));
            }
        }
    }
    let (mut right, mut pairs) = ([0.0; 2], 0.0);
    for (i, (margin, evals)) in seen.iter().enumerate() {
        for (other, others) in seen[..i].iter().filter(|(other, _)| other != margin) {
            pairs += 1.0;
            for k in 0..2 {
                right[k] += match evals[k].cmp(&others[k]) {
                    Ordering::Equal => 0.5,
                    order if order == margin.cmp(other) => 1.0,
                    _ => 0.0,
                };
            }
        }
    }
    right.map(|n| n / pairs)
}

/// The legal moves as text, by decreasing ordering score.
pub fn ordered<G: Notation>(game: &G, knowledge: &impl Knowledge<G>, state: &G::State) -> Vec<String> {
    let mut moves = listed(game, state);
    moves.sort_by_key(|&mv| -knowledge.order_score(game, state, mv, &after(game, state, mv), 0));
    moves.into_iter().map(|mv| game.print_move(state, mv)).collect()
}

/// Whether all moves of each position of a random game have different history indices.
pub fn has_distinct_history_indices<G: Game>(game: &G, knowledge: &impl Knowledge<G>) -> bool {
    random_game(game, &mut Rng::new(1)).iter().all(|state| {
        let moves = listed(game, state);
        let mut indices: Vec<u8> = moves.iter().map(|&mv| knowledge.history_index(game, mv)).collect();
        indices.sort_unstable();
        indices.dedup();
        indices.len() == moves.len()
    })
}

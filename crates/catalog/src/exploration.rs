//! The top of a search as text.

use banyan_core::{ErasedGame, ErasedState, Explored, Game, Side};

use crate::view::{EdgeView, Exploration, NodeView, Proof, VERSION, side_word};

/// Maximum number of positions requested from a player: enough for graphs and drawings, and still easy to process.
pub const MOST_NODES: usize = 1000;

/// The nodes explored by a player from `state`, with moves in the game's notation, and values and proofs from the viewpoint
/// of the side to move.
///
/// # Panics
/// A node cannot be reached from the root.
pub fn in_words(game: &ErasedGame, state: &ErasedState, explored: &Explored<u16>) -> Exploration {
    let states = states(game, state, explored);
    let nodes = explored.nodes.iter().zip(&states).map(|(node, state)| {
        let side = node.to_move;
        let edges = node.edges.iter().map(|edge| EdgeView {
            mv: game.print_move(state, edge.mv),
            visits: edge.visits,
            value: seen_by(side, edge.value),
            prior: edge.prior,
            proof: edge.proof.map(|bounds| Proof::seen_by(bounds, side)),
            to: edge.to,
        });
        NodeView {
            position: game.print_position(state),
            to_move: side_word(side).to_owned(),
            visits: node.visits,
            value: seen_by(side, node.value),
            proof: node.proof.map(|bounds| Proof::seen_by(bounds, side)),
            edges: edges.collect(),
        }
    });
    Exploration {
        v: VERSION,
        game: game.spec(),
        position: game.print_position(state),
        sides: Side::BOTH.map(|side| game.side_name(side).to_owned()),
        nodes: nodes.collect(),
    }
}

/// The position of every node, by a shortest path from the root.
fn states(game: &ErasedGame, state: &ErasedState, explored: &Explored<u16>) -> Vec<ErasedState> {
    let mut states = vec![None; explored.nodes.len()];
    let mut queue = Vec::with_capacity(states.len());
    if let Some(root) = states.first_mut() {
        *root = Some(state.clone());
        queue.push((0, state.clone()));
    }
    let mut next = 0;
    while let Some((node, state)) = queue.get(next).cloned() {
        for edge in &explored.nodes[node].edges {
            let Some(to) = edge.to.filter(|&to| states[to].is_none()) else { continue };
            let mut after = state.clone();
            game.play(&mut after, edge.mv);
            states[to] = Some(after.clone());
            queue.push((to, after));
        }
        next += 1;
    }
    states.into_iter().map(|state| state.expect("every node can be reached from the root")).collect()
}

/// A value for `First` from the viewpoint of `side`; zero is never -0.
fn seen_by(side: Side, value: f64) -> f64 {
    0.0 + f64::from(side.sign()) * value
}

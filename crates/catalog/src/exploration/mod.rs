//! Exports the top of a search: as JSON, as a graph for Graphviz, and as an SVG drawing.
//!
//! [`in_words`] converts a player's nodes into an [`Exploration`], and a [`Form`] writes it.

mod dot;
mod drawing;
mod layout;
mod scene;

use std::path::Path;

use banyan_core::{Explored, Notation, Side, TextError};

use crate::view::{EdgeView, Exploration, NodeView, Proof, VERSION, json_line, side_word};

pub use dot::dot;
pub use drawing::svg;

/// Maximum number of positions requested from a player: enough for graphs and drawings, and still easy to process.
pub const MOST_NODES: usize = 1000;

/// The file format of an [`Exploration`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A graph in the DOT language of Graphviz.
    Dot,
    /// One JSON object.
    Json,
    /// A self-contained picture.
    Svg,
}

impl Form {
    /// The format of a file by its extension, in any letter case.
    ///
    /// # Errors
    /// Another extension.
    pub fn of_file(path: &Path) -> Result<Form, TextError> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        match ending.as_deref() {
            Some("dot") => Ok(Form::Dot),
            Some("json") => Ok(Form::Json),
            Some("svg") => Ok(Form::Svg),
            _ => {
                let found = path.display().to_string();
                Err(TextError::new(found, "expected the extension .dot, .json or .svg", "try search.svg"))
            }
        }
    }

    /// `exploration` in this format. Graphs and drawings show only the most visited positions.
    pub fn write(self, exploration: &Exploration) -> String {
        match self {
            Form::Dot => dot(exploration),
            Form::Json => json_line(exploration) + "\n",
            Form::Svg => svg(exploration),
        }
    }
}

/// The nodes explored by a player from `state`, with moves in the game's notation, and values and proofs from the viewpoint
/// of the side to move.
///
/// # Panics
/// A node cannot be reached from the root.
pub fn in_words<G: Notation>(game: &G, state: &G::State, explored: &Explored<G::Move>) -> Exploration {
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
fn states<G: Notation>(game: &G, state: &G::State, explored: &Explored<G::Move>) -> Vec<G::State> {
    let mut states = vec![None; explored.nodes.len()];
    let mut queue = Vec::with_capacity(states.len());
    if let Some(root) = states.first_mut() {
        *root = Some(*state);
        queue.push((0, *state));
    }
    let mut next = 0;
    while let Some(&(node, state)) = queue.get(next) {
        for edge in &explored.nodes[node].edges {
            let Some(to) = edge.to.filter(|&to| states[to].is_none()) else { continue };
            let mut after = state;
            game.play(&mut after, edge.mv);
            states[to] = Some(after);
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

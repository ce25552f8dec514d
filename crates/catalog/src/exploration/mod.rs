//! The top of a search as text: JSON for programs, a graph for Graphviz, a drawing for the eye.
//!
//! [`in_words`] turns what a player hands out into an [`Exploration`], and a [`Form`] writes that.

mod dot;
mod drawing;
mod layout;
mod scene;

use std::path::Path;

use banyan_core::{Explored, Notation, Side, TextError};

use crate::view::{EdgeView, Exploration, NodeView, Proof, VERSION, json_line, side_word};

pub use dot::dot;
pub use drawing::svg;

/// So many positions are worth asking a player for: a program reads them with ease, and graphs and drawings find among
/// them whatever they show.
pub const MOST_NODES: usize = 1000;

/// What an [`Exploration`] can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A graph in the language of Graphviz.
    Dot,
    /// One object of JSON.
    Json,
    /// A picture that needs nothing else.
    Svg,
}

impl Form {
    /// The form that the ending of a file's name asks for, in any letter case.
    ///
    /// # Errors
    /// The name ends otherwise.
    pub fn of_file(path: &Path) -> Result<Form, TextError> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        match ending.as_deref() {
            Some("dot") => Ok(Form::Dot),
            Some("json") => Ok(Form::Json),
            Some("svg") => Ok(Form::Svg),
            _ => {
                let found = path.display().to_string();
                Err(TextError::new(found, "expected a name that ends in .dot, .json or .svg", "try search.svg"))
            }
        }
    }

    /// `exploration` in this form, up to the last line break. Graphs and drawings choose what they have room for.
    pub fn write(self, exploration: &Exploration) -> String {
        match self {
            Form::Dot => dot(exploration),
            Form::Json => json_line(exploration) + "\n",
            Form::Svg => svg(exploration),
        }
    }
}

/// What a player explored from `state` on, with moves as the game prints them, and values and proofs as the side to
/// move sees them.
///
/// # Panics
/// A node cannot be reached from the first.
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

/// The position of every node, each by a shortest way from the first.
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
    states.into_iter().map(|state| state.expect("every node can be reached from the first")).collect()
}

/// A value for `First` as `side` sees it; an even one is never -0, which would look odd in print.
fn seen_by(side: Side, value: f64) -> f64 {
    0.0 + f64::from(side.sign()) * value
}

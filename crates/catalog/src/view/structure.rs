//! The structure of a position as JSON.

use banyan_core::Structure;
use serde::{Deserialize, Serialize};

/// The structure of a position by the theory of its game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StructureView {
    /// Facts about the whole position.
    pub facts: Vec<FactView>,
    /// The parts of the board that they rest on.
    pub parts: Vec<PartView>,
}

/// One fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactView {
    /// Its name, in kebab case.
    pub name: String,
    /// The number that it is; `None` where it is none.
    pub number: Option<i32>,
    /// The fact in a few words.
    pub text: String,
}

/// One part of the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartView {
    /// What it is, in kebab case.
    pub kind: String,
    /// What is printed in each of its cells; `None` for nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Where it lies in relation to others; `None` if it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Its cells, counted row by row from the top left, from 0.
    pub cells: Vec<usize>,
    /// The moves in it.
    pub moves: Vec<String>,
}

impl From<Structure> for StructureView {
    fn from(structure: Structure) -> StructureView {
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let facts = structure.facts.into_iter().map(|fact| FactView {
            name: fact.name.to_owned(),
            number: fact.number,
            text: fact.text,
        });
        let parts = structure.parts.into_iter().map(|part| PartView {
            kind: part.kind.to_owned(),
            label: text(&part.label),
            note: text(part.note),
            cells: part.cells,
            moves: part.moves,
        });
        StructureView { facts: facts.collect(), parts: parts.collect() }
    }
}

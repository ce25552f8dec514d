//! The structure of a position as JSON.

use banyan_core::Structure;
use serde::{Deserialize, Serialize};

/// The structure of a position by the theory of its game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StructureView {
    /// Facts about the whole position.
    pub facts: Vec<FactView>,
    /// The parts of the board that the facts are about.
    pub parts: Vec<PartView>,
}

/// One fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactView {
    /// Its name, in kebab case.
    pub name: String,
    /// Its number; `None` if it is not a number.
    pub number: Option<i32>,
    /// The fact in a few words.
    pub text: String,
}

/// One part of the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartView {
    /// Its kind, in kebab case.
    pub kind: String,
    /// The label printed in each of its cells; `None` for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Its place in relation to other parts; `None` if it has none.
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

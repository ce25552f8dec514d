//! The structure of a position as text.

use banyan_core::Structure;

use crate::output::table::Table;

/// The facts, then the parts as a table.
pub(crate) fn structure_in_words(structure: &Structure, width: usize) -> String {
    let longest = structure.facts.iter().map(|fact| fact.name.len()).max().unwrap_or(0);
    let facts =
        structure.facts.iter().map(|fact| format!("{:<longest$}  {}\n", fact.name.replace('-', " "), fact.text));
    let mut text: String = facts.collect();
    if !structure.parts.is_empty() {
        let mut parts = Table::new(1, &["part", "label", "place", "moves"]);
        for part in &structure.parts {
            let name = part.kind.replace('-', " ");
            parts.add_row([name, part.label.clone(), part.note.to_owned(), part.moves.join(" ")]);
        }
        text += &format!("\n{}", parts.text(width));
    }
    text
}

//! The names of the legal moves, and the places on the board that they change: what a person can type, drawn where it acts.

use banyan_catalog::GameState;
use banyan_core::Picture;

/// A place of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spot {
    /// By the index in [`Picture::cells`].
    Cell(usize),
    /// By the index in [`Picture::edges`].
    Edge(usize),
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MoveName {
    /// Its shortest name.
    pub(crate) name: String,
    /// The place that it marks as the last move; `None` if it marks none, as a pass does.
    pub(crate) spot: Option<Spot>,
}

/// The legal moves of a game that can be drawn, in the order of the game.
pub(crate) fn move_names(game: &GameState) -> Vec<MoveName> {
    let named = |mv: &String| {
        let mut after = game.fork();
        after.play(mv).expect("a legal move");
        MoveName { name: short_name(game, mv), spot: after.picture().and_then(|picture| marked(&picture, mv)) }
    };
    game.legal_moves().iter().map(named).collect()
}

/// The place of the last move `mv`: of several cells the one that it names.
fn marked(picture: &Picture, mv: &str) -> Option<Spot> {
    if let Some(edge) = picture.edges.iter().flatten().position(|edge| edge.last) {
        return Some(Spot::Edge(edge));
    }
    let cells = || picture.cells.iter().enumerate().filter(|(_, cell)| cell.last).map(|(at, _)| at);
    let label = |labels: &[String], at: usize| labels.get(at).cloned().unwrap_or_default();
    let name =
        |at| label(&picture.column_labels, at % picture.columns) + &label(&picture.row_labels, at / picture.columns);
    cells().find(|&at| name(at) == mv).or_else(|| cells().next()).map(Spot::Cell)
}

/// The shortest name of a legal move that the game reads: its number, if it is understood and shorter.
pub(crate) fn short_name(game: &GameState, mv: &str) -> String {
    let idx = game.legal_moves().iter().position(|legal| legal == mv);
    let number = idx.and_then(|idx| Some(game.legal_ids()?.get(idx)?.to_string())).filter(|id| id.len() < mv.len());
    let is_read = |id: &String| game.fork().play(id).is_ok_and(|played| played == mv);
    number.filter(is_read).unwrap_or_else(|| mv.to_owned())
}

/// The shortest names of moves played one after another.
pub(crate) fn short_names(game: &GameState, moves: &[String]) -> Vec<String> {
    let mut at = game.fork();
    let name = |mv: &String| {
        let name = short_name(&at, mv);
        // A line that does not fit the game stays as it is.
        let _ = at.play(mv);
        name
    };
    moves.iter().map(name).collect()
}

/// The move that has to be made because it is the only one and leaves the board as it is: a pass.
pub(crate) fn forced_pass(game: &GameState) -> Option<String> {
    let moves = game.legal_moves();
    let [only] = moves.as_slice() else { return None };
    let mut after = game.fork();
    after.play(only).ok()?;
    let (before, after) = (game.picture()?, after.picture()?);
    let is_same = before.cells.iter().zip(&after.cells).all(|(one, other)| one.owner == other.owner)
        && before.edges.iter().flatten().zip(after.edges.iter().flatten()).all(|(one, other)| one.drawn == other.drawn);
    is_same.then(|| only.clone())
}

#[cfg(test)]
mod tests {
    use banyan_catalog::Opening;

    use super::*;

    fn names(spec: &str, moves: &str) -> Vec<MoveName> {
        let game = crate::builtin().game(spec).expect("a game");
        move_names(&game.open(Opening::Moves(moves)).expect("legal moves"))
    }

    #[test]
    fn a_move_has_its_shortest_name_at_its_place() {
        let check = |spec, moves, expected: &[(&str, Spot)]| {
            let found = names(spec, moves);
            let found: Vec<_> = found.iter().map(|mv| (mv.name.as_str(), mv.spot.expect("a place"))).collect();
            assert_eq!(found, expected, "{spec} {moves}");
        };
        let [edge, cell] = [Spot::Edge, Spot::Cell];
        check("dots-and-boxes:1x1", "h0,0", &[("1", edge(1)), ("2", edge(2)), ("3", edge(3))]);
        // The number of a column in OpenSpiel is another column here.
        check("connect-four:4x4", "1", &[("1", cell(8)), ("2", cell(13)), ("3", cell(14)), ("4", cell(15))]);
        check("reversi:4x4", "", &[("b1", cell(1)), ("a2", cell(4)), ("d3", cell(11)), ("c4", cell(14))]);
    }

    #[test]
    fn a_line_is_named_from_position_to_position() {
        let game = crate::builtin().game("dots-and-boxes:1x1").expect("a game");
        let start = game.open(Opening::Start).expect("a start");
        assert_eq!(short_names(&start, &["h0,0".to_owned(), "v0,1".to_owned()]), ["0", "3"]);
    }

    #[test]
    fn only_a_move_that_changes_nothing_is_a_pass() {
        let forced = |spec: &str, opening| {
            let game = crate::builtin().game(spec).expect("a game");
            forced_pass(&game.open(opening).expect("a position"))
        };
        assert_eq!(forced("reversi:4x4", Opening::Moves("d3 d2 b1")), None);
        assert_eq!(forced("reversi:4x4", Opening::Moves("d3 d2 b1 d4")).as_deref(), Some("pass"));
        // The last edge of a board is the only move too.
        assert_eq!(forced("dots-and-boxes:1x1", Opening::Position("1/1/10 x 0-0")), None);
    }
}

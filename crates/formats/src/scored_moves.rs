//! Lines of moves and the exact score of the position after them, as the test sets of solvers of Connect Four have them.
//!
//! `32164625 11`: digits, or words joined by commas, then the score for the side to move; `start 1` names the starting position.

use banyan_catalog::{ScoredPosition, Start};
use banyan_core::TextError;

/// The name of the starting position.
const START: &str = "start";

/// The position of a line.
pub(crate) fn read_line(number: usize, line: &str) -> Result<ScoredPosition, TextError> {
    let mut words: Vec<&str> = line.split_whitespace().collect();
    let last = words.last().copied().unwrap_or_default();
    // The last of several words without a sign may be a move.
    if words.len() > 2 && !last.starts_with(['+', '-']) {
        let expected = "expected moves as digits or joined by commas, then the score";
        return Err(TextError::new(format!("{line:?}"), expected, "write it as 4,4,5 -2, or the score with its sign"));
    }
    let score = if words.len() > 1 { words.pop() } else { None };
    let score = score.map(|score| {
        let expected = "expected the score of the position last, a whole number";
        score.parse().map_err(|_| TextError::new(format!("{score:?}"), expected, "write it as 32164625 11 or 4,4,5 -2"))
    });
    let moves = if words == [START] { String::new() } else { words.join(",") };
    Ok(ScoredPosition { line: number, start: Start::Moves(moves), scores: Vec::new(), score: score.transpose()? })
}

/// A position as a line.
pub(crate) fn line(position: &ScoredPosition) -> String {
    let (Start::Moves(start) | Start::Position(start)) = &position.start;
    let moves = if start.is_empty() { START } else { start };
    position.score.map_or_else(|| moves.to_owned(), |score| format!("{moves} {score}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ScoredFile, builtin};

    #[test]
    fn lines_are_read_and_written() {
        for (text, moves, score, written) in [
            ("32164625 11", "32164625", Some(11), "32164625 11"),
            ("44 -2", "44", Some(-2), "44 -2"),
            ("4 4 5 +3", "4,4,5", Some(3), "4,4,5 3"),
            ("10,11,1 0", "10,11,1", Some(0), "10,11,1 0"),
            ("4453", "4453", None, "4453"),
            ("start 1", "", Some(1), "start 1"),
            ("start", "", None, "start"),
        ] {
            let read = read_line(7, text).expect(text);
            assert_eq!(read, ScoredPosition { line: 7, start: Start::Moves(moves.into()), scores: vec![], score });
            assert_eq!((line(&read), read.best()), (written.to_owned(), score), "{text}");
            assert_eq!(read_line(7, written), Ok(read));
        }
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let game = builtin().game("connect-four").expect("a game");
        let form = ScoredFile::of(&game).expect("it has one");
        assert!(!form.scores_moves());
        let open = |text: &str| form.read(text).and_then(|read| read[0].open(&game).map(|game| game.position()));
        assert!(open("# ours\n44 -2\n").is_ok() && open("start 1").is_ok());
        for (text, expected) in [
            ("44 x", "line 1: \"x\": expected the score of the position last, a whole number; write it as "),
            ("\n48 2", "line 2: move 2: move \"8\": expected a column from 1 to 7"),
            ("4 4 5", "line 1: \"4 4 5\": expected moves as digits or joined by commas, then the score; write it as "),
            ("44 30", "line 1: score +30: expected a score from -18 to 18; "),
            ("4444444 1", "line 1: move 7: move \"4\": expected another column, as column 4 is full"),
            ("#\n", "a file without positions"),
        ] {
            let err = open(text).expect_err(text).to_string();
            assert!(err.starts_with(expected), "{err}");
        }
    }
}

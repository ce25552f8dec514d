//! OBF, the board lines of endgame collections of Reversi: 64 squares row by row from a1, the side to move, and the exact
//! scores of moves.
//!
//! `O--OOOOX-OOOOOOX...-------- X; A2:+38; C7:+36; --:-127;`

use banyan_catalog::{ScoredPosition, Start};
use banyan_core::{TextError, shortened};

use crate::board_text::{self, board_line};
use crate::nboard::Played;
use crate::scan::Line;
use crate::transcript::{Games, Transcript};

/// A placeholder that some collections write after the last move.
const FILLER: &str = "--";

/// Checks that the game counts the empty squares for the winner, as the scores do.
pub(crate) fn check_game(options: &str) -> Result<(), TextError> {
    if !options.contains("count=discs") {
        return Ok(());
    }
    let expected = "expected empty squares to count for the winner, as in OBF";
    Err(TextError::new(options, expected, "leave out count=discs"))
}

/// Whether every line is a position, and there are several.
pub(crate) fn recognises(lines: &[Line<'_>]) -> bool {
    let mut used = lines.iter().filter(|line| !line.is_comment()).peekable();
    used.peek().is_some() && lines.len() > 1 && used.all(|line| board_text::recognises(&[*line]))
}

/// Adds the positions, without their scores.
pub(crate) fn read_games(games: &mut Games, lines: &[Line<'_>]) -> Result<(), TextError> {
    for line in lines.iter().filter(|line| !line.is_comment()) {
        let boards = board_text::read(&[*line]);
        games.collect(Transcript { protocol: "OBF", boards, ..Transcript::default() });
    }
    Ok(())
}

/// The position of a line.
pub(crate) fn read_line(number: usize, line: &str) -> Result<ScoredPosition, TextError> {
    let mut fields = line.split(';').map(str::trim);
    let position = fields.next().unwrap_or_default().to_owned();
    let scores = fields.filter(|field| !field.is_empty()).filter_map(|field| read_score(field).transpose());
    let scores = scores.collect::<Result<Vec<_>, TextError>>()?;
    // All squares count, so margins are even if the number of squares is.
    let n_squares = board_line(&position).find(' ').unwrap_or_default();
    match scores.iter().find(|(_, score)| n_squares > 0 && n_squares.is_multiple_of(2) && score % 2 != 0) {
        None => Ok(ScoredPosition { line: number, start: Start::Position(position), scores, score: None }),
        Some((mv, score)) => {
            let expected = format!("expected an even score, as the board has {n_squares} squares");
            Err(TextError::new(format!("{mv}:{score:+}"), expected, "correct it, or leave it out"))
        }
    }
}

/// `A2:+38`; `None` for the filler.
fn read_score(field: &str) -> Result<Option<(String, i16)>, TextError> {
    let wrong = || {
        TextError::new(
            format!("{:?}", shortened(field)),
            "expected a move and its score",
            "write it as A2:+38 or PS:-4",
        )
    };
    let (mv, score) = field.split_once(':').ok_or_else(wrong)?;
    let (mv, score) = (mv.trim(), score.trim());
    let points: i16 = score.parse().map_err(|_| wrong())?;
    if mv == FILLER {
        return Ok(None);
    }
    let mv = Played::parse(mv).filter(|played| *played == Played::bare(&played.mv)).ok_or_else(wrong)?.mv;
    Ok(Some((mv, points)))
}

/// A position as a line, in the form that Edax writes.
pub(crate) fn line(position: &ScoredPosition) -> String {
    let mut scores = position.scores.clone();
    scores.sort_by_key(|&(_, score)| -score);
    let text = |(mv, score): (String, i16)| {
        format!(" {}:{score:+};", if mv == "pass" { "PS".into() } else { mv.to_uppercase() })
    };
    let (Start::Position(start) | Start::Moves(start)) = &position.start;
    board_line(start) + ";" + &scores.into_iter().map(text).collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ScoredFile, builtin};

    fn read(text: &str) -> Result<Vec<ScoredPosition>, TextError> {
        ScoredFile::of(&builtin().game("reversi").expect("a game")).expect("it has one").read(text)
    }

    /// A position of our own.
    const BOARD: &str = "XOOOO-O-XOOO-OO-XOOOO-OXXXXXXXO-XXOXXXO-OOOOXOOOOXXXOOOOOX-XXXXO X";

    fn scored(scores: &[(&str, i16)]) -> ScoredPosition {
        let scores = scores.iter().map(|&(mv, score)| (mv.to_owned(), score)).collect();
        ScoredPosition { line: 1, start: Start::Position(BOARD.to_owned()), scores, score: None }
    }

    #[test]
    fn lines_are_read_in_any_order_and_written_best_first() {
        let text = format!("\n# ours\n{BOARD}; f1:-4 ;H2: +6;F3:+0; --:-127;\r\n{BOARD}\n\n\n");
        let read = read(&text).expect("two lines");
        assert_eq!(read[0], ScoredPosition { line: 3, ..scored(&[("f1", -4), ("h2", 6), ("f3", 0)]) });
        assert_eq!(read[1], ScoredPosition { line: 4, ..scored(&[]) });
        assert_eq!((read[0].best(), read[0].best_moves(), read[1].best()), (Some(6), vec!["h2"], None));
        assert_eq!(line(&read[0]), format!("{BOARD}; H2:+6; F3:+0; F1:-4;"));
        assert_eq!(line(&read[1]), format!("{BOARD};"));
    }

    #[test]
    fn a_board_in_the_notation_of_the_game_is_written_as_a_board_line() {
        let expected = "-------------------------OXXO-----OX-----XO--------------------- O";
        assert_eq!(board_line("8/8/8/1oxxo3/2ox4/1xo5/8/8 o 9"), expected);
        assert_eq!(board_line(expected), expected);
        assert_eq!(board_line(&expected.replace('-', ".").replace('X', "*")), expected);
        assert_eq!(board_line("4/1ox1/1xo1/4 *"), "-----OX--XO----- X");
        assert_eq!(board_line("10/10/2X7/10/4ox4/4xo4/10/10/10/10 x").find('X'), Some(22));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (score, expected) in [
            ("A2", "line 2: \"A2\": expected a move and its score; write it as A2:+38 or PS:-4"),
            ("A2:x", "line 2: \"A2:x\""),
            ("A2:99999", "line 2: \"A2:99999\""),
            ("22:+3", "line 2: \"22:+3\""),
            ("A2/3:+3", "line 2: \"A2/3:+3\""),
            ("A2:-31", "line 2: a2:-31: expected an even score, as the board has 64 squares; "),
            ("--:+x", "line 2: \"--:+x\""),
        ] {
            let err = read(&format!("{BOARD}; A1:+2\n{BOARD}; {score}")).expect_err(score).to_string();
            assert!(err.starts_with(expected) && !err.contains('\n'), "{err}");
        }
        let game = builtin().game("reversi").expect("a game");
        let form = ScoredFile::of(&game).expect("it has one");
        let open = |text: &str| form.read(text).and_then(|read| read[0].open(&game).map(|game| game.position()));
        assert!(open(BOARD).is_ok() && open(&format!("\u{feff}{BOARD}")).is_ok());
        let latin = [b"# Ren\xe9\n", BOARD.as_bytes()].concat();
        assert_eq!(form.read(latin).expect_err("no UTF-8").found, "line 1, byte 6: 0xe9");
        let short = BOARD.replacen('-', "", 1);
        let strange = BOARD.replacen("XX", "XY", 1);
        for (text, expected) in [
            (short.as_str(), "line 1: a board of 63 squares"),
            (strange.as_str(), "line 1: 'Y' in a board line"),
            (&BOARD[..64], "line 1: side to move \"\""),
            (&format!("{BOARD}; A1:+2"), "line 1: move \"a1\": expected a legal move for black; try one of "),
            (&format!("{BOARD}; pass:+2"), "line 1: move \"pass\": expected a legal move"),
            (&format!("{BOARD}; H4:+2; h4:+2"), "line 1: move \"h4\": expected one score for each move"),
            (&format!("{BOARD}; H4:+66"), "line 1: move \"h4\": +66: expected a score from -64 to 64; "),
            (" \n#\n", "a file without positions"),
        ] {
            let err = open(text).expect_err(text).to_string();
            assert!(err.starts_with(expected), "{err}");
        }
    }

    #[test]
    fn other_games_and_other_counting_are_refused() {
        let of = |spec: &str| ScoredFile::of(&builtin().game(spec).expect("a game")).map(|_| ());
        assert_eq!(of("reversi:6x6"), Ok(()));
        let err = of("reversi:8x8,count=discs").expect_err("other scores").to_string();
        assert!(err.contains("expected empty squares to count for the winner"), "{err}");
        let err = of("dots-and-boxes").expect_err("no such files").to_string();
        assert!(err.starts_with("dots-and-boxes: expected a game with files of scored positions"), "{err}");
    }
}

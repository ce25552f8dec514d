//! Games in the Generic Game Format, in the subset that NBoard uses: one game of Reversi in one line.

use std::fmt;

use banyan_catalog::{GameState, quoted};
use banyan_core::{Side, TextError};

use super::Played;
use crate::board_text::board_line;

/// The names of black and white in a game that has no others.
const NAMES: [&str; 2] = ["black", "white"];

/// A game: `(;GM[Othello]PB[b]PW[w]TI[15:00]TY[8]BO[8 -...- *]B[F5]W[F6];)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Ggf {
    /// Number of rows and of columns.
    pub size: u32,
    /// The starting board, row by row from the top: `*` black, `O` white, `-` empty.
    pub board: String,
    /// The side that moves first.
    pub to_move: Side,
    /// Time of each side for the whole game in seconds, if given.
    pub seconds: Option<f64>,
    /// The moves with their sides.
    pub moves: Vec<(Side, Played)>,
    /// The names of black and white, if it has others than `black` and `white`.
    pub players: Option<[String; 2]>,
    /// The final margin of black, if the game is over.
    pub result: Option<i16>,
}

impl Ggf {
    /// Parses a game; properties other than board, time and moves are ignored.
    ///
    /// # Errors
    /// Not a game of Reversi, no board, or an invalid move.
    pub fn parse(text: &str) -> Result<Ggf, TextError> {
        let (mut board, mut seconds, mut moves) = (None, None, Vec::new());
        let (mut players, mut result) = (NAMES.map(str::to_owned), None);
        for (name, value) in properties(text)? {
            match name.as_str() {
                "GM" if !value.eq_ignore_ascii_case("othello") => {
                    return Err(wrong(
                        format!("a game of {value:?}"),
                        "expected GM[Othello]",
                        "send a game of Reversi",
                    ));
                }
                "BO" => board = Some(read_board(&value)?),
                // As in `8A`: the side with fewer discs wins.
                "TY" if value.contains(['a', 'A']) => {
                    let expected = "expected the usual game, not anti-Othello";
                    return Err(wrong(format!("a game of type {value:?}"), expected, "send a game of Reversi"));
                }
                // One time applies to both sides.
                "TI" => seconds = read_time(&value),
                "PB" => players[0] = value,
                "PW" => players[1] = value,
                // Followed by a letter if the game ended by resignation or on time.
                "RE" => {
                    result =
                        value.parse::<f64>().ok().filter(|margin| margin.abs() <= 100.0).map(|margin| margin as i16)
                }
                "B" => moves.push((Side::First, read_move(&value)?)),
                "W" => moves.push((Side::Second, read_move(&value)?)),
                _ => {}
            }
        }
        let (size, board, to_move) =
            board.ok_or_else(|| wrong("a game without a board", "expected BO[8 ...]", "add the starting board"))?;
        let is_named = players != NAMES && players.iter().all(|name| !name.is_empty());
        Ok(Ggf { size, board, to_move, seconds, moves, players: Some(players).filter(|_| is_named), result })
    }

    /// The game of a session, without names and result; `None` if it is not Reversi on a square board.
    pub fn of(game: &GameState) -> Option<Ggf> {
        let first = board_line(&game.first_position()).replace('X', "*");
        let (board, mover) = first.split_once(' ')?;
        let size = board.len().isqrt();
        let is_reversi = game.spec().split(':').next() == Some("reversi");
        let is_board = is_reversi && size * size == board.len() && board.bytes().all(|sign| b"*O-".contains(&sign));
        let moves: Vec<_> = game.movers().into_iter().zip(game.history().iter().map(|mv| Played::bare(mv))).collect();
        let are_squares = moves.iter().all(|(_, played)| Played::parse(&played.mv).as_ref() == Some(played));
        (is_board && are_squares).then(|| Ggf {
            size: size as u32,
            board: board.to_owned(),
            to_move: if mover == "*" { Side::First } else { Side::Second },
            seconds: None,
            moves,
            players: None,
            result: None,
        })
    }

    /// The starting position in Banyan's notation.
    pub fn position(&self) -> String {
        format!("{} {}", self.board, if self.to_move == Side::First { 'X' } else { 'O' })
    }

    /// Remaining time of `side`.
    pub fn seconds_left(&self, side: Side) -> Option<f64> {
        let own = self.moves.iter().filter(|(mover, _)| *mover == side);
        let spent: f64 = own.filter_map(|(_, played)| played.time).sum();
        self.seconds.map(|seconds| (seconds - spent).max(0.0))
    }
}

impl fmt::Display for Ggf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |side: usize| {
            let name = self.players.as_ref().map_or(NAMES[side], |players| &players[side]);
            name.chars().filter(|char| !"[]\n\r".contains(*char)).collect::<String>()
        };
        let result = self.result.map_or("?".to_owned(), |margin| format!("{margin:+}"));
        write!(f, "(;GM[Othello]PC[Banyan]PB[{}]PW[{}]RE[{result}]", name(0), name(1))?;
        if let Some(seconds) = self.seconds {
            let whole = seconds as u64;
            write!(f, "TI[{}:{:02}]", whole / 60, whole % 60)?;
        }
        let mover = if self.to_move == Side::First { '*' } else { 'O' };
        write!(f, "TY[{0}]BO[{0} {1} {mover}]", self.size, self.board)?;
        for (side, played) in &self.moves {
            write!(f, "{}[{played}]", if *side == Side::First { 'B' } else { 'W' })?;
        }
        f.write_str(";)")
    }
}

/// The length of the first game in `text`, including the closing `;)`, which does not count within a value; `None` if
/// it does not end.
pub(super) fn length(text: &str) -> Option<usize> {
    let mut in_value = false;
    let ends = text.bytes().enumerate().skip(text.find("(;")? + 2).find(|&(i, byte)| {
        in_value = if in_value { byte != b']' } else { byte == b'[' };
        !in_value && text.as_bytes()[i..].starts_with(b";)")
    });
    ends.map(|(i, _)| i + 2)
}

/// The properties of the first game in `text`: letters, then a value in brackets.
fn properties(text: &str) -> Result<Vec<(String, String)>, TextError> {
    let start = text.find("(;").ok_or_else(|| wrong(quoted(text), "expected a game in GGF", "start it with (;"))?;
    let mut rest = text[start + 2..].trim_start();
    let mut properties = Vec::new();
    while !rest.is_empty() && !rest.starts_with(";)") && !rest.starts_with(')') {
        let whole = rest.split_once('[').and_then(|(name, rest)| Some((name, rest.split_once(']')?)));
        let Some((name, (value, after))) = whole else {
            return Err(wrong(quoted(rest), "expected NAME[value]", "close every bracket"));
        };
        properties.push((name.trim().to_ascii_uppercase(), value.trim().to_owned()));
        rest = after.trim_start();
    }
    Ok(properties)
}

/// `8 ---...--- *`: size, squares, side to move.
fn read_board(value: &str) -> Result<(u32, String, Side), TextError> {
    let mut words = value.split_whitespace();
    let size = words.next().and_then(|word| word.parse().ok()).filter(|size| (4..=10).contains(size));
    let size: u32 =
        size.ok_or_else(|| wrong(quoted(value), "expected a board of 4 to 10 rows", "start it with its size"))?;
    let signs: String = words.collect();
    let n_squares = (size * size) as usize;
    let squares: String = signs.chars().take(n_squares).collect();
    let mover: String = signs.chars().skip(n_squares).collect();
    let to_move = match mover.as_str() {
        "*" | "X" | "x" => Side::First,
        "O" | "o" => Side::Second,
        _ => {
            let expected = format!("expected {n_squares} squares and the side to move");
            return Err(wrong(quoted(value), expected, "write -, * or O for each square, then * or O"));
        }
    };
    Ok((size, squares, to_move))
}

/// `15:00` or `1:00:00`, optionally followed by `/` and further periods.
fn read_time(value: &str) -> Option<f64> {
    let main = value.split('/').next()?;
    let add = |sum: f64, part: &str| part.trim().parse().ok().map(|number: f64| 60.0 * sum + number);
    main.split(':').try_fold(0.0, add).filter(|seconds| seconds.is_finite() && *seconds >= 0.0)
}

fn read_move(value: &str) -> Result<Played, TextError> {
    Played::parse(value)
        .ok_or_else(|| wrong(format!("move {}", quoted(value)), "expected a square or PA", "write it as F5"))
}

fn wrong(found: impl Into<String>, expected: impl Into<String>, remedy: &str) -> TextError {
    TextError::new(found, expected, remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As NBoard sends it.
    const GAME: &str = "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[a]PW[b]RE[?]TI[15:00]TY[8]\
        BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[F6//1.5]B[D3/0.5/2]W[PA];)";

    #[test]
    fn a_game_is_read_and_printed() {
        let game = Ggf::parse(GAME).expect("a game");
        assert_eq!((game.size, game.to_move, game.seconds), (8, Side::First, Some(900.0)));
        let moves: Vec<&str> = game.moves.iter().map(|(_, played)| played.mv.as_str()).collect();
        assert_eq!(moves, ["f5", "f6", "d3", "pass"]);
        assert_eq!(game.seconds_left(Side::First), Some(898.0));
        assert_eq!(game.seconds_left(Side::Second), Some(898.5));
        assert_eq!(Ggf::parse(&game.to_string()), Ok(game));
    }

    /// White stands on d4 and e5, which are the 28th and the 37th square from the top left.
    #[test]
    fn its_board_is_the_usual_one() {
        let game = Ggf::parse(GAME).expect("a game");
        let of = |disc: char| game.board.match_indices(disc).map(|(i, _)| i).collect::<Vec<_>>();
        assert_eq!((of('O'), of('*')), (vec![27, 36], vec![28, 35]));
        assert_eq!(game.position().len(), 66);
    }

    #[test]
    fn a_game_ends_behind_its_last_value() {
        let text = format!("3 {}(;GM[Othello]", GAME.replace("PB[a]", "PB[a;)]"));
        let length = length(&text).expect("it ends");
        assert!(text[..length].ends_with("W[PA];)") && text[length..].starts_with("(;GM"), "{length}");
        assert_eq!(Ggf::parse(&text).map(|game| game.players), Ok(Some(["a;)".to_owned(), "b".to_owned()])));
        assert_eq!(super::length(&text[length..]), None);
        let unnamed = GAME.replace("PB[a]PW[b]", "PB[black]PW[white]");
        assert_eq!(Ggf::parse(&unnamed).map(|game| game.players), Ok(None));
        let err = Ggf::parse(&GAME.replace("TY[8]", "TY[8A]")).expect_err("another game").to_string();
        assert!(err.starts_with("a game of type \"8A\""), "{err}");
    }

    #[test]
    fn what_is_no_game_is_refused_in_one_line() {
        for text in [
            "",
            "(;",
            "(;GM[Chess];)",
            "(;BO[8 -- *];)",
            "(;BO[99 *];)",
            "(;B[",
            "(;BO[8",
            "(;GM[Othello]B[F5];)",
            "(;é[x];)",
        ] {
            let err = Ggf::parse(text).expect_err(text).to_string();
            assert!(!err.contains('\n'), "{text}: {err}");
        }
    }
}

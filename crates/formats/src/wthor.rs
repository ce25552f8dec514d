//! WTHOR, the binary files (`.wtb`) in which the French federation of Othello keeps tournament games.
//!
//! A header of 16 bytes and 68 bytes for each game, numbers with the low byte first. Passes are not stored.
//!
//! | byte of the header | |
//! |---|---|
//! | 4 to 7 | number of games |
//! | 10, 11 | year |
//! | 12 | rows and columns; 0 is 8 |
//!
//! | byte of a game | |
//! |---|---|
//! | 0 to 5 | numbers of the tournament, of black and of white, two bytes each |
//! | 6, 7 | discs of black, in the end and under perfect play from some point on |
//! | 8 to 67 | moves: ten times the row and the column, both from 1; 0 after the last one |
// The crate `wthor` reads the same fields, but has few users, and its errors name neither the game nor the byte.

use banyan_core::TextError;

use crate::scan::{Place, at};
use crate::transcript::{Part, Step, Transcript};

const HEADER: usize = 16;
const GAME: usize = 68;
const FIRST_MOVE: usize = 8;

/// The usual extension of the names of such files.
pub const EXTENSION: &str = "wtb";

/// Whether bytes are such a file: their number must follow from the header.
pub fn is_in(bytes: &[u8]) -> bool {
    bytes.len() > HEADER
        && (bytes.len() - HEADER).is_multiple_of(GAME)
        && n_games(bytes) == (bytes.len() - HEADER) / GAME
}

/// The games of a file in their order.
///
/// # Errors
/// A board of another size, a file that is too short or too long, a square that is not on the board, or one after the 0
/// that ends the moves, with the number of the game. Illegal moves are found when the game is
/// [opened](Transcript::open).
pub fn read(bytes: &[u8]) -> Result<Vec<Transcript>, TextError> {
    Ok(read_first(bytes, usize::MAX)?.0)
}

/// The first `most` games of a file, and the total number of games.
///
/// # Errors
/// As for [`read`].
pub(crate) fn read_first(bytes: &[u8], most: usize) -> Result<(Vec<Transcript>, usize), TextError> {
    if bytes.len() < HEADER {
        let found = format!("a file of {}", counted(bytes.len(), "byte"));
        return Err(TextError::new(found, "expected a header of 16 bytes and 68 for each game", "copy it again"));
    }
    let size = bytes[12];
    if !matches!(size, 0 | 8) {
        return Err(TextError::new(format!("games on {size}x{size}"), "expected games on 8x8", "use another file"));
    }
    let n_games = n_games(bytes);
    let games: Vec<&[u8]> = bytes[HEADER..].chunks(GAME).collect();
    let last = games.last().map_or(GAME, |game| game.len());
    if games.len() < n_games || last < GAME {
        let (number, n_bytes) = if last < GAME { (games.len(), last) } else { (games.len() + 1, 0) };
        let found = format!("game {number}: {} at the end of the file", counted(n_bytes, "byte"));
        let expected = format!("expected {} of 68 bytes", counted(n_games, "game"));
        return Err(TextError::new(found, expected, "copy it again"));
    }
    if games.len() > n_games {
        let found = format!("game {}: behind the {} of the header", n_games + 1, counted(n_games, "game"));
        return Err(TextError::new(found, "expected the end of the file", "copy it again"));
    }
    let year = word(bytes, 10);
    let mut kept = Vec::new();
    for (i, game) in games.iter().enumerate() {
        let game = read_game(i, game, year)?;
        if i < most {
            kept.push(game);
        }
    }
    Ok((kept, games.len()))
}

fn counted(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

fn n_games(bytes: &[u8]) -> usize {
    u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]) as usize
}

fn word(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn read_game(i: usize, game: &[u8], year: u16) -> Result<Transcript, TextError> {
    let of_game = |err: TextError| TextError { found: format!("game {}: {}", i + 1, err.found), ..err };
    let place = |nth: usize| Place::Byte(HEADER + i * GAME + FIRST_MOVE + nth + 1);
    let squares = &game[FIRST_MOVE..];
    let n_moves = squares.iter().position(|&square| square == 0).unwrap_or(squares.len());
    if let Some(behind) = squares[n_moves..].iter().position(|&square| square != 0) {
        let nth = n_moves + behind;
        let expected = format!("expected 0, because the moves end with the 0 in {}", place(n_moves));
        let err = TextError::new(format!("square {}", squares[nth]), expected, "copy the file again");
        return Err(of_game(at(place(nth), "", err)));
    }
    let step = |(nth, &square): (usize, &u8)| {
        read_square(square)
            .map(|mv| Step { place: place(nth), side: None, mv, part: Part::Move })
            .map_err(|err| of_game(at(place(nth), &format!("move {}: ", nth + 1), err)))
    };
    let steps = squares[..n_moves].iter().enumerate().map(step).collect::<Result<_, _>>()?;
    let [tournament, black, white] = [0, 2, 4].map(|at| word(game, at));
    let event = format!("tournament {tournament} of {year}, players {black} and {white}");
    let about = vec![("event", event), ("discs", format!("{} of black, {} under perfect play", game[6], game[7]))];
    let spec = Some("reversi".into());
    Ok(Transcript { protocol: "wthor", is_of_collection: true, spec, steps, about, ..Transcript::default() })
}

/// `f5` for 56.
fn read_square(code: u8) -> Result<String, TextError> {
    let (row, column) = (code / 10, code % 10);
    if (1..=8).contains(&row) && (1..=8).contains(&column) {
        return Ok(format!("{}{row}", char::from(b'a' + column - 1)));
    }
    Err(TextError::new(format!("square {code}"), "expected 11 to 88, ten times the row and the column", "correct it"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;

    /// A file with these games.
    fn file(games: &[&[u8]]) -> Vec<u8> {
        let mut bytes = vec![20, 26, 1, 2, games.len() as u8, 0, 0, 0, 0, 0, 0xD0, 0x07, 0, 0, 22, 0];
        for moves in games {
            bytes.extend([3, 0, 1, 1, 2, 0, 40, 38]);
            bytes.extend(moves.iter().copied().chain(std::iter::repeat(0)).take(60));
        }
        bytes
    }

    #[test]
    fn games_are_read_and_passes_inferred() {
        // After eight moves black cannot place a disc: white moves again.
        let passes = [34, 33, 65, 24, 14, 15, 22, 13, 31];
        let bytes = file(&[&[56, 66], &passes]);
        assert!(is_in(&bytes) && !is_in(&bytes[..100]) && !is_in(b"connect four"));
        let games = read(&bytes).expect("two games");
        let history = |i: usize| games[i].open(&builtin(), None).map(|game| game.history().join(" "));
        assert_eq!(history(0).as_deref(), Ok("f5 f6"));
        assert_eq!(history(1).as_deref(), Ok("d3 c3 e6 d2 d1 e1 b2 c1 pass a3"));
        let expected =
            [("event", "tournament 3 of 2000, players 257 and 2"), ("discs", "40 of black, 38 under perfect play")];
        assert_eq!(games[0].about().to_vec(), expected.map(|(name, text)| (name, text.to_owned())));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_game() {
        let whole = file(&[&[56, 66], &[56]]);
        let mut large = whole.clone();
        large[12] = 10;
        for (bytes, expected) in [
            (&whole[..10], "a file of 10 bytes: expected a header"),
            (&large, "games on 10x10: expected games on 8x8"),
            (&whole[..16], "game 1: 0 bytes at the end of the file: expected 2 games of 68 bytes"),
            (&whole[..84], "game 2: 0 bytes at the end of the file"),
            (&whole[..100], "game 2: 16 bytes at the end of the file"),
            (&[&whole[..], &whole[16..84]].concat(), "game 3: behind the 2 games of the header"),
            (&file(&[&[56], &[56, 99]]), "game 2: byte 94: move 2: square 99: expected 11 to 88"),
            (&file(&[&[9]]), "game 1: byte 25: move 1: square 9: "),
            (
                &file(&[&[56], &[56, 0, 66]]),
                "game 2: byte 95: square 66: expected 0, because the moves end with the 0 in byte 94; ",
            ),
            (&whole[..1], "a file of 1 byte: "),
            (&whole[..85], "game 2: 1 byte at the end of the file: "),
            (&file(&[&[56]])[..83], "game 1: 67 bytes at the end of the file: expected 1 game of 68 bytes"),
            (&[&file(&[&[56]])[..], &whole[16..84]].concat(), "game 2: behind the 1 game of the header"),
        ] {
            let err = read(bytes).expect_err(expected).to_string();
            assert!(err.starts_with(expected) && !err.contains('\n'), "{err}");
        }
        let illegal = read(&file(&[&[56, 56]])).expect("squares of the board");
        let err = illegal[0].open(&builtin(), None).map(|_| ()).expect_err("taken").to_string();
        assert!(err.starts_with("byte 26: move 2: move \"f5\": "), "{err}");
    }
}

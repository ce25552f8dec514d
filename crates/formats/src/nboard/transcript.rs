//! Games in GGF, and transcripts of NBoard.

use banyan_core::TextError;

use super::{Ggf, ToEngine, ggf};
use crate::scan::{Line, at};
use crate::transcript::{Games, Transcript};

/// Maximum length of a game in GGF in bytes, comments and times included.
const LONGEST: usize = 16 << 10;

/// Whether the lines contain a game in GGF.
pub(crate) fn recognises(lines: &[Line<'_>]) -> bool {
    lines.iter().any(|line| line.text.contains("(;"))
}

/// Games in GGF, also several in one line, and the moves that NBoard sends after a game.
pub(crate) fn read(games: &mut Games, lines: &[Line<'_>]) -> Result<(), TextError> {
    let mut open = String::new();
    let mut is_sent = false;
    for line in lines.iter().filter(|line| line.from_engine != Some(true)) {
        if open.is_empty() && !line.text.contains("(;") {
            // Other lines of NBoard, such as answers of the engine, change nothing.
            if let Ok(Some(ToEngine::Move(played))) = ToEngine::parse(line.text) {
                games.last(line.number, "move")?.steps.push(line.step(None, played.mv));
            }
            continue;
        }
        if open.is_empty() {
            is_sent = matches!(ToEngine::parse(line.text), Ok(Some(ToEngine::Game(_))));
        }
        open += line.text;
        let mut rest = open.as_str();
        while let Some(length) = ggf::length(rest) {
            let in_game = |err| at(line.number, &number(games), err);
            let game = check_length(length).and_then(|()| read_game(&rest[..length], line)).map_err(in_game)?;
            // NBoard sends the same game again with more moves, whereas games of a file may have a common beginning.
            if is_sent {
                games.add(game)
            } else {
                games.collect(game)
            }
            rest = &rest[length..];
        }
        open = if rest.contains("(;") { rest.to_owned() } else { String::new() };
        // Every line causes a new search for the end of the game.
        check_length(open.len()).map_err(|err| at(line.number, &number(games), err))?;
    }
    if open.is_empty() {
        return Ok(());
    }
    let err = TextError::new("a game in GGF", "expected ;) at its end", "add the rest of the game");
    Err(at(lines.len(), &number(games), err))
}

fn check_length(length: usize) -> Result<(), TextError> {
    if length <= LONGEST {
        return Ok(());
    }
    let expected = format!("expected ;) at its end, within {LONGEST} bytes");
    Err(TextError::new("a game in GGF", expected, "close the game, or leave out its comments"))
}

/// `game 3: `, the number of the game being read; empty for the first.
fn number(games: &Games) -> String {
    let n = games.0.len() + games.1.n_dropped;
    if n == 0 { String::new() } else { format!("game {}: ", n + 1) }
}

fn read_game(text: &str, line: &Line<'_>) -> Result<Transcript, TextError> {
    let game = Ggf::parse(text)?;
    Ok(Transcript {
        protocol: "nboard",
        spec: Some(format!("reversi:{0}x{0}", game.size)),
        position: Some((line.number, game.position())),
        steps: game.moves.iter().map(|(side, played)| line.step(Some(*side), &*played.mv)).collect(),
        players: game.players.clone(),
        ..Transcript::default()
    })
}

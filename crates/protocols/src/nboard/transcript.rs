//! Games in GGF, and transcripts of NBoard.

use banyan_core::TextError;

use super::{Ggf, ToEngine};
use crate::transcript::{Games, Line, Transcript, at};

/// Whether a game in GGF is there.
pub(crate) fn recognises(lines: &[Line<'_>]) -> bool {
    lines.iter().any(|line| line.text.contains("(;"))
}

/// Games in GGF, one or more, and the moves that NBoard sends after one.
pub(crate) fn read(games: &mut Games, lines: &[Line<'_>]) -> Result<(), TextError> {
    let mut open = String::new();
    for line in lines.iter().filter(|line| line.from_engine != Some(true)) {
        if open.is_empty() && !line.text.contains("(;") {
            // A line of NBoard that is no move, as an answer of the engine, changes nothing.
            if let Some(ToEngine::Move(played)) = ToEngine::parse(line.text) {
                games.last(line.number, "move")?.steps.push(line.step(None, played.mv));
            }
            continue;
        }
        open += line.text;
        if open.contains(";)") {
            let ggf = Ggf::parse(&open).map_err(|err| at(line.number, "", err))?;
            games.add(Transcript {
                protocol: "nboard",
                spec: Some(format!("reversi:{0}x{0}", ggf.size)),
                position: Some((line.number, ggf.position())),
                steps: ggf.moves.iter().map(|(side, played)| line.step(Some(*side), &*played.mv)).collect(),
                ..Transcript::default()
            });
            open.clear();
        }
    }
    if open.is_empty() {
        return Ok(());
    }
    Err(at(lines.len(), "", TextError::new("a game in GGF", "expected ;) at its end", "add the rest of the game")))
}

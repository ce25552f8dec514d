//! Transcripts of UGI: every `position` that was sent.

use banyan_core::TextError;

use super::split_position;
use crate::scan::Line;
use crate::transcript::{Games, Transcript};

/// Maximum length of a game specification in bytes; it is copied to every position.
const LONGEST_SPEC: usize = 1000;

/// Whether the lines contain a `position` command.
pub(crate) fn recognises(lines: &[Line<'_>]) -> bool {
    lines.iter().any(|line| line.word() == "position")
}

/// Adds the games of the lines.
pub(crate) fn read(games: &mut Games, lines: &[Line<'_>]) -> Result<(), TextError> {
    let mut spec = None;
    for line in lines.iter().filter(|line| line.from_engine != Some(true)) {
        match line.word() {
            "setoption" => {
                let words: Vec<&str> = line.text.split_whitespace().collect();
                if let [_, "name", name, "value", value] = words[..]
                    && name.eq_ignore_ascii_case("Game")
                {
                    if value.len() > LONGEST_SPEC {
                        let err =
                            TextError::new("a long name of a game", "expected one such as reversi:8x8", "shorten it");
                        return Err(line.at(err));
                    }
                    spec = Some(value.to_owned());
                }
            }
            "uginewgame" => games.0.push(Transcript::default()),
            "position" => {
                let split = split_position(rest(line.text));
                let (place, moves) = split.map_err(|err| line.at(err))?;
                games.add(Transcript {
                    protocol: "ugi",
                    spec: spec.clone(),
                    position: Some(place).filter(|place| !place.is_empty()).map(|place| (line.number, place)),
                    steps: moves.into_iter().map(|mv| line.step(None, mv)).collect(),
                    ..Transcript::default()
                });
            }
            _ => {}
        }
    }
    Ok(())
}

/// The text after the first word.
fn rest(text: &str) -> &str {
    text.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim())
}

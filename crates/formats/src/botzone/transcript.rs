//! Transcripts of Botzone: requests and responses, one JSON object per line.

use banyan_core::TextError;

use super::{Input, Place, Response};
use crate::scan::Line;
use crate::transcript::{Games, Transcript};

/// Whether the lines contain a request or a response.
pub(crate) fn recognises(lines: &[Line<'_>]) -> bool {
    lines.iter().any(is_botzone)
}

fn is_botzone(line: &Line<'_>) -> bool {
    line.text.starts_with('{')
        && ["\"requests\"", "\"request\"", "\"response\""].iter().any(|key| line.text.contains(key))
}

/// Adds the games of the lines.
pub(crate) fn read(games: &mut Games, lines: &[Line<'_>]) -> Result<(), TextError> {
    let begun = |steps| Transcript { protocol: "botzone", family: "reversi", steps, ..Transcript::default() };
    for line in lines.iter().filter(|line| line.text.starts_with('{')) {
        let step = |place: Place| place.as_move().map(|mv| line.step(None, mv));
        let place = |err| line.at(err);
        if let Ok(response) = Response::parse(line.text) {
            games.last(line.number, "response")?.steps.push(step(response).map_err(place)?);
            continue;
        }
        match Input::parse(line.text).map_err(place)? {
            Input::History { requests, responses } => {
                // The side that moves first has no opponent's move in its first request.
                let begins = requests.first() == Some(&Place::NONE);
                let turns = requests
                    .iter()
                    .enumerate()
                    .flat_map(|(i, &request)| [Some(request).filter(|_| i > 0 || !begins), responses.get(i).copied()]);
                let steps = turns.flatten().map(step).collect::<Result<_, _>>().map_err(place)?;
                games.add(begun(steps));
            }
            Input::Request(request) => {
                if games.0.is_empty() {
                    games.0.push(begun(Vec::new()));
                }
                let game = games.last(line.number, "request")?;
                if request != Place::NONE || !game.steps.is_empty() {
                    game.steps.push(step(request).map_err(place)?);
                }
            }
        }
    }
    Ok(())
}

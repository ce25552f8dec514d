//! States of OpenSpiel's Dots and Boxes, as its `SerializeGameAndState` writes them: the game, then the actions.
//!
//! ```text
//! [Game]
//! dots_and_boxes(num_cols=5,num_rows=5,utility_margin=false)
//! [State]
//! 23
//! 43
//! ```

use banyan_core::TextError;

use crate::scan::Line;
use crate::transcript::{Games, Transcript};

/// OpenSpiel's name of the game.
const NAME: &str = "dots_and_boxes";

const META: &str = "[Meta]";
const GAME: &str = "[Game]";
const STATE: &str = "[State]";

/// Whether the lines contain the section with the game.
pub(crate) fn recognises(lines: &[Line<'_>]) -> bool {
    lines.iter().any(|line| line.text == GAME)
}

/// Adds the game. An action is a number or its name, such as `P1(h,4,3)`.
pub(crate) fn read(games: &mut Games, lines: &[Line<'_>]) -> Result<(), TextError> {
    // The section, and whether the game of this state has been named.
    let (mut section, mut is_named) = ("", false);
    for line in lines.iter().filter(|line| !line.text.is_empty() && !line.text.starts_with('#')) {
        match (section, line.text) {
            ("" | STATE, META) | ("" | META | STATE, GAME) => (section, is_named) = (line.text, false),
            (GAME, STATE) if is_named => section = STATE,
            (META, text) if !text.starts_with('[') => {}
            (GAME, text) if !text.starts_with('[') && !is_named => {
                let spec = spec(text).map_err(|err| line.at(err))?;
                games.0.push(Transcript { protocol: "openspiel", spec: Some(spec), ..Transcript::default() });
                is_named = true;
            }
            (STATE, text) if !text.starts_with('[') => {
                let steps = text.split_whitespace().map(|action| line.step(None, action));
                games.last(line.number, "state")?.steps.extend(steps);
            }
            _ => {
                let expected = "expected [Meta], [Game] with one game, and [State], in this order";
                return Err(line.wrong(expected, "correct the sections"));
            }
        }
    }
    Ok(())
}

/// The board of `dots_and_boxes(num_cols=5,num_rows=5)`; 2x2 boxes if no size is given.
fn spec(game: &str) -> Result<String, TextError> {
    let wrong = |expected: &str, remedy: &str| TextError::new(format!("game {game:?}"), expected, remedy);
    let parameters = match game.strip_prefix(NAME) {
        Some("") => "",
        Some(rest) => rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or("="),
        None => return Err(wrong("expected dots_and_boxes", "use a state of that game")),
    };
    let (mut rows, mut columns) = (2_u32, 2_u32);
    let mut named = Vec::new();
    for parameter in parameters.split(',').filter(|parameter| !parameter.is_empty()) {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        let (name, number) = (name.trim(), value.parse().ok());
        if named.contains(&name) {
            return Err(wrong(&format!("expected one value of {name}"), "remove the other"));
        }
        named.push(name);
        match (name, number) {
            ("num_rows", Some(number)) => rows = number,
            ("num_cols", Some(number)) => columns = number,
            // It changes only how OpenSpiel rewards the result.
            ("utility_margin", _) => {}
            _ => return Err(wrong("expected num_rows and num_cols in brackets", "write num_rows=5,num_cols=5")),
        }
    }
    Ok(format!("dots-and-boxes:{rows}x{columns}"))
}

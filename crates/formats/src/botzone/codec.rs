//! The messages of both sides as types.

use banyan_core::TextError;
use serde::{Deserialize, Serialize};

/// The line after a response with which a program requests to be kept running.
pub const KEEP_RUNNING: &str = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";

/// Rows and columns of the board.
const SIDE: i64 = 8;

/// A square by column from the left and row from the top, both from 0, or -1, -1 for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Column from the left. (The starting position is symmetric under exchange of columns and rows, so the order
    /// cannot be inferred from it.)
    pub x: i64,
    /// Row from the top.
    pub y: i64,
}

impl Place {
    /// No square: a pass, or as the first request the signal to start.
    pub const NONE: Place = Place { x: -1, y: -1 };

    /// The place of a move in Banyan's notation.
    pub fn of_move(mv: &str) -> Option<Place> {
        if mv == "pass" {
            return Some(Place::NONE);
        }
        let &[file, rank] = mv.as_bytes() else { return None };
        let place = Place { x: i64::from(file) - i64::from(b'a'), y: i64::from(rank) - i64::from(b'1') };
        place.is_square().then_some(place)
    }

    /// The move in Banyan's notation.
    ///
    /// # Errors
    /// Not a square of the board.
    pub fn as_move(self) -> Result<String, TextError> {
        if self == Place::NONE {
            return Ok("pass".to_owned());
        }
        if !self.is_square() {
            let found = format!("x {}, y {}", self.x, self.y);
            return Err(TextError::new(found, "expected 0 to 7, or -1 for both", "send a square of the 8x8 board"));
        }
        Ok(format!("{}{}", char::from(b'a' + self.x as u8), self.y + 1))
    }

    fn is_square(self) -> bool {
        (0..SIDE).contains(&self.x) && (0..SIDE).contains(&self.y)
    }
}

/// A message from the platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// The whole game: `{"requests":[...],"responses":[...]}`, with one more request than responses.
    History {
        /// The opponent's moves, starting with [`Place::NONE`] for the side that moves first.
        requests: Vec<Place>,
        /// The moves of the program itself.
        responses: Vec<Place>,
    },
    /// The opponent's last move, for a program that keeps running: `{"x":2,"y":3}`, also wrapped as
    /// `{"requests":{...}}`.
    Request(Place),
}

/// The forms of an object with requests; other fields are ignored.
#[derive(Deserialize)]
#[serde(untagged)]
enum Form {
    History {
        requests: Vec<Place>,
        #[serde(default)]
        responses: Vec<Place>,
    },
    Wrapped {
        #[serde(alias = "request")]
        requests: Place,
    },
    Bare(Place),
}

impl Input {
    /// Parses a line.
    ///
    /// # Errors
    /// Not JSON of these forms, or a wrong number of responses.
    pub fn parse(line: &str) -> Result<Input, TextError> {
        let wrong = |expected: &str| {
            let found: String = line.chars().take(40).collect();
            TextError::new(format!("{found:?}"), expected, r#"write {"requests":[{"x":-1,"y":-1}],"responses":[]}"#)
        };
        match serde_json::from_str(line) {
            Ok(Form::History { requests, responses }) if requests.len() == responses.len() + 1 => {
                Ok(Input::History { requests, responses })
            }
            Ok(Form::History { .. }) => Err(wrong("expected one more request than responses")),
            Ok(Form::Wrapped { requests: place } | Form::Bare(place)) => Ok(Input::Request(place)),
            Err(_) => Err(wrong("expected an object with requests and responses, or with x and y")),
        }
    }

    /// The message as a line.
    pub fn to_line(&self) -> String {
        #[derive(Serialize)]
        struct History<'a> {
            requests: &'a [Place],
            responses: &'a [Place],
        }
        let text = match self {
            Input::History { requests, responses } => serde_json::to_string(&History { requests, responses }),
            Input::Request(place) => serde_json::to_string(place),
        };
        text.expect("places are numbers")
    }
}

/// A response: `{"response":{"x":2,"y":3}}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Response {
    /// The move.
    pub response: Place,
    /// Human-readable text, shown in the game record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debug: Option<String>,
}

impl Response {
    /// Parses the move of a response; other fields may have any form.
    ///
    /// # Errors
    /// Not JSON with a response.
    pub fn parse(line: &str) -> Result<Place, TextError> {
        #[derive(Deserialize)]
        struct Played {
            response: Place,
        }
        serde_json::from_str(line).map(|played: Played| played.response).map_err(|_| {
            let found: String = line.chars().take(40).collect();
            TextError::new(
                format!("{found:?}"),
                "expected an object with a response",
                r#"write {"response":{"x":2,"y":3}}"#,
            )
        })
    }

    /// The message as a line.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("places are numbers, and the rest is text")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(x: i64, y: i64) -> Place {
        Place { x, y }
    }

    #[test]
    fn moves_and_places_say_the_same() {
        for (place, mv) in
            [(at(2, 3), "c4"), (at(0, 0), "a1"), (at(7, 0), "h1"), (at(5, 4), "f5"), (Place::NONE, "pass")]
        {
            assert_eq!(place.as_move().as_deref(), Ok(mv));
            assert_eq!(Place::of_move(mv), Some(place));
        }
        for place in [at(8, 0), at(-1, 0), at(0, -1), at(i64::MAX, i64::MIN)] {
            assert!(place.as_move().is_err(), "{place:?}");
        }
        for mv in ["", "i1", "a9", "a0", "A1", "a10", "é"] {
            assert_eq!(Place::of_move(mv), None, "{mv}");
        }
    }

    #[test]
    fn inputs_are_read_in_every_form() {
        let first = Input::History { requests: vec![Place::NONE], responses: vec![] };
        let later = Input::History { requests: vec![at(2, 3), at(4, 5)], responses: vec![at(2, 2)] };
        for (line, input) in [
            (r#"{"requests":[{"x":-1,"y":-1}],"responses":[]}"#, first.clone()),
            (r#"{"requests":[{"x":-1,"y":-1}]}"#, first),
            (
                r#"{"requests":[{"x":2,"y":3},{"x":4,"y":5}],"responses":[{"x":2,"y":2}],"data":"","time_limit":1}"#,
                later,
            ),
            (r#"{"x":4,"y":5}"#, Input::Request(at(4, 5))),
            (r#"{"requests":{"x":4,"y":5}}"#, Input::Request(at(4, 5))),
            (r#"{"request":{"x":4,"y":5}}"#, Input::Request(at(4, 5))),
        ] {
            assert_eq!(Input::parse(line), Ok(input.clone()), "{line}");
            assert_eq!(Input::parse(&input.to_line()), Ok(input), "{line}");
        }
        for line in [
            "",
            "{}",
            "[]",
            r#"{"requests":[]}"#,
            r#"{"requests":[{"x":1,"y":1}],"responses":[{"x":1,"y":1}]}"#,
            r#"{"x":1.5,"y":0}"#,
        ] {
            assert!(Input::parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn responses_are_read_and_printed() {
        let line = r#"{"response":{"x":2,"y":3}}"#;
        let response = Response { response: at(2, 3), debug: None };
        assert_eq!(Response::parse(line), Ok(response.response));
        assert_eq!(response.to_line(), line);
        for debug in [r#""hm""#, r#"{"depth":7}"#, "[1]", "3"] {
            let talkative = format!(r#"{{"response":{{"x":-1,"y":-1}},"debug":{debug},"data":7,"globaldata":null}}"#);
            assert_eq!(Response::parse(&talkative), Ok(Place::NONE), "{talkative}");
        }
        assert!(Response::parse("{}").is_err());
    }
}

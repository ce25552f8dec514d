//! Refused requests: the reason as a code for programs, and a text.

use banyan_core::TextError;
use serde::{Serialize, Serializer};

/// The reason of a refusal, for programs: a page has a text for each code in the language of its user. Codes are never
/// renamed. Some are of servers only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// The input is wrong; in a field, the code is `invalid-FIELD`.
    Invalid,
    /// The page of another site, or a host name that does not belong to the server.
    Forbidden,
    /// The requested thing does not exist.
    NotFound,
    /// The path supports other methods only.
    WrongMethod,
    /// The body did not arrive in time.
    Slow,
    /// The work has already begun.
    Begun,
    /// The request has more bytes than allowed.
    TooLarge,
    /// The maximum number of searches is running.
    ManySearches,
    /// The maximum number of viewers is searching.
    ManyViewers,
    /// All threads for this kind of request are busy.
    Busy,
    /// A match is already running.
    MatchRuns,
    /// The games of a match have reached the size limit.
    MatchFull,
    /// The system has no thread left.
    NoThread,
    /// Weights that are not in the program and not loaded yet; the field is their file.
    NoWeights,
    /// A panic.
    Internal,
}

impl Code {
    fn name(self) -> &'static str {
        match self {
            Code::Invalid => "invalid",
            Code::Forbidden => "forbidden",
            Code::NotFound => "not-found",
            Code::WrongMethod => "wrong-method",
            Code::Slow => "slow",
            Code::Begun => "begun",
            Code::TooLarge => "too-large",
            Code::ManySearches => "many-searches",
            Code::ManyViewers => "many-viewers",
            Code::Busy => "busy",
            Code::MatchRuns => "match-runs",
            Code::MatchFull => "match-full",
            Code::NoThread => "no-thread",
            Code::NoWeights => "no-weights",
            Code::Internal => "internal",
        }
    }
}

/// Fields of requests that errors can name.
const FIELDS: [&str; 15] = [
    "base64", "budget", "cells", "from", "game", "moves", "nodes", "openings", "pairs", "player", "players",
    "position", "text", "to_move", "vary",
];

/// A refusal: its reason, text and field. As data it is the body of an error: `{error, code, field?}`.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The reason.
    pub code: Code,
    /// The text: found, expected, and the remedy.
    pub error: String,
    /// The field of the request that is wrong.
    pub field: Option<&'static str>,
}

/// The body of an error.
#[derive(Serialize)]
struct ErrorBody<'a> {
    error: &'a str,
    code: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'static str>,
}

impl Serialize for Refusal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ErrorBody { error: &self.error, code: &self.code(), field: self.field }.serialize(serializer)
    }
}

impl Refusal {
    /// A refusal with the three parts of its text.
    pub fn new(code: Code, found: &str, expected: &str, remedy: &str) -> Refusal {
        Refusal { code, error: TextError::new(found, expected, remedy).to_string(), field: None }
    }

    /// Invalid input in a field of the request.
    pub fn in_field(field: &'static str, err: &TextError) -> Refusal {
        Refusal { field: Some(field), ..Refusal::input(err.to_string()) }
    }

    /// Invalid input.
    pub fn input(error: impl Into<String>) -> Refusal {
        Refusal { code: Code::Invalid, error: error.into(), field: None }
    }

    /// The requested thing does not exist.
    pub fn not_found(what: &str) -> Refusal {
        Refusal::new(Code::NotFound, what, "expected something that exists", "see docs/web-api.md")
    }

    /// A panic.
    pub fn internal() -> Refusal {
        let expected = "expected an answer; this is a fault of Banyan";
        Refusal::new(Code::Internal, "internal error", expected, "please report the request")
    }

    /// The code as text; of invalid input with the field.
    pub fn code(&self) -> String {
        let code = self.code.name();
        match self.field {
            Some(field) if self.code == Code::Invalid => {
                debug_assert!(FIELDS.contains(&field), "{field}: missing in FIELDS");
                format!("{code}-{}", field.replace('_', "-"))
            }
            _ => code.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_a_text_for_every_code() {
        let codes = [
            Code::Invalid,
            Code::Forbidden,
            Code::NotFound,
            Code::WrongMethod,
            Code::Slow,
            Code::Begun,
            Code::TooLarge,
            Code::ManySearches,
            Code::ManyViewers,
            Code::Busy,
            Code::MatchRuns,
            Code::MatchFull,
            Code::NoThread,
            Code::NoWeights,
            Code::Internal,
        ];
        let plain = codes.map(|code| Refusal { code, ..Refusal::input("x") });
        let in_fields = FIELDS.map(|field| Refusal { field: Some(field), ..Refusal::input("x") });
        for refusal in plain.into_iter().chain(in_fields) {
            let key = format!("error.{}", refusal.code());
            assert!(banyan_texts::Language::En.has(&key), "{key}");
        }
    }
}

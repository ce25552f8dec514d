//! Refused requests: a status and one line of JSON.

use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use banyan_core::TextError;
use serde::Serialize;

/// The reason of a refusal, for programs: a page has a text for each code in the language of its user. Codes are never
/// renamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Code {
    /// The input is wrong; in a field, the code is `invalid-FIELD`.
    Invalid,
    /// The page of another site, or a host name that does not belong to the server.
    Forbidden,
    NotFound,
    WrongMethod,
    /// The body did not arrive in time.
    Slow,
    /// The work has already begun.
    Begun,
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
    /// A panic in the server.
    Internal,
}

impl Code {
    fn status(self) -> StatusCode {
        match self {
            Code::Invalid => StatusCode::BAD_REQUEST,
            Code::Forbidden => StatusCode::FORBIDDEN,
            Code::NotFound => StatusCode::NOT_FOUND,
            Code::WrongMethod => StatusCode::METHOD_NOT_ALLOWED,
            Code::Slow => StatusCode::REQUEST_TIMEOUT,
            Code::Begun => StatusCode::GONE,
            Code::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Code::ManySearches
            | Code::ManyViewers
            | Code::Busy
            | Code::MatchRuns
            | Code::MatchFull
            | Code::NoThread => StatusCode::TOO_MANY_REQUESTS,
            Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

/// Fields of requests that errors can name.
const FIELDS: [&str; 15] = [
    "base64", "budget", "cells", "from", "game", "moves", "nodes", "openings", "pairs", "player", "players",
    "position", "text", "to_move", "vary",
];

/// A refusal: its reason, text and field.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) code: Code,
    pub(crate) error: String,
    pub(crate) field: Option<&'static str>,
}

/// The body of an error.
#[derive(Serialize)]
struct ErrorBody<'a> {
    error: &'a str,
    code: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'static str>,
}

impl Refusal {
    pub(crate) fn new(code: Code, found: &str, expected: &str, remedy: &str) -> Refusal {
        Refusal { code, error: TextError::new(found, expected, remedy).to_string(), field: None }
    }

    /// Invalid input in a field of the request.
    pub(crate) fn in_field(field: &'static str, err: &TextError) -> Refusal {
        Refusal { field: Some(field), ..Refusal::input(err.to_string()) }
    }

    /// Invalid input.
    pub(crate) fn input(error: impl Into<String>) -> Refusal {
        Refusal { code: Code::Invalid, error: error.into(), field: None }
    }

    /// The requested thing does not exist.
    pub(crate) fn not_found(what: &str) -> Refusal {
        Refusal::new(Code::NotFound, what, "expected something that this server has", "see docs/web-api.md")
    }

    /// The path supports other methods only.
    pub(crate) fn wrong_method(method: &Method, path: &str) -> Refusal {
        Refusal::new(Code::WrongMethod, &format!("{method} {path}"), "expected another method", "see docs/web-api.md")
    }

    /// A panic in the server.
    pub(crate) fn internal() -> Refusal {
        let expected = "expected an answer; this is a fault of Banyan, which the server survives";
        Refusal::new(Code::Internal, "internal error", expected, "please report the request")
    }

    /// The code as text; of invalid input with the field.
    fn code(&self) -> String {
        let code = serde_json::to_value(self.code).expect("a name");
        let code = code.as_str().expect("a text");
        debug_assert!(self.field.is_none_or(|field| FIELDS.contains(&field)), "{:?}: missing in FIELDS", self.field);
        self.field.map_or_else(|| code.to_owned(), |field| format!("{code}-{}", field.replace('_', "-")))
    }

    /// The body of the answer, also the data of an event `error`.
    pub(crate) fn json(&self) -> String {
        let body = ErrorBody { error: &self.error, code: &self.code(), field: self.field };
        serde_json::to_string(&body).expect("text is always JSON")
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.code.status(), [(header::CONTENT_TYPE, "application/json")], self.json()).into_response()
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

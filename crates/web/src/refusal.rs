//! What a request gets that is not served: a status and one line of JSON.

use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use banyan_core::TextError;
use serde::Serialize;

/// Why a request was not served, for programs: a page has a text for each in the language of its reader. Codes are never renamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Code {
    /// The input is wrong; in a field, the code is `invalid-FIELD`.
    Invalid,
    /// The page of another site, or a name that the server does not have.
    Forbidden,
    NotFound,
    WrongMethod,
    /// The body did not arrive in time.
    Slow,
    /// The work has begun already.
    Begun,
    TooLarge,
    /// As many searches run as may.
    ManySearches,
    /// As many viewers search as may.
    ManyViewers,
    /// All threads for this kind of request are busy.
    Busy,
    /// A match runs already.
    MatchRuns,
    /// A match has as many bytes of games as may be.
    MatchFull,
    /// The system has no thread left.
    NoThread,
    /// Code of the server panicked.
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

/// Fields of requests that errors name.
const FIELDS: [&str; 15] = [
    "base64", "budget", "cells", "from", "game", "moves", "nodes", "openings", "pairs", "player", "players",
    "position", "text", "to_move", "vary",
];

/// Why a request was not served.
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

    /// Wrong input in a field of the request.
    pub(crate) fn in_field(field: &'static str, err: &TextError) -> Refusal {
        Refusal { field: Some(field), ..Refusal::input(err.to_string()) }
    }

    /// Wrong input.
    pub(crate) fn input(error: impl Into<String>) -> Refusal {
        Refusal { code: Code::Invalid, error: error.into(), field: None }
    }

    /// There is no such thing.
    pub(crate) fn not_found(what: &str) -> Refusal {
        Refusal::new(Code::NotFound, what, "expected something that this server has", "see docs/web-api.md")
    }

    /// The path has other methods.
    pub(crate) fn wrong_method(method: &Method, path: &str) -> Refusal {
        Refusal::new(Code::WrongMethod, &format!("{method} {path}"), "expected another method", "see docs/web-api.md")
    }

    /// Code of the server panicked.
    pub(crate) fn internal() -> Refusal {
        let expected = "this is a fault of Banyan, which the server survives";
        Refusal::new(Code::Internal, "internal error", expected, "please report the request")
    }

    /// The code as text, with the field of wrong input.
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
        let table = include_str!("../page/js/i18n/en.js");
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
            let key = format!("'error.{}':", refusal.code());
            assert!(table.contains(&key), "{key}");
        }
    }
}

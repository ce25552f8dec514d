//! What a request gets that is not served: a status and one line of JSON.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use banyan_core::TextError;
use serde::Serialize;

/// Why a request was not served.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) error: String,
    pub(crate) field: Option<&'static str>,
}

/// The body of an error.
#[derive(Serialize)]
struct ErrorBody<'a> {
    error: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'static str>,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, found: &str, expected: &str, remedy: &str) -> Refusal {
        Refusal { status, error: TextError::new(found, expected, remedy).to_string(), field: None }
    }

    /// Wrong input in a field of the request.
    pub(crate) fn in_field(field: &'static str, err: &TextError) -> Refusal {
        Refusal { status: StatusCode::BAD_REQUEST, error: err.to_string(), field: Some(field) }
    }

    /// Wrong input.
    pub(crate) fn input(error: impl Into<String>) -> Refusal {
        Refusal { status: StatusCode::BAD_REQUEST, error: error.into(), field: None }
    }

    /// A limit of the server is reached.
    pub(crate) fn too_many(found: &str, expected: &str, remedy: &str) -> Refusal {
        Refusal::new(StatusCode::TOO_MANY_REQUESTS, found, expected, remedy)
    }

    /// There is no such thing.
    pub(crate) fn not_found(what: &str) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, what, "expected something that this server has", "see docs/web-api.md")
    }

    /// Code of the server panicked.
    pub(crate) fn internal() -> Refusal {
        let expected = "this is a fault of Banyan, which the server survives";
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error", expected, "please report the request")
    }

    /// The body of the answer, also the data of an event `error`.
    pub(crate) fn json(&self) -> String {
        serde_json::to_string(&ErrorBody { error: &self.error, field: self.field }).expect("text is always JSON")
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let json = self.json();
        (self.status, [(header::CONTENT_TYPE, "application/json")], json).into_response()
    }
}

//! Refusals as HTTP answers: a status and one line of JSON.

use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use banyan_api::{Code, Refusal};

/// A refusal as an answer.
pub(crate) struct Refused(pub(crate) Refusal);

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Refused {
        Refused(refusal)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let Refused(refusal) = self;
        (status(refusal.code), [(header::CONTENT_TYPE, "application/json")], json(&refusal)).into_response()
    }
}

fn status(code: Code) -> StatusCode {
    match code {
        Code::Invalid => StatusCode::BAD_REQUEST,
        Code::Forbidden => StatusCode::FORBIDDEN,
        Code::NotFound => StatusCode::NOT_FOUND,
        Code::WrongMethod => StatusCode::METHOD_NOT_ALLOWED,
        Code::Slow => StatusCode::REQUEST_TIMEOUT,
        Code::Begun => StatusCode::GONE,
        Code::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Code::ManySearches | Code::ManyViewers | Code::Busy | Code::MatchRuns | Code::MatchFull | Code::NoThread => {
            StatusCode::TOO_MANY_REQUESTS
        }
        Code::NoWeights | Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// The body of the answer, also the data of an event `error`.
pub(crate) fn json(refusal: &Refusal) -> String {
    serde_json::to_string(refusal).expect("text is always JSON")
}

/// The path supports other methods only.
pub(crate) fn wrong_method(method: &Method, path: &str) -> Refused {
    let (found, expected) = (format!("{method} {path}"), "expected another method");
    Refused(Refusal::new(Code::WrongMethod, &found, expected, "see docs/web-api.md"))
}

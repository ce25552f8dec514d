//! Requests and answers as JSON.

use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequestParts, Path};
use axum::http::header;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use banyan_api::{Code, Refusal};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::refusal::Refused;
use crate::workers::Workers;

/// Maximum size in bytes of a request without a file.
pub(crate) const SMALL: usize = 64 << 10;

/// Time limit for the body of a request to arrive.
const ARRIVAL: Duration = Duration::from_secs(20);

/// Reads a body of at most `most` bytes.
pub(crate) async fn read(body: Body, most: usize) -> Result<Bytes, Refusal> {
    let read = tokio::time::timeout(ARRIVAL, to_bytes(body, most)).await.map_err(|_| {
        let expected = "expected the body of a request within 20 s";
        Refusal::new(Code::Slow, "a slow request", expected, "send it again")
    })?;
    read.map_err(|_| {
        let expected = format!("expected at most {most} bytes");
        Refusal::new(Code::TooLarge, "the body of the request", &expected, "send less")
    })
}

/// Parses a body of JSON.
pub(crate) fn question<Q: DeserializeOwned>(bytes: &[u8]) -> Result<Q, Refusal> {
    serde_json::from_slice(bytes).map_err(|err| {
        let why = err.to_string().replace(['\n', '\r'], " ");
        Refusal::input(format!("body: expected JSON of the form in docs/web-api.md: {why}; correct it"))
    })
}

/// Reads a request of at most [`SMALL`] bytes of JSON and computes its answer on one of `workers`.
pub(crate) async fn ask<Q, T>(
    workers: &Workers,
    body: Body,
    answer: impl FnOnce(Q) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal>
where
    Q: DeserializeOwned + Send + 'static,
    T: Send + 'static,
{
    let bytes = read(body, SMALL).await?;
    workers.run(move || answer(question(&bytes)?)).await
}

/// An answer as JSON, serialised by the thread that computed it: a long one would delay all others on the thread of the
/// connections.
#[derive(Clone, Debug)]
pub(crate) struct Json(String);

impl Json {
    pub(crate) fn of(answer: &impl Serialize) -> Result<Json, Refusal> {
        serde_json::to_string(answer).map(Json).map_err(|_| Refusal::internal())
    }
}

impl IntoResponse for Json {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "application/json")], self.0).into_response()
    }
}

/// Parameters of the path of a request; text that is not UTF-8 is refused like all other invalid input.
pub(crate) struct Named<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Named<T> {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Named<T>, Refused> {
        let named = Path::<T>::from_request_parts(parts, state).await;
        let refusal = |_| Refusal::input("path: expected text in UTF-8, percent-encoded; see docs/web-api.md");
        named.map(|Path(names)| Named(names)).map_err(|err| Refused(refusal(err)))
    }
}

/// The value of a parameter of a query string such as `from=3&nodes=60`.
pub(crate) fn parameter(query: Option<&str>, name: &'static str) -> Result<Option<usize>, Refusal> {
    let mut pairs = query.unwrap_or_default().split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let value = pairs.find(|(key, _)| *key == name).map(|(_, value)| value);
    value.map(str::parse).transpose().map_err(|_| Refusal {
        field: Some(name),
        ..Refusal::input(format!("{name}: expected a whole number; try {name}=10"))
    })
}

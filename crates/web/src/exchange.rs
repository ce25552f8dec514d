//! Requests and answers as JSON, and the thread that an answer is computed on.

use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::refusal::{Code, Refusal};

/// Time in which the body of a request must arrive.
const ARRIVAL: Duration = Duration::from_secs(20);

/// Reads a body of at most so many bytes.
async fn bytes(body: Body, most: usize) -> Result<Bytes, Refusal> {
    let read = tokio::time::timeout(ARRIVAL, to_bytes(body, most)).await.map_err(|_| {
        let expected = "the body of a request within 20 s";
        Refusal::new(Code::Slow, "a slow request", expected, "send it again")
    })?;
    read.map_err(|_| {
        let expected = format!("at most {most} bytes");
        Refusal::new(Code::TooLarge, "the body of the request", &expected, "send less")
    })
}

/// Reads a request of at most so many bytes of JSON and computes its answer, on a thread where that may take its time.
pub(crate) async fn ask<Q, T>(
    body: Body,
    most: usize,
    answer: impl FnOnce(Q) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal>
where
    Q: DeserializeOwned + Send + 'static,
    T: Send + 'static,
{
    let bytes = bytes(body, most).await?;
    on_thread(move || {
        let question = serde_json::from_slice(&bytes).map_err(|err| {
            let why = err.to_string().replace(['\n', '\r'], " ");
            Refusal::input(format!("body: expected JSON of the form in docs/web-api.md: {why}; correct it"))
        })?;
        answer(question)
    })
    .await
}

/// Runs work on a thread of its own; a panic of it ends in an error and not in the end of the server.
pub(crate) async fn on_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(Refusal::internal()))
}

/// An answer as JSON.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        match serde_json::to_string(&self.0) {
            Ok(json) => ([(header::CONTENT_TYPE, "application/json")], json).into_response(),
            Err(_) => Refusal::internal().into_response(),
        }
    }
}

/// The value of a parameter of the query `from=3&nodes=60`.
pub(crate) fn parameter(query: Option<&str>, name: &'static str) -> Result<Option<usize>, Refusal> {
    let pairs = query.unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='));
    let value = pairs.filter(|(key, _)| *key == name).map(|(_, value)| value).next();
    value.map(str::parse).transpose().map_err(|_| Refusal {
        field: Some(name),
        ..Refusal::input(format!("{name}: expected a whole number; try {name}=10"))
    })
}

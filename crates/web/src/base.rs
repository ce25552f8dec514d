//! The path below which the server lies, such as that of a proxy.

use std::str::FromStr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::uri::PathAndQuery;
use axum::http::{StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use banyan_api::{Code, Refusal};
use banyan_core::TextError;

use crate::refusal::Refused;

/// A path without a slash at its end: empty for the root, or such as `/banyan`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Base(Arc<str>);

impl FromStr for Base {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Base, TextError> {
        let path = text.strip_suffix('/').unwrap_or(text);
        let is_part = |part: &str| {
            !part.is_empty()
                && !part.bytes().all(|byte| byte == b'.')
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte))
        };
        let is_path = text.starts_with('/') && path.split('/').skip(1).all(is_part);
        is_path.then(|| Base(path.into())).ok_or_else(|| {
            let expected = "expected a path with a slash in front, of letters, digits and -._~";
            TextError::new(text, expected, "try /banyan")
        })
    }
}

impl std::fmt::Display for Base {
    /// With a slash at its end.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/", self.0)
    }
}

impl Base {
    pub(crate) fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The target of a request below the base, as if it were the root; `None` for one that is not below it. The check of health is at the
    /// root too, for monitors of this machine that do not know the base.
    fn strip(&self, uri: &Uri) -> Option<Uri> {
        if uri.path() == "/health" {
            return Some(uri.clone());
        }
        let target = uri.path_and_query()?.as_str().strip_prefix(&*self.0)?;
        let target: PathAndQuery = target.starts_with('/').then(|| target.parse().ok()).flatten()?;
        let mut parts = uri.clone().into_parts();
        parts.path_and_query = Some(target);
        Uri::from_parts(parts).ok()
    }
}

/// Passes requests below the base on, and the base itself, without its last slash, to the page.
pub(crate) async fn below(State(base): State<Base>, mut request: Request, next: Next) -> Response {
    if let Some(uri) = base.strip(request.uri()) {
        *request.uri_mut() = uri;
        return next.run(request).await;
    }
    let path = request.uri().path();
    if path == &*base.0 {
        return (StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, base.to_string())]).into_response();
    }
    let expected = format!("expected a path below {base}");
    Refused(Refusal::new(Code::NotFound, path, &expected, &format!("open {base}"))).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_is_a_path_with_a_slash_in_front() {
        for (text, shown) in
            [("/", "/"), ("/banyan", "/banyan/"), ("/banyan/", "/banyan/"), ("/a/b-c.d_~1", "/a/b-c.d_~1/")]
        {
            assert_eq!(text.parse::<Base>().expect(text).to_string(), shown);
        }
        for text in ["", "banyan", "banyan/", "//", "/a//b", "/a b", "/{a}", "/..", "/a/.", "http://a/b", "/ä"] {
            let err = text.parse::<Base>().expect_err(text).to_string();
            assert!(err.contains("a slash in front"), "{err}");
        }
    }

    #[test]
    fn only_what_is_below_the_base_is_passed_on() {
        let base: Base = "/banyan".parse().expect("a base");
        let stripped = |target: &str| base.strip(&target.parse().expect("a target")).map(|uri| uri.to_string());
        assert_eq!(stripped("/banyan/api/about?x=1").as_deref(), Some("/api/about?x=1"));
        assert_eq!(stripped("/banyan/").as_deref(), Some("/"));
        assert_eq!(stripped("http://lab.example/banyan/js/main.js").as_deref(), Some("http://lab.example/js/main.js"));
        for target in ["/banyan", "/", "/banyans/", "/api/banyan/", "/banyan?x"] {
            assert_eq!(stripped(target), None, "{target}");
        }
    }
}

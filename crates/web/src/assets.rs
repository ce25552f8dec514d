//! The files of the page: embedded in the program, or read from the folder in builds with debug assertions.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use banyan_api::Refusal;
use include_dir::{Dir, include_dir};

use crate::refusal::Refused;

static PAGE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/page");

/// Everything is loaded from this server; scripts of the page may set styles, and pictures may be data URLs.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// The bytes of a file. Builds with debug assertions read it again, so that an edit needs only a reload; a new file
/// needs a build.
fn contents(path: &str) -> Option<Cow<'static, [u8]>> {
    let file = PAGE.get_file(path)?;
    if cfg!(debug_assertions) {
        let page = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/page"));
        return std::fs::read(page.join(file.path())).ok().map(Cow::Owned);
    }
    Some(Cow::Borrowed(file.contents()))
}

/// The media type of a file; all text files of the page are UTF-8.
fn media_type(path: &str) -> HeaderValue {
    let kind = mime_guess::from_path(path).first_or_octet_stream();
    let charset = if kind.type_() == "text" { "; charset=utf-8" } else { "" };
    HeaderValue::from_str(&format!("{kind}{charset}")).expect("media types are ASCII")
}

/// A file of the page; an empty answer if the browser has the same version.
pub(crate) async fn serve(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().strip_prefix('/').unwrap_or_else(|| uri.path());
    let path = if path.is_empty() { "index.html" } else { path };
    let Some(bytes) = contents(path) else {
        return Refused(Refusal::not_found(uri.path())).into_response();
    };
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    let tag = HeaderValue::from_str(&format!("\"{:016x}\"", hasher.finish())).expect("hexadecimal digits in quotes");
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known == tag);
    let common = [
        (header::ETAG, tag),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    ];
    if known {
        return (StatusCode::NOT_MODIFIED, common).into_response();
    }
    let kind = [(header::CONTENT_TYPE, media_type(path))];
    (common, kind, bytes).into_response()
}

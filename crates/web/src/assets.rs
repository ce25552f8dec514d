//! The page, as it was written: embedded in the program, or read from the folder in builds with debug assertions.

use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{Embed, EmbeddedFile};

use crate::refusal::Refusal;

#[derive(Embed)]
#[folder = "page/"]
struct Page;

/// Everything comes from this server; styles may be set by the page's code, and pictures may be data.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// The media type of a file; all texts of the page are UTF-8.
fn media_type(file: &EmbeddedFile) -> HeaderValue {
    let kind = file.metadata.mimetype();
    let charset = if kind.starts_with("text/") { "; charset=utf-8" } else { "" };
    HeaderValue::from_str(&format!("{kind}{charset}")).expect("media types are ASCII")
}

/// A file of the page; nothing but its name if the browser has it already.
pub(crate) async fn serve(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    let Some(file) = Page::get(path) else {
        return Refusal::not_found(uri.path()).into_response();
    };
    let digest: String = file.metadata.sha256_hash()[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = HeaderValue::from_str(&format!("\"{digest}\"")).expect("hexadecimal digits in quotes");
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known == tag);
    let common = [
        (header::ETAG, tag),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    ];
    if known {
        return (StatusCode::NOT_MODIFIED, common).into_response();
    }
    let kind = [(header::CONTENT_TYPE, media_type(&file))];
    (common, kind, file.data.into_owned()).into_response()
}

//! Which request is answered by what; docs/web-api.md describes them.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{Method, StatusCode, Uri};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use crate::about::About;
use crate::app::App;
use crate::assets;
use crate::edit::{EditedView, edit};
use crate::exchange::{Json, ask};
use crate::guard::{Hosts, only_own_pages};
use crate::refusal::Refusal;
use crate::spot::Spot;
use crate::state::StateView;

/// Most bytes of a request.
const SMALL: usize = 64 << 10;

type Shared = State<Arc<App>>;
type Answer<T> = Result<Json<T>, Refusal>;

/// All routes, for requests of the server's own pages.
pub(crate) fn router(app: Arc<App>, hosts: Hosts) -> Router {
    let api = Router::new()
        .route("/about", get(about))
        .route("/state", post(state))
        .route("/edit", post(edited))
        .method_not_allowed_fallback(wrong_method)
        .fallback(unknown)
        .with_state(app);
    Router::new()
        .nest("/api", api)
        .fallback_service(get(assets::serve))
        .layer(middleware::from_fn_with_state(hosts, only_own_pages))
}

async fn unknown(uri: Uri) -> Response {
    Refusal::not_found(uri.path()).into_response()
}

async fn wrong_method(method: Method, uri: Uri) -> Response {
    let found = format!("{method} {}", uri.path());
    let expected = "expected another method";
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, &found, expected, "see docs/web-api.md").into_response()
}

async fn about(State(app): Shared) -> Json<About> {
    Json(About::of(&app))
}

async fn state(State(app): Shared, body: Body) -> Answer<StateView> {
    let answer = move |spot: Spot| Ok(StateView::of(&app.catalog, &*spot.open(&app.catalog)?));
    ask(body, SMALL, answer).await.map(Json)
}

async fn edited(State(app): Shared, body: Body) -> Answer<EditedView> {
    ask(body, SMALL, move |board| edit(&app.catalog, &board)).await.map(Json)
}

//! Which request is answered by what; docs/web-api.md describes them.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use banyan_catalog::matches::GameLine;
use serde::Serialize;

use crate::about::About;
use crate::analysis::{self, End};
use crate::app::App;
use crate::asked::{self, TreeView};
use crate::assets;
use crate::edit::{EditedView, edit};
use crate::events::Stop;
use crate::exchange::{Json, ask, on_thread, parameter};
use crate::export::{Svg, draw};
use crate::guard::{Hosts, only_own_pages};
use crate::import::{ImportedView, import};
use crate::matches::{FolderList, GameList, MatchQuery, MatchView, SweepQuery};
use crate::refusal::{Code, Refusal};
use crate::reviewing;
use crate::solve;
use crate::spot::Spot;
use crate::state::StateView;

/// Most bytes of a request.
const SMALL: usize = 64 << 10;
/// Most bytes of a request with a file: 4 MiB, a third more in base64.
const FILE: usize = 6 << 20;

/// Data loads nothing; a drawing has its own styles.
const DATA_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

type Shared = State<Arc<App>>;
type Answer<T> = Result<Json<T>, Refusal>;

/// All routes, for requests of the server's own pages.
pub(crate) fn router(app: Arc<App>, hosts: Hosts) -> Router {
    let api = Router::new()
        .route("/about", get(about))
        .route("/state", post(state))
        .route("/edit", post(edited))
        .route("/analysis", post(analysis_asked))
        .route("/analysis/{id}", get(analysis_events).delete(analysis_ended))
        .route("/analysis/{id}/tree", get(analysis_tree))
        .route("/move", post(opponent_move))
        .route("/solve", post(solved))
        .route("/import", post(imported))
        .route("/review", post(review_asked))
        .route("/review/{id}", get(review_events).delete(review_ended))
        .route("/export/svg", post(drawn))
        .route("/matches", get(match_list).post(match_started))
        .route("/sweeps", post(sweep_started))
        .route("/matches/{id}", get(match_result))
        .route("/matches/{id}/events", get(match_events))
        .route("/matches/{id}/games", get(match_games))
        .route("/matches/{id}/games/{game}", get(match_game))
        .route("/matches/{id}/stop", post(match_stopped))
        .route("/matches/{id}/resume", post(match_resumed))
        .method_not_allowed_fallback(wrong_method)
        .fallback(unknown)
        .with_state(app);
    Router::new()
        .nest("/api", api)
        .fallback_service(get(assets::serve))
        .layer(middleware::from_fn_with_state(hosts, only_own_pages))
        .layer(middleware::map_response(only_what_it_is))
}

/// Answers are taken for nothing but what they are, and data that is opened as a page does nothing.
async fn only_what_it_is(mut answer: Response) -> Response {
    let headers = answer.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(DATA_POLICY));
    answer
}

async fn unknown(uri: Uri) -> Response {
    Refusal::not_found(uri.path()).into_response()
}

async fn wrong_method(method: Method, uri: Uri) -> Response {
    let found = format!("{method} {}", uri.path());
    let expected = "expected another method";
    Refusal::new(Code::WrongMethod, &found, expected, "see docs/web-api.md").into_response()
}

async fn about(State(app): Shared) -> Json<About> {
    Json(About::of(&app.offer))
}

async fn state(State(app): Shared, body: Body) -> Answer<StateView> {
    let answer = move |spot: Spot| Ok(StateView::of(&app.offer.catalog, &*spot.open(&app.offer.catalog)?));
    ask(body, SMALL, answer).await.map(Json)
}

async fn edited(State(app): Shared, body: Body) -> Answer<EditedView> {
    ask(body, SMALL, move |board| edit(&app.offer.catalog, &board)).await.map(Json)
}

/// The id of work that begins when its events are read.
#[derive(Serialize)]
struct Accepted {
    id: String,
}

fn accepted(id: String) -> Response {
    (StatusCode::ACCEPTED, Json(Accepted { id })).into_response()
}

async fn analysis_asked(State(app): Shared, body: Body) -> Result<Response, Refusal> {
    let answer = move |query| {
        let (work, stop, asked) = analysis::prepare(&app, query, End::BudgetOrViewer)?;
        app.analyses.add(work, stop, asked)
    };
    ask(body, SMALL, answer).await.map(accepted)
}

async fn analysis_events(State(app): Shared, Path(id): Path<String>) -> Result<Response, Refusal> {
    let job = app.analyses.get(&id)?;
    Ok(app.events_of(job.begin()?, &job.stop).await)
}

async fn analysis_ended(State(app): Shared, Path(id): Path<String>) -> Result<StatusCode, Refusal> {
    app.analyses.get(&id)?.stop.set();
    Ok(StatusCode::NO_CONTENT)
}

async fn analysis_tree(State(app): Shared, Path(id): Path<String>, RawQuery(query): RawQuery) -> Answer<TreeView> {
    let nodes = parameter(query.as_deref(), "nodes")?;
    let job = app.analyses.get(&id)?;
    on_thread(move || asked::tree(&job.about, nodes)).await.map(Json)
}

async fn opponent_move(State(app): Shared, body: Body) -> Result<Response, Refusal> {
    let asked = Arc::clone(&app);
    let (work, stop, _) = ask(body, SMALL, move |query| analysis::prepare(&asked, query, End::Budget)).await?;
    Ok(app.events_of(work, &stop).await)
}

async fn solved(State(app): Shared, body: Body) -> Result<Response, Refusal> {
    let asked = Arc::clone(&app);
    let work = ask(body, SMALL, move |query: solve::Query| solve::prepare(&asked, &query)).await?;
    Ok(app.events_of(work, &Stop::default()).await)
}

async fn imported(State(app): Shared, body: Body) -> Answer<ImportedView> {
    ask(body, FILE, move |file| import(&app.offer.catalog, file)).await.map(Json)
}

async fn review_asked(State(app): Shared, body: Body) -> Result<Response, Refusal> {
    let answer = move |query| {
        let work = reviewing::prepare(&app, query)?;
        app.reviews.add(work, Stop::default(), ())
    };
    ask(body, SMALL, answer).await.map(accepted)
}

async fn review_events(State(app): Shared, Path(id): Path<String>) -> Result<Response, Refusal> {
    let job = app.reviews.get(&id)?;
    Ok(app.events_of(job.begin()?, &job.stop).await)
}

async fn review_ended(State(app): Shared, Path(id): Path<String>) -> Result<StatusCode, Refusal> {
    app.reviews.get(&id)?.stop.set();
    Ok(StatusCode::NO_CONTENT)
}

async fn drawn(State(app): Shared, body: Body) -> Result<Svg, Refusal> {
    ask(body, SMALL, move |board| draw(&app.offer.catalog, &board)).await
}

async fn match_list(State(app): Shared) -> Answer<FolderList> {
    on_thread(move || Ok(app.matches.list())).await.map(Json)
}

async fn match_started(State(app): Shared, body: Body) -> Result<Response, Refusal> {
    let answer = move |query: MatchQuery| app.matches.start(&app.offer, query.config(&app.offer)?);
    ask(body, SMALL, answer).await.map(accepted)
}

async fn sweep_started(State(app): Shared, body: Body) -> Result<Response, Refusal> {
    let answer = move |query: SweepQuery| app.matches.start(&app.offer, query.config(&app.offer)?);
    ask(body, SMALL, answer).await.map(accepted)
}

async fn match_result(State(app): Shared, Path(id): Path<String>) -> Answer<MatchView> {
    on_thread(move || app.matches.result(&id)).await.map(Json)
}

async fn match_events(State(app): Shared, Path(id): Path<String>) -> Result<Response, Refusal> {
    on_thread(move || app.matches.events(&id)).await
}

async fn match_games(State(app): Shared, Path(id): Path<String>, RawQuery(query): RawQuery) -> Answer<GameList> {
    let from = parameter(query.as_deref(), "from")?.unwrap_or(0);
    on_thread(move || app.matches.games(&id, from)).await.map(Json)
}

async fn match_game(State(app): Shared, Path((id, game)): Path<(String, String)>) -> Answer<GameLine> {
    on_thread(move || app.matches.game(&id, &game)).await.map(Json)
}

async fn match_stopped(State(app): Shared, Path(id): Path<String>) -> Result<StatusCode, Refusal> {
    on_thread(move || app.matches.stop(&id)).await.map(|()| StatusCode::NO_CONTENT)
}

async fn match_resumed(State(app): Shared, Path(id): Path<String>) -> Result<StatusCode, Refusal> {
    on_thread(move || app.matches.resume(&app.offer, &id)).await.map(|_| StatusCode::NO_CONTENT)
}

//! HTTP routes; docs/web-api.md describes them.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use banyan_api::{
    DrawRequest, End, Offer, Refusal, ReviewRequest, Reviewing, SearchRequest, SolveRequest, Solving, Step, draw, edit,
    import, state, write,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::access_log::{AccessLog, logged};
use crate::analysis::{Prepared, prepare};
use crate::app::App;
use crate::asked;
use crate::assets;
use crate::base::{Base, below};
use crate::clients::Client;
use crate::events::{Message, Reporter, Stop, Work};
use crate::exchange::{Json, Named, SMALL, ask, parameter, question, read};
use crate::guard::{Hosts, only_own_pages};
use crate::jobs::Pace;
use crate::matches::{MatchQuery, SweepQuery};
use crate::queue::Load;
use crate::refusal::{Refused, wrong_method};

/// Maximum size in bytes of a request with a file: 4 MiB, a third more in base64.
const FILE: usize = 6 << 20;

/// Content security policy of data: it loads nothing, but a drawing has its own styles.
const DATA_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

type Shared = State<Arc<App>>;
type Answer = Result<Json, Refused>;

/// All routes below the base, restricted to requests of the server's own pages.
pub(crate) fn router(app: Arc<App>, hosts: Hosts, base: Base, log: Option<Arc<AccessLog>>) -> Router {
    let routes = match base.is_root() {
        true => routes(app),
        // The layer of an outer router comes before the routes of the inner one, which know no base.
        false => Router::new().fallback_service(routes(app)).layer(middleware::from_fn_with_state(base, below)),
    };
    let routes = routes
        .layer(middleware::from_fn_with_state(hosts, only_own_pages))
        .layer(middleware::map_response(only_what_it_is));
    match log {
        Some(log) => routes.layer(middleware::from_fn_with_state(log, logged)),
        None => routes,
    }
}

fn routes(app: Arc<App>) -> Router {
    let api = Router::new()
        .route("/about", get(about))
        .route("/state", answered(state))
        .route("/edit", answered(edit))
        .route("/analysis", post(analysis_asked))
        .route("/analysis/{id}", get(analysis_events).delete(analysis_ended))
        .route("/analysis/{id}/tree", get(analysis_tree))
        .route("/move", post(opponent_move))
        .route("/solve", post(solved))
        .route("/import", post(imported))
        .route("/review", post(review_asked))
        .route("/review/{id}", get(review_events).delete(review_ended))
        .route("/export/svg", post(drawn))
        .route("/export/text", answered(write))
        .route("/matches", get(match_list).post(match_started))
        .route("/sweeps", post(sweep_started))
        .route("/matches/{id}", get(match_result))
        .route("/matches/{id}/events", get(match_events))
        .route("/matches/{id}/games", get(match_games))
        .route("/matches/{id}/games/{game}", get(match_game))
        .route("/matches/{id}/stop", post(match_stopped))
        .route("/matches/{id}/resume", post(match_resumed))
        .method_not_allowed_fallback(other_method)
        .fallback(unknown)
        .with_state(Arc::clone(&app));
    Router::new()
        .route("/health", get(health).fallback(other_method))
        .with_state(app)
        .nest("/api", api)
        .fallback_service(get(assets::serve).fallback(other_method))
}

/// Adds headers so that browsers do not guess media types, and data opened as a page is inert.
async fn only_what_it_is(mut answer: Response) -> Response {
    let headers = answer.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(DATA_POLICY));
    answer
}

async fn unknown(uri: Uri) -> Refused {
    Refused(Refusal::not_found(uri.path()))
}

async fn other_method(method: Method, uri: Uri) -> Refused {
    wrong_method(&method, uri.path())
}

/// The answer to a monitor: that the server answers, and its load.
#[derive(Serialize)]
struct Health {
    status: &'static str,
    version: &'static str,
    searches: Load,
}

async fn health(State(app): Shared) -> Result<Response, Refused> {
    let health = Health { status: "ok", version: env!("CARGO_PKG_VERSION"), searches: app.searches.load() };
    Ok(([(header::CACHE_CONTROL, "no-store")], Json::of(&health)?).into_response())
}

async fn about(State(app): Shared) -> Answer {
    app.about.clone().map_err(Refused)
}

/// Computes the answer to a request in JSON.
async fn computed<Q, T>(
    app: &Arc<App>,
    body: Body,
    answer: impl FnOnce(&Arc<App>, Q) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refused>
where
    Q: DeserializeOwned + Send + 'static,
    T: Send + 'static,
{
    let of_thread = Arc::clone(app);
    ask(&app.answering, body, move |question| answer(&of_thread, question)).await.map_err(Refused)
}

/// The route of an answer that is computed at once.
fn answered<Q, T>(answer: fn(&Offer, &Q) -> Result<T, Refusal>) -> MethodRouter<Arc<App>>
where
    Q: DeserializeOwned + Send + 'static,
    T: Serialize + 'static,
{
    let json = move |app: &Arc<App>, request: Q| Json::of(&answer(&app.offer, &request)?);
    post(async move |State(app): Shared, body: Body| computed(&app, body, json).await)
}

/// The id of work that begins when its events are read.
#[derive(Serialize)]
struct Accepted {
    id: String,
}

fn accepted(id: String) -> Result<Response, Refused> {
    Ok((StatusCode::ACCEPTED, Json::of(&Accepted { id })?).into_response())
}

async fn analysis_asked(
    State(app): Shared,
    ConnectInfo(client): ConnectInfo<Client>,
    body: Body,
) -> Result<Response, Refused> {
    let prepared = computed(&app, body, |app, query: SearchRequest| prepare(app, &query, End::BudgetOrViewer)).await?;
    let Prepared { work, stop, pace, asked } = prepared;
    accepted(app.analyses.add(client, (work, pace), stop, asked))
}

async fn analysis_events(
    State(app): Shared,
    ConnectInfo(client): ConnectInfo<Client>,
    Named(id): Named<String>,
) -> Result<Response, Refused> {
    let job = app.analyses.get(&id)?;
    let work = job.begin()?;
    Ok(app.events_replacing(client, work, &job.stop, || job.about.replace_search(&job.stop)).await)
}

async fn analysis_ended(State(app): Shared, Named(id): Named<String>) -> Result<StatusCode, Refused> {
    app.analyses.get(&id)?.stop.set();
    Ok(StatusCode::NO_CONTENT)
}

async fn analysis_tree(State(app): Shared, Named(id): Named<String>, RawQuery(query): RawQuery) -> Answer {
    let nodes = parameter(query.as_deref(), "nodes")?;
    Ok(asked::tree(&app.trees, app.analyses.get(&id)?, nodes).await?)
}

async fn opponent_move(
    State(app): Shared,
    ConnectInfo(client): ConnectInfo<Client>,
    body: Body,
) -> Result<Response, Refused> {
    let prepared = computed(&app, body, |app, query: SearchRequest| prepare(app, &query, End::Budget)).await?;
    let Prepared { work, stop, pace, asked } = prepared;
    Ok(app.events_replacing(client, (work, pace), &stop, || asked.replace_search(&stop)).await)
}

async fn solved(State(app): Shared, ConnectInfo(client): ConnectInfo<Client>, body: Body) -> Result<Response, Refused> {
    let solving = computed(&app, body, |app, request: SolveRequest| Solving::new(&app.offer, &request)).await?;
    let work = Box::new(|reporter: &Reporter| Ok(Message::new("done", &solving.run(reporter))));
    Ok(app.events_of(client, work, &Stop::default(), Pace::Long).await)
}

async fn imported(
    State(app): Shared,
    ConnectInfo(client): ConnectInfo<Client>,
    headers: HeaderMap,
    body: Body,
) -> Answer {
    let length = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    let _room = match length.is_some_and(|length: usize| length <= SMALL) {
        true => None,
        false => Some(app.room_for_file(client).await?),
    };
    let bytes = read(body, FILE).await?;
    let of_thread = Arc::clone(&app);
    Ok(app.importing.run(move || Json::of(&import(&of_thread.offer, question(&bytes)?)?)).await?)
}

async fn review_asked(
    State(app): Shared,
    ConnectInfo(client): ConnectInfo<Client>,
    body: Body,
) -> Result<Response, Refused> {
    let review = computed(&app, body, |app, request: ReviewRequest| Reviewing::new(&app.offer, request)).await?;
    let work: Work = Box::new(|reporter| {
        let mut running = review.begin()?;
        loop {
            if let Step::Done(review) = running.step(reporter)? {
                return Ok(Message::new("done", &review));
            }
        }
    });
    accepted(app.reviews.add(client, (work, Pace::Long), Stop::default(), ()))
}

async fn review_events(
    State(app): Shared,
    ConnectInfo(client): ConnectInfo<Client>,
    Named(id): Named<String>,
) -> Result<Response, Refused> {
    let job = app.reviews.get(&id)?;
    let (work, pace) = job.begin()?;
    Ok(app.events_of(client, work, &job.stop, pace).await)
}

async fn review_ended(State(app): Shared, Named(id): Named<String>) -> Result<StatusCode, Refused> {
    app.reviews.get(&id)?.stop.set();
    Ok(StatusCode::NO_CONTENT)
}

async fn drawn(State(app): Shared, body: Body) -> Result<Response, Refused> {
    let svg = computed(&app, body, |app, board: DrawRequest| draw(&app.offer, &board)).await?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response())
}

/// Runs work that may block on the disk.
async fn reading<T: Send + 'static>(
    app: &Arc<App>,
    work: impl FnOnce(&App) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refused> {
    let of_thread = Arc::clone(app);
    Ok(app.reading.run(move || work(&of_thread)).await?)
}

async fn match_list(State(app): Shared) -> Answer {
    reading(&app, |app| Json::of(&app.matches.list())).await
}

async fn match_started(State(app): Shared, body: Body) -> Result<Response, Refused> {
    let asked = Arc::clone(&app);
    let answer = move |query: MatchQuery| asked.matches.start(&asked.offer, query.config(&asked.offer)?);
    accepted(ask(&app.starting, body, answer).await?)
}

async fn sweep_started(State(app): Shared, body: Body) -> Result<Response, Refused> {
    let asked = Arc::clone(&app);
    let answer = move |query: SweepQuery| asked.matches.start(&asked.offer, query.config(&asked.offer)?);
    accepted(ask(&app.starting, body, answer).await?)
}

async fn match_result(State(app): Shared, Named(id): Named<String>) -> Answer {
    reading(&app, move |app| Json::of(&app.matches.result(&id)?)).await
}

async fn match_events(State(app): Shared, Named(id): Named<String>) -> Result<Response, Refused> {
    reading(&app, move |app| app.matches.events(&id)).await
}

async fn match_games(State(app): Shared, Named(id): Named<String>, RawQuery(query): RawQuery) -> Answer {
    let from = parameter(query.as_deref(), "from")?.unwrap_or(0);
    reading(&app, move |app| Json::of(&app.matches.games(&id, from)?)).await
}

async fn match_game(State(app): Shared, Named((id, game)): Named<(String, String)>) -> Answer {
    reading(&app, move |app| Json::of(&app.matches.game(&id, &game)?)).await
}

async fn match_stopped(State(app): Shared, Named(id): Named<String>) -> Result<StatusCode, Refused> {
    reading(&app, move |app| app.matches.stop(&id)).await.map(|()| StatusCode::NO_CONTENT)
}

async fn match_resumed(State(app): Shared, Named(id): Named<String>) -> Result<StatusCode, Refused> {
    let asked = Arc::clone(&app);
    app.starting.run(move || asked.matches.resume(&asked.offer, &id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

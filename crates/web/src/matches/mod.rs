//! Matches and sweeps in folders of the server, one at a time, with live events.

mod cache;
mod folders;
mod heading;
mod live;
mod records;
mod request;

use std::convert::Infallible;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use banyan_api::{Code, Offer, Refusal};
use banyan_catalog::Catalog;
use banyan_catalog::pairs::{GameLine, MatchError};
use banyan_catalog::view::json_line;
use banyan_matches::exports::{Details, Outcome, write_result};
use banyan_matches::frame::Kind;
use banyan_matches::sweep::{StageGames, SweepResult};
use banyan_matches::{Match, MatchConfig, MatchFolder, Played, Resumed, Summary, config_of, fresh_folder};
use futures_util::stream;

use cache::FolderCache;
pub(crate) use folders::{FolderList, GameList, MatchView};
use live::{Running, Seen, Watch};
use records::{LARGEST, Records};
pub(crate) use request::{MOST_PAIRS, MOST_PLAYERS, MatchQuery, SweepQuery};

use crate::events::{EVERY, Message, SIGN_OF_LIFE};
use crate::limits::ServerLimits;
use crate::lock::lock;
use crate::priority::give_way;

/// The matches of a server.
pub(crate) struct Matches {
    dir: PathBuf,
    /// The file of the external engines, for the record of matches.
    engines_file: Option<String>,
    jobs: usize,
    /// Maximum size in bytes of the games of a match.
    most_bytes: u64,
    /// The running match, or the last one.
    current: Mutex<Option<(Arc<Running>, JoinHandle<()>)>>,
    /// Set while a match is prepared, which takes time if engines are started.
    starts: AtomicBool,
    /// Set when the server ends.
    closed: AtomicBool,
    cache: FolderCache,
    records: Records,
}

/// Clears the flag at the end of a preparation.
struct Starting<'a>(&'a AtomicBool);

impl Drop for Starting<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

impl Matches {
    pub(crate) fn new(dir: PathBuf, engines_file: Option<String>, limits: &ServerLimits) -> Matches {
        Matches {
            dir,
            engines_file,
            jobs: limits.jobs,
            most_bytes: u64::from(limits.match_mib) << 20,
            current: Mutex::new(None),
            starts: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            cache: FolderCache::default(),
            // The games of a running match may slightly exceed their size limit.
            records: Records::new(LARGEST.max((u64::from(limits.match_mib) + 1) << 20)),
        }
    }

    /// The running match. It counts as ended once its last event was sent, even if its thread is still running.
    fn running(&self) -> Option<Arc<Running>> {
        lock(&self.current).as_ref().filter(|(running, _)| !running.is_over()).map(|(running, _)| Arc::clone(running))
    }

    /// The match with this id if it is running or was the last one.
    fn last(&self, id: &str) -> Option<Arc<Running>> {
        lock(&self.current).as_ref().filter(|(running, _)| running.id == id).map(|(running, _)| Arc::clone(running))
    }

    /// Starts a new match.
    pub(crate) fn start(&self, offer: &Offer, mut config: MatchConfig) -> Result<String, Refusal> {
        let has_engines = config.players.iter().any(|player| !player.engines.is_empty());
        config.made_by.engines_file = self.engines_file.clone().filter(|_| has_engines);
        self.begin(|| {
            let game = new_match(offer, &config)?;
            let folder = MatchFolder::create(&fresh_folder(&self.dir), config, None);
            let folder = folder.map_err(|err| folders::refused(&err))?;
            Ok(Begun { game, folder, lines: Vec::new(), left: self.most_bytes })
        })
    }

    /// Resumes a match, within the limits of the server.
    pub(crate) fn resume(&self, offer: &Offer, id: &str) -> Result<String, Refusal> {
        let path = folders::path_of(&self.dir, id)?;
        let config = config_of(&path).map_err(|err| folders::refused(&err))?;
        let kind = Kind::of(&config, &offer.catalog);
        if matches!(kind, Kind::Rating | Kind::Tuning | Kind::Ablation) {
            return Err(Refusal::input(format!(
                "{id}: expected a match or a sweep, found {}; resume it by `banyan {}`",
                kind.with_article(),
                kind.command()
            )));
        }
        let usual = banyan_catalog::GameTables::with_presets(&[]);
        let tables = offer.catalog.tables(&config.game).unwrap_or(usual);
        request::within(offer, &tables, config.players)?;
        let size = fs::metadata(path.join("games.jsonl")).map_or(0, |found| found.len());
        let left = self.most_bytes.checked_sub(size).filter(|&left| left > 0).ok_or_else(|| self.full(id))?;
        self.begin(|| {
            let resumed = MatchFolder::resume(&path).map_err(|err| folders::refused(&err))?;
            let Resumed { folder, lines, openings, .. } = resumed;
            let game = Match::new(&offer.catalog, &offer.players, folder.config(), openings.as_ref());
            Ok(Begun { game: game.map_err(|err| Refusal::in_field("players", &err))?, folder, lines, left })
        })
    }

    /// The refusal for a match whose games have reached the size limit.
    fn full(&self, id: &str) -> Refusal {
        let found = format!("match {id:?} with {} MiB of games", self.most_bytes >> 20);
        let expected = "expected less on this server";
        Refusal::new(Code::MatchFull, &found, expected, "resume it by `banyan match --resume`")
    }

    /// Plays a match on a thread, unless another match is running.
    fn begin(&self, begun: impl FnOnce() -> Result<Begun, Refusal>) -> Result<String, Refusal> {
        let is_starting = self.starts.swap(true, Ordering::Acquire);
        let _starting = if is_starting { None } else { Some(Starting(&self.starts)) };
        if is_starting || self.closed.load(Ordering::Acquire) || self.running().is_some() {
            let expected = "expected at most one at a time";
            return Err(Refusal::new(Code::MatchRuns, "a match that runs", expected, "stop it, or wait for its end"));
        }
        let Begun { mut game, mut folder, lines, left } = begun()?;
        let id = folder.path().file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let running = Arc::new(Running::new(id.clone(), folder.config().players.len()));
        game.show_games(Arc::clone(&running) as _);
        let (of_thread, jobs, full) = (Arc::clone(&running), self.jobs, self.full(&id));
        let play = move || {
            give_way();
            let (running, watched) = (Arc::clone(&of_thread), of_thread);
            // Moved into this closure, so that the folder is unlocked before the last event is sent.
            let play = move || {
                let watch = &mut Watch { running: &watched, left };
                let played = game.play(&mut folder, lines, jobs, &watched.signal, watch)?;
                let last = finish(&folder, &played)?;
                Ok::<Message, MatchError>(if watched.is_full() && played.unfinished {
                    Message::failed(&full)
                } else {
                    last
                })
            };
            let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(play));
            running.end(match ended {
                Ok(Ok(last)) => last,
                Ok(Err(err)) => Message::failed(&folders::refused(&err)),
                Err(_) => Message::failed(&Refusal::internal()),
            });
        };
        let thread = thread::Builder::new().name("match".to_owned()).spawn(play);
        let thread = thread
            .map_err(|_| Refusal::new(Code::NoThread, "no thread left", "expected one for a match", "try again"))?;
        *lock(&self.current) = Some((running, thread));
        Ok(id)
    }

    /// Ends a match after its running pairs; a second request ends it at once. Its games are kept.
    pub(crate) fn stop(&self, id: &str) -> Result<(), Refusal> {
        match self.running().filter(|running| running.id == id) {
            Some(running) => running.signal.request(),
            None => drop(folders::path_of(&self.dir, id)?),
        }
        Ok(())
    }

    /// Aborts the running match, without waiting for its end.
    pub(crate) fn abort(&self) {
        if let Some(running) = self.running() {
            running.signal.abort();
        }
    }

    /// Aborts the running match and waits for its end.
    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::Release);
        let Some((running, thread)) = lock(&self.current).take() else { return };
        running.signal.request();
        running.signal.request();
        // Its viewers were informed of a panic.
        let _ = thread.join();
    }

    fn running_id(&self) -> Option<String> {
        self.running().map(|running| running.id.clone())
    }

    pub(crate) fn list(&self) -> FolderList {
        folders::list(&self.dir, &self.cache, self.running_id().as_deref())
    }

    pub(crate) fn result(&self, id: &str) -> Result<MatchView, Refusal> {
        folders::result(&self.dir, &self.records, id, self.running_id().as_deref() == Some(id))
    }

    pub(crate) fn games(&self, id: &str, from: usize) -> Result<GameList, Refusal> {
        folders::games(&self.dir, &self.records, id, from)
    }

    pub(crate) fn game(&self, id: &str, name: &str) -> Result<GameLine, Refusal> {
        folders::game(&self.dir, &self.records, id, name)
    }

    /// The events of a match: a snapshot, followed by live events.
    pub(crate) fn events(&self, id: &str) -> Result<Response, Refusal> {
        // Before the folder is read, so that no game is missed in between; a game that is in both is recognised by its
        // id.
        let running = self.last(id).map(|running| (running.newcomer(), running));
        let snapshot = Message::new("snapshot", &self.result(id)?);
        Ok(stream_of(snapshot, running))
    }
}

/// A match that is ready to be played.
struct Begun {
    game: Match,
    folder: MatchFolder,
    lines: Vec<GameLine>,
    /// Remaining bytes for further games.
    left: u64,
}

fn new_match(offer: &Offer, config: &MatchConfig) -> Result<Match, Refusal> {
    Match::new(&offer.catalog, &offer.players, config, None).map_err(|err| Refusal::in_field("players", &err))
}

/// Writes the result and returns the last event.
fn finish(folder: &MatchFolder, played: &Played) -> Result<Message, MatchError> {
    let config = folder.config();
    if config.sweep.is_some() {
        let stages = [StageGames { config, lines: &played.lines }];
        // Nothing of a sweep depends on the game.
        let none = Catalog::empty();
        write_result(folder, &Outcome::of(&none, Kind::Sweep, &stages, Details::default())?)?;
        return Ok(Message::new("done", &SweepResult::of(&stages, false, 0)?));
    }
    let summary = Summary::of(config, &played.lines);
    folder.write_file("summary.json", &(json_line(&summary) + "\n"))?;
    Ok(Message::new("done", &summary.done()))
}

/// The next event for a viewer of a match.
enum Next {
    Snapshot(Message),
    News(Vec<Message>),
}

fn stream_of(snapshot: Message, running: Option<(Seen, Arc<Running>)>) -> Response {
    let next = |(next, running): (Next, Option<(Seen, Arc<Running>)>)| async move {
        match next {
            Next::Snapshot(message) => {
                Some((Ok::<Event, Infallible>(message.sse()), (Next::News(Vec::new()), running)))
            }
            Next::News(news) => {
                let (mut seen, running) = running?;
                let mut news = news.into_iter();
                let mut changes = running.changes();
                loop {
                    if let Some(message) = news.next() {
                        let rest = Next::News(news.collect());
                        return Some((Ok(message.sse()), (rest, Some((seen, running)))));
                    }
                    let fresh = running.news(&mut seen)?;
                    if fresh.is_empty() {
                        changes.changed().await.ok()?;
                        tokio::time::sleep(EVERY).await;
                    }
                    news = fresh.into_iter();
                }
            }
        }
    };
    let stream = stream::unfold((Next::Snapshot(snapshot), running), next);
    Sse::new(stream).keep_alive(KeepAlive::new().interval(SIGN_OF_LIFE)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_whose_last_event_was_sent_runs_no_longer() {
        let matches = Matches::new(PathBuf::new(), None, &ServerLimits::default());
        let running = Arc::new(Running::new("one".to_owned(), 2));
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let thread = thread::spawn(move || assert!(ended.recv().is_err()));
        *lock(&matches.current) = Some((Arc::clone(&running), thread));
        assert_eq!(matches.running_id().as_deref(), Some("one"));
        running.end(Message::failed(&Refusal::internal()));
        // Its thread is still running.
        assert_eq!(matches.running_id(), None);
        drop(end);
        matches.close();
    }
}

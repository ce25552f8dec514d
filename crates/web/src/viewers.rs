//! Viewers whose search trees are kept between their analyses.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

use banyan_api::{Code, Kept, Refusal};

use crate::events::Stop;
use crate::lock::lock;

/// Time after which an unused tree is dropped.
const IDLE: Duration = Duration::from_secs(600);

/// A viewer; when it is dropped, so is its tree.
#[derive(Default)]
pub(crate) struct Viewer {
    /// Locked while it searches.
    kept: Mutex<Option<Kept>>,
    /// The stop flag of its search.
    current: Mutex<Option<Stop>>,
}

impl Viewer {
    /// Ends the previous search.
    pub(crate) fn replace_search(&self, stop: &Stop) {
        if let Some(before) = lock(&self.current).replace(stop.clone()) {
            before.set();
        }
    }

    /// The kept tree, locked for a search. Waits for the previous search to end.
    pub(crate) fn kept(&self) -> MutexGuard<'_, Option<Kept>> {
        // After a panic the tree may be inconsistent.
        self.kept.lock().unwrap_or_else(|poisoned| {
            self.kept.clear_poison();
            let mut kept = poisoned.into_inner();
            *kept = None;
            kept
        })
    }

    /// Passes the kept tree to `question`; `None` during a search, or without a tree.
    pub(crate) fn ask<T>(&self, question: impl FnOnce(&Kept) -> T) -> Option<T> {
        self.kept.try_lock().ok()?.as_ref().map(question)
    }

    fn is_searching(&self) -> bool {
        matches!(self.kept.try_lock(), Err(TryLockError::WouldBlock))
    }
}

struct Entry {
    token: String,
    used: Instant,
    viewer: Arc<Viewer>,
}

/// The viewers with a token, the one that was absent longest first.
#[derive(Default)]
pub(crate) struct Viewers(Mutex<VecDeque<Entry>>);

impl Viewers {
    /// The viewer with this token; a new one replaces the one that was absent longest if there are `most`.
    pub(crate) fn get(&self, token: &str, most: usize) -> Result<Arc<Viewer>, Refusal> {
        let mut entries = lock(&self.0);
        // Dropped after the lock, because dropping a large tree takes time.
        let mut forgotten = None;
        let known = entries.iter().position(|entry| entry.token == token);
        let viewer = match known.and_then(|at| entries.remove(at)) {
            Some(entry) => entry.viewer,
            None if entries.len() < most => Arc::default(),
            None => {
                let idle = entries.iter().position(|entry| !entry.viewer.is_searching());
                forgotten = Some(idle.and_then(|at| entries.remove(at)).ok_or_else(|| {
                    Refusal::new(
                        Code::ManyViewers,
                        &format!("{most} viewers that search"),
                        "expected fewer",
                        "try again when one has left",
                    )
                })?);
                Arc::default()
            }
        };
        entries.push_back(Entry { token: token.to_owned(), used: Instant::now(), viewer: Arc::clone(&viewer) });
        drop(entries);
        drop(forgotten);
        Ok(viewer)
    }

    /// Drops the trees that have not been used for [`IDLE`].
    pub(crate) fn drop_idle(&self) {
        let is_used = |entry: &Entry| entry.used.elapsed() < IDLE || entry.viewer.is_searching();
        let mut entries = lock(&self.0);
        let (used, idle) = std::mem::take(&mut *entries).into_iter().partition(is_used);
        *entries = used;
        drop(entries);
        // Dropped after the lock, because large trees take time.
        drop::<VecDeque<Entry>>(idle);
    }
}

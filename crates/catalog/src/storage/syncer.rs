//! Syncs what is written to the disk in the background.

use std::fs::File;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Maximum delay before written lines are synced to disk.
const SYNC_EVERY: Duration = Duration::from_millis(500);

/// Syncs a file to disk in the background. If no thread can be started, only the final sync is left.
#[derive(Debug)]
pub(super) struct Syncer {
    dirty: Arc<AtomicBool>,
    thread: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Syncer {
    pub(super) fn start(file: File) -> Syncer {
        let dirty = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&dirty);
        let (end, ended) = channel();
        let sync = move || {
            while ended.recv_timeout(SYNC_EVERY) == Err(RecvTimeoutError::Timeout) {
                if seen.swap(false, Ordering::Acquire) {
                    // A disk error is reported by the next write or the final sync.
                    let _ = file.sync_data();
                }
            }
        };
        let thread = thread::Builder::new().name("sync".to_owned()).spawn(sync).ok();
        Syncer { dirty, thread: thread.map(|thread| (end, thread)) }
    }

    /// Something was written.
    pub(super) fn wake(&self) {
        self.dirty.store(true, Ordering::Release);
    }
}

impl Drop for Syncer {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.thread.take() {
            drop(end);
            let _ = thread.join();
        }
    }
}

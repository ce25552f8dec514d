//! Threads that compute answers, in groups: work that waits in one group, for a disk or for a search, delays no other
//! group.

use std::sync::Arc;
use std::time::Duration;

use banyan_api::{Code, Refusal};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A group of threads of the runtime, which has enough threads for all groups.
pub(crate) struct Workers {
    free: Arc<Semaphore>,
    n: usize,
    patience: Duration,
    /// A description of its work, for the error.
    what: &'static str,
}

impl Workers {
    /// A group of `n` threads. Work is refused if no thread is free within `patience`.
    pub(crate) fn new(n: usize, patience: Duration, what: &'static str) -> Workers {
        Workers { free: Arc::new(Semaphore::new(n)), n, patience, what }
    }

    /// Runs work on a thread of the group; if it panics, the result is an error and the server continues.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let free = tokio::time::timeout(self.patience, Arc::clone(&self.free).acquire_owned()).await;
        let permit = free.ok().and_then(Result::ok).ok_or_else(|| {
            let found = format!("{} {}", self.n, self.what);
            Refusal::new(Code::Busy, &found, "expected fewer", "try again later")
        })?;
        on_thread(permit, work).await
    }
}

/// Runs work on a thread of the runtime, and releases the permit when it has ended in any way.
async fn on_thread<T: Send + 'static>(
    permit: OwnedSemaphorePermit,
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let run = move || {
        let _permit = permit;
        work()
    };
    tokio::task::spawn_blocking(run).await.unwrap_or_else(|_| Err(Refusal::internal()))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use tokio::runtime::Builder;

    use super::*;

    #[test]
    fn work_that_waits_or_panics_delays_no_other_group() {
        let runtime = Builder::new_current_thread().enable_time().max_blocking_threads(2).build().expect("a runtime");
        let (disk, answers) = (
            Workers::new(1, Duration::from_millis(50), "requests that wait"),
            Workers::new(1, Duration::from_secs(60), "requests"),
        );
        let (end, ended) = channel::<()>();
        runtime.block_on(async {
            let waiting = disk.run(move || ended.recv().map_or(Ok(()), Ok));
            let others = async {
                tokio::task::yield_now().await;
                assert_eq!(answers.run(|| Ok(1)).await, Ok(1));
                assert_eq!(answers.run::<()>(|| panic!("work")).await, Err(Refusal::internal()));
                assert_eq!(answers.run(|| Ok(2)).await, Ok(2), "the panic gave the thread back");
                let refused = disk.run(|| Ok(())).await.expect_err("its thread waits");
                assert_eq!((refused.code, refused.error.contains("1 requests that wait")), (Code::Busy, true));
                drop(end);
            };
            let (ended, ()) = futures_util::future::join(waiting, others).await;
            assert_eq!((ended, disk.run(|| Ok(3)).await), (Ok(()), Ok(3)));
        });
    }
}

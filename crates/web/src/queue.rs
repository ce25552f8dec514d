//! The queue of searches: a viewer who has to wait is told the place.

use std::collections::BTreeSet;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::{Either, select};
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::timeout;

use crate::lock::lock;

/// Most viewers that wait; further ones are refused. Fewer than connections, so that other requests still arrive.
const MOST_WAITING: usize = 200;
/// Time before a viewer is told to wait: a search whose viewer has just left ends within 100 ms.
const UNTOLD: Duration = Duration::from_millis(300);

/// A limited number of searches, and those who wait for one.
pub(crate) struct Queue {
    free: Arc<Semaphore>,
    searches: usize,
    waiting: Arc<Waiting>,
}

/// Those who wait, by the order in which they came.
struct Waiting {
    numbers: Mutex<(u64, BTreeSet<u64>)>,
    moved: watch::Sender<()>,
}

/// A place in the queue, from 1, of so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Place {
    pub(crate) place: usize,
    pub(crate) of: usize,
}

/// Searches that run and wait, and the most that run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Load {
    running: usize,
    waiting: usize,
    most: usize,
}

/// What happened to somebody who waits.
pub(crate) enum Turn {
    Moved(Place),
    /// The search may begin.
    Begins(OwnedSemaphorePermit),
    /// The server ends.
    Closed,
}

impl Queue {
    pub(crate) fn new(searches: usize) -> Queue {
        let waiting = Waiting { numbers: Mutex::default(), moved: watch::Sender::new(()) };
        Queue { free: Arc::new(Semaphore::new(searches)), searches, waiting: Arc::new(waiting) }
    }

    /// Joins the queue; `None` if it is full or closed.
    pub(crate) fn join(&self) -> Option<Ticket> {
        let mut numbers = lock(&self.waiting.numbers);
        let (next, waiting) = &mut *numbers;
        if waiting.len() >= MOST_WAITING || self.free.is_closed() {
            return None;
        }
        *next += 1;
        waiting.insert(*next);
        let (waiting, moved) = (Arc::clone(&self.waiting), self.waiting.moved.subscribe());
        let permit = Box::pin(Arc::clone(&self.free).acquire_owned());
        Some(Ticket { waiting, number: *next, moved, permit, told: None })
    }

    /// The semaphore of the searches, for work that does not wait for long.
    pub(crate) fn free(&self) -> &Arc<Semaphore> {
        &self.free
    }

    pub(crate) fn load(&self) -> Load {
        let running = self.searches.saturating_sub(self.free.available_permits());
        Load { running, waiting: lock(&self.waiting.numbers).1.len(), most: self.searches }
    }

    /// Admits no more searches.
    pub(crate) fn close(&self) {
        self.free.close();
    }
}

type Permit = Pin<Box<dyn Future<Output = Result<OwnedSemaphorePermit, tokio::sync::AcquireError>> + Send>>;

/// The place of somebody who waits, until it is dropped.
pub(crate) struct Ticket {
    waiting: Arc<Waiting>,
    number: u64,
    moved: watch::Receiver<()>,
    permit: Permit,
    told: Option<Place>,
}

impl Ticket {
    /// Waits until the search may begin or the place has changed.
    pub(crate) async fn next(&mut self) -> Turn {
        if self.told.is_none()
            && let Ok(permit) = timeout(UNTOLD, &mut self.permit).await
        {
            return permit.map_or(Turn::Closed, Turn::Begins);
        }
        loop {
            let place = self.place();
            if self.told.replace(place) != Some(place) {
                return Turn::Moved(place);
            }
            if let Either::Left((permit, _)) = select(&mut self.permit, Box::pin(self.moved.changed())).await {
                return permit.map_or(Turn::Closed, Turn::Begins);
            }
        }
    }

    fn place(&self) -> Place {
        let numbers = lock(&self.waiting.numbers);
        Place { place: numbers.1.range(..=self.number).count(), of: numbers.1.len() }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        lock(&self.waiting.numbers).1.remove(&self.number);
        self.waiting.moved.send_replace(());
    }
}

#[cfg(test)]
mod tests {
    use tokio::runtime::Builder;

    use super::*;

    fn place(turn: &Turn) -> Option<(usize, usize)> {
        match turn {
            Turn::Moved(Place { place, of }) => Some((*place, *of)),
            Turn::Begins(_) | Turn::Closed => None,
        }
    }

    #[test]
    fn those_who_wait_move_up_in_their_order() {
        let runtime = Builder::new_current_thread().enable_time().build().expect("a runtime");
        runtime.block_on(async {
            let queue = Queue::new(1);
            let mut first = queue.join().expect("a place");
            let Turn::Begins(permit) = first.next().await else { panic!("a search is free") };
            drop(first);
            let (mut second, mut third) = (queue.join().expect("a place"), queue.join().expect("a place"));
            assert_eq!(place(&second.next().await), Some((1, 2)));
            assert_eq!(place(&third.next().await), Some((2, 2)));
            assert_eq!(queue.load(), Load { running: 1, waiting: 2, most: 1 });
            drop(permit);
            let Turn::Begins(permit) = second.next().await else { panic!("the first of the queue begins") };
            drop(second);
            assert_eq!(place(&third.next().await), Some((1, 1)));
            queue.close();
            assert!(matches!(third.next().await, Turn::Closed));
            drop((third, permit));
            assert_eq!(queue.load().waiting, 0);
        });
    }

    #[test]
    fn a_full_queue_refuses() {
        let queue = Queue::new(1);
        let tickets: Vec<Ticket> = (0..MOST_WAITING).filter_map(|_| queue.join()).collect();
        assert_eq!((tickets.len(), queue.join().is_none()), (MOST_WAITING, true));
        drop(tickets);
        assert!(queue.join().is_some());
    }
}

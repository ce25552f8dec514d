//! The queue of searches, in which a viewer sees its place.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{Either, select};
use serde::Serialize;
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::timeout;

use crate::clients::Client;
use crate::lock::lock;

/// Most viewers that wait; further ones are refused. Fewer than connections, so that other requests still arrive.
const MOST_WAITING: usize = 200;
/// Most of them of one client, unless it is this machine, which may be a proxy.
const MOST_OF_CLIENT: usize = 50;
/// Time before the first event of a viewer who waits: a search whose viewer has just left ends within 100 ms.
const UNTOLD: Duration = Duration::from_millis(300);

/// A limited number of searches, and those who wait for one.
pub(crate) struct Queue {
    free: Arc<Semaphore>,
    searches: usize,
    waiting: Arc<Waiting>,
}

/// Those who wait, by the order in which they came, and the last number given.
struct Waiting {
    numbers: Mutex<(u64, BTreeMap<u64, Client>)>,
    moved: watch::Sender<()>,
}

/// A place in the queue, from 1, and the number of those who wait.
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

/// The next event of a viewer who waits.
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
    pub(crate) fn join(&self, client: Client) -> Option<Ticket> {
        let mut numbers = lock(&self.waiting.numbers);
        let (next, waiting) = &mut *numbers;
        let of_client = waiting.values().filter(|other| **other == client).count();
        let is_crowded = of_client >= MOST_OF_CLIENT && !client.is_local();
        if waiting.len() >= MOST_WAITING || is_crowded || self.free.is_closed() {
            return None;
        }
        *next += 1;
        waiting.insert(*next, client);
        let (waiting, moved) = (Arc::clone(&self.waiting), self.waiting.moved.subscribe());
        // Polled once, so that the order of permits is that of the numbers.
        let mut permit = Box::pin(Arc::clone(&self.free).acquire_owned());
        let ready = (&mut permit).now_or_never();
        Some(Ticket { waiting, number: *next, moved, permit, ready, told: None })
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

type Acquired = Result<OwnedSemaphorePermit, AcquireError>;

/// The place of a viewer who waits, until it is dropped.
pub(crate) struct Ticket {
    waiting: Arc<Waiting>,
    number: u64,
    moved: watch::Receiver<()>,
    permit: Pin<Box<dyn Future<Output = Acquired> + Send>>,
    /// The permit, if it was free.
    ready: Option<Acquired>,
    told: Option<Place>,
}

impl Ticket {
    /// Waits until the search may begin or the place has changed.
    pub(crate) async fn next(&mut self) -> Turn {
        if let Some(permit) = self.ready.take() {
            return permit.map_or(Turn::Closed, Turn::Begins);
        }
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

    fn client() -> Client {
        Client::of(([10, 0, 0, 1], 1).into())
    }

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
            let mut first = queue.join(client()).expect("a place");
            let Turn::Begins(permit) = first.next().await else { panic!("a search is free") };
            drop(first);
            let (mut second, mut third) =
                (queue.join(client()).expect("a place"), queue.join(client()).expect("a place"));
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
        let local = Client::of(([127, 0, 0, 1], 1).into());
        let mut tickets: Vec<Ticket> = (0..MOST_WAITING).filter_map(|_| queue.join(client())).collect();
        assert_eq!(tickets.len(), MOST_OF_CLIENT, "one client does not fill it");
        tickets.extend((0..MOST_WAITING).filter_map(|_| queue.join(local)));
        assert_eq!(tickets.len(), MOST_WAITING);
        drop(tickets);
        assert!(queue.join(client()).is_some());
    }
}

//! Playouts and nodes that are left, handed out to threads in packets.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use banyan_core::Limits;

/// Playouts and nodes left, playouts made and edges tried.
pub(super) struct Quota {
    playouts: AtomicI64,
    nodes: AtomicI64,
    limits_nodes: bool,
    made: AtomicU64,
    tried: AtomicU64,
}

impl Quota {
    /// The quota of the limits, and of no more than `visits_left` playouts. At least one playout is allowed.
    pub(super) fn new(limits: &Limits, visits_left: u64) -> Quota {
        let most = |limit: Option<u64>| limit.map_or(i64::MAX / 2, |limit| limit.clamp(1, i64::MAX as u64 / 2) as i64);
        Quota {
            playouts: AtomicI64::new(most(Some(limits.playouts.unwrap_or(u64::MAX).min(visits_left)))),
            nodes: AtomicI64::new(most(limits.nodes)),
            limits_nodes: limits.nodes.is_some(),
            made: AtomicU64::new(0),
            tried: AtomicU64::new(0),
        }
    }

    /// Takes up to `n` playouts, each of which may make a node; 0 if nothing is left.
    pub(super) fn take(&self, n: u64) -> u64 {
        let from = |left: &AtomicI64, n: i64| {
            let before = left.fetch_sub(n, Ordering::Relaxed);
            let got = before.clamp(0, n);
            left.fetch_add(n - got, Ordering::Relaxed);
            got
        };
        let playouts = from(&self.playouts, n as i64);
        if !self.limits_nodes {
            return playouts as u64;
        }
        let both = from(&self.nodes, playouts);
        self.playouts.fetch_add(playouts - both, Ordering::Relaxed);
        both as u64
    }

    /// Records that `made` of the `taken` playouts were made, which tried `tried` new edges; returns the rest to the
    /// quota.
    pub(super) fn record(&self, taken: u64, made: u64, tried: u64) {
        if taken != made {
            self.playouts.fetch_add(taken as i64 - made as i64, Ordering::Relaxed);
        }
        if self.limits_nodes {
            self.nodes.fetch_add(taken as i64 - tried as i64, Ordering::Relaxed);
        }
        self.made.fetch_add(made, Ordering::Relaxed);
        self.tried.fetch_add(tried, Ordering::Relaxed);
    }

    /// Playouts made, and edges tried.
    pub(super) fn spent(&self) -> (u64, u64) {
        (self.made.load(Ordering::Relaxed), self.tried.load(Ordering::Relaxed))
    }

    /// Whether nothing is left.
    pub(super) fn is_spent(&self) -> bool {
        self.playouts.load(Ordering::Relaxed) <= 0 || self.nodes.load(Ordering::Relaxed) <= 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_handed_out_and_unused_playouts_are_returned() {
        let limits = Limits { playouts: Some(1000), nodes: Some(700), ..Limits::default() };
        let quota = Quota::new(&limits, u64::MAX);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    loop {
                        let n = quota.take(7);
                        if n == 0 && quota.is_spent() {
                            break;
                        }
                        // Every other playout makes a node.
                        quota.record(n, n, n / 2);
                    }
                });
            }
        });
        let (made, tried) = quota.spent();
        assert_eq!(made, 1000);
        assert!(tried <= 500, "{tried}");
    }

    #[test]
    fn no_more_nodes_than_allowed_and_one_playout_at_least() {
        let limits = Limits { playouts: Some(0), nodes: Some(0), ..Limits::default() };
        assert_eq!(Quota::new(&limits, 9).take(5), 1);
        let quota = Quota::new(&Limits { nodes: Some(20), ..Limits::default() }, u64::MAX);
        assert_eq!((quota.take(15), quota.take(15), quota.take(15)), (15, 5, 0));
        quota.record(15, 15, 10);
        assert_eq!((quota.take(15), quota.is_spent()), (5, true));
    }
}

//! A search that is compared, and the measurement of its speed.

use cpu_time::ProcessTime;

/// A search from the start position that can be repeated.
pub struct Peer {
    /// Its name in the table.
    pub name: &'static str,
    /// Simulations per run.
    pub simulations: u64,
    search: Box<dyn Fn(u64, u64)>,
}

impl Peer {
    /// `search` receives the number of simulations and a seed; it builds its tree, searches, and frees the tree.
    pub fn new(name: &'static str, simulations: u64, search: impl Fn(u64, u64) + 'static) -> Peer {
        Peer { name, simulations, search: Box::new(search) }
    }

    /// Simulations per CPU second of one run.
    pub fn rate(&self, seed: u64) -> f64 {
        let started = ProcessTime::now();
        (self.search)(self.simulations, seed);
        self.simulations as f64 / started.elapsed().as_secs_f64()
    }
}

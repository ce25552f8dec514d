//! A server on a free port, and requests over a connection, as browsers send them.

mod analysis;
mod client;
mod engines;
mod games;
mod guard;
mod malformed;
mod matches;
mod page;
mod service;
mod state;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{self, JoinHandle};

use banyan_catalog::Catalog;
use banyan_protocols::Engine;
use banyan_web::{Base, Server, ServerConfig, ServerLimits, Stopper};

/// A server that runs until it is dropped.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) dir: PathBuf,
    pub(crate) stopper: Stopper,
    pub(crate) network_urls: Vec<String>,
    thread: Option<JoinHandle<std::io::Result<()>>>,
}

const LIMITS: ServerLimits =
    ServerLimits { threads: 2, memory_mib: 64, searches: 4, sessions: 4, jobs: 2, match_mib: 64 };

/// A new folder for every server.
fn new_dir() -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let name = format!("web-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

impl Running {
    pub(crate) fn start() -> Running {
        Running::with(LIMITS)
    }

    pub(crate) fn with(limits: ServerLimits) -> Running {
        Running::with_engines(limits, Vec::new())
    }

    pub(crate) fn with_engines(limits: ServerLimits, engines: Vec<Engine>) -> Running {
        Running::changed(|config| (config.limits, config.engines) = (limits, engines))
    }

    /// With the usual configuration, changed.
    pub(crate) fn changed(change: impl FnOnce(&mut ServerConfig)) -> Running {
        let families = [
            banyan_connect_four_engine::family(),
            banyan_reversi_engine::family(),
            banyan_dots_and_boxes_engine::family(),
        ];
        let catalog = Catalog::of(families).expect("presets that are players");
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let dir = new_dir();
        let mut config = ServerConfig {
            catalog,
            engines: Vec::new(),
            engines_file: None,
            dir: dir.clone(),
            address,
            base: Base::default(),
            access_log: None,
            hosts: Vec::new(),
            limits: LIMITS,
        };
        change(&mut config);
        let server = Server::bind(config).expect("a free port");
        let (address, stopper, network_urls) = (server.address(), server.stopper(), server.network_urls());
        let thread = Some(thread::spawn(move || server.run()));
        Running { address, dir, stopper, network_urls, thread }
    }

    /// Stops the server and waits for its end.
    pub(crate) fn stop(&mut self) {
        self.stopper.stop();
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the server does not panic").expect("the server ends without an error");
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stopper.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

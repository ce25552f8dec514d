//! The server: bound to an address, run until it is stopped.

use std::future::IntoFuture;
use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use banyan_api::Offer;
use banyan_catalog::{Catalog, PlayerCaps, Players};
use banyan_protocols::Engine;
use futures_util::future::{Either, select};
use tokio::runtime::Builder;
use tokio::sync::watch;

use crate::about::EngineView;
use crate::access_log::AccessLog;
use crate::app::App;
use crate::base::Base;
use crate::clients::Client;
use crate::connections::Limited;
use crate::guard::Hosts;
use crate::limits::ServerLimits;
use crate::matches::Matches;
use crate::routes::router;

/// Time limit for viewers to receive their last events once the server is stopped.
const PATIENCE: Duration = Duration::from_secs(5);

/// Configuration of a server.
pub struct ServerConfig {
    /// The games.
    pub catalog: Catalog,
    /// The external engines that clients may name.
    pub engines: Vec<Engine>,
    /// The file that defines them, for the records of matches.
    pub engines_file: Option<String>,
    /// The folder of matches and sweeps; created by the first one.
    pub dir: PathBuf,
    /// The address to listen on; port 0 for any free one.
    pub address: SocketAddr,
    /// The path below which the page and the interface lie.
    pub base: Base,
    /// Receives a line for each request.
    pub access_log: Option<Box<dyn Write + Send>>,
    /// Host names by which browsers reach the server, besides those of this machine and the address.
    pub hosts: Vec<String>,
    /// Limits on the resources that clients use.
    pub limits: ServerLimits,
}

/// A server that is listening.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    app: Arc<App>,
    hosts: Hosts,
    base: Base,
    access_log: Option<Arc<AccessLog>>,
    stop: watch::Sender<bool>,
}

/// Stops a server from another thread.
#[derive(Clone)]
pub struct Stopper {
    stop: watch::Sender<bool>,
    app: Arc<App>,
}

impl Stopper {
    /// Ends the searches and the server.
    pub fn stop(&self) {
        self.stop.send_replace(true);
    }

    /// Aborts the running match, whose engines may then be killed without any game being recorded as lost.
    pub fn abort_match(&self) {
        self.app.matches.abort();
    }

    /// Whether it was stopped.
    pub fn is_stopped(&self) -> bool {
        *self.stop.borrow()
    }
}

impl Server {
    /// Listens on the address. Requests are answered once the server runs.
    ///
    /// # Errors
    /// The address cannot be used, or an engine has the name of a player.
    pub fn bind(config: ServerConfig) -> io::Result<Server> {
        let listener = TcpListener::bind(config.address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let mut players = Players::presets();
        let mut engines = Vec::new();
        for engine in config.engines {
            engines.push(EngineView { name: engine.name.clone(), protocol: engine.protocol.name });
            players.add(Arc::new(engine)).map_err(io::Error::other)?;
        }
        let ServerConfig { catalog, engines_file, dir, limits, .. } = config;
        let caps = PlayerCaps { threads: limits.threads, memory_mib: limits.memory_mib };
        let matches = Matches::new(dir, engines_file, &limits);
        let app = App::new(Offer { catalog, players, caps }, &engines, limits, matches);
        let hosts = Hosts::new(address.ip(), &config.hosts);
        let access_log = config.access_log.map(AccessLog::new).transpose()?.map(Arc::new);
        let (app, base, stop) = (Arc::new(app), config.base, watch::Sender::new(false));
        Ok(Server { listener, address, app, hosts, base, access_log, stop })
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address for a browser on this machine.
    pub fn url(&self) -> String {
        match self.address.ip() {
            ip if ip.is_unspecified() => format!("http://localhost:{}{}", self.address.port(), self.base),
            ip => self.url_at(ip),
        }
    }

    /// The addresses for browsers on other machines, if it listens at all addresses of this machine.
    pub fn network_urls(&self) -> Vec<String> {
        let bound = self.address.ip();
        if !bound.is_unspecified() {
            return Vec::new();
        }
        let addresses = if_addrs::get_if_addrs().unwrap_or_default().into_iter().map(|interface| interface.ip());
        let reached =
            addresses.filter(|ip| !ip.is_loopback() && (ip.is_ipv4() || bound.is_ipv6()) && !is_link_local(*ip));
        reached.map(|ip| self.url_at(ip)).collect()
    }

    fn url_at(&self, ip: IpAddr) -> String {
        format!("http://{}{}", SocketAddr::new(ip, self.address.port()), self.base)
    }

    /// A handle that stops it.
    pub fn stopper(&self) -> Stopper {
        Stopper { stop: self.stop.clone(), app: Arc::clone(&self.app) }
    }

    /// Answers requests until it is stopped.
    ///
    /// # Errors
    /// The system has no resources for the server.
    pub fn run(self) -> io::Result<()> {
        let runtime = Builder::new_current_thread().enable_all().max_blocking_threads(self.app.n_threads()).build()?;
        let ended = runtime.block_on(self.serve());
        // Nobody needs the results of computations that are still running.
        runtime.shutdown_timeout(Duration::ZERO);
        ended
    }

    async fn serve(self) -> io::Result<()> {
        let listener = Limited::new(tokio::net::TcpListener::from_std(self.listener)?);
        tokio::spawn(drop_idle_trees(Arc::clone(&self.app)));
        let (stop, app) = (self.stop, Arc::clone(&self.app));
        let ended = close(stop.subscribe(), Arc::clone(&app));
        let routes =
            router(app, self.hosts, self.base, self.access_log).into_make_service_with_connect_info::<Client>();
        let serving = axum::serve(listener, routes).with_graceful_shutdown(ended).into_future();
        // A viewer that does not read its last events must not delay the server.
        let mut stopped = stop.subscribe();
        let patience = async move {
            drop(stopped.wait_for(|stopped| *stopped).await);
            tokio::time::sleep(PATIENCE).await;
        };
        match select(Box::pin(serving), Box::pin(patience)).await {
            Either::Left((ended, _)) => ended,
            Either::Right(_) => Ok(()),
        }
    }
}

/// Whether an address of IPv6 needs the name of an interface beside it.
fn is_link_local(ip: IpAddr) -> bool {
    matches!(ip, IpAddr::V6(ip) if ip.is_unicast_link_local())
}

/// Waits until the server is stopped, and ends all running work.
async fn close(mut stopped: watch::Receiver<bool>, app: Arc<App>) {
    drop(stopped.wait_for(|stopped| *stopped).await);
    app.stop();
    // On a separate thread, so that the viewers of the match receive its last event.
    drop(tokio::task::spawn_blocking(move || app.matches.close()).await);
}

/// Releases the memory of viewers that have left.
async fn drop_idle_trees(app: Arc<App>) {
    loop {
        tokio::time::sleep(Duration::from_secs(60)).await;
        let app = Arc::clone(&app);
        // Not on this thread, which serves all connections.
        drop(tokio::task::spawn_blocking(move || app.viewers.drop_idle()).await);
    }
}

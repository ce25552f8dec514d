//! `banyan serve`: the page in a browser.

use std::fs::OpenOptions;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Result, anyhow};
use banyan_catalog::Catalog;
use banyan_web::{Base, Server, ServerConfig, ServerLimits};
use clap::Args;

use super::solve::LARGEST_TABLE;
use crate::Exit;
use crate::input::args::check_threads;
use crate::input::engine_file::EngineFile;
use crate::interrupt;
use crate::output::terminal::Terminal;

/// The default port.
const PORT: u16 = 8088;

const EXAMPLES: &str = "\
Examples:
  banyan serve --open
  banyan serve --port 0 --dir runs
  banyan serve --bind 0.0.0.0 --host lab.example.org --threads 2
  banyan serve --base /banyan --host lab.example.org --access-log requests.log

Without --bind, only browsers on this machine reach the page. Whoever reaches it
may use the engines of engines.toml, and this machine within the limits.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ServeArgs {
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,

    /// Port to listen at; 0 for any free one.
    #[arg(long, default_value_t = PORT, value_name = "N", allow_negative_numbers = true)]
    port: u16,

    /// Address to listen at; 0.0.0.0 or :: for all of this machine.
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_name = "ADDRESS")]
    bind: IpAddr,

    /// Another name by which browsers reach this machine.
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,

    /// Path below which the page lies, such as /banyan behind a proxy.
    #[arg(long, default_value = "/", value_name = "PATH")]
    base: Base,

    /// File to which a line for each request is added; - for stderr.
    #[arg(long, value_name = "FILE")]
    access_log: Option<PathBuf>,

    /// Folder with the folders of matches and sweeps.
    #[arg(long, default_value = "banyan-matches", value_name = "DIR")]
    dir: PathBuf,

    /// Most threads of one search [default: all cores].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    threads: Option<u32>,

    /// Most MiB of memory of one search.
    #[arg(long, default_value_t = ServerLimits::default().memory_mib, value_name = "MIB", allow_negative_numbers = true)]
    memory_mib: u32,

    /// Most searches at a time [default: as many as cores].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    searches: Option<u16>,

    /// Most viewers whose search trees are kept.
    #[arg(long, default_value_t = ServerLimits::default().sessions as u16, value_name = "N", allow_negative_numbers = true)]
    sessions: u16,

    /// Games of a match played at a time [default: half of the cores].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    jobs: Option<u16>,

    /// Most MiB of the record of a match's games.
    #[arg(long, default_value_t = ServerLimits::default().match_mib, value_name = "MIB", allow_negative_numbers = true)]
    match_mib: u32,

    #[command(flatten)]
    engines: EngineFile,
}

impl ServeArgs {
    fn access_log(&self) -> Result<Option<Box<dyn Write + Send>>> {
        let Some(path) = &self.access_log else { return Ok(None) };
        if path.as_os_str() == "-" {
            return Ok(Some(Box::new(std::io::stderr())));
        }
        let opened = OpenOptions::new().append(true).create(true).open(path);
        opened.map(|file| Some(Box::new(file) as Box<dyn Write + Send>)).map_err(|err| {
            let (found, expected) =
                (format!("--access-log {}: {err}", path.display()), "expected a file that can be written");
            banyan_core::TextError::new(found, expected, "give another one, or - for stderr").into()
        })
    }

    fn limits(&self) -> Result<ServerLimits> {
        let usual = ServerLimits::default();
        if let Some(threads) = self.threads {
            check_threads(threads)?;
        }
        if !(16..=LARGEST_TABLE).contains(&self.memory_mib) {
            let expected = format!("expected 16 .. {LARGEST_TABLE} MiB");
            let found = format!("--memory-mib {}", self.memory_mib);
            return Err(banyan_core::TextError::new(found, expected, "try --memory-mib 256").into());
        }
        let at_least_1 = |n: Option<u16>, usual: usize| n.map_or(usual, |n| usize::from(n).max(1));
        Ok(ServerLimits {
            threads: self.threads.unwrap_or(usual.threads),
            memory_mib: self.memory_mib,
            searches: at_least_1(self.searches, usual.searches),
            sessions: usize::from(self.sessions).max(1),
            jobs: at_least_1(self.jobs, usual.jobs),
            match_mib: self.match_mib.max(1),
        })
    }
}

pub(crate) fn run(args: &ServeArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    let address = SocketAddr::new(args.bind, args.port);
    let config = ServerConfig {
        catalog: catalog.clone(),
        engines: args.engines.sound(&mut terminal.err)?,
        engines_file: args.engines.absolute(),
        dir: args.dir.clone(),
        address,
        base: args.base.clone(),
        access_log: args.access_log()?,
        hosts: args.host.clone(),
        limits: args.limits()?,
    };
    let server = Server::bind(config).map_err(|err| anyhow!("cannot listen at {address}: {err}; try --port 0"))?;
    let stopper = server.stopper();
    let of_match = stopper.clone();
    interrupt::set_abort(move || of_match.abort_match());
    interrupt::set_handler(move || {
        if stopper.is_stopped() {
            interrupt::exit_without_engines();
        }
        stopper.stop();
    });
    let url = server.url();
    writeln!(terminal.out, "{url}")?;
    terminal.out.flush()?;
    for url in server.network_urls() {
        writeln!(terminal.err, "on other machines: {url}")?;
    }
    if let Some(warning) = warning(server.address()) {
        writeln!(terminal.err, "{warning}")?;
    }
    writeln!(terminal.err, "press Ctrl-C to stop")?;
    if args.open && !open(&url) {
        writeln!(terminal.err, "no browser could be started; open {url} in one")?;
    }
    server.run()?;
    // The engines of viewers that stayed until the end.
    #[cfg(target_os = "linux")]
    banyan_protocols::process::end_engines();
    Ok(Exit::Done)
}

/// A warning for an address that other machines can reach.
fn warning(address: SocketAddr) -> Option<String> {
    let is_local = address.ip().to_canonical().is_loopback();
    let text = "every machine that reaches it may use this one within the limits, and there are no passwords";
    (!is_local).then(|| format!("warning: listening at {address}: {text}"))
}

/// Opens an address in the browser of the user.
fn open(url: &str) -> bool {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/c", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let quiet = || Stdio::null();
    let started = Command::new(program).args(arguments).arg(url).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
    started.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_address_for_other_machines_is_warned_of() {
        let warned = |address: &str| warning(address.parse().expect("an address"));
        for address in ["127.0.0.1:80", "127.0.0.5:80", "[::1]:80", "[::ffff:127.0.0.1]:80"] {
            assert_eq!(warned(address), None, "{address}");
        }
        for address in ["0.0.0.0:80", "[::]:80", "192.168.0.2:80", "[2001:db8::1]:80"] {
            let text = warned(address).expect(address);
            assert!(text.starts_with(&format!("warning: listening at {address}: ")) && !text.contains('\n'), "{text}");
        }
    }
}

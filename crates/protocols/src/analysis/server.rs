//! Reads queries on one thread and searches positions on several others.

use std::io::{self, BufRead, Write};
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use banyan_catalog::view::{Analysis, json_line};
use banyan_catalog::{AnalysisObserver, Catalog};
use banyan_core::threads::spawn_scoped;
use banyan_core::{Flow, Limits, TextError};
use serde::Serialize;

use super::answer::{Done, NoResult, Refusal, Result as Answer};
use super::query::{self, Action, Line as Request};
use super::queue::{Job, Queue};
use crate::server::{Line, Lines, ServeError, Setup};

/// Maximum length of a query in bytes.
const LONGEST_LINE: usize = 1 << 20;

/// The defaults of queries, and the number of parallel searches.
#[derive(Clone, Debug)]
pub struct AnalysisServer {
    /// The default player, budget and seed. Every position has a new player, so that answers do not depend on earlier
    /// queries.
    pub setup: Setup,
    /// Positions searched in parallel, at least 1.
    pub threads: usize,
}

/// Reads queries until the end of input, and answers all of them.
///
/// # Errors
/// A stream error, or the system refuses a thread. All other errors are sent as answers.
pub fn serve(
    catalog: &Catalog,
    server: &AnalysisServer,
    input: impl BufRead,
    output: impl Write + Send,
) -> Result<(), ServeError> {
    let (queue, output) = (Queue::default(), Output::new(output));
    let read = thread::scope(|scope| {
        let start = |_: &usize| spawn_scoped(scope, || search(&queue, &output)).is_some();
        if (0..server.threads.max(1)).take_while(start).count() == 0 {
            return Err(io::Error::new(io::ErrorKind::WouldBlock, "the system refuses a thread"));
        }
        let read = read(catalog, server, input, &queue, &output);
        if read.is_err() || output.is_broken() {
            drop(queue.take_back(|_, _| true));
            queue.stop(|_, _| true);
        }
        queue.close();
        read
    });
    read?;
    Ok(output.end()?)
}

fn read<W: Write>(
    catalog: &Catalog,
    server: &AnalysisServer,
    input: impl BufRead,
    queue: &Queue,
    output: &Output<W>,
) -> io::Result<()> {
    let mut lines = Lines::new(input, LONGEST_LINE);
    while let Some(line) = lines.next()? {
        let request = match line {
            Line::Text(text) if text.trim().is_empty() => continue,
            Line::Text(text) => query::parse(&text, &server.setup, catalog),
            Line::TooLong => {
                let err = TextError::new(
                    "line too long",
                    format!("expected at most {LONGEST_LINE} bytes"),
                    "split the query",
                );
                Err(Refusal { error: err.to_string(), ..Refusal::default() })
            }
        };
        match request {
            Ok(Request::Query(query, warnings)) => {
                warnings.iter().for_each(|warning| output.send(warning));
                queue.add(*query);
            }
            Ok(Request::Action { id, action }) => act(&id, &action, queue, output),
            Err(refusal) => output.send(&refusal),
        }
        if output.is_broken() {
            break;
        }
    }
    Ok(())
}

fn act<W: Write>(id: &str, action: &Action, queue: &Queue, output: &Output<W>) {
    let done = |name| Done { id, action: name, version: None, terminate_id: None, turn_numbers: None };
    match action {
        Action::QueryVersion => {
            output.send(&Done { version: Some(env!("CARGO_PKG_VERSION")), ..done("query_version") });
        }
        Action::ClearCache => output.send(&done("clear_cache")),
        Action::Terminate { id: meant, turns } => {
            end(queue, output, Some(meant), turns.as_deref());
            let turn_numbers = turns.as_deref();
            output.send(&Done { terminate_id: Some(meant), turn_numbers, ..done("terminate") });
        }
        Action::TerminateAll { turns } => {
            end(queue, output, None, turns.as_deref());
            output.send(&Done { turn_numbers: turns.as_deref(), ..done("terminate_all") });
        }
    }
}

/// Ends searches: answers for the waiting positions, then stops the running ones, which send their own answers.
fn end<W: Write>(queue: &Queue, output: &Output<W>, id: Option<&str>, turns: Option<&[usize]>) {
    let is_meant =
        |other: &str, turn: usize| id.is_none_or(|id| id == other) && turns.is_none_or(|turns| turns.contains(&turn));
    for job in queue.take_back(is_meant) {
        output.send(&NoResult { id: &job.query.id, turn_number: job.turn, is_during_search: false, no_results: true });
    }
    queue.stop(is_meant);
}

/// Searches positions until the queue is closed.
fn search<W: Write>(queue: &Queue, output: &Output<W>) {
    while let Some(job) = queue.next() {
        match analyse(&job, output) {
            Ok(analysis) => output.send(&result(&job, &analysis, false)),
            Err(error) => {
                let (id, turn_number) = (Some(job.query.id.clone()), Some(job.turn));
                output.send(&Refusal { error, id, turn_number, ..Refusal::default() });
            }
        }
        queue.finish(&job);
    }
}

fn analyse<W: Write>(job: &Job, output: &Output<W>) -> Result<Analysis, String> {
    let mut session = job.query.open(job.turn).map_err(|err| err.to_string())?;
    if let Some(verdict) = session.verdict() {
        return Ok(verdict);
    }
    let setup = &job.query.setup;
    let seat = session.seat(&setup.player, setup.seed).map_err(|err| err.to_string())?;
    let mut reporting = Reporting { job, output, last: Instant::now() };
    let limits = Limits { lines: job.query.lines, ..setup.budget.first_limits() };
    let analysis = session.analyse((seat, &setup.player), &limits, &mut reporting);
    analysis.map_err(|fault| format!("no analysis: the player {fault}"))
}

fn result<'a>(job: &'a Job, analysis: &'a Analysis, is_during_search: bool) -> Answer<'a> {
    Answer { id: &job.query.id, turn_number: job.turn, is_during_search, analysis }
}

/// Sends reports at the requested interval, and stops on request.
struct Reporting<'a, W> {
    job: &'a Job,
    output: &'a Output<W>,
    last: Instant,
}

impl<W: Write> AnalysisObserver for Reporting<'_, W> {
    fn stopped(&mut self) -> bool {
        self.job.stop.load(Ordering::Relaxed) || self.output.is_broken()
    }

    fn progress(&mut self, analysis: &Analysis) -> Flow {
        if self.job.query.every.is_some_and(|every| self.last.elapsed() >= every) {
            self.last = Instant::now();
            self.output.send(&result(self.job, analysis, true));
        }
        Flow::Continue
    }
}

/// The output stream shared by all threads; writes whole lines until an error.
struct Output<W>(Mutex<(W, Option<io::Error>)>);

impl<W: Write> Output<W> {
    fn new(output: W) -> Output<W> {
        Output(Mutex::new((output, None)))
    }

    fn send(&self, answer: &impl Serialize) {
        let mut line = json_line(answer);
        line.push('\n');
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (output, broken) = &mut *inner;
        if broken.is_none() {
            *broken = output.write_all(line.as_bytes()).and_then(|()| output.flush()).err();
        }
    }

    fn is_broken(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1.is_some()
    }

    fn end(self) -> io::Result<()> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner).1.map_or(Ok(()), Err)
    }
}

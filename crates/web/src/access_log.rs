//! A line for each request, written when its answer has ended.

use std::io::Write;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::{Duration, Instant, SystemTime};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use http_body::{Frame, SizeHint};

use crate::clients::Client;
use crate::lock::lock;

/// Lines that wait to be written; further ones are counted instead.
const MOST_WAITING: usize = 4096;
/// Time in which the last lines are written when the server ends: a pipe without a reader must not hold it.
const LAST: Duration = Duration::from_secs(1);
/// Longest target of a request that is written whole, in bytes.
const LONGEST: usize = 500;

/// Writes lines on a separate thread, so that a slow disk delays no request.
pub(crate) struct AccessLog {
    lines: Option<SyncSender<String>>,
    lost: Arc<AtomicU64>,
    /// Disconnected when all lines are written.
    ended: Mutex<Receiver<()>>,
}

impl AccessLog {
    pub(crate) fn new(to: Box<dyn Write + Send>) -> std::io::Result<AccessLog> {
        let (lines, waiting) = sync_channel(MOST_WAITING);
        let lost = Arc::<AtomicU64>::default();
        let lost_too = Arc::clone(&lost);
        let (running, ended) = sync_channel(1);
        let run = move || {
            write_lines(to, &waiting, &lost_too);
            drop(running);
        };
        std::thread::Builder::new().name("access log".to_owned()).spawn(run)?;
        Ok(AccessLog { lines: Some(lines), lost, ended: Mutex::new(ended) })
    }

    fn write(&self, line: String) {
        if self.lines.as_ref().is_some_and(|lines| lines.try_send(line).is_err()) {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Drop for AccessLog {
    /// Waits for a moment until the last lines are written.
    fn drop(&mut self) {
        self.lines = None;
        let _ = lock(&self.ended).recv_timeout(LAST);
    }
}

/// Lines that cannot be written are counted, and the server continues.
fn write_lines(mut to: Box<dyn Write + Send>, waiting: &Receiver<String>, lost: &AtomicU64) {
    while let Ok(line) = waiting.recv() {
        let mut text = line;
        text.extend(waiting.try_iter());
        let n_lines = text.lines().count() as u64;
        let n = lost.swap(0, Ordering::Relaxed);
        if n > 0 {
            text +=
                &format!("{} {n} requests are missing here: the log could not be written, or not fast enough\n", now());
        }
        if to.write_all(text.as_bytes()).and_then(|()| to.flush()).is_err() {
            lost.fetch_add(n + n_lines, Ordering::Relaxed);
        }
    }
}

fn now() -> impl std::fmt::Display {
    humantime::format_rfc3339_millis(SystemTime::now())
}

/// Writes a line for the request when its answer has ended.
pub(crate) async fn logged(State(log): State<Arc<AccessLog>>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let client = request.extensions().get::<ConnectInfo<Client>>().map(|&ConnectInfo(client)| client);
    let target: String = request.uri().to_string().chars().take(LONGEST).collect();
    let head = format!("{} {} {target}", client_of(client, request.headers()), request.method());
    let mut entry = Entry { log, head, status: None, started, bytes: 0, has_ended: false };
    let (parts, body) = next.run(request).await.into_parts();
    entry.status = Some(parts.status);
    // Of an answer without a body nothing more is read.
    entry.has_ended = body.is_end_stream();
    Response::from_parts(parts, Body::new(Logged { body, entry }))
}

/// The address of the client; a proxy on this machine names the one that it serves.
fn client_of(client: Option<Client>, headers: &HeaderMap) -> String {
    let Some(client) = client else { return "-".to_owned() };
    let forwarded = headers
        .get_all("x-forwarded-for")
        .iter()
        .next_back()
        .and_then(|list| list.to_str().ok()?.rsplit(',').next()?.trim().parse::<IpAddr>().ok());
    forwarded.filter(|_| client.is_local()).map_or_else(|| client.to_string(), |address| address.to_string())
}

/// A request until its answer has ended or its viewer has left; its line is written when it is dropped.
struct Entry {
    log: Arc<AccessLog>,
    head: String,
    /// `None` until the answer begins.
    status: Option<StatusCode>,
    started: Instant,
    bytes: u64,
    has_ended: bool,
}

impl Drop for Entry {
    fn drop(&mut self) {
        let Entry { head, bytes, .. } = self;
        let status = self.status.map_or_else(|| "-".to_owned(), |status| status.as_u16().to_string());
        let ms = self.started.elapsed().as_millis();
        let end = if self.has_ended { "done" } else { "left" };
        self.log.write(format!("{} {head} {status} {bytes} {ms} {end}\n", now()));
    }
}

/// The body of an answer, whose end is noticed.
struct Logged {
    body: Body,
    entry: Entry,
}

impl HttpBody for Logged {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        match &polled {
            Poll::Ready(Some(Ok(frame))) => self.entry.bytes += frame.data_ref().map_or(0, |data| data.len() as u64),
            Poll::Ready(None) => self.entry.has_ended = true,
            Poll::Ready(Some(Err(_))) | Poll::Pending => {}
        }
        self.entry.has_ended |= self.body.is_end_stream();
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

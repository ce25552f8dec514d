//! Connections of browsers: limited in number, and closed if they are silent for long or if a request takes too long to
//! arrive.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

use crate::clients::{Client, PerClient};

/// Maximum number of connections; further ones wait.
const MOST: usize = 512;

/// Maximum number of connections of one client; further ones are closed. Clients on this machine, which may be a proxy,
/// have no such limit.
const MOST_OF_CLIENT: usize = 256;

/// Time without a byte after which a connection is closed, and maximum time from the first byte of a request to the
/// first byte of its answer. Streams of events have keep-alive messages.
const PATIENCE: Duration = Duration::from_secs(60);

/// A listener with limits.
pub(crate) struct Limited {
    listener: TcpListener,
    free: Arc<Semaphore>,
    clients: PerClient,
    patience: Duration,
}

impl Limited {
    pub(crate) fn new(listener: TcpListener) -> Limited {
        let (free, clients) = (Arc::new(Semaphore::new(MOST)), PerClient::new(MOST_OF_CLIENT));
        Limited { listener, free, clients, patience: PATIENCE }
    }

    /// The next connection of a client that is within its limit.
    async fn next(&mut self) -> (TcpStream, SocketAddr, Option<OwnedSemaphorePermit>) {
        loop {
            let (stream, address) = Listener::accept(&mut self.listener).await;
            if Client::of(address).is_local() {
                return (stream, address, None);
            }
            if let Ok(share) = self.clients.semaphore(Client::of(address)).try_acquire_owned() {
                return (stream, address, Some(share));
            }
        }
    }
}

impl Connected<IncomingStream<'_, Limited>> for Client {
    fn connect_info(stream: IncomingStream<'_, Limited>) -> Client {
        Client::of(*stream.remote_addr())
    }
}

impl Listener for Limited {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        let permit = Arc::clone(&self.free).acquire_owned().await.expect("the semaphore is never closed");
        let (stream, address, share) = self.next().await;
        // Without it a small answer may wait for an acknowledgement; a system that does not support it is only slower.
        let _ = stream.set_nodelay(true);
        let (patience, limit) = (self.patience, Box::pin(sleep(self.patience)));
        (Connection { stream, patience, limit, is_asking: false, _permits: (permit, share) }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A counted connection, which is closed when the server has waited too long for it.
pub(crate) struct Connection {
    stream: TcpStream,
    patience: Duration,
    limit: Pin<Box<Sleep>>,
    /// Whether bytes of a request have arrived since the last byte of an answer. Further bytes do not extend the time
    /// limit: otherwise a client that occasionally sends a byte could hold the connection forever.
    is_asking: bool,
    /// The permit of all connections, and that of its client.
    _permits: (OwnedSemaphorePermit, Option<OwnedSemaphorePermit>),
}

impl Connection {
    fn wait_again(&mut self) {
        let limit = Instant::now() + self.patience;
        self.limit.as_mut().reset(limit);
    }

    /// An error once the server has waited too long for the connection.
    fn checked<T>(&mut self, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        self.limit.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let found = Pin::new(&mut self.stream).poll_read(context, buffer);
        if found.is_pending() {
            return self.checked(context);
        }
        if !self.is_asking {
            self.is_asking = true;
            self.wait_again();
        }
        found
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let found = Pin::new(&mut self.stream).poll_write(context, bytes);
        if found.is_pending() {
            return self.checked(context);
        }
        self.is_asking = false;
        self.wait_again();
        found
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::thread;

    use axum::Router;
    use axum::routing::post;
    use tokio::runtime::Builder;

    use super::*;

    /// Starts a server with this time limit, on a thread that lives as long as the process.
    fn server(patience: Duration) -> SocketAddr {
        let (sender, address) = std::sync::mpsc::channel();
        thread::spawn(move || {
            let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async move {
                let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
                sender.send(listener.local_addr().expect("an address")).expect("the test waits for it");
                let limited = Limited { patience, ..Limited::new(listener) };
                axum::serve(limited, Router::new().route("/", post(|body: String| async { body }))).await
            })
        });
        address.recv().expect("the server listens")
    }

    /// Sends `head` and then a byte at intervals shorter than the limit; returns whether the server closes the
    /// connection, but not at once.
    fn is_closed_while_it_sends(head: &str) -> bool {
        let patience = Duration::from_millis(300);
        let mut stream = std::net::TcpStream::connect(server(patience)).expect("the server listens");
        let begun = Instant::now();
        stream.write_all(head.as_bytes()).expect("the server reads");
        stream.set_read_timeout(Some(patience / 6)).expect("a time");
        let is_closed = (0..100).any(|_| {
            let is_refused = stream.write_all(b"x").is_err();
            // The buffer has room for the whole answer.
            is_refused || matches!(stream.read(&mut [0; 1024]), Ok(0))
        });
        is_closed && begun.elapsed() > patience / 2
    }

    #[test]
    fn a_request_that_arrives_byte_by_byte_is_given_up() {
        assert!(is_closed_while_it_sends("POST / HTTP/1.1\r\nHost: localhost\r\nX: "), "in its head");
        let length = "Content-Length: 100000\r\n";
        assert!(
            is_closed_while_it_sends(&format!("POST / HTTP/1.1\r\nHost: localhost\r\n{length}\r\n")),
            "in its body"
        );
    }

    #[test]
    fn requests_one_after_the_other_are_answered_for_longer_than_one_may_take() {
        // This test fails only on a machine that stands still for this time.
        let patience = Duration::from_secs(2);
        let mut stream = std::net::TcpStream::connect(server(patience)).expect("the server listens");
        let begun = Instant::now();
        let request = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nok";
        while begun.elapsed() < patience + patience / 2 {
            stream.write_all(request.as_bytes()).expect("the server reads");
            let (mut answer, mut part) = (Vec::new(), [0; 1024]);
            while !answer.ends_with(b"\r\n\r\nok") {
                let n = stream.read(&mut part).expect("an answer");
                assert_ne!(n, 0, "{}", String::from_utf8_lossy(&answer));
                answer.extend_from_slice(&part[..n]);
            }
            thread::sleep(patience / 20);
        }
    }
}

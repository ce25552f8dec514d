//! Connections of browsers: so many at a time, and none that is silent for long.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// Connections at a time; further ones wait.
const MOST: usize = 512;

/// Time without a byte after which a connection is closed; streams of events have signs of life.
const SILENCE: Duration = Duration::from_secs(60);

/// A listener with a limit.
pub(crate) struct Limited {
    listener: TcpListener,
    free: Arc<Semaphore>,
}

impl Limited {
    pub(crate) fn new(listener: TcpListener) -> Limited {
        Limited { listener, free: Arc::new(Semaphore::new(MOST)) }
    }
}

impl Listener for Limited {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        let permit = Arc::clone(&self.free).acquire_owned().await.expect("the semaphore is never closed");
        let (stream, address) = Listener::accept(&mut self.listener).await;
        // Without it a small answer may wait for an acknowledgement; what does not support it is only slower.
        let _ = stream.set_nodelay(true);
        (Connection { stream, silence: Box::pin(sleep(SILENCE)), _permit: permit }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that counts, and that is closed after a long silence.
pub(crate) struct Connection {
    stream: TcpStream,
    silence: Pin<Box<Sleep>>,
    _permit: OwnedSemaphorePermit,
}

impl Connection {
    /// Passes on what happened on the connection; an error if nothing did for long.
    fn heard<T>(&mut self, context: &mut Context<'_>, found: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if found.is_ready() {
            self.silence.as_mut().reset(Instant::now() + SILENCE);
            return found;
        }
        self.silence.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let found = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.heard(context, found)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let found = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.heard(context, found)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

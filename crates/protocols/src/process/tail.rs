//! The last part of an engine's stderr.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes kept.
const KEPT: usize = 64 << 10;

/// The last [`KEPT`] bytes of a stream; clones share them.
#[derive(Clone, Debug, Default)]
pub(super) struct Tail(Arc<Mutex<VecDeque<u8>>>);

impl Tail {
    /// Reads until the stream ends.
    pub(super) fn follow(&self, mut stream: impl Read) {
        let mut buffer = [0; 4096];
        while let Ok(n @ 1..) = stream.read(&mut buffer) {
            self.add(&buffer[..n]);
        }
    }

    fn add(&self, bytes: &[u8]) {
        let mut kept = self.lock();
        kept.extend(bytes);
        let beyond = kept.len().saturating_sub(KEPT);
        kept.drain(..beyond);
    }

    /// The bytes kept, as text.
    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(self.lock().make_contiguous()).into_owned()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_is_kept() {
        let tail = Tail::default();
        tail.follow(&b"first line\n"[..]);
        assert_eq!(tail.text(), "first line\n");
        tail.follow(&vec![b'x'; KEPT - 3][..]);
        tail.follow(&b"end"[..]);
        let text = tail.text();
        assert_eq!(text.len(), KEPT);
        assert!(text.starts_with('x') && text.ends_with("xend"));
    }
}

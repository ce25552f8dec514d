//! File descriptors: how many this program may have open, and how many are left.

/// Descriptors that a process of an engine keeps open here: its stdin, stdout and stderr.
pub const PER_ENGINE: u64 = 3;

/// Descriptors that are left for everything but engines: files that are replaced, lists of processes, the pipes of a process that
/// is just being started.
pub const RESERVE: u64 = 16;

/// Raises the soft limit of this process, often 1024 and on macOS 256, to the hard limit, at most 10,240: enough for a match of more
/// jobs than any machine has cores.
pub fn raise_limit() {
    #[cfg(unix)]
    unix::raise_limit();
}

/// The soft and the hard limit before [`raise_limit`] raised them, for processes that are started; `None` if it raised nothing.
pub fn limits_before() -> Option<(u64, Option<u64>)> {
    #[cfg(unix)]
    return unix::BEFORE.get().copied();
    #[cfg(not(unix))]
    None
}

/// The limit, and the number of descriptors that may still be opened; `None` if unknown.
pub fn left() -> Option<(u64, u64)> {
    #[cfg(unix)]
    return unix::left();
    #[cfg(not(unix))]
    None
}

#[cfg(unix)]
mod unix {
    use std::sync::OnceLock;

    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    /// The largest soft limit that macOS accepts.
    const ENOUGH: u64 = 10_240;

    pub(super) static BEFORE: OnceLock<(u64, Option<u64>)> = OnceLock::new();

    pub(super) fn raise_limit() {
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        let Some(soft) = current else { return };
        let raised = maximum.map_or(ENOUGH, |hard| hard.min(ENOUGH));
        if raised > soft && setrlimit(Resource::Nofile, Rlimit { current: Some(raised), maximum }).is_ok() {
            // If this is set, the limit was raised before.
            let _ = BEFORE.set((soft, maximum));
        }
    }

    pub(super) fn left() -> Option<(u64, u64)> {
        let limit = getrlimit(Resource::Nofile).current?;
        // The folder itself is open while it is listed.
        let open = std::fs::read_dir("/dev/fd").ok()?.count() as u64;
        Some((limit, limit.saturating_sub(open.saturating_sub(1))))
    }
}

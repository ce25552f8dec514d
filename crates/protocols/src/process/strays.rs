//! Processes that an engine started and that left both its process group and its environment. On Linux they are found by
//! their ancestry while the engine runs. Afterwards only the program that adopts orphans can find them.

use std::collections::HashSet;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use nix::errno::Errno;
use nix::sys::prctl::set_child_subreaper;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{Id, WaitPidFlag, waitid, waitpid};
use nix::unistd::{Pid, getpid};

/// Limit for programs that start processes faster than they can be killed.
const ROUNDS: usize = 100;

/// Whether this program adopts the orphans of its engines.
static ADOPTS: AtomicBool = AtomicBool::new(false);
/// Engines that were started and not yet waited for.
static ENGINES: Mutex<Option<HashSet<i32>>> = Mutex::new(None);

/// Makes this program the parent of all orphans that its engines leave, and kills these as soon as no engine runs any more.
/// Only for programs whose children are all engines: any other child would be killed too.
///
/// Does nothing if the program has children already, which a shell leaves that `exec`s it after starting others.
///
/// # Errors
/// The system refuses.
pub fn adopt_strays() -> io::Result<()> {
    if !has_children() {
        set_child_subreaper(true)?;
        ADOPTS.store(true, Ordering::Relaxed);
    }
    Ok(())
}

/// Starts an engine and notes it, so that it is never taken for a stray.
pub(super) fn note_start<T>(start: impl FnOnce() -> io::Result<T>, id: impl FnOnce(&T) -> u32) -> io::Result<T> {
    let mut engines = lock();
    let started = start()?;
    engines.get_or_insert_default().insert(id(&started).cast_signed());
    Ok(started)
}

/// An engine has ended and was waited for.
pub(super) fn note_end(engine: u32) {
    let mut engines = lock();
    let engines = engines.get_or_insert_default();
    engines.remove(&engine.cast_signed());
    if !ADOPTS.load(Ordering::Relaxed) || !has_children() {
        return;
    }
    let me = getpid().as_raw();
    for _ in 0..ROUNDS {
        let all = parents();
        let strays: Vec<i32> = all
            .iter()
            .filter(|(child, parent)| *parent == me && !engines.contains(child))
            .map(|&(child, _)| child)
            .collect();
        if strays.is_empty() {
            return;
        }
        for stray in strays.into_iter().map(Pid::from_raw) {
            // A stray may belong to an engine that still runs.
            if engines.is_empty() {
                let _ = kill(stray, Signal::SIGKILL);
            }
            let _ = waitpid(stray, Some(WaitPidFlag::WNOHANG));
        }
        if !engines.is_empty() {
            return;
        }
        std::thread::yield_now();
    }
}

/// The descendants of a process that runs.
pub(super) fn descendants(of: u32) -> Vec<Pid> {
    let all = parents();
    let mut found = vec![of.cast_signed()];
    let mut next = 0;
    while let Some(&parent) = found.get(next) {
        let children = all.iter().filter(|&&(child, its)| its == parent && !found.contains(&child));
        let children: Vec<i32> = children.map(|&(child, _)| child).collect();
        found.extend(children);
        next += 1;
    }
    found.into_iter().skip(1).map(Pid::from_raw).collect()
}

/// Kills these processes.
pub(super) fn kill_all(processes: &[Pid]) {
    for &process in processes {
        match kill(process, Signal::SIGKILL) {
            // It may have exited by itself.
            Ok(()) | Err(Errno::ESRCH) => {}
            // It runs as another user.
            Err(_) => {}
        }
    }
}

fn has_children() -> bool {
    let look = WaitPidFlag::WNOHANG | WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT;
    waitid(Id::All, look) != Err(Errno::ECHILD)
}

/// All processes with their parents.
fn parents() -> Vec<(i32, i32)> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let parent = |stat: &str| stat.rsplit(") ").next()?.split(' ').nth(1)?.parse().ok();
    let process = |entry: std::fs::DirEntry| {
        let number = entry.file_name().to_str()?.parse().ok()?;
        Some((number, parent(&std::fs::read_to_string(entry.path().join("stat")).ok()?)?))
    };
    entries.filter_map(process).collect()
}

fn lock() -> MutexGuard<'static, Option<HashSet<i32>>> {
    ENGINES.lock().unwrap_or_else(PoisonError::into_inner)
}

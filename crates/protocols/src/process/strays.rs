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

use super::descendants::Mark;

/// Limit for programs that start processes faster than they can be killed.
const ROUNDS: usize = 100;

/// Whether this program adopts the orphans of its engines.
static ADOPTS: AtomicBool = AtomicBool::new(false);
/// Engines that were started and not yet waited for.
static ENGINES: Mutex<Option<HashSet<i32>>> = Mutex::new(None);

/// Makes this program the parent of all orphans that its engines leave, and kills these as soon as no engine is
/// running. Only for programs whose children are all engines: any other child would be killed too.
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

/// Starts an engine and registers it, so that it is never mistaken for a stray.
pub(super) fn note_start<T>(start: impl FnOnce() -> io::Result<T>, id: impl FnOnce(&T) -> u32) -> io::Result<T> {
    let mut engines = lock();
    let started = start()?;
    engines.get_or_insert_default().insert(id(&started).cast_signed());
    Ok(started)
}

/// Unregisters an engine that has ended and was waited for, and kills strays if it was the last one.
pub(super) fn note_end(engine: u32) {
    let mut engines = lock();
    let engines = engines.get_or_insert_default();
    engines.remove(&engine.cast_signed());
    if !ADOPTS.load(Ordering::Relaxed) || !has_children() {
        return;
    }
    let me = getpid().as_raw();
    for _ in 0..ROUNDS {
        let strays = processes().into_iter().filter(|process| process.parent == me && !engines.contains(&process.id));
        let strays: Vec<i32> = strays.map(|process| process.id).collect();
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

/// Kills all engines of this program and their descendants, before an exit that runs no destructors. Engines can be
/// neither started nor waited for afterwards.
pub fn end_engines() {
    let engines = lock();
    let mut of_engines: Vec<i32> = engines.iter().flatten().copied().collect();
    for _ in 0..ROUNDS {
        let all = processes();
        // An adopted orphan is no longer a descendant of an engine.
        let roots = if ADOPTS.load(Ordering::Relaxed) { vec![getpid().as_raw()] } else { of_engines.clone() };
        of_engines.extend(descendants_in(&all, roots));
        of_engines.extend(Mark::all_of_this_program());
        let running = all.iter().filter(|process| process.runs && of_engines.contains(&process.id));
        let running: Vec<Pid> = running.map(|process| Pid::from_raw(process.id)).collect();
        if running.is_empty() {
            break;
        }
        kill_all(&running);
        std::thread::yield_now();
    }
    // Never unlocked: no other thread starts an engine before the exit.
    std::mem::forget(engines);
}

/// Blocks if [`end_engines`] is running, because the exits of the engines then mean nothing; else returns immediately.
pub(super) fn wait_if_ending() {
    drop(lock());
}

/// The descendants of a running process.
pub(super) fn descendants(of: u32) -> Vec<Pid> {
    descendants_in(&processes(), vec![of.cast_signed()]).into_iter().map(Pid::from_raw).collect()
}

fn descendants_in(all: &[Process], roots: Vec<i32>) -> Vec<i32> {
    let n_roots = roots.len();
    let mut found = roots;
    let mut next = 0;
    while let Some(&parent) = found.get(next) {
        let children = all.iter().filter(|process| process.parent == parent && !found.contains(&process.id));
        let children: Vec<i32> = children.map(|process| process.id).collect();
        found.extend(children);
        next += 1;
    }
    found.split_off(n_roots)
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

struct Process {
    id: i32,
    parent: i32,
    /// False once it has exited and waits for its parent to notice.
    runs: bool,
}

/// All processes.
fn processes() -> Vec<Process> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let process = |entry: std::fs::DirEntry| {
        let id = entry.file_name().to_str()?.parse().ok()?;
        let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        // After the name in brackets: state, parent.
        let mut words = stat.rsplit(") ").next()?.split(' ');
        let runs = !matches!(words.next()?, "Z" | "X");
        Some(Process { id, parent: words.next()?.parse().ok()?, runs })
    };
    entries.filter_map(process).collect()
}

fn lock() -> MutexGuard<'static, Option<HashSet<i32>>> {
    ENGINES.lock().unwrap_or_else(PoisonError::into_inner)
}

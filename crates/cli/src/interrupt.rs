//! Signals. Ctrl-C ends the running search, or the games of a folder in two stages. SIGTERM and SIGHUP end the program
//! at once, even if it waits for a file or a pipe: engines are killed, nothing is recorded for a running game, and the
//! command that resumes is printed.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use banyan_arena::StopSignal;
use banyan_catalog::storage::discard_drafts;

/// Exit code after Ctrl-C.
const INTERRUPTED: i32 = 130;
/// Time after which the program exits because of a signal, even if not everything is done; under 2 s.
const END: Duration = Duration::from_millis(1700);
/// The part of [`END`] for killing engines.
const KILL: Duration = Duration::from_millis(1300);
/// Time to print a message while the command continues.
const PRINT: Duration = Duration::from_millis(300);

type Handler = Box<dyn FnMut() + Send>;

/// Ends the games of the command.
pub(crate) static STOP_SIGNAL: StopSignal = StopSignal::new();
/// The handler of Ctrl-C, set by the running command.
static HANDLER: Mutex<Option<Handler>> = Mutex::new(None);
/// Whether a signal is ending the program: later events of engines and games then mean nothing.
static ENDING: AtomicBool = AtomicBool::new(false);
/// Instructions to resume the command, printed when a signal ends it.
static RESUME: Mutex<Option<String>> = Mutex::new(None);
/// A folder that is removed when a signal ends the command.
static TEMPORARY: Mutex<Option<PathBuf>> = Mutex::new(None);
/// Aborts games that do not observe [`STOP_SIGNAL`].
static ABORT: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);

/// Listens for Ctrl-C, and on Unix for SIGTERM and SIGHUP; until a handler is set, Ctrl-C ends the program at once too.
/// A SIGHUP that the caller ignores, as `nohup` does, stays ignored. Called before anything can block: a program that a
/// signal ends must not leave engines behind, and the system kills only engines whose parent is gone, not their
/// descendants.
///
/// # Errors
/// The system refuses a thread. Signals then have their default effect.
pub(crate) fn listen() -> io::Result<()> {
    static LISTENS: AtomicBool = AtomicBool::new(false);
    if LISTENS.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    source::listen()
}

/// Calls `handler` on Ctrl-C.
pub(crate) fn set_handler(handler: impl FnMut() + Send + 'static) {
    *lock(&HANDLER) = Some(Box::new(handler));
}

/// Handles Ctrl-C: the first finishes the running games, the second aborts them, the third exits at once.
pub(crate) fn handle_games() {
    set_handler(|| {
        let message = if STOP_SIGNAL.is_aborting() {
            leave(INTERRUPTED, None)
        } else if STOP_SIGNAL.is_finishing() {
            "aborting the running games"
        } else {
            "finishing the running games; press Ctrl-C again to abort them"
        };
        STOP_SIGNAL.request();
        wait(&print(format!("\n{message}\n")), PRINT);
    });
}

/// Sets the text that is printed when a signal ends the program, such as `the same command resumes`; nothing if it is empty.
pub(crate) fn set_resume(text: impl Into<String>) {
    *lock(&RESUME) = Some(text.into()).filter(|text: &String| !text.is_empty());
}

/// Sets a function that aborts games that do not observe [`STOP_SIGNAL`], before their engines are killed.
pub(crate) fn set_abort(abort: impl FnOnce() + Send + 'static) {
    *lock(&ABORT) = Some(Box::new(abort));
}

/// Sets the folder to remove when a signal ends the program.
pub(crate) fn set_temporary(folder: Option<PathBuf>) {
    *lock(&TEMPORARY) = folder;
}

/// Blocks if a signal is ending the program, else returns immediately: the caller may have seen effects of the signal,
/// such as killed engines, and must not report them.
pub(crate) fn wait_if_ending() {
    while ENDING.load(Ordering::SeqCst) {
        thread::park();
    }
}

/// Exits as interrupted, leaving no engines or descendants of engines.
pub(crate) fn exit_without_engines() -> ! {
    leave(INTERRUPTED, None)
}

/// Handles Ctrl-C.
fn press() {
    match &mut *lock(&HANDLER) {
        Some(handler) => handler(),
        None => leave(INTERRUPTED, None),
    }
}

/// Ends the program by a signal.
#[cfg(unix)]
fn end(signal: i32, name: &str) -> ! {
    let resume = lock(&RESUME).take().map(|text| format!("; {}", text.trim_end()));
    leave(128 + signal, Some(format!("\nended by {name}{}\n", resume.unwrap_or_default())))
}

/// Exits in under two seconds, regardless of other threads, leaving no engines or descendants of engines.
fn leave(code: i32, text: Option<String>) -> ! {
    let began = Instant::now();
    ENDING.store(true, Ordering::SeqCst);
    // Before the engines are killed, so that no game is recorded as lost because of that.
    STOP_SIGNAL.abort();
    if let Some(abort) = lock(&ABORT).take() {
        abort();
    }
    // If the folder cannot be removed, nothing can be done.
    let temporary = lock(&TEMPORARY).take();
    let killed = start(move || {
        #[cfg(target_os = "linux")]
        banyan_protocols::process::end_engines();
        temporary.into_iter().for_each(|folder| drop(std::fs::remove_dir_all(folder)));
        discard_drafts();
    });
    let printed = text.map(print);
    wait(&killed, KILL);
    if let Some(printed) = printed {
        wait(&printed, END.saturating_sub(began.elapsed()));
    }
    // Neither flushes nor waits for another thread that exits.
    source::exit(code)
}

/// Starts writing to stderr, which may block.
fn print(text: String) -> Receiver<()> {
    // The program ends or continues even if this cannot be written.
    start(move || drop(io::stderr().write_all(text.as_bytes())))
}

/// Runs `work` on another thread; on this one if the system refuses another.
fn start(work: impl FnOnce() + Send + 'static) -> Receiver<()> {
    let (done, is_done) = channel();
    let work = Arc::new(Mutex::new(Some(work)));
    let of_thread = Arc::clone(&work);
    let run = move || {
        let work = lock(&of_thread).take();
        work.into_iter().for_each(|work| work());
        // The receiver is gone if this took too long.
        let _ = done.send(());
    };
    if thread::Builder::new().spawn(run).is_err() {
        let work = lock(&work).take();
        work.into_iter().for_each(|work| work());
    }
    is_done
}

/// Waits until the work is done, at most `limit`.
fn wait(done: &Receiver<()>, limit: Duration) {
    // An error means a timeout, or a thread that has ended.
    let _ = done.recv_timeout(limit);
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(unix)]
mod source {
    use std::sync::mpsc::channel;
    use std::{io, mem, ptr, thread};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    pub(super) use signal_hook::low_level::exit;

    pub(super) fn listen() -> io::Result<()> {
        let (listens, answer) = channel();
        // The thread is started first: signals that are caught but not served by a thread would be lost.
        let serve = move || {
            let hangup = (!is_hangup_ignored()).then_some(SIGHUP);
            let mut signals = match Signals::new([SIGINT, SIGTERM].into_iter().chain(hangup)) {
                Ok(signals) => signals,
                Err(err) => return drop(listens.send(Err(err))),
            };
            // The caller waits for this.
            let _ = listens.send(Ok(()));
            for signal in signals.forever() {
                match signal {
                    SIGTERM => super::end(signal, "SIGTERM"),
                    SIGHUP => super::end(signal, "SIGHUP"),
                    _ => super::press(),
                }
            }
        };
        thread::Builder::new().name("signals".to_owned()).spawn(serve)?;
        answer.recv().unwrap_or_else(|_| Err(io::Error::other("the thread of the signals has ended")))
    }

    fn is_hangup_ignored() -> bool {
        // SAFETY: sigaction is a plain struct of numbers, for which zero bytes are valid.
        let mut current: libc::sigaction = unsafe { mem::zeroed() };
        // SAFETY: without a new action the call only writes the current one to `current`, a valid place for it.
        let read = unsafe { libc::sigaction(SIGHUP, ptr::null(), &raw mut current) };
        read == 0 && current.sa_sigaction == libc::SIG_IGN
    }
}

#[cfg(not(unix))]
mod source {
    use std::io;
    pub(super) use std::process::exit;

    pub(super) fn listen() -> io::Result<()> {
        ctrlc::set_handler(super::press).map_err(io::Error::other)
    }
}

/// Whether Ctrl-C was pressed, and the farewell to print if it is pressed while the program waits for input.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    pressed: AtomicBool,
    /// Set while the program waits for input: Ctrl-C then prints this and exits.
    farewell: Mutex<Option<String>>,
}

impl Interrupt {
    /// Installs the Ctrl-C handler.
    pub(crate) fn install() -> Interrupt {
        let interrupt = Interrupt::default();
        let seen = interrupt.clone();
        set_handler(move || seen.press());
        interrupt
    }

    /// Whether Ctrl-C was pressed since the start, or since [`take`](Interrupt::take).
    pub(crate) fn pressed(&self) -> bool {
        self.0.pressed.load(Ordering::Relaxed)
    }

    /// Whether Ctrl-C was pressed since the start or the last call, so that the program continues after what it ended.
    pub(crate) fn take(&self) -> bool {
        self.0.pressed.swap(false, Ordering::SeqCst)
    }

    /// Runs `wait`, which waits for input; Ctrl-C then prints `farewell` and exits.
    pub(crate) fn waiting<T>(&self, farewell: String, wait: impl FnOnce() -> T) -> T {
        self.set_farewell(Some(farewell));
        if self.pressed() {
            // Pressed just before the farewell was set.
            self.leave();
        }
        let answer = wait();
        self.set_farewell(None);
        answer
    }

    fn set_farewell(&self, farewell: Option<String>) {
        *lock(&self.0.farewell) = farewell;
    }

    fn press(&self) {
        // Before the farewell is read, so that either this or `waiting` sees both.
        let again = self.0.pressed.swap(true, Ordering::SeqCst);
        let waits = lock(&self.0.farewell).is_some();
        if waits || again {
            self.leave();
        }
    }

    /// Exits, with the farewell if the program waits for input.
    fn leave(&self) -> ! {
        // Locked until exit, so that no other thread prints the farewell a second time.
        let farewell = lock(&self.0.farewell);
        leave(INTERRUPTED, farewell.as_deref().map(|text| format!("\n{text}")))
    }
}

//! Ctrl-C, SIGTERM and SIGHUP: the first ends the running search, the second the program with its engines.

use std::io::Write;
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use banyan_arena::StopSignal;

type Handler = Box<dyn FnMut() + Send>;

/// Ends the games of the command.
pub(crate) static STOP_SIGNAL: StopSignal = StopSignal::new();

/// Set by the command that runs.
static HANDLER: Mutex<Option<Handler>> = Mutex::new(None);

/// Calls `handler` on Ctrl-C, and on Unix on SIGTERM and SIGHUP. A SIGHUP that the caller ignores, as `nohup` does, stays
/// ignored.
pub(crate) fn set_handler(handler: impl FnMut() + Send + 'static) -> anyhow::Result<()> {
    *lock() = Some(Box::new(handler));
    end_engines_on_signal()
}

/// Ends the engines with all their descendants and then the program on these signals, until a handler is set. Called before
/// the first engine starts: one that a signal leaves without its parent is killed by the system, its descendants are not.
pub(crate) fn end_engines_on_signal() -> anyhow::Result<()> {
    static INSTALLED: AtomicBool = AtomicBool::new(false);
    if INSTALLED.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    #[cfg(unix)]
    let ignores_hangup = hangup::is_ignored();
    ctrlc::set_handler(|| match &mut *lock() {
        Some(handler) => handler(),
        None => exit_without_engines(),
    })?;
    #[cfg(unix)]
    if ignores_hangup {
        hangup::ignore();
    }
    Ok(())
}

/// The first Ctrl-C, SIGTERM or SIGHUP finishes the running games, the second aborts them, the third exits at once.
pub(crate) fn handle_games() -> anyhow::Result<()> {
    set_handler(|| {
        let message = if STOP_SIGNAL.is_aborting() {
            exit_without_engines();
        } else if STOP_SIGNAL.is_finishing() {
            "aborting the running games"
        } else {
            "finishing the running games; press Ctrl-C again to abort them"
        };
        STOP_SIGNAL.request();
        // The match stops even if this cannot be written.
        let _ = writeln!(std::io::stderr(), "\n{message}");
    })
}

/// Exits as interrupted, without leaving engines or their descendants.
pub(crate) fn exit_without_engines() -> ! {
    #[cfg(target_os = "linux")]
    banyan_protocols::process::end_engines();
    exit(130);
}

fn lock() -> MutexGuard<'static, Option<Handler>> {
    HANDLER.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(unix)]
mod hangup {
    use std::{mem, ptr};

    /// Whether SIGHUP is ignored.
    pub(super) fn is_ignored() -> bool {
        // SAFETY: sigaction is a plain struct of numbers, for which zero bytes are valid.
        let mut current: libc::sigaction = unsafe { mem::zeroed() };
        // SAFETY: without a new action the call only writes the present one to `current`, which it may.
        let read = unsafe { libc::sigaction(libc::SIGHUP, ptr::null(), &raw mut current) };
        read == 0 && current.sa_sigaction == libc::SIG_IGN
    }

    /// Ignores SIGHUP.
    pub(super) fn ignore() {
        // SAFETY: SIG_IGN runs no code of ours.
        unsafe { libc::signal(libc::SIGHUP, libc::SIG_IGN) };
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
    pub(crate) fn install() -> anyhow::Result<Interrupt> {
        let interrupt = Interrupt::default();
        let seen = interrupt.clone();
        set_handler(move || seen.press())?;
        Ok(interrupt)
    }

    /// Whether Ctrl-C was pressed since the start.
    pub(crate) fn pressed(&self) -> bool {
        self.0.pressed.load(Ordering::Relaxed)
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
        *self.0.farewell.lock().unwrap_or_else(PoisonError::into_inner) = farewell;
    }

    fn press(&self) {
        // Before the farewell is read, so that either this or `waiting` sees both.
        let again = self.0.pressed.swap(true, Ordering::SeqCst);
        let waits = self.0.farewell.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        if waits || again {
            self.leave();
        }
    }

    /// Exits, with the farewell if the program waits for input.
    fn leave(&self) -> ! {
        // Locked until exit, so that no other thread prints the farewell a second time.
        let farewell = self.0.farewell.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(farewell) = farewell.as_deref() {
            // The program exits even if this cannot be written.
            let _ = write!(std::io::stderr(), "\n{farewell}");
        }
        exit_without_engines();
    }
}

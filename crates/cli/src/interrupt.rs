//! Ctrl-C: the first ends the search in progress, a second one the program.

use std::io::Write;
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Whether Ctrl-C was pressed, and what to say if that happens while nothing runs that could be stopped.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    pressed: AtomicBool,
    /// Set while the program waits for a person: Ctrl-C then says this and ends.
    farewell: Mutex<Option<String>>,
}

impl Interrupt {
    /// Takes over Ctrl-C.
    pub(crate) fn install() -> anyhow::Result<Interrupt> {
        let interrupt = Interrupt::default();
        let seen = interrupt.clone();
        ctrlc::set_handler(move || seen.press())?;
        Ok(interrupt)
    }

    /// Whether it was pressed since the beginning.
    pub(crate) fn pressed(&self) -> bool {
        self.0.pressed.load(Ordering::Relaxed)
    }

    /// Runs `wait`, which waits for a person; Ctrl-C then ends the program with these last words.
    pub(crate) fn waiting<T>(&self, farewell: String, wait: impl FnOnce() -> T) -> T {
        self.set_farewell(Some(farewell));
        if self.pressed() {
            // Just before there were last words.
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
        // Before the farewell is asked for, so that either this or who waits for a person sees both.
        let again = self.0.pressed.swap(true, Ordering::SeqCst);
        let waits = self.0.farewell.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        if waits || again {
            self.leave();
        }
    }

    /// Ends the program, with last words if it waits for a person.
    fn leave(&self) -> ! {
        // Locked until the program ends, so that no other thread prints the farewell a second time.
        let farewell = self.0.farewell.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(farewell) = farewell.as_deref() {
            // The program ends whether or not anybody reads this.
            let _ = write!(std::io::stderr(), "\n{farewell}");
        }
        exit(130);
    }
}

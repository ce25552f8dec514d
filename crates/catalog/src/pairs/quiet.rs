//! Suppresses panic messages of players: the arena turns panics into faults, and the record holds the reason.

use std::cell::Cell;
use std::panic;
use std::sync::Once;

use banyan_core::{ErasedGame, Fault, Limits, Margin, Player, Report, SearchObserver, Situation};

thread_local! {
    static THINKING: Cell<bool> = const { Cell::new(false) };
}

/// A player whose panics are not reported on stderr, once [`Quiet::install`] was called.
pub(super) struct Quiet(pub(super) Box<dyn Player<ErasedGame>>);

/// Set while a player's code runs on this thread; reset on drop, also during a panic.
struct Thinking;

impl Thinking {
    fn begin() -> Thinking {
        THINKING.set(true);
        Thinking
    }
}

impl Drop for Thinking {
    fn drop(&mut self) {
        THINKING.set(false);
    }
}

/// Installs a panic hook for the whole program; panics outside players are reported as before.
pub fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let loud = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !THINKING.get() {
                loud(info);
            }
        }));
    });
}

impl Player<ErasedGame> for Quiet {
    fn choose(
        &mut self,
        at: &Situation<'_, ErasedGame>,
        limits: &Limits,
        observer: &mut dyn SearchObserver<u16>,
    ) -> Result<Report<u16>, Fault> {
        let _thinking = Thinking::begin();
        self.0.choose(at, limits, observer)
    }

    fn new_game(&mut self, seed: u64) {
        let _thinking = Thinking::begin();
        self.0.new_game(seed);
    }

    fn prepare(&mut self, at: &Situation<'_, ErasedGame>, observer: &mut dyn SearchObserver<u16>) -> Result<(), Fault> {
        let _thinking = Thinking::begin();
        self.0.prepare(at, observer)
    }

    fn game_over(&mut self, result: Margin) {
        let _thinking = Thinking::begin();
        self.0.game_over(result);
    }
}

//! A scripted player, and a timer that only such players advance.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use banyan_core::threads::spawn_scoped;
use banyan_core::{Clock, Fault, Game, Limits, Margin, Player, Report, SearchObserver, Situation, Timer};

thread_local!(static NOW: Cell<Duration> = const { Cell::new(Duration::from_secs(1)) });

/// A timer per test that only [`pass`] advances.
pub const FAKE: Timer = Timer::new("fake", || NOW.get());

thread_local!(static COMPUTED: Cell<Duration> = const { Cell::new(Duration::ZERO) });

/// The CPU time of a test's thread, which only [`compute`] advances.
pub const FAKE_CPU: Timer = Timer::new("fake cpu", || COMPUTED.get());

/// Advances both timers.
pub fn compute(time: Duration) {
    pass(time);
    COMPUTED.set(COMPUTED.get() + time);
}

pub fn pass(time: Duration) {
    NOW.set(NOW.get() + time);
}

pub const fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// A fault that replaces a move.
#[derive(Clone, Debug)]
pub enum ScriptedFault {
    Panic,
    Illegal,
    Late(Duration),
    /// Late, after computing all the time on this many threads.
    Busy(Duration, usize),
    Resign,
    Crash,
    NoResources,
}

/// Plays the first legal move after `pace`, but commits its fault at its move number `at`, from 0.
#[derive(Default)]
pub struct Scripted {
    pub pace: Duration,
    pub fault: Option<(usize, ScriptedFault)>,
    pub panics_at_start: bool,
    /// Time and result of [`Player::prepare`].
    pub preparation: Option<(Duration, Result<(), Fault>)>,
    pub panics_at_end: bool,
    pub calls: RefCell<Calls>,
}

/// The calls that a scripted player received.
#[derive(Default, Debug)]
pub struct Calls {
    pub seed: Option<u64>,
    /// Moves played at the call of [`Player::prepare`].
    pub prepared_at: Option<usize>,
    pub leeway: Option<Duration>,
    pub clocks: Vec<Option<Clock>>,
    pub played: Vec<usize>,
    pub stopped: bool,
    pub over: Option<Margin>,
}

impl Scripted {
    pub fn that(at: usize, fault: ScriptedFault) -> Scripted {
        Scripted { fault: Some((at, fault)), ..Scripted::default() }
    }

    pub fn paced(pace: Duration) -> Scripted {
        Scripted { pace, ..Scripted::default() }
    }
}

impl<G: Game<Move = u8>> Player<G> for Scripted {
    fn choose(
        &mut self,
        at: &Situation<'_, G>,
        limits: &Limits,
        observer: &mut dyn SearchObserver<u8>,
    ) -> Result<Report<u8>, Fault> {
        assert_eq!(limits.timer, FAKE, "the player receives the match's timer");
        let calls = self.calls.get_mut();
        let move_idx = calls.played.len();
        calls.clocks.push(limits.clock);
        calls.leeway = Some(limits.leeway);
        calls.played.push(at.played.len());
        calls.stopped |= observer.stopped();
        pass(self.pace);
        let mut legal = Vec::new();
        at.game.moves(at.state, &mut legal);
        let mut best = legal[0];
        match self.fault.clone().filter(|(at, _)| *at == move_idx) {
            Some((_, ScriptedFault::Panic)) => panic!("as scripted"),
            Some((_, ScriptedFault::Resign)) => return Err(Fault::Resigned),
            Some((_, ScriptedFault::Crash)) => return Err(Fault::Crashed("exit status 3".to_owned())),
            Some((_, ScriptedFault::Illegal)) => best = 99,
            Some((_, ScriptedFault::NoResources)) => return Err(Fault::NoResources("no process".to_owned())),
            Some((_, ScriptedFault::Late(time))) => pass(time),
            Some((_, ScriptedFault::Busy(time, n_threads))) => {
                compute(time);
                std::thread::scope(|scope| {
                    for _ in 1..n_threads {
                        spawn_scoped(scope, || compute(time)).expect("a thread");
                    }
                });
            }
            None => {}
        }
        Ok(Report { value: 0.25, playouts: 7, nodes: 8, reused: 0.5, memory_bytes: 9, ..Report::bare(best, self.pace) })
    }

    fn new_game(&mut self, seed: u64) {
        assert!(!self.panics_at_start, "at the start, as scripted");
        self.calls.get_mut().seed = Some(seed);
    }

    fn prepare(&mut self, at: &Situation<'_, G>, _watch: &mut dyn SearchObserver<u8>) -> Result<(), Fault> {
        self.calls.get_mut().prepared_at = Some(at.played.len());
        let (time, ready) = self.preparation.clone().unwrap_or((Duration::ZERO, Ok(())));
        pass(time);
        ready
    }

    fn game_over(&mut self, result: Margin) {
        self.calls.get_mut().over = Some(result);
        assert!(!self.panics_at_end, "at the end, as scripted");
    }
}

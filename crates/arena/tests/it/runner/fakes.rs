//! A player that does what its script says, and a timer that only players move.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use banyan_core::{Clock, Fault, Game, Limits, Margin, Player, Report, SearchObserver, Situation, Timer};

thread_local!(static NOW: Cell<Duration> = const { Cell::new(Duration::from_secs(1)) });

/// Time that passes only where [`pass`] says so, for each test its own.
pub const FAKE: Timer = Timer::new("fake", || NOW.get());

pub fn pass(time: Duration) {
    NOW.set(NOW.get() + time);
}

pub const fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// What a player does instead of moving.
#[derive(Clone, Debug)]
pub enum Deed {
    Panic,
    Illegal,
    Late(Duration),
    Resign,
    Crash,
}

/// Takes the first legal move, and `pace` for it, but does its deed when asked for move number `at`, from 0.
#[derive(Default)]
pub struct Scripted {
    pub pace: Duration,
    pub deed: Option<(usize, Deed)>,
    pub panics_at_start: bool,
    /// Time to get ready, and whether that fails.
    pub preparation: Option<(Duration, Result<(), Fault>)>,
    pub panics_at_end: bool,
    pub heard: RefCell<Heard>,
}

/// What a scripted player was told.
#[derive(Default, Debug)]
pub struct Heard {
    pub seed: Option<u64>,
    /// Moves played when it was told to get ready.
    pub prepared_at: Option<usize>,
    pub leeway: Option<Duration>,
    pub clocks: Vec<Option<Clock>>,
    pub played: Vec<usize>,
    pub stopped: bool,
    pub over: Option<Margin>,
}

impl Scripted {
    pub fn that(at: usize, deed: Deed) -> Scripted {
        Scripted { deed: Some((at, deed)), ..Scripted::default() }
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
        assert_eq!(limits.timer, FAKE, "the match's timer reaches the player");
        let heard = self.heard.get_mut();
        let asked = heard.played.len();
        heard.clocks.push(limits.clock);
        heard.leeway = Some(limits.leeway);
        heard.played.push(at.played.len());
        heard.stopped |= observer.stopped();
        pass(self.pace);
        let mut legal = Vec::new();
        at.game.moves(at.state, &mut legal);
        let mut best = legal[0];
        match self.deed.clone().filter(|(at, _)| *at == asked) {
            Some((_, Deed::Panic)) => panic!("as the script says"),
            Some((_, Deed::Resign)) => return Err(Fault::Resigned),
            Some((_, Deed::Crash)) => return Err(Fault::Crashed("exit status 3".to_owned())),
            Some((_, Deed::Illegal)) => best = 99,
            Some((_, Deed::Late(time))) => pass(time),
            None => {}
        }
        Ok(Report { value: 0.25, playouts: 7, nodes: 8, reused: 0.5, memory_bytes: 9, ..Report::bare(best, self.pace) })
    }

    fn new_game(&mut self, seed: u64) {
        assert!(!self.panics_at_start, "at the start, as the script says");
        self.heard.get_mut().seed = Some(seed);
    }

    fn prepare(&mut self, at: &Situation<'_, G>, _watch: &mut dyn SearchObserver<u8>) -> Result<(), Fault> {
        self.heard.get_mut().prepared_at = Some(at.played.len());
        let (time, ready) = self.preparation.clone().unwrap_or((Duration::ZERO, Ok(())));
        pass(time);
        ready
    }

    fn game_over(&mut self, result: Margin) {
        self.heard.get_mut().over = Some(result);
        assert!(!self.panics_at_end, "at the end, as the script says");
    }
}

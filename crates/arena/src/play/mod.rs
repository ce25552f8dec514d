//! One game between two untrusted players: rules and clocks are enforced here, and a fault of a player loses the game
//! but does not stop the match.

mod clock;
mod referee;

use std::fmt;
use std::time::Duration;

use banyan_core::{Fault, Game, Limits, Margin, Player, Side, Timer};

use crate::{Heartbeat, THREAD_CPU};
use referee::Referee;

/// Time for a whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    /// Time for all moves together, at the start.
    pub time: Duration,
    /// Time added after every move.
    pub increment: Duration,
}

/// Limits of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allowance {
    /// Limits of every single move. `clock`, `timer` and `leeway` are ignored here and set before each move.
    pub per_move: Limits,
    /// Time for the whole game.
    pub clock: Option<GameClock>,
}

/// The conditions of a game, the same for all games of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Limits of `Side::First` and `Side::Second`.
    pub allowances: [Allowance; 2],
    /// The timer that limits are measured with.
    pub timer: Timer,
    /// Time by which a player may overrun its limit without losing.
    pub leeway: Duration,
    /// Threads of the players that run in this program. Such a player loses by an overrun only if the CPU time of its threads exceeds
    /// limit and leeway of that many threads: what the scheduler gave to others is not its fault. `None` for a player in another
    /// process, whose CPU time is unknown.
    pub own_threads: [Option<u32>; 2],
    /// Measures the CPU time of a thread.
    pub cpu: Timer,
    /// Whether a player is charged the time that it reports, at most that of the call: the report of an external engine excludes the
    /// delays of this program.
    pub reports_time: [bool; 2],
}

impl Terms {
    /// The default leeway: twice the 50 ms within which our players stop. Guess, untuned.
    pub const LEEWAY: Duration = Duration::from_millis(100);

    /// Equal limits for both sides, in wall time, by which alone an overrun is judged.
    pub fn even(allowance: Allowance) -> Terms {
        Terms {
            allowances: [allowance; 2],
            timer: Timer::WALL,
            leeway: Terms::LEEWAY,
            own_threads: [None; 2],
            cpu: THREAD_CPU,
            reports_time: [false; 2],
        }
    }

    /// Whether time is limited.
    pub fn is_timed(&self) -> bool {
        self.allowances.iter().any(|allowance| allowance.per_move.time.is_some() || allowance.clock.is_some())
    }

    /// Whether a standstill of the program takes time from a player: where time is limited, unless both run in this program and are
    /// charged their CPU time.
    pub fn feels_standstills(&self) -> bool {
        let charges_cpu = self.timer == self.cpu && self.own_threads.iter().all(Option::is_some);
        self.is_timed() && !charges_cpu
    }
}

/// Everything about a game but its players.
pub struct Setup<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The first position.
    pub start: &'a G::State,
    /// Legal moves from `start` that are played before the players choose.
    pub opening: &'a [G::Move],
    /// Limits and timer.
    pub terms: Terms,
    /// Seeds of the players of `First` and `Second`.
    pub seeds: [u64; 2],
    /// Ends the game as [`Ending::Standstill`] when the program stood still; `None` to play on.
    pub heartbeat: Option<&'a Heartbeat>,
}

/// The record of one move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayedMove<M> {
    /// The move.
    pub mv: M,
    /// The side that played it.
    pub side: Side,
    /// Time taken, measured here.
    pub time: Duration,
    /// Time taken beyond the limit: at most the leeway, unless the CPU time kept the limit.
    pub overrun: Duration,
    /// Playouts reported by the player.
    pub playouts: u64,
    /// Nodes reported by the player.
    pub nodes: u64,
    /// Expected result seen by the mover, -1 … 1, reported by the player.
    pub value: f64,
    /// Share of the previous search's visits that were reused, 0 .. 1.
    pub reused: f64,
    /// Memory held by the player's search.
    pub memory_bytes: u64,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the rules.
    Finished(Margin),
    /// `side` lost by a fault of its player.
    Fault {
        /// The loser.
        side: Side,
        /// The fault.
        fault: Fault,
    },
    /// Interrupted; not scored.
    Interrupted,
    /// The program stood still, and a player had less time than its limit, or an engine seemed late; not scored, to be played again.
    Standstill,
    /// The system refused what a player needs to run; not scored.
    NoResources(String),
}

impl Ending {
    /// 2 for a win of `side`, 1 for a draw, 0 for a loss; `None` if the game is not scored.
    pub fn half_points(&self, side: Side) -> Option<u8> {
        match self {
            Ending::Finished(margin) => Some((margin.seen_by(side).signum() + 1) as u8),
            Ending::Fault { side: loser, .. } => Some(if *loser == side { 0 } else { 2 }),
            Ending::Interrupted | Ending::Standstill | Ending::NoResources(_) => None,
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Finished(margin) => write!(f, "finished with {margin}"),
            Ending::Fault { side, fault } => write!(f, "lost by {side:?}: {fault}"),
            Ending::Interrupted => f.write_str("interrupted"),
            Ending::Standstill => f.write_str("the program stood still"),
            Ending::NoResources(how) => write!(f, "out of resources: {how}"),
        }
    }
}

/// The record of a game, finished or not.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedGame<M> {
    /// The moves after the opening, without an answer that was a fault.
    pub moves: Vec<PlayedMove<M>>,
    /// Its end.
    pub ending: Ending,
}

/// Plays one game between `players`, those of `First` and of `Second`. `interrupted` is polled before and after every
/// move and, through the observer, during searches.
///
/// After the game both players receive its margin through [`Player::game_over`], which is the largest possible loss
/// after a fault. It is not called after a game that is not scored, nor for a player that panicked, which may be in any state and
/// should be recreated.
///
/// ```
/// # use banyan_core::{Fault, Report, SearchObserver, Situation};
/// # use banyan_testkit::chain::Chain;
/// # struct TakeOne;
/// # impl Player<Chain> for TakeOne {
/// #     fn choose(
/// #         &mut self,
/// #         _: &Situation<'_, Chain>,
/// #         _: &Limits,
/// #         _: &mut dyn SearchObserver<u8>,
/// #     ) -> Result<Report<u8>, Fault> {
/// #         Ok(Report::bare(1, Default::default()))
/// #     }
/// #     fn new_game(&mut self, _: u64) {}
/// # }
/// use banyan_arena::{Allowance, Ending, Setup, Terms, play_game};
/// use banyan_core::{Game, Limits, Player, Side};
///
/// // Players take one to three tokens; the last one wins.
/// let game = Chain { tokens: 7, extra_turn_at: None };
/// let allowance = Allowance { per_move: Limits::playouts(1000), clock: None };
/// let setup = Setup {
///     game: &game,
///     start: &game.start(),
///     opening: &[3],
///     terms: Terms::even(allowance),
///     seeds: [1, 2],
///     heartbeat: None,
/// };
/// let played = play_game(&setup, [&mut TakeOne, &mut TakeOne], &|| false);
/// // The four tokens left are taken one at a time, and `First`, who played the opening, takes the last one.
/// assert_eq!((played.moves.len(), played.ending.half_points(Side::First)), (4, Some(2)));
/// ```
pub fn play_game<G: Game>(
    setup: &Setup<'_, G>,
    players: [&mut dyn Player<G>; 2],
    interrupted: &dyn Fn() -> bool,
) -> PlayedGame<G::Move> {
    let [first, second] = players;
    let mut referee = Referee::new(setup, [first, second], interrupted);
    let ending = referee.begin().map_or_else(|ending| ending, |()| referee.play_on());
    referee.announce(&ending);
    PlayedGame { moves: referee.moves, ending }
}

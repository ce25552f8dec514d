//! One game between two players, whom nobody has to trust: rules and clocks are kept here, and whatever a player does
//! wrong loses the game and nothing else.

mod clock;
mod referee;

use std::fmt;
use std::time::Duration;

use banyan_core::{Fault, Game, Limits, Margin, Player, Side, Timer};

use referee::Referee;

/// Time for a whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    /// Time for all moves together, at the start.
    pub time: Duration,
    /// Time added after every move.
    pub increment: Duration,
}

/// What one side may spend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allowance {
    /// Limits of every single move. `clock`, `timer` and `leeway` are filled in before each move, whatever they hold
    /// here.
    pub per_move: Limits,
    /// Time for the whole game.
    pub clock: Option<GameClock>,
}

/// The conditions of a game, the same for all games of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// What `Side::First` and `Side::Second` may spend.
    pub allowances: [Allowance; 2],
    /// What time is counted in.
    pub timer: Timer,
    /// A player may overrun its time by so much and still not lose.
    pub leeway: Duration,
}

impl Terms {
    /// The leeway unless another is asked for: our players stop within 50 ms, so twice that. Guess, untuned.
    pub const LEEWAY: Duration = Duration::from_millis(100);

    /// The same allowance for both sides, in wall time.
    pub fn even(allowance: Allowance) -> Terms {
        Terms { allowances: [allowance; 2], timer: Timer::WALL, leeway: Terms::LEEWAY }
    }
}

/// Everything about a game but its players.
pub struct Setup<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// Where the game begins.
    pub start: &'a G::State,
    /// Legal moves from `start` that nobody chooses any more.
    pub opening: &'a [G::Move],
    /// What the players may spend.
    pub terms: Terms,
    /// What the players of `First` and `Second` draw their randomness from.
    pub seeds: [u64; 2],
}

/// One move as it was made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayedMove<M> {
    /// The move.
    pub mv: M,
    /// Who made it.
    pub side: Side,
    /// Time taken, measured by the runner.
    pub time: Duration,
    /// Time taken beyond what was allowed; within the leeway, or the move would not have counted.
    pub overrun: Duration,
    /// Playouts, as the player says.
    pub playouts: u64,
    /// Nodes, as the player says.
    pub nodes: u64,
    /// Expected result seen by the mover, -1 … 1, as the player says.
    pub value: f64,
    /// Share of the earlier search's visits that served again, 0 .. 1.
    pub reused: f64,
    /// Memory held by the player's search.
    pub memory_bytes: u64,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the rules.
    Finished(Margin),
    /// `side` lost for what its player did.
    Fault {
        /// The loser.
        side: Side,
        /// What its player did.
        fault: Fault,
    },
    /// Not at all: it was broken off and is not scored.
    Interrupted,
}

impl Ending {
    /// 2 for a win of `side`, 1 for a draw, 0 for a loss; `None` for what is not scored.
    pub fn half_points(&self, side: Side) -> Option<u8> {
        match self {
            Ending::Finished(margin) => Some((margin.seen_by(side).signum() + 1) as u8),
            Ending::Fault { side: loser, .. } => Some(if *loser == side { 0 } else { 2 }),
            Ending::Interrupted => None,
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Finished(margin) => write!(f, "finished with {margin}"),
            Ending::Fault { side, fault } => write!(f, "lost by {side:?}: {fault}"),
            Ending::Interrupted => f.write_str("interrupted"),
        }
    }
}

/// A game that is over, or was broken off.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedGame<M> {
    /// The moves after the opening. An answer that was a fault is none of them.
    pub moves: Vec<PlayedMove<M>>,
    /// How it ended.
    pub ending: Ending,
}

/// Plays one game between `players`, those of `First` and of `Second`. `interrupted` is asked before and after every
/// move and, through the observer, by searches while they think.
///
/// After the game both players are told its margin: after a fault the largest loss the game knows; after an interruption
/// nothing; and a player that panicked nothing. That one may be in any state and should be made anew.
pub fn play_game<G: Game>(
    setup: &Setup<'_, G>,
    players: [&mut dyn Player<G>; 2],
    interrupted: &dyn Fn() -> bool,
) -> PlayedGame<G::Move> {
    let [first, second] = players;
    let mut referee = Referee::new(setup, [first, second], interrupted);
    let ending = match referee.begin() {
        Ok(()) => referee.play_on(),
        Err(ending) => ending,
    };
    referee.announce(&ending);
    PlayedGame { moves: referee.moves, ending }
}

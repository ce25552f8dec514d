//! Anything that chooses moves: a search, a person at the terminal, another program.

use std::fmt;

use crate::{Explored, Game, Limits, Margin, Report};

/// A position with its history, which tree reuse and protocols need.
///
/// ```
/// # mod rules { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/subtraction.rs")); }
/// # use rules::Subtraction;
/// use banyan_core::{Game, Situation};
///
/// let game = Subtraction { stones: 21 };
/// let (start, played) = (game.start(), [3, 1]);
/// let mut state = start;
/// played.iter().for_each(|&mv| game.play(&mut state, mv));
///
/// let at = Situation { game: &game, start: &start, played: &played, state: &state };
/// let without_history = Situation::new(&game, &state);
/// assert_eq!((at.state, at.played.len(), without_history.played.len()), (&(17, 2), 2, 0));
/// ```
pub struct Situation<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The first position of this game, not necessarily [`Game::start`].
    pub start: &'a G::State,
    /// The moves from `start` to `state`.
    pub played: &'a [G::Move],
    /// The position to move in; the game is not over.
    pub state: &'a G::State,
}

impl<'a, G: Game> Situation<'a, G> {
    /// A position without history, in which the game is not over.
    pub fn new(game: &'a G, state: &'a G::State) -> Situation<'a, G> {
        Situation { game, start: state, played: &[], state }
    }
}

impl<G: Game> Clone for Situation<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Situation<'_, G> {}

/// The reason for which a player failed to move. A match scores it as a loss and records the reason, except [`NoResources`](Fault::NoResources).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Its process ended.
    Crashed(String),
    /// It did not answer in time.
    Late(String),
    /// Its answer is not a legal move.
    Illegal(String),
    /// It violated its protocol: an unexpected or oversized message.
    Nonsense(String),
    /// It resigned.
    Resigned,
    /// Its code panicked.
    Panicked(String),
    /// The system refused what it needs to run: a process, a thread, a descriptor, memory. No match scores this: the runner has
    /// reached a limit, and the player has done nothing.
    NoResources(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Crashed(how) => write!(f, "crashed: {how}"),
            Fault::Late(how) => write!(f, "late: {how}"),
            Fault::Illegal(how) => write!(f, "illegal move: {how}"),
            Fault::Nonsense(how) => write!(f, "nonsense: {how}"),
            Fault::Resigned => f.write_str("resigned"),
            Fault::Panicked(how) => write!(f, "panicked: {how}"),
            Fault::NoResources(how) => write!(f, "out of resources: {how}"),
        }
    }
}

impl std::error::Error for Fault {}

/// Whether a search should continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Continue searching.
    Continue,
    /// Return the best move so far.
    Stop,
}

/// Follows the progress of a search and may stop it.
pub trait SearchObserver<M> {
    /// Polled every few milliseconds; `true` stops the search within 50 ms.
    fn stopped(&mut self) -> bool {
        false
    }

    /// Asked once [`stopped`](SearchObserver::stopped) has returned true, by a search that can be resumed: whether it is only paused, and
    /// keeps what it needs for [`Player::resume`].
    fn paused(&mut self) -> bool {
        false
    }

    /// Receives the current report at least ten times a second.
    fn progress(&mut self, _report: &Report<M>) -> Flow {
        Flow::Continue
    }
}

/// An observer that ignores progress and never stops the search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl<M> SearchObserver<M> for Silent {}

/// Chooses moves in one game.
///
/// A player that takes what leaves a multiple of four, of the game in the example of [`Game`]:
///
/// ```
/// # mod rules { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/subtraction.rs")); }
/// # use rules::Subtraction;
/// use banyan_core::{Fault, Game, Limits, Player, Report, SearchObserver, Situation};
///
/// struct Expert;
///
/// impl Player<Subtraction> for Expert {
///     fn choose(
///         &mut self,
///         at: &Situation<'_, Subtraction>,
///         limits: &Limits,
///         _observer: &mut dyn SearchObserver<u8>,
///     ) -> Result<Report<u8>, Fault> {
///         let started = limits.timer.now();
///         let taken = (at.state.0 % 4).max(1) as u8;
///         Ok(Report::bare(taken, limits.timer.since(started)))
///     }
///     fn new_game(&mut self, _seed: u64) {}
/// }
///
/// let game = Subtraction { stones: 21 };
/// assert_eq!(Expert.analyse(&game, &game.start(), &Limits::default())?.best, 1);
/// # Ok::<(), Fault>(())
/// ```
pub trait Player<G: Game>: Send {
    /// Chooses a move in a position that is not over. A position with a single legal move is searched like any other.
    fn choose(
        &mut self,
        at: &Situation<'_, G>,
        limits: &Limits,
        observer: &mut dyn SearchObserver<G::Move>,
    ) -> Result<Report<G::Move>, Fault>;

    /// Analyses a single position, without history or observer: [`choose`](Player::choose) in its short form. The best move is
    /// [`Report::best`].
    ///
    /// # Errors
    /// Those of `choose`.
    ///
    /// # Panics
    /// If the game is over in `state`.
    fn analyse(&mut self, game: &G, state: &G::State, limits: &Limits) -> Result<Report<G::Move>, Fault> {
        assert!(game.result(state).is_none(), "no move to choose: the game is over");
        self.choose(&Situation::new(game, state), limits, &mut Silent)
    }

    /// Continues the search of this position that its observer has [paused](SearchObserver::paused), within what is left of its limits.
    /// The report is that of the whole search, the time between its parts excluded, and the same as without a pause. `None` if no
    /// search is paused here, as always for a player that cannot be resumed, the default.
    fn resume(
        &mut self,
        _at: &Situation<'_, G>,
        _observer: &mut dyn SearchObserver<G::Move>,
    ) -> Option<Result<Report<G::Move>, Fault>> {
        None
    }

    /// Starts a new game: clears all memory and seeds all randomness with `seed`.
    fn new_game(&mut self, seed: u64);

    /// Prepares for a game that begins in the position `at`. Called after [`new_game`](Player::new_game), before any
    /// clock runs; external engines are started here. By default does nothing.
    ///
    /// # Errors
    /// The player cannot play this game, which it loses.
    fn prepare(&mut self, _at: &Situation<'_, G>, _watch: &mut dyn SearchObserver<G::Move>) -> Result<(), Fault> {
        Ok(())
    }

    /// The game ended with this margin.
    fn game_over(&mut self, _result: Margin) {}

    /// The most visited nodes of the last search of this position, at most `most_nodes`; `None` if the player keeps no
    /// graph or has not searched this position.
    fn explored(&self, _at: &Situation<'_, G>, _most_nodes: usize) -> Option<Explored<G::Move>> {
        None
    }
}

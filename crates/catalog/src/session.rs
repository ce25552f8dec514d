//! A game in progress with its players, as text: the interface for the command, the web page and the protocols.

use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use banyan_arena::PROCESS_CPU;
use banyan_core::{
    Bounds, ErasedGame, ErasedState, Fault, Flow, Game, Limits, Line, Mistake, PlaneEvaluator, Player, Prover, Reason,
    Report, SearchObserver, Situation, Solution, Solver, TextError,
};
use banyan_search::{AlphaBetaConfig, Goal, ProvingSolver};

use crate::analysis::{in_words, solved_in_words, unvisited};
use crate::book::{BUILT_IN, BookProver, BuiltInBook, ExactBook, open_exact_book};
use crate::exploration;
use crate::game_state::{GameState, Opening};
use crate::means::Means;
use crate::opening_names::{NamedOpening, OpeningNames};
use crate::players::{GameTables, PlayerSpec};
use crate::searches::{Searches, build, build_with};
use crate::view::{Analysis, Exploration, MoveView, Proof, Solved, VERSION, side_word};

/// The handle of a player in a session, numbered in the order of [`Session::seat`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seat(pub(crate) usize);

/// Observes a search of a session; the counterpart of [`SearchObserver`] as text.
pub trait AnalysisObserver {
    /// Called every few milliseconds; `true` ends the search within 50 ms.
    fn stopped(&mut self) -> bool {
        false
    }

    /// Asked once `stopped` has returned true, by a search that can be resumed: whether it is only paused ([`Session::resume`]).
    fn paused(&mut self) -> bool {
        false
    }

    /// Receives intermediate results at least ten times per second.
    fn progress(&mut self, _analysis: &Analysis) -> Flow {
        Flow::Continue
    }
}

/// Ends a search as soon as this returns true.
pub struct StopWhen<F>(pub F);

impl<F: Fn() -> bool> AnalysisObserver for StopWhen<F> {
    fn stopped(&mut self) -> bool {
        (self.0)()
    }
}

/// Ignores all reports and never stops.
impl AnalysisObserver for banyan_core::Silent {}

/// Plies counted between two checks for an interrupt: about ten thousand positions, well under 50 ms.
const PERFT_CHUNK: u32 = 4;

/// A game in progress, as which it can be used, and its players, which may keep their search trees.
pub struct Session {
    game: GameState,
    searches: Arc<dyn Searches>,
    players: Vec<Box<dyn Player<ErasedGame>>>,
    solver_book: SolverBook,
}

/// The book of exact values that the solver of a session uses.
#[derive(Clone, Debug, Default)]
pub enum SolverBook {
    /// That of the program, if it has one of this game.
    #[default]
    BuiltIn,
    /// None.
    Off,
    /// This one, of this game.
    Given(Arc<ExactBook>),
}

impl SolverBook {
    /// The book with this name of a game with these tables: a file, `built-in` or `off`; the built-in book, if there is one, without a name.
    ///
    /// # Errors
    /// No book of exact values of this game.
    pub fn named(name: Option<&Path>, start: &GameState, tables: &GameTables) -> Result<SolverBook, TextError> {
        Ok(match name {
            None => SolverBook::BuiltIn,
            Some(name) if name.as_os_str() == BUILT_IN => {
                BuiltInBook::required(tables.exact_book, start)?;
                SolverBook::BuiltIn
            }
            Some(name) if name.as_os_str() == "off" => SolverBook::Off,
            Some(file) => SolverBook::Given(open_exact_book(file, start)?),
        })
    }
}

/// The prover with which a position was solved, for the next one: its table is there already, while a new one takes its memory from
/// the system page by page. (Measured: 100 easy positions of Connect Four after few moves take 0.03 s instead of 0.09, 300 harder ones
/// 0.66 instead of 0.90.)
#[derive(Default)]
pub struct KeptProver(Option<Kept>);

struct Kept {
    prover: Box<dyn Prover<ErasedGame>>,
    // What it was made of.
    searches: Arc<dyn Searches>,
    means: Means,
    book: Option<Arc<ExactBook>>,
}

impl KeptProver {
    /// The prover, if it is one of these searches with such means and this book.
    fn take(&mut self, searches: &Arc<dyn Searches>, means: Means, book: Option<&Arc<ExactBook>>) -> Option<Kept> {
        self.0.take().filter(|kept| {
            let has_same_book = kept.book.as_ref().map(Arc::as_ptr) == book.map(Arc::as_ptr);
            Arc::ptr_eq(&kept.searches, searches) && kept.means == means && has_same_book
        })
    }
}

impl Deref for Session {
    type Target = GameState;

    fn deref(&self) -> &GameState {
        &self.game
    }
}

impl Session {
    pub(crate) fn open(searches: Arc<dyn Searches>, opening: Opening<'_>) -> Result<Session, TextError> {
        let game = GameState::open(searches.game().clone(), opening)?;
        Ok(Session::of(searches, game))
    }

    pub(crate) fn of(searches: Arc<dyn Searches>, game: GameState) -> Session {
        Session { game, searches, players: Vec::new(), solver_book: SolverBook::BuiltIn }
    }

    /// [`GameState::play`].
    ///
    /// # Errors
    /// An illegal or ambiguous move, or the game is over.
    pub fn play(&mut self, text: &str) -> Result<String, TextError> {
        self.game.play(text)
    }

    /// [`GameState::play_all`].
    ///
    /// # Errors
    /// The first illegal move.
    pub fn play_all(&mut self, text: &str) -> Result<(), TextError> {
        self.game.play_all(text)
    }

    /// [`GameState::undo`].
    pub fn undo(&mut self) -> Option<String> {
        self.game.undo()
    }

    /// Chooses the book of its solver.
    pub fn set_solver_book(&mut self, book: SolverBook) {
        self.solver_book = book;
    }

    /// The book of its solver, if it has this position.
    pub fn solver_book(&self) -> Option<Arc<ExactBook>> {
        let book = match &self.solver_book {
            SolverBook::BuiltIn => {
                let start = || GameState::open(self.rules().clone(), Opening::Start).expect("the start of a game");
                let plies = self.rules().ply(self.state());
                self.tables().exact_book.filter(|book| plies <= book.plies())?.open(start)
            }
            SolverBook::Off => return None,
            SolverBook::Given(book) => Arc::clone(book),
        };
        book.bounds(self.position_key()).map(|_| book)
    }

    /// The player that `best` is in this game, with the settings given; any other player as it is.
    ///
    /// # Errors
    /// Settings that this player does not take.
    pub fn in_game(&self, player: &PlayerSpec) -> Result<PlayerSpec, TextError> {
        player.in_game(self.tables())
    }

    /// The least and the largest final margin that the rules allow.
    pub fn margin_range(&self) -> Bounds {
        self.game.rules().margin_range()
    }

    /// The tables of the game: levels, units and other facts beside its rules.
    pub fn tables(&self) -> &GameTables {
        self.searches.tables()
    }

    /// The points of both sides so far, `First` first, as people count them; `None` in games without such a count.
    pub fn points(&self) -> Option<[u32; 2]> {
        self.tables().points.and_then(|points| points(self))
    }

    /// The last named position of the game so far; `None` if it had none.
    pub fn named_opening(&self) -> Option<&'static NamedOpening> {
        OpeningNames::of(self.rules(), self.tables().openings).of_game(self)
    }

    /// Adds a player with a random seed.
    ///
    /// # Errors
    /// A player that does not support this game.
    pub fn seat(&mut self, player: &PlayerSpec, seed: u64) -> Result<Seat, TextError> {
        self.players.push(build(&self.searches, player, seed)?);
        Ok(Seat(self.players.len() - 1))
    }

    /// Adds a Monte Carlo search whose leaves are valued by an evaluator from outside, which reads the [planes](crate::AnyGame::planes) of
    /// the game; its other settings are those of `player`.
    ///
    /// # Errors
    /// A player that is no Monte Carlo search, or has another reward than `win` or `wdl`; a game without planes.
    pub fn seat_with_evaluator(
        &mut self,
        player: &PlayerSpec,
        evaluator: Box<dyn PlaneEvaluator>,
        seed: u64,
    ) -> Result<Seat, TextError> {
        self.players.push(build_with(&self.searches, player, seed, Some(evaluator))?);
        Ok(Seat(self.players.len() - 1))
    }

    /// Searches the position with a player. If the game is over, use [`verdict`](Session::verdict). Called again for the same position,
    /// a player that keeps its tree continues with it: so a search can be run in slices, by limits for each.
    ///
    /// # Errors
    /// The player gave no move.
    pub fn choose(
        &mut self,
        seat: Seat,
        limits: &Limits,
        observer: &mut dyn AnalysisObserver,
    ) -> Result<Analysis, Fault> {
        let mut observer = Translator::at(&self.game, self.plies_to_spare(), observer);
        let report = self.players[seat.0].choose(&self.game.situation(), limits, &mut observer)?;
        Ok(observer.in_words(&report))
    }

    /// Continues the search of this position that its observer has [paused](AnalysisObserver::paused), within what is left of its limits.
    /// The analysis is that of the whole search, except for the CPU time, which is that of this part. `None` if no search is paused here, as
    /// always for players that cannot be resumed.
    ///
    /// # Errors
    /// The player gave no move.
    pub fn resume(&mut self, seat: Seat, observer: &mut dyn AnalysisObserver) -> Option<Result<Analysis, Fault>> {
        let mut observer = Translator::at(&self.game, self.plies_to_spare(), observer);
        let report = self.players[seat.0].resume(&self.game.situation(), &mut observer)?;
        Some(report.map(|report| observer.in_words(&report)))
    }

    /// The most plies left, if the margin of the game counts stones to spare.
    pub(crate) fn plies_to_spare(&self) -> Option<u16> {
        self.tables().unit.to_spare.then(|| self.rules().plies_left(self.state()))
    }

    /// Every legal move, as a search that did not visit it reports it.
    pub(crate) fn unvisited_moves(&self) -> Vec<MoveView> {
        let Situation { game, state, .. } = self.game.situation();
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        moves.into_iter().map(|mv| unvisited(game, state, mv)).collect()
    }

    /// The top of a player's search tree for this position, at most `most_nodes` positions; `None` if the player keeps no tree or has
    /// not searched this position.
    pub fn explored(&self, seat: Seat, most_nodes: usize) -> Option<Exploration> {
        let at = self.game.situation();
        let explored = self.players[seat.0].explored(&at, most_nodes)?;
        Some(exploration::in_words(at.game, at.state, &explored))
    }

    /// The analysis of a finished game: no best move, the result proven.
    pub fn verdict(&self) -> Option<Analysis> {
        let margin = self.result()?;
        let side = self.to_move();
        Some(Analysis {
            v: VERSION,
            game: self.spec(),
            position: self.position(),
            to_move: side_word(side).to_owned(),
            best: None,
            value: f64::from(margin.seen_by(side).signum()),
            margin: None,
            proof: Some(Proof::seen_by(Bounds::exact(margin), side)),
            ends_in: None,
            playouts: 0,
            depth: None,
            nodes: 0,
            reused: 0.0,
            elapsed_ms: 0.0,
            cpu_ms: 0.0,
            memory_bytes: 0,
            book: false,
            pv: Vec::new(),
            moves: Vec::new(),
            structure: None,
            opening: None,
        })
    }

    /// Solves the position and every move, or proves bounds until a limit or the observer ends it. Only the limits on time and
    /// nodes apply. A finished game has its result and no moves.
    pub fn solve(&self, means: Means, limits: &Limits, observer: &mut dyn AnalysisObserver) -> Solved {
        self.prove(Goal::Everything, means, limits, observer)
    }

    /// Solves like [`solve`](Session::solve), but stops as soon as `goal` is proven.
    pub fn prove(&self, goal: Goal, means: Means, limits: &Limits, observer: &mut dyn AnalysisObserver) -> Solved {
        self.prove_keeping(&mut KeptProver::default(), goal, means, limits, observer)
    }

    /// Solves like [`prove`](Session::prove), with the prover of a position solved before, if that has the same game, means and book, and
    /// keeps the one it used.
    pub fn prove_keeping(
        &self,
        kept: &mut KeptProver,
        goal: Goal,
        means: Means,
        limits: &Limits,
        observer: &mut dyn AnalysisObserver,
    ) -> Solved {
        self.proven(kept, |solver| solver.with_goal(goal), means, limits, observer)
    }

    /// Solves like [`prove`](Session::prove), and adds the principal variation.
    pub fn prove_line(&self, goal: Goal, means: Means, limits: &Limits, observer: &mut dyn AnalysisObserver) -> Solved {
        let set = |solver: ProvingSolver<_>| solver.with_goal(goal).with_principal_variation();
        self.proven(&mut KeptProver::default(), set, means, limits, observer)
    }

    fn proven(
        &self,
        kept: &mut KeptProver,
        set: impl FnOnce(ProvingSolver<ErasedGame>) -> ProvingSolver<ErasedGame>,
        means: Means,
        limits: &Limits,
        observer: &mut dyn AnalysisObserver,
    ) -> Solved {
        let at = self.game.situation();
        let mut book_in_words = None;
        let solution = match self.result() {
            Some(margin) => Solution {
                bounds: Bounds::exact(margin),
                moves: Vec::new(),
                pv: Vec::new(),
                nodes: 0,
                elapsed: Duration::ZERO,
                memory_bytes: 0,
            },
            None => {
                let (plies_to_spare, cpu) = (self.plies_to_spare(), PROCESS_CPU.now());
                let mut observer = Translator { game: at.game, state: at.state, plies_to_spare, cpu, observer };
                let book = self.solver_book();
                book_in_words = book.as_ref().map(|book| book.in_words());
                let mut used = kept.take(&self.searches, means, book.as_ref()).unwrap_or_else(|| {
                    let plain = self.searches.prover(means.table_mib);
                    let prover = match &book {
                        Some(book) => Box::new(BookProver::new(Arc::clone(book), plain)),
                        None => plain,
                    };
                    Kept { prover, searches: Arc::clone(&self.searches), means, book }
                });
                let mut solver = set(ProvingSolver::new(used.prover, means.threads));
                let solution = solver.solve(&at, limits, &mut observer);
                used.prover = solver.into_prover();
                kept.0 = Some(used);
                solution
            }
        };
        Solved { book: book_in_words, ..solved_in_words(at.game, at.state, &solution) }
    }

    /// Why `mistake`, a move of this position, is worse than the better move, by the [knowledge](banyan_core::Knowledge::reasons) of
    /// the game. None if a line contains a move that is not legal there.
    pub fn reasons(&self, mistake: &Mistake<String>) -> Vec<Reason> {
        let Situation { game, state, .. } = self.game.situation();
        let parsed = |moves: &[String]| game.parse_moves(state, &moves.join(" "));
        let answered = [std::slice::from_ref(&mistake.mv), &mistake.answer.moves].concat();
        let (Ok(better), Ok(mut played)) = (parsed(&mistake.better.moves), parsed(&answered)) else {
            return Vec::new();
        };
        if better.is_empty() {
            return Vec::new();
        }
        let mistake = Mistake {
            mv: played.remove(0),
            better: Line { moves: better, is_proven: mistake.better.is_proven },
            answer: Line { moves: played, is_proven: mistake.answer.is_proven },
            before: mistake.before,
            after: mistake.after,
        };
        self.searches.knowledge().reasons(game, state, &mistake)
    }

    /// Searches to a fixed depth by alpha-beta and returns the number of positions visited. Calls are independent.
    pub fn nodes_to_depth(&self, config: &AlphaBetaConfig, depth: u32) -> u64 {
        self.searches.nodes_to_depth(config, self.state(), depth)
    }

    /// Counts the sequences of exactly `depth` moves, and passes the count of every first move to `each`. `None` if `stop`, called
    /// every few milliseconds, returned true.
    pub fn perft(&self, depth: u32, stop: &dyn Fn() -> bool, each: &mut dyn FnMut(&str, u64)) -> Option<u64> {
        if depth == 0 {
            return Some(1);
        }
        let Situation { game, state, .. } = self.game.situation();
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        if moves.is_empty() {
            return Some(self.searches.perft(state, depth));
        }
        let mut total = 0;
        for mv in moves {
            let mut next = state.clone();
            game.play(&mut next, mv);
            let count = self.count(&next, depth - 1, stop)?;
            each(&game.print_move(state, mv), count);
            total += count;
        }
        Some(total)
    }

    /// A perft that checks for an interrupt between its lowest plies.
    fn count(&self, state: &ErasedState, depth: u32, stop: &dyn Fn() -> bool) -> Option<u64> {
        if stop() {
            return None;
        }
        if depth <= PERFT_CHUNK {
            return Some(self.searches.perft(state, depth));
        }
        let (game, mut moves) = (self.game.rules(), Vec::new());
        game.moves(state, &mut moves);
        moves.into_iter().try_fold(0, |total, mv| {
            let mut next = state.clone();
            game.play(&mut next, mv);
            Some(total + self.count(&next, depth - 1, stop)?)
        })
    }

    /// Evaluates the position `n` times with the named leaf evaluator, rounded up to a multiple of `batch`, in batches of that size.
    /// Returns the sum, so that no evaluation can be optimised away.
    ///
    /// # Errors
    /// An unknown evaluator.
    pub fn evaluate(&self, evaluator: &str, batch: usize, n: u64, seed: u64) -> Result<i64, TextError> {
        self.searches.evaluate(self.state(), evaluator, batch, n, seed)
    }
}

/// Adapts a [`SearchObserver`] to an [`AnalysisObserver`].
struct Translator<'a> {
    game: &'a ErasedGame,
    state: &'a ErasedState,
    plies_to_spare: Option<u16>,
    /// CPU time at the start of the search.
    cpu: Duration,
    observer: &'a mut dyn AnalysisObserver,
}

impl<'a> Translator<'a> {
    fn at(game: &'a GameState, plies_to_spare: Option<u16>, observer: &'a mut dyn AnalysisObserver) -> Translator<'a> {
        let Situation { game, state, .. } = game.situation();
        Translator { game, state, plies_to_spare, cpu: PROCESS_CPU.now(), observer }
    }

    fn in_words(&self, report: &Report<u16>) -> Analysis {
        let mut analysis = in_words(self.game, self.state, report, PROCESS_CPU.since(self.cpu));
        if let Some(plies) = self.plies_to_spare {
            analysis.count_moves(plies);
        }
        analysis
    }
}

impl SearchObserver<u16> for Translator<'_> {
    fn stopped(&mut self) -> bool {
        self.observer.stopped()
    }

    fn paused(&mut self) -> bool {
        self.observer.paused()
    }

    fn progress(&mut self, report: &Report<u16>) -> Flow {
        let analysis = self.in_words(report);
        self.observer.progress(&analysis)
    }
}

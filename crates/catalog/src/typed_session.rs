//! The implementation of [`Session`] for a game type and its players.

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Duration;

use banyan_core::{
    Bounds, Fault, Flow, Limits, Margin, MoveList, MoveStat, Notation, Picture, Player, Report, SearchObserver, Side,
    Situation, Solution, Solver, Structure, TextError, sort_by_order,
};
use banyan_search::{AlphaBetaConfig, Goal, ProvingSolver};
use cpu_time::ProcessTime;

use crate::engine::{Engine, build};
use crate::exploration;
use crate::game_state::{GameState, Opening};
use crate::means::Means;
use crate::players::{GameTables, PlayerSpec};
use crate::session::{AnalysisObserver, Seat, Session};
use crate::typed_game::TypedGame;
use crate::view::{Analysis, Exploration, MoveView, Proof, SOLVED_VERSION, Solved, SolvedMove, VERSION, side_word};

/// Plies counted between two checks for an interrupt: about ten thousand positions, well under 50 ms.
const PERFT_CHUNK: u32 = 4;

pub(crate) struct TypedSession<G: Notation> {
    game: TypedGame<G>,
    engine: Arc<dyn Engine<G>>,
    players: Vec<Box<dyn Player<G>>>,
}

impl<G: Notation> TypedSession<G> {
    pub(crate) fn open(
        game: Arc<G>,
        engine: Arc<dyn Engine<G>>,
        opening: Opening<'_>,
    ) -> Result<TypedSession<G>, TextError> {
        Ok(TypedSession { game: TypedGame::open(game, opening)?, engine, players: Vec::new() })
    }
}

impl<G: Notation> GameState for TypedSession<G> {
    fn spec(&self) -> String {
        self.game.spec()
    }

    fn side_name(&self, side: Side) -> &'static str {
        self.game.side_name(side)
    }

    fn position(&self) -> String {
        self.game.position()
    }

    fn first_position(&self) -> String {
        self.game.first_position()
    }

    fn opening(&self) -> Option<String> {
        self.game.opening()
    }

    fn history(&self) -> Vec<String> {
        self.game.history()
    }

    fn movers(&self) -> Vec<Side> {
        self.game.movers()
    }

    fn to_move(&self) -> Side {
        self.game.to_move()
    }

    fn position_key(&self) -> u64 {
        self.game.position_key()
    }

    fn result(&self) -> Option<Margin> {
        self.game.result()
    }

    fn legal_moves(&self) -> Vec<String> {
        self.game.legal_moves()
    }

    fn history_ids(&self) -> Option<Vec<u16>> {
        self.game.history_ids()
    }

    fn legal_ids(&self) -> Option<Vec<u16>> {
        self.game.legal_ids()
    }

    fn picture(&self) -> Option<Picture> {
        self.game.picture()
    }

    fn structure(&self) -> Option<Structure> {
        self.game.structure()
    }

    fn fork(&self) -> Box<dyn GameState> {
        self.game.fork()
    }

    fn play(&mut self, text: &str) -> Result<String, TextError> {
        self.game.play(text)
    }

    fn play_all(&mut self, text: &str) -> Result<(), TextError> {
        self.game.play_all(text)
    }

    fn undo(&mut self) -> Option<String> {
        self.game.undo()
    }
}

impl<G: Notation> Session for TypedSession<G> {
    fn in_game(&self, player: &PlayerSpec) -> Result<PlayerSpec, TextError> {
        player.in_game(self.engine.tables())
    }

    fn margin_range(&self) -> Bounds {
        self.game.rules().margin_range()
    }

    fn tables(&self) -> &GameTables {
        self.engine.tables()
    }

    fn points(&self) -> Option<[u32; 2]> {
        self.engine.tables().points.and_then(|points| points(self))
    }

    fn seat(&mut self, player: &PlayerSpec, seed: u64) -> Result<Seat, TextError> {
        self.players.push(build(&self.engine, self.game.rules(), player, seed)?);
        Ok(Seat(self.players.len() - 1))
    }

    fn choose(&mut self, seat: Seat, limits: &Limits, observer: &mut dyn AnalysisObserver) -> Result<Analysis, Fault> {
        let at = self.game.situation();
        let cpu = ProcessTime::now();
        let mut observer = Translator { game: at.game, state: at.state, cpu, observer };
        let report = self.players[seat.0].choose(&at, limits, &mut observer)?;
        Ok(view(at.game, at.state, &report, cpu.elapsed()))
    }

    fn explored(&self, seat: Seat, most_nodes: usize) -> Option<Exploration> {
        let at = self.game.situation();
        let explored = self.players[seat.0].explored(&at, most_nodes)?;
        Some(exploration::in_words(at.game, at.state, &explored))
    }

    fn verdict(&self) -> Option<Analysis> {
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
        })
    }

    fn prove(&self, goal: Goal, means: Means, limits: &Limits, observer: &mut dyn AnalysisObserver) -> Solved {
        let at = self.game.situation();
        let solution = match self.result() {
            Some(margin) => Solution {
                bounds: Bounds::exact(margin),
                moves: Vec::new(),
                nodes: 0,
                elapsed: Duration::ZERO,
                memory_bytes: 0,
            },
            None => {
                let mut observer = Translator { game: at.game, state: at.state, cpu: ProcessTime::now(), observer };
                let prover = self.engine.prover(means.table_mib);
                ProvingSolver::new(prover, means.threads).with_goal(goal).solve(&at, limits, &mut observer)
            }
        };
        solved(at.game, at.state, &solution)
    }

    fn nodes_to_depth(&self, config: &AlphaBetaConfig, depth: u32) -> u64 {
        let at = self.game.situation();
        self.engine.nodes_to_depth(config, at.game, at.state, depth)
    }

    fn perft(&self, depth: u32, stop: &dyn Fn() -> bool, each: &mut dyn FnMut(&str, u64)) -> Option<u64> {
        if depth == 0 {
            return Some(1);
        }
        let Situation { game, state, .. } = self.game.situation();
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        if moves.is_empty() {
            return Some(self.engine.perft(game, state, depth));
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

    fn evaluate(&self, evaluator: &str, batch: usize, n: u64, seed: u64) -> Result<i64, TextError> {
        let at = self.game.situation();
        self.engine.evaluate(at.game, at.state, evaluator, batch, n, seed)
    }
}

impl<G: Notation> TypedSession<G> {
    /// A perft that checks for an interrupt between its lowest plies.
    fn count(&self, state: &G::State, depth: u32, stop: &dyn Fn() -> bool) -> Option<u64> {
        if stop() {
            return None;
        }
        let game = self.game.situation().game;
        if depth <= PERFT_CHUNK {
            return Some(self.engine.perft(game, state, depth));
        }
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        moves.into_iter().try_fold(0, |total, mv| {
            let mut next = state.clone();
            game.play(&mut next, mv);
            Some(total + self.count(&next, depth - 1, stop)?)
        })
    }
}

/// Adapts a [`SearchObserver`] to an [`AnalysisObserver`].
struct Translator<'a, G: Notation> {
    game: &'a G,
    state: &'a G::State,
    cpu: ProcessTime,
    observer: &'a mut dyn AnalysisObserver,
}

impl<G: Notation> SearchObserver<G::Move> for Translator<'_, G> {
    fn stopped(&mut self) -> bool {
        self.observer.stopped()
    }

    fn progress(&mut self, report: &Report<G::Move>) -> Flow {
        self.observer.progress(&view(self.game, self.state, report, self.cpu.elapsed()))
    }
}

fn view<G: Notation>(game: &G, state: &G::State, report: &Report<G::Move>, cpu: Duration) -> Analysis {
    let side = game.to_move(state);
    Analysis {
        v: VERSION,
        game: game.spec(),
        position: game.print_position(state),
        to_move: side_word(side).to_owned(),
        best: Some(game.print_move(state, report.best)),
        value: report.value,
        margin: report.margin,
        proof: report.proof.map(|bounds| Proof::seen_by(bounds, side)),
        playouts: report.playouts,
        depth: report.depth,
        nodes: report.nodes,
        reused: report.reused,
        elapsed_ms: milliseconds(report.elapsed),
        cpu_ms: milliseconds(cpu),
        memory_bytes: report.memory_bytes,
        book: report.from_book,
        pv: line(game, state, &report.pv),
        moves: report.moves.iter().map(|stat| move_view(game, state, stat, side)).collect(),
        structure: None,
    }
}

fn move_view<G: Notation>(game: &G, state: &G::State, stat: &MoveStat<G::Move>, side: Side) -> MoveView {
    MoveView {
        mv: game.print_move(state, stat.mv),
        id: game.action_id(stat.mv),
        visits: stat.visits,
        value: stat.value,
        margin: stat.margin,
        proof: stat.proof.map(|bounds| Proof::seen_by(bounds, side)),
        pv: line(game, state, &stat.pv),
    }
}

fn solved<G: Notation>(game: &G, state: &G::State, solution: &Solution<G::Move>) -> Solved {
    let side = game.to_move(state);
    let Proof { lower, upper } = Proof::seen_by(solution.bounds, side);
    let best = solution.best(side);
    let mut listed = MoveList::new();
    game.moves(state, &mut listed);
    let mut moves = solution.moves.clone();
    // Moves with equal proofs are listed in the order of the game, not of the search.
    let place = |&(mv, bounds): &(G::Move, Bounds)| {
        let (lower, upper) = bounds.seen_by(side);
        (Reverse((lower, upper)), listed.iter().position(|&other| other == mv))
    };
    sort_by_order(&mut moves, |a, b| place(a) < place(b));
    let print = |mv: G::Move| game.print_move(state, mv);
    let in_points = |&(mv, bounds): &(G::Move, Bounds)| {
        let Proof { lower, upper } = Proof::seen_by(bounds, side);
        SolvedMove { mv: print(mv), margin: (lower == upper).then_some(lower), lower, upper }
    };
    Solved {
        v: SOLVED_VERSION,
        game: game.spec(),
        position: game.print_position(state),
        to_move: side_word(side).to_owned(),
        margin: (lower == upper).then_some(lower),
        lower,
        upper,
        best: moves.iter().filter(|(mv, _)| best.contains(mv)).map(|&(mv, _)| print(mv)).collect(),
        moves: moves.iter().map(in_points).collect(),
        nodes: solution.nodes,
        elapsed_ms: milliseconds(solution.elapsed),
        memory_bytes: solution.memory_bytes,
    }
}

/// The moves of a line as text, each printed in its own position.
fn line<G: Notation>(game: &G, state: &G::State, moves: &[G::Move]) -> Vec<String> {
    let mut state = state.clone();
    let print = |&mv: &G::Move| {
        let text = game.print_move(&state, mv);
        game.play(&mut state, mv);
        text
    };
    moves.iter().map(print).collect()
}

/// Rounded to microseconds; smaller digits are noise.
fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}

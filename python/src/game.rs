//! Games, and positions, which do not change: each with the moves that led to it.

use std::path::PathBuf;

use banyan_catalog::{AnyGame, GameState, Opening, SolverBook};
use banyan_core::{Game as _, PlaneBatch, Side, Symmetry, TextError};
use banyan_formats::drawing_without_moves;
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyBool, PyDict, PyString, PyTuple};

use crate::builtin::CATALOG;
use crate::error::raised;
use crate::evaluator::FromPython;
use crate::search;

/// The names of the games.
#[pyfunction]
pub(crate) fn games() -> Vec<&'static str> {
    CATALOG.families().iter().map(|family| family.name).collect()
}

/// A game with its board: `Game("connect-four:6x7")`.
#[pyclass(frozen, module = "banyan")]
pub(crate) struct Game(pub(crate) AnyGame);

impl Game {
    fn begin(&self, opening: Opening<'_>) -> PyResult<Position> {
        let state = self.0.begin(opening).map_err(raised)?;
        Ok(Position { game: self.0.clone(), state })
    }
}

#[pymethods]
impl Game {
    #[new]
    fn new(spec: &str) -> PyResult<Game> {
        CATALOG.game(spec).map(Game).map_err(raised)
    }

    /// The shortest text that names the game and its board.
    #[getter]
    fn spec(&self) -> String {
        self.0.spec()
    }

    /// The names of the sides, the one that begins first.
    #[getter]
    fn sides(&self) -> PyResult<[&'static str; 2]> {
        let state = self.0.begin(Opening::Start).map_err(raised)?;
        Ok(Side::BOTH.map(|side| state.side_name(side)))
    }

    /// The most plies that a game can have.
    #[getter]
    fn max_plies(&self) -> u16 {
        self.0.rules().max_plies()
    }

    /// The shape of the planes of a position: channels, rows, columns. `None` if the game has none.
    #[getter]
    fn plane_shape(&self) -> Option<[usize; 3]> {
        self.0.planes().map(|planes| planes.shape())
    }

    /// The meaning of each channel, seen by the side to move; empty if the game has none.
    #[getter]
    fn plane_names(&self) -> Vec<&'static str> {
        self.0.planes().map_or(Vec::new(), |planes| planes.channels().to_vec())
    }

    /// The number of outputs of a policy; 0 if the game has no planes.
    #[getter]
    fn n_actions(&self) -> usize {
        self.0.planes().map_or(0, |planes| planes.n_actions())
    }

    /// The first position.
    fn start(&self) -> PyResult<Position> {
        self.begin(Opening::Start)
    }

    /// The position that a line of text describes, in the form of `Position.text`.
    fn position(&self, text: &str) -> PyResult<Position> {
        self.begin(Opening::Position(text))
    }

    /// The position after moves from the start, separated by spaces.
    fn after(&self, moves: &str) -> PyResult<Position> {
        self.begin(Opening::Moves(moves))
    }

    fn __repr__(&self) -> String {
        format!("Game({:?})", self.0.spec())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Game>().is_ok_and(|other| other.get().0.spec() == self.0.spec())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyString::new(py, &self.0.spec()).hash()
    }

    fn __reduce__(slf: &Bound<'_, Game>) -> (Py<PyAny>, (String,)) {
        (slf.get_type().into_any().unbind(), (slf.get().0.spec(),))
    }
}

/// A position of a game, with the moves that led to it.
#[pyclass(frozen, module = "banyan")]
pub(crate) struct Position {
    game: AnyGame,
    state: GameState,
}

impl Position {
    fn with(&self, state: GameState) -> Position {
        Position { game: self.game.clone(), state }
    }

    /// The output of a policy for each legal move.
    fn actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.legal_moves().into_iter().zip(self.legal_actions()).into_py_dict(py)
    }

    /// The legal move for which an output of a policy stands.
    fn move_of(&self, action: &Bound<'_, PyAny>) -> PyResult<String> {
        let actions = self.legal_actions();
        let number = action.extract::<usize>().ok().filter(|_| !action.is_instance_of::<PyBool>());
        let idx = number.and_then(|number| actions.iter().position(|&legal| legal == number)).ok_or_else(|| {
            let expected = format!("expected a move as text or one of the legal actions {actions:?}");
            raised(TextError::new(format!("move {action}"), expected, "look at legal_moves"))
        })?;
        Ok(self.state.legal_moves().swap_remove(idx))
    }

    /// The position as planes, seen by the side to move, and the number of outputs of a policy.
    fn plane_numbers(&self) -> PyResult<(Vec<f32>, [usize; 3], usize)> {
        let planes = self.game.planes().ok_or_else(|| {
            let found = format!("the planes of {}", self.game.spec());
            raised(TextError::new(found, "expected a game that has them", "use another board"))
        })?;
        let shape = planes.shape();
        let mut numbers = vec![0.0; shape.iter().product()];
        if self.state.result().is_none() {
            planes.write(self.state.rules(), self.state.state(), &mut numbers);
        }
        Ok((numbers, shape, planes.n_actions()))
    }
}

#[pymethods]
impl Position {
    /// The game.
    #[getter]
    fn game(&self) -> Game {
        Game(self.game.clone())
    }

    /// The side to move: 0 for the one that began, or 1.
    #[getter]
    fn to_move(&self) -> u8 {
        u8::from(self.state.to_move() == Side::Second)
    }

    /// The legal moves; empty if the game is over.
    #[getter]
    fn legal_moves(&self) -> Vec<String> {
        self.state.legal_moves()
    }

    /// The outputs of a policy that stand for the legal moves, in the same order, numbered as the actions of OpenSpiel's game.
    #[getter]
    fn legal_actions(&self) -> Vec<usize> {
        let planes = self.game.planes();
        let mut moves = Vec::new();
        self.state.rules().moves(self.state.state(), &mut moves);
        planes.map_or(Vec::new(), |planes| moves.iter().map(|&mv| planes.action(mv)).collect())
    }

    /// The moves from the first position to this one.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.state.history()
    }

    /// The number of moves since the start of the game.
    #[getter]
    fn ply(&self) -> u16 {
        self.state.rules().ply(self.state.state())
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.state.result().is_some()
    }

    /// The final margin in points, seen by the side that began: above 0 if it won, 0 for a draw; `None` before the end.
    #[getter]
    fn result(&self) -> Option<i16> {
        self.state.result().map(|margin| margin.0)
    }

    /// The position as one line of text.
    #[getter]
    fn text(&self) -> String {
        self.state.position()
    }

    /// A number that is equal for positions that a symmetry of the board maps onto each other, with the same score.
    #[getter]
    fn key(&self) -> u64 {
        self.state.position_key()
    }

    /// The position after one or more moves, each as text or as one of `legal_actions`.
    #[pyo3(signature = (*moves))]
    fn play(&self, moves: &Bound<'_, PyTuple>) -> PyResult<Position> {
        let mut next = self.with(self.state.clone());
        for mv in moves.iter() {
            let text = match mv.extract::<String>() {
                Ok(text) => text,
                Err(_) => next.move_of(&mv)?,
            };
            next.state.play(&text).map_err(raised)?;
        }
        Ok(next)
    }

    /// The position `n` moves before.
    #[pyo3(signature = (n = 1))]
    fn undo(&self, n: usize) -> PyResult<Position> {
        let mut state = self.state.clone();
        for _ in 0..n {
            let none = || TextError::new("undo", "expected a move to take back", "begin earlier");
            state.undo().ok_or_else(none).map_err(raised)?;
        }
        Ok(self.with(state))
    }

    /// The images of the position under the symmetries of the board, itself first. They have no moves before them.
    fn symmetries(&self) -> PyResult<Vec<Position>> {
        let rules = self.state.rules();
        let images = (0..rules.symmetries()).map(|i| {
            let text = rules.print_position(&rules.transform(self.state.state(), Symmetry(i)));
            let state = self.game.begin(Opening::Position(&text)).map_err(raised)?;
            Ok(self.with(state))
        });
        images.collect()
    }

    /// The position as planes of numbers, `[channels, rows, columns]`, seen by the side to move.
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let (numbers, shape, _) = self.plane_numbers()?;
        PyArray1::from_vec(py, numbers).reshape(shape)
    }

    /// The board as a picture in SVG; with the structure of the position marked if `structure`.
    #[pyo3(signature = (structure = false))]
    fn svg(&self, structure: bool) -> PyResult<String> {
        let none = || TextError::new(self.game.spec(), "expected a game whose board can be drawn", "print its text");
        drawing_without_moves(&self.state, structure).ok_or_else(none).map_err(raised)
    }

    /// See `Position.analyse` in `python/banyan/_banyan.pyi`.
    #[expect(clippy::too_many_arguments, reason = "the arguments of the function of Python")]
    #[pyo3(signature = (player = "best", budget = "1s", *, seed = 1, lines = None, callback = None, evaluator = None))]
    fn analyse<'py>(
        &self,
        py: Python<'py>,
        player: &str,
        budget: &str,
        seed: u64,
        lines: Option<u32>,
        callback: Option<Py<PyAny>>,
        evaluator: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let evaluator = evaluator.map(|function| {
            let (planes, [channels, rows, columns], n_actions) = self.plane_numbers()?;
            let one = PlaneBatch { planes: &planes, shape: [1, channels, rows, columns], n_actions };
            FromPython::new(py, function, &one)
        });
        let session = self.game.session(self.state.clone());
        let request = search::Request { player, budget, seed, lines };
        search::analyse(py, session, &request, callback, evaluator.transpose()?, &self.actions(py)?)
    }

    /// See `Position.review` in `python/banyan/_banyan.pyi`.
    #[pyo3(signature = (player = "best", budget = "500ms", *, seed = 1, players = None, callback = None))]
    fn review<'py>(
        &self,
        py: Python<'py>,
        player: &str,
        budget: &str,
        seed: u64,
        players: Option<[String; 2]>,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let request = search::Request { player, budget, seed, lines: None };
        search::review(py, self.game.session(self.state.clone()), &request, players, callback)
    }

    /// See `Position.solve` in `python/banyan/_banyan.pyi`.
    #[pyo3(signature = (budget = "60s", *, prove = None, threads = 1, memory_mib = 256, book = None, callback = None))]
    #[expect(clippy::too_many_arguments, reason = "the arguments of the function of Python")]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        budget: &str,
        prove: Option<&str>,
        threads: u32,
        memory_mib: u32,
        book: Option<PathBuf>,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut session = self.game.session(self.state.clone());
        let book = SolverBook::named(book.as_deref(), &session, session.tables()).map_err(raised)?;
        session.set_solver_book(book);
        search::solve(py, session, budget, prove, (threads, memory_mib), callback, &self.actions(py)?)
    }

    fn _repr_svg_(&self) -> Option<String> {
        self.svg(false).ok()
    }

    fn __str__(&self) -> String {
        self.state.position()
    }

    fn __repr__(&self) -> String {
        format!("Game({:?}).position({:?})", self.game.spec(), self.state.position())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let is_same =
            |other: &Position| (other.game.spec(), other.state.position()) == (self.game.spec(), self.state.position());
        other.cast::<Position>().is_ok_and(|other| is_same(other.get()))
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyString::new(py, &self.state.position()).hash()
    }
}

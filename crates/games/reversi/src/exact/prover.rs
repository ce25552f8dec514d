//! The solver as a prover of statements about final margins.

use std::sync::Arc;

use banyan_bits::Bits;
use banyan_core::{Bounds, FINE, Game, InProgress, Knowledge, Poll, Prover};
use banyan_exact::{BoardTable, TableAccess};

use super::board::Board;
use super::eval::{ANY, eval};
use super::search::{Child, Search, SmallTable};
use super::selectivity::Selectivity;
use crate::{Counting, Reversi, ReversiKnowledge, Shape, State};

/// Plies of the search for a first guess, one or two milliseconds: 4, 6 and 8 tried, FFO 40 to 44 took 70.0, 69.8 and 70.7 M nodes.
const GUESS_DEPTH: u32 = 6;

/// Empty squares from which selective searches come before a proof. (13, 17 and 19 are no better in FFO 20 to 39.)
const SELECTIVE_FROM: u32 = 15;

/// Positions between two reports to the table, which may then grow.
const GROW_EVERY: u64 = 1 << 14;

/// Proves values of Reversi positions on boards of at most eight rows and columns by null-window search.
#[derive(Debug)]
pub struct ExactEndings {
    /// Shared with forks.
    table: BoardTable<Shape>,
    /// Positions being searched, shared with forks.
    searched: Arc<InProgress>,
    nodes: u64,
    small: SmallTable,
    /// An empty list, kept for its memory.
    children: Vec<Child>,
    knowledge: ReversiKnowledge,
    /// The board searched last.
    board: Option<Board>,
}

impl ExactEndings {
    /// A prover whose table has at most `table_bytes` bytes, at least 1024. Far from the end it orders moves by the static evaluation of
    /// this knowledge, if that has learned weights.
    pub fn new(table_bytes: u64, knowledge: ReversiKnowledge) -> ExactEndings {
        let table = BoardTable::new(table_bytes);
        ExactEndings {
            table,
            searched: Arc::new(InProgress::new()),
            nodes: 0,
            small: SmallTable::new(),
            children: Vec::new(),
            knowledge,
            board: None,
        }
    }

    /// Prepares the tables for the board of this game.
    fn prepare<B: Bits>(&mut self, game: &Reversi<B>) {
        assert!(B::WIDTH == u64::BITS, "the solver knows boards of one word, not {:?}", game.shape());
        self.table.assign_board(game.shape());
        if self.board.as_ref().is_none_or(|board| board.shape != game.shape()) {
            self.small = SmallTable::new();
            self.board = Some(Board::new(game.shape()));
        }
    }
}

impl ExactEndings {
    /// The margin for the side to move, by a null window above `alpha`: a lower bound if it is more than `alpha`, otherwise an
    /// upper bound. `None` if stopped.
    fn value<B: Bits>(
        &mut self,
        game: &Reversi<B>,
        state: &State<B>,
        alpha: i32,
        selectivity: Selectivity,
        poll: Poll<'_>,
    ) -> Option<i32> {
        self.prepare(game);
        let board = self.board.as_ref().expect("it was just made");
        let table = TableAccess::new(&self.table, self.nodes, GROW_EVERY, poll)?;
        self.children.clear();
        let searched = (Arc::strong_count(&self.searched) > 1).then_some(&*self.searched);
        let (patterns, small, children) = (self.knowledge.patterns(game), &mut self.small, &mut self.children);
        let (path, decided) = (Vec::new(), None);
        let mut search = Search { board, selectivity, patterns, searched, path, decided, table, small, children };
        let value = search.value(state.own.low_word(), state.other.low_word(), alpha);
        self.nodes = search.table.nodes;
        drop(search);
        value
    }

    /// The margin for the side to move within these bounds that a selective search finds, from a guess. `None` if stopped.
    fn selective_value<B: Bits>(
        &mut self,
        game: &Reversi<B>,
        state: &State<B>,
        (guess, known): (i32, Bounds),
        selectivity: Selectivity,
        poll: Poll<'_>,
    ) -> Option<i32> {
        let counting = game.shape().counting();
        let (lower, upper) = known.seen_by(game.to_move(state));
        let (mut lower, mut upper) = (possible(counting, lower.into()), -possible(counting, -i32::from(upper)));
        let mut wanted = guess;
        // Searches that prove nothing may contradict each other.
        while lower < upper {
            wanted = possible(counting, wanted.clamp(lower + 1, upper));
            let value = self.value(game, state, wanted - 1, selectivity, poll)?;
            if value >= wanted {
                (lower, wanted) = (value, value + 1);
            } else {
                // The largest possible one that is not more.
                upper = -possible(counting, -value);
                wanted = upper;
            }
        }
        Some(lower)
    }
}

/// The least final margin of at least `points`: the number of squares is even, and if the winner gets the empty squares, margins are even.
fn possible(counting: Counting, points: i32) -> i32 {
    match counting {
        Counting::Discs => points,
        Counting::WinnerTakesEmpties => points + points.rem_euclid(2),
    }
}

impl<B: Bits> Prover<Reversi<B>> for ExactEndings {
    fn reaches(&mut self, game: &Reversi<B>, state: &State<B>, points: i16, poll: Poll<'_>) -> Option<Bounds> {
        let wanted = possible(game.shape().counting(), points.into());
        let value = self.value(game, state, wanted - 1, Selectivity::Exact, poll)?;
        let most = game.shape().squares() as i32;
        let (lower, upper) = if value >= wanted { (value, most) } else { (-most, value) };
        Some(Bounds::won_by(game.to_move(state), lower as i16, upper as i16))
    }

    /// By a shallow search of the learned evaluation, or else by the static evaluation.
    fn guess(&mut self, game: &Reversi<B>, state: &State<B>) -> Option<i16> {
        self.prepare(game);
        let points = match (&self.board, self.knowledge.patterns(game)) {
            (Some(board), Some(patterns)) => {
                let discs = (state.own.low_word(), state.other.low_word());
                eval(board, patterns, discs, GUESS_DEPTH, ANY)
            }
            _ => self.knowledge.static_eval(game, state) * i32::from(game.to_move(state).sign()),
        };
        // The nearest even number, for margins are even on most boards.
        Some(2 * (points + FINE).div_euclid(2 * FINE) as i16)
    }

    /// By selective searches, those that end before `poll` stops them.
    fn refine(&mut self, game: &Reversi<B>, state: &State<B>, guess: i16, known: Bounds, poll: Poll<'_>) -> i16 {
        let is_far = u32::from(game.plies_left(state)) >= SELECTIVE_FROM;
        if !is_far || self.knowledge.patterns(game).is_none() {
            return guess;
        }
        let mut found = guess.into();
        for selectivity in Selectivity::levels() {
            match self.selective_value(game, state, (found, known), selectivity, poll) {
                Some(value) => found = value,
                None => break,
            }
        }
        found as i16
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn forget(&mut self) {
        self.table.clear();
        self.small = SmallTable::new();
    }

    fn fork(&self, _thread: u32) -> Box<dyn Prover<Reversi<B>>> {
        let (table, searched) = (self.table.clone(), Arc::clone(&self.searched));
        let (nodes, small, children) = (0, SmallTable::new(), Vec::new());
        Box::new(ExactEndings {
            table,
            searched,
            nodes,
            small,
            children,
            knowledge: self.knowledge.clone(),
            board: None,
        })
    }

    fn prepare_for_long_searches(&mut self) {
        self.table.use_huge_pages();
    }

    fn memory_bytes(&self) -> u64 {
        self.table.bytes()
    }
}

#[cfg(test)]
mod tests {
    use banyan_core::{Notation, Rng};

    use super::*;
    use crate::exact::search::key;

    #[test]
    fn a_guess_is_near_the_value_and_ends_when_it_is_told_to() {
        let game = Reversi::<u64>::from_options("").expect("the usual board");
        let mut rng = Rng::new(8);
        let mut off = Vec::new();
        for _ in 0..30 {
            let states = banyan_testkit::random_game(&game, &mut rng);
            let Some(state) = states.into_iter().find(|state| game.plies_left(state) == 15) else { continue };
            let new = || ExactEndings::new(1 << 24, ReversiKnowledge::default());
            let mut stopped = new();
            let first = stopped.guess(&game, &state).expect("a guess");
            assert_eq!(stopped.refine(&game, &state, first, game.bounds(&state), &mut |_| None), first);
            assert_eq!(stopped.nodes, 0);
            let mut prover = new();
            let guess = prover.refine(&game, &state, first, game.bounds(&state), &mut |_| Some(u64::MAX));
            assert!(prover.nodes > 0);
            let value = banyan_testkit::proven(&game, &state, &mut prover, guess);
            // Nothing that a selective search found is taken for a proof.
            assert_eq!(banyan_testkit::proven(&game, &state, &mut new(), first), value);
            off.push([guess, first].map(|guess| guess.abs_diff(value)));
        }
        let sum = |i: usize| off.iter().map(|off| off[i]).sum::<u16>();
        assert!(off.len() > 20 && off.iter().filter(|off| off[0] <= 2).count() * 5 > off.len() * 4, "{off:?}");
        assert!(2 * sum(0) < sum(1), "{off:?}");
    }

    #[test]
    fn a_search_ends_once_another_thread_has_decided_its_position() {
        let game = Reversi::<u64>::from_options("").expect("the usual board");
        let states = banyan_testkit::random_game(&game, &mut Rng::new(3));
        let state =
            states.into_iter().find(|state| game.plies_left(state) == 18).expect("a position with 18 empty squares");
        let new = || ExactEndings::new(1 << 24, ReversiKnowledge::default());
        let mut alone = new();
        let guess = alone.guess(&game, &state).expect("a guess");
        let value = banyan_testkit::proven(&game, &state, &mut alone, guess);
        for points in [value, value + 2] {
            let mut prover = new();
            let other: Box<dyn Prover<Reversi<u64>>> = prover.fork(1);
            let table = prover.table.clone();
            let mut reports = 0;
            let bounds = prover.reaches(&game, &state, points, &mut |nodes| {
                reports += 1;
                if reports == 2 {
                    let mut never = |_| Some(u64::MAX);
                    let mut access = TableAccess::new(&table, 0, GROW_EVERY, &mut never).expect("not stopped");
                    access.put(key(state.own, state.other), (value.into(), value.into()), 0, 0);
                }
                Some(nodes + 1_000)
            });
            let (lower, upper) = bounds.expect("nothing stops it").seen_by(game.to_move(&state));
            assert_eq!((lower >= points, upper < points), (value >= points, value < points), "{points} of {value}");
            // Without the look at its way it visits as many positions as alone.
            assert!(prover.nodes < alone.nodes / 20, "{points} of {value}: {} of {}", prover.nodes, alone.nodes);
            assert_eq!(other.nodes(), 0);
        }
    }
}

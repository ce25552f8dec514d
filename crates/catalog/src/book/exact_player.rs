//! A player that never leaves the best moves of a book of exact values.

use std::sync::Arc;

use banyan_core::{
    Bounds, ErasedGame, ErasedState, Explored, Fault, Flow, Game, Limits, Margin, MoveStat, Player, Report,
    SearchObserver, Side, Situation, sort_by_order,
};

use super::exact::ExactBook;
use crate::game_state::position_key;
use crate::view::Proof;

/// A player that searches, and in positions of the book chooses among the moves that the book values most.
pub(crate) struct ExactBookPlayer {
    book: Arc<ExactBook>,
    player: Box<dyn Player<ErasedGame>>,
}

/// A position of the book.
struct Entry {
    side: Side,
    bounds: Bounds,
    /// Every legal move and its bounds.
    moves: Vec<(u16, Bounds)>,
}

impl Entry {
    /// Whether no other move has bounds as good as these.
    fn is_best(&self, bounds: Bounds) -> bool {
        let merit = |bounds: Bounds| bounds.seen_by(self.side).0;
        self.moves.iter().all(|(_, other)| merit(*other) <= merit(bounds))
    }

    fn best(&self) -> impl Iterator<Item = u16> {
        self.moves.iter().filter(|(_, bounds)| self.is_best(*bounds)).map(|(mv, _)| *mv)
    }

    /// The expected result that bounds decide, or else an estimate.
    fn value(&self, bounds: Bounds, estimate: f64) -> f64 {
        Proof::seen_by(bounds, self.side).outcome().map_or(estimate, f64::from)
    }

    /// The report with the proofs of the book for every move, its best moves first.
    fn with_proofs(&self, mut report: Report<u16>) -> Report<u16> {
        for &(mv, bounds) in &self.moves {
            let known = report.moves.iter().position(|stat| stat.mv == mv).unwrap_or_else(|| {
                let pv = vec![mv];
                report.moves.push(MoveStat {
                    mv,
                    visits: 0,
                    value: 0.0,
                    margin: None,
                    is_bound: false,
                    proof: None,
                    pv,
                });
                report.moves.len() - 1
            });
            let stat = &mut report.moves[known];
            let bounds = stat.proof.map_or(bounds, |proof| proof.and(bounds));
            stat.value = self.value(bounds, stat.value);
            stat.proof = Some(bounds);
        }
        // The order of the search among moves of equal value.
        let is_best = |stat: &MoveStat<u16>| self.best().any(|mv| mv == stat.mv);
        sort_by_order(&mut report.moves, |a, b| is_best(a) && !is_best(b));
        if !self.best().any(|mv| mv == report.best) {
            report.best = report.moves[0].mv;
            report.pv.clone_from(&report.moves[0].pv);
        }
        let bounds = report.proof.map_or(self.bounds, |proof| proof.and(self.bounds));
        report.value = self.value(bounds, report.value);
        report.proof = Some(bounds);
        // Without a search there is nothing among which the book has chosen.
        report.from_book = report.playouts > 0 || report.depth.is_some();
        report
    }
}

/// Adds the proofs of the book to the reports of a running search.
struct WithProofs<'a> {
    entry: &'a Entry,
    observer: &'a mut dyn SearchObserver<u16>,
}

impl SearchObserver<u16> for WithProofs<'_> {
    fn stopped(&mut self) -> bool {
        self.observer.stopped()
    }

    fn paused(&mut self) -> bool {
        self.observer.paused()
    }

    fn progress(&mut self, report: &Report<u16>) -> Flow {
        self.observer.progress(&self.entry.with_proofs(report.clone()))
    }
}

impl ExactBookPlayer {
    /// `player` searches; the book is complete.
    pub(crate) fn new(book: Arc<ExactBook>, player: Box<dyn Player<ErasedGame>>) -> ExactBookPlayer {
        ExactBookPlayer { book, player }
    }

    /// The values of the position and its moves; `None` if the book lacks one of them.
    fn look_up(&self, game: &ErasedGame, state: &ErasedState) -> Option<Entry> {
        let bounds = self.book.bounds(position_key(game, state))?;
        let moves =
            self.book.moves(game, state).into_iter().map(|(mv, bounds)| Some((mv, bounds?))).collect::<Option<_>>()?;
        Some(Entry { side: game.to_move(state), bounds, moves })
    }
}

impl Player<ErasedGame> for ExactBookPlayer {
    fn choose(
        &mut self,
        at: &Situation<'_, ErasedGame>,
        limits: &Limits,
        observer: &mut dyn SearchObserver<u16>,
    ) -> Result<Report<u16>, Fault> {
        let Some(entry) = self.look_up(at.game, at.state) else { return self.player.choose(at, limits, observer) };
        let report = self.player.choose(at, limits, &mut WithProofs { entry: &entry, observer })?;
        Ok(entry.with_proofs(report))
    }

    fn resume(
        &mut self,
        at: &Situation<'_, ErasedGame>,
        observer: &mut dyn SearchObserver<u16>,
    ) -> Option<Result<Report<u16>, Fault>> {
        let Some(entry) = self.look_up(at.game, at.state) else { return self.player.resume(at, observer) };
        let report = self.player.resume(at, &mut WithProofs { entry: &entry, observer })?;
        Some(report.map(|report| entry.with_proofs(report)))
    }

    fn new_game(&mut self, seed: u64) {
        self.player.new_game(seed);
    }

    fn prepare(&mut self, at: &Situation<'_, ErasedGame>, observer: &mut dyn SearchObserver<u16>) -> Result<(), Fault> {
        self.player.prepare(at, observer)
    }

    fn game_over(&mut self, result: Margin) {
        self.player.game_over(result);
    }

    fn explored(&self, at: &Situation<'_, ErasedGame>, most_nodes: usize) -> Option<Explored<u16>> {
        self.player.explored(at, most_nodes)
    }
}

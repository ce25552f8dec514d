//! A player that moves from a book if the position is in it, and otherwise lets another player search.

use std::sync::Arc;

use banyan_core::{
    ErasedGame, ErasedState, Explored, Fault, Game, Limits, Margin, MoveStat, Player, Report, SearchObserver,
    Situation, sort_by_order,
};

use super::expansion::moves_of;
use super::opened::Book;
use crate::game_state::position_key;

/// A player with a book.
pub(crate) struct BookPlayer {
    book: Arc<Book>,
    player: Box<dyn Player<ErasedGame>>,
}

impl BookPlayer {
    /// `player` moves if the position is not in the book.
    pub(crate) fn new(book: Arc<Book>, player: Box<dyn Player<ErasedGame>>) -> BookPlayer {
        BookPlayer { book, player }
    }

    /// The move of the book; `None` if the position is not in it.
    fn look_up(&self, at: &Situation<'_, ErasedGame>) -> Option<Report<u16>> {
        let (game, state) = (at.game, at.state);
        let entry = self.book.entry(position_key(game, state))?;
        let side = game.to_move(state);
        let mut moves: Vec<MoveStat<u16>> = Vec::new();
        let mut best = None;
        for (mv, key, after) in moves_of(game, state) {
            let is_best = entry.best == Some(key);
            if is_best && best.is_none() {
                best = Some(mv);
            }
            let Some((known, positions)) = self.book.value_of_move(entry, key) else { continue };
            let mut pv = vec![mv];
            self.follow(game, after, &mut pv);
            let (value, margin) = (known.result_for(side), known.margin_for(side));
            let visits = positions.max(1) as u64;
            moves.push(MoveStat { mv, visits, value, margin, is_bound: false, proof: None, pv });
        }
        let best = best?;
        // Best first; moves that lead to symmetric positions are equal.
        sort_by_order(&mut moves, |a, b| {
            let merit = |stat: &MoveStat<u16>| (stat.value, stat.margin.unwrap_or(0.0));
            let is_best = (a.mv == best, b.mv == best);
            is_best.0 && !is_best.1 || is_best.0 == is_best.1 && merit(a) > merit(b)
        });
        Some(Report {
            value: entry.value.result_for(side),
            margin: entry.value.margin_for(side),
            pv: moves[0].pv.clone(),
            moves,
            nodes: entry.below as u64 + 1,
            from_book: true,
            ..Report::bare(best, std::time::Duration::ZERO)
        })
    }

    /// Adds the best moves of the book from `state` on.
    fn follow(&self, game: &ErasedGame, mut state: ErasedState, line: &mut Vec<u16>) {
        while let Some(best) = self.book.entry(position_key(game, &state)).and_then(|entry| entry.best) {
            let Some((mv, _, after)) = moves_of(game, &state).find(|&(_, key, _)| key == best) else { return };
            line.push(mv);
            state = after;
        }
    }
}

impl Player<ErasedGame> for BookPlayer {
    fn choose(
        &mut self,
        at: &Situation<'_, ErasedGame>,
        limits: &Limits,
        observer: &mut dyn SearchObserver<u16>,
    ) -> Result<Report<u16>, Fault> {
        let started = limits.timer.now();
        match self.look_up(at) {
            Some(report) => Ok(Report { elapsed: limits.timer.since(started), ..report }),
            None => self.player.choose(at, limits, observer),
        }
    }

    fn resume(
        &mut self,
        at: &Situation<'_, ErasedGame>,
        observer: &mut dyn SearchObserver<u16>,
    ) -> Option<Result<Report<u16>, Fault>> {
        self.player.resume(at, observer)
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

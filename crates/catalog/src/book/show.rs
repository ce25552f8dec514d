//! The view of a position in a book.

use super::expansion::{after, children};
use super::opened::Book;
use super::view::{BookMoveView, BookView};
use crate::game_state::GameState;
use crate::view::{VERSION, side_word};

impl Book {
    /// The entry of the current position of a game; `None` if the position is not in the book.
    pub fn view(&self, game: &GameState) -> Option<BookView> {
        let game = &mut game.fork();
        let entry = self.entry(game.position_key())?;
        let side = game.to_move();
        let mut moves = Vec::new();
        for child in children(game) {
            if let Some((known, positions)) = self.value_of_move(entry, child.key) {
                moves.push(BookMoveView {
                    pv: after(game, &child.mv, |game| self.line(game, vec![child.mv.clone()])),
                    mv: child.mv,
                    value: known.result_for(side),
                    margin: known.margin_for(side),
                    positions: positions as u64,
                });
            }
        }
        let best_first = |view: &BookMoveView| (view.value, view.margin.unwrap_or(0.0));
        let best = moves.iter().position(|view| {
            let key = after(game, &view.mv, |game| game.position_key());
            entry.best == Some(key)
        });
        let best = best.map(|idx| moves.remove(idx));
        moves.sort_by(|a, b| {
            let (a, b) = (best_first(a), best_first(b));
            b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1))
        });
        moves.splice(0..0, best);
        let plan = self.plan();
        Some(BookView {
            v: VERSION,
            game: plan.game.clone(),
            player: plan.player.clone(),
            budget: plan.budget.clone(),
            seed: plan.seed,
            positions: self.n_positions() as u64,
            position: game.position(),
            to_move: side_word(side).to_owned(),
            value: entry.value.result_for(side),
            margin: entry.value.margin_for(side),
            positions_below: entry.below as u64,
            pv: self.line(game, Vec::new()),
            moves,
        })
    }

    /// Adds the best moves of the book from the current position on.
    fn line(&self, game: &mut GameState, mut line: Vec<String>) -> Vec<String> {
        let mut n_played = 0;
        while let Some(best) = self.entry(game.position_key()).and_then(|entry| entry.best) {
            let Some(child) = children(game).into_iter().find(|child| child.key == best) else { break };
            game.play(&child.mv).expect("a legal move");
            n_played += 1;
            line.push(child.mv);
        }
        (0..n_played).for_each(|_| drop(game.undo()));
        line
    }
}

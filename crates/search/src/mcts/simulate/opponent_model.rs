//! The reply that a model of the opponent predicts: other replies to the root's moves are not searched.
//!
//! The model's own search ignores the limits of the search; its time and playouts count as those of the search.

use banyan_core::{Game, Limits, Player, Silent, Situation, mix};

use crate::alpha_beta::ShallowSearch;

/// A player or a shallow search that predicts replies.
pub(crate) struct OpponentModel<G: Game> {
    kind: Kind<G>,
    /// The seed of its random numbers.
    seed: u64,
    /// Start and moves of the game up to the searched position; `None` before the first search.
    line: Option<(G::State, Vec<G::Move>)>,
}

enum Kind<G: Game> {
    /// A player that starts anew at each position, so that its prediction depends only on the seed and the position.
    Fresh(Box<dyn Player<G>>, Limits),
    /// A player that follows the game.
    InGame(Box<dyn Player<G>>, Limits),
    Lookahead(Box<dyn ShallowSearch<G>>),
}

impl<G: Game> OpponentModel<G> {
    /// A player that searches each position anew within limits.
    pub(crate) fn fresh(player: Box<dyn Player<G>>, limits: Limits) -> OpponentModel<G> {
        OpponentModel { kind: Kind::Fresh(player, limits), seed: 0, line: None }
    }

    /// A player that follows the game and searches within limits.
    pub(crate) fn in_game(player: Box<dyn Player<G>>, limits: Limits) -> OpponentModel<G> {
        OpponentModel { kind: Kind::InGame(player, limits), seed: 0, line: None }
    }

    /// A shallow alpha-beta search.
    pub(crate) fn lookahead(lookahead: Box<dyn ShallowSearch<G>>) -> OpponentModel<G> {
        OpponentModel { kind: Kind::Lookahead(lookahead), seed: 0, line: None }
    }

    /// Starts a game, all of whose randomness follows from `seed`.
    pub(crate) fn begin(&mut self, seed: u64) {
        self.seed = seed;
        self.forget();
    }

    /// Clears the memory of earlier positions.
    pub(crate) fn forget(&mut self) {
        match &mut self.kind {
            Kind::Fresh(..) => {}
            Kind::InGame(player, _) => player.new_game(self.seed),
            Kind::Lookahead(lookahead) => lookahead.forget(),
        }
    }

    /// Begins a search of this position.
    pub(super) fn begin_search(&mut self, at: &Situation<'_, G>) {
        self.line = Some((at.start.clone(), at.played.to_vec()));
    }

    /// The predicted reply after the move `first` of the searched position has led to `state`, and the playouts of the
    /// prediction.
    pub(super) fn reply(&mut self, game: &G, state: &G::State, first: G::Move) -> (G::Move, u64) {
        let alone = Situation { game, start: state, played: &[], state };
        let (report, fault) = match &mut self.kind {
            Kind::Lookahead(lookahead) => return (lookahead.search(game, state).best, 0),
            Kind::Fresh(player, limits) => {
                player.new_game(mix(self.seed ^ game.key(state)));
                (player.choose(&alone, limits, &mut Silent), "a panic of the model is one of the search")
            }
            Kind::InGame(player, limits) => {
                let (start, played) = self.line.as_mut().expect("a search has begun");
                played.push(first);
                let at = Situation { start, played, ..alone };
                let report = player.choose(&at, limits, &mut Silent);
                played.pop();
                (report, "an opponent model that fails ends the search")
            }
        };
        let report = report.expect(fault);
        (report.best, report.playouts)
    }
}

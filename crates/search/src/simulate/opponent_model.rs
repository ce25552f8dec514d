//! The reply that a model of the opponent predicts: other replies to the root's moves are not searched.
//!
//! The model's own search ignores the limits of the search and is not counted in its playouts or nodes.

use banyan_core::{Game, Limits, Player, Silent, Situation, mix};

use crate::alpha_beta::ShallowSearch;

/// A player or a shallow search that predicts replies.
pub(crate) struct OpponentModel<G: Game> {
    kind: Kind<G>,
    /// The seed of its random numbers.
    seed: u64,
}

enum Kind<G: Game> {
    Player(Box<dyn Player<G>>, Limits),
    Lookahead(Box<dyn ShallowSearch<G>>),
}

impl<G: Game> OpponentModel<G> {
    /// A player that searches within limits.
    pub(crate) fn player(player: Box<dyn Player<G>>, limits: Limits) -> OpponentModel<G> {
        OpponentModel { kind: Kind::Player(player, limits), seed: 0 }
    }

    /// A shallow alpha-beta search.
    pub(crate) fn lookahead(lookahead: Box<dyn ShallowSearch<G>>) -> OpponentModel<G> {
        OpponentModel { kind: Kind::Lookahead(lookahead), seed: 0 }
    }

    /// Starts a game, all of whose randomness follows from `seed`.
    pub(crate) fn begin(&mut self, seed: u64) {
        self.seed = seed;
        self.forget();
    }

    /// Clears what was kept from earlier positions.
    pub(crate) fn forget(&mut self) {
        if let Kind::Lookahead(lookahead) = &mut self.kind {
            lookahead.forget();
        }
    }

    /// The predicted reply, the same at every call for a position.
    pub(super) fn reply(&mut self, game: &G, state: &G::State) -> G::Move {
        match &mut self.kind {
            Kind::Lookahead(lookahead) => lookahead.search(game, state).best,
            Kind::Player(player, limits) => {
                player.new_game(mix(self.seed ^ game.key(state)));
                let at = Situation { game, start: state, played: &[], state };
                let report = player.choose(&at, limits, &mut Silent);
                report.expect("a panic of the model is one of the search").best
            }
        }
    }
}

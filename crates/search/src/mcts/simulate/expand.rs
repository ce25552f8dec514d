//! Expansion: the moves of a new node, in the order in which they are tried, and their priors.

use banyan_core::{Game, MoveCode};

use super::context::Context;
use super::search::Search;
use crate::mcts::tree::{Access, NodeId, Packed};
use crate::options::{ExpansionWidth, ForcedMoves};

impl<G: Game> Search<G> {
    /// Lists the moves of a position that is not terminal, and returns the bounds that they prove.
    #[inline(never)]
    pub(crate) fn list_moves(&mut self, context: &Context<'_, G>, state: &G::State, offset: i16) -> Packed {
        let Context { game, config, .. } = *context;
        self.moves.clear();
        let proven = match config.forced {
            ForcedMoves::Never => {
                game.moves(state, &mut self.moves);
                None
            }
            ForcedMoves::OnePly | ForcedMoves::OnePlyAlways => {
                self.knowledge.one_ply_moves(game, state, &mut self.moves);
                None
            }
            ForcedMoves::Undominated => self.knowledge.undominated(game, state, &mut self.moves),
            ForcedMoves::Expansion | ForcedMoves::Always => self.knowledge.forced_moves(game, state, &mut self.moves),
        };
        let params = &self.tree.params;
        if !params.proves() {
            return params.unknown(offset);
        }
        let bounds = params.packed(game.bounds(state), offset);
        proven.map_or(bounds, |proven| bounds.and(params.packed(proven, offset)))
    }

    /// If the path is one move of the root's side and the opponent is to reply, keeps only the reply that the opponent
    /// model predicts of the moves just listed.
    #[inline(never)]
    pub(crate) fn expect_reply(&mut self, context: &Context<'_, G>, state: &G::State) {
        let Some(model) = &mut self.opponent_model else { return };
        let game = context.game;
        let answers = self.tree.path.len() == 1 && game.to_move(state) != game.to_move(context.state);
        if answers {
            let first = G::Move::from_code(self.tree.graph.code(self.tree.last().edge));
            let (reply, playouts) = model.reply(game, state, first);
            self.tree.playouts += playouts;
            self.moves.clear();
            self.moves.push(reply);
        }
    }

    /// Gives the codes of the moves just listed to the tree. Where they are tried one at a time and have priors, the one
    /// with the highest prior comes first; with `ordered`, others are sorted by the order in which they are tried.
    #[inline]
    pub(crate) fn encode_moves(&mut self, context: &Context<'_, G>, state: &G::State, one_by_one: bool, ordered: bool) {
        self.tree.codes.clear();
        self.tree.codes.extend(self.moves.iter().map(|mv| mv.code()));
        self.tree.priors.clear();
        if one_by_one && self.prior_evaluator.is_some() {
            self.request_priors(context, state);
            self.tree.sort_by_prior();
        } else if ordered {
            self.tree.sort_codes(&context.guide(state));
        }
    }

    /// Requests the priors of the moves listed last: equal ones if the game has none for the position.
    fn request_priors(&mut self, context: &Context<'_, G>, state: &G::State) {
        let Search { tree, moves, prior_evaluator, .. } = self;
        let Some(evaluator) = prior_evaluator else { return };
        tree.priors.clear();
        evaluator.priors(context.game, state, moves, &mut tree.priors);
        if tree.priors.is_empty() {
            tree.priors.resize(moves.len(), 1.0 / moves.len() as f32);
        }
    }

    /// Requests the priors of a node whose children were all evaluated at expansion. This is done at the first
    /// selection in the node, which most nodes never reach.
    #[inline(never)]
    pub(crate) fn fetch_priors<A: Access>(
        &mut self,
        context: &Context<'_, G>,
        access: &mut A,
        state: &G::State,
        node: NodeId,
    ) {
        if self.prior_evaluator.is_none() {
            return;
        }
        self.moves.clear();
        self.moves.extend(self.tree.graph.codes(node).iter().map(|&code| G::Move::from_code(code)));
        self.request_priors(context, state);
        self.tree.graph.set_priors(node, &self.tree.priors);
        access.learnt_priors(&self.tree, node);
        self.tree.priors.clear();
    }

    /// Whether all children of a new node with `len` children are evaluated at once.
    #[inline]
    pub(crate) fn evaluates_children(&self, len: usize) -> bool {
        self.tree.params.expand != ExpansionWidth::One
            && !self.priors_with_values
            && self.tree.spent() + len as u64 <= self.tree.most_playouts
            && self.tree.nodes + self.tree.pending.playouts() + len as u64 <= self.tree.most_nodes
    }
}

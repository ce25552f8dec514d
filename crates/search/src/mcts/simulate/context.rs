//! The position that is searched, and the data that the tree reads from the game at positions below it.

use banyan_core::{Game, Knowledge, MoveCode, Plain};

use crate::mcts::tree::{Edge, Guide, NodeId, Params, Tree};
use crate::options::{Config, ExpansionWidth};

/// A position to search, with its game and settings.
pub(crate) struct Context<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) config: &'a Config,
    /// The position of the root.
    pub(crate) state: &'a G::State,
}

impl<G: Game> Clone for Context<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Context<'_, G> {}

impl<'a, G: Game> Context<'a, G> {
    /// The score from which values and bounds of a position are counted.
    #[inline]
    pub(crate) fn offset(&self, params: &Params, state: &G::State) -> i16 {
        if params.linear { self.game.score(state).0 } else { 0 }
    }

    /// The key by which positions share a node.
    #[inline]
    pub(crate) fn key(&self, params: &Params, state: &G::State) -> u64 {
        params.key(self.game.key(state), self.game.score(state))
    }

    /// About the number of playouts that a visit of a new node makes: those of all its children, if they are evaluated at
    /// once, of which there are rarely many more than at the root.
    pub(crate) fn playouts_of_a_visit(&self, tree: &Tree) -> u64 {
        if self.config.expand == ExpansionWidth::One { 1 } else { tree.graph.len(tree.root) as u64 }
    }

    /// The data that selection reads from the game at a position.
    #[inline]
    pub(crate) fn guide<'b>(&'b self, state: &'b G::State) -> AtState<'b, 'a, G> {
        self.guide_by(state, &Plain)
    }

    /// That data, with identities of moves by the game's knowledge.
    #[inline]
    pub(crate) fn guide_by<'b>(&'b self, state: &'b G::State, knowledge: &'b dyn Knowledge<G>) -> AtState<'b, 'a, G> {
        AtState { context: self, state, knowledge }
    }

    /// The node an edge leads to, if it has not been recycled.
    pub(crate) fn child(&self, tree: &Tree, edge: Edge, state: &G::State) -> Option<NodeId> {
        let compares = tree.params.shared && tree.graph.handles_age();
        tree.child(edge, if compares { self.key(&tree.params, state) } else { 0 })
    }
}

/// A position behind an interface that does not depend on the game.
pub(crate) struct AtState<'b, 'a, G: Game> {
    context: &'b Context<'a, G>,
    state: &'b G::State,
    knowledge: &'b dyn Knowledge<G>,
}

impl<G: Game> Guide for AtState<'_, '_, G> {
    fn centrality(&self, code: u16) -> u8 {
        self.context.game.centrality(MoveCode::from_code(code))
    }

    fn identities(&self, codes: &[u16], into: &mut Vec<u16>) {
        let AtState { context, state, knowledge } = self;
        into.clear();
        into.extend(codes.iter().map(|&code| knowledge.move_identity(context.game, state, MoveCode::from_code(code))));
    }

    fn scheduled_weight(&self) -> Option<f32> {
        let schedule = &self.context.config.schedule;
        schedule.is_set().then(|| schedule.at(self.context.game.phase(self.state)))
    }

    fn offset(&self, params: &Params) -> i16 {
        self.context.offset(params, self.state)
    }
}

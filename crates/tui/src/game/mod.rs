//! The game on the screen: its variations, the position that is shown, and what is known about its positions.

mod tree;

use std::collections::HashMap;
use std::rc::Rc;

use banyan_api::{AnalysisView, Offer, Refusal, Spot, StateView, state};
use banyan_review::{Review, ReviewUnit, ReviewedMove, Valuation};

pub(crate) use tree::{NodeId, Tree};

/// The value of a position for the first side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Value {
    /// -1 .. 1.
    pub(crate) value: f64,
    pub(crate) margin: Option<f64>,
}

/// A review of the moves of a line.
pub(crate) struct Reviewed {
    pub(crate) review: Review,
    /// The positions of the line, the first one included.
    pub(crate) line: Vec<NodeId>,
}

/// A game with its variations.
pub(crate) struct Game {
    /// The game with its board.
    pub(crate) spec: String,
    /// The first position, unless it is the start of the game.
    pub(crate) position: Option<String>,
    pub(crate) tree: Tree,
    cursor: NodeId,
    /// Moves at the beginning that no player chose.
    pub(crate) opening_plies: usize,
    states: HashMap<NodeId, Rc<StateView>>,
    found: HashMap<NodeId, AnalysisView>,
    pub(crate) review: Option<Reviewed>,
    /// Moves that were reviewed alone.
    explained: HashMap<NodeId, (ReviewedMove, ReviewUnit)>,
    /// The move that was taken back last, and whether it was the first of the alternatives.
    taken_back: Option<(NodeId, bool)>,
}

impl Game {
    /// The game of a spot, at its end.
    ///
    /// # Errors
    /// A spot that is invalid.
    pub(crate) fn new(offer: &Offer, spot: &Spot) -> Result<Game, Refusal> {
        let mut tree = Tree::new();
        let mut game = Game {
            spec: spot.game.clone(),
            position: spot.position.clone(),
            cursor: tree.root(),
            opening_plies: 0,
            states: HashMap::new(),
            found: HashMap::new(),
            review: None,
            explained: HashMap::new(),
            taken_back: None,
            tree: Tree::new(),
        };
        // The moves in the notation of the game.
        let end = state(offer, spot)?;
        game.spec.clone_from(&end.game);
        game.position.clone_from(&end.start);
        let moves: Vec<String> = end.moves.iter().map(|played| played.mv.clone()).collect();
        game.cursor = tree.add_line(tree.root(), &moves);
        game.tree = tree;
        game.states.insert(game.cursor, Rc::new(end));
        Ok(game)
    }

    pub(crate) fn cursor(&self) -> NodeId {
        self.cursor
    }

    /// The position that is shown.
    pub(crate) fn state(&self) -> &Rc<StateView> {
        self.states.get(&self.cursor).expect("the state of the cursor is read before it moves")
    }

    /// A node as a request names it.
    pub(crate) fn spot_of(&self, node: NodeId) -> Spot {
        Spot { game: self.spec.clone(), position: self.position.clone(), moves: self.tree.moves_to(node) }
    }

    /// The position that is shown, as a request names it.
    pub(crate) fn spot(&self) -> Spot {
        self.spot_of(self.cursor)
    }

    /// Shows another position.
    pub(crate) fn go_to(&mut self, offer: &Offer, node: NodeId) -> Result<(), Refusal> {
        if !self.states.contains_key(&node) {
            self.states.insert(node, Rc::new(state(offer, &self.spot_of(node))?));
        }
        self.cursor = node;
        self.tree.visit(node);
        Ok(())
    }

    /// Makes a move, or follows it if it is a variation already.
    ///
    /// # Errors
    /// It is not legal.
    pub(crate) fn play(&mut self, offer: &Offer, mv: &str) -> Result<(), Refusal> {
        let mut spot = self.spot();
        spot.moves.push(mv.to_owned());
        let after = state(offer, &spot)?;
        let written = after.moves.last().map_or(mv, |played| &played.mv);
        let node = self.tree.add(self.cursor, written);
        if let Some((taken, was_main)) = self.taken_back.take()
            && was_main
            && taken != node
            && self.tree.parent(taken) == Some(self.cursor)
        {
            self.tree.prefer(node);
        }
        self.states.insert(node, Rc::new(after));
        self.go_to(offer, node)
    }

    /// Takes the last move back; the moves stay as a variation once another one is made.
    pub(crate) fn take_back(&mut self, offer: &Offer) -> Result<(), Refusal> {
        let Some(parent) = self.tree.parent(self.cursor) else { return Ok(()) };
        self.taken_back = Some((self.cursor, self.tree.children(parent).first() == Some(&self.cursor)));
        self.go_to(offer, parent)
    }

    /// Shows the position `steps` moves later in the line, or earlier if `steps` is negative.
    pub(crate) fn step(&mut self, offer: &Offer, steps: i32) -> Result<(), Refusal> {
        let mut node = self.cursor;
        for _ in 0..steps.unsigned_abs() {
            let next = if steps < 0 { self.tree.parent(node) } else { self.tree.following(node) };
            node = next.unwrap_or(node);
        }
        self.go_to(offer, node)
    }

    /// The positions of the line through the cursor.
    pub(crate) fn line(&self) -> Vec<NodeId> {
        self.tree.line_through(self.cursor)
    }

    /// Whether positions beyond the cursor are known.
    pub(crate) fn has_next(&self) -> bool {
        self.tree.following(self.cursor).is_some()
    }

    /// The result of a search at a node.
    pub(crate) fn found_at(&self, node: NodeId) -> Option<&AnalysisView> {
        self.found.get(&node)
    }

    /// Forgets what searches have found, since another player analyses now.
    pub(crate) fn forget_found(&mut self) {
        self.found.clear();
    }

    /// Keeps what a search has found, unless a deeper one is known.
    pub(crate) fn keep(&mut self, node: NodeId, view: AnalysisView, replace: bool) {
        let is_better = |known: &AnalysisView| {
            let proof = known.analysis.proof;
            proof.is_some_and(|proof| proof.lower == proof.upper) || known.analysis.nodes > view.analysis.nodes
        };
        if replace || !self.found.get(&node).is_some_and(is_better) {
            self.found.insert(node, view);
        }
    }

    /// The review of the move that leads to a node, with the unit of its loss.
    pub(crate) fn review_of(&self, node: NodeId) -> Option<(&ReviewedMove, ReviewUnit)> {
        let of_game = self.review.as_ref().and_then(|Reviewed { review, line }| {
            let ply = line.iter().position(|&one| one == node)?;
            Some((review.moves.iter().find(|mv| mv.ply == ply)?, review.unit))
        });
        of_game.or_else(|| self.explained.get(&node).map(|(mv, unit)| (mv, *unit)))
    }

    /// Keeps the review of one move.
    pub(crate) fn explain(&mut self, node: NodeId, review: Review) {
        let unit = review.unit;
        if let Some(mv) = review.moves.into_iter().next() {
            self.explained.insert(node, (mv, unit));
        }
    }

    /// The next move with a mark, or the one before the cursor.
    pub(crate) fn mistake(&self, forwards: bool) -> Option<NodeId> {
        let Reviewed { review, line } = self.review.as_ref()?;
        let ply = self.tree.moves_to(self.cursor).len();
        let mut marked = review.moves.iter().filter(|mv| mv.mark.is_some()).map(|mv| mv.ply);
        let found = if forwards { marked.find(|&one| one > ply) } else { marked.rfind(|&one| one < ply) };
        line.get(found?).copied()
    }

    /// The value of a node for the first side: the result, a proof, an analysis, or the review.
    pub(crate) fn value_of(&self, node: NodeId) -> Option<Value> {
        if let Some(result) = self.states.get(&node).and_then(|state| state.result.as_ref()) {
            return Some(Value { value: f64::from(result.margin.signum()), margin: Some(result.margin.into()) });
        }
        let Some(AnalysisView { analysis, .. }) = self.found.get(&node) else { return self.reviewed_value(node) };
        let sign = if analysis.to_move == "first" { 1.0 } else { -1.0 };
        Some(Value { value: sign * analysis.value, margin: analysis.margin.map(|margin| sign * margin) })
    }

    fn reviewed_value(&self, node: NodeId) -> Option<Value> {
        let Reviewed { review, line } = self.review.as_ref()?;
        let ply = line.iter().position(|&one| one == node)?;
        let of_ply = |ply: usize| review.moves.iter().find(|mv| mv.ply == ply);
        let before = of_ply(ply + 1).map(|mv| (mv, mv.before));
        let (mv, Valuation { value, margin, .. }) = before.or_else(|| of_ply(ply).map(|mv| (mv, mv.after)))?;
        let sign = if mv.to_move == "first" { 1.0 } else { -1.0 };
        Some(Value { value: sign * value, margin: margin.map(|margin| sign * margin) })
    }
}

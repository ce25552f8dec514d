//! A player with its search tree, kept between the searches of a viewer, and the top of this tree.

use banyan_catalog::exploration::MOST_NODES;
use banyan_catalog::view::{Exploration, NodeView};
use banyan_catalog::{PlayerSpec, Seat, Session};
use serde::Serialize;

use crate::refusal::Refusal;

/// Default number of nodes of a tree.
const USUAL_NODES: usize = 60;

/// A player in a game, with its search tree.
pub struct Kept {
    player: String,
    seed: u64,
    pub(crate) session: Session,
    pub(crate) seat: Seat,
}

impl Kept {
    /// A player in the position of `session`: the known one if it is the same player in the same game.
    pub(crate) fn at(
        known: Option<Kept>,
        mut session: Session,
        player: &PlayerSpec,
        seed: u64,
    ) -> Result<Kept, Refusal> {
        let name = player.to_string();
        if let Some(mut known) = known.filter(|known| known.serves(&session, &name, seed)) {
            known.go_to(&session.history());
            return Ok(known);
        }
        let seat = session.seat(player, seed).map_err(|err| Refusal::in_field("player", &err))?;
        Ok(Kept { player: name, seed, session, seat })
    }

    fn serves(&self, other: &Session, player: &str, seed: u64) -> bool {
        self.session.spec() == other.spec()
            && self.session.first_position() == other.first_position()
            && self.player == player
            && self.seed == seed
    }

    /// Moves the session to the position after `moves`.
    fn go_to(&mut self, moves: &[String]) {
        let played = self.session.history();
        let common = played.iter().zip(moves).take_while(|(one, other)| one == other).count();
        (common..played.len()).for_each(|_| drop(self.session.undo()));
        for mv in &moves[common..] {
            self.session.play(mv).expect("the moves were played in a session of the same game");
        }
    }
}

/// The tree of one search, which can be read while the search runs, and until the next one with the same [`Kept`].
#[derive(Clone, Debug)]
pub struct SearchTree {
    is_kept: bool,
    position: String,
    n_moves: usize,
}

impl SearchTree {
    pub(crate) fn new(session: &Session, is_kept: bool) -> SearchTree {
        SearchTree { is_kept, position: session.position(), n_moves: session.history().len() }
    }

    /// Whether the player keeps a tree at all.
    ///
    /// # Errors
    /// It does not.
    pub fn check(&self) -> Result<(), Refusal> {
        match self.is_kept {
            true => Ok(()),
            false => {
                Err(Refusal::input("tree: this player keeps no search tree; use a Monte Carlo player such as mcgs"))
            }
        }
    }

    /// The top of the tree, with about 60 nodes unless given; `None` if it has not begun, or is kept no longer.
    pub fn top(&self, kept: &Kept, nodes: Option<usize>) -> Option<TreeView> {
        let session = &kept.session;
        let is_there = session.history().len() == self.n_moves && session.position() == self.position;
        let nodes = nodes.unwrap_or(USUAL_NODES).clamp(1, MOST_NODES);
        if is_there { session.explored(kept.seat, nodes).map(TreeView::new) } else { None }
    }

    /// The refusal for a tree without a top.
    pub fn missing() -> Refusal {
        Refusal::not_found("a tree that has begun and is still kept")
    }
}

/// The top of a search tree.
#[derive(Serialize)]
pub struct TreeView {
    v: u32,
    game: String,
    position: String,
    sides: [String; 2],
    nodes: Vec<PlacedNode>,
}

/// A position of a tree and a shortest path to it.
#[derive(Serialize)]
struct PlacedNode {
    #[serde(flatten)]
    node: NodeView,
    /// Moves from the root.
    moves: Vec<String>,
}

impl TreeView {
    fn new(tree: Exploration) -> TreeView {
        let ways = ways(&tree.nodes);
        let nodes = tree.nodes.into_iter().zip(ways).map(|(node, moves)| PlacedNode { node, moves }).collect();
        TreeView { v: tree.v, game: tree.game, position: tree.position, sides: tree.sides, nodes }
    }
}

/// The moves from the first node to each node, found breadth first.
fn ways(nodes: &[NodeView]) -> Vec<Vec<String>> {
    let mut ways: Vec<Option<Vec<String>>> = vec![None; nodes.len()];
    if let Some(root) = ways.first_mut() {
        *root = Some(Vec::new());
    }
    let mut open: Vec<usize> = (0..nodes.len().min(1)).collect();
    while !open.is_empty() {
        let mut next = Vec::new();
        for at in open {
            let way = ways[at].clone().unwrap_or_default();
            for edge in &nodes[at].edges {
                let Some(to) = edge.to.filter(|&to| ways[to].is_none()) else { continue };
                ways[to] = Some(way.iter().chain([&edge.mv]).cloned().collect());
                next.push(to);
            }
        }
        open = next;
    }
    ways.into_iter().map(Option::unwrap_or_default).collect()
}

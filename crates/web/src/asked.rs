//! Requests for the search tree of an analysis, running or finished.

use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use banyan_catalog::exploration::MOST_NODES;
use banyan_catalog::view::{Exploration, NodeView};
use banyan_catalog::{Seat, Session};
use serde::Serialize;
use tokio::sync::oneshot::{Receiver, Sender, channel};
use tokio::time::timeout;

use crate::exchange::Json;
use crate::jobs::Job;
use crate::lock::lock;
use crate::refusal::Refusal;
use crate::viewers::{Kept, Viewer};
use crate::workers::Workers;

/// Time limit for a running search to return its tree.
const TREE_TIME: Duration = Duration::from_secs(5);
/// Default number of nodes of a tree.
const USUAL_NODES: usize = 60;

/// Data for requests about an analysis.
pub(crate) struct Asked {
    pub(crate) questions: Arc<Questions>,
    /// The viewer with a token; without one no tree is kept.
    pub(crate) viewer: Weak<Viewer>,
    pub(crate) keeps_tree: bool,
    /// The position, which identifies the kept tree of this analysis.
    pub(crate) position: String,
    pub(crate) moves: usize,
}

/// A request for the tree of a running search.
pub(crate) struct Question {
    most_nodes: usize,
    answer: Sender<Option<Exploration>>,
}

/// Requests that wait for a search to pause; `None` if the search is not running.
#[derive(Default)]
pub(crate) struct Questions(Mutex<Option<Vec<Question>>>);

impl Questions {
    pub(crate) fn open(&self) {
        *lock(&self.0) = Some(Vec::new());
    }

    pub(crate) fn is_waiting(&self) -> bool {
        lock(&self.0).as_ref().is_some_and(|waiting| !waiting.is_empty())
    }

    pub(crate) fn take(&self) -> Vec<Question> {
        lock(&self.0).as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Takes the last requests, and accepts no more.
    pub(crate) fn close(&self) -> Vec<Question> {
        lock(&self.0).take().unwrap_or_default()
    }

    /// Queues a request for the tree of a running search; `None` if it is not running.
    fn ask(&self, most_nodes: usize) -> Option<Receiver<Option<Exploration>>> {
        let (answer, answers) = channel();
        let mut questions = lock(&self.0);
        let waiting = questions.as_mut()?;
        waiting.retain(|question| !question.answer.is_closed());
        waiting.push(Question { most_nodes, answer });
        Some(answers)
    }
}

pub(crate) fn answer_all(questions: Vec<Question>, session: &Session, seat: Seat) {
    for Question { most_nodes, answer } in questions {
        // The client may have disconnected.
        let _ = answer.send(session.explored(seat, most_nodes));
    }
}

/// The top of a search tree.
#[derive(Serialize)]
pub(crate) struct TreeView {
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

/// The top of the tree of an analysis, running or finished, computed and serialised on one of `workers`.
pub(crate) async fn tree(workers: &Workers, job: Arc<Job<Asked>>, nodes: Option<usize>) -> Result<Json, Refusal> {
    if !job.about.keeps_tree {
        return Err(Refusal::input("tree: this player keeps no search tree; use a Monte Carlo player such as mcgs"));
    }
    let nodes = nodes.unwrap_or(USUAL_NODES).clamp(1, MOST_NODES);
    let of_running = match job.about.questions.ask(nodes) {
        Some(answer) => timeout(TREE_TIME, answer).await.ok().and_then(Result::ok).flatten(),
        None => None,
    };
    let written = move || {
        let tree = of_running.or_else(|| kept_tree(&job.about, nodes));
        let tree = tree.ok_or_else(|| Refusal::not_found("a tree that has begun and is still kept"))?;
        Json::of(&TreeView::new(tree))
    };
    workers.run(written).await
}

/// The top of the viewer's kept tree, if it is still that of this analysis.
fn kept_tree(asked: &Asked, nodes: usize) -> Option<Exploration> {
    let is_there =
        |kept: &Kept| kept.session.history().len() == asked.moves && kept.session.position() == asked.position;
    let explored = |kept: &Kept| if is_there(kept) { kept.session.explored(kept.seat, nodes) } else { None };
    asked.viewer.upgrade()?.ask(explored)?
}

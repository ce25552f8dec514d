//! Analysis while a viewer looks: `POST /api/analysis`, its events, and the top of its search tree.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use banyan_catalog::exploration::MOST_NODES;
use banyan_catalog::view::{Analysis, Exploration, NodeView};
use banyan_catalog::{AnalysisObserver, PlayerSpec, Seat, Session};
use banyan_core::{Flow, Limits};
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::events::{Message, Reporter, Stop, Work};
use crate::jobs::lock;
use crate::player::{budget, finite_budget};
use crate::progress::{AnalysisView, Throttle};
use crate::refusal::Refusal;
use crate::spot::Spot;
use crate::viewers::{Kept, Viewer};

/// Time in which a running search answers about its tree.
const TREE_TIME: Duration = Duration::from_secs(5);
/// The budget of a move where none is given.
const USUAL_BUDGET: &str = "1s";
/// Nodes of a tree where no number is given.
const USUAL_NODES: usize = 60;
/// Characters of the token of a viewer.
const MOST_TOKEN: usize = 100;

/// A search that is asked for.
#[derive(Deserialize)]
pub(crate) struct Query {
    spot: Spot,
    #[serde(default)]
    player: Option<String>,
    #[serde(default)]
    budget: Option<String>,
    #[serde(default)]
    seed: Option<u64>,
    /// Names the viewer, whose next analysis uses the same tree.
    #[serde(default)]
    keep: Option<String>,
}

/// What can be asked about an analysis.
pub(crate) struct Asked {
    questions: Arc<Questions>,
    /// Of a viewer with a token: others keep no tree.
    viewer: Weak<Viewer>,
    keeps_tree: bool,
    /// The position, by which a kept tree is known to be of this analysis.
    position: String,
    moves: usize,
}

/// A question about the tree of a running search.
struct Question {
    most_nodes: usize,
    answer: Sender<Option<Exploration>>,
}

/// Questions that wait for a search to pause; none once the search has ended.
#[derive(Default)]
struct Questions(Mutex<Option<Vec<Question>>>);

impl Questions {
    fn open(&self) {
        *lock(&self.0) = Some(Vec::new());
    }

    fn is_waiting(&self) -> bool {
        lock(&self.0).as_ref().is_some_and(|waiting| !waiting.is_empty())
    }

    fn take(&self) -> Vec<Question> {
        lock(&self.0).as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Takes the last questions and no more.
    fn close(&self) -> Vec<Question> {
        lock(&self.0).take().unwrap_or_default()
    }

    /// Asks the running search, if it runs.
    fn ask(&self, most_nodes: usize) -> Option<std::sync::mpsc::Receiver<Option<Exploration>>> {
        let (answer, answers) = channel();
        lock(&self.0).as_mut()?.push(Question { most_nodes, answer });
        Some(answers)
    }
}

fn answer_all(questions: Vec<Question>, session: &dyn Session, seat: Seat) {
    for Question { most_nodes, answer } in questions {
        // Whoever asked may have left.
        let _ = answer.send(session.explored(seat, most_nodes));
    }
}

/// What ends a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Its budget, or its viewer if there is none.
    BudgetOrViewer,
    /// Its budget, as for a move in a game.
    Budget,
}

/// Checks what is asked for, and makes it work that begins when its events are read.
pub(crate) fn prepare(app: &Arc<App>, query: Query, end: End) -> Result<(Work, Stop, Asked), Refusal> {
    let session = query.spot.open(&app.catalog)?;
    let player = app.player(&*session, query.player.as_deref())?;
    let limits = match (query.budget.as_deref(), end) {
        (None, End::Budget) => finite_budget(USUAL_BUDGET, &player)?.first_limits(),
        (Some(text), End::Budget) => finite_budget(text, &player)?.first_limits(),
        (text, End::BudgetOrViewer) => budget(text, &player)?,
    };
    let kept = match query.keep.as_deref() {
        None | Some("") => None,
        Some(token) if token.len() <= MOST_TOKEN => Some(app.viewers.get(token, app.limits.sessions)?),
        Some(_) => {
            return Err(Refusal::input(format!("keep: expected at most {MOST_TOKEN} bytes; try a random number")));
        }
    };
    let viewer = kept.as_ref().map_or_else(Weak::new, Arc::downgrade);
    let (stop, questions) = (Stop::default(), Arc::new(Questions::default()));
    let asked = Asked {
        questions: Arc::clone(&questions),
        viewer: viewer.clone(),
        keeps_tree: player.keeps_its_search(),
        position: session.position(),
        moves: session.history().len(),
    };
    let (app, work_stop, seed) = (Arc::clone(app), stop.clone(), query.seed.unwrap_or(1));
    let work = move |reporter: &Reporter| {
        // A viewer that was forgotten since then searches without a tree that is kept.
        let viewer = viewer.upgrade().unwrap_or_default();
        viewer.replace_search(&work_stop);
        let search = |kept: &mut Kept| {
            questions.open();
            let ended = Search { reporter, questions: &questions, player: &player }.run(kept, &limits);
            answer_all(questions.close(), &*kept.session, kept.seat);
            ended
        };
        viewer.search(&app.catalog, (&query.spot, &player, seed), search)
    };
    Ok((Box::new(work), stop, asked))
}

/// A search that pauses when somebody asks about its tree.
struct Search<'a> {
    reporter: &'a Reporter,
    questions: &'a Questions,
    player: &'a PlayerSpec,
}

impl Search<'_> {
    fn run(&self, kept: &mut Kept, limits: &Limits) -> Result<Message, Refusal> {
        if let Some(verdict) = kept.session.verdict() {
            return Ok(Message::new("done", &AnalysisView::new(verdict, false)));
        }
        let bounds_only = self.player.is_alpha_beta();
        let (mut before, mut throttle) = (None::<Analysis>, Throttle::default());
        loop {
            let left = before.as_ref().map_or(*limits, |before| left(limits, before));
            let mut observer = Observer { search: self, before: before.as_ref(), throttle: &mut throttle, bounds_only };
            let found = kept.session.choose(kept.seat, &left, &mut observer);
            let found = found.map_err(|fault| Refusal::input(format!("player {}: {fault}", self.player)))?;
            let found = added(before.as_ref(), &found);
            let questions = self.questions.take();
            let paused = !questions.is_empty() && !self.reporter.stopped() && !is_over(limits, &found);
            answer_all(questions, &*kept.session, kept.seat);
            if !paused {
                return Ok(Message::new("done", &AnalysisView::new(found, bounds_only)));
            }
            before = Some(found);
        }
    }
}

/// Reports a search, and pauses it for questions.
struct Observer<'a> {
    search: &'a Search<'a>,
    before: Option<&'a Analysis>,
    throttle: &'a mut Throttle,
    bounds_only: bool,
}

impl AnalysisObserver for Observer<'_> {
    fn stopped(&mut self) -> bool {
        self.search.reporter.stopped() || self.search.questions.is_waiting()
    }

    fn progress(&mut self, analysis: &Analysis) -> Flow {
        if self.throttle.is_due() {
            let view = AnalysisView::new(added(self.before, analysis), self.bounds_only);
            self.search.reporter.send(Message::new("progress", &view));
        }
        Flow::Continue
    }
}

/// The whole search so far, of which `now` is the part since a pause.
fn added(before: Option<&Analysis>, now: &Analysis) -> Analysis {
    let Some(before) = before else { return now.clone() };
    Analysis {
        playouts: before.playouts + now.playouts,
        reused: before.reused,
        elapsed_ms: before.elapsed_ms + now.elapsed_ms,
        cpu_ms: before.cpu_ms + now.cpu_ms,
        ..now.clone()
    }
}

/// The limits after a pause.
fn left(limits: &Limits, before: &Analysis) -> Limits {
    let elapsed = Duration::from_secs_f64(before.elapsed_ms / 1000.0);
    Limits {
        time: limits.time.map(|time| time.saturating_sub(elapsed)),
        playouts: limits.playouts.map(|n| n.saturating_sub(before.playouts).max(1)),
        nodes: limits.nodes.map(|n| n.saturating_sub(before.nodes).max(1)),
        ..*limits
    }
}

/// Whether nothing is left of the limits.
fn is_over(limits: &Limits, found: &Analysis) -> bool {
    let elapsed = Duration::from_secs_f64(found.elapsed_ms / 1000.0);
    limits.time.is_some_and(|time| elapsed >= time)
        || limits.playouts.is_some_and(|n| found.playouts >= n)
        || limits.nodes.is_some_and(|n| found.nodes >= n)
        || limits.clock.is_some()
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

/// A position of a tree and one of the shortest ways to it.
#[derive(Serialize)]
struct PlacedNode {
    #[serde(flatten)]
    node: NodeView,
    /// From the root.
    moves: Vec<String>,
}

impl TreeView {
    fn new(tree: Exploration) -> TreeView {
        let ways = ways(&tree.nodes);
        let nodes = tree.nodes.into_iter().zip(ways).map(|(node, moves)| PlacedNode { node, moves }).collect();
        TreeView { v: tree.v, game: tree.game, position: tree.position, sides: tree.sides, nodes }
    }
}

/// The moves from the first node to each, found breadth first.
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

/// The top of the tree of an analysis, which runs or has ended.
pub(crate) fn tree(asked: &Asked, nodes: Option<usize>) -> Result<TreeView, Refusal> {
    if !asked.keeps_tree {
        return Err(Refusal::input("tree: this player keeps no search tree; use a Monte Carlo player such as mcgs"));
    }
    let nodes = nodes.unwrap_or(USUAL_NODES).clamp(1, MOST_NODES);
    let of_running = || asked.questions.ask(nodes)?.recv_timeout(TREE_TIME).ok()?;
    let of_kept = || {
        let is_there =
            |kept: &Kept| kept.session.history().len() == asked.moves && kept.session.position() == asked.position;
        let explored = |kept: &Kept| if is_there(kept) { kept.session.explored(kept.seat, nodes) } else { None };
        asked.viewer.upgrade()?.ask(explored)?
    };
    let tree = of_running().or_else(of_kept);
    tree.map(TreeView::new).ok_or_else(|| Refusal::not_found("a tree that has begun and is still kept"))
}

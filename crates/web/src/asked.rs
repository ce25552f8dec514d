//! Requests for the search tree of an analysis, running or finished.

use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use banyan_api::{Kept, Refusal, SearchTree, TreeView};
use tokio::sync::oneshot::{Receiver, Sender, channel};
use tokio::time::timeout;

use crate::events::Stop;
use crate::exchange::Json;
use crate::jobs::Job;
use crate::lock::lock;
use crate::viewers::Viewer;
use crate::workers::Workers;

/// Time limit for a running search to return its tree.
const TREE_TIME: Duration = Duration::from_secs(5);

/// Data for requests about an analysis.
pub(crate) struct Asked {
    pub(crate) questions: Arc<Questions>,
    /// The viewer with a token; without one no tree is kept.
    pub(crate) viewer: Weak<Viewer>,
    pub(crate) tree: SearchTree,
}

impl Asked {
    /// Ends the search before of the same viewer, for which this one would otherwise wait.
    pub(crate) fn replace_search(&self, stop: &Stop) {
        if let Some(viewer) = self.viewer.upgrade() {
            viewer.replace_search(stop);
        }
    }
}

/// A request for the tree of a running search.
struct Question {
    nodes: Option<usize>,
    answer: Sender<Option<TreeView>>,
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

    /// Answers the requests that wait.
    pub(crate) fn answer(&self, kept: &Kept, tree: &SearchTree) {
        let waiting = lock(&self.0).as_mut().map(std::mem::take);
        answer(waiting, kept, tree);
    }

    /// Answers the last requests, and accepts no more.
    pub(crate) fn close(&self, kept: &Kept, tree: &SearchTree) {
        let waiting = lock(&self.0).take();
        answer(waiting, kept, tree);
    }

    /// Queues a request for the tree of a running search; `None` if it is not running.
    fn ask(&self, nodes: Option<usize>) -> Option<Receiver<Option<TreeView>>> {
        let (answer, answers) = channel();
        let mut questions = lock(&self.0);
        let waiting = questions.as_mut()?;
        waiting.retain(|question| !question.answer.is_closed());
        waiting.push(Question { nodes, answer });
        Some(answers)
    }
}

fn answer(questions: Option<Vec<Question>>, kept: &Kept, tree: &SearchTree) {
    for Question { nodes, answer } in questions.into_iter().flatten() {
        // The client may have disconnected.
        let _ = answer.send(tree.top(kept, nodes));
    }
}

/// The top of the tree of an analysis, running or finished, computed and serialised on one of `workers`.
pub(crate) async fn tree(workers: &Workers, job: Arc<Job<Asked>>, nodes: Option<usize>) -> Result<Json, Refusal> {
    job.about.tree.check()?;
    let of_running = match job.about.questions.ask(nodes) {
        Some(answer) => timeout(TREE_TIME, answer).await.ok().and_then(Result::ok).flatten(),
        None => None,
    };
    let written = move || {
        let Asked { viewer, tree, .. } = &job.about;
        let kept = || viewer.upgrade()?.ask(|kept| tree.top(kept, nodes))?;
        let top = of_running.or_else(kept).ok_or_else(SearchTree::missing)?;
        Json::of(&top)
    };
    workers.run(written).await
}

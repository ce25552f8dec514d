//! Searches for a viewer: `POST /api/analysis` and its events, and `POST /api/move`.

use std::sync::{Arc, Weak};

use banyan_api::{AnalysisView, End, Refusal, Search, SearchRequest, Sink, Step};

use crate::app::App;
use crate::asked::{Asked, Questions};
use crate::events::{Message, Reporter, Stop, Work};
use crate::jobs::Pace;

/// Maximum length of the token of a viewer in bytes.
const MOST_TOKEN: usize = 100;

/// A search that has not begun.
pub(crate) struct Prepared {
    pub(crate) work: Work,
    pub(crate) stop: Stop,
    pub(crate) pace: Pace,
    pub(crate) asked: Asked,
}

/// Checks a request, and turns it into work that begins when its events are read.
pub(crate) fn prepare(app: &Arc<App>, request: &SearchRequest, end: End) -> Result<Prepared, Refusal> {
    let search = Search::new(&app.offer, request, end)?;
    let kept = match request.keep.as_deref() {
        None | Some("") => None,
        Some(token) if token.len() <= MOST_TOKEN => Some(app.viewers.get(token, app.limits.sessions)?),
        Some(_) => {
            return Err(Refusal::input(format!("keep: expected at most {MOST_TOKEN} bytes; try a random number")));
        }
    };
    let pace = if search.is_quick() && kept.is_none() { Pace::Quick } else { Pace::Long };
    let viewer = kept.as_ref().map_or_else(Weak::new, Arc::downgrade);
    let (stop, questions) = (Stop::default(), Arc::new(Questions::default()));
    let asked = Asked { questions: Arc::clone(&questions), viewer: viewer.clone(), tree: search.tree() };
    let tree = search.tree();
    let work = move |reporter: &Reporter| {
        // A viewer that was dropped since then searches with a temporary tree.
        let viewer = viewer.upgrade().unwrap_or_default();
        let mut kept = viewer.kept();
        let (begun, mut running) = search.begin(kept.take())?;
        let kept = kept.insert(begun);
        questions.open();
        let sink = Paused { reporter, questions: &questions };
        let ended = loop {
            match running.step(kept, &sink) {
                Ok(Step::Paused) => questions.answer(kept, &tree),
                Ok(Step::Done(analysis)) => break Ok(Message::new("done", &analysis)),
                Err(refusal) => break Err(refusal),
            }
        };
        questions.close(kept, &tree);
        ended
    };
    Ok(Prepared { work: Box::new(work), stop, pace, asked })
}

/// Reports a search, and pauses it for requests of its tree.
struct Paused<'a> {
    reporter: &'a Reporter,
    questions: &'a Questions,
}

impl Sink<AnalysisView> for Paused<'_> {
    fn is_due(&self) -> bool {
        self.reporter.is_due()
    }

    fn send(&self, event: AnalysisView) {
        self.reporter.progress(&event);
    }

    fn is_stopped(&self) -> bool {
        self.reporter.stopped()
    }

    fn is_paused(&self) -> bool {
        self.questions.is_waiting()
    }
}

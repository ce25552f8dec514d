//! Reports of the engine, and the analysis that begins after a pause.

use std::time::Instant;

use super::{App, Job};
use crate::engine::{Ended, News};
use crate::game::Reviewed;

impl App {
    /// Takes what has happened since the last call.
    ///
    /// # Errors
    /// The thread of the engine has ended.
    pub(crate) fn tick(&mut self) -> Result<(), Ended> {
        for news in self.engine.news()? {
            self.is_changed = true;
            self.take(news);
        }
        if self.due.is_some_and(|due| Instant::now() >= due) {
            self.is_changed = true;
            self.analyse();
        }
        self.look_at_match();
        Ok(())
    }

    fn take(&mut self, news: News) {
        let job = self.job.clone();
        match (news, job) {
            (News::Analysis(view), Some(Job::Analysis(node))) => {
                let is_first = self.game.found_at(node).is_none();
                self.game.keep(node, *view, is_first);
                self.show_line();
            }
            (News::Analysed(view), Some(Job::Analysis(node))) => {
                self.game.keep(node, *view, false);
                self.job = None;
                self.show_line();
            }
            (News::Moves(view), Some(job)) => self.take_move(view.analysis.best, &job),
            (News::Reviews(progress), Some(Job::Review(line))) => {
                self.progress = Some([progress.done, progress.of]);
                self.game.review = Some(Reviewed { review: progress.review, line });
            }
            (News::Reviewed(review), Some(Job::Review(line))) => self.take_review(*review, line),
            (News::Reviewed(review), Some(Job::Why(node))) => {
                self.game.explain(node, *review);
                self.idle();
            }
            (News::Failed(refusal), _) => {
                // The analysis would be refused again.
                self.analyses &= !self.is_searching();
                self.idle();
                self.complain(&refusal);
            }
            _ => {}
        }
    }

    /// A task has ended.
    fn idle(&mut self) {
        self.job = None;
        self.progress = None;
        self.plan_analysis();
    }

    fn take_move(&mut self, best: Option<String>, job: &Job) {
        self.idle();
        let Some(best) = best else { return };
        match *job {
            Job::Answer(node) if node == self.game.cursor() => self.make(&best),
            Job::Hint(node) if node == self.game.cursor() => self.show_hint(&best),
            Job::Threat(node, side) if node == self.game.cursor() => self.show_threat(&best, side),
            _ => {}
        }
    }

    fn take_review(&mut self, review: banyan_review::Review, line: Vec<crate::game::NodeId>) {
        self.idle();
        let n = review.moves.iter().filter(|mv| mv.mark.is_some()).count();
        let first = review.moves.iter().find(|mv| mv.mark.is_some()).and_then(|mv| line.get(mv.ply).copied());
        let is_at_end = line.last() == Some(&self.game.cursor());
        self.game.review = Some(Reviewed { review, line });
        if let Some(node) = first.filter(|_| is_at_end) {
            self.go_to(node);
        }
        self.tell(self.words.say("review.finished", &[("n", &n)]));
    }
}

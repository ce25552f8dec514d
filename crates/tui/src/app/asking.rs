//! The tasks that the engine gets.

use banyan_api::{EditRequest, Refusal, ReviewRequest, SearchRequest, Spot, edit, state};
use banyan_catalog::DEFAULT_PLAYER;

use super::{App, Job};
use crate::edit::cells_text;
use crate::engine::Task;
use crate::pointing::{self, Ghost};

/// Budget of a hint.
const HINT: &str = "1s";
/// Budget of a position of the review.
const REVIEW: &str = "500ms";

impl App {
    /// A request for the position that is shown.
    fn request(&self, player: &str, budget: &str) -> SearchRequest {
        SearchRequest {
            spot: self.game.spot(),
            player: Some(player.to_owned()),
            budget: Some(budget.to_owned()),
            seed: Some(1),
            lines: None,
            keep: None,
        }
    }

    fn begin(&mut self, job: Job, task: Task) {
        self.due = None;
        self.progress = None;
        self.engine.begin(task);
        self.job = Some(job);
    }

    /// Begins the analysis of the position that is shown.
    pub(super) fn analyse(&mut self) {
        let request = self.request(&self.seats.analyst, &self.seats.limit);
        self.begin(Job::Analysis(self.game.cursor()), Task::Analyse(request));
    }

    pub(super) fn turn_engine(&mut self, on: bool) {
        self.analyses = on;
        if on {
            self.plan_analysis();
        } else {
            self.due = None;
            if self.is_searching() {
                self.engine.stop();
                self.job = None;
            }
        }
    }

    /// Has the player of the side to move make its move, if a player plays it.
    pub(super) fn answer(&mut self) {
        let Some(side) = self.game.state().to_move else { return };
        let player = self.seats.players[usize::from(side)].clone();
        if !player.is_empty() {
            self.ask_move(&player);
        }
    }

    /// Has the player of the side to move, or the analysing one, make a move now.
    pub(super) fn engine_moves(&mut self) {
        let Some(side) = self.game.state().to_move else { return };
        let player = &self.seats.players[usize::from(side)];
        let player = if player.is_empty() { self.seats.analyst.clone() } else { player.clone() };
        self.ask_move(&player);
    }

    fn ask_move(&mut self, player: &str) {
        let (name, own) = player.split_once('@').map_or((player, None), |(name, own)| (name, Some(own)));
        let mut request = self.request(name, own.unwrap_or(&self.seats.budget));
        // Other games with the same moves are played otherwise.
        request.seed = Some(seed_from_clock());
        self.begin(Job::Answer(self.game.cursor()), Task::Move(request));
    }

    /// Plays the best move of the analysis; starts the analysis if there is none.
    pub(super) fn play_best(&mut self) {
        let best = self.game.found_at(self.game.cursor()).and_then(|view| view.analysis.best.clone());
        match best.filter(|_| self.analyses) {
            Some(best) => self.play(&best),
            None => self.turn_engine(true),
        }
    }

    /// Shows a good move, or hides it.
    pub(super) fn ask_hint(&mut self) {
        if self.hint.take().is_some() {
            self.remark = None;
            return;
        }
        let known = self.game.found_at(self.game.cursor()).and_then(|view| view.analysis.best.clone());
        match known.filter(|_| self.analyses) {
            Some(best) => self.show_hint(&best),
            None => {
                let request = self.request(DEFAULT_PLAYER, HINT);
                self.begin(Job::Hint(self.game.cursor()), Task::Move(request));
            }
        }
    }

    pub(super) fn show_hint(&mut self, mv: &str) {
        let shown =
            if mv.parse::<u32>().is_ok() { self.words.say("play.column", &[("move", &mv)]) } else { mv.to_owned() };
        self.hint = self.ghost_of(&self.game.spot(), mv);
        self.tell(self.words.say("play.hint-is", &[("move", &shown)]));
    }

    fn ghost_of(&self, spot: &Spot, mv: &str) -> Option<Ghost> {
        pointing::line(&self.offer, spot, &[mv.to_owned()], 1).into_iter().next()
    }

    /// The position if the side to move passed.
    fn passed(&self) -> Result<(Spot, u8), Refusal> {
        let state = self.game.state();
        let other = 1 - state.to_move.unwrap_or(0);
        let cells = state.picture.as_ref().map(cells_text).unwrap_or_default();
        let request = EditRequest { game: self.game.spec.clone(), cells, to_move: Some(other) };
        let position = edit(&self.offer, &request)?.position;
        let spot = Spot { game: self.game.spec.clone(), position: Some(position), moves: Vec::new() };
        Ok((spot, other))
    }

    /// Shows the move that the other side would make if it were to move, or hides it.
    pub(super) fn ask_threat(&mut self) {
        if self.hint.take().is_some() {
            self.remark = None;
            return;
        }
        let asked = self.passed().and_then(|(spot, side)| Ok((state(&self.offer, &spot)?, spot, side)));
        match asked {
            Ok((passed, spot, side)) if passed.to_move == Some(side) => {
                let request = SearchRequest { spot, ..self.request(DEFAULT_PLAYER, HINT) };
                self.begin(Job::Threat(self.game.cursor(), side), Task::Move(request));
            }
            // If the number of stones determines the side to move, a pass is impossible.
            _ => self.tell(self.words.text("play.no-threat")),
        }
    }

    pub(super) fn show_threat(&mut self, mv: &str, side: u8) {
        let sides = self.words.sides(&self.game.spec);
        self.hint = self.passed().ok().and_then(|(spot, _)| self.ghost_of(&spot, mv));
        self.tell(self.words.say("play.threat-is", &[("side", &sides[usize::from(side)]), ("move", &mv)]));
    }

    fn review_of(&self, spot: Spot, plies: Option<[usize; 2]>) -> ReviewRequest {
        ReviewRequest {
            spot,
            player: Some(DEFAULT_PLAYER.to_owned()),
            budget: Some(REVIEW.to_owned()),
            players: None,
            opening_plies: if plies.is_none() { self.game.opening_plies } else { 0 },
            plies,
        }
    }

    /// Finds the reasons why the last move loses something.
    pub(super) fn ask_why(&mut self) {
        let node = self.game.cursor();
        if self.game.review_of(node).is_some() {
            return;
        }
        let spot = self.game.spot();
        let ply = spot.moves.len();
        let request = self.review_of(spot, Some([ply, ply]));
        self.begin(Job::Why(node), Task::Review(request));
    }

    /// Reviews the line that is shown.
    pub(super) fn begin_review(&mut self) {
        let line = self.game.line();
        let Some(&end) = line.last() else { return };
        let request = self.review_of(self.game.spot_of(end), None);
        self.begin(Job::Review(line), Task::Review(request));
        self.progress = Some([0, 0]);
    }

    /// Ends every search, and hides hints.
    pub(super) fn quiet(&mut self) {
        self.analyses = false;
        self.shows_line = false;
        self.engine.stop();
        (self.job, self.due, self.hint, self.remark, self.progress) = (None, None, None, None, None);
        self.ghosts.clear();
    }
}

fn seed_from_clock() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(1, |time| time.as_nanos() as u64)
}

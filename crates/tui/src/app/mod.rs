//! The state of the program: what is shown, and what keys, mouse and engine change in it.

mod asking;
mod editing;
mod engine_news;
mod forms;
mod playing;
mod watching;

use std::sync::Arc;
use std::time::{Duration, Instant};

use banyan_api::{At, Offer, Refusal, Spot};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use crate::action::Action;
use crate::edit::Edit;
use crate::engine::Engine;
use crate::form::Form;
use crate::game::{Game, NodeId};
use crate::hits::Hits;
use crate::keys::{self, Mode, When};
use crate::look::Look;
use crate::pointing::Ghost;
use crate::watch::Watched;
use crate::words::Words;

/// Pause before a search begins, so that stepping through a game starts none on the way.
const PAUSE: Duration = Duration::from_millis(60);
/// Time between two looks at the engine while it runs.
const LOOK: Duration = Duration::from_millis(30);
/// Time between two looks at signals and at the folder of a match.
const IDLE: Duration = Duration::from_millis(200);

/// The kind of the numbers on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overlay {
    Win,
    Visits,
    Proven,
    Structure,
    Off,
}

/// The use of what the engine finds.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Job {
    Analysis(NodeId),
    /// A move for the side to move.
    Answer(NodeId),
    Hint(NodeId),
    /// A move of this side, if the other passed.
    Threat(NodeId, u8),
    Review(Vec<NodeId>),
    Why(NodeId),
}

/// A remark in the line above the keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Remark {
    pub(crate) text: String,
    pub(crate) is_error: bool,
}

/// The layer above the game.
pub(crate) enum Layer {
    Nothing,
    Form(Box<Form>),
    Edit(Box<Edit>),
    Keys,
}

/// The players of both sides, and the analysing one.
#[derive(Clone, Debug)]
pub(crate) struct Seats {
    /// Empty for a person.
    pub(crate) players: [String; 2],
    pub(crate) budget: String,
    pub(crate) analyst: String,
    pub(crate) limit: String,
}

/// The program.
pub(crate) struct App {
    pub(crate) offer: Arc<Offer>,
    pub(crate) words: Words,
    pub(crate) look: Look,
    pub(crate) game: Game,
    pub(crate) seats: Seats,
    engine: Engine,
    job: Option<Job>,
    pub(crate) analyses: bool,
    due: Option<Instant>,
    pub(crate) overlay: Overlay,
    pub(crate) mirrored: bool,
    on_board: bool,
    /// The index of the legal move that is pointed at.
    pub(crate) pointed: Option<usize>,
    shows_line: bool,
    /// The candidate that the mouse points at.
    pub(crate) candidate: Option<usize>,
    /// The moves of a line on the board.
    pub(crate) ghosts: Vec<Ghost>,
    pub(crate) hint: Option<Ghost>,
    pub(crate) remark: Option<Remark>,
    /// Positions that the review has valued, of all.
    pub(crate) progress: Option<[usize; 2]>,
    pub(crate) layer: Layer,
    pub(crate) watched: Option<Watched>,
    watching: bool,
    ends: bool,
    /// Whether the screen has to be drawn.
    pub(crate) is_changed: bool,
}

/// The contents of a new [`App`].
pub(crate) struct Beginning {
    pub(crate) offer: Arc<Offer>,
    pub(crate) words: Words,
    pub(crate) look: Look,
    pub(crate) seats: Seats,
    pub(crate) analyses: bool,
    pub(crate) spot: Spot,
    pub(crate) watched: Option<Watched>,
}

impl App {
    /// # Errors
    /// A game that is invalid, or a thread that the system refuses.
    pub(crate) fn new(beginning: Beginning) -> Result<App, Refusal> {
        let Beginning { offer, words, look, seats, analyses, spot, watched } = beginning;
        let engine = Engine::start(Arc::clone(&offer))
            .map_err(|err| Refusal::input(format!("{err}: expected a thread for the engine; end other programs")))?;
        let mut app = App {
            game: Game::new(&offer, &spot)?,
            offer,
            words,
            look,
            seats,
            engine,
            job: None,
            analyses,
            due: None,
            overlay: Overlay::Win,
            mirrored: false,
            on_board: true,
            pointed: None,
            shows_line: false,
            candidate: None,
            ghosts: Vec::new(),
            hint: None,
            remark: None,
            progress: None,
            layer: Layer::Nothing,
            watching: watched.is_some(),
            watched,
            ends: false,
            is_changed: true,
        };
        app.moved();
        if !app.watching && app.game.line().len() == 1 {
            app.answer();
        }
        Ok(app)
    }

    pub(crate) fn is_over(&self) -> bool {
        self.ends
    }

    /// Whether the match is shown, not a game.
    pub(crate) fn is_watching(&self) -> bool {
        self.watching
    }

    /// The table of keys that applies.
    pub(crate) fn mode(&self) -> Mode {
        match self.layer {
            Layer::Keys => Mode::Keys,
            Layer::Form(_) => Mode::Form,
            Layer::Edit(_) => Mode::Edit,
            Layer::Nothing => self.mode_below(),
        }
    }

    /// The table of keys that applies without the layer above.
    pub(crate) fn mode_below(&self) -> Mode {
        match (self.watching, self.on_board) {
            (true, _) => Mode::Match,
            (_, true) => Mode::Board,
            _ => Mode::Moves,
        }
    }

    /// Whether a condition of the keys holds.
    pub(crate) fn holds(&self, when: When) -> bool {
        let state = self.game.state();
        match when {
            When::Always => true,
            When::Open => state.to_move.is_some(),
            When::MayMove => state.to_move.is_some() && !self.is_thinking(),
            When::Over => state.to_move.is_none(),
            When::CanPass => !self.is_thinking() && state.legal.iter().any(|legal| legal.mv == "pass"),
            When::Columns => {
                !self.is_thinking() && state.legal.iter().any(|legal| matches!(legal.at, Some(At::Column(_))))
            }
            When::HasPrevious => self.game.cursor() != self.game.tree.root(),
            When::HasNext => self.game.has_next(),
            When::InVariation => self.game.tree.branch_point(self.game.cursor()) != self.game.cursor(),
            When::HasReview => self.game.review.is_some(),
            When::FromMatch => self.watched.is_some(),
            When::Busy => self.job.is_some() || self.hint.is_some() || !self.ghosts.is_empty() || self.analyses,
        }
    }

    /// Whether a player is looking for its move.
    pub(crate) fn is_thinking(&self) -> bool {
        matches!(self.job, Some(Job::Answer(_)))
    }

    /// Whether a move is looked for that is only shown.
    pub(crate) fn is_asking(&self) -> bool {
        matches!(self.job, Some(Job::Hint(_) | Job::Threat(..) | Job::Why(_)))
    }

    /// Whether the position is being analysed.
    pub(crate) fn is_searching(&self) -> bool {
        matches!(self.job, Some(Job::Analysis(_)))
    }

    /// Whether something runs, or begins after a pause.
    pub(crate) fn is_busy(&self) -> bool {
        self.engine.is_running() || self.due.is_some()
    }

    /// The time until something may have happened without a key.
    pub(crate) fn patience(&self) -> Duration {
        if self.is_busy() { LOOK } else { IDLE }
    }

    /// A key was pressed.
    pub(crate) fn key(&mut self, event: &KeyEvent) {
        // Over a slow connection Esc and the next key arrive as one with Alt.
        if event.modifiers.contains(KeyModifiers::ALT) {
            self.key(&KeyEvent::from(KeyCode::Esc));
            return self.key(&KeyEvent { modifiers: event.modifiers.difference(KeyModifiers::ALT), ..*event });
        }
        let Some(name) = keys::name_of(event) else { return };
        self.is_changed = true;
        if let Layer::Form(form) = &mut self.layer
            && !matches!(name.as_str(), "left" | "right" | "up" | "down" | "tab" | "shift+tab" | "enter" | "esc")
            && form.typed(event)
        {
            return;
        }
        if let Some(action) = keys::action_of(self.mode(), &name, |when| self.holds(when)) {
            self.act(&action);
        }
    }

    /// Text was pasted, which a form takes; elsewhere it opens the form for games, so that no character acts as a key.
    pub(crate) fn paste(&mut self, text: &str) {
        if !matches!(self.layer, Layer::Form(_)) {
            if !matches!(self.layer, Layer::Nothing) || self.watching {
                return;
            }
            self.act(&Action::Open);
        }
        for c in text.chars().filter(|c| !c.is_control()) {
            self.key(&KeyEvent::from(KeyCode::Char(c)));
        }
    }

    /// The mouse was moved or pressed.
    pub(crate) fn mouse(&mut self, event: &MouseEvent, hits: &Hits) {
        let action = match event.kind {
            MouseEventKind::Down(MouseButton::Left) => hits.click(event.column, event.row),
            MouseEventKind::Moved => return self.hover(hits.hover(event.column, event.row)),
            MouseEventKind::ScrollUp if self.mode_below() != Mode::Match => Some(&Action::Previous),
            MouseEventKind::ScrollDown if self.mode_below() != Mode::Match => Some(&Action::Next),
            MouseEventKind::ScrollUp => Some(&Action::PreviousGame),
            MouseEventKind::ScrollDown => Some(&Action::NextGame),
            _ => None,
        };
        if let Some(action) = action.cloned() {
            self.is_changed = true;
            self.act(&action);
        }
    }

    /// The mouse points at something, or at nothing.
    fn hover(&mut self, action: Option<&Action>) {
        let candidate = match action {
            Some(&Action::Candidate(candidate)) => Some(candidate),
            _ => None,
        };
        if candidate != self.candidate {
            self.candidate = candidate;
            self.show_line();
            self.is_changed = true;
        }
    }

    /// Carries out the action of a key or of the mouse.
    pub(crate) fn act(&mut self, action: &Action) {
        match (&self.layer, self.watching) {
            (Layer::Form(_), _) => self.act_on_form(action),
            (Layer::Edit(_), _) => self.act_on_edit(action),
            (Layer::Keys, _) => match action {
                Action::Quit => self.ends = true,
                _ => self.layer = Layer::Nothing,
            },
            (Layer::Nothing, true) => self.act_on_match(action),
            (Layer::Nothing, false) => self.act_on_game(action),
        }
    }

    fn act_on_game(&mut self, action: &Action) {
        match action {
            Action::Previous => self.step(-1),
            Action::Next | Action::Redo => self.step(1),
            Action::First => self.go_to(self.game.tree.root()),
            Action::Last => self.go_to(self.game.line().last().copied().unwrap_or(self.game.cursor())),
            Action::MainLine => self.go_to(self.game.tree.branch_point(self.game.cursor())),
            Action::GoTo(node) => self.go_to(*node),
            Action::Undo => self.undo(),
            Action::Play(mv) => self.play(mv),
            Action::PlayPointed => self.play_pointed(),
            Action::Point(direction) => self.point(*direction),
            Action::Column(column) => self.play_column(*column),
            Action::Pass => self.play("pass"),
            Action::Best => self.play_best(),
            Action::EngineMoves => self.engine_moves(),
            Action::Hint => self.ask_hint(),
            Action::Threat => self.ask_threat(),
            Action::Why => self.ask_why(),
            Action::Engine => self.turn_engine(!self.analyses),
            Action::Overlay => self.next_overlay(),
            Action::Line => {
                self.shows_line = !self.shows_line;
                self.show_line();
            }
            Action::Review => self.begin_review(),
            Action::NextMistake => self.go_to_mistake(true),
            Action::PreviousMistake => self.go_to_mistake(false),
            Action::Focus => self.on_board = !self.on_board,
            Action::Mirror => self.mirrored = !self.mirrored,
            Action::Keys => self.layer = Layer::Keys,
            Action::Cancel => self.quiet(),
            Action::Quit => self.ends = true,
            Action::Rematch => self.rematch(),
            Action::Edit => self.begin_edit(),
            Action::BackToMatch => self.back_to_match(),
            other => self.open_form(other),
        }
    }

    /// Shows a remark.
    fn tell(&mut self, text: String) {
        self.remark = Some(Remark { text, is_error: false });
    }

    /// Shows what went wrong.
    fn complain(&mut self, refusal: &Refusal) {
        self.remark = Some(Remark { text: self.words.refusal(refusal), is_error: true });
    }

    /// Ends the program.
    pub(crate) fn end(&mut self) {
        self.ends = true;
    }
}

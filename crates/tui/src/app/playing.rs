//! Moves and positions of the game.

use std::time::Instant;

use banyan_api::Spot;

use super::{App, Job, Layer, Overlay, PAUSE};
use crate::action::Direction;
use crate::game::{Game, NodeId};
use crate::pointing;

/// Maximum number of moves of a line on the board.
const GHOSTS: usize = 9;

impl App {
    /// Opens another game.
    pub(super) fn open_game(&mut self, game: Game) {
        self.engine.stop();
        self.job = None;
        self.game = game;
        self.pointed = None;
        self.progress = None;
        self.layer = Layer::Nothing;
        self.moved();
    }

    /// Another position is shown: what was shown of the last one ends.
    pub(super) fn moved(&mut self) {
        let keeps = matches!(self.job, Some(Job::Review(_)));
        if !keeps {
            self.engine.stop();
            self.job = None;
        }
        (self.hint, self.remark, self.candidate) = (None, None, None);
        self.ghosts.clear();
        let n_legal = self.game.state().legal.len();
        let is_there = self.pointed.is_some_and(|at| at < n_legal);
        if !is_there {
            self.pointed = pointing::next(self.game.state(), None, Direction::Left, self.mirrored);
        }
        self.plan_analysis();
        self.show_line();
    }

    /// Begins the analysis after a pause, if it is on and nothing else runs.
    pub(super) fn plan_analysis(&mut self) {
        let is_open = self.game.state().to_move.is_some() && !self.is_watching();
        let is_free = matches!(self.job, None | Some(Job::Analysis(_)));
        self.due = (self.analyses && is_open && is_free).then(|| Instant::now() + PAUSE);
    }

    pub(super) fn go_to(&mut self, node: NodeId) {
        if node == self.game.cursor() {
            return;
        }
        match self.game.go_to(&self.offer, node) {
            Ok(()) => self.moved(),
            Err(refusal) => self.complain(&refusal),
        }
    }

    pub(super) fn step(&mut self, steps: i32) {
        let from = self.game.cursor();
        match self.game.step(&self.offer, steps) {
            Ok(()) if self.game.cursor() != from => self.moved(),
            Ok(()) => {}
            Err(refusal) => self.complain(&refusal),
        }
    }

    /// Takes a move back; against a player, back to the last turn of the person.
    pub(super) fn undo(&mut self) {
        let is_versus = self.seats.players.iter().filter(|player| player.is_empty()).count() == 1;
        loop {
            if let Err(refusal) = self.game.take_back(&self.offer) {
                return self.complain(&refusal);
            }
            let side = self.game.state().to_move.map_or(0, usize::from);
            let is_first = self.game.cursor() == self.game.tree.root();
            if !is_versus || is_first || self.seats.players[side].is_empty() {
                return self.moved();
            }
        }
    }

    /// Makes a move, which the other side answers if a player plays it.
    pub(super) fn play(&mut self, mv: &str) {
        if self.is_thinking() || self.game.state().to_move.is_none() {
            return;
        }
        self.make(mv);
    }

    pub(super) fn make(&mut self, mv: &str) {
        match self.game.play(&self.offer, mv) {
            Ok(()) => {
                self.moved();
                self.answer();
            }
            Err(refusal) => self.complain(&refusal),
        }
    }

    pub(super) fn play_pointed(&mut self) {
        let legal = self.pointed.and_then(|at| self.game.state().legal.get(at));
        let only = self.game.state().legal.first();
        if let Some(mv) = legal.or(only).map(|legal| legal.mv.clone()) {
            self.play(&mv);
        }
    }

    pub(super) fn play_column(&mut self, column: usize) {
        let name = (column + 1).to_string();
        if self.game.state().legal.iter().any(|legal| legal.mv == name) {
            self.play(&name);
        } else if column < self.game.state().picture.as_ref().map_or(0, |picture| picture.columns) {
            self.tell(self.words.say("board.full-column", &[("column", &name)]));
        }
    }

    pub(super) fn point(&mut self, direction: Direction) {
        self.pointed = pointing::next(self.game.state(), self.pointed, direction, self.mirrored);
        self.show_line();
    }

    /// The line on the board: of the candidate that the mouse points at, or if it is wanted, of the move that is pointed at.
    pub(super) fn show_line(&mut self) {
        self.ghosts.clear();
        let Some(view) = self.game.found_at(self.game.cursor()) else { return };
        let moves = &view.analysis.moves;
        let pointed = self.pointed.and_then(|at| self.game.state().legal.get(at));
        let of_pointed = || moves.iter().find(|mv| pointed.is_some_and(|legal| legal.mv == mv.mv)).or(moves.first());
        let chosen = match self.candidate {
            Some(at) => moves.get(at),
            None if self.shows_line => of_pointed(),
            None => return,
        };
        if let Some(mv) = chosen {
            let line = if mv.pv.is_empty() { std::slice::from_ref(&mv.mv) } else { &mv.pv };
            self.ghosts = pointing::line(&self.offer, &self.game.spot(), line, GHOSTS);
        }
    }

    pub(super) fn next_overlay(&mut self) {
        let has_structure = self.game.state().structure.is_some();
        self.overlay = match self.overlay {
            Overlay::Win => Overlay::Visits,
            Overlay::Visits => Overlay::Proven,
            Overlay::Proven if has_structure => Overlay::Structure,
            Overlay::Proven | Overlay::Structure => Overlay::Off,
            Overlay::Off => Overlay::Win,
        };
        let key = match self.overlay {
            Overlay::Win => "overlay.win",
            Overlay::Visits => "overlay.visits",
            Overlay::Proven => "overlay.proven",
            Overlay::Structure => "overlay.structure",
            Overlay::Off => "overlay.off",
        };
        self.tell(self.words.text(key));
    }

    /// A new game on this board, with the sides of the players swapped.
    pub(super) fn rematch(&mut self) {
        self.seats.players.swap(0, 1);
        let spot = Spot { game: self.game.spec.clone(), position: self.game.position.clone(), moves: Vec::new() };
        match Game::new(&self.offer, &spot) {
            Ok(game) => {
                self.open_game(game);
                self.answer();
            }
            Err(refusal) => self.complain(&refusal),
        }
    }

    pub(super) fn go_to_mistake(&mut self, forwards: bool) {
        match self.game.mistake(forwards) {
            Some(node) => self.go_to(node),
            None => self.tell(self.words.text(if forwards { "review.at-last" } else { "review.at-first" })),
        }
    }
}

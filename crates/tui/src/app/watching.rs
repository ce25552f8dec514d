//! Watching a match.

use super::App;
use crate::action::Action;
use crate::game::Game;

impl App {
    pub(super) fn act_on_match(&mut self, action: &Action) {
        match action {
            Action::Quit => self.end(),
            Action::Keys => self.layer = super::Layer::Keys,
            Action::NextGame => self.choose_game(1),
            Action::PreviousGame => self.choose_game(-1),
            Action::Follow => {
                if let Some(watched) = &mut self.watched {
                    watched.follows = true;
                    watched.chosen = watched.standing.games.len().saturating_sub(1);
                }
                self.show_chosen();
            }
            // Who looks at an earlier position is not taken to another game.
            Action::Previous | Action::First => {
                if let Some(watched) = &mut self.watched {
                    watched.follows = false;
                }
                match action {
                    Action::Previous => self.step(-1),
                    _ => self.go_to(self.game.tree.root()),
                }
            }
            Action::Next => self.step(1),
            Action::Last => self.go_to(self.game.line().last().copied().unwrap_or(self.game.cursor())),
            Action::OpenGame => {
                self.watching = false;
                self.seats.players = [String::new(), String::new()];
                self.moved();
            }
            _ => {}
        }
    }

    fn choose_game(&mut self, steps: isize) {
        if let Some(watched) = &mut self.watched {
            watched.choose(steps);
        }
        self.show_chosen();
    }

    /// Shows the chosen game at its end.
    fn show_chosen(&mut self) {
        let Some(spot) = self.watched.as_ref().and_then(|watched| watched.spot()) else { return };
        let opening_plies =
            self.watched.as_ref().and_then(|watched| watched.game()).map_or(0, |game| game.opening_plies);
        match Game::new(&self.offer, &spot) {
            Ok(mut game) => {
                game.opening_plies = usize::from(opening_plies);
                let layer = std::mem::replace(&mut self.layer, super::Layer::Nothing);
                self.open_game(game);
                self.layer = layer;
            }
            Err(refusal) => self.complain(&refusal),
        }
    }

    pub(super) fn back_to_match(&mut self) {
        self.quiet();
        self.watching = true;
        self.show_chosen();
    }

    /// Takes what was read of the match.
    pub(super) fn look_at_match(&mut self) {
        let Some(news) = self.watched.as_mut().and_then(|watched| watched.look()) else { return };
        self.is_changed = true;
        match news {
            Ok(()) if self.watching && self.watched.as_ref().is_some_and(|watched| watched.follows) => {
                self.show_chosen()
            }
            Ok(()) => {}
            Err(err) => self.remark = Some(super::Remark { text: err, is_error: true }),
        }
    }
}

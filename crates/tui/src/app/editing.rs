//! Setting up a position.

use banyan_api::{EditRequest, Refusal, Spot, edit};

use super::{App, Layer};
use crate::action::Action;
use crate::edit::{Edit, cells_text};
use crate::game::Game;
use crate::spec::{Board, cell_name};

impl App {
    pub(super) fn begin_edit(&mut self) {
        let has_holes =
            self.words.game(&self.game.spec).and_then(|game| game.sizes.as_ref()).is_some_and(|sizes| sizes.holes);
        if let Some(picture) = self.game.state().picture.clone() {
            self.quiet();
            self.layer = Layer::Edit(Box::new(Edit::new(picture, has_holes)));
        }
    }

    pub(super) fn act_on_edit(&mut self, action: &Action) {
        let mirrored = self.mirrored;
        let Layer::Edit(edit) = &mut self.layer else { return };
        match action {
            Action::Point(direction) => edit.point(*direction, mirrored),
            Action::Put => edit.put(),
            Action::PutAt(place) => edit.put_at(*place),
            Action::Tool => edit.next_tool(),
            Action::ToMove => edit.next_to_move(),
            Action::Clear => edit.clear(),
            Action::Cancel => self.layer = Layer::Nothing,
            Action::UsePosition => match self.edited() {
                Ok(game) => self.open_game(game),
                Err(refusal) => {
                    let text = self.words.refusal(&refusal);
                    if let Layer::Edit(edit) = &mut self.layer {
                        edit.error = Some(text);
                    }
                }
            },
            _ => {}
        }
    }

    /// The game from the position that was set up, on a board with its holes.
    fn edited(&self) -> Result<Game, Refusal> {
        let Layer::Edit(edited) = &self.layer else { unreachable!("only an editor accepts its position") };
        let picture = &edited.picture;
        let mut spec = self.game.spec.clone();
        if let Some(game) = self.words.game(&spec).filter(|game| game.sizes.as_ref().is_some_and(|sizes| sizes.holes)) {
            let mut board = Board::read(game, &spec);
            let holes = picture.cells.iter().enumerate().filter(|(_, cell)| cell.hole == 1);
            board.holes = holes.map(|(cell, _)| cell_name(picture.rows, picture.columns, cell)).collect();
            spec = board.write();
        }
        let request = EditRequest { game: spec.clone(), cells: cells_text(picture), to_move: edited.to_move };
        let position = edit(&self.offer, &request)?.position;
        Game::new(&self.offer, &Spot { game: spec, position: Some(position), moves: Vec::new() })
    }
}

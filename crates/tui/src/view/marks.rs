//! Marks on the board: values of moves, the line, the cursor; and the actions of the mouse there.

use banyan_api::PictureView;
use banyan_catalog::view::MoveView;
use ratatui_core::layout::Rect;
use ratatui_core::style::{Modifier, Style};

use super::analysis::{Candidate, candidates, loss_colour};
use super::board::{Label, Marks};
use super::grid::Grid;
use crate::action::{Action, Place};
use crate::app::{App, Overlay};
use crate::hits::Hits;
use crate::look::rgb;
use crate::pointing::place_of;
use crate::words::{margin_of, percent, signed, value_of};

/// The marks on the board of a game.
pub(super) fn of_game(app: &App, picture: &PictureView) -> Marks {
    let state = app.game.state();
    let pointed = app.pointed.and_then(|at| state.legal.get(at)).filter(|_| !app.is_watching());
    let changed = |cell: &[usize; 3]| (cell[0] * picture.columns + cell[1], cell[2] as u8);
    let changes = pointed.filter(|_| picture.edges.is_none() && app.ghosts.is_empty());
    Marks {
        cursor: pointed.and_then(|legal| place_of(picture, legal)),
        hint: app.hint,
        changes: changes.map(|legal| legal.after.cells.iter().map(changed).collect()).unwrap_or_default(),
        labels: labels(app, picture),
        last_side: state.moves.last().map(|played| played.side),
        has_letters: false,
    }
}

fn labels(app: &App, picture: &PictureView) -> Vec<Label> {
    if !app.ghosts.is_empty() {
        return line(app);
    }
    if app.overlay == Overlay::Structure {
        return structure(app);
    }
    if app.overlay == Overlay::Off || !app.analyses {
        return Vec::new();
    }
    let state = app.game.state();
    let candidates = candidates(app);
    let label = |candidate: &Candidate<'_>| {
        let legal = state.legal.iter().find(|legal| legal.mv == candidate.view.mv)?;
        let (text, style) = text_of(app, candidate, &candidates)?;
        Some(Label { place: place_of(picture, legal)?, text, style })
    };
    candidates.iter().filter_map(label).collect()
}

/// The moves of a line, numbered.
fn line(app: &App) -> Vec<Label> {
    let mut labels: Vec<Label> = Vec::new();
    for (i, ghost) in app.ghosts.iter().enumerate() {
        let colours =
            if app.words.sides(&app.game.spec)[0] == app.words.text("side.black") { rgb::DISCS } else { rgb::SIDES };
        let style = app.look.ink(colours[usize::from(ghost.side)]).add_modifier(Modifier::BOLD);
        // A later move on the same place, in a line with captures, is not shown.
        if labels.iter().all(|label| label.place != ghost.place) {
            labels.push(Label { place: ghost.place, text: (i + 1).to_string(), style });
        }
    }
    labels
}

/// The labels of the chains and other parts of the position.
fn structure(app: &App) -> Vec<Label> {
    let state = app.game.state();
    let parts = state.structure.iter().flat_map(|structure| &structure.parts);
    let label = |cell: usize, text: &str| Label {
        place: Place::Cell(cell),
        text: text.to_owned(),
        style: app.look.ink(rgb::CLOSE),
    };
    parts
        .filter_map(|part| Some((part, part.label.as_deref()?)))
        .flat_map(|(part, text)| part.cells.iter().map(move |&cell| label(cell, text)))
        .collect()
}

/// The text of a move on the board, and its style.
fn text_of(app: &App, candidate: &Candidate<'_>, all: &[Candidate<'_>]) -> Option<(String, Style)> {
    let mv = candidate.view;
    let proven = app.words.proven(mv.proof, mv.ends_in);
    let colour = loss_colour(app, candidate, all);
    let mut style = app.look.ink(colour);
    if candidate.rank == 0 {
        style = style.add_modifier(Modifier::BOLD);
    }
    let text = match app.overlay {
        Overlay::Proven => proven?.sign.to_owned(),
        Overlay::Visits => {
            let most = all.iter().map(|one| one.view.visits).max().unwrap_or(0).max(1);
            (100 * mv.visits / most).to_string()
        }
        _ => value_text(app, candidate, proven.map(|proven| proven.sign))?,
    };
    Some((app.look.text(&text), style))
}

fn value_text(app: &App, candidate: &Candidate<'_>, sign: Option<&'static str>) -> Option<String> {
    let mv: &MoveView = candidate.view;
    let counts = app.words.counts_margins(&app.game.spec);
    let doubt = if candidate.is_unsettled { "?" } else { "" };
    let exact = mv.proof.filter(|proof| proof.lower == proof.upper);
    let is_decided = mv.proof.is_some_and(|proof| proof.outcome().is_some());
    if let Some(exact) = exact.filter(|_| counts) {
        return Some(signed(exact.lower.into(), 0));
    }
    if let Some(sign) = sign.filter(|_| is_decided) {
        return Some(sign.to_owned() + &mv.ends_in.map(|n| n.to_string()).unwrap_or_default());
    }
    let bound = if mv.at_most.is_some() { "\u{2264}" } else { "" };
    match margin_of(mv).filter(|_| counts) {
        Some(margin) => Some(format!("{bound}{}{doubt}", signed(margin, 0))),
        None => value_of(mv).map(|value| format!("{bound}{:.0}{doubt}", percent(value))),
    }
}

/// The action of a click on the board.
pub(super) fn hits(hits: &mut Hits, app: &App, grid: Grid, picture: &PictureView) {
    for legal in &app.game.state().legal {
        let Some(place) = place_of(picture, legal) else { continue };
        let action = Action::Play(legal.mv.clone());
        match (place, &legal.at) {
            (Place::Cell(cell), Some(banyan_api::At::Column(_))) => {
                let area = grid.cell(cell);
                let column = Rect { y: grid.y, height: grid.bottom() - grid.y + 1, ..area };
                hits.add(column, action);
            }
            _ => hits.add(grid.area(picture, place), action),
        }
    }
}

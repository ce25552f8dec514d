//! The bars: title and players, the remark on the position, and the keys.

use ratatui_core::layout::Rect;
use ratatui_core::style::{Modifier, Style};

use crate::app::{App, Layer};
use crate::canvas::{Canvas, width};
use crate::hits::Hits;
use crate::keys::{self, symbol};
use crate::look::rgb;

/// The game, its sides and who plays them.
pub(super) fn title(canvas: &mut Canvas<'_>, app: &App, area: Rect) {
    let state = app.game.state();
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let mut x = area.x;
    let end = area.right();
    x += canvas.text(x, area.y, area.width / 3, &app.words.title(state), bold) + 2;
    let sides = app.words.sides(&state.game);
    let is_discs = app.words.game(&state.game).is_some_and(|game| game.style == "discs");
    for side in 0..2_usize {
        let style = match (is_discs, app.look.is_plain()) {
            (true, false) => app.look.on(rgb::FELT, rgb::DISCS[side]),
            _ => app.look.ink(rgb::SIDES[side]),
        };
        let sign = match (app.look.ascii, side) {
            (true, 0) => "X",
            (true, _) => "O",
            (false, 0) => "\u{25cf}",
            (false, _) if is_discs && !app.look.is_plain() => "\u{25cf}",
            (false, _) => "\u{25cb}",
        };
        let is_to_move = state.to_move == Some(side as u8);
        let player = player_of(app, side);
        let points = state.points.map(|points| format!(" {}", points[side])).unwrap_or_default();
        x += canvas.text(x, area.y, end.saturating_sub(x), sign, style) + 1;
        let text = format!("{}{points}", sides[side]);
        let name = if is_to_move { bold.add_modifier(Modifier::UNDERLINED) } else { Style::new() };
        x += canvas.text(x, area.y, end.saturating_sub(x), &text, name) + 1;
        let most = end.saturating_sub(x) / (2 - side as u16);
        x += canvas.text(x, area.y, most, &player, app.look.faint()) + 2;
    }
}

fn player_of(app: &App, side: usize) -> String {
    let of_match = app.watched.as_ref().filter(|_| app.is_watching()).and_then(|watched| watched.game());
    match of_match {
        Some(game) => game.players[side].clone(),
        None => app.words.player(&app.seats.players[side]),
    }
}

/// The state of the game: a search, a result or the side to move.
pub(super) fn remark(canvas: &mut Canvas<'_>, app: &App, area: Rect) {
    let error = match &app.layer {
        Layer::Edit(edit) => edit.error.clone(),
        _ => None,
    };
    let (text, style) = match (&app.remark, error) {
        (_, Some(error)) => (error, app.look.ink(rgb::FAR)),
        (Some(remark), _) if remark.is_error => (remark.text.clone(), app.look.ink(rgb::FAR)),
        (Some(remark), _) => (remark.text.clone(), app.look.ink(rgb::GOOD)),
        (None, _) => (turn(app), Style::new()),
    };
    canvas.text(area.x, area.y, area.width, &text, style);
}

/// The side to move, or the result.
fn turn(app: &App) -> String {
    let (state, words) = (app.game.state(), &app.words);
    let sides = words.sides(&state.game);
    let opening = state.opening.map(|name| format!(" \u{b7} {name}")).unwrap_or_default();
    if app.is_asking() {
        return words.text("terminal.searching");
    }
    let Some(side) = state.to_move.map(usize::from) else {
        let text = words.result(state);
        let winner = state.result.as_ref().and_then(|result| result.winner).map(usize::from);
        let people: Vec<usize> = (0..2).filter(|&side| app.seats.players[side].is_empty()).collect();
        let key = match (&people[..], winner) {
            ([person], Some(winner)) if *person == winner => "play.over-won",
            ([_], Some(_)) => "play.over-lost",
            _ => "play.over",
        };
        return words.say(key, &[("text", &text)]);
    };
    let player = &app.seats.players[side];
    let name = &sides[side];
    let is_pass = state.legal.len() == 1 && state.legal[0].mv == "pass";
    let again = state.moves.last().is_some_and(|played| usize::from(played.side) == side);
    if app.is_thinking() {
        words.say("play.engine-to-move", &[("side", name), ("player", &words.player(player))])
    } else if is_pass {
        words.say("play.must-pass", &[("side", name)])
    } else if !player.is_empty() {
        words.say("tui.engine-waits", &[("side", name), ("player", &words.player(player))])
    } else if again {
        words.say("play.moves-again", &[("side", name)]) + &opening
    } else {
        let points_at = app.pointed.and_then(|at| state.legal.get(at)).map(|legal| format!(" \u{b7} {}", legal.mv));
        words.say("play.to-move", &[("side", name)]) + &points_at.unwrap_or_default() + &opening
    }
}

/// The keys that have an effect now, as many as fit.
pub(super) fn keys(canvas: &mut Canvas<'_>, hits: &mut Hits, app: &App, area: Rect) {
    let mode = app.mode();
    let mut x = area.x;
    let mut shown: Vec<&str> = Vec::new();
    for binding in keys::bindings(mode) {
        if !app.holds(binding.when) || shown.contains(&binding.label) {
            continue;
        }
        shown.push(binding.label);
        // Keys that do the same are shown together.
        let same = keys::bindings(mode).filter(|other| other.label == binding.label && app.holds(other.when));
        let names: Vec<String> = same.map(|other| symbol(other.keys[0])).collect();
        let names = app.look.text(&names.join(""));
        let label = app.words.text(keys::short(binding.label));
        let n = width(&names) + 1 + width(&app.look.text(&label));
        if x + n > area.right() {
            continue;
        }
        let begin = x;
        x += canvas.text(x, area.y, n, &names, app.look.ink(rgb::ACCENT).add_modifier(Modifier::BOLD)) + 1;
        x += canvas.text(x, area.y, n, &label, app.look.faint());
        hits.add(Rect { x: begin, width: x - begin, ..area }, binding.action.clone());
        x += 2;
    }
}

//! A match that is watched: its result so far, and its games.

use banyan_catalog::pairs::{GameLine, Winner};
use ratatui_core::layout::Rect;
use ratatui_core::style::{Modifier, Style};

use super::widest;
use crate::app::App;
use crate::canvas::Canvas;
use crate::hits::Hits;
use crate::look::rgb;
use crate::watch::{Table, Watched};

pub(super) fn draw(canvas: &mut Canvas<'_>, _hits: &mut Hits, app: &App, area: Rect) {
    let Some(watched) = &app.watched else { return };
    let standing = &watched.standing;
    let mut inside = canvas.panel(area, &app.words.text("match.standings"), true);
    let games = Rect { y: area.bottom() - area.height / 3, height: area.height / 3, ..area };
    inside.height = games.y - inside.y;
    let mut write = |canvas: &mut Canvas<'_>, text: &str, style: Style| {
        let used = canvas.wrapped(inside, text, style);
        inside.y += used;
        inside.height -= used;
    };
    write(canvas, &standing.heading, Style::new().add_modifier(Modifier::BOLD));
    if let Some([played, planned]) = standing.missing {
        write(canvas, &app.words.say("match.pairs", &[("n", &played), ("of", &planned)]), app.look.ink(rgb::GOOD));
    }
    for table in &standing.tables {
        let used = draw_table(canvas, app, table, inside);
        inside.y += used;
        inside.height -= used;
    }
    for fact in &standing.facts {
        let used = canvas.wrapped(inside, fact, app.look.faint());
        inside.y += used;
        inside.height -= used;
    }
    list(canvas, app, watched, games);
}

/// Draws a table, and returns its rows. Columns that do not fit are left out.
fn draw_table(canvas: &mut Canvas<'_>, app: &App, table: &Table, area: Rect) -> u16 {
    let n_columns = table.rows.iter().map(Vec::len).max().unwrap_or(0);
    let heading = |column: usize| table.headings.get(column).map_or("", |(heading, _)| heading);
    let mut y = area.y;
    if !table.title.is_empty() && y < area.bottom() {
        canvas.text(area.x, y, area.width, &table.title, Style::new().add_modifier(Modifier::UNDERLINED));
        y += 1;
    }
    let mut x = area.x;
    let begin = y;
    for column in 0..n_columns {
        let cells = table.rows.iter().filter_map(|row| row.get(column)).map(String::as_str);
        let width = widest(cells.chain([heading(column)]));
        if x + width > area.right() {
            break;
        }
        let is_number = table.headings.get(column).is_some_and(|(_, is_number)| *is_number);
        y = begin;
        let rows = table.rows.iter().map(|row| row.get(column).map_or("", String::as_str));
        let head = (!table.headings.is_empty()).then(|| heading(column));
        for (i, text) in head.into_iter().chain(rows).enumerate() {
            if y >= area.bottom() {
                break;
            }
            let style = if i == 0 && head.is_some() { app.look.faint() } else { Style::new() };
            match is_number {
                true => canvas.right(x + width, y, width, text, style),
                false => drop(canvas.text(x, y, width, text, style)),
            }
            y += 1;
        }
        x += width + 2;
    }
    y - area.y
}

/// The games, the chosen one among the last.
fn list(canvas: &mut Canvas<'_>, app: &App, watched: &Watched, area: Rect) {
    let n = watched.standing.games.len();
    let title = format!("{} {n}", app.words.text("match.games"));
    let inside = canvas.panel(area, &title, false);
    if n == 0 {
        canvas.wrapped(inside, &app.words.text("match.no-games"), app.look.faint());
        return;
    }
    let rows = usize::from(inside.height);
    let first = (watched.chosen + 1).saturating_sub(rows);
    for ((i, game), y) in watched.standing.games.iter().enumerate().skip(first).zip(inside.y..inside.bottom()) {
        let style = if i == watched.chosen { app.look.pointed() } else { Style::new() };
        canvas.text(inside.x, y, inside.width, &row(app, game), style);
    }
}

/// `12.1 mcgs - uct 1-0 +4`.
fn row(app: &App, game: &GameLine) -> String {
    let result = match game.winner {
        Winner::First => "1-0",
        Winner::Second => "0-1",
        Winner::Draw if app.look.ascii => "1/2",
        Winner::Draw => "\u{bd}-\u{bd}",
    };
    let margin = game.margin.map(|margin| format!(" {margin:+}")).unwrap_or_default();
    let fault = game.fault.as_ref().map(|fault| format!(" {fault}")).unwrap_or_default();
    format!("{}.{} {result}{margin} {} - {}{fault}", game.pair, game.game, game.players[0], game.players[1])
}

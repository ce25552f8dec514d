//! The analysis: its value, its figures, and the moves that it compares.

use banyan_catalog::view::MoveView;
use ratatui_core::layout::Rect;
use ratatui_core::style::{Modifier, Style};

use super::widest;
use crate::action::Action;
use crate::app::App;
use crate::canvas::{Canvas, width};
use crate::hits::Hits;
use crate::look::{Rgb, rgb};
use crate::words::{Outcome, margin, margin_of, percent, short, value_of};

/// Percent of a win that count as a point where a search has no points.
const PERCENT_OF_A_POINT: f64 = 4.0;
/// Points that a move may lose to be close to the best one, and to be behind it.
const LOSSES: [(f64, Rgb); 2] = [(1.0, rgb::CLOSE), (4.0, rgb::BEHIND)];

/// A move of the analysis, in the order of the values.
pub(super) struct Candidate<'a> {
    pub(super) view: &'a MoveView,
    /// Its index in the analysis.
    at: usize,
    pub(super) rank: usize,
    /// Whether the search values it higher than the best one, but has tried it seldom.
    pub(super) is_unsettled: bool,
}

/// The moves of the analysis: the recommended one, and then by their values.
pub(super) fn candidates(app: &App) -> Vec<Candidate<'_>> {
    let Some(view) = app.game.found_at(app.game.cursor()) else { return Vec::new() };
    let counts = app.words.counts_margins(&app.game.spec);
    let moves = &view.analysis.moves;
    let Some(best) = moves.first() else { return Vec::new() };
    let worth = |mv: &MoveView| worth(mv, counts);
    let mut others: Vec<(usize, &MoveView)> = moves.iter().enumerate().skip(1).collect();
    others.sort_by(|(_, one), (_, other)| worth(other).total_cmp(&worth(one)));
    let all = [(0, best)].into_iter().chain(others).enumerate();
    all.map(|(rank, (at, view))| {
        let is_proven = view.proof.is_some_and(|proof| proof.outcome().is_some());
        let is_higher = rank > 0 && value_of(view).is_some() && worth(view) > worth(best);
        Candidate { view, at, rank, is_unsettled: is_higher && !is_proven && view.at_most.is_none() }
    })
    .collect()
}

/// A number by which moves are compared: the margin where it counts, else the proof or the expected result.
fn worth(mv: &MoveView, counts: bool) -> f64 {
    if let Some(margin) = margin_of(mv).filter(|_| counts) {
        return margin;
    }
    let proven = mv.proof.and_then(|proof| Some((proof.outcome()?, proof.lower)));
    match proven {
        // Among proven moves a larger margin is a quicker win or a later loss.
        Some((outcome, lower)) if outcome != 0 => 2.0 * f64::from(outcome) + f64::from(lower) / 1000.0,
        Some(_) => 0.0,
        None => value_of(mv).unwrap_or(-3.0),
    }
}

/// The colour of a move by what it loses against the best one, or by its proof.
pub(super) fn loss_colour(app: &App, candidate: &Candidate<'_>, all: &[Candidate<'_>]) -> Rgb {
    let counts = app.words.counts_margins(&app.game.spec);
    let mv = candidate.view;
    match app.words.proven(mv.proof, None).map(|proven| proven.outcome) {
        Some(Outcome::Won) => return rgb::GOOD,
        Some(Outcome::Lost) => return rgb::FAR,
        Some(Outcome::Drawn) => return rgb::CLOSE,
        _ if candidate.rank == 0 => return rgb::GOOD,
        _ => {}
    }
    let Some(best) = all.first().map(|best| best.view) else { return rgb::FAR };
    let margins = margin_of(best).zip(margin_of(mv)).filter(|_| counts);
    let loss = match margins {
        Some((most, margin)) => most - margin,
        None => {
            let share = |mv: &MoveView| percent(value_of(mv).unwrap_or(-1.0));
            (share(best) - share(mv)) / PERCENT_OF_A_POINT
        }
    };
    LOSSES.iter().find(|(most, _)| loss <= *most).map_or(rgb::FAR, |(_, colour)| *colour)
}

/// Draws the panel.
pub(super) fn draw(canvas: &mut Canvas<'_>, hits: &mut Hits, app: &App, area: Rect) {
    let words = &app.words;
    let title = format!("{}: {}", words.text("analysis.title"), app.seats.analyst);
    let inside = canvas.panel(area, &title, false);
    hits.add(Rect { height: 1, ..area }, Action::Analyst);
    let Some(view) = app.game.found_at(app.game.cursor()) else {
        let key = match () {
            () if app.game.state().to_move.is_none() => "analysis.over",
            () if app.analyses => "analysis.thinking",
            () => "analysis.off-keys",
        };
        canvas.wrapped(inside, &words.text(key), app.look.faint());
        return;
    };
    let analysis = &view.analysis;
    let counts = words.counts_margins(&app.game.spec);
    let has_margins = counts && analysis.moves.iter().any(|mv| margin_of(mv).is_some());
    let sides = words.sides(&app.game.spec);
    let side = &sides[usize::from(analysis.to_move != "first")];
    let headline = match words.proven(analysis.proof, analysis.ends_in) {
        Some(proven) if proven.outcome != Outcome::Bounded => format!("{} {}", proven.sign, proven.text),
        _ => match analysis.margin.filter(|_| has_margins) {
            Some(value) => margin(value),
            None => format!("{:.1} %", percent(analysis.value)),
        },
    };
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let mut x = inside.x + canvas.text(inside.x, inside.y, inside.width, &headline, bold) + 1;
    let whose = words.say("analysis.whose", &[("side", side)]);
    x += canvas.text(x, inside.y, inside.right().saturating_sub(x), &whose, Style::new()) + 1;
    let status = match () {
        () if analysis.book && analysis.playouts == 0 && analysis.depth.is_none() => "analysis.book",
        () if app.is_searching() => "analysis.thinking",
        () if analysis.proof.is_some_and(|proof| proof.outcome().is_some()) => "analysis.proven",
        () if app.analyses => "analysis.done",
        () => "",
    };
    if !status.is_empty() {
        canvas.right(inside.right(), inside.y, inside.right().saturating_sub(x), &words.text(status), app.look.faint());
    }
    let mut figures = vec![
        format!("{} {}/s", words.text("stats.rate"), short(view.rate)),
        format!("{} {}", words.text("stats.nodes"), short(analysis.nodes as f64)),
    ];
    figures.extend(analysis.depth.map(|depth| format!("{} {depth}", words.text("stats.depth"))));
    figures.push(format!("{:.1} s", analysis.elapsed_ms / 1000.0));
    if analysis.reused > 0.0 {
        figures.push(format!("{} {:.0} %", words.text("stats.reused"), 100.0 * analysis.reused));
    }
    canvas.text(inside.x, inside.y + 1, inside.width, &figures.join("  "), app.look.faint());
    let table = Rect { y: inside.y + 2, height: inside.height.saturating_sub(2), ..inside };
    moves(canvas, hits, app, table, has_margins);
}

/// The table of the moves.
fn moves(canvas: &mut Canvas<'_>, hits: &mut Hits, app: &App, area: Rect, has_margins: bool) {
    let words = &app.words;
    let all = candidates(app);
    if area.height < 2 || all.is_empty() {
        return;
    }
    let texts: Vec<String> = all.iter().map(|candidate| app.look.text(&value(app, candidate, has_margins))).collect();
    let heads =
        ["candidates.move", "candidates.visits", if has_margins { "candidates.margin" } else { "candidates.win" }];
    let heads = heads.map(|key| words.text(key));
    let has_visits = all.iter().any(|candidate| candidate.view.visits > 0);
    let shown = usize::from(area.height - 1).min(all.len());
    let move_width = widest(all[..shown].iter().map(|candidate| &*candidate.view.mv)).max(width(&heads[0]));
    let visits_width = if has_visits { width(&heads[1]).max(5) } else { 0 };
    let value_width = widest(texts[..shown].iter().map(String::as_str)).max(width(&heads[2])).min(area.width / 2);
    let columns = [area.x, area.x + move_width + 1, area.x + move_width + 1 + visits_width + u16::from(has_visits)];
    let line_x = columns[2] + value_width + 2;
    let faint = app.look.faint();
    canvas.text(columns[0], area.y, move_width, &heads[0], faint);
    if has_visits {
        canvas.right(columns[1] + visits_width, area.y, visits_width, &heads[1], faint);
    }
    canvas.right(columns[2] + value_width, area.y, value_width, &heads[2], faint);
    canvas.text(line_x, area.y, area.right().saturating_sub(line_x), &words.text("candidates.line"), faint);
    let pointed = app.pointed.and_then(|at| app.game.state().legal.get(at)).map(|legal| &legal.mv);
    for ((candidate, text), y) in all.iter().zip(&texts).zip(area.y + 1..area.bottom()) {
        let mv = candidate.view;
        let mut style = app.look.ink(loss_colour(app, candidate, &all));
        if pointed == Some(&mv.mv) {
            style = style.add_modifier(Modifier::UNDERLINED);
        }
        if app.candidate == Some(candidate.at) {
            style = style.add_modifier(Modifier::REVERSED);
        }
        canvas.text(columns[0], y, move_width, &mv.mv, style.add_modifier(Modifier::BOLD));
        if has_visits {
            let visits = if mv.visits > 0 { short(mv.visits as f64) } else { "\u{2013}".to_owned() };
            canvas.right(columns[1] + visits_width, y, visits_width, &visits, Style::new());
        }
        canvas.right(columns[2] + value_width, y, value_width, text, style);
        let line = mv.pv.get(1..).unwrap_or_default().join(" ");
        canvas.text(line_x, y, area.right().saturating_sub(line_x), &line, faint);
        let row = Rect { y, height: 1, ..area };
        hits.add_hovered(row, Action::Play(mv.mv.clone()), Action::Candidate(candidate.at));
    }
}

/// The value of a move in the unit of the search, or in percent.
fn value(app: &App, candidate: &Candidate<'_>, has_margins: bool) -> String {
    let mv = candidate.view;
    let proven = app.words.proven(mv.proof, mv.ends_in);
    let sign = proven.as_ref().map_or(String::new(), |proven| format!("{} ", proven.sign));
    if let Some(proven) = proven.filter(|proven| proven.outcome != Outcome::Bounded) {
        return sign + &proven.text;
    }
    let doubt = if candidate.is_unsettled { "?" } else { "" };
    let bound = if mv.at_most.is_some() { "\u{2264}" } else { "" };
    match (margin_of(mv).filter(|_| has_margins), value_of(mv)) {
        (Some(points), _) => format!("{sign}{bound}{}{doubt}", margin(points)),
        (None, Some(value)) if has_margins => format!("{sign}{bound}{:.1} %{doubt}", percent(value)),
        (None, Some(value)) => format!("{sign}{bound}{:.1}{doubt}", percent(value)),
        (None, None) => "\u{2013}".to_owned(),
    }
}

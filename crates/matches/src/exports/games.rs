//! The games of a match on its page: a table, the lost ones by cause, and a board to step through any of them.

use std::collections::BTreeMap;

use banyan_catalog::pairs::{GameLine, Winner};
use banyan_catalog::view::json_line;
use banyan_catalog::{Catalog, Opening};
use banyan_core::{Picture, Side};
use banyan_review::{Mark, ReviewUnit, loss_in_words};
use serde::Serialize;

use super::html::{escape, page_with_script};
use super::sheets::mebibytes;
use crate::config::MatchConfig;
use crate::lost_game::{LossCause, LostGame, ValueDrop};
use crate::summary::Summary;

const SCRIPT: &str = include_str!("games.js");

/// The most characters of boards on a page; later games are listed without boards.
const MOST_CHARACTERS: usize = 1_400_000;

/// The most linked games of one cause.
const MOST_LINKS: usize = 40;

/// The page of a match with its games; with the review of the lost ones, if the summary has one.
pub fn match_page(config: &MatchConfig, summary: &Summary, catalog: &Catalog, games: &[GameLine]) -> String {
    let mut games: Vec<&GameLine> = games.iter().collect();
    games.sort_by_key(|game| game.id());
    let reviewed = summary.loss_review.iter().flat_map(|review| &review.games);
    let reviewed: BTreeMap<(u64, u8), &LostGame> = reviewed.map(|lost| (lost.id(), lost)).collect();
    let lost_game = |game: &GameLine| reviewed.get(&game.id()).map(|&lost| lost.clone()).or_else(|| LostGame::of(game));
    let listed: Vec<Listed<'_>> = games.iter().map(|&game| Listed { game, lost: lost_game(game) }).collect();
    let boards = Boards::of(catalog, &listed);
    let sections = [lost(config, summary, &listed), table(&listed, &boards)].concat();
    let script = format!(
        "<script type=\"application/json\" id=\"games\">{}</script>\n<script>\n{SCRIPT}</script>\n",
        json_line(&boards).replace('<', "\\u003c")
    );
    page_with_script(config, summary, &sections, if games.is_empty() { "" } else { &script })
}

/// A game of the page.
struct Listed<'a> {
    game: &'a GameLine,
    /// The cause of its loss, if it was lost.
    lost: Option<LostGame>,
}

impl Listed<'_> {
    fn drop(&self) -> Option<&ValueDrop> {
        self.lost.as_ref()?.drop.as_ref()
    }
}

/// The boards of all games that fit on the page.
#[derive(Serialize)]
struct Boards {
    games: Vec<Option<Shown>>,
}

/// A game as its first board and the changes of every ply.
#[derive(Serialize)]
struct Shown {
    name: String,
    rows: usize,
    columns: usize,
    /// Whether it is a board of dots and lines.
    edges: bool,
    /// One letter for each cell and edge: `E` empty, `X` and `O` the sides, `H` a hole, `D` a drawn edge.
    start: String,
    /// The changes: `35X36O`, places with their new letters.
    plies: Vec<String>,
    moves: Vec<String>,
    /// The move at which the value drops most, and a sentence about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    drop: Option<(usize, String)>,
}

impl Boards {
    fn of(catalog: &Catalog, games: &[Listed<'_>]) -> Boards {
        let mut left = MOST_CHARACTERS;
        let shown = games.iter().map(|listed| {
            let game = listed.game;
            let shown = (left > 0).then(|| Shown::of(catalog, listed)).flatten()?;
            let size = shown.start.len()
                + shown.plies.iter().map(|ply| ply.len() + 3).sum::<usize>()
                + game.moves.len() * 2
                + 80;
            left = left.saturating_sub(size);
            Some(shown)
        });
        Boards { games: shown.collect() }
    }
}

impl Shown {
    /// `None` if the game cannot be drawn.
    fn of(catalog: &Catalog, listed: &Listed<'_>) -> Option<Shown> {
        let game = listed.game;
        let mut session = catalog.game(&game.spec).ok()?.open(Opening::Start).ok()?;
        let first = session.picture()?;
        let mut before = letters(&first);
        let (mut plies, mut moves) = (Vec::new(), Vec::new());
        let start: String = before.iter().collect();
        for mv in game.moves.split_whitespace() {
            session.play(mv).ok()?;
            let after = letters(&session.picture()?);
            let changed = before.iter().zip(&after).enumerate().filter(|(_, (old, new))| old != new);
            plies.push(changed.map(|(place, (_, new))| format!("{place}{new}")).collect());
            moves.push(mv.to_owned());
            before = after;
        }
        let Picture { rows, columns, edges, .. } = first;
        let drop = listed.drop().map(|drop| (drop.ply, sentence(drop)));
        Some(Shown { name: name(game), rows, columns, edges: edges.is_some(), start, plies, moves, drop })
    }
}

fn letters(picture: &Picture) -> Vec<char> {
    let cell = |cell: &banyan_core::Cell| match cell.owner {
        _ if cell.hole => 'H',
        Some(Side::First) => 'X',
        Some(Side::Second) => 'O',
        None => 'E',
    };
    let edges = picture.edges.iter().flatten().map(|edge| if edge.drawn { 'D' } else { 'E' });
    picture.cells.iter().map(cell).chain(edges).collect()
}

/// `12.1`, as `banyan show --game` takes it.
fn name(game: &GameLine) -> String {
    format!("{}.{}", game.pair, game.game)
}

/// `loses 50 % (proven); better 4`.
fn sentence(drop: &ValueDrop) -> String {
    let proven = if drop.exact { " (proven)" } else { "" };
    let better = drop.best.as_ref().map_or(String::new(), |best| format!("; better {best}"));
    format!("{}loses {}{proven}{better}", glyph(drop), loss(drop))
}

/// The mark with a blank after it, if there is one.
fn glyph(drop: &ValueDrop) -> String {
    drop.mark.map_or(String::new(), |mark: Mark| format!("{} ", mark.glyph()))
}

/// `12.5 %`, or `4 points`.
fn loss(drop: &ValueDrop) -> String {
    let number = match loss_in_words(drop.loss, drop.exact) {
        words if words.is_empty() => "0.0".to_owned(),
        words => words.trim_start_matches('=').to_owned(),
    };
    match drop.unit {
        ReviewUnit::Points => format!("{number} points"),
        ReviewUnit::Percent => format!("{number} %"),
    }
}

/// For every player, its lost games by cause: faults first.
fn lost(config: &MatchConfig, summary: &Summary, games: &[Listed<'_>]) -> String {
    let rows = config.players.iter().enumerate().filter_map(|(seat, player)| {
        let of_player =
            |listed: &Listed<'_>| listed.lost.as_ref().filter(|lost| lost.player == seat).map(|lost| lost.cause);
        let mut by_cause: BTreeMap<LossCause, Vec<(usize, &Listed<'_>)>> = BTreeMap::new();
        for (i, listed) in games.iter().enumerate() {
            if let Some(cause) = of_player(listed) {
                by_cause.entry(cause).or_default().push((i, listed));
            }
        }
        let n_lost: usize = by_cause.values().map(Vec::len).sum();
        let causes: String = by_cause.iter().map(|(&cause, games)| of_cause(cause, games, summary)).collect();
        (n_lost > 0).then(|| {
            let name = escape(&player.name);
            format!("<details>\n<summary>{name}: {n_lost} lost</summary>\n{causes}</details>\n")
        })
    });
    let rows: String = rows.collect();
    if rows.is_empty() {
        return rows;
    }
    format!("<section>\n<h2>Lost games by cause</h2>\n{}{rows}</section>\n", reviewed_by(summary))
}

/// The reviewer of the lost games, and the number of reviewed games.
fn reviewed_by(summary: &Summary) -> String {
    let Some(review) = &summary.loss_review else { return String::new() };
    let (reviewer, budget) = (escape(&review.reviewer), escape(&review.budget));
    let count = match (review.reviewed, review.to_review) {
        (reviewed, all) if reviewed < all => format!("interrupted after {reviewed} of {all} games"),
        (_, all) => format!("{all} games"),
    };
    format!("<p class=\"sub\">Reviewed by {reviewer}, {budget} for each position: {count}.</p>\n")
}

/// The games lost for one cause, with the move at which the value drops most if it is known.
fn of_cause(cause: LossCause, games: &[(usize, &Listed<'_>)], summary: &Summary) -> String {
    let word = match cause {
        LossCause::Unreviewed if summary.loss_review.is_some() => "on the board, not reviewed",
        cause => cause.in_words(),
    };
    let (dropped, others): (Vec<_>, Vec<_>) =
        games.iter().copied().partition::<Vec<(usize, &Listed<'_>)>, _>(|(_, listed)| listed.drop().is_some());
    let links: String = others.iter().take(MOST_LINKS).map(|(i, listed)| button(*i, listed.game)).collect();
    let more = others.len().saturating_sub(MOST_LINKS);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let links = if others.is_empty() { links } else { format!("<p class=\"links\">{links}{more}</p>\n") };
    let rows: String =
        dropped.iter().filter_map(|(i, listed)| Some(drop_row(*i, listed.game, listed.drop()?))).collect();
    let table = if dropped.is_empty() {
        rows
    } else {
        format!(
            "<div class=\"scroll\">\n<table>\n<thead><tr><th>game</th><th class=\"n\">ply</th><th>move</th>\
             <th>better</th><th class=\"n\">loss</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n"
        )
    };
    format!("<p>{word}: {}</p>\n{links}{table}", games.len())
}

/// The link shows the board after the move.
fn drop_row(number: usize, game: &GameLine, drop: &ValueDrop) -> String {
    let mark = drop.mark.map_or("", Mark::glyph);
    format!(
        "<tr><td><button type=\"button\" class=\"go\" data-game=\"{number}\" data-ply=\"{ply}\">{}</button></td>\
         <td class=\"n\">{ply}</td><td>{} {mark}</td><td>{}</td><td class=\"n\">{}{}</td></tr>\n",
        name(game),
        escape(&drop.mv),
        escape(drop.best.as_deref().unwrap_or("-")),
        if drop.exact { "=" } else { "" },
        loss(drop),
        ply = drop.ply,
    )
}

fn button(number: usize, game: &GameLine) -> String {
    let why = game.fault.as_deref().map_or(String::new(), |why| format!(" title=\"{}\"", escape(why)));
    format!("<button type=\"button\" class=\"go\" data-game=\"{number}\"{why}>{}</button>\n", name(game))
}

/// All games with the board above them.
fn table(games: &[Listed<'_>], boards: &Boards) -> String {
    if games.is_empty() {
        return String::new();
    }
    let row = |(i, listed): (usize, &Listed<'_>)| {
        let game = listed.game;
        let end = listed.lost.as_ref().map_or(LossCause::Unreviewed, |lost| lost.cause);
        let result = match game.winner {
            Winner::First => "1-0",
            Winner::Second => "0-1",
            Winner::Draw => "½-½",
        };
        let margin = game.margin.map_or(String::new(), |margin| format!("{margin:+}"));
        let [first, second] = game.players.each_ref().map(|player| escape(player));
        let seconds = |side: Side| {
            let times = game.time_us.iter().enumerate().filter(|(i, _)| game.mover(*i) == side).map(|(_, time)| time);
            format!("{:.1}", times.sum::<u64>() as f64 / 1e6)
        };
        let memory = |side: Side| game.peak_memory(side).map_or("-".to_owned(), mebibytes);
        format!(
            "<tr><td>{}</td><td>{first}</td><td>{second}</td><td>{result}</td><td class=\"n\">{margin}</td><td>{}</td>\
             <td class=\"n\">{}</td><td class=\"n\">{} / {}</td><td class=\"n\">{} / {}</td></tr>\n",
            button(i, game),
            end.in_words(),
            game.n_moves(),
            seconds(Side::First),
            seconds(Side::Second),
            memory(Side::First),
            memory(Side::Second)
        )
    };
    let rows: String = games.iter().enumerate().map(row).collect();
    let step = |id: &str, sign: &str, what: &str| {
        format!("<button type=\"button\" id=\"{id}\" title=\"{what}\" aria-label=\"{what}\">{sign}</button>\n")
    };
    let steps = [
        step("first", "|&lt;", "First position (Home)"),
        step("previous", "&lt;", "Previous move (left arrow)"),
        step("next", "&gt;", "Next move (right arrow)"),
        step("last", "&gt;|", "Last position (End)"),
    ];
    let missing = boards.games.iter().filter(|shown| shown.is_none()).count();
    let note = if missing == 0 {
        String::new()
    } else {
        format!(
            "<p class=\"sub\">{missing} games have no board here; `banyan show --record DIR --game N` draws them.</p>\n"
        )
    };
    format!(
        "<section id=\"stage\" hidden>\n<h2 id=\"title\"></h2>\n<div id=\"board\"></div>\n<div class=\"buttons\">\n{}</div>\n\
         <p id=\"note\" aria-live=\"polite\"></p>\n</section>\n<section>\n<details>\n<summary>All games</summary>\n{note}\
         <div class=\"scroll\">\n<table>\n<thead><tr><th>game</th><th>first</th><th>second</th><th>result</th>\
         <th class=\"n\">margin</th><th>end</th><th class=\"n\">moves</th><th class=\"n\">seconds</th><th class=\"n\">MiB</th></tr></thead>\n<tbody>\n{rows}</tbody>\n\
         </table>\n</div>\n</details>\n</section>\n",
        steps.concat()
    )
}

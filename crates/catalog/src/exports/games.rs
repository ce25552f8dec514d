//! The games of a match on its page: a table, the lost ones by cause, and a board to step through any of them.

use banyan_core::{Picture, Side};
use serde::Serialize;

use super::html::{escape, page_with_script};
use crate::game_state::Opening;
use crate::matches::{EndingKind, GameLine, MatchConfig, SideName, Summary, Winner};
use crate::registry::Catalog;
use crate::view::json_line;

const SCRIPT: &str = include_str!("games.js");

/// Characters of boards on a page at most; later games are listed without.
const MOST_CHARACTERS: usize = 1_400_000;

/// Games of one cause that are linked at most.
const MOST_LINKS: usize = 40;

/// The page of a match with its games.
pub fn match_page(config: &MatchConfig, summary: &Summary, catalog: &Catalog, games: &[GameLine]) -> String {
    let mut games: Vec<&GameLine> = games.iter().collect();
    games.sort_by_key(|game| game.id());
    let boards = Boards::of(catalog, &games);
    let sections = [lost(config, &games), table(&games, &boards)].concat();
    let script = format!(
        "<script type=\"application/json\" id=\"games\">{}</script>\n<script>\n{SCRIPT}</script>\n",
        json_line(&boards).replace('<', "\\u003c")
    );
    page_with_script(config, summary, &sections, if games.is_empty() { "" } else { &script })
}

/// The boards of all games that find room.
#[derive(Serialize)]
struct Boards {
    games: Vec<Option<Shown>>,
}

/// A game as its first board and what every ply changes.
#[derive(Serialize)]
struct Shown {
    name: String,
    rows: usize,
    columns: usize,
    /// Whether it is a board of dots and lines.
    edges: bool,
    /// One letter for each cell and edge: `E` empty, `X` and `O` the sides, `H` a hole, `D` a drawn edge.
    start: String,
    /// What changes: `35X36O`, places with their new letters.
    plies: Vec<String>,
    moves: Vec<String>,
}

impl Boards {
    fn of(catalog: &Catalog, games: &[&GameLine]) -> Boards {
        let mut left = MOST_CHARACTERS;
        let shown = games.iter().map(|game| {
            let shown = (left > 0).then(|| Shown::of(catalog, game)).flatten()?;
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
    fn of(catalog: &Catalog, game: &GameLine) -> Option<Shown> {
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
        Some(Shown { name: name(game), rows, columns, edges: edges.is_some(), start, plies, moves })
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

/// Why a side lost.
fn cause(game: &GameLine) -> &'static str {
    match game.ending {
        EndingKind::Finished => "on the board",
        EndingKind::Illegal => "illegal move",
        EndingKind::Nonsense => "nonsense",
        EndingKind::Late => "late",
        EndingKind::Panicked => "panicked",
        EndingKind::Crashed => "crashed",
        EndingKind::Resigned => "resigned",
    }
}

/// The side that lost, from 0.
fn loser(game: &GameLine) -> Option<usize> {
    match (game.fault_by, game.winner) {
        (Some(SideName::First), _) | (None, Winner::Second) => Some(0),
        (Some(SideName::Second), _) | (None, Winner::First) => Some(1),
        (None, Winner::Draw) => None,
    }
}

/// For every player, its lost games by cause: faults first.
fn lost(config: &MatchConfig, games: &[&GameLine]) -> String {
    let rows = config.players.iter().enumerate().filter_map(|(seat, player)| {
        let lost: Vec<(usize, &&GameLine)> = games
            .iter()
            .enumerate()
            .filter(|(_, game)| loser(game).is_some_and(|side| game.seats[side] == seat))
            .collect();
        let mut causes: Vec<&str> = lost.iter().map(|(_, game)| cause(game)).collect();
        causes.sort_unstable_by_key(|&word| (word == "on the board", word));
        causes.dedup();
        let of_cause = |word: &&str| {
            let found: Vec<_> = lost.iter().filter(|(_, game)| cause(game) == *word).collect();
            let links: String = found.iter().take(MOST_LINKS).map(|(i, game)| button(*i, game)).collect();
            let more = found.len().saturating_sub(MOST_LINKS);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("<p>{word}: {}</p>\n<p class=\"links\">{links}{more}</p>\n", found.len())
        };
        let causes: String = causes.iter().map(of_cause).collect();
        (!lost.is_empty()).then(|| {
            let name = escape(&player.name);
            format!("<details>\n<summary>{name}: {} lost</summary>\n{causes}</details>\n", lost.len())
        })
    });
    let rows: String = rows.collect();
    if rows.is_empty() { rows } else { format!("<section>\n<h2>Lost games by cause</h2>\n{rows}</section>\n") }
}

fn button(number: usize, game: &GameLine) -> String {
    let why = game.fault.as_deref().map_or(String::new(), |why| format!(" title=\"{}\"", escape(why)));
    format!("<button type=\"button\" class=\"go\" data-game=\"{number}\"{why}>{}</button>\n", name(game))
}

/// All games with the board above them.
fn table(games: &[&GameLine], boards: &Boards) -> String {
    if games.is_empty() {
        return String::new();
    }
    let row = |(i, game): (usize, &&GameLine)| {
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
        format!(
            "<tr><td>{}</td><td>{first}</td><td>{second}</td><td>{result}</td><td class=\"n\">{margin}</td><td>{}</td>\
             <td class=\"n\">{}</td><td class=\"n\">{} / {}</td></tr>\n",
            button(i, game),
            cause(game),
            game.n_moves(),
            seconds(Side::First),
            seconds(Side::Second)
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
         <th class=\"n\">margin</th><th>end</th><th class=\"n\">moves</th><th class=\"n\">seconds</th></tr></thead>\n<tbody>\n{rows}</tbody>\n\
         </table>\n</div>\n</details>\n</section>\n",
        steps.concat()
    )
}

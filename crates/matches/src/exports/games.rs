//! The games of a match on its page: a table, the lost ones by cause, and a board to step through any of them.

use std::collections::BTreeMap;
use std::fmt::Display;

use banyan_catalog::pairs::{GameLine, Winner};
use banyan_catalog::view::json_line;
use banyan_catalog::{Catalog, Opening};
use banyan_core::{Picture, Side};
use banyan_review::{Mark, ReviewUnit, loss_in_words, reason_in_words};
use banyan_texts::Language;
use serde::Serialize;

use super::report::{Cell, Part, Report, Section, Sheet};
use super::sheets::mebibytes;
use crate::config::MatchConfig;
use crate::listing::{GameFilter, GameResult};
use crate::lost_game::{LossCause, LostGame, ValueDrop};
use crate::lost_games::Drops;
use crate::summary::Summary;

/// The most characters of boards on a page; later games are listed without boards.
const MOST_CHARACTERS: usize = 1_400_000;

/// The most linked games of one cause.
const MOST_LINKS: usize = 40;

/// The games of a record, which a page lists.
#[derive(Clone, Copy)]
pub(super) struct Games<'a> {
    /// The games whose boards are shown.
    pub(super) catalog: &'a Catalog,
    /// The record.
    pub(super) lines: &'a [GameLine],
    /// Decisive moves of the lost ones that are reviewed.
    pub(super) drops: &'a Drops,
    /// The language of the page.
    pub(super) language: Language,
}

/// The report with the games of its match; with the review of the lost ones, if the summary has one.
pub(super) fn with_games(report: Report, config: &MatchConfig, summary: &Summary, games: Games<'_>) -> Report {
    let Games { catalog, lines, drops, language } = games;
    if lines.is_empty() {
        return report;
    }
    let mut sorted: Vec<&GameLine> = lines.iter().collect();
    sorted.sort_by_key(|game| game.id());
    let reviewed = summary.loss_review.iter().flat_map(|review| &review.games);
    let reviewed: BTreeMap<(u64, u8), &LostGame> = reviewed.map(|lost| (lost.id(), lost)).collect();
    let lost_game =
        |game: &GameLine| reviewed.get(&game.id()).map(|&lost| lost.clone()).or_else(|| lost_game(game, drops));
    let listed: Vec<Listed<'_>> = sorted.iter().map(|&game| Listed { game, lost: lost_game(game) }).collect();
    let boards = Boards::of(catalog, &listed, language);
    let mut sections = report.sections;
    sections.extend(by_cause(games, config, summary, &listed));
    sections.push(all(&listed, &boards, language));
    Report { sections, boards: Some(json_line(&boards)), ..report }
}

/// Most games of the table of lost ones.
const MOST_LOST: usize = 10;

/// The games that the first player of a match lost, those against the first opponents first, up to ten; `None` if it lost none.
pub(super) fn lost_sheet(config: &MatchConfig, of: Games<'_>) -> Option<Sheet> {
    let lost = GameFilter { result: Some(GameResult::Lost), ..GameFilter::default() };
    let mut games = lost.select(of.lines).unwrap_or_default();
    games.sort_by_key(|game| game.seats[0].max(game.seats[1]));
    let n = games.len();
    games.truncate(MOST_LOST);
    let player = config.players.first().map_or("", |player| player.name.as_str());
    let title = match n {
        0..=MOST_LOST => of.language.say("games.lost-by", &[("player", &player)]),
        _ => of.language.say("games.lost-by-shown", &[("player", &player), ("n", &MOST_LOST), ("of", &n)]),
    };
    (n > 0).then(|| Sheet { title, ..game_sheet(of.catalog, &games, of.drops, of.language) })
}

/// A list of games; with the decisive moves of those that are reviewed, and the reasons why they lose.
pub fn game_sheet(catalog: &Catalog, games: &[&GameLine], drops: &Drops, language: Language) -> Sheet {
    let is_reviewed = games.iter().any(|game| drops.contains_key(&game.id()));
    let row = |game: &&GameLine| {
        let lost = lost_game(game, drops);
        let opening: Vec<&str> = game.moves.split_whitespace().take(game.opening_plies.into()).collect();
        let drop = lost.as_ref().and_then(|lost| lost.drop.as_ref());
        let decisive = drop.map(|drop| decisive_move(drop, language)).unwrap_or_default();
        let mut row = vec![name(game)];
        row.extend(result_of(game, lost.as_ref(), language));
        row.extend(is_reviewed.then_some(decisive));
        row.push(opening.join(" "));
        row.extend(
            is_reviewed.then(|| drop.and_then(|drop| reason(catalog, game, drop, language)).unwrap_or_default()),
        );
        row
    };
    let mut headings = game_headings(language).to_vec();
    headings.extend(is_reviewed.then(|| language.say("games.decisive", &[])));
    headings.push(language.say("games.opening", &[]));
    headings.extend(is_reviewed.then(|| language.say("games.reason", &[])));
    Sheet::new("", &headings, games.iter().map(row))
}

/// The headings of what [`result_of`] returns, after the name of the game.
fn game_headings(language: Language) -> [String; 7] {
    let text = |key: &str| language.say(key, &[]);
    [
        text("games.game"),
        text("games.first"),
        text("games.second"),
        text("games.result"),
        format!(">{}", text("games.margin")),
        text("games.end"),
        format!(">{}", text("games.moves")),
    ]
}

/// The lost game with its review, if there is one; `None` if it has no loser.
fn lost_game(game: &GameLine, drops: &Drops) -> Option<LostGame> {
    let lost = LostGame::of(game)?;
    Some(match drops.get(&game.id()) {
        Some(drop) => lost.reviewed(drop.clone()),
        None => lost,
    })
}

/// `23. f5 ?? -4 points (proven); better d6`.
fn decisive_move(drop: &ValueDrop, language: Language) -> String {
    let loss = with_better(drop, format!("-{}", loss(drop, language)), language);
    format!("{}. {} {}{loss}", drop.ply, drop.mv, glyph(drop))
}

/// The reason why the decisive move of a game loses.
fn reason(catalog: &Catalog, game: &GameLine, drop: &ValueDrop, language: Language) -> Option<String> {
    let reason = drop.reason.as_ref()?;
    let state = catalog.game(&game.spec).ok()?.begin(Opening::Start).ok()?;
    let sides = Side::BOTH.map(|side| language.side(state.side_name(side)));
    Some(reason_in_words(&sides, (&drop.mv, drop.best.as_deref().unwrap_or_default()), reason, language))
}

/// Players, result, margin, end and number of moves, those of the opening included, as plies count them.
fn result_of(game: &GameLine, lost: Option<&LostGame>, language: Language) -> [String; 6] {
    let result = match game.winner {
        Winner::First => "1-0",
        Winner::Second => "0-1",
        Winner::Draw => "½-½",
    };
    let [first, second] = game.players.clone();
    [
        first,
        second,
        result.to_owned(),
        game.margin.map_or(String::new(), |margin| format!("{margin:+}")),
        lost.map_or(LossCause::Unreviewed, |lost| lost.cause).in_words(language),
        game.moves.split_whitespace().count().to_string(),
    ]
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
    texts: Texts,
}

/// The words of the script of the page.
#[derive(Serialize)]
struct Texts {
    start: String,
    game: String,
    board: String,
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
    fn of(catalog: &Catalog, games: &[Listed<'_>], language: Language) -> Boards {
        let mut left = MOST_CHARACTERS;
        let shown = games.iter().map(|listed| {
            let game = listed.game;
            let shown = (left > 0).then(|| Shown::of(catalog, listed, language)).flatten()?;
            let size = shown.start.len()
                + shown.plies.iter().map(|ply| ply.len() + 3).sum::<usize>()
                + game.moves.len() * 2
                + 80;
            left = left.saturating_sub(size);
            Some(shown)
        });
        let texts = Texts {
            start: language.say("review.start-of-game", &[]),
            // The script replaces the dash.
            game: language.say("report.game-is", &[("name", &"-")]),
            board: language.say("report.board", &[]),
        };
        Boards { games: shown.collect(), texts }
    }
}

impl Shown {
    /// `None` if the game cannot be drawn.
    fn of(catalog: &Catalog, listed: &Listed<'_>, language: Language) -> Option<Shown> {
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
        let drop = listed.drop().map(|drop| (drop.ply, sentence(drop, language)));
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
fn sentence(drop: &ValueDrop, language: Language) -> String {
    let loses = language.say("games.loses", &[("loss", &loss(drop, language))]);
    glyph(drop) + &with_better(drop, loses, language)
}

/// A loss with its proof and the better move, if there is one.
fn with_better(drop: &ValueDrop, loss: String, language: Language) -> String {
    let loss = if drop.exact { language.say("games.proven", &[("loss", &loss)]) } else { loss };
    match &drop.best {
        Some(best) => language.say("games.and-better", &[("loss", &loss), ("move", best)]),
        None => loss,
    }
}

/// The mark with a blank after it, if there is one.
fn glyph(drop: &ValueDrop) -> String {
    drop.mark.map_or(String::new(), |mark: Mark| format!("{} ", mark.glyph()))
}

/// `12.5 %`, or `4 points`.
fn loss(drop: &ValueDrop, language: Language) -> String {
    let number = match loss_in_words(drop.loss, drop.exact) {
        words if words.is_empty() => "0.0".to_owned(),
        words => words.trim_start_matches('=').to_owned(),
    };
    match drop.unit {
        ReviewUnit::Points => language.say("games.points", &[("n", &number)]),
        ReviewUnit::Percent => format!("{number} %"),
    }
}

/// For every player, its lost games by cause: faults first.
fn by_cause(of: Games<'_>, config: &MatchConfig, summary: &Summary, games: &[Listed<'_>]) -> Option<Section> {
    let language = of.language;
    let players = config.players.iter().enumerate().filter_map(|(seat, player)| {
        let mut causes: BTreeMap<LossCause, Vec<(usize, &Listed<'_>)>> = BTreeMap::new();
        for (i, listed) in games.iter().enumerate() {
            if let Some(lost) = listed.lost.as_ref().filter(|lost| lost.player == seat) {
                causes.entry(lost.cause).or_default().push((i, listed));
            }
        }
        let n_lost: usize = causes.values().map(Vec::len).sum();
        let parts = causes.iter().flat_map(|(&cause, games)| of_cause(of, cause, games, summary));
        let title = language.say("games.n-lost", &[("player", &player.name), ("n", &n_lost)]);
        (n_lost > 0).then(|| Part::Folded(title, parts.collect()))
    });
    let players: Vec<Part> = players.collect();
    let parts = || reviewed_by(summary, language).map(Part::Small).into_iter().chain(players.iter().cloned()).collect();
    (!players.is_empty()).then(|| Section { title: language.say("games.by-cause", &[]), parts: parts() })
}

/// The reviewer of the lost games, and the number of reviewed games.
fn reviewed_by(summary: &Summary, language: Language) -> Option<String> {
    let review = summary.loss_review.as_ref()?;
    let count = match (review.reviewed, review.to_review) {
        (reviewed, all) if reviewed < all => language.say("games.count-interrupted", &[("n", &reviewed), ("of", &all)]),
        (_, all) => language.say("games.count", &[("n", &all)]),
    };
    let params: [(&str, &dyn Display); 3] =
        [("player", &review.reviewer), ("budget", &review.budget), ("count", &count)];
    Some(language.say("games.reviewed-by", &params))
}

/// The games lost for one cause, with the move at which the value drops most if it is known.
fn of_cause(of: Games<'_>, cause: LossCause, games: &[(usize, &Listed<'_>)], summary: &Summary) -> Vec<Part> {
    let language = of.language;
    let word = match cause {
        LossCause::Unreviewed if summary.loss_review.is_some() => language.say("cause.not-reviewed", &[]),
        cause => cause.in_words(language),
    };
    let mut parts = vec![Part::Text(language.say("games.of-cause", &[("cause", &word), ("n", &games.len())]))];
    let others = games.iter().filter(|(_, listed)| listed.drop().is_none());
    let mut links: Vec<Cell> = others.map(|(i, listed)| opener(*i, listed.game)).collect();
    if links.len() > MOST_LINKS {
        let more = links.split_off(MOST_LINKS).len();
        links.push(language.say("games.more", &[("n", &more)]).into());
    }
    if !links.is_empty() {
        parts.push(Part::Links(links));
    }
    let drops = games.iter().filter_map(|(i, listed)| Some(drop_row(of, *i, listed.game, listed.drop()?)));
    let text = |key: &str| language.say(key, &[]);
    let headings = [
        text("games.game"),
        format!(">{}", text("games.ply")),
        text("games.move"),
        text("games.better"),
        format!(">{}", text("games.loss")),
        text("games.reason"),
    ];
    let table = Sheet::new("", &headings, drops);
    if !table.rows.is_empty() {
        parts.push(Part::Sheet(table));
    }
    parts
}

/// The first cell opens the board after the move.
fn drop_row(Games { catalog, language, .. }: Games<'_>, number: usize, game: &GameLine, drop: &ValueDrop) -> Vec<Cell> {
    let texts = [
        drop.ply.to_string(),
        format!("{} {}", drop.mv, drop.mark.map_or("", Mark::glyph)),
        drop.best.clone().unwrap_or_else(|| "-".to_owned()),
        format!("{}{}", if drop.exact { "=" } else { "" }, loss(drop, language)),
        reason(catalog, game, drop, language).unwrap_or_default(),
    ];
    let opener = Cell { opens: Some((number, Some(drop.ply))), ..name(game).into() };
    [opener].into_iter().chain(texts.map(Cell::from)).collect()
}

/// The name of a game, which opens it; the pointer on it shows its fault.
fn opener(number: usize, game: &GameLine) -> Cell {
    Cell { opens: Some((number, None)), hint: game.fault.clone().unwrap_or_default(), ..name(game).into() }
}

/// All games, and the board on which they are shown.
fn all(games: &[Listed<'_>], boards: &Boards, language: Language) -> Section {
    let more = [format!(">{}", language.say("games.seconds", &[])), ">MiB".to_owned()];
    let headings = [&game_headings(language)[..], &more].concat();
    let sheet = Sheet::new("", &headings, games.iter().enumerate().map(|(i, listed)| game_row(i, listed, language)));
    let missing = boards.games.iter().filter(|shown| shown.is_none()).count();
    let note = language.say("games.no-board", &[("n", &missing)]);
    let note = (missing > 0).then_some(Part::Small(note));
    let table = note.into_iter().chain([Part::Sheet(sheet)]).collect();
    Section { title: String::new(), parts: vec![Part::Stage, Part::Folded(language.say("games.all", &[]), table)] }
}

fn game_row(number: usize, Listed { game, lost }: &Listed<'_>, language: Language) -> Vec<Cell> {
    let seconds = |side: Side| {
        let times = game.time_us.iter().enumerate().filter(|(i, _)| game.mover(*i) == side).map(|(_, time)| time);
        format!("{:.1}", times.sum::<u64>() as f64 / 1e6)
    };
    let memory = |side: Side| game.peak_memory(side).map_or("-".to_owned(), mebibytes);
    let both = |text: &dyn Fn(Side) -> String| Side::BOTH.map(text).join(" / ");
    let texts = result_of(game, lost.as_ref(), language).into_iter().chain([both(&seconds), both(&memory)]);
    [opener(number, game)].into_iter().chain(texts.map(Cell::from)).collect()
}

//! The games of a record as columns: a row for each game, pair or move, in the order of the pairs.

use banyan_catalog::pairs::{GameLine, Winner};
use banyan_core::Side;

/// A table by columns of one length, each with its name.
pub struct Rows {
    /// The columns.
    pub columns: Vec<(&'static str, Values)>,
}

/// The values of a column; `None` where a record has none.
pub enum Values {
    /// Whole numbers.
    Whole(Vec<Option<i64>>),
    /// Real numbers.
    Real(Vec<Option<f64>>),
    /// Texts.
    Text(Vec<Option<String>>),
}

impl Rows {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.columns.first().map_or(0, |(_, values)| match values {
            Values::Whole(values) => values.len(),
            Values::Real(values) => values.len(),
            Values::Text(values) => values.len(),
        })
    }

    /// Whether it has no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

fn whole<T>(rows: &[T], value: impl Fn(&T) -> Option<i64>) -> Values {
    Values::Whole(rows.iter().map(value).collect())
}

fn real<T>(rows: &[T], value: impl Fn(&T) -> Option<f64>) -> Values {
    Values::Real(rows.iter().map(value).collect())
}

fn text<T>(rows: &[T], value: impl Fn(&T) -> Option<&str>) -> Values {
    Values::Text(rows.iter().map(|row| value(row).map(str::to_owned)).collect())
}

fn sorted(lines: &[GameLine]) -> Vec<&GameLine> {
    let mut games: Vec<&GameLine> = lines.iter().collect();
    games.sort_by_key(|game| game.id());
    games
}

fn count(n: u64) -> Option<i64> {
    i64::try_from(n).ok()
}

fn winner(game: &GameLine) -> Option<Side> {
    match game.winner {
        Winner::First => Some(Side::First),
        Winner::Second => Some(Side::Second),
        Winner::Draw => None,
    }
}

/// The ending as in the record.
fn ending(game: &GameLine) -> String {
    serde_json::to_value(game.ending).ok().and_then(|name| Some(name.as_str()?.to_owned())).unwrap_or_default()
}

/// A row for each game.
///
/// `pair` and `game` (0 or 1) name it; `board`; `opening`, the number of its opening; `first` and `second`, the players; `winner`, one of
/// them or none; `margin`, the final margin in points seen by the first side; `ending`; `plies`, opening included; `first_ms` and
/// `second_ms`, thinking time in milliseconds; `moves`.
pub fn game_rows(lines: &[GameLine]) -> Rows {
    let games = &sorted(lines)[..];
    let spent = |game: &GameLine, side: Side| {
        let times = game.time_us.iter().enumerate().filter(|&(i, _)| game.mover(i) == side);
        Some(times.map(|(_, &time)| time as f64).sum::<f64>() / 1000.0)
    };
    Rows {
        columns: vec![
            ("pair", whole(games, |game| count(game.pair))),
            ("game", whole(games, |game| Some(game.game.into()))),
            ("board", text(games, |game| Some(&game.spec))),
            ("opening", whole(games, |game| count(game.opening))),
            ("first", text(games, |game| Some(&game.players[0]))),
            ("second", text(games, |game| Some(&game.players[1]))),
            ("winner", text(games, |game| winner(game).map(|side| game.players[side.index()].as_str()))),
            ("margin", whole(games, |game| game.margin.map(i64::from))),
            ("ending", Values::Text(games.iter().map(|game| Some(ending(game))).collect())),
            ("plies", whole(games, |game| Some(game.moves.split_whitespace().count() as i64))),
            ("first_ms", real(games, |game| spent(game, Side::First))),
            ("second_ms", real(games, |game| spent(game, Side::Second))),
            ("moves", text(games, |game| Some(&game.moves))),
        ],
    }
}

/// A row for each pair of games with the same opening, of which both games are recorded: `pair`, `opening`, the names of two players as
/// `player` and `opponent`, and `points` of the first of them in both games, 0 to 2.
pub fn pair_rows(lines: &[GameLine]) -> Rows {
    let games = sorted(lines);
    let halves = games.chunk_by(|one, other| one.pair == other.pair);
    let pairs: Vec<[&GameLine; 2]> = halves.filter_map(|games| <[&GameLine; 2]>::try_from(games).ok()).collect();
    let points = |pair: &[&GameLine; 2]| {
        let of = |game: &GameLine, side: Side| winner(game).map_or(0.5, |winner| f64::from(winner == side));
        Some(of(pair[0], Side::First) + of(pair[1], Side::Second))
    };
    Rows {
        columns: vec![
            ("pair", whole(&pairs, |pair| count(pair[0].pair))),
            ("opening", whole(&pairs, |pair| count(pair[0].opening))),
            ("player", text(&pairs, |pair| Some(&pair[0].players[0]))),
            ("opponent", text(&pairs, |pair| Some(&pair[0].players[1]))),
            ("points", real(&pairs, points)),
        ],
    }
}

/// A row for each move that a player chose: `pair`, `game`, `ply` from 1, `player`, `move`, `value` for the mover from -1 to 1, `playouts`,
/// `nodes`, `time_us` in microseconds.
pub fn move_rows(lines: &[GameLine]) -> Rows {
    let games = sorted(lines);
    let mut moves: Vec<(&GameLine, usize, &str)> = Vec::new();
    for game in games {
        let chosen = game.moves.split_whitespace().skip(game.opening_plies.into());
        moves.extend(chosen.enumerate().map(|(i, mv)| (game, i, mv)));
    }
    let counted =
        |list: fn(&GameLine) -> &[u64]| whole(&moves, move |(game, i, _)| list(game).get(*i).copied().and_then(count));
    Rows {
        columns: vec![
            ("pair", whole(&moves, |(game, ..)| count(game.pair))),
            ("game", whole(&moves, |(game, ..)| Some(game.game.into()))),
            ("ply", whole(&moves, |(game, i, _)| Some(i64::from(game.opening_plies) + *i as i64 + 1))),
            ("player", text(&moves, |(game, i, _)| Some(&game.players[game.mover(*i).index()]))),
            ("move", text(&moves, |(.., mv)| Some(mv))),
            ("value", real(&moves, |(game, i, _)| game.value.get(*i).copied())),
            ("playouts", counted(|game| &game.playouts)),
            ("nodes", counted(|game| &game.nodes)),
            ("time_us", counted(|game| &game.time_us)),
        ],
    }
}

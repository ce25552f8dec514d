//! Warnings about the validity of a match result.

use std::collections::{BTreeMap, HashMap, HashSet};

use banyan_arena::stats::wilson;
use banyan_catalog::Budget;
use banyan_catalog::pairs::{EndingKind, GameLine, Winner};
use serde::{Deserialize, Serialize};

use crate::config::{ClockKind, MatchConfig};
use crate::pairing_summary::PairingSummary;
use crate::player_summary::PlayerSummary;
use crate::spending::fault_name;

/// Ratio of thinking players to cores above which the match counts as oversubscribed; above 1 because clocks differ
/// slightly. Guess, untuned.
const CROWDED: f64 = 1.1;

/// Between equal players with even chances, the same side wins both games in half of all pairs. If the share is
/// significantly above this, the openings decide too much. Guess, untuned.
const LOPSIDED: f64 = 0.6;

/// More games than this decided by lateness make a separate warning, if they are also more than one in `FEW_OF` of all. Guesses,
/// untuned: one game in a hundred is worth 3 Elo.
const FEW: u64 = 3;
const FEW_OF: u64 = 100;

/// Characters printed of the reason of a fault; the record has all.
const MOST_OF_REASON: usize = 300;

/// Incomplete pairs listed; the summary has all.
const LISTED: usize = 10;

/// A possible problem with a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// `lateness`, `duplicates`, `overruns`, `faults`, `standstill`, `oversubscribed`, `openings`, `records`, `incomplete` or `published`.
    pub kind: String,
    /// One sentence for display.
    pub text: String,
    /// A game that shows the problem, as pair and number: `4.1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
}

impl Warning {
    pub(super) fn new(kind: &str, text: String) -> Warning {
        Warning { kind: kind.to_owned(), text, game: None }
    }

    /// The clock rather than the board decided the match of these games.
    pub fn lateness(records: &[GameLine]) -> Option<Warning> {
        let late = records.iter().filter(|game| game.ending == EndingKind::Late);
        let (n, all) = (late.clone().count() as u64, records.len() as u64);
        let first = late.map(GameLine::id).min()?;
        let text = format!(
            "LATENESS DECIDED {n} of {} and not the board: the result is of little worth; play fewer --jobs on a machine that does \
             nothing else, or raise --budget or --margin",
            games(all)
        );
        let game = Some(format!("{}.{}", first.0, first.1));
        (n > FEW && n * FEW_OF > all).then(|| Warning { game, ..Warning::new("lateness", text) })
    }

    /// Warns before a match with time limits if more games run in parallel than there are cores.
    pub fn oversubscribed(config: &MatchConfig, jobs: usize, cores: usize) -> Option<Warning> {
        (jobs > cores && has_time(config)).then(|| {
            let text = format!("{jobs} parallel games on {cores} cores: players get less CPU time than their budget");
            Warning::new("oversubscribed", text)
        })
    }
}

/// The results of a match that warnings depend on.
pub(super) struct Findings<'a> {
    pub(super) players: &'a [PlayerSummary],
    pub(super) pairings: &'a [PairingSummary],
    /// All records, including excluded ones.
    pub(super) games: &'a [GameLine],
    /// Total thinking time of all players.
    pub(super) seconds: f64,
    /// Number of excluded records, of players that are not in the match.
    pub(super) n_excluded: usize,
}

/// All warnings, most severe first.
pub(super) fn all(config: &MatchConfig, findings: &Findings<'_>) -> Vec<Warning> {
    let &Findings { players, pairings, games, seconds, n_excluded } = findings;
    let mut warnings = Vec::new();
    warnings.extend(Warning::lateness(games));
    warnings.extend(records(n_excluded));
    warnings.extend(players.iter().enumerate().filter_map(|(seat, player)| faults(seat, player, games)));
    warnings.extend(duplicates(pairings));
    warnings.extend(players.iter().filter_map(|player| overruns(player, config.margin_ms)));
    warnings.extend(standstill(games));
    warnings.extend(crowded(config, games, seconds));
    warnings.extend(repeated_openings(config, games));
    warnings.extend(lopsided(games));
    warnings.extend(incomplete(pairings));
    warnings
}

/// Games that were started again because the program stood still.
fn standstill(records: &[GameLine]) -> Option<Warning> {
    let again = records.iter().filter(|game| game.replays > 0).count() as u64;
    let again_text = if again == 1 { "1 game was".to_owned() } else { format!("{again} games were") };
    let text = format!("{again_text} begun again because the program stood still");
    (again > 0).then(|| Warning::new("standstill", text))
}

fn records(n: usize) -> Option<Warning> {
    let text = format!("{n} games of players that are not in this match are excluded");
    (n > 0).then(|| Warning::new("records", text))
}

/// The warning about faults, with the reason of the first game of each kind.
fn faults(seat: usize, player: &PlayerSummary, records: &[GameLine]) -> Option<Warning> {
    let by_player = |game: &&GameLine| game.fault_by.is_some_and(|side| game.seats[side as usize] == seat);
    let mut firsts: BTreeMap<&str, &GameLine> = BTreeMap::new();
    for game in records.iter().filter(by_player) {
        let first = firsts.entry(fault_name(game.ending)).or_insert(game);
        if game.id() < first.id() {
            *first = game;
        }
    }
    let kinds = player.spending.faults.iter().map(|(kind, n)| {
        let Some(game) = firsts.get(kind.as_str()) else { return format!("{n} {kind}") };
        let fault = game.fault.as_deref().unwrap_or_default();
        let reason = fault.strip_prefix(kind.as_str()).unwrap_or(fault).trim_start_matches([':', ' ']);
        let reason = if reason.is_empty() { String::new() } else { format!(": {}", one_line(reason)) };
        format!("{n} {kind} (first in game {}.{}{reason})", game.pair, game.game)
    });
    let n = player.spending.n_faults();
    let text = format!("{} lost {} by fault: {}", player.name, games(n), kinds.collect::<Vec<_>>().join(", "));
    let game = firsts.values().map(|game| game.id()).min().map(|(pair, game)| format!("{pair}.{game}"));
    (n > 0).then(|| Warning { game, ..Warning::new("faults", text) })
}

/// Text of a player without control characters, shortened.
fn one_line(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    match text.char_indices().nth(MOST_OF_REASON) {
        Some((end, _)) => format!("{} ...", &text[..end]),
        None => text,
    }
}

fn duplicates(pairings: &[PairingSummary]) -> impl Iterator<Item = Warning> {
    pairings.iter().filter(|pairing| pairing.repeated_pairs > 0).map(|pairing| {
        let ([one, other], n) = (&pairing.names, pairing.repeated_pairs);
        let all = n + pairing.pairs;
        let text = format!(
            "{n} of {all} pairs of {one} and {other} are exact repetitions and count once; use longer openings"
        );
        Warning::new("duplicates", text)
    })
}

fn overruns(player: &PlayerSummary, margin_ms: u64) -> Option<Warning> {
    let (n, worst) = (player.spending.overruns, player.spending.worst_overrun_ms);
    let moves = if n == 1 { "1 move".to_owned() } else { format!("{n} moves") };
    let mut text = format!("{} exceeded its time in {moves}, by at most {worst:.1} ms", player.name);
    if worst > margin_ms as f64 {
        text += "; its CPU time kept the limit, so it did not lose: other programs or games took the processor";
    }
    (n > 0).then(|| Warning::new("overruns", text))
}

/// Total thinking time exceeded the wall time of all cores.
fn crowded(config: &MatchConfig, games: &[GameLine], seconds: f64) -> Option<Warning> {
    let cores = config.made_by.cores as f64;
    let wall = wall_seconds(games);
    if cores == 0.0 || wall == 0.0 || config.clock != ClockKind::Wall || !has_time(config) {
        return None;
    }
    let at_once = seconds / wall;
    let text = format!(
        "on average {at_once:.1} players searched in parallel on {cores} cores, so they got less CPU time than their budget"
    );
    (at_once > CROWDED * cores).then(|| Warning::new("oversubscribed", text))
}

/// Wall time of the match. A record with a much earlier time than the previous one means that the match was resumed.
/// Interleaved records of several machines only increase the result, which avoids false warnings.
fn wall_seconds(games: &[GameLine]) -> f64 {
    let (mut total, mut latest) = (0, 0);
    for game in games {
        if game.at_ms + 1000 < latest {
            total += latest;
            latest = 0;
        }
        latest = latest.max(game.at_ms);
    }
    (total + latest) as f64 / 1000.0
}

fn has_time(config: &MatchConfig) -> bool {
    let times = |budget: Budget| budget.time.is_some() || budget.game.is_some();
    config.players.iter().any(|player| player.budget.parse().is_ok_and(times))
}

fn repeated_openings(config: &MatchConfig, games: &[GameLine]) -> Option<Warning> {
    if config.openings == "none" {
        return None;
    }
    let mut rounds: BTreeMap<u64, (&str, &str)> = BTreeMap::new();
    for game in games {
        rounds.entry(game.opening).or_insert((&game.spec, opening(game)));
    }
    let distinct: HashSet<_> = rounds.values().collect();
    let repeated = rounds.len() - distinct.len();
    let text = format!("{repeated} of {} openings repeat earlier ones; use longer openings", rounds.len());
    (repeated > 0).then(|| Warning::new("openings", text))
}

/// The moves of the opening in the record.
fn opening(game: &GameLine) -> &str {
    let mut words = game.moves.split_whitespace().skip(usize::from(game.opening_plies));
    let end = words.next().map_or(game.moves.len(), |word| word.as_ptr() as usize - game.moves.as_ptr() as usize);
    game.moves[..end].trim_end()
}

fn lopsided(games: &[GameLine]) -> Option<Warning> {
    let mut pairs: HashMap<u64, [Option<Winner>; 2]> = HashMap::new();
    for game in games.iter().filter(|game| game.fault_by.is_none()) {
        pairs.entry(game.pair).or_default()[usize::from(game.game % 2)] = Some(game.winner);
    }
    let complete = pairs.values().filter(|games| games.iter().all(Option::is_some)).count() as u64;
    let by_side =
        |games: &&[Option<Winner>; 2]| games[0] == games[1] && games[0].is_some_and(|who| who != Winner::Draw);
    let decided = pairs.values().filter(by_side).count() as u64;
    let surely_more = wilson(decided, complete).low.is_some_and(|low| low > LOPSIDED);
    let text = format!(
        "the same side won both games in {decided} of {complete} pairs: the openings decide more than the players; use \
         balanced openings"
    );
    surely_more.then(|| Warning::new("openings", text))
}

fn incomplete(pairings: &[PairingSummary]) -> Option<Warning> {
    let pairs: Vec<u64> = pairings.iter().flat_map(|pairing| pairing.incomplete_pairs.iter().copied()).collect();
    let mut listed: Vec<String> = pairs.iter().take(LISTED).map(u64::to_string).collect();
    listed.extend((pairs.len() > LISTED).then(|| "...".to_owned()));
    let counts = if pairs.len() == 1 { "1 pair is" } else { &format!("{} pairs are", pairs.len()) };
    let text = format!("{counts} incomplete and excluded: {}", listed.join(", "));
    (!pairs.is_empty()).then(|| Warning::new("incomplete", text))
}

fn games(n: u64) -> String {
    if n == 1 { "1 game".to_owned() } else { format!("{n} games") }
}

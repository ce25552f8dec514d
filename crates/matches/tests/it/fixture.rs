//! Matches made up by hand.

use banyan_catalog::pairs::{EndingKind, GameLine, SideName, Winner};
use banyan_matches::{Entrant, MadeBy, MatchConfig, SprtBounds};

/// A match of these players with `playouts=100` each.
pub fn config(players: &[&str]) -> MatchConfig {
    let entrant = |name: &&str| Entrant {
        name: (*name).to_owned(),
        player: (*name).to_owned(),
        budget: "playouts=100".to_owned(),
        engines: Vec::new(),
    };
    MatchConfig {
        seed: 7,
        made_by: MadeBy {
            version: "0.1.0".to_owned(),
            system: "linux x86_64".to_owned(),
            cores: 2,
            engines_file: None,
        },
        ..MatchConfig::of("connect-four", "random:plies=2", players.iter().map(entrant).collect())
    }
}

pub fn sprt(elo0: f64, elo1: f64) -> Option<SprtBounds> {
    Some(SprtBounds { elo0, elo1, alpha: 0.05, beta: 0.05 })
}

/// One game between `seats`, won, drawn (`=`) or lost (`-`) by the first side, with its own moves and round.
pub fn game(pair: u64, game: u8, seats: [usize; 2], result: char) -> GameLine {
    let names = ["anna", "bert", "cleo", "dora"];
    let winner = match result {
        '+' => Winner::First,
        '-' => Winner::Second,
        _ => Winner::Draw,
    };
    GameLine {
        v: 1,
        event: GameLine::EVENT.to_owned(),
        pair,
        game,
        spec: "connect-four".to_owned(),
        opening: pair,
        opening_plies: 2,
        players: seats.map(|seat| names[seat.min(3)].to_owned()),
        seats,
        tuned: Vec::new(),
        seeds: [1, 2],
        // Two moves of the opening that identify the pair, three that are played.
        moves: format!("{} {} 1 2 3", pair / 7 + 1, pair % 7 + 1),
        movers: String::new(),
        margin: Some(if winner == Winner::Draw { 0 } else { 3 }),
        winner,
        ending: EndingKind::Finished,
        fault_by: None,
        fault: None,
        replays: 0,
        time_us: vec![1000, 3000, 2000],
        overrun_us: Vec::new(),
        playouts: vec![100, 50, 200],
        nodes: vec![10, 20, 30],
        value: Vec::new(),
        reused: vec![0.0, 0.5, 0.4],
        memory_bytes: Some([3 << 20, 0]),
        at_ms: 10 * pair,
    }
}

/// The pair number `pair` of players `a` and `b`; `results` as the first side of each game sees it: `+-`.
pub fn pair(pair: u64, [a, b]: [usize; 2], results: &str) -> Vec<GameLine> {
    let seats = [[a, b], [b, a]];
    (0..).zip(results.chars()).map(|(i, result)| game(pair, i, seats[usize::from(i)], result)).collect()
}

/// Pairs of players 0 and 1, one after the other.
pub fn pairs(results: &[&str]) -> Vec<GameLine> {
    (0..).zip(results).flat_map(|(i, results)| pair(i, [0, 1], results)).collect()
}

/// `game` lost by `side` for `ending`.
pub fn fault(mut game: GameLine, side: SideName, ending: EndingKind) -> GameLine {
    game.winner = if side == SideName::First { Winner::Second } else { Winner::First };
    GameLine { margin: None, ending, fault_by: Some(side), fault: Some("so it was".to_owned()), ..game }
}

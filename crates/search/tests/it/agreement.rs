//! Compares the proofs of a search with exact values.

use crate::kits::{WithKit, mcts};
use banyan_core::{Bounds, Game, Limits, Margin, Player, Report, Rng, Side, Silent, Situation};
use banyan_search::{Config, ExpansionWidth, Mcts, Proof, Reward};

use banyan_testkit::{Exact, PROOF_NEUTRAL};

/// A position to search, with its moves.
pub struct Position<G: Game> {
    pub start: G::State,
    pub played: Vec<G::Move>,
    pub state: G::State,
}

/// A position after `plies` random moves, or the last one before the end.
pub fn random_position<G: Game>(game: &G, plies: u32, rng: &mut Rng) -> Position<G> {
    let start = game.start();
    let mut position: Position<G> = Position { start: start.clone(), played: Vec::new(), state: start };
    for _ in 0..plies {
        let mut moves = Vec::new();
        game.moves(&position.state, &mut moves);
        let mv = moves[rng.below(moves.len() as u32) as usize];
        let mut next = position.state.clone();
        game.play(&mut next, mv);
        if game.result(&next).is_some() {
            break;
        }
        position.played.push(mv);
        position.state = next;
    }
    position
}

/// Every combination of the settings that affect proofs: `[384]`.
pub fn every_combination() -> Vec<Config> {
    const CHOICES: [(&str, &[&str]); 7] = [
        ("structure", &["tree", "graph"]),
        ("proof", &["win", "bounds"]),
        ("reward", &["win", "wdl", "margin"]),
        ("forced", &["never", "expansion", "always", "one-ply-always"]),
        ("eval", &["uniform", "tactical"]),
        ("expand", &["one", "all"]),
        ("batch", &["1", "8"]),
    ];
    let mut all = vec![Config::default()];
    for (name, words) in CHOICES {
        let with = |config: &Config, word: &&str| {
            let mut config = config.clone();
            config.set(name, word).expect("a word of the table");
            config
        };
        all = all.iter().flat_map(|config| words.iter().map(|word| with(config, word)).collect::<Vec<_>>()).collect();
    }
    all
}

/// Sets random values of settings that should not affect proofs.
pub fn draw_others(config: &mut Config, rng: &mut Rng) {
    for (name, words) in PROOF_NEUTRAL {
        config.set(name, words[rng.below(words.len() as u32) as usize]).expect("a word of the table");
    }
    if config.expand != ExpansionWidth::One {
        config.widening = 0;
    }
    if counts_points(config) {
        let c = if config.reward == Reward::Margin { "2" } else { "30" };
        config.set("c", c).expect("in range");
    }
}

/// Whether proofs can leave a single reward: proofs of the winner do not determine points.
pub fn can_be_decided(config: &Config) -> bool {
    !counts_points(config) || config.proof == Proof::Bounds
}

/// Whether the reward distinguishes all margins.
fn counts_points(config: &Config) -> bool {
    matches!(config.reward, Reward::Margin | Reward::FiftyMargin)
}

/// Whether only one reward is left.
pub fn is_decided(config: &Config, bounds: Bounds) -> bool {
    match config.reward {
        Reward::Margin | Reward::FiftyMargin => bounds.is_exact(),
        Reward::Win | Reward::WinMargin | Reward::Wdl => bounds.lower.winner() == bounds.upper.winner(),
    }
}

/// Searches a position with a new player; otherwise as [`check_next`].
pub fn check<G: WithKit>(
    at: (&G, &Position<G>),
    (config, seed): (&Config, u64),
    playouts: u64,
    exact: &mut Exact<'_, G>,
) -> (Report<G::Move>, bool) {
    let mut player = mcts(config.clone());
    player.new_game(seed);
    check_next(&mut player, at, playouts, exact)
}

/// Searches a position and compares the report with exact values; returns the report and whether the position is
/// solved.
pub fn check_next<G: Game>(
    player: &mut Mcts<G>,
    (game, position): (&G, &Position<G>),
    playouts: u64,
    exact: &mut Exact<'_, G>,
) -> (Report<G::Move>, bool) {
    let config = player.config().clone();
    let Position { start, played, state } = position;
    let at = Situation { game, start, played, state };
    let shown = || format!("{config:?} with {playouts} playouts at {state:?} after {played:?}");
    let report = player.choose(&at, &Limits::playouts(playouts), &mut Silent);
    let report = report.unwrap_or_else(|fault| panic!("{fault}: {}", shown()));
    let shown = || format!("{report:#?}\nof {}", shown());
    let range = game.margin_range();
    let holds = |proof: Option<Bounds>, margin: Margin| proof.is_none_or(|bounds| bounds.contains(margin));
    let best = exact.margin(state);
    assert!(holds(report.proof, best), "{best} is best in {}", shown());
    for stat in &report.moves {
        let after = exact.after(state, stat.mv);
        assert!(holds(stat.proof, after), "{after} is best after {:?} in {}", stat.mv, shown());
    }
    let decided = is_decided(&config, report.proof.unwrap_or(range));
    if decided {
        let after = exact.after(state, report.best);
        let whole_margin = counts_points(&config) && config.proof == Proof::Bounds;
        let reached = if whole_margin { after == best } else { after.winner() == best.winner() };
        assert!(reached, "{:?} leads to {after}, not {best}, in {}", report.best, shown());
        let value = value_of(&config, after, range, game.to_move(state));
        assert!((report.value - value).abs() < 1e-6, "{value} is the value in {}", shown());
    } else {
        assert_eq!(report.playouts, playouts, "stopped undecided: {}", shown());
    }
    (report, decided)
}

/// The value of a solved position for the mover, -1 .. 1.
fn value_of(config: &Config, margin: Margin, range: Bounds, mover: Side) -> f64 {
    let share = match config.reward {
        Reward::Win | Reward::WinMargin | Reward::Wdl => f64::from(margin.0.signum()),
        // The ranges of the games here are symmetric.
        Reward::Margin => f64::from(margin.0) / f64::from(range.upper.0),
        Reward::FiftyMargin => f64::from(50 * margin.0.signum() + margin.0) / f64::from(50 + range.upper.0),
    };
    share * f64::from(mover.sign())
}

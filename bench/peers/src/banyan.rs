//! Banyan's UCT.

use banyan_core::{Game, Limits, Player, PlayoutPolicy, Silent, Situation};
use banyan_search::{Config, Mcts};

use crate::uniform::PlayoutKit;

/// UCT as in the other libraries: the given exploration weight, every legal move a child, one new node per simulation.
pub fn plain(c: f64) -> Config {
    let mut config = Config::uct();
    for (name, value) in [("c", c.to_string().as_str()), ("forced", "never"), ("expand", "one"), ("expand-at", "1")] {
        config.set(name, value).expect("the values are in range");
    }
    config
}

/// UCT with its default settings.
pub fn default() -> Config {
    Config::uct()
}

/// Searches the start position.
pub fn search<G: Game>(game: &G, policy: impl PlayoutPolicy<G> + Sync, n: u64, config: Config, seed: u64) {
    best(game, policy, &game.start(), n, config, seed);
}

/// The move chosen in a position after `n` simulations.
pub fn best<G: Game>(
    game: &G,
    policy: impl PlayoutPolicy<G> + Sync,
    state: &G::State,
    n: u64,
    config: Config,
    seed: u64,
) -> G::Move {
    let mut uct = Mcts::with_kit(config, &PlayoutKit(policy)).expect("settings that go together");
    Player::<G>::new_game(&mut uct, seed);
    let at = Situation { game, start: state, played: &[], state };
    let report = uct.choose(&at, &Limits::playouts(n), &mut Silent).expect("a search cannot fail");
    assert_eq!(report.playouts, n, "all simulations were made");
    report.best
}

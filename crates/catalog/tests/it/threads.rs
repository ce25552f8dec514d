//! Several threads in the built-in games, within a memory cap that is soon reached.

use banyan_catalog::{Opening, PlayerSpec};
use banyan_core::{Limits, Silent};

use crate::catalog;

/// Once nodes are recycled, a node that is new may be found where its parent remembers many visits. Threads copy it to stay
/// while it is still being expanded, and a child that another thread has taken has no visit in the copy.
#[test]
fn threads_on_a_tree_continue_at_the_memory_cap() {
    for (game, player) in [
        ("connect-four", "uct:threads=2,memory-mib=4"),
        ("connect-four", "uct:threads=4,memory-mib=5,forced=expansion"),
        ("connect-four", "graph:structure=tree,threads=3,memory-mib=4"),
        ("reversi", "uct:threads=2,memory-mib=3"),
    ] {
        let game = catalog().game(game).expect("a game");
        let mut session = game.open(Opening::Start).expect("a start");
        let seat = session.seat(&player.parse::<PlayerSpec>().expect(player), 3).expect("a player of the game");
        let analysis = session.choose(seat, &Limits::playouts(400_000), &mut Silent).expect(player);
        let visits: u64 = analysis.moves.iter().map(|stat| stat.visits).sum();
        assert_eq!((analysis.playouts, visits), (400_000, 400_000), "{player}");
    }
}

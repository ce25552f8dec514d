//! Moves that a symmetry of the position maps onto each other are reported alike by Monte Carlo players.

use banyan::Limits;
use banyan::catalog::view::{Analysis, MoveView};

use crate::{choose, start};

fn analysed(game: &str, moves: &str, player: &str) -> Analysis {
    let mut session = start(game);
    session.play_all(moves).expect("legal moves");
    let analysis = choose(&mut session, player, &Limits::playouts(500));
    for mv in &analysis.moves {
        let mut line = session.fork();
        mv.pv.iter().for_each(|mv| drop(line.play(mv).unwrap_or_else(|err| panic!("{err} in {analysis:#?}"))));
    }
    assert_eq!(analysis.pv, analysis.moves[0].pv);
    assert_eq!(Some(analysis.value), analysis.moves[0].value);
    analysis
}

/// The statistics of these moves, which must be the same.
fn shared<'a>(analysis: &'a Analysis, moves: &str) -> &'a MoveView {
    let find = |mv: &str| analysis.moves.iter().find(|stat| stat.mv == mv).expect("a legal move");
    let stats: Vec<&MoveView> = moves.split(' ').map(find).collect();
    for stat in &stats {
        let what = |stat: &MoveView| (stat.value, stat.proof, stat.pv.len());
        assert_eq!(what(stat), what(stats[0]), "{moves}: {analysis:#?}");
        assert!(stat.visits.abs_diff(stats[0].visits) <= 1, "{moves}: {analysis:#?}");
    }
    stats[0]
}

const PLAYERS: [&str; 5] = ["uct", "graph", "mcgs", "uct:threads=2,parallel=root", "uct:threads=2,parallel=tree"];

#[test]
fn symmetric_first_moves_share_their_statistics() {
    for player in PLAYERS {
        let analysis = analysed("reversi", "", player);
        let each = shared(&analysis, "c4 d3 e6 f5");
        let visits: u64 = analysis.moves.iter().map(|mv| mv.visits).sum();
        assert!(visits > 40 && (4 * each.visits).abs_diff(visits) < 8, "{player}: {analysis:#?}");
        let analysis = analysed("connect-four:5x6", "", player);
        for moves in ["1 6", "2 5", "3 4"] {
            shared(&analysis, moves);
        }
        let analysis = analysed("connect-four:5x5", "3 3", player);
        for moves in ["1 5", "2 4"] {
            shared(&analysis, moves);
        }
    }
    // The tree of `mcgs` has only one edge of each corner there.
    for player in PLAYERS.into_iter().filter(|player| *player != "mcgs") {
        let analysis = analysed("dots-and-boxes:2x2", "", player);
        shared(&analysis, "h0,0 h0,1 h2,0 h2,1 v0,0 v1,0 v0,2 v1,2");
        shared(&analysis, "h1,0 h1,1 v0,1 v1,1");
    }
}

/// Whether no two moves have the same visits and value.
fn have_their_own(analysis: &Analysis) -> bool {
    // The values of single playouts may be the same.
    let visited = analysis.moves.iter().filter(|stat| stat.visits > 1);
    let mut values: Vec<(u64, String)> = visited.map(|stat| (stat.visits, format!("{:?}", stat.value))).collect();
    let n = values.len();
    values.sort();
    values.dedup();
    n > 2 && values.len() == n
}

#[test]
fn other_moves_keep_their_own() {
    for player in PLAYERS {
        for (game, moves) in [("reversi", "f5"), ("connect-four:5x6", "1"), ("connect-four:5x6,hole=b2", "")] {
            // Two threads divide their playouts by chance, so that two moves may have the same numbers once, but not each time.
            let analyses: Vec<Analysis> = (0..3).map(|_| analysed(game, moves, player)).collect();
            assert!(analyses.iter().any(have_their_own), "{player}: {analyses:#?}");
        }
    }
}

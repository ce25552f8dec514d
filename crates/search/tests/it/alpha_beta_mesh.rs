//! The alpha-beta family in a game with scores, extra turns and knowledge: fixed depths exactly against a plain
//! negamax, and repeated games.

use banyan_core::{Bounds, FINE, Game, Knowledge, Limits, Margin, MoveList, Player, Rng, Side, Silent, Situation, mix};
use banyan_search::{Algorithm, AlphaBeta, AlphaBetaConfig, Forced, HorizonEval};
use banyan_testkit::mesh::{Mesh, MeshKnowledge, Spot};
use banyan_testkit::{after, random_game};

const ALGORITHMS: [Algorithm; 3] = [Algorithm::Negamax, Algorithm::Pvs, Algorithm::Mtdf];

const SETTINGS: [&str; 7] = [
    "eval=hash",
    "eval=hash,table-mib=off",
    "eval=hash,table-mib=off,order=listed,forced=never",
    "eval=hash,order=static,window=off",
    "eval=hash,forced=never,window=0.125",
    "eval=margin,forced=never,table-mib=1",
    "eval=static,table-mib=1",
];

fn config(algorithm: Algorithm, settings: &str) -> AlphaBetaConfig {
    let mut config = AlphaBetaConfig::new(algorithm);
    for (name, value) in settings.split(',').filter_map(|setting| setting.split_once('=')) {
        config.set(name, value).expect(settings);
    }
    config
}

fn within(points: i32, bounds: Bounds) -> i32 {
    points.clamp(i32::from(bounds.lower.0) * FINE, i32::from(bounds.upper.0) * FINE)
}

/// The value of a position at the horizon; of a mesh only the score is known, and a hash is uniform over three points
/// to either side of it.
fn at_horizon(mesh: &Mesh, spot: &Spot, eval: HorizonEval) -> i32 {
    let score = i32::from(mesh.score(spot).0) * FINE;
    match eval {
        HorizonEval::Static | HorizonEval::Margin => score,
        HorizonEval::Hash => {
            let most = 3 * FINE;
            let to_come = (mix(mesh.key(spot)) % (2 * most as u64 + 1)) as i32 - most;
            score + to_come * i32::from(mesh.to_move(spot).sign())
        }
    }
}

/// The value for the first side of a search `depth` plies deep, without pruning, table or move ordering. Values stay
/// within the provable bounds.
fn plain(mesh: &Mesh, spot: &Spot, depth: u32, config: &AlphaBetaConfig) -> i32 {
    if let Some(margin) = mesh.result(spot) {
        return i32::from(margin.0) * FINE;
    }
    let bounds = mesh.bounds(spot);
    if depth == 0 {
        return within(at_horizon(mesh, spot, config.eval), bounds);
    }
    let (mut moves, mut proven) = (MoveList::new(), None);
    if config.forced == Forced::Always {
        proven = MeshKnowledge.forced_moves(mesh, spot, &mut moves);
    } else {
        mesh.moves(spot, &mut moves);
    }
    let values = moves.into_iter().map(|mv| plain(mesh, &after(mesh, spot, mv), depth - 1, config));
    let best = if mesh.to_move(spot) == Side::First { values.max() } else { values.min() };
    let best = within(best.expect("a position that is not over has a move"), bounds);
    proven.map_or(best, |proven| within(best, proven))
}

#[test]
fn every_variant_gives_the_value_of_a_plain_negamax() {
    const DEEPEST: u32 = 5;
    let mut rng = Rng::new(5);
    for i in 0..400 {
        let mesh = Mesh::new(rng.next_u64(), 14, i % 2 == 0);
        let game = random_game(&mesh, &mut rng);
        let spot = game[rng.below(game.len() as u32 - 1) as usize];
        let exact = mesh.best(&spot);
        let is_decided = MeshKnowledge.forced_moves(&mesh, &spot, &mut MoveList::new()).is_some();
        for (algorithm, settings) in ALGORITHMS.into_iter().flat_map(|one| SETTINGS.map(|settings| (one, settings))) {
            let config = config(algorithm, settings);
            let mut search = AlphaBeta::with_knowledge(config.clone(), MeshKnowledge);
            // All depths with the table kept between them, the last one twice.
            for depth in (1..=DEEPEST).chain([DEEPEST]) {
                let found = search.search_to_depth(&mesh, &spot, depth);
                let shown = || format!("{algorithm:?} {settings}, depth {depth}, mesh {i}, {spot:?}: {found:?}");
                let expected = plain(&mesh, &spot, depth, &config);
                assert_eq!(found.points, expected, "{}", shown());
                assert!((found.bounds.lower.0..=found.bounds.upper.0).contains(&exact), "{exact}: {}", shown());
                let reached = plain(&mesh, &after(&mesh, &spot, found.best), depth - 1, &config);
                let reached = within(reached, mesh.bounds(&spot));
                assert!(
                    reached == expected || config.forced == Forced::Always && is_decided,
                    "{reached} reached: {}",
                    shown()
                );
            }
        }
    }
}

/// Plays a game with this player on both sides; returns the moves and the positions visited.
fn play_through(mesh: &Mesh, player: &mut impl Player<Mesh>, limit: u64) -> Vec<(u8, u64)> {
    let start = mesh.start();
    let limits = Limits { nodes: Some(limit), ..Limits::default() };
    let (mut spot, mut played, mut moves) = (start, Vec::new(), Vec::new());
    while mesh.result(&spot).is_none() {
        let at = Situation { game: mesh, start: &start, played: &played, state: &spot };
        let report = player.choose(&at, &limits, &mut Silent).expect("no fault");
        moves.push((report.best, report.nodes));
        played.push(report.best);
        spot = after(mesh, &spot, report.best);
    }
    moves
}

#[test]
fn a_new_game_is_played_like_the_first() {
    for (seed, algorithm) in (1..).zip(ALGORITHMS) {
        for limit in [1, 300, 3000] {
            let mesh = Mesh::wide(seed, 40, 1000, false);
            let mut player = AlphaBeta::with_knowledge(config(algorithm, ""), MeshKnowledge);
            let first = play_through(&mesh, &mut player, limit);
            player.new_game(1);
            assert_eq!(first, play_through(&mesh, &mut player, limit), "{algorithm:?} with {limit} positions");
            // The table kept from the first game changes the second, so there is something to clear.
            let second = play_through(&mesh, &mut player, limit);
            assert!(limit == 1 || first != second, "{algorithm:?} with {limit} positions");
        }
    }
}

/// Knowledge of a mesh that also gives the deviation of deeper searches from shallower ones.
#[derive(Clone)]
struct Erring {
    deviation: f32,
}

impl Knowledge<Mesh> for Erring {
    fn forced_moves(&self, mesh: &Mesh, spot: &Spot, out: &mut MoveList<u8>) -> Option<Bounds> {
        MeshKnowledge.forced_moves(mesh, spot, out)
    }

    fn depth_error(&self, _mesh: &Mesh, _spot: &Spot, shallow: u32, deep: u32) -> Option<f32> {
        assert!(shallow < deep && (deep - shallow).is_multiple_of(2), "{shallow} and {deep}");
        Some(self.deviation)
    }
}

#[test]
fn prob_cut_leaves_what_a_shallower_search_decides_and_proves_nothing_by_it() {
    const DEPTH: u32 = 8;
    let mut rng = Rng::new(26);
    // Without ProbCut, with errors too large for it, and with small ones.
    let (mut nodes, mut differing) = ([0; 3], 0);
    for i in 0..150 {
        let mesh = Mesh::new(rng.next_u64(), 16, i % 2 == 0);
        let spot = random_game(&mesh, &mut rng)[0];
        let exact = mesh.best(&spot);
        let search = |settings, deviation| {
            let config = config(Algorithm::Pvs, settings);
            AlphaBeta::with_knowledge(config, Erring { deviation }).search_to_depth(&mesh, &spot, DEPTH)
        };
        let found = [search("probcut=off", 0.0), search("probcut=1.5", 1e6), search("probcut=1.5", 16.0)];
        assert_eq!(found[0].points, found[1].points, "mesh {i}");
        differing += usize::from(found[0].points != found[2].points);
        for (nodes, found) in nodes.iter_mut().zip(&found) {
            *nodes += found.nodes;
            assert!((found.bounds.lower.0..=found.bounds.upper.0).contains(&exact), "{exact}: {found:?}, mesh {i}");
        }
    }
    assert!(nodes[1] > nodes[0], "{nodes:?}: no shallower search was made");
    assert!(nodes[2] < nodes[0] * 9 / 10, "{nodes:?}: little was left out");
    assert!(differing > 0, "nothing that was left out mattered");
}

#[test]
fn beyond_the_end_of_the_game_prob_cut_leaves_nothing_out() {
    let mut rng = Rng::new(27);
    let mut n_unproven = 0;
    for i in 0..60 {
        let mesh = Mesh::new(rng.next_u64(), 10, i % 2 == 0);
        let (start, exact) = (mesh.start(), Bounds::exact(Margin(mesh.best(&mesh.start()))));
        let plies = u32::from(mesh.plies_left(&start));
        let bounds = |depth| {
            let config = config(Algorithm::Pvs, "probcut=1.5");
            AlphaBeta::with_knowledge(config, Erring { deviation: 16.0 }).search_to_depth(&mesh, &start, depth).bounds
        };
        n_unproven += usize::from(bounds(plies) != exact);
        assert_eq!(bounds(plies + 1), exact, "mesh {i}");
    }
    assert!(n_unproven > 0, "nothing was left out");
}

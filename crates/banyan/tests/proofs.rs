//! The search proves what exhaustive search finds, on small boards of the three games.

#[path = "../../search/tests/mcts/agreement.rs"]
mod agreement;
#[path = "../../search/tests/mcts/exact.rs"]
mod exact;

use agreement::{Position, can_be_decided, check, draw_others, every_combination, random_position};
use banyan_core::{Bounds, Game, Margin, Notation, Report, Rng};
use banyan_games::connect_four::ConnectFour;
use banyan_games::dots_and_boxes::DotsAndBoxes;
use banyan_games::reversi::Reversi;
use banyan_search::Config;
use exact::Exact;

fn game<G: Notation>(options: &str) -> G {
    G::from_options(options).expect("a board of the game")
}

/// Checks every combination of choices on positions after `plies` and a few more random moves, at three budgets; returns
/// how many of those that could be decided at the largest were.
fn check_all<G: Game>(game: &G, plies: u32, seed: u64) -> f64 {
    let mut rng = Rng::new(seed);
    let mut exact = Exact::new(game);
    let (mut decided, mut decidable) = (0, 0);
    for (i, mut config) in every_combination().into_iter().enumerate() {
        for (budget, playouts) in [50, 500, 5000].into_iter().enumerate() {
            let position = random_position(game, plies + rng.below(6), &mut rng);
            if budget == 1 {
                draw_others(&mut config, &mut rng);
            }
            let number = (3 * i + budget) as u64;
            let (_, is_decided) = check((game, &position), (&config, number), playouts, &mut exact);
            if playouts == 5000 && can_be_decided(&config) {
                decidable += 1;
                decided += i32::from(is_decided);
            }
        }
    }
    f64::from(decided) / f64::from(decidable)
}

#[test]
fn proofs_hold_in_connect_four() {
    let shares = [("4x4", 4), ("4x5", 8)].map(|(size, plies)| check_all(&game::<ConnectFour<u64>>(size), plies, 1));
    assert!(shares.iter().all(|&share| share > 0.5), "decided: {shares:?}");
}

#[test]
fn proofs_hold_in_dots_and_boxes() {
    let shares = [("2x2", 2), ("2x3", 6)].map(|(size, plies)| check_all(&game::<DotsAndBoxes<u64>>(size), plies, 2));
    assert!(shares.iter().all(|&share| share > 0.5), "decided: {shares:?}");
}

#[test]
fn proofs_hold_in_reversi() {
    let share = check_all(&game::<Reversi<u64>>("4x4"), 2, 3);
    assert!(share > 0.8, "decided: {share}");
}

/// Searches the start of a board until it is decided.
fn prove<G: Game>(game: &G, reward: &str) -> Report<G::Move> {
    let mut config = Config::default();
    config.set("reward", reward).expect("a word of the table");
    let start = game.start();
    let position = Position { start, played: Vec::new(), state: start };
    let (report, decided) = check((game, &position), (&config, 1), 5_000_000, &mut Exact::new(game));
    assert!(decided, "undecided after {} playouts for {reward}", report.playouts);
    report
}

#[test]
fn the_margin_of_dots_and_boxes_2x3_is_proven() {
    let report = prove(&game::<DotsAndBoxes<u64>>("2x3"), "margin");
    assert_eq!(report.proof, Some(Bounds::exact(Margin(-2))));
}

#[test]
fn the_winner_of_dots_and_boxes_2x3_is_proven() {
    assert_eq!(prove(&game::<DotsAndBoxes<u64>>("2x3"), "win").value, -1.0);
}

#[test]
fn connect_four_4x4_is_proven_a_draw() {
    for reward in ["win", "margin"] {
        assert_eq!(prove(&game::<ConnectFour<u64>>("4x4"), reward).proof, Some(Bounds::exact(Margin::DRAW)));
    }
}

#[test]
fn connect_four_4x5_is_proven_a_draw() {
    assert_eq!(prove(&game::<ConnectFour<u64>>("4x5"), "win").proof, Some(Bounds::exact(Margin::DRAW)));
}

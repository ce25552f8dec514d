//! Proofs are true, and solvable positions are solved.

use banyan_core::{Game, Player, Rng};

use crate::agreement::{can_be_decided, check, check_next, draw_others, every_combination, random_position};
use crate::kits::{WithKit, mcts};
use banyan_testkit::Exact;
use banyan_testkit::chain::Chain;
use banyan_testkit::mesh::Mesh;

/// Checks every combination on games made by `game`, each at one of three budgets; returns the number of solved
/// positions, and of solvable ones.
fn check_all<G: WithKit>(plies: u32, others: bool, seed: u64, game: impl Fn(u64) -> G) -> (u32, u32) {
    let mut rng = Rng::new(seed);
    let (mut decided, mut decidable) = (0, 0);
    for (i, mut config) in every_combination().into_iter().enumerate() {
        for (budget, playouts) in [50, 500, 5000].into_iter().enumerate() {
            let game = game(rng.next_u64());
            let position = random_position(&game, rng.below(plies), &mut rng);
            if others {
                draw_others(&mut config, &mut rng);
            }
            let number = (3 * i + budget) as u64;
            let (_, is_decided) = check((&game, &position), (&config, number), playouts, &mut Exact::new(&game));
            if playouts == 5000 && can_be_decided(&config) {
                decidable += 1;
                decided += u32::from(is_decided);
            }
        }
    }
    (decided, decidable)
}

#[test]
fn proofs_hold_in_a_game_with_points_and_extra_turns() {
    for seed in 0..3 {
        let (decided, of) = check_all(4, false, seed, |seed| Mesh::new(seed, 9, false));
        assert_eq!((decided, of), (of, 320));
    }
}

#[test]
fn proofs_hold_in_a_game_with_forced_moves() {
    for seed in 10..13 {
        let (decided, of) = check_all(4, false, seed, |seed| Mesh::new(seed, 9, true));
        assert_eq!((decided, of), (of, 320));
    }
}

#[test]
fn proofs_hold_with_any_other_settings() {
    for seed in 20..23 {
        let (decided, of) = check_all(6, true, seed, |seed| Mesh::new(seed, 12, seed % 2 == 0));
        assert!(decided * 10 > of * 9, "{decided} of {of} are decided");
    }
}

#[test]
fn proofs_hold_in_a_chain() {
    let extra = |seed: u64| [None, Some(5), Some(9)][seed as usize % 3];
    let (decided, of) = check_all(5, true, 30, |seed| Chain { tokens: 16, extra_turn_at: extra(seed) });
    assert!(decided * 10 > of * 9, "{decided} of {of} are decided");
}

#[test]
fn proofs_hold_from_move_to_move() {
    let mut rng = Rng::new(50);
    for (i, mut config) in every_combination().into_iter().enumerate() {
        let game = Mesh::new(rng.next_u64(), 14, i % 4 < 3);
        let mut exact = Exact::new(&game);
        draw_others(&mut config, &mut rng);
        let mut player = mcts(config);
        player.new_game(i as u64);
        let mut position = random_position(&game, 0, &mut rng);
        // Random moves make roots of nodes with few visits.
        while game.result(&position.state).is_none() {
            let (report, _) = check_next(&mut player, (&game, &position), 20 + u64::from(rng.below(400)), &mut exact);
            let mv = report.moves[rng.below(report.moves.len() as u32) as usize].mv;
            game.play(&mut position.state, mv);
            position.played.push(mv);
        }
    }
}

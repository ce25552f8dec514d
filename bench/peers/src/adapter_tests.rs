//! Every search takes a win and prevents one of the opponent, so the adapters do not confuse the sides.

use banyan_connect_four::{ConnectFour, UniformMoves};
use banyan_core::Notation;
use banyan_dots_and_boxes::DotsAndBoxes;

use crate::{C, banyan, on_minimax, on_treant};

const N: u64 = 5_000;

fn reached<G: Notation>(options: &str, moves: &str) -> (&'static G, G::State) {
    let game: &'static G = Box::leak(Box::new(G::from_options(options).expect("the size is a usual one")));
    let mut state = game.start();
    for mv in game.parse_moves(&state, moves).expect("the moves are legal") {
        game.play(&mut state, mv);
    }
    (game, state)
}

#[test]
fn every_search_takes_a_win_and_stops_one() {
    for (moves, expected) in [("4 1 4 1 4 2", "4"), ("4 1 4 1 4", "4"), ("1 4 2 4 2 4", "4"), ("7 4 1 4 1 4 2", "4")] {
        let (game, state) = reached::<ConnectFour<u64>>("6x7", moves);
        let chosen = [
            banyan::best(game, UniformMoves, &state, N, banyan::plain(C), 1),
            on_treant::best::<_, UniformMoves>(game, state, N, C, 1),
            on_minimax::best(game, state, N, None::<(UniformMoves, u64)>),
            on_minimax::best(game, state, N, Some((UniformMoves, 1))),
        ];
        for mv in chosen {
            assert_eq!(game.print_move(&state, mv), expected, "after {moves}: {chosen:?}");
        }
    }
}

#[test]
fn extra_turns_are_the_same_for_banyan_and_treant() {
    // 1x2 boxes: three edges of the left box are drawn, so closing it by v0,1 gives a second turn and then the rest.
    let (game, state) = reached::<DotsAndBoxes<u64>>("1x2", "h0,0 h1,0 v0,0");
    let policy = banyan_dots_and_boxes::UniformMoves;
    let ours = banyan::best(game, policy, &state, N, banyan::plain(C), 1);
    let theirs = on_treant::best::<_, banyan_dots_and_boxes::UniformMoves>(game, state, N, C, 1);
    for mv in [ours, theirs] {
        assert_eq!(game.print_move(&state, mv), "v0,1");
    }
}

//! The priors that Connect Four guesses, against what searches that know nothing of them find.

use banyan::games::connect_four::{ConnectFour, Shape};
use banyan::{Config, Game, Limits, Mcts, MoveList, Player, Rng, Silent, Situation};

type Rules = ConnectFour<[u64; 3]>;

const GAMES: u64 = 12;

/// The moves that a search plays get half as much again as from an even guess at least.
#[test]
fn priors_foretell_what_a_search_plays() {
    let (mut guessed, mut even, mut n) = (0.0, 0.0, 0);
    for number in 0..GAMES {
        let board = ["9x9,hole=e5", "10x12,hole=h4", "12x12,hole=a1", "12x9,hole=d8"][number as usize % 4];
        let game = Rules::new(Shape::parse(board).expect(board));
        let mut config = Config::default().suited_to::<Rules>(&[]);
        config.set("policy", "even").expect("a setting");
        let mut player = Mcts::new(config);
        player.new_game(number);
        let (mut rng, start) = (Rng::new(number), game.start());
        let (mut state, mut played) = (start, Vec::new());
        while game.result(&state).is_none() {
            let at = Situation { game: &game, start: &start, played: &played, state: &state };
            let report = player.choose(&at, &Limits::playouts(3_000), &mut Silent).expect("a move");
            let mut moves = MoveList::new();
            game.tactics(&state, &mut moves);
            if report.proof.is_none_or(|proof| !proof.is_exact()) && moves.len() > 1 {
                let mut priors = Vec::new();
                game.priors(&state, &moves, &mut priors);
                let best = moves.iter().position(|&mv| mv == report.best).expect("one of the moves worth a look");
                guessed += f64::from(priors[best]);
                even += 1.0 / moves.len() as f64;
                n += 1;
            }
            let mv = if rng.below(4) == 0 { moves[rng.below(moves.len() as u32) as usize] } else { report.best };
            game.play(&mut state, mv);
            played.push(mv);
        }
    }
    assert!(n > 200, "{n} positions");
    assert!(guessed > 1.5 * even, "{} with priors, {} without", guessed / f64::from(n), even / f64::from(n));
}

//! How Connect Four appraises positions, against how games go on that know nothing of it.

use banyan::games::connect_four::{ConnectFour, Shape};
use banyan::{Config, Game, Limits, Mcts, MoveList, Player, Rng, Silent, Situation};

type Rules = ConnectFour<[u64; 3]>;

const GAMES: u64 = 60;

/// A logistic guess of the result has a cross-entropy of ln 2 = 0.693 if it is that of a coin. The weights come to 0.606 in
/// games that they were not fitted to.
#[test]
fn an_appraisal_foretells_how_games_end() {
    let (mut closer, mut usual, mut n) = (0.0, 0.0, 0);
    for number in 0..GAMES {
        let board = ["9x9,hole=e5", "10x12,hole=h4", "12x12,hole=a1", "12x9,hole=d8"][number as usize % 4];
        let game = Rules::new(Shape::parse(board).expect(board));
        let mut config = Config::default().suited_to::<Rules>(&[]);
        config.set("appraise", "0").expect("a setting");
        let mut player = Mcts::new(config);
        player.new_game(number);
        let (mut rng, start) = (Rng::new(number), game.start());
        let (mut state, mut played, mut seen) = (start, Vec::new(), Vec::new());
        while game.result(&state).is_none() {
            let mv = if played.len() < 4 {
                let mut moves = MoveList::new();
                game.moves(&state, &mut moves);
                moves[rng.below(moves.len() as u32) as usize]
            } else {
                let at = Situation { game: &game, start: &start, played: &played, state: &state };
                let report = player.choose(&at, &Limits::playouts(500), &mut Silent).expect("a move");
                if report.proof.is_none_or(|proof| !proof.is_exact()) {
                    seen.push(state);
                }
                report.best
            };
            game.play(&mut state, mv);
            played.push(mv);
        }
        let margin = game.result(&state).expect("the game is over");
        for at in &seen {
            let loss = |points: i32| {
                let promised = (f64::from(points) / f64::from(game.estimate_scale())).tanh();
                let result = margin.winner().map_or(0.0, |winner| f64::from(winner.sign()));
                -((1.0 + result) / 2.0 * ((1.0 + promised) / 2.0).ln()
                    + (1.0 - result) / 2.0 * ((1.0 - promised) / 2.0).ln())
            };
            closer += loss(game.appraise(at));
            usual += loss(game.estimate(at));
            n += 1;
        }
    }
    let (closer, usual) = (closer / f64::from(n), usual / f64::from(n));
    assert!(n > 1500, "{n} positions");
    assert!(closer < 0.65 && closer < usual, "{closer} at a closer look, {usual} by the estimate");
}

//! Tactical playouts against the policy in plain arrays.

use banyan_bits::Bits;
use banyan_core::{Game, Margin, Rng};

use crate::{game, plain::Plain};

/// The number of sides of the fullest box beside `line` after that is drawn.
fn fullest(plain: &Plain, line: usize) -> usize {
    let mut next = plain.clone();
    next.play(line);
    let boxes = plain.sides().into_iter().zip(next.sides());
    boxes.filter(|(before, after)| before != after).map(|(_, after)| after).max().expect("a line bounds a box")
}

/// The margin of one playout: any box on offer, else a random safe line, else a random line.
fn played_out(mut plain: Plain, rng: &mut Rng) -> i16 {
    loop {
        let legal = plain.legal();
        let (offered, quiet): (Vec<usize>, Vec<usize>) = legal.iter().partition(|&&line| fullest(&plain, line) == 4);
        let safe: Vec<usize> = quiet.iter().copied().filter(|&line| fullest(&plain, line) < 3).collect();
        if let Some(&line) = offered.last() {
            plain.play(line);
        } else if let candidates @ [_, ..] = if safe.is_empty() { &quiet[..] } else { &safe } {
            plain.play(candidates[rng.below(candidates.len() as u32) as usize]);
        } else {
            return plain.margin();
        }
    }
}

#[test]
fn tactical_playouts_score_like_the_policy_in_plain_arrays() {
    fn check<B: Bits>(size: &str, games: u64) {
        let game = game::<B>(size);
        for seed in 0..games {
            let mut rng = Rng::new(seed);
            let mut state = game.start();
            let mut plain = Plain::new(game.shape().rows() as usize, game.shape().columns() as usize);
            // From the start, and from anywhere in a random game, boxes on offer included.
            for _ in 0..rng.below(u32::from(game.max_plies()) + 1) * u32::from(seed > 0) {
                let legal = plain.legal();
                let line = legal[rng.below(legal.len() as u32) as usize];
                plain.play(line);
                game.play(&mut state, line as u8);
            }
            let seed = rng.next_u64();
            let expected = Margin(played_out(plain, &mut Rng::new(seed)));
            let found = game.tactical_playout(&state, &mut Rng::new(seed));
            let recorded = game.record_tactical_playout(&state, &mut Rng::new(seed), &mut Vec::new());
            assert_eq!((found, recorded), (expected, expected), "{size} {state:?} seed {seed}");
        }
    }
    for (size, games) in [("1x1", 20), ("2x2", 60), ("3x5", 60), ("5x5", 40), ("1x21", 40), ("7x7", 20), ("9x9", 6)] {
        with_word!(size, check(games));
    }
}

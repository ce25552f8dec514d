//! The truth about the test game.

use banyan_core::{Game, Side};

use super::chain::{Chain, Left};

/// The margin under best play, by plain recursion over the (few) token counts.
pub fn exact_value(game: &Chain, state: &Left) -> i16 {
    let mut values = [[0i16; 2]; 64];
    for tokens in 0..=state.tokens {
        for mover in Side::BOTH {
            values[tokens as usize][mover.index()] = best_of(game, tokens, mover, &values);
        }
    }
    match game.result(state) {
        Some(margin) => margin.0,
        None => values[state.tokens as usize][state.mover.index()],
    }
}

/// The value of `tokens` left with `mover` to move, seen by the first side, from the values of fewer tokens.
fn best_of(game: &Chain, tokens: u16, mover: Side, values: &[[i16; 2]; 64]) -> i16 {
    let after = |taken: u16| {
        let left = tokens - taken;
        let next = if Some(left) == game.extra_turn_at { mover } else { !mover };
        if left == 0 { mover.sign() } else { values[left as usize][next.index()] }
    };
    let own = (1..=tokens.min(3)).map(|taken| after(taken) * mover.sign()).max();
    own.unwrap_or(0) * mover.sign()
}

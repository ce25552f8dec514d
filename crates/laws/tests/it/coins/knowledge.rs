//! Knowledge of the coins game, with a variant for each violation of a law.

use banyan_core::{Bounds, FINE, Game, Knowledge, Margin, MoveList, mix};

use super::{Broken, Coins, State, Take};

/// Forced moves: taking the last coins. Static evaluation: the mover gets half of the points that are left.
pub struct CoinsKnowledge(pub Broken);

impl<const PAD: usize> Knowledge<Coins<PAD>> for CoinsKnowledge {
    fn static_eval(&mut self, game: &Coins<PAD>, state: &State<PAD>) -> i32 {
        let eval = state.half_to_the_mover();
        match self.0 {
            Broken::EvalLopsided => eval + i32::from(state.piles[0] > state.piles[1]),
            Broken::EvalHasPly => eval + i32::from(state.ply > 4),
            Broken::EvalTooHigh if state.sum == 2 => FINE * i32::from(game.margin_range().upper.0) + 1,
            _ => eval,
        }
    }

    fn eval_scale(&self, _game: &Coins<PAD>) -> i32 {
        if self.0 == Broken::EvalScaleless { 0 } else { 2 * FINE }
    }

    fn static_margin(&self, _game: &Coins<PAD>, state: &State<PAD>) -> Margin {
        match self.0 {
            Broken::StaticMarginTooHigh => Margin(100),
            Broken::StaticMarginLopsided => Margin(i16::from(state.piles[0] > state.piles[1])),
            _ => Margin(state.score),
        }
    }

    fn forced_moves(&self, game: &Coins<PAD>, state: &State<PAD>, out: &mut MoveList<Take>) -> Option<Bounds> {
        match (Coins::<PAD>::last_take(state), self.0) {
            (_, Broken::NoForcedMove) if state.ply > 3 => return None,
            (_, Broken::ForcedMoveIllegal) => out.push(Take(0, 3)),
            (Some(Take(pile, 2..)), Broken::BestDropped) => out.push(Take(pile, 1)),
            (_, Broken::WorseMarginKept) if (1..7).contains(&state.sum) => out.push(game.worst_of_same_winner(state)),
            (Some(take), _) => {
                out.push(take);
                let gain = if self.0 == Broken::ForcedMovesProveWrong { 2 } else { 4 };
                return Some(Bounds::exact(Margin(state.score + gain * state.mover.sign())));
            }
            (None, _) => game.moves(state, out),
        }
        None
    }

    fn undominated(&self, game: &Coins<PAD>, state: &State<PAD>, out: &mut MoveList<Take>) -> Option<Bounds> {
        if self.0 == Broken::DominatingDropsBest && (1..7).contains(&state.sum) {
            out.push(game.worst_of_same_winner(state));
            return None;
        }
        self.forced_moves(game, state, out)
    }

    fn solver_key(&self, game: &Coins<PAD>, state: &State<PAD>) -> u64 {
        let right = banyan_core::canonical_key(game, state);
        if self.0 == Broken::SolverKeyWithoutPile { mix(state.piles[0].into()) } else { right }
    }
}

//! Playouts and evaluators of the coins game, with a variant for each violation of a law.

use banyan_core::{Bounds, Evaluator, FINE, Game, Leaves, Margin, MoveList, PlayoutPolicy, Priors, Rng, random_move};

use super::{Broken, Coins, State, Take};

/// Uniformly random moves.
#[derive(Clone)]
pub struct CoinsPolicy(pub Broken);

impl<const PAD: usize> PlayoutPolicy<Coins<PAD>> for CoinsPolicy {
    fn draw(&mut self, game: &Coins<PAD>, state: &State<PAD>, rng: &mut Rng, scratch: &mut MoveList<Take>) -> Take {
        match self.0 {
            Broken::DrawIllegal if state.ply == 0 => Take(0, 4),
            Broken::DrawLopsided => {
                scratch.clear();
                game.moves(state, scratch);
                let n = scratch.len() as u32;
                scratch[rng.below(n + 1).min(n - 1) as usize]
            }
            _ => random_move(game, state, rng, scratch),
        }
    }

    fn play_out(
        &mut self,
        game: &Coins<PAD>,
        mut state: State<PAD>,
        rng: &mut Rng,
        scratch: &mut MoveList<Take>,
    ) -> Margin {
        while game.result(&state).is_none() {
            let winning = Coins::<PAD>::last_take(&state).filter(|_| self.0 == Broken::PlayoutKind);
            let mv = winning.unwrap_or_else(|| self.draw(game, &state, rng, scratch));
            game.play(&mut state, mv);
        }
        if self.0 == Broken::PlayoutWild && rng.below(1000) == 0 {
            return Margin(11);
        }
        game.result(&state).expect("the loop ends with the game")
    }
}

/// Playouts that prove the value of a position from which the last coins can be taken.
pub struct CoinsPlayouts(pub Broken);

impl<const PAD: usize> Evaluator<Coins<PAD>> for CoinsPlayouts {
    fn evaluate(&mut self, game: &Coins<PAD>, leaves: &mut Leaves<'_, Coins<PAD>>, rng: &mut Rng) {
        for (i, state) in leaves.states().iter().enumerate() {
            let (mut policy, mut line, scratch) = (CoinsPolicy(Broken::Nothing), MoveList::new(), &mut MoveList::new());
            let margin = policy.record_playout(game, *state, rng, scratch, &mut line);
            if leaves.records_moves() {
                self.record(game, *state, line, leaves.played_mut(i));
            }
            let won = Margin(state.score + 4 * state.mover.sign());
            let proven = Coins::<PAD>::last_take(state).map(|_| won);
            leaves.set_margin(i, proven.unwrap_or(margin));
            match (proven, self.0) {
                // The margin of the line is returned as proven.
                (_, Broken::PlayoutProvesWrong) => {
                    leaves.set_margin(i, margin);
                    leaves.set_bounds(i, Bounds::exact(margin));
                }
                (Some(_), Broken::PlayoutProvesTooWide) => leaves.set_bounds(i, game.margin_range()),
                (Some(won), Broken::PlayoutStrays) => {
                    leaves.set_margin(i, won + Margin(1));
                    leaves.set_bounds(i, Bounds::exact(won));
                }
                (Some(won), _) => leaves.set_bounds(i, Bounds::exact(won)),
                (None, _) => {}
            }
        }
    }

    fn records_moves(&self) -> bool {
        true
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<Coins<PAD>>> {
        Box::new(CoinsPlayouts(self.0))
    }
}

impl CoinsPlayouts {
    /// Writes the moves of a playout.
    fn record<const PAD: usize>(
        &self,
        game: &Coins<PAD>,
        state: State<PAD>,
        mut line: MoveList<Take>,
        to: &mut MoveList<Take>,
    ) {
        match self.0 {
            Broken::LineIllegal => line[0] = Take(0, 4),
            Broken::LineShort => line.truncate(line.len() - 1),
            Broken::LineMissing => line.clear(),
            // The moves of another playout.
            Broken::LineOfAnother => {
                line.clear();
                let (policy, rng) = (&mut CoinsPolicy(Broken::Nothing), &mut Rng::new(u64::from(state.sum)));
                policy.record_playout(game, state, rng, &mut MoveList::new(), &mut line);
            }
            _ => {}
        }
        to.extend(line);
    }
}

/// A static evaluation: the mover gets half of the points that are left.
pub struct CoinsPoints(pub Broken);

impl<const PAD: usize> Evaluator<Coins<PAD>> for CoinsPoints {
    fn evaluate(&mut self, game: &Coins<PAD>, leaves: &mut Leaves<'_, Coins<PAD>>, _rng: &mut Rng) {
        for (i, state) in leaves.states().iter().enumerate() {
            let points = match self.0 {
                Broken::PointsLopsided => state.half_to_the_mover() + i32::from(state.piles[0] > state.piles[1]),
                Broken::PointsTooHigh if state.sum == 2 => FINE * i32::from(game.margin_range().upper.0) + 1,
                _ => state.half_to_the_mover(),
            };
            leaves.set_points(i, points);
        }
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<Coins<PAD>>> {
        Box::new(CoinsPoints(self.0))
    }
}

/// Priors proportional to the number of coins taken.
pub struct CoinsPriors(pub Broken);

impl<const PAD: usize> Evaluator<Coins<PAD>> for CoinsPriors {
    fn evaluate(&mut self, _game: &Coins<PAD>, _leaves: &mut Leaves<'_, Coins<PAD>>, _rng: &mut Rng) {}

    fn gives_priors(&self) -> Priors {
        Priors::OnRequest
    }

    fn priors(&mut self, _game: &Coins<PAD>, state: &State<PAD>, moves: &[Take], out: &mut Vec<f32>) {
        let weight = |&Take(pile, coins): &Take| match self.0 {
            Broken::PriorsLopsided => f32::from(coins + pile),
            Broken::PriorsHavePly => f32::from(coins) + f32::from(state.ply),
            _ => f32::from(coins),
        };
        let total: f32 = moves.iter().map(weight).sum();
        let share = if self.0 == Broken::PriorsHeavy { 2.0 / total } else { 1.0 / total };
        out.extend(moves.iter().map(|mv| weight(mv) * share));
        if self.0 == Broken::PriorsShort {
            out.pop();
        }
        if self.0 == Broken::PriorsNegative && out.len() > 1 {
            let first = out[0];
            out[0] = -first;
            out[1] += 2.0 * first;
        }
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<Coins<PAD>>> {
        Box::new(CoinsPriors(self.0))
    }
}

//! Random continuations to the end of the game.

use crate::{Game, Margin, MoveList, Rng};

/// A uniformly random legal move; the game is not over. `scratch` may be overwritten.
#[inline]
pub fn random_move<G: Game>(game: &G, state: &G::State, rng: &mut Rng, scratch: &mut MoveList<G::Move>) -> G::Move {
    scratch.clear();
    game.moves(state, scratch);
    scratch[rng.below(scratch.len() as u32) as usize]
}

/// The way in which the moves of a playout are drawn.
///
/// ```
/// # mod rules { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/subtraction.rs")); }
/// # use rules::Subtraction;
/// use banyan_core::{Game, MoveList, PlayoutPolicy, Rng, random_move};
///
/// /// Takes the rest if it can, else a random move.
/// #[derive(Clone)]
/// struct TakeTheRest;
///
/// impl PlayoutPolicy<Subtraction> for TakeTheRest {
///     fn draw(&mut self, game: &Subtraction, state: &(u16, u16), rng: &mut Rng, scratch: &mut MoveList<u8>) -> u8 {
///         if state.0 <= 3 { state.0 as u8 } else { random_move(game, state, rng, scratch) }
///     }
/// }
///
/// let (game, mut rng) = (Subtraction { stones: 3 }, Rng::new(1));
/// let margin = TakeTheRest.play_out(&game, game.start(), &mut rng, &mut MoveList::new());
/// assert_eq!(margin.0, 1);
/// ```
pub trait PlayoutPolicy<G: Game>: Clone + Send + 'static {
    /// A legal move; the game is not over. `scratch` may be overwritten.
    fn draw(&mut self, game: &G, state: &G::State, rng: &mut Rng, scratch: &mut MoveList<G::Move>) -> G::Move;

    /// Draws and plays moves to the end and returns the final margin. `scratch` may be overwritten.
    #[inline]
    fn play_out(&mut self, game: &G, mut state: G::State, rng: &mut Rng, scratch: &mut MoveList<G::Move>) -> Margin {
        loop {
            if let Some(margin) = game.result(&state) {
                return margin;
            }
            let mv = self.draw(game, &state, rng, scratch);
            game.play(&mut state, mv);
        }
    }

    /// Draws and plays moves to the end, appends them to `played`, and returns the final margin. `scratch` may be
    /// overwritten.
    fn record_playout(
        &mut self,
        game: &G,
        mut state: G::State,
        rng: &mut Rng,
        scratch: &mut MoveList<G::Move>,
        played: &mut MoveList<G::Move>,
    ) -> Margin {
        loop {
            if let Some(margin) = game.result(&state) {
                return margin;
            }
            let mv = self.draw(game, &state, rng, scratch);
            game.play(&mut state, mv);
            played.push(mv);
        }
    }
}

/// Uniformly random moves in any game. Games with a faster way to draw them have their own policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uniform;

impl<G: Game> PlayoutPolicy<G> for Uniform {
    #[inline]
    fn draw(&mut self, game: &G, state: &G::State, rng: &mut Rng, scratch: &mut MoveList<G::Move>) -> G::Move {
        random_move(game, state, rng, scratch)
    }
}

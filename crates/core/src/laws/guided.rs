//! The law on a game's own playouts: they prove nothing that best play contradicts.

use super::Finding;
use super::random_game::RandomGame;
use super::value::{FULL_SEARCH_NODES, full_search, shown};
use crate::cpu::{Isa, Kernel, Portable, dispatch};
use crate::{Bounds, Game, Guided, Margin, MoveList, Notation, PlayoutRules, Rng};

/// Guided playouts from a position.
const PLAYOUTS: usize = 16;

/// Guided playouts from one position, as one loop compiled for the instruction set.
struct Playouts<'a, G: Game> {
    game: &'a G,
    state: &'a G::State,
    seed: u64,
}

impl<G: Game> Kernel for Playouts<'_, G> {
    type Output = Vec<Guided>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Vec<Guided> {
        let (mut rng, mut scratch) = (Rng::new(self.seed), MoveList::new());
        (0..PLAYOUTS)
            .map(|_| self.game.guided_playout(*self.state, PlayoutRules::ALL, isa, &mut rng, &mut scratch))
            .collect()
    }
}

pub(super) fn guided_proves<G: Notation>(game: &G, games: &[RandomGame<G>]) -> Finding {
    for played in games {
        let mut searchable = true;
        for (i, state) in played.states.iter().enumerate().rev() {
            let mut nodes = FULL_SEARCH_NODES;
            let value = if searchable { full_search(game, state, &mut nodes) } else { None };
            searchable = value.is_some();
            let playouts = || Playouts { game, state, seed: played.seed.wrapping_add(i as u64) };
            let guided = dispatch(playouts());
            if guided != playouts().run(Portable) {
                let wrong = format!("guided playouts differ between portable and {}", crate::cpu::name());
                return Err(played.tell(game, i, wrong));
            }
            let bounds = game.bounds(state);
            for guided in guided {
                check(guided, bounds, value).map_err(|wrong| played.tell(game, i, wrong))?;
            }
        }
    }
    Ok(())
}

fn check(Guided { margin, proven }: Guided, bounds: Bounds, value: Option<Margin>) -> Finding {
    let text = shown(proven);
    if proven.lower < bounds.lower || proven.upper > bounds.upper {
        return Err(format!("a guided playout proves {text}, beyond the bounds {}", shown(bounds)));
    }
    if !proven.contains(margin) {
        return Err(format!("a guided playout ends with {margin} and proves {text}"));
    }
    match value {
        Some(value) if !proven.contains(value) => {
            Err(format!("a guided playout proves {text}, but best play ends with {value}"))
        }
        _ => Ok(()),
    }
}

//! The law on a game's own playouts: they prove nothing that best play contradicts.

use super::Finding;
use super::random_game::RandomGame;
use super::value::{FULL_SEARCH_NODES, full_search, shown};
use crate::{Bounds, Guided, Margin, MoveList, Notation, PlayoutRules, Rng};

/// Guided playouts from a position.
const PLAYOUTS: usize = 16;

pub(super) fn guided_proves<G: Notation>(game: &G, games: &[RandomGame<G>]) -> Finding {
    for played in games {
        let mut searchable = true;
        for (i, state) in played.states.iter().enumerate().rev() {
            let mut nodes = FULL_SEARCH_NODES;
            let value = if searchable { full_search(game, state, &mut nodes) } else { None };
            searchable = value.is_some();
            let (mut rng, mut scratch) = (Rng::new(played.seed.wrapping_add(i as u64)), MoveList::new());
            let bounds = game.bounds(state);
            for _ in 0..PLAYOUTS {
                let guided = game.guided_playout(*state, PlayoutRules::ALL, &mut rng, &mut scratch);
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

//! Second implementations of what searches learn from the moves of simulations, by their definitions.

use std::collections::BTreeMap;

use banyan_core::{Side, SimulatedMove};

/// A finished simulation: its moves from the root on, and the share of the result that the first side gets.
pub type Simulation = (Vec<SimulatedMove>, f32);

/// A number of simulations and their mean result, by side (0: the first) and identity of a move.
pub type Means = BTreeMap<(usize, u16), (u32, f32)>;

/// All moves as first at the position that the moves `at` lead to (Gelly and Silver 2011, section 4.1): for each move, the simulations through
/// the position in which the move is played from there on, by the side that plays it first.
pub fn all_moves_as_first(simulations: &[Simulation], at: &[SimulatedMove]) -> Means {
    let mut means = Means::new();
    for (moves, result) in simulations.iter().filter(|(moves, _)| moves.starts_with(at)) {
        let later = &moves[at.len()..];
        let first = |i: &usize| later[..*i].iter().all(|mv| mv.identity != later[*i].identity);
        (0..later.len()).filter(first).for_each(|i| add(&mut means, later[i], *result));
    }
    means
}

/// Move averages (Finnsson and Bjornsson 2008): for each move of a side, the mean result for that side of all simulations, each counted as
/// often as the move is played in it.
pub fn move_averages(simulations: &[Simulation]) -> Means {
    let mut means = Means::new();
    for (moves, result) in simulations {
        for &mv in moves {
            add(&mut means, mv, if mv.side == Side::First { *result } else { 1.0 - result });
        }
    }
    means
}

fn add(means: &mut Means, mv: SimulatedMove, result: f32) {
    let (n, mean) = means.entry((usize::from(mv.side == Side::Second), mv.identity)).or_default();
    *n += 1;
    *mean += (result - *mean) / *n as f32;
}

//! Reports and solutions of a search in words.

use std::cmp::Reverse;
use std::time::Duration;

use banyan_core::{Bounds, ErasedGame, ErasedState, Game, MoveList, MoveStat, Report, Side, Solution, sort_by_order};

use crate::view::{Analysis, AtMost, MoveView, Proof, SOLVED_VERSION, Solved, SolvedMove, VERSION, side_word};

/// The report of a search that began in `state` and took this CPU time.
pub(crate) fn in_words(game: &ErasedGame, state: &ErasedState, report: &Report<u16>, cpu: Duration) -> Analysis {
    let side = game.to_move(state);
    Analysis {
        v: VERSION,
        game: game.spec(),
        position: game.print_position(state),
        to_move: side_word(side).to_owned(),
        best: Some(game.print_move(state, report.best)),
        value: report.value,
        margin: report.margin,
        proof: report.proof.map(|bounds| Proof::seen_by(bounds, side)),
        ends_in: None,
        playouts: report.playouts,
        depth: report.depth,
        nodes: report.nodes,
        reused: report.reused,
        elapsed_ms: milliseconds(report.elapsed),
        cpu_ms: milliseconds(cpu),
        memory_bytes: report.memory_bytes,
        book: report.from_book,
        pv: game.print_moves(state, &report.pv),
        moves: report.moves.iter().map(|stat| move_view(game, state, stat, side)).collect(),
        structure: None,
        opening: None,
    }
}

fn move_view(game: &ErasedGame, state: &ErasedState, stat: &MoveStat<u16>, side: Side) -> MoveView {
    let proof = stat.proof.map(|bounds| Proof::seen_by(bounds, side));
    let is_decided = proof.is_some_and(|proof| proof.outcome().is_some());
    let is_unknown = stat.visits == 0 && stat.value == 0.0 && stat.margin.is_none() && !is_decided;
    let has_value = !stat.is_bound && !is_unknown;
    MoveView {
        mv: game.print_move(state, stat.mv),
        id: game.action_id(stat.mv),
        visits: stat.visits,
        value: has_value.then_some(stat.value),
        margin: stat.margin.filter(|_| has_value),
        at_most: stat.is_bound.then_some(AtMost { value: stat.value, margin: stat.margin }),
        proof,
        ends_in: None,
        pv: game.print_moves(state, &stat.pv),
    }
}

/// A move that no search has visited.
pub(crate) fn unvisited(game: &ErasedGame, state: &ErasedState, mv: u16) -> MoveView {
    let (mv, id) = (game.print_move(state, mv), game.action_id(mv));
    let (value, margin, at_most, proof, ends_in, pv) = (None, None, None, None, None, vec![mv.clone()]);
    MoveView { mv, id, visits: 0, value, margin, at_most, proof, ends_in, pv }
}

/// What was proven of `state`.
pub(crate) fn solved_in_words(game: &ErasedGame, state: &ErasedState, solution: &Solution<u16>) -> Solved {
    let side = game.to_move(state);
    let Proof { lower, upper } = Proof::seen_by(solution.bounds, side);
    let best = solution.best(side);
    let mut listed = MoveList::new();
    game.moves(state, &mut listed);
    let mut moves = solution.moves.clone();
    // Moves with equal proofs are listed in the order of the game, not of the search.
    let place = |&(mv, bounds): &(u16, Bounds)| {
        let (lower, upper) = bounds.seen_by(side);
        (Reverse((lower, upper)), listed.iter().position(|&other| other == mv))
    };
    sort_by_order(&mut moves, |a, b| place(a) < place(b));
    let print = |mv: u16| game.print_move(state, mv);
    let in_points = |&(mv, bounds): &(u16, Bounds)| {
        let Proof { lower, upper } = Proof::seen_by(bounds, side);
        SolvedMove { mv: print(mv), margin: (lower == upper).then_some(lower), lower, upper }
    };
    Solved {
        v: SOLVED_VERSION,
        game: game.spec(),
        position: game.print_position(state),
        to_move: side_word(side).to_owned(),
        margin: (lower == upper).then_some(lower),
        lower,
        upper,
        best: moves.iter().filter(|(mv, _)| best.contains(mv)).map(|&(mv, _)| print(mv)).collect(),
        moves: moves.iter().map(in_points).collect(),
        pv: game.print_moves(state, &solution.pv),
        nodes: solution.nodes,
        elapsed_ms: milliseconds(solution.elapsed),
        memory_bytes: solution.memory_bytes,
        book: None,
    }
}

/// Rounded to microseconds; smaller digits are noise.
fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}

//! The report of a search: every move with its statistics and principal variation, the final move first.

use std::time::Duration;

use banyan_core::{Game, MoveCode, MoveStat, Report, sort_by_order};

use super::symmetric_moves::share_statistics;
use super::view::{FinalMoveSelector, MoveView, TreeView, final_bounds, value_of};
use crate::mcts::simulate::Context;
use crate::mcts::tree::{Edge, Tree};

/// The totals of a search.
pub(crate) struct Totals {
    pub(crate) playouts: u64,
    pub(crate) nodes: u64,
    pub(crate) memory_bytes: u64,
    pub(crate) reused: f64,
    pub(crate) elapsed: Duration,
}

/// The current report of one search.
pub(crate) fn report<G: Game>(
    context: &Context<'_, G>,
    tree: &Tree,
    reused: f64,
    elapsed: Duration,
) -> Report<G::Move> {
    let view = TreeView::of(tree, tree.root, context.game.to_move(context.state));
    let totals = Totals {
        playouts: tree.playouts,
        nodes: tree.graph.held(),
        memory_bytes: tree.bytes() as u64,
        reused,
        elapsed,
    };
    report_of(context, tree, &view, &|edge| principal_variation(context, tree, edge), &totals)
}

/// The report of the moves in `view`, with a function for their principal variations.
pub(crate) fn report_of<G: Game>(
    context: &Context<'_, G>,
    tree: &Tree,
    view: &TreeView,
    principal_variation: &dyn Fn(Edge) -> Vec<G::Move>,
    totals: &Totals,
) -> Report<G::Move> {
    let moves = ranked_moves(context, tree, view, principal_variation);
    let params = &tree.params;
    let root_proof = params.proves().then_some(view.bounds);
    let offset = context.offset(params, context.state);
    Report {
        best: moves[0].mv,
        value: moves[0].value,
        margin: None,
        proof: root_proof.and_then(|bounds| final_bounds(params, bounds, offset)),
        pv: moves[0].pv.clone(),
        moves,
        playouts: totals.playouts,
        depth: None,
        nodes: totals.nodes,
        reused: totals.reused,
        memory_bytes: totals.memory_bytes,
        elapsed: totals.elapsed,
        from_book: false,
    }
}

/// Every move, the final one first, then by visits and value.
fn ranked_moves<G: Game>(
    context: &Context<'_, G>,
    tree: &Tree,
    view: &TreeView,
    principal_variation: &dyn Fn(Edge) -> Vec<G::Move>,
) -> Vec<MoveStat<G::Move>> {
    let params = &tree.params;
    let mover = context.game.to_move(context.state);
    let offset = context.offset(params, context.state);
    let guide = context.guide(context.state);
    let best = FinalMoveSelector { tree, config: context.config, mover, offset, guide: &guide }.best_edge(view);
    let mut known: Vec<&MoveView> = view.known.iter().collect();
    let value = |k: &MoveView| {
        value_of(params, k.stats, params.proves().then_some(k.bounds), offset)
            .map_or(0.0, |value| value * f64::from(mover.sign()))
    };
    sort_by_order(&mut known, |a, b| {
        let key = |k: &MoveView| (k.edge == best, k.stats.visits);
        key(b).cmp(&key(a)).then_with(|| value(b).total_cmp(&value(a))).is_lt()
    });
    let stat = |k: &MoveView| MoveStat {
        mv: G::Move::from_code(tree.graph.code(k.edge)),
        visits: u64::from(k.stats.visits),
        value: value(k),
        margin: None,
        is_bound: false,
        proof: params.proves().then_some(k.bounds).and_then(|bounds| final_bounds(params, bounds, offset)),
        pv: principal_variation(k.edge),
    };
    let mut moves: Vec<MoveStat<G::Move>> = known.into_iter().map(stat).collect();
    share_statistics(context.game, context.state, &mut moves);
    // A stable sort changes only the places of moves whose statistics changed.
    sort_by_order(&mut moves[1..], |a, b| b.visits.cmp(&a.visits).then_with(|| b.value.total_cmp(&a.value)).is_lt());
    moves
}

/// The principal variation from an edge of the root: the best moves where the position is solved, else the most visited
/// ones.
pub(crate) fn principal_variation<G: Game>(context: &Context<'_, G>, tree: &Tree, mut edge: Edge) -> Vec<G::Move> {
    let mut state = context.state.clone();
    let mut principal_variation = Vec::new();
    loop {
        let mv = G::Move::from_code(tree.graph.code(edge));
        principal_variation.push(mv);
        context.game.play(&mut state, mv);
        let Some(node) = context.child(tree, edge, &state) else { return principal_variation };
        let offset = context.offset(&tree.params, &state);
        let (mover, guide) = (context.game.to_move(&state), context.guide(&state));
        edge = FinalMoveSelector { tree, config: context.config, mover, offset, guide: &guide }.expected(node);
        if tree.graph.visits_of(edge) == 0 {
            return principal_variation;
        }
    }
}

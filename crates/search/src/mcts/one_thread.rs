//! The search on the calling thread, which its observer may pause.

use banyan_core::clock::Instant;
use banyan_core::{Flow, Game, Limits, Report, SearchObserver, Situation};

use crate::budget::{Budget, EarlyEnd, RootStatus};
use crate::mcts::parallel::{MOST_VISITS, PROGRESS_EVERY};
use crate::mcts::report::{self, FinalMoveSelector, TreeView};
use crate::mcts::simulate::{Context, Running, Search, Searcher};
use crate::mcts::tree::Exclusive;
use crate::options::{Config, EarlyStop};

/// Searches until a stop condition holds, or the observer pauses it.
pub(super) fn search<G: Game>(
    config: &Config,
    searcher: &mut Searcher<G>,
    at: &Situation<'_, G>,
    limits: &Limits,
    observer: &mut dyn SearchObserver<G::Move>,
) -> Report<G::Move> {
    let budget = Budget::start(limits, at.game.plies_left(at.state), EarlyEnd::of(config));
    let context = Context { game: at.game, config, state: at.state };
    let reused = searcher.begin_at(config, at);
    let search = &mut searcher.search;
    search.find_preferred_move(&context);
    search.begin_gumbel(&context, limits);
    search.tree.limit_nodes(limits.nodes);
    let visits_left = MOST_VISITS.saturating_sub(search.tree.graph.total_visits(search.tree.root));
    // Unless the root is solved at once, at least one playout is made, so that there is a best move.
    run(&context, searcher, Running { budget, reused, visits_left, stretch: 1 }, observer)
}

/// Continues the search of this position that was paused, if there is one.
pub(super) fn resume<G: Game>(
    config: &Config,
    searcher: &mut Searcher<G>,
    at: &Situation<'_, G>,
    observer: &mut dyn SearchObserver<G::Move>,
) -> Option<Report<G::Move>> {
    searcher.root_of(at)?;
    let mut running = searcher.paused.take()?;
    running.budget.resume();
    Some(run(&Context { game: at.game, config, state: at.state }, searcher, running, observer))
}

fn run<G: Game>(
    context: &Context<'_, G>,
    searcher: &mut Searcher<G>,
    mut running: Running,
    observer: &mut dyn SearchObserver<G::Move>,
) -> Report<G::Move> {
    let Context { config, .. } = *context;
    let search = &mut searcher.search;
    let limits = *running.budget.limits();
    let plain = search.is_plain(config);
    let mut last_progress = Instant::now();
    while !search.tree.is_solved() {
        let (spent, Running { budget, visits_left, stretch, .. }) = (search.tree.spent(), &mut running);
        // Not by the limit on nodes: the number left here depends on the clock, which divides the search into stretches.
        let most_playouts = budget.playouts_left(spent).min(visits_left.saturating_sub(spent)).max(1);
        if plain {
            search.simulate_plainly(context, &mut Exclusive, *stretch, most_playouts);
        } else {
            search.simulate_in_batches(context, &mut Exclusive, (*stretch, most_playouts), false);
        }
        if search.tree.gumbel.is_some() {
            search.tree.note_time_share(budget.time_share());
        }
        let tree = &search.tree;
        let Some(next) = budget.next_stretch(tree.spent(), tree.nodes, &|| root_status(context, search)) else {
            break;
        };
        *stretch = next.min(visits_left.saturating_sub(tree.spent()));
        let forced = limits.clock.is_some() && config.early != EarlyStop::Never && tree.graph.len(tree.root) == 1;
        if *stretch == 0 || forced {
            break;
        }
        let is_stopped = observer.stopped();
        let is_paused = is_stopped && observer.paused();
        if is_stopped && !is_paused {
            break;
        }
        if limits.time.is_some() || limits.clock.is_some() {
            // The time of pending leaves is not counted yet.
            search.finish(context, &mut Exclusive);
        }
        if is_paused {
            // Leaves stay pending, as without the pause.
            running.budget.pause();
            let report = report_of(context, search, &running);
            searcher.paused = Some(running);
            return report;
        }
        if last_progress.elapsed() >= PROGRESS_EVERY {
            last_progress = Instant::now();
            if observer.progress(&report_of(context, search, &running)) == Flow::Stop {
                break;
            }
        }
    }
    search.finish(context, &mut Exclusive);
    report_of(context, search, &running)
}

fn report_of<G: Game>(context: &Context<'_, G>, search: &Search<G>, running: &Running) -> Report<G::Move> {
    report::report(context, &search.tree, running.reused, running.budget.elapsed())
}

fn root_status<G: Game>(context: &Context<'_, G>, search: &Search<G>) -> RootStatus {
    let (tree, &Context { game, config, state }) = (&search.tree, context);
    let (mover, guide) = (game.to_move(state), context.guide(state));
    let offset = context.offset(&tree.params, state);
    FinalMoveSelector { tree, config, mover, offset, guide: &guide }.root_status(&TreeView::of(tree, tree.root, mover))
}

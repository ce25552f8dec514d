//! Small searches that serve the large one: the reply that a model of the other side expects, the root's move that a
//! short look ahead prefers, and the value of a leaf by a shallow look.
//!
//! They run to their end whatever the budget (looks ahead end after some 30,000 positions at the last finished depth), are
//! counted in no number of playouts or nodes, and keep what memory they need beside the cap, 8 MiB each at most.

use banyan_core::{Game, Limits, Player, Silent, Situation, mix};

use super::bounds::Packed;
use super::choices::Model;
use super::search::{Search, Worth};
use super::task::Task;
use super::{Config, Mcts};
use crate::Greedy;
use crate::alpha_beta::Lookahead;

/// Playouts of a model by UCT for each step of its foresight.
const PLAYOUTS_A_STEP: u64 = 100;

/// Who is sent ahead.
pub(super) struct Scouts<G: Game> {
    model: Option<Oracle<G>>,
    prior: Option<Box<Lookahead<G>>>,
    probe: Option<Box<Lookahead<G>>>,
    /// The root's move that gets a bonus.
    favoured: Option<G::Move>,
    /// Where a model's random numbers begin.
    seed: u64,
}

/// Who names a reply.
enum Oracle<G: Game> {
    Player(Box<dyn Player<G>>, Limits),
    Lookahead(Box<Lookahead<G>>),
}

impl<G: Game> Scouts<G> {
    /// Those that `config` asks for.
    pub(super) fn new(config: &Config) -> Scouts<G> {
        let looks = |depth: u32| (depth > 0).then(|| Box::new(Lookahead::new(depth)));
        let foresight = config.foresight;
        let model = match config.model {
            Model::Off => None,
            Model::Greedy => Some(Oracle::Player(Box::new(Greedy::default()), Limits::default())),
            Model::Uct => {
                let limits = Limits::playouts(u64::from(foresight) * PLAYOUTS_A_STEP);
                Some(Oracle::Player(Box::new(Mcts::new(Config::uct_forced())), limits))
            }
            Model::Pvs => Some(Oracle::Lookahead(Box::new(Lookahead::new(foresight)))),
        };
        Scouts { model, prior: looks(config.prior), probe: looks(config.probe), favoured: None, seed: 0 }
    }

    /// Another game begins, or another board: what was seen is forgotten, and all randomness follows from `seed`.
    pub(super) fn begin(&mut self, seed: u64) {
        self.seed = seed;
        self.forget();
    }

    /// Forgets what was seen.
    pub(super) fn forget(&mut self) {
        self.favoured = None;
        let model = match &mut self.model {
            Some(Oracle::Lookahead(lookahead)) => Some(lookahead),
            _ => None,
        };
        model.into_iter().chain(&mut self.prior).chain(&mut self.probe).for_each(|lookahead| lookahead.forget());
    }

    /// The root's move that gets a bonus.
    #[inline(always)]
    pub(super) fn favoured(&self) -> Option<G::Move> {
        self.favoured
    }

    /// Has this move get the bonus, which another search has found.
    pub(super) fn set_favoured(&mut self, mv: Option<G::Move>) {
        self.favoured = mv;
    }

    /// The reply that the model expects, the same whenever it is asked.
    fn reply(&mut self, game: &G, state: &G::State) -> Option<G::Move> {
        match self.model.as_mut()? {
            Oracle::Lookahead(lookahead) => Some(lookahead.look(game, state).best),
            Oracle::Player(player, limits) => {
                player.new_game(mix(self.seed ^ game.key(state)));
                let at = Situation { game, start: state, played: &[], state };
                let report = player.choose(&at, limits, &mut Silent);
                Some(report.expect("a panic of the model is one of the search").best)
            }
        }
    }
}

impl<G: Game> Search<G> {
    /// Finds the root's move that gets a bonus, if it is to have one.
    pub(super) fn favour(&mut self, task: &Task<'_, G>) {
        let Task { game, config, root, state, .. } = *task;
        let young = game.stage(state) < config.until && !self.graph.is_settled(root) && self.graph.len(root) > 1;
        let prior = self.scouts.prior.as_mut().filter(|_| young);
        self.scouts.favoured = prior.map(|lookahead| lookahead.look(game, state).best);
    }

    /// Leaves of the moves just listed only the reply that the model expects, where the path is a move of the root's
    /// side and its opponent is to answer.
    #[inline(never)]
    pub(super) fn expect_reply(&mut self, task: &Task<'_, G>, state: &G::State) {
        let Task { game, config, .. } = *task;
        let answers = self.path.len() == 1 && game.to_move(state) != game.to_move(task.state);
        if config.model == Model::Off || !answers {
            return;
        }
        if let Some(reply) = self.scouts.reply(game, state) {
            self.moves.clear();
            self.moves.push(reply);
        }
    }

    /// The value of a leaf by a shallow look, if it is to have one.
    pub(super) fn probe(&mut self, task: &Task<'_, G>, state: &G::State, offset: i16, visits: u32) -> Option<Worth> {
        let Task { game, config, rules, .. } = *task;
        let asked = config.below == 0 || visits < config.below;
        let seen = self.scouts.probe.as_mut().filter(|_| asked)?.look(game, state);
        let guess = rules.promised(game, seen.points, offset);
        let value = Packed::of(seen.bounds).shifted(-offset).clamp(guess, rules.reward);
        Some(Worth { value, bounds: rules.proves().then(|| rules.to_go(seen.bounds, offset)) })
    }
}

//! What is searched, and how: one position with the config, and what follows from both once and for all.

use banyan_core::{Bounds, FINE, Game, Margin, mix};

use super::Config;
use super::bounds::Packed;
use super::choices::{
    Evaluation, ExpansionWidth, ForcedMoves, LeafValue, Model, Policy, Proof, Reward, Scale, Selection, Structure,
};
use super::graph::NodeId;
use super::layout::Keeps;
use super::search::Worth;

/// A position to be searched.
pub(super) struct Task<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) config: &'a Config,
    pub(super) root: NodeId,
    /// The position of the root.
    pub(super) state: &'a G::State,
    pub(super) rules: Rules,
}

/// What follows from the config and the game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub(super) reward: Reward,
    pub(super) shared: bool,
    pub(super) proof: Proof,
    /// Whether the reward is the sum of what is banked and what is still to go. If not, all is counted from the start of
    /// the game, and what is banked is part of the key.
    linear: bool,
    range: Bounds,
    /// `2 c^2` by which heads and children's explorations are kept; 2 where c is not the same everywhere, and 0 where no
    /// formula asks for them.
    pub(super) factor: f32,
    /// Whether leaves are valued by nothing but a uniform playout, as fast as may be.
    pub(super) uniform: bool,
    /// Whether playouts are guided by the game; and whether that is all there is to a leaf, so that many can be made at once.
    pub(super) guided: bool,
    pub(super) together: bool,
    /// Whether c depends on the node.
    pub(super) varied: bool,
    /// Highest minus lowest reward.
    pub(super) reward_range: f32,
}

impl Rules {
    pub(super) fn new<G: Game>(game: &G, config: &Config) -> Rules {
        let range = game.margin_range();
        let guided = config.evaluation == Evaluation::Guided;
        let nothing_else = (config.cut, config.pad) == (0, 0) && config.forced != ForcedMoves::Always;
        let varied = config.schedule.is_set() || config.scale != Scale::None || config.selection != Selection::Ucb1;
        Rules {
            reward: config.reward,
            shared: config.structure == Structure::Graph,
            proof: config.proof,
            linear: config.reward == Reward::Margin,
            range,
            factor: match config.selection {
                Selection::Puct => 0.0,
                _ if varied => 2.0,
                _ => 2.0 * config.c * config.c,
            },
            uniform: config.evaluation == Evaluation::Uniform && nothing_else,
            guided,
            together: guided && nothing_else && config.probe == 0,
            varied,
            reward_range: (config.reward.of(range.upper) - config.reward.of(range.lower)).max(f32::MIN_POSITIVE),
        }
    }

    /// Whether the search needs no more than its usual loop: UCB1 with one weight, one child at a time and leaf by leaf.
    pub(super) fn are_plain(config: &Config) -> bool {
        let kinds = config.selection == Selection::Ucb1
            && config.scale == Scale::None
            && config.leaf_value == LeafValue::Own
            && config.expand == ExpansionWidth::One
            && !matches!(config.evaluation, Evaluation::Standing | Evaluation::Estimate)
            && config.model == Model::Off;
        let numbers = (config.horizon, config.batch, config.probe) == (0, 1, 0) && config.lazy == 0.0;
        kinds && numbers && config.urgency.is_none() && !config.schedule.is_set()
    }

    /// What nodes have to keep.
    pub(super) fn keeps(config: &Config, policy: bool) -> Keeps {
        Keeps {
            shared: config.structure == Structure::Graph,
            squares: config.selection == Selection::Tuned || config.scale == Scale::Spread,
            priors: policy || config.policy == Policy::Game,
        }
    }

    #[inline(always)]
    pub(super) fn proves(&self) -> bool {
        self.proof != Proof::Off
    }

    /// The points from which a position's values and bounds are counted.
    #[inline(always)]
    pub(super) fn offset<G: Game>(&self, game: &G, state: &G::State) -> i16 {
        if self.linear { game.banked(state).0 } else { 0 }
    }

    /// The key by which positions share a node.
    #[inline(always)]
    pub(super) fn key<G: Game>(&self, game: &G, state: &G::State) -> u64 {
        let key = game.key(state);
        let banked = if self.linear { Margin::DRAW } else { game.banked(state) };
        if banked == Margin::DRAW { key } else { mix(key ^ u64::from(banked.0 as u16)) }
    }

    /// The name of a node that is not shared: the way from the root.
    #[inline(always)]
    pub(super) fn key_below(above: u64, index: u32) -> u64 {
        mix(above.wrapping_add(u64::from(index) + 1))
    }

    /// The reward of a final margin, counted from `offset`.
    #[inline(always)]
    pub(super) fn reward_to_go(&self, margin: Margin, offset: i16) -> f32 {
        self.reward.of(Margin(margin.0 - offset))
    }

    /// The reward that a guess of the final margin promises, counted from `offset`; `points` as in [`Game::estimate`].
    pub(super) fn promised<G: Game>(&self, game: &G, points: i32, offset: i16) -> f32 {
        let from = if self.linear { f32::from(offset) } else { 0.0 };
        self.reward.promised(points, game.estimate_scale(), self.range) - from
    }

    /// How much more than a draw from here on a closer look at a position promises, as a reward.
    #[inline(always)]
    pub(super) fn appraised<G: Game>(&self, game: &G, state: &G::State) -> f32 {
        let banked = if self.linear { i32::from(game.banked(state).0) * FINE } else { 0 };
        let promised = |points| self.reward.promised(points, game.estimate_scale(), self.range);
        promised(game.appraise(state)) - promised(banked)
    }

    /// Bounds of the final margin as they are kept, counted from `offset`.
    #[inline(always)]
    pub(super) fn to_go(self, bounds: Bounds, offset: i16) -> Packed {
        let packed = Packed::of(bounds);
        match self.proof {
            Proof::Win => packed.winner_only(self.range).shifted(-offset),
            Proof::Off | Proof::Bounds => packed.shifted(-offset),
        }
    }

    /// What a position is worth that these bounds leave a single reward, where anything is proven at all.
    #[inline(always)]
    pub(super) fn settled(&self, bounds: Packed) -> Option<Worth> {
        let settled = self.proves() && bounds.settles(self.reward);
        settled.then(|| Worth { value: bounds.clamp(0.0, self.reward), bounds: Some(bounds) })
    }

    /// Nothing but the game's range.
    #[inline(always)]
    pub(super) fn unknown(self, offset: i16) -> Packed {
        Packed::of(self.range).shifted(-offset)
    }
}

/// Plies after which a playout ends, and where nothing is valued by playouts.
pub(super) fn cut(config: &Config) -> Option<u32> {
    match config.evaluation {
        Evaluation::Standing => Some(0),
        _ => (config.cut > 0).then_some(config.cut),
    }
}

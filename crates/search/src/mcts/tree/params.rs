//! Search parameters of the tree that follow from the settings and the game: rewards, proofs, and selection.

use banyan_core::{Answer, Bounds, FINE, Margin, Side, Value, mix};

use super::bounds::Packed;
use super::columns::{Columns, Keeps};
use crate::options::{
    Config, ExpansionOrder, ExpansionWidth, LazyMode, NodeInit, PendingVisits, Proof, Reward, RootBiasAt, Scale,
    Selection, Structure, TieBreak, UnvisitedValue,
};
use crate::reward::ScoredReward;

/// The value of a leaf, from its own position on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeafValue {
    /// A reward, seen by the first side.
    pub(crate) value: f32,
    pub(crate) bounds: Option<Packed>,
}

/// Search parameters that follow from the settings and the game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Params {
    pub(crate) reward: ScoredReward,
    /// Whether positions with the same key share a node.
    pub(crate) shared: bool,
    pub(crate) proof: Proof,
    /// Whether the reward is the sum of the points scored so far and those from here on. If not, everything is counted
    /// from the start of the game, and the score is part of the key.
    pub(crate) linear: bool,
    /// The range of margins of the game.
    range: Bounds,
    /// Highest minus lowest reward.
    pub(crate) reward_range: f32,
    /// Distance of a static evaluation from a draw that counts as 0.76 of a win, see
    /// [`eval_scale`](banyan_core::Knowledge::eval_scale).
    eval_scale: i32,
    pub(crate) selection: Selection,
    /// The exploration weight.
    pub(crate) c: f32,
    /// Whether the weight varies between nodes.
    pub(crate) varied: bool,
    pub(crate) scale: Scale,
    /// The factor `2 c^2` of stored exploration terms; 2 if c varies between nodes, 0 if no formula needs them.
    pub(crate) factor: f32,
    pub(crate) urgency: Option<f32>,
    pub(crate) unvisited: UnvisitedValue,
    pub(crate) tie: TieBreak,
    pub(crate) order: ExpansionOrder,
    /// Whether new nodes get the static evaluations of their children.
    pub(crate) has_heuristics: bool,
    /// Whether these are the values of children that are evaluated at expansion.
    pub(crate) heuristics_are_values: bool,
    /// Weight of the minimax value of static evaluations (`implicit`).
    pub(crate) implicit: f32,
    /// Weight of the bonus by static evaluations (`progressive-bias`).
    pub(crate) progressive_bias: f32,
    pub(crate) expand: ExpansionWidth,
    /// Pending visits as selection sees them.
    pub(crate) pending: PendingVisits,
    /// Visits at which a leaf becomes a node.
    pub(crate) expand_at: u32,
    /// Whether the evaluator adds a bonus to leaves.
    pub(crate) has_bonus: bool,
    /// Children that are open at first (`widening`); 0 for all.
    pub(crate) widening: usize,
    /// Plies below the root at which a position gets no children; 0 for no such depth.
    pub(crate) horizon: usize,
    pub(crate) start: NodeInit,
    /// Weight of the node evaluation (`node-eval`).
    pub(crate) node_eval: f32,
    /// Probability of lazy expansion: that a node with tried and untried children tries none.
    pub(crate) lazy: f32,
    pub(crate) lazily: LazyMode,
    /// Leaves collected before they are evaluated together.
    pub(crate) batch: u32,
    /// The root bias: bonus on the score of the preferred move, divided by one more than its visits; 0 if the bonus is given to leaves.
    pub(crate) root_bias: f32,
}

impl Params {
    /// The parameters for a game with margins in `range` and static evaluations on this scale. `has_bonus`: the evaluator adds one to
    /// leaves; `static_leaves`: its values are static evaluations and nothing else.
    pub(crate) fn new(
        config: &Config,
        range: Bounds,
        eval_scale: i32,
        (has_bonus, static_leaves): (bool, bool),
    ) -> Params {
        let varied = config.schedule.is_set() || config.scale != Scale::None || config.selection != Selection::Ucb1;
        let reward = ScoredReward::new(config.reward, config.score_bonus, range);
        Params {
            reward,
            shared: config.structure == Structure::Graph,
            proof: config.proof,
            linear: config.reward == Reward::Margin,
            range,
            reward_range: (reward.of(range.upper) - reward.of(range.lower)).max(f32::MIN_POSITIVE),
            eval_scale,
            selection: config.selection,
            c: config.c,
            varied,
            scale: config.scale,
            factor: match config.selection {
                Selection::Puct | Selection::First => 0.0,
                _ if varied => 2.0,
                _ => 2.0 * config.c * config.c,
            },
            urgency: config.fpu,
            unvisited: config.unvisited,
            tie: config.tie,
            order: config.order,
            has_heuristics: config.uses_heuristics(),
            // In a batch other paths may meet a node before its children have values, and an order comes before the values.
            heuristics_are_values: static_leaves
                && !has_bonus
                && config.batch == 1
                && config.order != ExpansionOrder::Static,
            implicit: config.implicit,
            progressive_bias: config.progressive_bias,
            expand: config.expand,
            expand_at: config.expand_at,
            has_bonus,
            widening: config.widening as usize,
            pending: config.pending_visits,
            horizon: config.horizon as usize,
            start: config.node_init,
            node_eval: config.node_eval,
            lazy: config.lazy_expansion,
            lazily: config.lazy_mode,
            batch: config.batch,
            root_bias: if config.root_bias_at == RootBiasAt::Root { config.root_bias } else { 0.0 },
        }
    }

    /// What nodes store with these settings, with `priors` or without.
    pub(crate) fn keeps(config: &Config, priors: bool) -> Keeps {
        Keeps { shared: config.structure == Structure::Graph, columns: Columns::of(config, priors) }
    }

    #[inline]
    pub(crate) fn proves(&self) -> bool {
        self.proof != Proof::Off
    }

    /// The key by which positions share a node, from the game's key and the score.
    #[inline]
    pub(crate) fn key(&self, key: u64, score: Margin) -> u64 {
        if self.linear || score == Margin::DRAW { key } else { mix(key ^ u64::from(score.0 as u16)) }
    }

    /// The key of a node that is not shared: a hash of the path from the root.
    #[inline]
    pub(crate) fn key_below(above: u64, index: u32) -> u64 {
        mix(above.wrapping_add(u64::from(index) + 1))
    }

    /// The value and proof of a final margin, counted from `offset`.
    #[inline]
    pub(crate) fn ended(&self, margin: Margin, offset: i16) -> LeafValue {
        let bounds = self.proves().then(|| self.packed(Bounds::exact(margin), offset));
        LeafValue { value: self.reward.of(Margin(margin.0 - offset)), bounds }
    }

    /// The value of a playout with result `margin`, counted from `offset` and clamped to the bounds it `proved`.
    #[inline]
    fn played_out(&self, margin: Margin, proved: Option<Bounds>, offset: i16) -> LeafValue {
        let bounds = proved.filter(|_| self.proves()).map(|proved| self.packed(proved, offset));
        let value = self.reward.of(Margin(margin.0 - offset));
        LeafValue { value: bounds.map_or(value, |bounds| bounds.clamp(value, self.reward)), bounds }
    }

    /// The value of a leaf from the answer of an evaluator, counted from `offset`.
    #[inline]
    pub(crate) fn leaf_value(&self, Answer { value, bounds }: Answer, offset: i16) -> LeafValue {
        match value {
            Value::Margin(margin) => self.played_out(margin, bounds, offset),
            Value::Points(points) => self.rewarded(self.expected_reward(points), bounds, offset),
            Value::Reward(reward) => self.rewarded(reward, bounds, offset),
        }
    }

    /// The value of a node evaluation: a reward relative to a draw from `offset` on.
    pub(crate) fn node_value(&self, answer: Answer, offset: i16) -> f32 {
        let drawn = if self.linear { i32::from(offset) * FINE } else { 0 };
        let expected_reward = match answer.value {
            Value::Margin(margin) => self.reward.of(margin),
            Value::Points(points) => self.expected_reward(points),
            Value::Reward(reward) => reward,
        };
        expected_reward - self.expected_reward(drawn)
    }

    /// The reward of an expected final margin, counted from the start of the game.
    pub(crate) fn expected_reward(&self, points: i32) -> f32 {
        self.reward.expected_reward(points, self.eval_scale, self.range)
    }

    /// Converts a reward counted from the start of the game to one counted from `offset`, clamped to the bounds that
    /// are `proved`.
    fn rewarded(&self, value: f32, proved: Option<Bounds>, offset: i16) -> LeafValue {
        let value = value - if self.linear { f32::from(offset) } else { 0.0 };
        let possible = self.unknown(offset);
        let bounds = proved.filter(|_| self.proves()).map(|bounds| self.packed(bounds, offset));
        let bounds = bounds.filter(|&bounds| bounds.meets(possible));
        LeafValue { value: bounds.unwrap_or(possible).clamp(value, self.reward), bounds }
    }

    /// Bounds of the final margin as nodes store them, counted from `offset`.
    #[inline]
    pub(crate) fn packed(&self, bounds: Bounds, offset: i16) -> Packed {
        let packed = Packed::of(bounds);
        match self.proof {
            Proof::Win => packed.winner_only(self.range).shifted(-offset),
            Proof::Off | Proof::Bounds => packed.shifted(-offset),
        }
    }

    /// The value of a position whose bounds leave a single reward, if proofs are on.
    #[inline]
    pub(crate) fn solved(&self, bounds: Packed) -> Option<LeafValue> {
        let solved = self.proves() && bounds.decides(self.reward);
        solved.then(|| LeafValue { value: bounds.clamp(0.0, self.reward), bounds: Some(bounds) })
    }

    /// Whether selection reads the lowest reward.
    #[inline]
    pub(crate) fn reads_worst(&self) -> bool {
        self.selection == Selection::KlUcb || self.pending == PendingVisits::Loss || self.progressive_bias > 0.0
    }

    /// The reward of the worst margin for `mover`, seen by the first side and counted from `offset`.
    pub(crate) fn worst_reward(&self, mover: Side, offset: i16) -> f32 {
        let [least, most] = self.unknown(offset).rewards(self.reward);
        if mover == Side::First { least } else { most }
    }

    /// The game's range: nothing is proven.
    #[inline]
    pub(crate) fn unknown(&self, offset: i16) -> Packed {
        Packed::of(self.range).shifted(-offset)
    }

    /// The share of the range of results that a reward is, counted from the start of the game: 0 the worst of the first side, 1 the best.
    pub(crate) fn share_of_result(&self, reward: f32) -> f32 {
        ((reward - self.reward.of(self.range.lower)) / self.reward_range).clamp(0.0, 1.0)
    }

    /// The range of margins of the game.
    pub(crate) fn range(&self) -> Bounds {
        self.range
    }
}

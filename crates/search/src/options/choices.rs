//! The named choices of a search, each a word of its configuration.

use banyan_core::{Bounds, Margin};

use super::worded::worded;

worded! {
    /// What a finished game is worth, on the reward's own scale, seen by the first side.
    Reward {
        /// 0 for a loss, 1/2 for a draw, 1 for a win.
        Win = "win",
        /// The same, and a little for each point of the margin.
        Lean = "lean",
        /// -1, 0, 1.
        Sign = "sign",
        /// The final margin in points.
        Margin = "margin",
    }
}

worded! {
    /// How many children are tried when a node is expanded.
    ExpansionWidth {
        /// One child, with a playout from it (Coulom 2006; Kocsis and Szepesvari 2006).
        One = "one",
        /// All children at once, a playout from each.
        All = "all",
        /// All at once, with a playout each; together they value the node, and none of them counts as a visit.
        Scout = "scout",
    }
}

worded! {
    /// Where the prior probabilities of moves come from, unless an evaluator gives them.
    Policy {
        /// Every move is as likely as any other.
        Even = "even",
        /// The game's own guess, where it has one.
        Game = "game",
    }
}

worded! {
    /// Which untried child comes next.
    ExpansionOrder {
        /// As the game lists its moves.
        Listed = "listed",
        /// Uniformly at random.
        Random = "random",
        /// The most central first.
        Central = "central",
    }
}

worded! {
    /// When the game's `tactics` restrict the moves.
    ForcedMoves {
        /// Never: every legal move becomes a child.
        Never = "never",
        /// Once, when a node gets its children; the restricted list is then remembered.
        Expansion = "expansion",
        /// At every position the tree touches: also at a leaf that has no children yet, for the first move of its
        /// playout.
        Always = "always",
    }
}

worded! {
    /// What decides between equal scores.
    TieBreak {
        /// The one that was tried first.
        First = "first",
        /// One of them at random.
        Random = "random",
        /// The most central; among equally central ones the one that was tried first.
        Central = "central",
    }
}

worded! {
    /// Which move is played in the end.
    FinalMove {
        /// The best mean: UCB1 with c = 0.
        Mean = "mean",
        /// The most visited; the better mean among equals.
        Visits = "visits",
        /// The largest UCB1.
        Ucb = "ucb",
        /// The best mean among moves with at least a tenth of the most visits.
        Well = "well",
        /// The largest lower end of a 95 % interval of the mean (Wilson 1927, with the reward taken as a share of its
        /// range).
        Lcb = "lcb",
    }
}

worded! {
    /// Whether positions with the same key share a node.
    Structure {
        /// Each way to a position has a node of its own.
        Tree = "tree",
        /// They share one: edges keep visits, a node's value is recomputed from its children.
        Graph = "graph",
    }
}

worded! {
    /// The formula that chooses among the children.
    Selection {
        /// `mean + c sqrt(2 ln N / n)` (Auer, Cesa-Bianchi and Fischer 2002, figure 1).
        Ucb1 = "ucb1",
        /// `mean + c sqrt(ln N / n min(1/4, V))`, V being the variance of the child's rewards and a margin for what is
        /// not known of it (the same paper, section 4); c = 1 is theirs. Rewards count in units of their range.
        Tuned = "tuned",
        /// `mean + c P sqrt(N) / (1 + n)` with the prior P (Rosin 2011; Silver et al. 2017, methods).
        Puct = "puct",
    }
}

worded! {
    /// What the exploration weight is multiplied by at a node.
    Scale {
        /// Nothing.
        None = "none",
        /// Twice the standard deviation of the node's rewards, in units of their range: 1 when wins and losses are even.
        Spread = "spread",
    }
}

worded! {
    /// Where a new node's own value comes from.
    StartValue {
        /// The evaluations of its position.
        Own = "own",
        /// The mean of its children's first evaluations; for `expand=all`.
        Children = "children",
    }
}

worded! {
    /// What selection sees of a child that has no node yet.
    LeafValue {
        /// Its mean.
        Own = "own",
        /// The mean of that and the value its parent began with.
        Parent = "parent",
    }
}

worded! {
    /// What is proven.
    Proof {
        /// Nothing.
        Off = "off",
        /// Who wins.
        Win = "win",
        /// Bounds of the margin.
        Bounds = "bounds",
    }
}

worded! {
    /// Who is asked which reply to expect; other replies are not searched.
    Model {
        /// Nobody: every reply is searched.
        Off = "off",
        /// Who looks one ply ahead.
        Greedy = "greedy",
        /// A small plain UCT.
        Uct = "uct",
        /// A shallow alpha-beta search.
        Pvs = "pvs",
    }
}

worded! {
    /// What a lazy node does that has untried children but tries none.
    Lazily {
        /// It goes on to the best of those tried.
        Descend = "descend",
        /// It values a random one of those tried once more, as if that were a leaf.
        Resample = "resample",
    }
}

worded! {
    /// When a search ends before its budget is spent because the leader cannot be overtaken.
    EarlyStop {
        /// Never.
        Never = "never",
        /// Under a game clock, where time saved serves later moves.
        Clock = "clock",
        /// Always.
        Always = "always",
    }
}

worded! {
    /// What is kept of the tree between moves.
    Reuse {
        /// Nothing.
        None = "none",
        /// What can still be reached.
        Keep = "keep",
    }
}

worded! {
    /// What several threads do together (Chaslot, Winands and van den Herik 2008, Parallel Monte-Carlo Tree Search).
    Scheme {
        /// All search one graph, without a lock, each in copies of what it passes often.
        Shared = "shared",
        /// Each searches the position by itself; what they say about its moves is put together.
        Root = "root",
        /// All work on one graph, which one at a time may touch; playouts are made outside.
        Mutex = "mutex",
    }
}

/// What a point of margin is worth beside a win: a power of two, so that sums stay exact. A guess; the strongest public engine
/// takes a stone, half a point, for 1 / 8192 of what is between loss and win.
const LEAN: f32 = 1.0 / 8192.0;

impl Reward {
    /// The reward of `margin`.
    #[inline(always)]
    pub(crate) fn of(self, margin: Margin) -> f32 {
        // What winning and what each point adds to the reward of a draw.
        let [win, point, draw] = match self {
            Reward::Win => [0.5, 0.0, 0.5],
            Reward::Lean => [0.5, LEAN, 0.5],
            Reward::Sign => [1.0, 0.0, 0.0],
            Reward::Margin => [0.0, 1.0, 0.0],
        };
        win * f32::from(margin.0.signum()) + draw + point * f32::from(margin.0)
    }

    /// What a proof says of `margin`: rewards are the same where this is, and as they follow on each other so does this.
    /// No search goes on for the sake of a leaning.
    #[inline(always)]
    pub(crate) fn proven(self, margin: i16) -> i16 {
        if self == Reward::Margin { margin } else { margin.signum() }
    }

    /// A mean reward as an expected result for the first side, -1 .. 1.
    pub(crate) fn normalised(self, mean: f32, range: Bounds) -> f64 {
        let (low, high) = (f64::from(self.of(range.lower)), f64::from(self.of(range.upper)));
        if high > low { ((2.0 * f64::from(mean) - low - high) / (high - low)).clamp(-1.0, 1.0) } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewards_of_a_margin_and_its_opposite_add_up_to_the_ends() {
        let range = Bounds::new(Margin(-7), Margin(7));
        for reward in [Reward::Win, Reward::Lean, Reward::Sign, Reward::Margin] {
            let ends = reward.of(range.lower) + reward.of(range.upper);
            for points in -7..=7 {
                assert_eq!(reward.of(Margin(points)) + reward.of(Margin(-points)), ends);
            }
            assert_eq!(reward.normalised(reward.of(Margin(7)), range), 1.0);
            assert_eq!(reward.normalised(reward.of(Margin(0)), range), 0.0);
        }
    }
}

//! The named choices among the settings, each with its words.

use banyan_core::Margin;

use super::tunable::words;

words! {
    /// The reward of a finished game, seen by the first side.
    Reward {
        /// 0 for a loss, 1/2 for a draw, 1 for a win.
        Win = "win",
        /// The reward of `win` plus 1/8192 for each point of the margin: win first, margin second.
        WinMargin = "win+margin",
        /// Win, draw, loss as 1, 0, -1.
        Wdl = "wdl",
        /// The final margin in points.
        Margin = "margin",
        /// The margin plus 50 for a win, minus 50 for a loss (a report of 2024).
        FiftyMargin = "50+margin",
    }
}

words! {
    /// Children that are evaluated when a node is expanded.
    ExpansionWidth {
        /// One child (Coulom 2006; Kocsis and Szepesvari 2006).
        One = "one",
        /// All children at once, each as a visit.
        All = "all",
        /// All children are evaluated at once, for one visit of the node; none of them counts as visited.
        EvalChildren = "eval-children",
    }
}

words! {
    /// Source of the prior probabilities of moves, unless an evaluator gives them.
    PriorSource {
        /// Every move is as likely as any other.
        Uniform = "uniform",
        /// The priors of the game, if it has some.
        Game = "game",
    }
}

words! {
    /// Order in which unvisited children are expanded.
    ExpansionOrder {
        /// In the game's order of moves.
        Listed = "listed",
        /// In uniformly random order.
        Random = "random",
        /// The most central first.
        Central = "central",
        /// By the static evaluations of the positions they lead to, the best first.
        Static = "static",
    }
}

words! {
    /// Positions at which moves are restricted to the [forced ones](banyan_core::Knowledge::forced_moves).
    ForcedMoves {
        /// Never: every legal move becomes a child.
        Never = "never",
        /// Once, when a node gets its children.
        Expansion = "expansion",
        /// Once, when a node gets its children, by [one ply of tactics](banyan_core::Knowledge::one_ply_moves): no wins in three plies.
        OnePly = "one-ply",
        /// One ply of tactics when a node is expanded, and also at a leaf that gets its first visit.
        OnePlyAlways = "one-ply-always",
        /// Once, when a node gets its children, to the [moves that an exact search must try](banyan_core::Knowledge::undominated).
        Undominated = "undominated",
        /// At every position in the tree: also at a leaf without children, for the first move of its playout.
        Always = "always",
    }
}

impl ForcedMoves {
    /// Whether forced moves are played at a new leaf too.
    pub(crate) fn is_at_leaves(self) -> bool {
        matches!(self, ForcedMoves::Always | ForcedMoves::OnePlyAlways)
    }
}

words! {
    /// Tie-breaking between equal scores.
    TieBreak {
        /// The child tried first.
        First = "first",
        /// A random one.
        Random = "random",
        /// The most central one; among equally central ones the one tried first.
        Central = "central",
    }
}

words! {
    /// The final move.
    FinalMove {
        /// Max child: the best mean.
        Max = "max",
        /// The best mean among the children with at least a quarter of the most visits (the engine of Lionjump0723).
        MaxQuarter = "max-quarter",
        /// Robust child: the most visits; the better mean among equals.
        Robust = "robust",
        /// The largest UCB1, of the values that selection counts.
        Ucb = "ucb",
        /// Secure child: the largest lower end of a 95 % interval of the mean (Wilson 1927, with the reward as a
        /// proportion of its range).
        Secure = "secure",
    }
}

words! {
    /// Whether positions with the same key share a node.
    Structure {
        /// Each path to a position has its own node.
        Tree = "tree",
        /// One node per position: edges keep visits, a node's value is recomputed from its children.
        Graph = "graph",
    }
}

words! {
    /// The selection formula.
    Selection {
        /// `mean + c sqrt(2 ln N / n)` (Auer, Cesa-Bianchi and Fischer 2002, figure 1).
        Ucb1 = "ucb1",
        /// `mean + c sqrt(ln N / n min(1/4, V))`, where V is the variance of the child's rewards plus a bonus for its
        /// uncertainty (the same paper, section 4, where c = 1). Rewards count in units of their range.
        Ucb1Tuned = "ucb1-tuned",
        /// The largest q with `n kl(mean, q) <= 4 c^2 ln N`, where kl is the divergence of two coins (Garivier and Cappé
        /// 2011, algorithm 1; with c = 1/2 theirs without the term in ln ln N). Rewards count in units of their range.
        KlUcb = "kl-ucb",
        /// `mean + c P sqrt(N) / (1 + n)` with the prior P (Rosin 2011; Silver et al. 2017, methods).
        Puct = "puct",
        /// The first child, whatever its value (a report of 2024, as its program behaves).
        First = "first",
    }
}

words! {
    /// The factor of the exploration weight at a node.
    Scale {
        /// No factor: 1.
        None = "none",
        /// Twice the standard deviation of the node's rewards, in units of their range: 1 when wins and losses are even.
        Spread = "spread",
    }
}

words! {
    /// Source of the initial value of a new node.
    NodeInit {
        /// The evaluations of its position.
        Own = "own",
        /// The mean of its children's first evaluations; for `expand=all`.
        Children = "children",
    }
}

words! {
    /// The value that selection reads of a child without a node.
    UnvisitedValue {
        /// The mean of its evaluations.
        Own = "own",
        /// The mean of that and its parent's initial value.
        Blend = "blend",
    }
}

words! {
    /// Scope of proofs.
    Proof {
        /// No proofs.
        Off = "off",
        /// The winner.
        Win = "win",
        /// Bounds of the margin.
        Bounds = "bounds",
    }
}

words! {
    /// Limits under which a search stops early because the most visited move cannot be overtaken.
    EarlyStop {
        /// Never.
        Never = "never",
        /// With a game clock, so that the time saved is left for later moves.
        Clock = "clock",
        /// Always.
        Always = "always",
    }
}

words! {
    /// Tree reuse between moves.
    Reuse {
        /// No reuse.
        None = "none",
        /// The part that can still be reached.
        Keep = "keep",
    }
}

words! {
    /// Kinds of parallel search (Chaslot, Winands and van den Herik 2008, Parallel Monte-Carlo Tree Search).
    Parallel {
        /// Tree parallelisation without a lock: one graph for all, each thread with a cache of the nodes it visits often.
        Tree = "tree",
        /// Root parallelisation: a graph for each thread; the statistics of the root's moves are merged.
        Root = "root",
        /// Tree parallelisation with one lock, which a thread releases while it evaluates a leaf.
        Mutex = "mutex",
    }
}

/// The reward of a point of margin: a power of two, so that sums stay exact. Guess, untuned; the engine of
/// Lionjump0723 counts half a point as 1 / 8192 of the difference between loss and win.
const REWARD_OF_A_POINT: f32 = 1.0 / 8192.0;

/// Reward of a win beside its points in `50+margin`.
pub(crate) const WIN_OF_FIFTY: f32 = 50.0;

impl Reward {
    /// The amounts that a win and a point add, and the reward of a draw.
    #[inline(always)]
    pub(crate) fn amounts(self) -> [f32; 3] {
        match self {
            Reward::Win => [0.5, 0.0, 0.5],
            Reward::WinMargin => [0.5, REWARD_OF_A_POINT, 0.5],
            Reward::Wdl => [1.0, 0.0, 0.0],
            Reward::Margin => [0.0, 1.0, 0.0],
            Reward::FiftyMargin => [WIN_OF_FIFTY, 1.0, 0.0],
        }
    }

    /// The reward of `margin`.
    #[inline(always)]
    pub fn of(self, margin: Margin) -> f32 {
        let [win, point, draw] = self.amounts();
        win * f32::from(margin.0.signum()) + draw + point * f32::from(margin.0)
    }

    /// Whether proofs distinguish margins: `win+margin` proves the winner only.
    #[inline(always)]
    pub(crate) fn proves_margins(self) -> bool {
        matches!(self, Reward::Margin | Reward::FiftyMargin)
    }
}

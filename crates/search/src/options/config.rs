//! The settings of a Monte Carlo search: one row for each.

use std::str::FromStr;

use banyan_core::{Limits, TextError};

use super::choices::{
    EarlyStop, ExpansionOrder, ExpansionWidth, FinalMove, ForcedMoves, NodeInit, Parallel, PriorSource, Proof, Reuse,
    Reward, Scale, Selection, Structure, TieBreak, UnvisitedValue,
};
use super::published::{LazyMode, ModelPlayer, RootBiasAt};
use super::range::Range;
use super::schedule::Schedule;
use super::square_weights::SquareWeights;
use super::techniques::{Amaf, PendingVisits, RootSearch, with_technique_rows};
use super::tunable::conflict;

with_technique_rows! {
    /// The settings of a Monte Carlo search; each field is a row of [`TUNABLES`].
    ///
    /// ```
    /// use banyan_core::TextErrorKind;
    /// use banyan_search::{Config, Selection};
    ///
    /// let config: Config = "c=1.8,select=puct".parse()?;
    /// assert_eq!(config, Config { c: 1.8, selection: Selection::Puct, ..Config::default() });
    /// assert_eq!(config.get("select").as_deref(), Some("puct"));
    ///
    /// let err = "c=-1".parse::<Config>().unwrap_err();
    /// assert_eq!(err.to_string(), "c=-1: expected 0 .. 1000; try c=0.3");
    /// assert_eq!(err.kind, TextErrorKind::InvalidValue);
    /// assert_eq!("priors=game".parse::<Config>().unwrap_err().kind, TextErrorKind::Conflict);
    /// # Ok::<(), banyan_core::TextError>(())
    /// ```
    struct Config {}

    /// Every setting of the Monte Carlo search.
    const TUNABLES;

    structure: Structure = "structure" {
        default: "graph",
        neutral: "tree",
        help: "positions reached in several ways: tree, a node for each way; graph, one node for all",
        source: "Czech, Korus and Kersting 2020",
    }
    selection: Selection = "select" {
        default: "ucb1",
        help: "selection formula: ucb1, ucb1-tuned, kl-ucb (experimental), or puct with a prior for each move (see priors; set fpu too, or every child is visited before any is visited again); first, the first child whatever its value (a report of 2024 as coded)",
        source: "Auer, Cesa-Bianchi and Fischer 2002; Garivier and Cappé 2011; Rosin 2011",
    }
    priors: PriorSource = "priors" {
        default: "uniform",
        help: "prior of each move in PUCT: uniform, all alike; game, by a small network of what surrounds the move, if the game has one (needs select=puct)",
        conflicts: [|config| conflict(
            config.priors == PriorSource::Game && config.selection != Selection::Puct,
            "priors=game", "select=puct with it, for other formulas have no priors", "add select=puct",
        )],
    }
    // Tuned by experiments/uct-settings, November 2026: no worse than 0.5 and 0.7 in any game at 1,000 playouts a move,
    // and no worse than 0.2 and 0.5 at 10,000 (one game of three not tried there); 0.5 in turn beats 1 and 1.4.
    c: f32 = "c" {
        default: "0.3",
        neutral: "0.3",
        range: Range::Real { min: 0.0, max: 1000.0, step: 0.1 },
        help: "exploration weight, on the scale of the reward: UCB1 is mean + c * sqrt(2 ln N / n), PUCT mean + c * P * sqrt(N) / (1 + n); KL-UCB the largest q with n * kl(mean, q) <= 4 c^2 ln N for rewards from 0 to 1",
        source: "Auer, Cesa-Bianchi and Fischer 2002",
    }
    schedule: Schedule = "schedule" {
        default: "off",
        range: Range::Schedule,
        help: "c by the phase of the game, in place of c: 0:0.5/1:0.2 falls evenly from 0.5 at the start to 0.2 at the end",
        source: "Zhang and Meng 2020",
    }
    scale: Scale = "scale" {
        default: "none",
        help: "none: c as it is; spread (experimental): c times twice the standard deviation of the node's rewards in units of their range",
        source: "KataGo, dynamic variance-scaled cPUCT",
    }
    fpu: Option<f32> = "fpu" {
        default: "off",
        range: Range::RealOrOff { min: -1000.0, max: 1000.0, step: 0.1 },
        help: "first-play urgency: the value of an unvisited child is its parent's mean less this (ucb1 adds no bonus: take -0.5 or less, or some are never visited); off: all are visited first",
        source: "Gelly and Wang 2006",
    }
    unvisited: UnvisitedValue = "unvisited" {
        default: "own",
        help: "value of a child without a node: own, the mean of its evaluations; blend, the mean of that and its parent's initial value",
    }
    reward: Reward = "reward" {
        default: "win",
        help: "value of a finished game: win, 0, 1/2 or 1; win+margin, that and 1/8192 for each point, so that early wins and late losses count more; wdl, -1, 0 or 1; margin, the points; 50+margin, the points and 50 more for a win, less for a loss (a report of 2024)",
    }
    expand: ExpansionWidth = "expand" {
        default: "one",
        help: "children evaluated when a node is expanded: one; all, each as a visit; eval-children, all together for one visit of the node (needs select=puct)",
        source: "Coulom 2006; Kocsis and Szepesvari 2006",
        conflicts: [|config| conflict(
            config.expand == ExpansionWidth::EvalChildren && config.selection != Selection::Puct,
            "expand=eval-children", "select=puct with it, for other formulas need a visit of each child", "add select=puct",
        )],
    }
    node_init: NodeInit = "node-init" {
        default: "own",
        help: "initial value of a new node: own, its own evaluations; children, the mean of its children's (needs expand=all or eval-children)",
        conflicts: [|config| conflict(
            config.node_init == NodeInit::Children && config.expand == ExpansionWidth::One,
            "node-init=children", "expand=all with it, for otherwise the children are not all evaluated", "add expand=all",
        )],
    }
    node_eval: f32 = "node-eval" {
        default: "0",
        range: Range::Real { min: 0.0, max: 4.0, step: 0.1 },
        help: "weight with which the static evaluation of a new node is added to the mean of its children's; 0: not asked for; needs expand=eval-children or node-init=children",
        conflicts: [|config| conflict(
            config.node_eval > 0.0 && config.expand != ExpansionWidth::EvalChildren && config.node_init != NodeInit::Children,
            format!("node-eval={}", config.node_eval),
            "expand=eval-children or node-init=children with it, for it is added to the children's mean",
            "add expand=eval-children,select=puct",
        )],
    }
    order: ExpansionOrder = "order" {
        default: "random",
        help: "order in which unvisited children are expanded: listed, as the game lists them; random; central, most central first; static, by the static evaluations of the positions they lead to, the best first (experimental)",
    }
    expand_at: u32 = "expand-at" {
        default: "2",
        neutral: "2",
        range: Range::Whole { min: 1, max: 1_000_000, step: 1 },
        help: "visits at which a leaf gets children",
        source: "Coulom 2006",
    }
    forced: ForcedMoves = "forced" {
        default: "expansion",
        neutral: "never",
        help: "tactics restrict the moves: never; expansion, by one ply (win, block, avoid) when a node gets its children; one-ply, the same without wins in three plies (a report of 2023); one-ply-always, as one-ply and also at a new leaf; undominated, to what an exact search must try, with the bounds that simple strategies prove there (in games without such rules as expansion); always, as expansion and also at a new leaf",
        source: "Teytaud and Teytaud 2010",
    }
    evaluator: String = "eval" {
        default: "uniform",
        range: Range::Name(&["uniform", "tactical", "threat", "central", "weighted", "mast", "last-good-reply", "last-good-reply-2", "margin", "static"]),
        help: "value of a leaf. A playout: uniform, random moves; tactical, moves left by one-ply tactics; threat, by threats, in games that have such playouts (see threat-rules); central, the most central moves; weighted, central moves more likely; mast (experimental), moves with better results in earlier simulations more likely; last-good-reply and last-good-reply-2 (experimental), the reply that won last, to the last move or the last two. Or margin, the margin if the game stopped here; static, the static evaluation; FILE, the same with the weights of that file (banyan train)",
        source: "Finnsson and Bjornsson 2008: mast; Drake 2009, Baier and Drake 2010: last-good-reply, last-good-reply-2",
    }
    threat_rules: String = "threat-rules" {
        default: "all",
        range: Range::Name(&["all", "none", "win+block+safe+stack+save"]),
        help: "rules of threat playouts: win, take a win; block, play where the other side would win; safe, give no win away; stack, make two winning cells, one above the other; save, keep own threats for last (needs eval=threat)",
    }
    playout_plies: u32 = "playout-plies" {
        default: "0",
        range: Range::Whole { min: 0, max: 10_000, step: 4 },
        help: "plies after which a playout ends and the margin if the game stopped there counts; 0: playouts run to the end",
        conflicts: [|config| conflict(
            config.playout_plies > 0 && matches!(&*config.evaluator, "margin" | "static"),
            format!("playout-plies={},eval={}", config.playout_plies, config.evaluator),
            "an evaluator that makes playouts", "leave playout-plies out",
        )],
    }
    leaf_search_depth: u32 = "leaf-search-depth" {
        default: "0",
        range: Range::Whole { min: 0, max: 20, step: 1 },
        help: "plies of an alpha-beta search that evaluates a leaf in place of a playout, with the static evaluation at its horizon; its proofs count; it ends after 30,000 positions with the last finished depth; 0: none",
        source: "Baier and Winands 2013",
    }
    leaf_search_below: u32 = "leaf-search-below" {
        default: "0",
        range: Range::Whole { min: 0, max: 1_000_000, step: 1 },
        help: "the leaf search is made only at positions with fewer visits than this; 0: at all",
        conflicts: [|config| conflict(
            config.leaf_search_below > 0 && config.leaf_search_depth == 0,
            format!("leaf-search-below={}", config.leaf_search_below),
            "leaf-search-depth with it", "add leaf-search-depth=2, or leave leaf-search-below out",
        )],
    }
    exact_leaves: u32 = "exact-leaves" {
        default: "0",
        range: Range::Whole { min: 0, max: 1000, step: 2 },
        help: "leaves with at most so many plies left get their value from the game's exact solver, unless it needs more than 10,000 positions for one; its proofs count; the solver's table takes up to 16 MiB a thread beside memory-mib; 0: none",
    }
    proof: Proof = "proof" {
        default: "bounds",
        neutral: "off",
        help: "what is proven, and then searched no longer: nothing, the winner, bounds on the margin",
        source: "Winands, Bjornsson and Saito 2008; Cazenave and Saffidine 2010",
    }
    tie: TieBreak = "tie" {
        default: "random",
        help: "choice among equal scores: the child visited first, a random one, the most central",
    }
    final_move: FinalMove = "final" {
        default: "robust",
        help: "move played: max, best mean; max-quarter, best mean among the moves with a quarter of the most visits or more (the engine of Lionjump0723); robust, most visits; secure, best lower bound of the mean; ucb, largest UCB1 of the value that selection counts (with implicit and progressive-bias; not with amaf)",
        source: "Chaslot, Winands, van den Herik et al. 2008",
    }
    batch: u32 = "batch" {
        default: "1",
        range: Range::Whole { min: 1, max: 1024, step: 8 },
        help: "leaves collected before they are evaluated together",
    }
    early: EarlyStop = "early" {
        default: "clock",
        neutral: "never",
        help: "stop when the most visited move cannot be overtaken: never; clock, with a game clock; always",
    }
    reuse: Reuse = "reuse" {
        default: "keep",
        neutral: "none",
        help: "tree reuse between moves: none, or keep the part that can still be reached",
    }
    memory_mib: u32 = "memory-mib" {
        default: "1024",
        neutral: "64",
        range: Range::Whole { min: 1, max: 65_536, step: 64 },
        help: "MiB of memory for nodes; once full, old and little-visited nodes make room for new ones",
    }
    threads: u32 = "threads" {
        default: "1",
        range: Range::Whole { min: 1, max: 256, step: 1 },
        help: "threads that search together",
    }
    parallel: Parallel = "parallel" {
        default: "tree",
        help: "how threads search: tree, one graph without a lock, with a cache of often visited nodes for each thread; root, a graph for each with its share of memory and budget, added up at the root; mutex, one graph with one lock, evaluations outside",
        source: "Chaslot, Winands and van den Herik 2008; Enzenberger and Mueller 2009",
        conflicts: [Config::parallel_conflict],
    }
}

impl Default for Config {
    /// Every setting at its default.
    fn default() -> Config {
        Config::at_defaults()
    }
}

/// The default settings but for those of a text, as [`Config::set_all`] takes it, checked by [`Config::check`].
impl FromStr for Config {
    type Err = TextError;

    fn from_str(settings: &str) -> Result<Config, TextError> {
        let mut config = Config::default();
        config.set_all(settings)?;
        config.check()?;
        Ok(config)
    }
}

impl Config {
    /// UCT (Kocsis and Szepesvari 2006): a tree, nothing proven, uniform playouts, no knowledge of the game.
    pub fn uct() -> Config {
        let mut config = Config::default();
        for (name, value) in UCT {
            config.set(name, value).expect("a row and a value of it");
        }
        config
    }

    /// Whether the search may stop before a limit is reached.
    pub(crate) fn may_end_early(&self, limits: &Limits) -> bool {
        limits.clock.is_some() || self.top > 0 || self.early == EarlyStop::Always
    }

    /// Whether new nodes get the static evaluations of their children.
    pub(crate) fn uses_heuristics(&self) -> bool {
        self.implicit > 0.0 || self.progressive_bias > 0.0 || self.order == ExpansionOrder::Static
    }

    /// Whether the settings give leaves static evaluations and nothing else.
    pub(crate) fn evaluates_statically(&self) -> bool {
        let others = [self.leaf_search_depth, self.exact_leaves, self.horizon];
        self.evaluator == "static" && others == [0; 3] && self.eval_noise == 0.0 && !self.forced.is_at_leaves()
    }

    /// The settings by which they do.
    pub(crate) fn heuristics(&self) -> String {
        let mut found = Vec::new();
        if self.implicit > 0.0 {
            found.push(format!("implicit={}", self.implicit));
        }
        if self.progressive_bias > 0.0 {
            found.push(format!("progressive-bias={}", self.progressive_bias));
        }
        if self.order == ExpansionOrder::Static {
            found.push("order=static".to_owned());
        }
        found.join(",")
    }

    /// Whether a single legal move is played at once.
    pub(crate) fn plays_forced(&self, limits: &Limits) -> bool {
        limits.clock.is_some() && self.early != EarlyStop::Never
    }
}

/// The settings of plain UCT, whatever the defaults are.
const UCT: &[(&str, &str)] = &[
    ("structure", "tree"),
    ("proof", "off"),
    ("select", "ucb1"),
    ("expand", "one"),
    ("eval", "uniform"),
    ("forced", "never"),
    ("batch", "1"),
];

#[cfg(test)]
mod tests {
    use banyan_core::TextErrorKind;

    use super::*;

    #[test]
    fn every_row_accepts_and_returns_its_default_and_every_word() {
        for row in TUNABLES {
            let mut config = Config::default();
            assert_eq!(config.get(row.name).as_deref(), Some(row.default), "{}", row.name);
            for value in row.range.samples() {
                config.set(row.name, &value).unwrap_or_else(|err| panic!("{}: {err}", row.name));
                assert_eq!(config.get(row.name), Some(value));
            }
        }
    }

    #[test]
    fn fields_out_of_the_ranges_of_their_rows_are_refused_by_name() {
        assert_eq!(Config::default().check(), Ok(()));
        for (config, name) in [
            (Config { c: f32::NAN, ..Config::uct() }, "c=NaN"),
            (Config { fpu: Some(1e9), ..Config::uct() }, "fpu=1000000000"),
            (Config { expand_at: 0, ..Config::uct() }, "expand-at=0"),
            (Config { batch: 1025, ..Config::uct() }, "batch=1025"),
            (Config { memory_mib: 0, ..Config::uct() }, "memory-mib=0"),
            (Config { evaluator: "No name".to_owned(), ..Config::uct() }, "eval=No name"),
            (
                Config { playout_plies: 4, evaluator: "static".to_owned(), ..Config::uct() },
                "playout-plies=4,eval=static",
            ),
        ] {
            let err = config.check().expect_err(name).to_string();
            assert!(err.starts_with(name), "{err}");
        }
    }

    #[test]
    fn a_text_gives_each_setting_once() {
        assert_eq!("".parse::<Config>(), Ok(Config::default()));
        assert_eq!("c=1,fpu=0,".parse::<Config>(), Ok(Config { c: 1.0, fpu: Some(0.0), ..Config::default() }));
        let kind = |text: &str| text.parse::<Config>().expect_err(text).kind;
        for (text, expected) in [
            ("c", TextErrorKind::Other),
            ("c=1,c=2", TextErrorKind::Conflict),
            ("d=1", TextErrorKind::UnknownName),
            ("after=1", TextErrorKind::UnknownName),
            ("reward=sign", TextErrorKind::InvalidValue),
            ("schedule=0:1", TextErrorKind::InvalidValue),
            ("expand=eval-children", TextErrorKind::Conflict),
            ("amaf=rave,reward=margin", TextErrorKind::Conflict),
            ("amaf=rave,select=first", TextErrorKind::Conflict),
            ("amaf=grave,threads=2", TextErrorKind::Conflict),
        ] {
            assert_eq!(kind(text), expected, "{text}");
        }
    }

    #[test]
    fn values_out_of_range_are_refused_by_name() {
        let mut config = Config::default();
        for (name, value) in [
            ("c", "nan"),
            ("c", "-1"),
            ("expand-at", "0"),
            ("reward", "Win"),
            ("memory-mib", "1e9"),
            ("d", "1"),
            ("batch", "1025"),
            ("schedule", "0:1/0.5:2"),
            ("fpu", "inf"),
            ("threat-rules", "win,block"),
            ("opponent-model", "human"),
            ("lazy-expansion", "1"),
            ("leaf-search-depth", "21"),
            ("opponent-model-budget", "0"),
            ("root-bias-until", "1.5"),
        ] {
            let err = config.set(name, value).expect_err(value).to_string();
            assert!(err.contains(name), "{err}");
        }
        assert_eq!(config, Config::default());
    }
}

//! Techniques that the literature claims for Monte Carlo tree search, which experiments/ablation compares: settings that are experimental
//! unless a preset uses them. docs/techniques.md has a section for each.

use super::tunable::words;

/// Declares a table of the settings of a Monte Carlo search, as `with_published_rows!` does, with these rows behind its own.
macro_rules! with_technique_rows {
    ($($table:tt)*) => {
        $crate::options::with_published_rows! {
            $($table)*

            amaf: Amaf = "amaf" {
                default: "off",
                help: "all moves as first: the value of a move is mixed with the mean of the simulations in which its side plays it at once or later (see amaf-weight, amaf-bias, amaf-ref): off; alpha, with a constant weight; rave, with a weight that falls with the visits; grave, as rave with the statistics of the closest position above that has more than amaf-ref simulations. An untried move has the value of those simulations and the bonus of one visit; if there are none it is tried at once, or by fpu. One thread, or parallel=root; tables take up to a quarter of memory-mib beside it",
                source: "Gelly and Silver 2011; Cazenave 2015",
                experimental: true,
                conflicts: [
                    |config| conflict(
                        config.amaf != Amaf::Off && config.reward == Reward::Margin,
                        format!("amaf={},reward=margin", config.amaf.word()),
                        "a reward that does not depend on the points scored before", "try reward=win+margin",
                    ),
                    |config| conflict(
                        config.amaf != Amaf::Off && config.order != ExpansionOrder::Random,
                        format!("amaf={},order={}", config.amaf.word(), config.order.word()),
                        "order=random with it, for moves are tried by their simulations", "leave order out",
                    ),
                    |config| conflict(
                        config.amaf != Amaf::Off && config.horizon > 0,
                        format!("amaf={},horizon={}", config.amaf.word(), config.horizon),
                        "no horizon with it, where no moves are played", "leave horizon out",
                    ),
                    |config| conflict(
                        config.amaf != Amaf::Off && config.selection == Selection::First,
                        format!("amaf={},select=first", config.amaf.word()),
                        "a formula that reads the values of moves", "add select=ucb1",
                    ),
                    |config| conflict(
                        config.amaf != Amaf::Off && config.final_move == FinalMove::Ucb,
                        format!("amaf={},final=ucb", config.amaf.word()),
                        "another final move with it, for that UCB does not count all moves as first", "add final=robust",
                    ),
                    |config| conflict(
                        config.amaf != Amaf::Off && config.threads > 1 && config.parallel != Parallel::Root,
                        format!("amaf={},threads={},parallel={}", config.amaf.word(), config.threads, config.parallel.word()),
                        "a graph for each thread with it", "add parallel=root",
                    ),
                ],
            }
            amaf_weight: f32 = "amaf-weight" {
                default: "0.5",
                range: Range::Real { min: 0.0, max: 1.0, step: 0.1 },
                help: "weight of the mean of those simulations with amaf=alpha; with 0 the moves of simulations are recorded and not used, which shows what that costs",
                source: "Helmbold and Parker-Wood 2009",
                experimental: true,
                conflicts: [|config| conflict(
                    config.amaf_weight != 0.5 && config.amaf != Amaf::Alpha,
                    format!("amaf-weight={},amaf={}", config.amaf_weight, config.amaf.word()),
                    "amaf=alpha with it", "add amaf=alpha, or leave amaf-weight out",
                )],
            }
            // The bias and the number of visits are those of the variant in Ludii (MC-GRAVE).
            amaf_bias: f32 = "amaf-bias" {
                default: "0.00001",
                range: Range::Real { min: 0.0, max: 100.0, step: 0.0001 },
                help: "bias of that mean with amaf=rave and grave: its weight is m / (m + n + bias m n), where m simulations play the move at once or later, n of them at once; 4 b^2 of Gelly and Silver",
                source: "Gelly and Silver 2011, section 4.4; Cazenave 2015",
                experimental: true,
                conflicts: [|config| conflict(
                    config.amaf_bias != 0.00001 && !matches!(config.amaf, Amaf::Rave | Amaf::Grave),
                    format!("amaf-bias={},amaf={}", config.amaf_bias, config.amaf.word()),
                    "amaf=rave or grave with it", "add amaf=rave, or leave amaf-bias out",
                )],
            }
            amaf_ref: u32 = "amaf-ref" {
                default: "100",
                range: Range::Whole { min: 0, max: 1_000_000, step: 50 },
                help: "simulations that a position must have more than for its own statistics to be used with amaf=grave",
                source: "Cazenave 2015",
                experimental: true,
                conflicts: [|config| conflict(
                    config.amaf_ref != 100 && config.amaf != Amaf::Grave,
                    format!("amaf-ref={},amaf={}", config.amaf_ref, config.amaf.word()),
                    "amaf=grave with it", "add amaf=grave, or leave amaf-ref out",
                )],
            }
            implicit: f32 = "implicit" {
                default: "0",
                range: Range::Real { min: 0.0, max: 1.0, step: 0.1 },
                help: "implicit minimax backups: weight with which the minimax value of the static evaluations below a move counts in its value; the evaluations are made when a node is expanded, one for each child; 0: none",
                source: "Lanctot, Winands, Pepels and Sturtevant 2014",
                conflicts: [
                    |config| conflict(
                        config.implicit > 0.0 && config.selection == Selection::First,
                        format!("implicit={},select=first", config.implicit),
                        "a formula that reads the values of moves", "add select=ucb1",
                    ),
                    |config| conflict(
                        config.uses_heuristics() && config.threads > 1 && config.parallel != Parallel::Root,
                        format!("{},threads={}", config.heuristics(), config.threads),
                        "a graph for each thread with static evaluations of moves", "add parallel=root",
                    ),
                ],
            }
            progressive_bias: f32 = "progressive-bias" {
                default: "0",
                range: Range::Real { min: 0.0, max: 1000.0, step: 0.5 },
                help: "weight of a bonus of moves: their static evaluation as a reward, counted from the lowest one, divided by one more than their visits; 0: none",
                source: "Chaslot, Winands, van den Herik et al. 2008",
                experimental: true,
                conflicts: [|config| conflict(
                    config.progressive_bias > 0.0 && config.selection == Selection::First,
                    format!("progressive-bias={},select=first", config.progressive_bias),
                    "a formula that reads the values of moves", "add select=ucb1",
                )],
            }
            // Guess: a tenth of the range of results.
            mast_temperature: f32 = "mast-temperature" {
                default: "0.1",
                range: Range::Real { min: 0.001, max: 100.0, step: 0.05 },
                help: "temperature of the playouts eval=mast, in shares of the range of results: a move is drawn with a probability proportional to exp(mean / temperature)",
                source: "Finnsson and Bjornsson 2008",
                experimental: true,
                conflicts: [|config| conflict(
                    config.mast_temperature != 0.1 && config.evaluator != "mast",
                    format!("mast-temperature={},eval={}", config.mast_temperature, config.evaluator),
                    "eval=mast with it", "add eval=mast, or leave mast-temperature out",
                )],
            }
            pending_visits: PendingVisits = "pending" {
                default: "unobserved",
                help: "a visit whose leaf is not evaluated yet: unobserved, counts as a visit only; loss, as a visit lost by the side that chose it (needs batch=2 or more without parallel=tree, or threads with parallel=mutex)",
                source: "Liu et al. 2020: unobserved; Chaslot, Winands and van den Herik 2008: loss",
                experimental: true,
                conflicts: [|config| conflict(
                    config.pending_visits == PendingVisits::Loss
                        && (config.threads > 1 && config.parallel == Parallel::Tree
                            || config.batch == 1 && (config.threads == 1 || config.parallel != Parallel::Mutex)),
                    "pending=loss",
                    "batch=2 or more with it, or threads with parallel=mutex, for otherwise no leaf is pending or threads do not see the losses",
                    "add batch=8, and parallel=root if there are threads",
                )],
            }
            widening: u32 = "widening" {
                default: "0",
                range: Range::Whole { min: 0, max: 1000, step: 1 },
                help: "progressive widening: children searched at first, the most likely ones if there are priors, else by order; one more whenever the visits of their node reach 50 * 1.3^(children so far beyond these); 0: all (needs expand=one)",
                source: "Chaslot, Winands, van den Herik et al. 2008, progressive unpruning",
                experimental: true,
                conflicts: [|config| conflict(
                    config.widening > 0 && config.expand != ExpansionWidth::One,
                    format!("widening={}", config.widening),
                    "expand=one with it, for otherwise all children are evaluated at once", "add expand=one",
                )],
            }
            root_search: RootSearch = "root" {
                default: "tree",
                help: "choice at the root: tree, as at other nodes; gumbel, the root-moves likeliest moves after Gumbel noise get the same number of visits, in each of several equal parts of the budget half of them are dropped, and the best of those left is played, whatever final is (needs threads=1, root-bias-depth=0, lazy-expansion=0, top=0, early=clock or never)",
                source: "Danihelka, Guez, Schrittwieser and Silver 2022",
                experimental: true,
                conflicts: [
                    |config| conflict(
                        config.root_search == RootSearch::Gumbel && config.threads > 1,
                        format!("root=gumbel,threads={}", config.threads),
                        "one thread with it, for the moves take turns", "leave threads out",
                    ),
                    |config| conflict(
                        config.root_search == RootSearch::Gumbel && config.root_bias_depth > 0,
                        format!("root=gumbel,root-bias-depth={}", config.root_bias_depth),
                        "root-bias-depth=0 with it, for visits of the root's moves follow no score", "leave root-bias-depth out",
                    ),
                    |config| conflict(
                        config.root_search == RootSearch::Gumbel && config.lazy_expansion > 0.0,
                        format!("root=gumbel,lazy-expansion={}", config.lazy_expansion),
                        "lazy-expansion=0 with it, for the moves take turns", "leave lazy-expansion out",
                    ),
                    |config| conflict(
                        config.root_search == RootSearch::Gumbel && config.top > 0,
                        format!("root=gumbel,top={}", config.top),
                        "top=0 with it, for it uses its whole budget", "leave top out",
                    ),
                    |config| conflict(
                        config.root_search == RootSearch::Gumbel && config.early == EarlyStop::Always,
                        "root=gumbel,early=always",
                        "early=clock or never with it, for it uses its whole budget", "leave early out",
                    ),
                ],
            }
            root_moves: u32 = "root-moves" {
                default: "16",
                range: Range::Whole { min: 1, max: 1000, step: 4 },
                help: "moves that root=gumbel considers",
                source: "Danihelka, Guez, Schrittwieser and Silver 2022: 16",
                experimental: true,
                conflicts: [|config| conflict(
                    config.root_moves != 16 && config.root_search != RootSearch::Gumbel,
                    format!("root-moves={},root=tree", config.root_moves),
                    "root=gumbel with it", "add root=gumbel, or leave root-moves out",
                )],
            }
            score_bonus: f32 = "score-bonus" {
                default: "0",
                range: Range::Real { min: 0.0, max: 10.0, step: 0.05 },
                help: "reward of the largest margin beside that of a win; smaller margins get their share; 0: none (needs reward=win or wdl)",
                source: "after Shibahara and Kotani 2008",
                conflicts: [|config| conflict(
                    config.score_bonus > 0.0 && !matches!(config.reward, Reward::Win | Reward::Wdl),
                    format!("score-bonus={},reward={}", config.score_bonus, config.reward.word()),
                    "reward=win or wdl with it, for other rewards count the margin already", "add reward=win",
                )],
            }
        }
    };
}

words! {
    /// Visits whose leaf is not evaluated yet, as selection sees them.
    PendingVisits {
        /// Unobserved: they count as visits, and leave the mean as it is (Liu et al. 2020).
        Unobserved = "unobserved",
        /// Virtual losses: they count as visits that the side to move lost (Chaslot, Winands and van den Herik 2008).
        Loss = "loss",
    }
}

words! {
    /// The choice among the moves of the root.
    RootSearch {
        /// As at any other node.
        Tree = "tree",
        /// Gumbel noise and sequential halving (Danihelka et al. 2022).
        Gumbel = "gumbel",
    }
}

words! {
    /// The use of all moves as first.
    Amaf {
        /// None.
        Off = "off",
        /// A constant weight.
        Alpha = "alpha",
        /// Rapid action value estimation.
        Rave = "rave",
        /// Generalised rapid action value estimation.
        Grave = "grave",
    }
}

pub(crate) use with_technique_rows;

//! Techniques that the literature claims for Monte Carlo tree search and that no default uses: experimental settings, which
//! experiments/ablation compares. docs/techniques.md has a section for each.

use super::choices::ExpansionOrder;
use super::config::Config;
use super::tunable::words;

/// Declares a table of the settings of a Monte Carlo search, as `with_published_rows!` does, with these rows behind its own.
macro_rules! with_technique_rows {
    ($($table:tt)*) => {
        $crate::options::with_published_rows! {
            $($table)*

            amaf: Amaf = "amaf" {
                default: "off",
                help: "all moves as first: the value of a move is mixed with the mean of the simulations in which its side plays it later (see amaf-weight, amaf-bias, amaf-ref): off; alpha, with a constant weight; rave, with a weight that falls with the visits; grave, as rave with the statistics of the closest position above that has more than amaf-ref visits. An untried move has the value of those simulations and the bonus of one visit, and is tried at once if there are none. One thread, or parallel=root; tables take up to a quarter of memory-mib beside it",
                source: "Gelly and Silver 2011; Cazenave 2015",
                experimental: true,
                conflicts: [
                    |config| conflict(
                        config.amaf != Amaf::Off && config.reward == Reward::Margin,
                        format!("amaf={},reward=margin", config.amaf.word()),
                        "a reward that does not depend on the points scored before", "try reward=win+margin",
                    ),
                    |config| conflict(
                        config.amaf != Amaf::Off && config.selection == Selection::First,
                        format!("amaf={},select=first", config.amaf.word()),
                        "a formula that reads the values of moves", "add select=ucb1",
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
                help: "weight of the mean of those simulations with amaf=alpha",
                source: "Helmbold and Parker-Wood 2009",
                experimental: true,
            }
            // The bias and the number of visits are those of the variant in Ludii (MC-GRAVE).
            amaf_bias: f32 = "amaf-bias" {
                default: "0.00001",
                range: Range::Real { min: 0.0, max: 100.0, step: 0.0001 },
                help: "bias of that mean with amaf=rave and grave: its weight is m / (m + n + bias m n), where m simulations play the move later and n play it at once; 4 b^2 of Gelly and Silver",
                source: "Gelly and Silver 2011, section 4.4; Cazenave 2015",
                experimental: true,
            }
            amaf_ref: u32 = "amaf-ref" {
                default: "100",
                range: Range::Whole { min: 0, max: 1_000_000, step: 50 },
                help: "visits that a position must have more than for its own statistics to be used with amaf=grave",
                source: "Cazenave 2015",
                experimental: true,
            }
            implicit: f32 = "implicit" {
                default: "0",
                range: Range::Real { min: 0.0, max: 1.0, step: 0.1 },
                help: "implicit minimax backups: weight with which the minimax value of the static evaluations below a move counts in its value; the evaluations are made when a node is expanded, one for each child; 0: none",
                source: "Lanctot, Winands, Pepels and Sturtevant 2014",
                experimental: true,
                conflicts: [
                    |config| conflict(
                        config.implicit > 0.0 && config.selection == Selection::First,
                        format!("implicit={},select=first", config.implicit),
                        "a formula that reads the values of moves", "add select=ucb1",
                    ),
                    |config| conflict(
                        config.uses_heuristics() && config.threads > 1 && config.parallel != Parallel::Root,
                        format!("implicit={},progressive-bias={},order={},threads={}", config.implicit, config.progressive_bias, config.order.word(), config.threads),
                        "a graph for each thread with static evaluations of moves", "add parallel=root",
                    ),
                ],
            }
            progressive_bias: f32 = "progressive-bias" {
                default: "0",
                range: Range::Real { min: 0.0, max: 1000.0, step: 0.5 },
                help: "weight of a bonus of moves: their static evaluation as a reward, divided by one more than their visits; 0: none",
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
            }
        }
    };
}

impl Config {
    /// Whether new nodes get the static evaluations of their children.
    pub(crate) fn uses_heuristics(&self) -> bool {
        self.implicit > 0.0 || self.progressive_bias > 0.0 || self.order == ExpansionOrder::Static
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
